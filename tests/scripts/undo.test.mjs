/** Undo on a page: how often it asks a site that does not answer, and what goes on meanwhile. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { Clock } from "./model.mjs";
import { element } from "./page.mjs";

const root = element({ user: "3", game: "5", sayHand: "", sayMany: "", sayHeld: "" });
const notice = element({
  undoAsking: "asking",
  undoTrouble: "trouble",
  undoAway: "away",
  undoRefused: "refused",
  undoBefore: "before {number}",
  undoCutOff: "cut off",
});
const places = { "[data-waiting]": root, "[data-notice]": notice, "[data-live]": element() };
const storage = () => {
  const items = new Map();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => items.set(name, text),
    removeItem: (name) => items.delete(name),
    key: (at) => [...items.keys()][at],
    get length() {
      return items.size;
    },
  };
};
globalThis.sessionStorage = storage();
globalThis.localStorage = storage();
Object.defineProperty(globalThis, "navigator", { value: { onLine: true } });
globalThis.window = Object.assign(new EventTarget(), {
  location: { pathname: "/games/5/" },
  htmx: { trigger() {} }, // no poll but the test's
});
globalThis.document = Object.assign(new EventTarget(), {
  activeElement: element(),
  body: element(),
  cookie: "",
  documentElement: element(),
  visibilityState: "visible",
  querySelector: (selector) => places[selector] ?? null,
  querySelectorAll: () => [],
  getElementById: (id) => (id === "log" ? { getAttribute: () => "/games/5/" } : null),
});
globalThis.DOMParser = class {
  parseFromString = (html) => ({ querySelector: () => (html === PAGE ? element({ reader: "3" }) : null) });
};
const PAGE = "a page of the site";
const clock = new Clock();
globalThis.setTimeout = clock.later;
globalThis.clearTimeout = clock.cancel;
performance.now = clock.now;

const answer = (status, body = "", headers = {}) => () => new Response(body, { status, headers });
const json = (status, body) => answer(status, JSON.stringify(body), { "Content-Type": "application/json" });
const inTrouble = answer(503);
const away = () => Promise.reject(new TypeError("Failed to fetch"));
const takesHands = json(201, { outcome: "taken" });
let id = 40; // of the hand that is undone: each comes back once
const undone = () =>
  json(200, { outcome: "undone", hand: id, number: 1, fields: [], who: "", sentence: "Taken back." })();

let site; // what is answered, by the last part of the address
let asked; // when, in seconds, and for what
globalThis.fetch = async (url, { signal } = {}) => {
  const what = url.split("/").filter(Boolean).at(-1);
  asked.push([Math.round((clock.now() - start) / 1000), what, url]);
  return site[what](signal);
};
let start;
const timesOf = (what) => asked.filter(([, each]) => each === what).map(([second]) => second);

const { queue, ready, sender } = await import("../static/scoring/queue/start.js");
const { save } = await import("../static/scoring/queue/entries.js");
const { undoHand, startUndoRetries } = await import("../static/scoring/table/undo.js");
startUndoRetries();

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Let `seconds` go by. */
async function pass(seconds) {
  await settled();
  for (let step = 0; step < seconds * 10; step += 1) {
    await clock.pass(100);
    await settled();
  }
}

/** A poll is answered, with trouble or as ever (`works`). */
async function poll(works = true) {
  document.dispatchEvent(new CustomEvent("polled", { detail: { since: clock.now(), works } }));
  document.dispatchEvent(new CustomEvent("reached", { detail: { reached: true, since: clock.now() } }));
  await settled();
}

/** A hand that is saved after the undo. */
const saveNext = async () => {
  const hand = { key: `k${clock.now()}`, user: "3", game: "5", page: "/games/5/", number: 2, fields: [["winner", "draw"]], whole: true };
  await queue.change((all) => save(all, hand));
  sender.retryNow();
  await settled();
};

const FIRST = "/hands/40/undo/";

beforeEach(async () => {
  await ready;
  asked = [];
  id += 1;
  start = clock.now();
  site = { undo: inTrouble, hands: takesHands, live: answer(200, PAGE), healthz: answer(200) };
});

afterEach(async () => {
  document.visibilityState = "visible";
  site = { ...site, undo: undone, hands: takesHands };
  await pass(130);
  await queue.change(() => []);
  assert.equal(sessionStorage.getItem("undo 3 5"), null);
  assert.equal(sender.isHeld("5"), false);
});

test("a site in trouble is asked for an undo after 1, 2, 4, 8, 12 seconds, whatever else is sent", async () => {
  site.hands = inTrouble;
  undoHand(FIRST);
  await settled();
  await saveNext();
  await pass(40);
  assert.deepEqual(timesOf("undo"), [0, 1, 3, 7, 15, 27, 39]);
});

/** What `answer` says, `seconds` later, unless the page has given up by then. */
const after = (seconds, answer) => (signal) =>
  new Promise((resolve, reject) => {
    clock.later(() => resolve(answer()), seconds * 1000);
    signal.addEventListener("abort", () => reject(new DOMException("Given up", "AbortError")));
  });

for (const [seconds, times] of [
  [4, [0]],
  [7, [0, 5]],
  [13, [0, 5, 15]],
]) {
  test(`an undo that is answered after ${seconds} seconds hears it`, async () => {
    site.undo = after(seconds, undone);
    undoHand(FIRST);
    await pass(40);
    assert.deepEqual(timesOf("undo"), times);
    assert.equal(sessionStorage.getItem("undo 3 5"), null);
  });
}

test("an undo on a network that takes 25 seconds hears its answer in the end", async () => {
  site.undo = after(25, undone);
  undoHand(FIRST);
  await pass(150);
  assert.equal(timesOf("undo").length, 6);
  assert.equal(sessionStorage.getItem("undo 3 5"), null);
});

