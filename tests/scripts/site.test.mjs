/** What an answer of the site says about what was sent, and where it is sent. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import * as list from "../static/scoring/queue/entries.js";
import { isCutOff, post, postEntry } from "../static/scoring/queue/site.js";

const JSON_TYPE = { "Content-Type": "application/json" };
const HTML = { "Content-Type": "text/html; charset=utf-8" };

let reached = [];

beforeEach(() => {
  reached = [];
  globalThis.document = {
    cookie: "csrftoken=token",
    dispatchEvent: ({ detail }) => reached.push(detail.reached),
  };
});

/** Let the site answer so; an error is thrown. */
function siteAnswers(status, body = "", headers = HTML) {
  globalThis.fetch = async () => new Response(body, { status, headers });
}

const outcome = async (options) => (await post("/games/1/hands/", [], options)).outcome;

for (const status of [408, 425, 429, 500, 502, 503]) {
  test(`${status} says that the site cannot answer now, not that the hand is refused`, async () => {
    siteAnswers(status, "{}", { ...JSON_TYPE, "Retry-After": "7" });
    assert.deepEqual(await post("/", []), { outcome: "trouble", retryAfter: 7000 });
    assert.deepEqual(reached, [true]);
  });
}

for (const status of [400, 401, 403, 404, 405, 407, 409, 422]) {
  test(`${status} of something in between signs nobody out, and refuses no hand: it is tried again`, async () => {
    siteAnswers(status, "<p>Accept the terms of this network</p>");
    assert.deepEqual(await post("/", []), { outcome: "trouble", retryAfter: 0 });
    siteAnswers(status, '{"error": "login_required"}', JSON_TYPE);
    assert.equal(await outcome(), "trouble");
    siteAnswers(status, "<p>", JSON_TYPE);
    assert.equal(await outcome(), "trouble");
  });
}

test("a way to another page is of something in between: the site answers a script where it asks", async () => {
  globalThis.fetch = async () => ({ type: "opaqueredirect", status: 0, ok: false, headers: new Headers() });
  assert.equal(await outcome(), "away");
  assert.deepEqual(reached, [false]);
});

test("a refusal in JSON is one, also with 403", async () => {
  siteAnswers(403, JSON.stringify({ outcome: "refused", code: "not_allowed" }), JSON_TYPE);
  assert.equal(await outcome(), "refused");
});

test("401 asks to sign in", async () => {
  siteAnswers(401, '{"outcome": "signedOut"}', JSON_TYPE);
  assert.equal(await outcome(), "signedOut");
});

test("a page in place of JSON is no answer of the site", async () => {
  siteAnswers(200, "<p>Accept the terms of this network</p>");
  assert.equal(await outcome(), "away");
  assert.deepEqual(reached, [false]);
});

test("no answer at all says so", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  assert.equal(await outcome(), "away");
  assert.deepEqual(reached, [false]);
});

test("a request that was called back says nothing about the network", async () => {
  const controller = new AbortController();
  globalThis.fetch = async () => {
    controller.abort();
    throw new DOMException("Aborted", "AbortError");
  };
  assert.equal(await outcome({ signal: controller.signal }), "aborted");
  assert.deepEqual(reached, []);
});

test("a hand goes to its table, and one for an organiser to the late hands", async () => {
  const sent = [];
  globalThis.fetch = async (url, { body }) => {
    sent.push([url, body.get("key"), body.get("number")]);
    return new Response('{"outcome": "taken"}', { headers: JSON_TYPE });
  };
  const entry = { page: "/games/5/", key: "a", number: 3, user: "1", fields: [["winner", "draw"]] };
  await postEntry({ ...entry, state: list.WAITING });
  await postEntry({ ...entry, state: list.ASKED });
  assert.deepEqual(sent, [
    ["/games/5/hands/", "a", "3"],
    ["/games/5/late/", "a", "3"],
  ]);
});

test("where the answer to a hand did not come in time, the next one gets twice the time", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.fetch = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("Given up", "AbortError")));
    });
  const entry = { page: "/games/5/", key: "a", number: 3, user: "1", fields: [], state: list.WAITING };
  for (const seconds of [10, 20, 20]) {
    const asked = postEntry(entry);
    mock.timers.tick(seconds * 1000 - 1);
    assert.equal(await Promise.race([asked, Promise.resolve("waits")]), "waits");
    mock.timers.tick(1);
    assert.deepEqual(await asked, { outcome: "away", isLate: true });
  }
  siteAnswers(201, '{"outcome": "taken"}', JSON_TYPE);
  assert.equal((await postEntry(entry)).outcome, "taken");
});

test("a table takes no hands once it is over, withdrawn, closed, or somebody else plays there", () => {
  const codes = ["finished", "played_out", "withdrawn", "evening_closed", "season_over", "season_closed", "not_allowed"];
  for (const code of codes) {
    assert.ok(list.isShut(code), code);
  }
  for (const code of ["", "invalid", "not_the_next_hand", "key_reused", "declined"]) {
    assert.ok(!list.isShut(code), code);
  }
});

test("a phone is cut off if its browser says so and nothing answers", async () => {
  const say = (onLine) => Object.defineProperty(globalThis, "navigator", { value: { onLine }, configurable: true });
  const asked = [];
  let answers;
  globalThis.fetch = async (url, { method }) => {
    asked.push(`${method} ${url}`);
    if (!answers) {
      throw new TypeError("Failed to fetch");
    }
    return new Response("", { status: answers });
  };
  say(true);
  assert.equal(await isCutOff(), false, "nobody knows");
  assert.deepEqual(asked, []);
  say(false);
  assert.equal(await isCutOff(), true);
  answers = 503;
  assert.equal(await isCutOff(), false, "the browser is wrong");
  assert.deepEqual(asked, ["HEAD /healthz", "HEAD /healthz"]);
});
