/** The workshop of the rules: tiles that are tapped, words that are completed, and drafts that are published. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { matching } from "../static/scoring/rules/completion.js";
import { deletePublished, draftOf, keyOf } from "../static/scoring/rules/drafts.js";
import { tapped } from "../static/scoring/rules/example_field.js";
import { withoutLast, withTile } from "../static/scoring/rules/tile_field.js";
import { setTabItem } from "../static/scoring/shared/tab_storage.js";

test("tiles of a suit join one word", () => {
  const text = ["1B", "2B", "E", "Wh", "3B"].reduce(withTile, "");
  assert.equal(text, "12B E Wh 3B");
  assert.equal(withoutLast("12B E Wh"), "12B E");
  assert.equal(withoutLast("12B"), "1B");
  assert.equal(withoutLast("1B"), "");
});

test("words are offered once, the shortest first, and no whole word again", () => {
  const words = ["chows", "chow", "count", "chow"].map((word) => ({ word, meaning: word }));
  assert.deepEqual(matching(words, "cho").map(({ word }) => word), ["chow", "chows"]);
  assert.deepEqual(matching(words, "chow").map(({ word }) => word), ["chows"]);
  assert.deepEqual(matching(words, "x"), []);
});

test("an example is made by pointing at tiles: the last one wins, on a discard", () => {
  const tap = (line, code) => tapped(line, code, "discard");
  const line = ["2B", "2B", "E", "7D"].reduce(tap, "");
  assert.equal(line, "22B E 7D; last=7D; won_by=discard");
  assert.equal(tap(line, ""), "22B E; last=E; won_by=discard");
  assert.equal(tap("22B E; last=E; won_by=self_drawn; seat=S", "E"), "22B E E; last=E; won_by=self_drawn; seat=S");
  assert.equal(tap("22B E 7D; last=2B; won_by=discard", "1C"), "22B E 7D 1C; last=2B; won_by=discard");
  assert.equal(tap("E; last=E; won_by=discard", ""), "");
});

test("drafts that are published are given up, and no other one", () => {
  const keys = [1, 2, 3].map((at) => {
    const key = keyOf("7", `/rules/book-${at}/new/`);
    setTabItem(key, JSON.stringify({ at, entries: [] }));
    return key;
  });
  setTabItem("another thing", JSON.stringify({ at: 1 }));
  deletePublished("1.3");
  assert.deepEqual(keys.map((key) => draftOf(key).at), [undefined, 2, undefined]);
  assert.equal(draftOf("another thing").at, 1);
  deletePublished("");
  assert.equal(draftOf(keys[1]).at, 2);
});

test("each account has drafts of its own", () => {
  assert.notEqual(keyOf("7", "/rules/dmjl/new/"), keyOf("8", "/rules/dmjl/new/"));
});
