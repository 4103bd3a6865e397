/** The queue on a page: one tab sends at a time, and whoever looks has the site asked at once. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { element } from "./page.mjs";

const root = element({ user: "3", game: "5", sayHand: "", sayMany: "", sayHeld: "" });
const locks = {
  held: "",
  async request(name, act) {
    this.held = name;
    return act().finally(() => (this.held = ""));
  },
};
Object.defineProperty(globalThis, "navigator", { value: { onLine: true, locks } });
globalThis.window = new EventTarget();
globalThis.document = Object.assign(new EventTarget(), {
  cookie: "",
  visibilityState: "visible",
  querySelector: () => root,
});

let site; // answers to what is sent
const sent = []; // the lock under which each hand was sent
globalThis.fetch = async () => {
  sent.push(locks.held);
  return site();
};
const away = () => Promise.reject(new Error("No network."));
const answers = (status, json) => () => ({
  status,
  headers: new Map([["Content-Type", "application/json"]]),
  json: async () => json,
});
const takes = answers(201, { outcome: "taken" });
const signedOut = answers(401, { outcome: "signedOut" });

const channels = {}; // between the pages of this browser, by name
globalThis.BroadcastChannel = class extends EventTarget {
  messages = [];

  constructor(name) {
    super();
    channels[name] = this;
  }

  postMessage(message) {
    this.messages.push(message);
  }
};
const opensPageAs = (reader) =>
  channels.reader.dispatchEvent(Object.assign(new Event("message"), { data: reader }));

const { queue, ready, sender } = await import("../static/scoring/queue/start.js");
const { save } = await import("../static/scoring/queue/entries.js");
const { all } = queue.store.constructor.prototype;
let readings; // how often the list was read
queue.store.all = function read() {
  readings += 1;
  return all.call(this);
};

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const hand = { key: "a", user: "3", game: "5", page: "/games/5/", number: 1, fields: [["winner", "draw"]] };

/** Save a hand that finds no network, and is to be tried again in a second. */
async function withoutNetwork() {
  site = away;
  await queue.change((entries) => save(entries, hand));
  await sender.retryNow();
  assert.equal(sent.length, 1);
  site = takes;
}

/** What `act` leads to at once, less what the pause of the sender would. */
async function after(act) {
  readings = 0;
  act();
  await settled();
}

beforeEach(async () => {
  await ready;
  sent.length = 0;
});

afterEach(async () => {
  site = takes;
  await sender.retryNow();
});

test("one tab of a browser sends at a time", async () => {
  await withoutNetwork();
  await sender.retryNow();
  assert.deepEqual(sent, ["outbox", "outbox"]);
  assert.deepEqual(queue.entries, []);
});

test("a page that comes into sight reads the list and sends at once", async () => {
  await withoutNetwork();
  await after(() => document.dispatchEvent(new Event("visibilitychange")));
  assert.equal(sent.length, 2);
  queue.entries = ["of another tab"];
  await after(() => document.dispatchEvent(new Event("visibilitychange")));
  assert.deepEqual(queue.entries, []);
});

test("a page that goes out of sight does nothing", async () => {
  document.visibilityState = "hidden";
  await after(() => document.dispatchEvent(new Event("visibilitychange")));
  document.visibilityState = "visible";
  assert.equal(readings, 0);
});

test("a page that comes back by the back button reads what other pages have changed", async () => {
  const show = (persisted) => () => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  await after(show(false));
  assert.equal(readings, 0);
  await after(show(true));
  assert.equal(readings, 1);
});

test("a network that is there again has what waits sent at once", async () => {
  await withoutNetwork();
  await after(() => window.dispatchEvent(new Event("online")));
  assert.equal(sent.length, 2);
});

test("polls that are answered have a hand that found no way tried once more, not each time", async () => {
  await withoutNetwork();
  site = away;
  for (let polls = 0; polls < 5; polls += 1) {
    await after(() => document.dispatchEvent(new CustomEvent("reached", { detail: { reached: true, since: 0 } })));
  }
  assert.equal(sent.length, 2);
});

test("a page tells the others of this browser who is signed in", () => {
  assert.deepEqual(channels.reader.messages, ["3"]);
});

test("a page that is signed out goes on when its reader opens another page, and for nobody else", async () => {
  site = signedOut;
  await queue.change((entries) => save(entries, hand));
  await sender.retryNow();
  assert.equal(sender.signedOut, true);
  site = takes;
  await after(() => opensPageAs("4"));
  assert.deepEqual([sender.signedOut, sent.length], [true, 1]);
  await after(() => opensPageAs("3"));
  assert.deepEqual([sender.signedOut, sent.length, queue.entries], [false, 2, []]);
});
