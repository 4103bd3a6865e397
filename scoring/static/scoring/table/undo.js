/**
 * Undo: takes back the hand just logged and says what came of it. It does not wait in the queue: an undo
 * without an answer may be done. This tab remembers it, and asks again as soon as the site is reached:
 * the site undoes once, however often it is asked.
 */

import { isTouched, newHand } from "./hand_form.js";
import { askNow } from "./polling.js";
import { open } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { post } from "../queue/site.js";
import { here, queue } from "../queue/start.js";
import { form, hear, page, say } from "./page_state.js";
import { remember, remembered } from "../shared/tab.js";

const TRIES = 3; // an answer can be lost
const PATIENCE = 5000; // milliseconds
const SLOW = 1000; // milliseconds without an answer before the person is told

const unanswered = `undo ${here.user} ${here.game}`;
// Without an answer, or with one of a site in trouble, the hand may be taken back or not.
const UNKNOWN = new Set(["away", "trouble"]);

let asking = false;
let againAt = 0; // by this page's clock

/** Undo at the address `url`; the hand lies in the form again, or waits behind another that is there. */
export async function takeBack(url) {
  if (asking) {
    return;
  }
  asking = true;
  say("");
  const slow = setTimeout(() => say("undoAsking"), SLOW);
  const answer = await undo(url);
  clearTimeout(slow);
  asking = false;
  const isUnknown = UNKNOWN.has(answer.outcome);
  remember(unanswered, isUnknown ? url : "");
  againAt = performance.now() + (answer.retryAfter ?? 0);
  if (answer.outcome === "undone") {
    const hand = newHand(here, answer.fields, answer.word.number);
    await queue.change((entries) => list.enter(entries, hand));
    hear(answer.word);
    page.preview?.rest(""); // that it was saved is no longer so
    if (form() && !isTouched(form())) {
      open(hand.key);
    }
    say("", answer.sentence);
  } else {
    hear(answer.word);
    say(`undo-${answer.outcome}`.replace(/-(\w)/, (_all, first) => first.toUpperCase()), answer.reasons?.join(" "));
  }
  if (!isUnknown) {
    askNow();
  }
}

/** Ask again for an undo whose answer was lost, once the site is reached. */
export function watchUndo() {
  const askAgain = ({ detail: reached }) => {
    const url = remembered(unanswered);
    if (reached && url && performance.now() >= againAt) {
      takeBack(url);
    }
  };
  document.addEventListener("reached", askAgain);
}

async function undo(url) {
  let answer;
  for (let tried = 0; tried < TRIES && (!answer || answer.outcome === "away"); tried += 1) {
    answer = await post(url, [["user", here.user]], { patience: PATIENCE });
  }
  return answer;
}
