/**
 * The table page: the pad, its preview, the queue of this phone, and what others log meanwhile.
 *
 * What the page shows follows from two things: the site's last word on the game, and the hands that wait
 * in the queue. The form shows one hand, which has its key from the moment it is begun.
 */

import "./pad.js";
import { watchAnswers } from "./answers.js";
import { begunHandOf, clear, fill, handOf, isTouched, isWhole } from "./entry.js";
import { askNow, startWatching } from "./live.js";
import { keepPage, startWorker } from "./offline.js";
import { showState, tableOfPage } from "./optimistic_state.js";
import { Preview } from "./preview.js";
import * as list from "./queue/entries.js";
import { predict } from "./queue/predict.js";
import { here, queue, ready, sender, show, table } from "./queue/start.js";
import { Word } from "./queue/word.js";
import { startSwitches } from "./switches.js";
import { startUndo, undo } from "./undo.js";
import { startSeats } from "./who.js";

const PATIENCE = 3000; // milliseconds that the form stays with a hand whose answer is slow

const form = () => document.querySelector("[data-hand-form]");
const openKey = () => form()?.elements.key.value ?? "";
const openEntry = () => list.find(queue.entries, openKey());

const word = new Word(here);
let saving = false;
let preview;

// ----- what the page shows -------------------------------------------------------------------------

/** The hands that will be logged before the one in the form. */
function before() {
  const open = openEntry();
  const waiting = list.waitingAt(queue.entries, here);
  return open?.order ? waiting.filter(({ order }) => order < open.order) : waiting;
}

/** Show the page as the game stands with the hands that wait. */
function follow() {
  const open = form();
  if (!open || !word.last) {
    return;
  }
  const { placeOf, stays } = tableOfPage();
  const state = predict(word.last, before(), placeOf, stays);
  showState(open, state);
  open.hidden = state.finished;
  for (const words of document.querySelectorAll("[data-behind]")) {
    words.hidden = !before().length;
  }
  if (!saving) {
    number(open, state);
  }
}

/** An untouched form is for the next hand; one that is being filled in is told of what came between. */
function number(open, state) {
  const { number: shown } = open.elements;
  const kept = openEntry()?.order ? openEntry().number : undefined;
  const moved = kept ?? (isTouched(open) ? Math.min(shown.value, state.number) : state.number);
  const told = `${state.round} ${state.dealer} ${state.number} ${before().length > 0}`;
  const isNews = open.dataset.told !== undefined && open.dataset.told !== told;
  open.dataset.told = told;
  if (Number(shown.value) !== moved) {
    shown.value = moved;
  }
  if (isNews && isTouched(open)) {
    // Fields that the browser itself has filled in again are there before the preview is.
    preview?.soon(0);
  }
}

/** The site has said, in an answer, where the game stands. */
function hear(said) {
  word.hear(said);
  follow();
}

function say(name, words) {
  const place = document.querySelector("[data-notice]");
  if (place) {
    place.textContent = words || (place.dataset[name] ?? "");
    place.hidden = !place.textContent;
  }
}

/** Show why the hand in the form is not saved: a piece of page from the site, or else its reasons. */
function explain({ code = "", html = "", reasons = [] } = {}, focus = false) {
  const place = document.querySelector("[data-refusal]");
  if (html || !code) {
    place.innerHTML = html;
  } else {
    place.replaceChildren(inWords(reasons));
  }
  if (focus) {
    place.querySelector("[tabindex]")?.focus();
  }
}

/** Not every answer has a piece of page: nobody but the four may log, or something in between answered. */
function inWords(reasons) {
  const words = document.createElement("p");
  words.className = "log__trouble";
  words.tabIndex = -1;
  words.setAttribute("role", "alert");
  words.textContent = reasons.join(" ") || document.querySelector("[data-notice]").dataset.refused;
  return words;
}

// ----- which hand the form shows -------------------------------------------------------------------

const draftName = `draft ${here.user} ${here.game}`;

/** Let the form show the hand `key`, or the one that needs it most, or the next hand. */
function open(key, adopts = false) {
  const shown = form();
  if (!shown) {
    return;
  }
  const preferred = key ?? sessionStorage.getItem(draftName);
  const entry = list.find(queue.entries, key) ?? list.forTheForm(queue.entries, here, preferred, adopts);
  delete shown.dataset.told;
  if (entry) {
    fill(shown, entry);
  } else {
    clear(shown, word.last?.number ?? shown.elements.number.value);
  }
  explain(entry);
  show();
}

