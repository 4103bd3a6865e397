/**
 * Undo: takes back the hand just logged and says what came of it. It is asked for here and now, not by the
 * sender, and is not kept on this phone: without an answer the person is told so.
 */

import { isTouched, newHand } from "./entry.js";
import { askNow } from "./live.js";
import { open } from "./open_hand.js";
import * as list from "./queue/entries.js";
import { post } from "./queue/site.js";
import { here, queue } from "./queue/start.js";
import { form, hear, say } from "./showing.js";

const TRIES = 3; // an answer can be lost; asking twice undoes once
const PATIENCE = 5000; // milliseconds

/** Let every Undo key in `scope` go away when it is too late, once. */
export function startUndo(scope = document) {
  for (const key of scope.querySelectorAll("[data-undo]:not([data-started])")) {
    key.dataset.started = "";
    setTimeout(() => key.remove(), Number(key.dataset.undo) * 1000);
  }
}

/** Undo by the button `key`; the hand lies in the form again, or waits behind another that is there. */
export async function takeBack(key) {
  say("");
  const answer = await undo(key);
  if (answer.outcome === "undone") {
    const hand = newHand(here, answer.fields, answer.word.number);
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

/** Ask the site to undo by the button `key`; resolves to what post() answers. */
async function undo(key) {
  key.disabled = true;
  let answer;
  for (let tried = 0; tried < TRIES && (!answer || answer.outcome === "away"); tried += 1) {
    answer = await post(key.formAction, [["user", here.user]], { patience: PATIENCE });
  }
  key.disabled = false;
  return answer;
}
