/**
 * Saving at the table: the hand in the form is stored on this phone to be sent. One that is not whole is
 * not stored: the site is asked what is missing.
 */

import { claimProblem, draftFrom, earlyFrom, fieldsOf, firstLacking, handFrom, isWhole, startNewHand } from "./hand_form.js";
import { pollNow } from "./polling.js";
import { discardOpenHand, leaveStaleHand, openHand } from "./open_hand.js";
import { earlyHands, forgetEarly, setEarlyHands, storeEarly } from "../queue/early_hands.js";
import * as list from "../queue/entries.js";
import { delay } from "../queue/pauses.js";
import { context, queue, sender } from "../queue/start.js";
import { isUnanswered } from "../queue/site.js";
import { isGivenBack } from "./undone_hands.js";
import { applyState, handForm, handsBefore, isRepeated, openKey, page, setNotice, showRefusal, showSaving, updatePage } from "./page_state.js";

const ANSWER_TIMEOUT = 3000; // milliseconds that the form stays with a hand whose answer is slow

/** What the form does when it is submitted: by Save, or as the hand of another number. */
export async function submit(event) {
  event.preventDefault();
  const { submitter, target: form } = event;
  if (page.isSaving || !isMeant(form)) {
    return;
  }
  const focused = document.activeElement;
  setSaving(true);
  setNotice("");
  try {
    if (submitter?.name === "as_number") {
      form.elements.number.value = submitter.value;
      await queue.change((all) => list.renumber(all, openKey(), Number(submitter.value)));
    }
    await (isWhole(form) ? saveHand(form) : askWhatIsMissing(form));
  } finally {
    setSaving(false);
    if (document.activeElement === document.body) {
      focused?.focus();
    }
    leaveStaleHand();
    updatePage();
  }
}

/** Ask before the hand `entry`, which lies in `form`, is saved where it was saved before. True: save it. */
const isMeant = (form, entry) =>
  !isRepeated(form, entry) || window.confirm(document.querySelector("[data-unsaved]").dataset.repeats);

function setSaving(isSaving) {
  page.isSaving = isSaving;
  showSaving();
}

/** Keep the hand on this phone, then send it. */
async function saveHand(form) {
  let hand = handFrom(form, context);
  const entries = await queue.change((all) => list.save(all, hand));
  if (!list.isStored(entries, hand)) {
    // Another tab has saved something else under this key: this is a hand of its own.
    form.elements.key.value = list.newKey();
    hand = handFrom(form, context);
    await queue.change((all) => list.save(all, hand));
  }
  const answer = await Promise.race([sendAndWait(hand.key), delay(ANSWER_TIMEOUT)]);
  if (openKey() !== hand.key) {
    return;
  }
  openHand();
  if (answer?.outcome === "taken") {
    showSaved(answer);
  } else if (answer?.outcome === "refused") {
    showRefusal(answer, true);
  } else {
    document.querySelector("[data-waiting-sum]").focus();
  }
}

/**
 * Say beside Save what the site has; nothing if Undo has taken that back since. What became of it since then is said until
 * the next hand is begun: beside Save it would give way to what others logged.
 */
function showTaken({ hand, html, sentence, since }) {
  const isGone = isGivenBack(context, hand);
  page.preview?.showResting(isGone || since ? "" : html);
  if (since && !isGone) {
    setNotice("", sentence, { isTrouble: false, isAboutForm: false });
  }
}

/** The form is for the next hand; beside Save stands what the site has. */
function showSaved(answer) {
  showTaken(answer);
  document.getElementById("saved")?.focus();
}

async function sendAndWait(key) {
  let received;
  const listen = ({ entry, answer }) => {
    received = entry.key === key ? answer : received;
  };
  sender.addEventListener("settled", listen);
  await sender.retryNow();
  sender.removeEventListener("settled", listen);
  return received;
}

/** A hand that is not whole does not wait here: the site says what is missing, or takes it after all. */
async function askWhatIsMissing(form) {
  const hand = handFrom(form, context);
  if (handsBefore().length) {
    showMissing(form, "incomplete"); // the site does not know its place yet
    return;
  }
  const asked = sender.sendUnsaved(hand);
  const answer = await Promise.race([asked, delay(ANSWER_TIMEOUT)]);
  if (answer) {
    await showWhatIsMissing(form, hand, answer);
    return;
  }
  showMissing(form, "noAnswer");
  asked.then((late) => showLateAnswer(form, hand, late));
}

