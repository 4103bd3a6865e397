/** Text as somebody types it, in whatever characters, is read as the tiles that the site reads. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { format, parse } from "../static/scoring/pad/notation.js";

const READ = [
  ["222B* 345B", "222B* 345B"],
  ["２２２Ｂ　345B", "222B 345B"],
  ["222B *345B", "222B* 345B"],
  ["2222B#345B", "2222B# 345B"],
  ["🀄\uFE0F🀄\uFE0F🀄\uFE0F", "RRR"],
  ["2\u200B22B、GGG", "222B GGG"],
  ["222 of Bamboo, Green dragon", "222B G"],
  ["East wind 2 of Characters 3 of dots", "E 2C 3D"],
  ["Whıte", "Whıte"],
];

for (const [typed, read] of READ) {
  test(`“${typed}” is read as ${read}`, () => {
    assert.equal(format(parse(typed)), read);
  });
}
