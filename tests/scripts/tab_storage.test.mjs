/** What a tab stores: in the browser, or in the page where the browser refuses. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getTabItem, getTabNames, setTabItem } from "../static/scoring/shared/tab_storage.js";

const refuse = () => {
  throw new Error("This browser stores nothing.");
};

test("a text is stored until an empty one takes its place", () => {
  const items = new Map();
  globalThis.sessionStorage = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
  };
  assert.equal(getTabItem("draft 1 2"), "");
  setTabItem("draft 1 2", "a");
  assert.equal(getTabItem("draft 1 2"), "a");
  setTabItem("draft 1 2", "");
  assert.equal(getTabItem("draft 1 2"), "");
  assert.equal(items.size, 0);
});

test("where the browser stores nothing, a text lasts as long as the page", () => {
  globalThis.sessionStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
  setTabItem("undo 1 2", "/hands/3/undo/");
  assert.deepEqual(getTabNames("undo "), ["undo 1 2"]);
  assert.deepEqual(getTabNames("draft "), []);
  assert.equal(getTabItem("undo 1 2"), "/hands/3/undo/");
  setTabItem("undo 1 2", "");
  assert.equal(getTabItem("undo 1 2"), "");
});
