/** The preview: what it says while the site does not answer, and that it asks again once it does. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail }) {
    super(name);
    this.detail = detail;
  }
};
globalThis.document = Object.assign(new EventTarget(), {
  cookie: "",
  querySelector: () => null,
  createElement: () => ({
    set textContent(words) {
      this.outerHTML = words;
    },
  }),
});
globalThis.window = new EventTarget();
globalThis.FormData = class {
  *[Symbol.iterator]() {
    yield ["winner", "12"];
  }
  get() {}
  delete() {}
};

const { Preview } = await import("../static/scoring/table/preview.js");

const words = { away: "No network", trouble: "In trouble", incomplete: "Incomplete" };
const place = { dataset: words, setAttribute() {}, querySelectorAll: () => [], childElementCount: 1 };
const empty = { value: "", dataset: {} };
const elements = {
  number: { value: "1" },
  key: { value: "k" },
  winner: { value: "draw" },
  discarder: empty,
  claimed_final: empty,
  claimed_limit: empty,
};
const form = Object.assign(new EventTarget(), {
  dataset: { preview: "/games/5/preview/" },
  elements,
  querySelector: () => ({ dataset: {} }), // the pad
});
const shown = (html) => new Response(JSON.stringify({ outcome: "shown", html }), { headers: { "Content-Type": "application/json" } });
let time = 0; // milliseconds
performance.now = () => time;
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

for (const [reason, failure] of Object.entries({
  away: () => Promise.reject(new TypeError("Failed to fetch")),
  trouble: () => new Response("", { status: 503 }),
  "away ": () => new Response("<p>Accept the terms</p>", { headers: { "Content-Type": "text/html" } }),
  "trouble ": () => new Response("<p>Accept the terms</p>", { status: 403 }),
})) {
  test(`the preview asks again, once, when the site is reached, after: ${reason}`, async () => {
    let asked = 0;
    globalThis.fetch = async () => failure();
    const preview = new Preview(place, form, () => false);
    await preview.ask();
    assert.deepEqual([preview.isUnanswered, place.innerHTML], [true, words[reason.trim()]]);
    globalThis.fetch = async () => {
      asked += 1;
      return shown("64 points");
    };
    for (let polls = 0; polls < 3; polls += 1) {
      time += 1500;
      preview.retry();
      await settled();
    }
    assert.deepEqual([place.innerHTML, asked], ["64 points", 1]);
  });
}

test("a site in trouble is asked for a preview less often each time, however often it answers", async () => {
  const asked = [];
  time = 0;
  globalThis.fetch = async () => {
    asked.push(time / 1000);
    return new Response("", { status: 503 });
  };
  const preview = new Preview(place, form, () => false);
  document.addEventListener("reached", ({ detail }) => detail.reached && preview.retry()); // as on a page
  await preview.ask();
  for (; time < 20_000; time += 500) {
    document.dispatchEvent(new CustomEvent("reached", { detail: { reached: true, since: time } }));
    await settled();
  }
  assert.deepEqual(asked, [0, 1, 3, 7, 15]);
});