/** The answer about the unfinished `hand` came late: a person may have changed it by now, or saved it. */
async function showLateAnswer(form, hand, answer) {
  const isAsAsked = form === handForm() && openKey() === hand.key && list.saysTheSame(fieldsOf(form), hand.fields);
  if (isAsAsked && !page.isSaving) {
    await showWhatIsMissing(form, hand, answer);
  } else if (answer.outcome === "taken") {
    await takeAnswered(hand, answer);
  }
}

/** The site has logged the unfinished `hand` as it was. */
async function takeAnswered(hand, answer) {
  applyState(answer.word);
  forgetEarly(hand);
  await queue.change((entries) => list.markTaken(entries, hand));
  handleAnswer(hand, answer);
}

async function showWhatIsMissing(form, hand, answer) {
  if (answer.outcome === "taken") {
    await takeAnswered(hand, answer);
    openHand();
    showSaved(answer);
    return;
  }
  applyState(answer.word); // the refusal is of a table that this page may not have seen yet
  if (answer.outcome === "refused" && answer.html) {
    showRefusal(answer, true);
  } else if (answer.outcome === "held") {
    setNotice("undoAsking", "", { isTrouble: false });
  } else if (isUnanswered(answer.outcome)) {
    showMissing(form, answer.outcome === "trouble" ? "incomplete" : "unfinished");
  } else {
    setNotice(answer.outcome, answer.reasons?.join(" "));
  }
}

/** Say what is missing as far as this page knows, after the notice `lead`. */
function showMissing(form, lead) {
  const { [lead]: begins, [firstLacking(form)]: lacking } = document.querySelector("[data-notice]").dataset;
  setNotice(lead, claimProblem(form) || `${begins} ${lacking}`);
}

/** The site has answered for `entry`, perhaps long after it was saved. */
export function handleAnswer(entry, answer) {
  if (entry.game !== context.game || entry.user !== context.user) {
    return;
  }
  if (answer.outcome === "taken") {
    showTaken(answer);
    if (!page.isSaving && openKey() === entry.key) {
      openHand();
    }
    pollNow();
  }
}

/** The table has logged the hand in the form: `logged`, as JSON. One that says something else is asked about. */
export function discardLogged(logged = "[]") {
  const form = handForm();
  const { label } = draftFrom(form, context);
  const { differs } = document.querySelector("[data-notice]").dataset;
  if (list.saysTheSame(fieldsOf(form), JSON.parse(logged)) || window.confirm(differs.replace("{hand}", label))) {
    discardOpenHand();
  }
}

// ----- Save before the queue is read --------------------------------------------------------------

// It waits for that: the browser would send the form itself, past the queue. Until the queue has the hand, the tab keeps it.

const early = earlyHands(context); // those of the pages before this one first
const isLeft = early.length > 0;
let held; // the submit event
let fields; // that were to be sent

export function holdSaves() {
  document.addEventListener("submit", hold);
}

/** The queue is read: what earlier pages have left goes into it, and what this one holds behind that. */
export async function stopHolding() {
  for (let stored = 0, begun; isLeft && stored < early.length; ) {
    if (held !== begun) {
      begun = held;
      startNewHand(held.target, held.target.elements.number.value);
    }
    stored = early.length;
    await putIntoQueue(); // meanwhile another one may be saved
  }
  document.removeEventListener("submit", hold);
  page.isSaving = false;
}

function hold(event) {
  const form = event.target;
  if (form !== handForm()) {
    return;
  }
  event.preventDefault();
  if (!("typed" in form.dataset || held)) {
    form.elements.key.value = list.newKey(); // a stored page has the same one at each load
    form.dataset.begun = "";
  }
  held = event;
  fields = fieldsOf(form);
  const hand = draftFrom(form, context);
  const at = early.findIndex(({ key }) => key === hand.key);
  early.splice(at < 0 ? early.length : at, 1, hand);
  setEarlyHands(context, early);
  page.isSaving = true;
  showSaving();
  setNotice("reading", "", { isTrouble: false });
}

/** Save what was held, if the form still says it: it may show a hand of the queue by now. */
export async function finishHeldSave() {
  if (!held) {
    return;
  }
  setNotice(isLeft ? "another" : "", "", { isTrouble: false });
  if (isLeft) {
    updatePage();
    return; // the one before it comes first
  }
  const form = handForm();
  const isThere = held.target === form && list.saysTheSame(fieldsOf(form), fields);
  if (isThere && isMeant(form, earlyFrom(form, context))) {
    submit(held); // which stores it before what follows is stored
  }
  await putIntoQueue();
}

async function putIntoQueue() {
  const stored = [...early];
  await storeEarly(queue, context, stored);
  if (!queue.isVolatile) {
    setEarlyHands(context, early.filter((hand) => !stored.includes(hand))); // those saved meanwhile
  }
}
