/**
 * Undo: takes back the hand just logged, by the sender that logged it, and says what came of it.
 */

import { post } from "./queue/site.js";

const TRIES = 3; // an answer can be lost; asking twice undoes once
const PATIENCE = 5000; // milliseconds

/** Let every Undo key in `scope` go away when it is too late, once. */
export function startUndo(scope = document) {
  for (const key of scope.querySelectorAll("[data-undo]:not([data-started])")) {
    key.dataset.started = "";
    setTimeout(() => key.remove(), Number(key.dataset.undo) * 1000);
  }
}

/** Undo by the button `key` for the account `user`; resolves to what post() answers. */
export async function undo(key, user) {
  key.disabled = true;
  let answer;
  for (let tried = 0; tried < TRIES && (!answer || answer.outcome === "away"); tried += 1) {
    answer = await post(key.formAction, [["user", user]], { patience: PATIENCE });
  }
  key.disabled = false;
  return answer;
}
