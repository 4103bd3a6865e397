/**
 * The queue on every page: it shows what is on this phone, and sends it by itself.
 */

import { storeAnswered } from "./confirmed_state.js";
import { forgetEarly, forgetStored, storeLeft } from "./early_hands.js";
import * as list from "./entries.js";
import { HeldTables, isOfHeldTable, RELOADS_IN } from "./held_tables.js";
import { QueueView } from "./queue_view.js";
import { Queue } from "./queue.js";
import { Sender } from "./sender.js";
import { csrfToken, isCutOff, postEntry } from "./site.js";
import { DeviceStore } from "./store.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const TAB = "tab";

const root = document.querySelector("[data-waiting]");

/** Who looks: `user` (an id; "" for a visitor), `userName`, and `game` on a table's page. */
export const context = root.dataset;

export const queue = new Queue(new DeviceStore());

// One tab of this browser sends at a time, where browsers know how. Elsewhere two may send the same hand:
// the site knows its key.
const withLock = (act) => (navigator.locks ? navigator.locks.request("outbox", act) : act());

const holds = new HeldTables(context.user, tabName());

export const sender = new Sender(queue, postEntry, context.user, {
  now: () => performance.now(), // a clock that nobody sets
  setTimer: (act, pause) => setTimeout(act, pause),
  clearTimer: (timer) => clearTimeout(timer),
  withLock,
  isCutOff,
  holds,
});

/** The name of this tab, which it has for as long as it is open. */
function tabName() {
  const name = getTabItem(TAB) || Math.random().toString(36).slice(2);
  setTabItem(TAB, name);
  return name;
}

/** What the page of a table adds: which hand its form shows, and how a hand comes into the form. */
export const tablePage = { openKey: () => "", form: () => null, open: () => {}, changed: () => {} };

const view = new QueueView(root, {
  correct: async (entry) => {
    await queue.change((entries) => list.correct(entries, entry.key));
    tablePage.open(entry.key);
  },
  ask: async (entry) => {
    if (list.isRepeated(queue.entries, entry, entry.fields) && !view.confirmRepeated()) {
      return;
    }
    await queue.change((entries) => list.ask(entries, entry.key));
    sender.retryTable(entry.game);
  },
  discard: async (entry) => {
    forgetEarly(entry);
    await queue.change((entries) => list.discard(entries, entry.key));
    sender.retryNow();
  },
});

export const confirmDiscard = (entry, why) => view.confirmDiscard(entry, why);

/** Show what is on this phone as it is now. */
export function showQueue() {
  const { isVolatile } = queue;
  const hasForm = Boolean(tablePage.form());
  view.show(queue.entries, { open: tablePage.openKey(), hasForm, sender, isVolatile });
  tablePage.changed();
}

// The page of the table may be one that was stored before this hand.
sender.addEventListener("answered", ({ entry, answer }) => storeAnswered(entry, answer.word));
queue.addEventListener("change", () => {
  forgetStored(queue);
  showQueue();
});
sender.addEventListener("change", showQueue);
sender.addEventListener("settled", ({ entry, answer }) => {
  showQueue();
  if (answer.outcome === "taken") {
    forgetEarly(entry);
    document.dispatchEvent(new CustomEvent("logged")); // for a page that shows what is logged
  }
});
document.addEventListener("reached", ({ detail: { reached } }) => {
  if (sender.noteReached(reached)) {
    showQueue();
  }
});
document.addEventListener("submit", async (event) => {
  const { target: form } = event;
  if (!form.matches("[data-sign-out]")) {
    return;
  }
  event.preventDefault();
  if (await isCutOff()) {
    view.sayCannotSignOut();
  } else if (view.confirmSignOut(context.user, queue.mayLack(context.user))) {
    leave(form);
  }
});

// Who signed in again in another tab has another CSRF token. A form that says whose it is goes with that one.
document.addEventListener(
  "submit",
  ({ target: { elements } }) => {
    const token = csrfToken();
    if (token && elements.user && elements.csrfmiddlewaretoken) {
      elements.csrfmiddlewaretoken.value = token;
    }
  },
  true, // before any script reads the form
);

/** Sign out, and go where the site leads then. Where it says why it did not, its page is shown. */
async function leave(form) {
  form.inert = true;
  const script = await signOutScript().catch(() => undefined);
  const address = await script?.signOut(form);
  form.inert = false;
  if (!script) {
    view.sayCannotSignOut(); // nothing was sent
  } else if (address) {
    window.location.assign(address);
  } else if (address === "") {
    form.submit();
  } else {
    view.sayMayBeSignedIn();
  }
}

// Few pages need it.
const signOutScript = () => import("./sign_out.js");

if (!context.user && !context.unknown && document.cookie.includes("signing_out=")) {
  signOutScript().then(({ noteVisitor }) => noteVisitor());
}
queue.addEventListener("available", () => sender.drain());
window.addEventListener("online", () => sender.retryNow());
window.addEventListener("storage", ({ key }) => isOfHeldTable(key) && sender.drain());
window.addEventListener("pageshow", ({ persisted }) => persisted && queue.load());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    queue.load();
    sender.retryNow();
  }
});

// A page that somebody has opened tells the others who is signed in: a hand that is to be corrected asks nobody.
const readers = "BroadcastChannel" in globalThis ? new BroadcastChannel("reader") : undefined;
readers?.addEventListener("message", ({ data: reader }) => {
  if (sender.signedOut && reader === context.user) {
    sender.noteSignedOut(false);
    sender.retryNow();
  }
});
if (context.user) {
  readers?.postMessage(context.user);
}

sender.reached = navigator.onLine;
/** Resolves once the list has been read. */
export const ready = queue.load().then(() => {
  sender.drain();
  sendWhatNobodyHolds();
  storeLeft(queue, context);
});

/** Send hands that wait for the undo of a tab that is gone. */
async function sendWhatNobodyHolds() {
  if (await holds.forgetGone()) {
    sender.drain();
    setTimeout(sendWhatNobodyHolds, RELOADS_IN);
  }
}
