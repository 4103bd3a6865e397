/**
 * Undo: takes back the hand just logged and says what came of it. It does not wait in the queue: an undo
 * without an answer may be done. This tab stores it before it asks, and asks again as soon as the site is
 * reached: the site undoes once, however often it is asked. Meanwhile no hand of this table is sent.
 */

import { isTouched, newHand } from "./hand_form.js";
import { pollNow } from "./polling.js";
import { openHand } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { isCutOff, post } from "../queue/site.js";
import { context, queue, sender } from "../queue/start.js";
import { applyState, handForm, openKey, page, setLastingNotice, setNotice } from "./page_state.js";
import { isGivenBack, rememberGivenBack } from "./undone_hands.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const MAX_TRIES = 3; // an answer can be lost
const TIMEOUT = 5000; // milliseconds
const SLOW_AFTER = 1000; // milliseconds without an answer before the person is told
const OUT_OF_SIGHT_INTERVAL = 20000; // milliseconds
const SIGNED_OUT_PAUSE = 5000; // milliseconds before somebody who was signed out may have signed in again

const storageName = `undo ${context.user} ${context.game}`;
// Without an answer, or with one of a site in trouble, the hand may be taken back or not.
const UNANSWERED = new Set(["away", "trouble"]);
const SIGNED_OUT = "signedOut";

let isAsking = false;
let retryAt = 0; // by this page's clock

/**
 * Undo at the address `url`, unless there is no network; the hand lies in the form again, or in the list where another is in the form. With
 * `isRetry` the site is there: if it has no answer even so, hands go on.
 */
export async function undoHand(url, { isRetry = false } = {}) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  const wasAsked = Boolean(getTabItem(storageName));
  if (!wasAsked && (await isCutOff())) {
    isAsking = false;
    setNotice("undoCutOff"); // nothing has left this phone
    return;
  }
  setTabItem(storageName, url);
  sender.hold(context.game);
  setNotice("");
  const slow = setTimeout(() => setNotice("undoAsking", "", { isTrouble: false }), SLOW_AFTER);
  const { answer, wasUnanswered } = await postUndo(url);
  clearTimeout(slow);
  const isSignedOut = answer.outcome === SIGNED_OUT;
  // Who is signed out is not told what became of the undo that was asked for before.
  const isUnknown = UNANSWERED.has(answer.outcome) || (isSignedOut && (wasAsked || wasUnanswered));
  retryAt = performance.now() + (isSignedOut ? SIGNED_OUT_PAUSE : (answer.retryAfter ?? 0));
  if (answer.outcome === "undone") {
    await openUndone(answer);
  } else {
    applyState(answer.word);
    showUndoNotice(answer, isUnknown);
  }
  setTabItem(storageName, isUnknown ? url : "");
  isAsking = false;
  if (answer.outcome !== "away") {
    sender.noteSignedOut(isSignedOut);
  }
  const mustWait = isSignedOut ? isUnknown : answer.outcome === "away" && !isRetry;
  if (!mustWait) {
    sender.release(context.game);
  }
  if (!isUnknown) {
    pollNow();
  }
}

/**
 * Let the hand that was taken back lie in the form again, or in the list where another is in the form. It keeps
 * its `number`: somebody may have logged another hand in its place since, which the site then says.
 */
async function openUndone({ hand: undone, fields, number, who, sentence, word }) {
  const form = handForm();
  const entry = await giveBack({ ...newHand(form, context, { fields, number, who }), undone });
  applyState(word);
  page.preview?.showResting(""); // that it was saved is no longer so
  const isListed = Boolean(entry && form) && isTouched(form) && openKey() !== entry.key;
  if (entry && form && !isListed) {
    openHand(entry.key);
  }
  setLastingNotice("");
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
    sender.retryNow();
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
  const about = outcome === SIGNED_OUT && isUnknown ? "lostSession" : outcome;
  const name = `undo-${about}`.replace(/-(\w)/, (_all, first) => first.toUpperCase());
  setLastingNotice(isUnknown ? name : "");
  // That somebody has to sign in says nothing of the hand.
  setNotice(name, outcome === SIGNED_OUT ? "" : reasons?.join(" "));
}

/** Ask again, if an undo has no answer yet and the site does not want to be left alone. */
function retryUndo(options) {
  const url = getTabItem(storageName);
  if (url && performance.now() >= retryAt) {
    undoHand(url, options);
  }
}

/** A page out of sight does not poll, and hears of no site that is reached. */
function retryOutOfSight() {
  if (document.visibilityState !== "visible" && navigator.onLine) {
    retryUndo();
  }
}

/** Ask again for an undo whose answer was lost: now, and once the site is reached; out of sight, from time to time. */
export function startUndoRetries() {
  retryUndo();
  setInterval(retryOutOfSight, OUT_OF_SIGHT_INTERVAL);
  window.addEventListener("online", retryOutOfSight);
  document.addEventListener("reached", ({ detail: reached }) => {
    if (reached) {
      retryUndo({ isRetry: true });
    }
  });
}

/** Resolves to the `answer`, and to whether an earlier try had none: the site may have carried that out. */
async function postUndo(url) {
  let answer;
  let tries = 0;
  for (; tries < MAX_TRIES && (!answer || answer.outcome === "away"); tries += 1) {
    answer = await post(url, [["user", context.user]], { timeout: TIMEOUT });
  }
  return { answer, wasUnanswered: tries > 1 };
}