test("an undo waits as long as the site asks, and hands with it", async () => {
  site.undo = answer(503, "", { "Retry-After": "30" });
  undoHand(FIRST);
  await saveNext();
  for (let polls = 0; polls < 19; polls += 1) {
    await pass(1.5);
    await poll();
  }
  assert.deepEqual([timesOf("undo"), timesOf("hands")], [[0], []]);
  await pass(2);
  await poll();
  assert.deepEqual(timesOf("undo"), [0, 30]);
  assert.equal(timesOf("hands").length, 1);
});

test("a hand does not overtake an undo while the site is in trouble", async () => {
  site.hands = inTrouble;
  undoHand(FIRST);
  await settled();
  await saveNext();
  for (let polls = 0; polls < 10; polls += 1) {
    await poll(false);
    await pass(1.5);
  }
  site = { ...site, hands: takesHands, undo: undone };
  await poll();
  await pass(13);
  assert.deepEqual(timesOf("hands"), []);
  assert.deepEqual(queue.entries.map(({ number, state }) => `${number} ${state}`).sort(), ["1 correcting", "2 waiting"]);
});

test("hands go on while the site answers polls, and the undo alone fails", async () => {
  undoHand(FIRST);
  await saveNext();
  await poll();
  assert.deepEqual(timesOf("hands"), [], "the site may have been there again since");
  await pass(1.5);
  await poll();
  assert.equal(timesOf("hands").length, 1);
  await pass(20);
  assert.deepEqual(timesOf("undo"), [0, 1, 3, 7, 15], "it is asked for still");
  await saveNext();
  assert.equal(timesOf("hands").length, 2);
});

test("a tab that nobody sees holds no table for an undo that alone fails", async () => {
  document.visibilityState = "hidden";
  undoHand(FIRST);
  await saveNext();
  await pass(2);
  assert.equal(timesOf("hands").length, 1);
});

test("what answers polls in place of the site lets no hand overtake an undo of a tab that nobody sees", async () => {
  document.visibilityState = "hidden";
  site = { ...site, undo: away, live: answer(200, "Sign in to this network") };
  undoHand(FIRST);
  await saveNext();
  await pass(20);
  assert.deepEqual(timesOf("hands"), []);
});

test("an undo that finds no network is asked for again with pauses, and once before its time", async () => {
  site.undo = away;
  undoHand(FIRST);
  await pass(20);
  assert.deepEqual(timesOf("undo"), [0, 0, 0, 1, 3, 7, 15]);
  await poll();
  await poll();
  assert.deepEqual(timesOf("undo").slice(7), [20]);
});

test("no network is said of an undo for as long as no poll is answered", async () => {
  site.undo = away;
  undoHand(FIRST);
  await pass(0.5);
  assert.equal(notice.textContent, "away");
  await poll();
  assert.equal(notice.textContent, "trouble");
  await pass(10);
  assert.equal(notice.textContent, "trouble", "nor is it when it has failed again");
  await poll(false);
  await pass(20);
  assert.equal(notice.textContent, "away");
});

for (const [what, between] of Object.entries({
  "a page without the site's JSON": answer(404, "404 page not found"),
  "JSON of something else": json(400, { error: "bad gateway" }),
})) {
  test(`${what} is no answer to an undo`, async () => {
    site.undo = between;
    undoHand(FIRST);
    await settled();
    assert.equal(notice.textContent, "trouble");
    site.undo = undone;
    await pass(2);
    assert.equal(notice.textContent, "Taken back.");
    assert.deepEqual(timesOf("undo"), [0, 1]);
  });
}

test("a refusal by the site ends an undo", async () => {
  site.undo = json(409, { outcome: "refused", code: "too_late", reasons: ["Too late."] });
  undoHand(FIRST);
  await pass(20);
  assert.deepEqual([notice.textContent, timesOf("undo")], ["Too late.", [0]]);
});

test("a second undo does not take the place of one that has no answer", async () => {
  undoHand(FIRST);
  await settled();
  undoHand("/hands/41/undo/");
  await settled();
  assert.equal(notice.textContent, "trouble");
  assert.deepEqual(asked.filter(([, what]) => what === "undo").map(([, , url]) => url), [FIRST, FIRST]);
  assert.equal(sessionStorage.getItem("undo 3 5"), FIRST);
});

for (const [what, strange] of Object.entries({
  "without what had been entered": { outcome: "undone", hand: 40, number: 1, sentence: "Taken back." },
  "that no page understands": { outcome: "undone", hand: 40, number: 1, fields: 7, sentence: "Taken back." },
})) {
  test(`an answer ${what} ends an undo, and hands go on`, async () => {
    await undoHand(FIRST);
    site.undo = json(200, strange);
    await undoHand(FIRST).catch(() => {});
    assert.notEqual(notice.textContent, "trouble");
    asked = [];
    await saveNext();
    assert.equal(timesOf("hands").length, 1);
    site.undo = undone;
    await undoHand(FIRST);
    assert.equal(timesOf("undo").length, 1);
  });
}

test("Undo says after a second that it is being done, also while nobody knows of a network", async () => {
  navigator.onLine = false;
  let answerProbe;
  site.healthz = () => new Promise((resolve) => (answerProbe = () => resolve(answer(200)())));
  site.undo = undone;
  notice.textContent = "";
  undoHand(FIRST);
  await pass(1.1);
  assert.equal(notice.textContent, "asking");
  answerProbe();
  navigator.onLine = true;
  await pass(1);
  assert.equal(notice.textContent, "Taken back.");
});
