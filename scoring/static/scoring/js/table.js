/**
 * The table page: the pad, its preview, the hands that wait on this phone, and what others log meanwhile.
 */

import "./pad.js";
import * as ahead from "./ahead.js";
import { watchAnswers } from "./answers.js";
import { forgetDraft, keepDrafts, restoreDraft } from "./draft.js";
import { clear, fill, isTouched } from "./entry.js";
import { startWatching } from "./live.js";
import * as outbox from "./outbox.js";
import { Preview } from "./preview.js";
import { send, takeBack } from "./queue.js";
import { save } from "./save.js";
import { keepPage, startWorker } from "./offline.js";
import { Waiting } from "./waiting.js";
import { startSwitches } from "./switches.js";
import { startUndo } from "./undo.js";
import { startSeats } from "./who.js";

const form = () => document.querySelector("[data-hand-form]");
const here = document.querySelector("[data-here]")?.dataset; // who looks, at which table

let entries = []; // what waits on this phone
let away = !navigator.onLine;
let saving = false;
let preview;

const waiting =
  here &&
  new Waiting(document.querySelector("[data-waiting]"), {
    mend: (entry) => {
      fill(form(), entry.fields);
      follow();
    },
    takeBack: async (entry) => {
      await takeBack(entry.key, ahead.known().state.number);
      await look();
      drain();
    },
  });

/** What waits at this table, less the hand that is open in the form to be mended. */
const behind = () =>
  entries.filter(
    ({ key, user, game }) => user === here.user && game === here.game && key !== openKey(),
  );

const openKey = () => form()?.elements.key.value;

// ----- what the page shows -------------------------------------------------------------------------

/** Look at what waits on this phone, and show the page as it stands with it. */
async function look() {
  entries = await outbox.all();
  follow();
}

/** The table has moved on, by what waits here or by what others logged: so does the open form. */
function follow() {
  const open = form();
  if (!here) {
    return;
  }
  waiting.show(entries.filter(({ key }) => key !== openKey()), { away, here, form: open });
  if (!open || !ahead.known()) {
    return;
  }
  for (const words of document.querySelectorAll("[data-behind]")) {
    words.hidden = !behind().length;
  }
  const mended = entries.find(({ key }) => key === openKey());
  const before = behind().filter(({ order }) => !mended || order < mended.order);
  const state = ahead.reckon(open, before);
  ahead.show(open, state);
  open.hidden = state.finished;
  if (!mended && !state.finished && open.elements.number.value !== String(state.number)) {
    renumber(open, state.number);
  }
}

/** An untouched form is for the next hand; one that is being filled in is told of what came between. */
function renumber(open, number) {
  if (!isTouched(open)) {
    open.elements.number.value = number;
  } else if (open.dataset.told !== String(number)) {
    open.dataset.told = number;
    preview.soon(0);
  }
}

function startForm() {
  startSeats();
  startUndo();
  const open = form();
  if (open && !open.dataset.started) {
    open.dataset.started = "";
    preview = new Preview(document.getElementById("preview"), open, () => behind().length > 0);
    open.addEventListener("submit", submit);
    keepDrafts(open);
  }
}

function trouble(outcome) {
  const words = document.querySelector("[data-trouble]");
  if (words) {
    words.textContent = words.dataset[outcome] ?? "";
    words.hidden = !words.textContent;
  }
}

// ----- what is sent --------------------------------------------------------------------------------

async function submit(event) {
  event.preventDefault();
  if (saving) {
    return;
  }
  const open = event.target;
  const button = open.querySelector("[data-save]");
  saving = button.disabled = true;
  trouble("");
  try {
    show(open, await save(open, event.submitter));
  } finally {
    saving = button.disabled = false;
    await look();
    drain();
  }
}

/** Show what became of the hand that `open` held. */
function show(open, { outcome, html, target }) {
  if (html) {
    forgetDraft(open);
    swap(target, html);
  } else if (outcome === "waits") {
    clear(open, Number(open.elements.number.value) + 1);
    document.querySelector("[data-waiting-sum]").focus();
  } else {
    trouble(outcome);
  }
}

function swap(target, html) {
  window.htmx.swap(target, html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 20 });
}

/** Send what waits, if anything does, and bring the page up to date. */
async function drain() {
  const waits = ({ key, user, state }) =>
    user === here.user && state === "waiting" && key !== openKey();
  if (saving || !entries.some(waits)) {
    return;
  }
  const answers = await send(here.user, openKey());
  await look();
  if ([...answers.values()].some(({ outcome }) => outcome === "done")) {
    if (!isTouched(form())) {
      window.htmx.trigger("#log", "renew");
    }
    window.htmx.trigger("#state", "ask");
  }
}

// ----- what happens --------------------------------------------------------------------------------

document.addEventListener("htmx:load", startForm);
document.addEventListener("htmx:afterSettle", () => {
  follow();
  keepPage();
});
document.addEventListener("reached", ({ detail: reached }) => {
  if (away === reached) {
    away = !reached;
    follow();
  }
  if (reached) {
    drain();
  }
});
// "It is the same hand": what was entered here is let go.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-let-go]");
  if (link) {
    event.preventDefault();
    await takeBack(form().elements.key.value, ahead.known().state.number);
    window.location.assign(link.href);
  }
});

startForm();
startSwitches();
startWatching();
watchAnswers();
if (here) {
  await look();
  if (form() && !form().hidden) {
    restoreDraft(form());
  }
  drain();
  startWorker();
}
