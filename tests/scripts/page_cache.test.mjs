/** The page of a table that is stored for the time without a network. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const PAGE = '<div id="state" data-reader="3">';
const SIGNED_OUT = '<div id="state" data-reader="">';

const state = { dataset: { version: "", reader: "3" } };
const stored = [];
let answers; // what the site says next
let version = 0;
globalThis.document = { getElementById: () => state, querySelectorAll: () => [] };
globalThis.window = { location: { pathname: "/games/5/" } };
globalThis.caches = { open: async () => ({ put: async (url, response) => stored.push([url, await response.text()]) }) };
globalThis.fetch = async () => answers();
Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { controller: {} } } });

const { cachePage } = await import("../static/scoring/offline/page_cache.js");

const says = (html, status = 200) => () => new Response(html, { status });

beforeEach(() => {
  stored.length = 0;
  state.dataset.version = String((version += 1)); // a hand was logged
});

test("each version of a page is stored once", async () => {
  answers = says(PAGE);
  await cachePage();
  await cachePage();
  assert.deepEqual(stored, [["/games/5/", PAGE]]);
});

for (const [what, answer] of [
  ["of nobody, after the session was lost,", says(SIGNED_OUT)],
  ["of a site in trouble", says(PAGE, 503)],
  ["that did not come", () => Promise.reject(new TypeError("away"))],
]) {
  test(`a page ${what} does not take the place of what is stored`, async () => {
    answers = answer;
    await cachePage();
    assert.deepEqual(stored, []);
  });
}

for (const [what, answer] of [
  ["is signed in again", says(SIGNED_OUT)],
  ["has a network again", () => Promise.reject(new TypeError("away"))],
]) {
  test(`a page is stored once its reader ${what}`, async () => {
    answers = answer;
    await cachePage();
    answers = says(PAGE);
    await cachePage();
    assert.equal(stored.length, 1);
  });
}
