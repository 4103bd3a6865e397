/**
 * The queue on every page: it shows what is on this phone, and sends it by itself.
 */

import * as list from "./entries.js";
import { Panel } from "./queue_view.js";
import { Queue } from "./queue.js";
import { Sender } from "./sender.js";
import { postEntry } from "./site.js";
import { DeviceStore } from "./store.js";

const root = document.querySelector("[data-waiting]");

/** Who looks: `user` (an id; "" for a visitor), `userName`, and `game` on a table's page. */
export const here = root.dataset;

export const queue = new Queue(new DeviceStore());

// One tab of this browser sends at a time, where browsers know how. Elsewhere two may send the same hand:
// the site knows its key.
const alone = (act) => (navigator.locks ? navigator.locks.request("outbox", act) : act());

export const sender = new Sender(queue, postEntry, here.user, {
  now: () => performance.now(), // a clock that nobody sets
  later: (act, pause) => setTimeout(act, pause),
  cancel: (timer) => clearTimeout(timer),
  alone,
});

/** What the page of a table adds: which hand its form shows, and how a hand comes into the form. */
export const table = { openKey: () => "", form: () => null, open: () => {}, changed: () => {} };

const panel = new Panel(root, {
  correct: async (entry) => {
    await queue.change((entries) => list.correct(entries, entry.key));
    table.open(entry.key);
  },
  ask: async (entry) => {
    await queue.change((entries) => list.ask(entries, entry.key));
    sender.retry(entry.game);
  },
  giveUp: async (entry) => {
    await queue.change((entries) => list.giveUp(entries, entry.key));
    sender.wake();
  },
});

/** Show what is on this phone as it is now. */
export function show() {
  const { isVolatile } = queue;
  const hasForm = Boolean(table.form());
  panel.show(queue.entries, { open: table.openKey(), hasForm, sender, isVolatile });
  table.changed();
}

queue.addEventListener("change", show);
sender.addEventListener("change", show);
sender.addEventListener("answer", show);
document.addEventListener("reached", ({ detail: reached }) => {
  if (reached !== sender.reached) {
    sender.reached = reached;
    show();
    if (reached) {
      sender.wake();
    }
  }
});
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-sign-out]") && !panel.maySignOut(here.user)) {
    event.preventDefault();
  }
});
window.addEventListener("online", () => sender.wake());
window.addEventListener("pageshow", ({ persisted }) => persisted && queue.load());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    queue.load();
    sender.wake();
  }
});

sender.reached = navigator.onLine;
/** Resolves once the list has been read. */
export const ready = queue.load().then(() => {
  sender.drain();
});
