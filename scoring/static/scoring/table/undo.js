/**
 * Undo: takes back the hand just logged and says what came of it. It does not wait in the queue: an undo
 * without an answer may be done. This tab stores it before it asks, and asks again as soon as the site is
 * reached: the site undoes once, however often it is asked. Meanwhile no hand of this table is sent.
 */

import { isTouched, newHand } from "./hand_form.js";
import { pollNow } from "./polling.js";
import { openHand } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { post } from "../queue/site.js";
import { context, queue, sender } from "../queue/start.js";
import { applyState, handForm, page, setLastingNotice, setNotice } from "./page_state.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const MAX_TRIES = 3; // an answer can be lost
const TIMEOUT = 5000; // milliseconds
const SLOW_AFTER = 1000; // milliseconds without an answer before the person is told

const storageName = `undo ${context.user} ${context.game}`;
// Without an answer, or with one of a site in trouble, the hand may be taken back or not.
const UNANSWERED = new Set(["away", "trouble"]);

let isAsking = false;
let retryAt = 0; // by this page's clock

/**
 * Undo at the address `url`; the hand lies in the form again, or in the list where another is in the form. With
 * `isRetry` the site is there: if it has no answer even so, hands go on.
 */
export async function undoHand(url, { isRetry = false } = {}) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  setTabItem(storageName, url);
  sender.hold(context.game);
  setNotice("");
  const slow = setTimeout(() => setNotice("undoAsking", "", { isTrouble: false }), SLOW_AFTER);
  const answer = await postUndo(url);
  clearTimeout(slow);
  const isUnknown = UNANSWERED.has(answer.outcome);
  retryAt = performance.now() + (answer.retryAfter ?? 0);
  if (answer.outcome === "undone") {
    await openUndone(answer);
  } else {
    applyState(answer.word);
    showUndoNotice(answer, isUnknown);
  }
  setTabItem(storageName, isUnknown ? url : "");
  isAsking = false;
  if (answer.outcome !== "away" || isRetry) {
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
async function openUndone({ fields, number, sentence, word }) {
  const form = handForm();
  const hand = newHand(form, context, fields, number);
  await queue.change((entries) => list.takeBack(entries, hand));
  applyState(word);
  page.preview?.showResting(""); // that it was saved is no longer so
  const isListed = Boolean(form) && isTouched(form);
  if (form && !isListed) {
    openHand(hand.key);
  }
  setLastingNotice("");
  const listed = document.querySelector("[data-notice]")?.dataset.undoListed.replaceAll("{number}", hand.number);
  setNotice("", isListed ? listed : sentence, { isTrouble: false });
  if (isListed) {
    document.querySelector("[data-waiting]").open = true;
  }
}

/** Say that the hand is not taken back, and why; while that is unknown, whatever is done meanwhile. */
function showUndoNotice({ outcome, reasons }, isUnknown) {
  const name = `undo-${outcome}`.replace(/-(\w)/, (_all, first) => first.toUpperCase());
  setLastingNotice(isUnknown ? name : "");
  setNotice(name, reasons?.join(" "));
}

/** Ask again for an undo whose answer was lost: now, and once the site is reached. */
export function startUndoRetries() {
  const pending = getTabItem(storageName);
  if (pending) {
    undoHand(pending);
  }
  document.addEventListener("reached", ({ detail: reached }) => {
    const url = getTabItem(storageName);
    if (reached && url && performance.now() >= retryAt) {
      undoHand(url, { isRetry: true });
    }
  });
}

async function postUndo(url) {
  let answer;
  for (let tries = 0; tries < MAX_TRIES && (!answer || answer.outcome === "away"); tries += 1) {
    answer = await post(url, [["user", context.user]], { timeout: TIMEOUT });
  }
  return answer;
}
