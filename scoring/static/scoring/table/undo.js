/**
 * Undo: takes back the hand just logged and says what came of it. It does not wait in the queue: an undo
 * without an answer may be done. This tab stores it before it asks, and asks again until the site has answered:
 * it undoes once, however often it is asked. Meanwhile no hand of this table is sent (see pending_undo.js).
 */

import { isTouched, newHand } from "./hand_form.js";
import { isPollAnswered, pollNow } from "./polling.js";
import { openHand } from "./open_hand.js";
import { PendingUndo } from "./pending_undo.js";
import * as list from "../queue/entries.js";
import { isCutOff, post } from "../queue/site.js";
import { context, queue, sender } from "../queue/start.js";
import { applyState, handForm, openKey, page, setLastingNotice, setNotice } from "./page_state.js";
import { isGivenBack, rememberGivenBack } from "./undone_hands.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const MAX_TRIES = 3; // an answer can be lost
const SLOW_AFTER = 1000; // milliseconds without an answer before the person is told

const storageName = `undo ${context.user} ${context.game}`;
const numberName = `${storageName} number`;
const CUT_OFF = "cutOff"; // nothing has left this phone
const SIGNED_OUT = "signedOut";

// By these the site, or this phone, says what became of an undo. Anything else is no answer: the hand may be taken
// back or not.
const isAnswer = ({ outcome }) => ["undone", CUT_OFF, "refused"].includes(outcome);

const now = () => performance.now();

let isAsking = false;
let pending = new PendingUndo(now);
let lastNotice = ""; // the notice that is there for as long as nobody knows
let timer;

/**
 * Undo the hand `number` at the address `url`, unless there is no network; the hand lies in the form again, or in the
 * list where another is in the form. While nobody knows what became of another undo, that one is asked for again.
 */
export async function undoHand(url, number) {
  if (lastNotice || !isAsking) {
    setNotice("");
  }
  const pendingUrl = getTabItem(storageName);
  if (!pendingUrl) {
    setTabItem(numberName, number);
  }
  await askAndFollow(pendingUrl || url);
  if (document.activeElement === document.body) {
    // The button is gone: whoever has only keys goes on where the page says what came of it.
    document.querySelector("[data-notice]")?.focus({ preventScroll: true });
  }
}

/** Whatever happens, the next undo can be asked for, and hands wait only for one that has no answer. */
async function askAndFollow(url) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  let answer;
  let isUnknown = false;
  const slow = setTimeout(() => lastNotice || showAsking(), SLOW_AFTER);
  try {
    answer = await ask(url);
    clearTimeout(slow);
    isUnknown = answer.outcome === SIGNED_OUT ? answer.mayBeDone : !isAnswer(answer);
    await showAnswer(answer, isUnknown);
  } finally {
    clearTimeout(slow);
    isAsking = false;
    if (isUnknown) {
      waitForAnswer(answer);
    } else {
      endUndo(answer);
    }
  }
}

/**
 * Ask the site to undo at `url`. Resolves to the answer; `mayBeDone`: an earlier try had none. Who is signed out is not
 * told what became of that.
 */
async function ask(url) {
  const wasAsked = Boolean(getTabItem(storageName));
  if (!wasAsked && (await isCutOff())) {
    return { outcome: CUT_OFF };
  }
  setTabItem(storageName, url);
  pending.begin();
  if (!pending.failsAlone) {
    sender.hold(context.game);
  }
  const { answer, wasUnanswered } = await postUndo(url, wasAsked ? 1 : MAX_TRIES);
  return { ...answer, mayBeDone: wasAsked || wasUnanswered };
}

async function showAnswer(answer, isUnknown) {
  if (answer.outcome === SIGNED_OUT || isAnswer(answer)) {
    sender.noteSignedOut(answer.outcome === SIGNED_OUT);
  }
  if (answer.outcome === "undone") {
    await openUndone(answer);
  } else {
    applyState(answer.word);
    showUndoNotice(answer, isUnknown);
  }
}

/** Say that the answer takes its time, whatever is done meanwhile. */
function showAsking() {
  const { undoAskingOf } = document.querySelector("[data-notice]")?.dataset ?? {};
  lastNotice = "undoAsking";
  const number = getTabItem(numberName);
  const words = number && undoAskingOf?.replace("{number}", number);
  setLastingNotice(lastNotice, { words, isTrouble: false });
}

/** Nobody knows what became of the undo: ask again, later each time. */
function waitForAnswer(answer) {
  pending.fail(answer);
  scheduleRetry();
  if (document.visibilityState !== "visible") {
    pollOutOfSight();
  }
}

/** The undo has its answer. */
function endUndo(answer) {
  setTabItem(storageName, "");
  setTabItem(numberName, "");
  pending = new PendingUndo(now);
  sender.release(context.game);
  if (lastNotice) {
    setLastNotice(""); // what came of it could not be shown
  }
  if (answer?.outcome !== CUT_OFF) {
    pollNow();
  }
}

