/** What taps and slides mean: a slide on a tile, a tap on a digit, taps and slides on the seats. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { afterDigits } from "../static/scoring/pad/claim.js";
import { kindOfSlide } from "../static/scoring/pad/slide.js";
import { afterSlide, afterTap } from "../static/scoring/table/winner_row.js";

const SLIDES = [
  [[40, 5], "chow"],
  [[-40, 5], "kong"],
  [[10, 0], undefined],
  [[30, 60], undefined],
  [[-30, 60], undefined],
];
for (const [way, kind] of SLIDES) {
  test(`a slide of ${way} pixels asks for ${kind ?? "nothing"}`, () => {
    assert.equal(kindOfSlide(...way), kind);
  });
}

const DIGITS = [
  ["3 0", "30"],
  ["1 2 0", "120"],
  ["1 20", "120"],
  ["0 7", "7"],
  ["5 00 0", "5000"],
  ["1 2 back", "1"],
  ["back", ""],
];
for (const [taps, text] of DIGITS) {
  test(`taps on ${taps} write “${text}”`, () => {
    assert.equal(taps.split(" ").reduce(afterDigits, ""), text);
  });
}

const SEATS = [
  ["ann", "ann "],
  ["ann ben", "ann ben"],
  ["ann ann", "ann self"],
  ["ann ann ann", " "],
  ["ann ben ben", "ann "],
  ["ann ben eve", "ann eve"],
  ["ann ann ben", "ann ben"],
  ["draw", "draw "],
  ["draw draw", " "],
  ["draw ann", "ann "],
  ["ann ben draw", "draw "],
];
for (const [taps, meaning] of SEATS) {
  test(`taps on the seats ${taps} mean “${meaning}”`, () => {
    const { winner, discarder } = taps
      .split(" ")
      .reduce(afterTap, { winner: "", discarder: "" });
    assert.equal(`${winner} ${discarder}`, meaning);
  });
}

test("a slide from one player to another names winner and discarder", () => {
  assert.deepEqual(afterSlide("ann", "ben"), { winner: "ann", discarder: "ben" });
});

for (const [from, to] of [["ann", "ann"], ["ann", undefined], ["", "ben"], ["draw", "ben"], ["ann", "draw"]]) {
  test(`a slide from “${from}” to “${to}” means nothing`, () => {
    assert.equal(afterSlide(from, to), undefined);
  });
}