/** Keep what is being entered. */
function keep() {
  const hand = begunHandOf(form(), here);
  const entry = list.find(queue.entries, hand.key);
  if (document.querySelector("[data-refusal] .error-summary")) {
    // From the first change on, the preview says what is wrong.
    explain();
    hand.html = "";
  }
  if (!hand.fields.length) {
    kept.delete(hand.key); // emptied here: nobody has saved or thrown it away
  }
  if (entry || hand.fields.length) {
    sessionStorage.setItem(draftName, hand.key);
    queue.change((entries) => list.enter(entries, hand));
  }
}

/** Another tab has saved or thrown away the hand that lies here as well: what is here is another one. */
function partWays(entries) {
  const shown = form();
  const entry = list.find(entries, openKey());
  if (!shown || saving || !kept.has(openKey()) || (entry && !isSaved(entry))) {
    return;
  }
  if (isTouched(shown) && !entry) {
    shown.elements.key.value = list.newKey();
  } else {
    open();
  }
}

const isSaved = ({ state }) => ![list.ENTERING, list.CORRECTING].includes(state);

// The keys that have been seen in the queue: one that is gone from it was taken or thrown away.
const kept = new Set();

function startForm() {
  startSeats();
  startUndo();
  const shown = form();
  if (!shown || "started" in shown.dataset) {
    return;
  }
  shown.dataset.started = "";
  preview = new Preview(document.getElementById("preview"), shown, () => before().length > 0);
  preview.rest();
  shown.addEventListener("submit", submit);
  if ("typed" in shown.dataset && list.find(queue.entries, openKey())) {
    // What was typed before signing in is on this phone as well.
    open(openKey());
  } else if (isTouched(shown)) {
    // It was typed before signing in, or tapped before the queue was read. The key of a stored page is
    // the same at each load.
    shown.elements.key.value = "typed" in shown.dataset ? openKey() : list.newKey();
    keep();
    preview.soon(0);
  } else {
    open(undefined, true);
  }
  shown.addEventListener("change", keep);
  shown.addEventListener("input", keep);
}

// ----- what is saved -------------------------------------------------------------------------------

async function submit(event) {
  event.preventDefault();
  const { submitter, target: shown } = event;
  if (saving) {
    return;
  }
  if (submitter?.formAction && submitter.matches("[data-undo]")) {
    await takeBack(submitter);
    return;
  }
  const button = shown.querySelector("[data-save]");
  saving = button.disabled = true;
  say("");
  try {
    if (submitter?.name === "as_number") {
      shown.elements.number.value = submitter.value;
      await queue.change((all) => list.renumber(all, openKey(), Number(submitter.value)));
    }
    await (isWhole(shown) ? save(shown) : askWhatIsMissing(shown));
  } finally {
    saving = button.disabled = false;
    partWays(queue.entries);
    follow();
  }
}

/** Keep the hand on this phone, then send it. */
async function save(shown) {
  let hand = handOf(shown, here);
  const entries = await queue.change((all) => list.save(all, hand));
  if (!list.isKept(entries, hand)) {
    // Another tab has saved something else under this key: this is a hand of its own.
    shown.elements.key.value = list.newKey();
    hand = handOf(shown, here);
    await queue.change((all) => list.save(all, hand));
  }
  const answer = await Promise.race([sentNow(hand.key), wait(PATIENCE)]);
  if (openKey() !== hand.key) {
    return;
  }
  open();
  if (answer?.outcome === "taken") {
    showSaved(answer);
  } else if (answer?.outcome === "refused") {
    explain(answer, true);
  } else {
    document.querySelector("[data-waiting-sum]").focus();
  }
}

/** The form is for the next hand; beside Save stands what the site has. */
function showSaved({ html }) {
  preview.rest(html);
  startUndo();
  document.getElementById("saved")?.focus();
}

async function sentNow(key) {
  let answered;
  const listen = ({ entry, answer }) => {
    answered = entry.key === key ? answer : answered;
  };
  sender.addEventListener("answer", listen);
  await sender.wake();
  sender.removeEventListener("answer", listen);
  return answered;
}

