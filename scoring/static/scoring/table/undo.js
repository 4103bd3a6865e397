/**
 * Undo: takes back the hand just logged and says what came of it. It does not wait in the queue: an undo
 * without an answer may be done. This tab stores it, and asks again as soon as the site is reached:
 * the site undoes once, however often it is asked.
 */

import { isTouched, newHand } from "./hand_form.js";
import { pollNow } from "./polling.js";
import { openHand } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { post } from "../queue/site.js";
import { context, queue } from "../queue/start.js";
import { applyState, handForm, page, setNotice } from "./page_state.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const MAX_TRIES = 3; // an answer can be lost
const TIMEOUT = 5000; // milliseconds
const SLOW_AFTER = 1000; // milliseconds without an answer before the person is told

const storageName = `undo ${context.user} ${context.game}`;
// Without an answer, or with one of a site in trouble, the hand may be taken back or not.
const UNANSWERED = new Set(["away", "trouble"]);

let isAsking = false;
let retryAt = 0; // by this page's clock

/** Undo at the address `url`; the hand lies in the form again, or waits behind another that is there. */
export async function undoHand(url) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  setNotice("");
  const slow = setTimeout(() => setNotice("undoAsking", "", { isTrouble: false }), SLOW_AFTER);
  const answer = await postUndo(url);
  clearTimeout(slow);
  isAsking = false;
  const isUnknown = UNANSWERED.has(answer.outcome);
  setTabItem(storageName, isUnknown ? url : "");
  retryAt = performance.now() + (answer.retryAfter ?? 0);
  if (answer.outcome === "undone") {
    const hand = newHand(context, answer.fields, answer.word.number);
    await queue.change((entries) => list.enter(entries, hand));
    applyState(answer.word);
    page.preview?.showResting(""); // that it was saved is no longer so
    if (handForm() && !isTouched(handForm())) {
      openHand(hand.key);
    }
    setNotice("", answer.sentence, { isTrouble: false });
  } else {
    applyState(answer.word);
    setNotice(`undo-${answer.outcome}`.replace(/-(\w)/, (_all, first) => first.toUpperCase()), answer.reasons?.join(" "));
  }
  if (!isUnknown) {
    pollNow();
  }
}

/** Ask again for an undo whose answer was lost, once the site is reached. */
export function startUndoRetries() {
  const retry = ({ detail: reached }) => {
    const url = getTabItem(storageName);
    if (reached && url && performance.now() >= retryAt) {
      undoHand(url);
    }
  };
  document.addEventListener("reached", retry);
}

async function postUndo(url) {
  let answer;
  for (let tries = 0; tries < MAX_TRIES && (!answer || answer.outcome === "away"); tries += 1) {
    answer = await post(url, [["user", context.user]], { timeout: TIMEOUT });
  }
  return answer;
}
