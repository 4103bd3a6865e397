/** The workshop of the rules: tiles that are tapped, and words that are completed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { matching } from "../static/scoring/rules/completion.js";
import { withoutLast, withTile } from "../static/scoring/rules/tile_field.js";

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
