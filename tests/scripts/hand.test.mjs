/** The hand on the pad: what may be added to it, what a tap changes, and what a limit hand lays out. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as hands from "../static/scoring/pad/hand.js";
import { recipeOf } from "../static/scoring/pad/limit_hands.js";
import { format, parse } from "../static/scoring/pad/notation.js";

const CAN_BE_ADDED = [
  ["", "pung", "2B", true],
  ["222B", "pung", "2B", false],
  ["222B", "chow", "1B", true],
  ["222B 123B", "chow", "1B", false],
  ["", "chow", "8B", false],
  ["", "chow", "E", false],
  ["2B", "kong", "2B", false],
  ["222B", "pair", "2B", false],
  ["111B 222B 333B 444B", "pung", "5B", false],
  ["111B 222B 333B 444B", "pair", "5B", true],
  ["55B", "pair", "6B", false],
  ["1B 2B 3B 4B 5B 6B 7B 8B 9B 1C 2C 3C 4C", "tile", "5C", true],
  ["1B 2B 3B 4B 5B 6B 7B 8B 9B 1C 2C 3C 4C 5C", "tile", "6C", false],
  ["1B 1B 1B 4B 5B 6B 7B 8B 9B 1C 2C 3C 4C 5C", "tile", "1B", true],
];
for (const [held, kind, code, possible] of CAN_BE_ADDED) {
  test(`a ${kind} of ${code} ${possible ? "can" : "cannot"} be added to “${held}”`, () => {
    const hand = parse(held);
    assert.equal(hands.canAdd(hand, kind, code), possible);
    assert.equal(hands.add(hand, kind, code).length, hand.length + (possible ? 1 : 0));
  });
}

const NEXT_KIND = [
  ["", "pung", "pung"],
  ["111B 222B 333B 444B", "chow", "pair"],
  ["111B 222B 333B 444B 55B", "chow", "pair"],
  ["55B", "pair", "kong"],
  ["", "pair", "pair"],
  ["111B 222B 333B 444B", "tile", "tile"],
];
for (const [held, chosen, next] of NEXT_KIND) {
  test(`after “${held}” with the key ${chosen} a tap adds a ${next}`, () => {
    assert.equal(hands.nextKind(parse(held), chosen, "kong"), next);
  });
}

const TOGGLED = [
  ["222B 345B", 0, "222B* 345B"],
  ["222B* 345B", 0, "222B 345B"],
  ["2222B#", 0, "2222B*"],
  ["2222B*", 0, "2222B#"],
  ["55B", 0, "55B"],
  ["2B", 0, "2B"],
];
for (const [held, index, turned] of TOGGLED) {
  test(`a tap on the set ${index} of “${held}” makes it “${turned}”`, () => {
    assert.equal(format(hands.toggleOpen(parse(held), index)), turned);
  });
}

const EXTENDED = [
  ["222B 345B", "2B", "2222B# 345B"],
  ["222B*", "2B", "2222B*"],
  ["222B 234B", "2B", "222B 234B"],
  ["345B", "3B", "345B"],
];
for (const [held, code, extended] of EXTENDED) {
  test(`one more ${code} makes “${held}” “${extended}”`, () => {
    assert.equal(format(hands.extendPung(parse(held), code)), extended);
  });
}

test("a kong that is added is concealed", () => {
  assert.equal(format(hands.add([], "kong", "G")), "GGGG#");
});

test("a hand without one of its groups has the others in their order", () => {
  assert.equal(format(hands.remove(parse("222B 345B 55B"), 1)), "222B 55B");
});

const FULL = [
  ["222B 345B 55B 222D GGG", true],
  ["222B 345B 55B 222D", false],
  ["2222B 345B 55B 222D GGG", true],
  ["1B 9B 1C 9C 1D 9D E S W N R G Wh Wh", true],
  ["1B 9B 1C 9C 1D 9D E S W N R G Wh", false],
  ["", false],
];
for (const [held, full] of FULL) {
  test(`“${held}” ${full ? "has" : "lacks some of"} its tiles`, () => {
    assert.equal(hands.isFull(parse(held)), full);
  });
}

const LIMIT_HANDS = [
  ["big_three_dragons", undefined, "RRR GGG WhWhWh"],
  ["big_four_winds", undefined, "EEE SSS WWW NNN"],
  ["little_four_winds", "S", "EEE WWW NNN SS"],
  ["nine_gates", "5C", "1C 1C 1C 2C 3C 4C 5C 5C 6C 7C 8C 9C 9C 9C"],
  ["thirteen_orphans", undefined, "1B 9B 1C 9C 1D 9D E S W N R G Wh"],
];
for (const [id, tile, laidOut] of LIMIT_HANDS) {
  test(`${id} ${tile ? `with a tap on ${tile} ` : ""}lays out “${laidOut}”`, () => {
    const recipe = recipeOf(id);
    assert.equal(format(tile ? recipe.tap(tile) : recipe.start), laidOut);
  });
}

test("a limit hand whose pair is known is laid out at once", () => {
  assert.equal(format(recipeOf("little_four_winds", { pair: "N" }).start), "EEE SSS WWW NN");
});

test("a limit hand leaves only its own tiles open", () => {
  const open = (id) => ["1B", "5B", "9D", "E", "G"].filter(recipeOf(id).allows).join(" ");
  assert.equal(open("all_honors"), "E G");
  assert.equal(open("all_terminals"), "1B 9D");
  assert.equal(open("thirteen_orphans"), "1B 9D E G");
  assert.equal(open("nine_gates"), "1B 5B 9D");
  assert.equal(open("little_four_winds"), "E");
});

test("a hand whose tiles a rule book tells is laid out, and takes its own tiles alone", () => {
  const { start, allows } = recipeOf("heads", { lays: "1B 1B 9B E" });
  assert.deepEqual(start.flatMap(({ tiles }) => tiles), ["1B", "1B", "9B", "E"]);
  assert.deepEqual(["1B", "9B", "E", "5B", "S"].filter(allows), ["1B", "9B", "E"]);
});

test("of a hand in several suits the first tap names the suit, by a tile that no other has", () => {
  const thirteen = (suit) => [...Array(12)].map((_, at) => `${(at % 9) + 1}${suit}`).concat("E").join(" ");
  const { start, allows, tap } = recipeOf("snake", { lays: `${thirteen("B")}|${thirteen("C")}` });
  assert.deepEqual(start, []);
  assert.deepEqual(["5B", "5C", "5D", "E"].filter(allows), ["5B", "5C"]);
  const laid = tap("5C").flatMap(({ tiles }) => tiles);
  assert.equal(laid.length, 14);
  assert.equal(laid.filter((code) => code === "5C").length, 2);
  assert.ok(laid.every((code) => code === "E" || code.endsWith("C")));
});

test("a hand that the rules do not name has no recipe", () => {
  assert.equal(recipeOf("another"), undefined);
});
