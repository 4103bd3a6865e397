/**
 * Saving a hand: it is kept on this phone first, then sent. Where the site is away it stays, and the
 * form goes on to the next hand.
 */

import { entryOf, isWhole } from "./entry.js";
import * as outbox from "./outbox.js";
import { moveBehind, send } from "./queue.js";

/** "Save mine as hand 6": another hand than the one that stands there, so it gets a key of its own. */
async function asAnother(form, number) {
  const { key, number: said } = form.elements;
  await moveBehind(key.value, number);
  const before = (await outbox.all()).find((entry) => entry.key === key.value);
  await outbox.remove(key.value);
  key.value = outbox.newKey();
  said.value = number;
  return before?.order;
}

/**
 * Save what `form` says; `submitter` is the button that was pressed.
 *
 * Resolves to `{outcome, html, target}` as in send.js, or to the outcome "waits" for a hand that is kept,
 * "unfinished" for one that is not whole and would be no use kept.
 */
export async function save(form, submitter) {
  const order =
    submitter?.name === "as_number" ? await asAnother(form, Number(submitter.value)) : undefined;
  const entry = { ...entryOf(form), ...(order && { order }) };
  await outbox.put(entry);
  const answer = (await send(entry.user)).get(entry.key) ?? { outcome: "waits" };
  if (answer.outcome === "away" && !isWhole(form)) {
    await outbox.remove(entry.key);
    return { outcome: "unfinished" };
  }
  return answer.outcome === "away" ? { outcome: "waits" } : answer;
}