/**
 * Let the hand that was taken back lie in the form again, or in the list where another is in the form. It keeps
 * its `number`: somebody may have logged another hand in its place since, which the site then says.
 */
async function openUndone({ hand: undone, key: sentAs, fields, number, who, sentence, word }) {
  const form = handForm();
  // A site of another release may not say what had been entered.
  const entry = fields && (await giveBack({ ...newHand(form, context, { fields, number, who }), undone, sentAs }));
  applyState(word);
  page.preview?.showResting(""); // that it was saved is no longer so
  const isListed = Boolean(entry && form) && isTouched(form) && openKey() !== entry.key;
  if (entry && form && !isListed) {
    openHand(entry.key);
  }
  setLastNotice("");
  const { undoListed, undoBefore } = noticeWords(number);
  const given = isListed ? undoListed : sentence;
  setNotice("", entry ? given : undoBefore, { isTrouble: false });
  if (isListed) {
    document.querySelector("[data-waiting]").open = true;
  }
}

/**
 * Put the undone `hand` into the list, once: another tab may have heard of its undo before. Resolves to its entry;
 * to nothing if it was saved again or thrown away since.
 */
async function giveBack(hand) {
  const { undone } = hand;
  const entries = await queue.change((all) => (isGivenBack(context, undone) ? all : list.takeBack(all, hand)));
  rememberGivenBack(context, undone);
  const entry = list.findUndone(entries, undone);
  return entry && list.isInForm(entry) ? entry : undefined;
}

/** The site has versions in the place of the hands `ids`: an undone hand that was restored is no longer to be entered. */
export async function letRestoredGo(ids) {
  const isRestored = list.letRestoredGo(queue.entries, ids).length < queue.entries.length;
  if (isRestored) {
    setNotice("");
    await queue.change((entries) => list.letRestoredGo(entries, ids));
    sender.drain();
  }
}

/** The words of the notice about the hand `number`. */
function noticeWords(number) {
  const { undoListed = "", undoBefore = "" } = document.querySelector("[data-notice]")?.dataset ?? {};
  const about = (words) => words.replaceAll("{number}", number);
  return { undoListed: about(undoListed), undoBefore: about(undoBefore) };
}

/** Say that the hand is not taken back, and why; while that is unknown, whatever is done meanwhile. */
function showUndoNotice({ outcome, reasons }, isUnknown) {
  const about = isUnknown ? unknownBecause(outcome) : outcome;
  const name = `undo-${about}`.replace(/-(\w)/, (_all, first) => first.toUpperCase());
  if (isUnknown && name === lastNotice) {
    return; // another notice may be there by now
  }
  setLastNotice(isUnknown ? name : "");
  // That somebody has to sign in says nothing of the hand.
  setNotice(name, outcome === SIGNED_OUT ? "" : reasons?.join(" "), { isAboutForm: false });
}

function unknownBecause(outcome) {
  if (outcome === SIGNED_OUT) {
    return "lostSession";
  }
  return outcome === "away" && !pending.isThere ? "away" : "trouble";
}

/** There is a network, as a poll was answered: only the undo has no answer. */
function dropNoNetwork() {
  if (lastNotice === "undoAway" && pending.isThere) {
    showUndoNotice({ outcome: "away" }, true);
  }
}

function setLastNotice(name) {
  lastNotice = name;
  setLastingNotice(name);
}

/** Ask again, if an undo has no answer yet and is not to be left alone. */
function retryUndo() {
  const url = getTabItem(storageName);
  if (url && pending.left) {
    scheduleRetry();
  } else if (url) {
    askAndFollow(url);
  }
}

function scheduleRetry() {
  clearTimeout(timer);
  timer = setTimeout(retryUndo, pending.left);
}

/** Somebody looks at the page, or it has a network again. */
function retryNow() {
  pending.endPause();
  retryUndo();
}

/** Nobody sees the page, which does not poll by itself: else it would hold a table in all tabs as long as it is open. */
async function pollOutOfSight() {
  const since = now();
  notePoll(since, await isPollAnswered());
}

/** Hands go on where the undo alone fails. */
function notePoll(since, works) {
  pending.notePoll(since, works);
  dropNoNetwork();
  if (pending.failsAlone) {
    sender.release(context.game);
  }
}

/** Ask again for an undo whose answer was lost: now, and until there is one. */
export function startUndoRetries() {
  retryUndo();
  window.addEventListener("online", retryNow);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && retryNow());
  document.addEventListener("polled", ({ detail }) => notePoll(detail.since, detail.works));
  document.addEventListener("reached", ({ detail: { reached } }) => {
    if (reached) {
      pending.wake();
      retryUndo();
    }
  });
}

/** Resolves to the `answer`, and to whether an earlier try had none: the site may have carried that out. */
async function postUndo(url, maxTries) {
  let answer;
  let tries = 0;
  for (; tries < maxTries && (!answer || answer.outcome === "away"); tries += 1) {
    answer = await post(url, [["user", context.user]], { timeout: pending.nextTimeout() });
  }
  return { answer, wasUnanswered: tries > 1 };
}