const wait = (pause) => new Promise((resolve) => setTimeout(resolve, pause));

/** A hand that is not whole does not wait here: the site says what is missing, or takes it after all. */
async function askWhatIsMissing(shown) {
  const hand = handOf(shown, here);
  if (before().length) {
    say("incomplete"); // the site does not know its place yet
    return;
  }
  const answer = await sender.sendUnsaved(hand);
  if (answer.outcome === "taken") {
    hear(answer.word);
    await queue.change((entries) => list.taken(entries, hand));
    arrived(hand, answer);
    open();
    showSaved(answer);
  } else if (answer.outcome === "refused" && answer.html) {
    explain(answer, true);
  } else {
    say({ away: "unfinished", trouble: "unfinished" }[answer.outcome] ?? answer.outcome, answer.reasons?.join(" "));
  }
}

/** The site has answered for `entry`, perhaps long after it was saved. */
function arrived(entry, answer) {
  if (entry.game !== here.game || entry.user !== here.user) {
    return;
  }
  if (answer.outcome === "taken") {
    preview?.rest(answer.html);
    startUndo();
    if (!saving && openKey() === entry.key) {
      open();
    }
    askNow();
  } else if (answer.outcome === "refused" && !saving && form() && !isTouched(form())) {
    open();
  }
}

// ----- what is taken back --------------------------------------------------------------------------

async function takeBack(key) {
  say("");
  const answer = await undo(key, here.user);
  if (answer.outcome === "undone") {
    const hand = { ...blankHand(), fields: answer.fields, number: answer.word.number };
    await queue.change((entries) => list.enter(entries, hand));
    hear(answer.word);
    say("", answer.sentence);
    if (form() && !isTouched(form())) {
      open(hand.key);
    }
  } else {
    hear(answer.word);
    say(`undo-${answer.outcome}`.replace(/-(\w)/, (_all, first) => first.toUpperCase()), answer.reasons?.join(" "));
  }
  askNow();
}

const blankHand = () => ({
  key: list.newKey(),
  at: Date.now(),
  user: here.user,
  userName: here.userName,
  game: here.game,
  page: window.location.pathname,
  label: "",
  whole: true,
});

// ----- what happens --------------------------------------------------------------------------------

table.openKey = openKey;
table.form = form;
table.open = open;
table.changed = () => {
  word.refresh();
  partWays(queue.entries);
  for (const { key } of queue.entries) {
    kept.add(key);
  }
  follow();
};

sender.addEventListener("heard", ({ entry, answer }) => {
  if (entry.game === here.game) {
    hear(answer.word);
  }
});
sender.addEventListener("answer", ({ entry, answer }) => arrived(entry, answer));
document.addEventListener("htmx:afterSettle", () => {
  preview?.rest();
  startUndo();
  show();
  keepPage();
});
document.addEventListener("click", async (event) => {
  const undoKey = event.target.closest("[data-undo]");
  if (undoKey) {
    event.preventDefault();
    await takeBack(undoKey);
  } else if (event.target.closest("[data-let-go]")) {
    event.preventDefault();
    saving = true;
    try {
      await queue.change((entries) => list.giveUp(entries, openKey()));
    } finally {
      saving = false;
    }
    open();
    sender.wake();
    askNow();
  }
});

/** The page learns where the table stands: its pad comes and goes with it. */
function learn(since) {
  word.confirm(since);
  follow();
  const { mode, version, players } = document.getElementById("state").dataset;
  const log = document.getElementById("log");
  const moved = mode !== log.dataset.mode || players !== log.dataset.players;
  if (moved || (mode !== "log" && version !== log.dataset.version)) {
    window.htmx.trigger(log, "renew");
  }
  const shutOut = queue.entries.some(
    ({ state, game }) => [list.BLOCKED, list.ASKED].includes(state) && game === here.game,
  );
  if (mode === "log" && shutOut) {
    sender.retry(here.game);
  }
}

// A quick thumb need not wait for what this phone keeps.
startSeats();
await ready;
startForm();
document.addEventListener("htmx:load", startForm);
startSwitches();
startWatching(learn);
watchAnswers();
follow();
startWorker();
