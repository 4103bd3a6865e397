/**
 * Sends the hands that wait on this phone, one after the other, each until the site has answered.
 *
 * A hand that the site refuses holds up those behind it at its table, and is kept to be mended. Sending
 * one twice is no harm: the site knows its key.
 */

import * as outbox from "./outbox.js";
import { post } from "./send.js";

const PATIENCE = 10000; // milliseconds

let running;

/**
 * Send what waits and belongs to `user`, up to the hand `open`: it lies in the form, to be mended.
 *
 * Resolves to a map from key to answer (see send.js) for every hand that was tried, with "html" pieces
 * of page. A call while another is under way waits for it, and then sends what has come since.
 */
export function send(user, open) {
  const before = running ?? Promise.resolve();
  const turn = before.then(() => alone(() => sendAll(user, open)));
  running = turn.catch(() => {});
  return turn;
}

/** One tab of this browser at a time, where browsers know how. */
const alone = (act) => (navigator.locks ? navigator.locks.request("outbox", act) : act());

async function sendAll(user, open) {
  const answers = new Map();
  const held = new Set();
  for (const entry of await outbox.all()) {
    if (entry.user !== user || held.has(entry.game)) {
      continue;
    }
    if (entry.state === "refused" || entry.key === open) {
      held.add(entry.game);
      continue;
    }
    const answer = await post(entry.url, entry.fields, { patience: PATIENCE });
    answers.set(entry.key, answer);
    if (answer.outcome === "done") {
      await outbox.remove(entry.key);
    } else if (answer.outcome === "refused") {
      await outbox.put({ ...entry, state: "refused", reasons: reasonsIn(answer.html) });
      held.add(entry.game);
    } else {
      break;
    }
  }
  return answers;
}

/** The sentences in which the site says why. */
function reasonsIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return [...page.querySelectorAll("[data-reason], .error-summary li")].map((reason) =>
    reason.textContent.trim(),
  );
}

/**
 * Take the hand `key` back. Those behind it at its table move up, unless the site has a hand at its
 * position already (`next` is the number that it awaits).
 */
export async function takeBack(key, next) {
  const entries = await outbox.all();
  const gone = entries.find((entry) => entry.key === key);
  if (gone) {
    await outbox.remove(key);
    if (gone.number >= next) {
      await renumber(entries, gone, -1);
    }
  }
}

/** The hand `key` comes later than it said: it becomes number `number`, those behind it move along. */
export async function moveBehind(key, number) {
  const entries = await outbox.all();
  const moved = entries.find((entry) => entry.key === key);
  if (moved) {
    await renumber(entries, moved, number - moved.number);
  }
}

async function renumber(entries, first, by) {
  for (const entry of entries) {
    if (entry.game === first.game && entry.order > first.order) {
      await outbox.put({ ...entry, ...numbered(entry, entry.number + by) });
    }
  }
}

const numbered = (entry, number) => ({
  number,
  fields: entry.fields.map(([name, value]) => [name, name === "number" ? String(number) : value]),
});
