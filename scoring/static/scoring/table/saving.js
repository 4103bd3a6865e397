/**
 * Saving at the table: the hand in the form is stored on this phone to be sent. One that is not whole is
 * not stored: the site is asked what is missing.
 */

import { claimProblem, draftFrom, firstLacking, handFrom, isWhole, saysTheSame } from "./hand_form.js";
import { pollNow } from "./polling.js";
import { discardOpenHand, leaveStaleHand, openHand } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { context, queue, sender } from "../queue/start.js";
import { isUnanswered } from "../queue/site.js";
import { isGivenBack } from "./undone_hands.js";
import { applyState, handForm, handsBefore, openKey, page, setNotice, showRefusal, showSaving, updatePage } from "./page_state.js";

const ANSWER_TIMEOUT = 3000; // milliseconds that the form stays with a hand whose answer is slow

/** What the form does when it is submitted: by Save, or as the hand of another number. */
export async function submit(event) {
  event.preventDefault();
  const { submitter, target: form } = event;
  if (page.isSaving) {
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

/** What stands beside Save after the site has taken a hand; nothing if Undo has taken that back since. */
const savedWords = ({ hand, html }) => (isGivenBack(context, hand) ? "" : html);

/** The form is for the next hand; beside Save stands what the site has. */
function showSaved(answer) {
  page.preview.showResting(savedWords(answer));
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

const delay = (pause) => new Promise((resolve) => setTimeout(resolve, pause));

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
  const isAsAsked = form === handForm() && openKey() === hand.key && saysTheSame(form, hand.fields);
  if (isAsAsked && !page.isSaving) {
    await showWhatIsMissing(form, hand, answer);
  } else if (answer.outcome === "taken") {
    await takeAnswered(hand, answer);
  }
}

/** The site has logged the unfinished `hand` as it was. */
async function takeAnswered(hand, answer) {
  applyState(answer.word);
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
    page.preview?.showResting(savedWords(answer));
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
  if (saysTheSame(form, JSON.parse(logged)) || window.confirm(differs.replace("{hand}", label))) {
    discardOpenHand();
  }
}
