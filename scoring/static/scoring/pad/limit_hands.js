/**
 * Limit hands by one key: what picking one lays out at once, and which tiles may follow.
 *
 * A recipe is `{start, allows, tap}`: `start` is the hand laid out at once; `allows(code)` says which
 * tiles stay open afterwards (none: all); `tap(code)` is the hand that the next tap makes of it. A rule
 * book may tell the tiles of a hand itself, in each choice of suits.
 */

import { DRAGONS, HONORS, isHonor, isTerminal, suit, WINDS } from "./tiles.js";
import { groupOf, HAND_SIZE } from "./hand.js";

const group = (kind) => (code) => groupOf(kind, code);
const pung = group("pung");
const pair = group("pair");
const looseTile = group("tile");

const NINE_GATES = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9];
const ORPHANS = [...["B", "C", "D"].flatMap((one) => [`1${one}`, `9${one}`]), ...HONORS];

const RECIPES = {
  big_three_dragons: { start: DRAGONS.map(pung) },
  little_four_winds: {
    start: [],
    allows: (code) => WINDS.includes(code),
    tap: (code) => [...WINDS.filter((wind) => wind !== code).map(pung), pair(code)],
  },
  big_four_winds: { start: WINDS.map(pung) },
  all_honors: { start: [], allows: isHonor },
  all_terminals: { start: [], allows: isTerminal },
  thirteen_orphans: {
    start: ORPHANS.map(looseTile),
    kind: "tile",
    allows: (code) => ORPHANS.includes(code),
  },
  nine_gates: {
    start: [],
    kind: "tile",
    allows: (code) => !isHonor(code),
    tap: (code) => [...NINE_GATES.map((rank) => `${rank}${suit(code)}`), code].sort().map(looseTile),
  },
};

/**
 * The recipe of a hand of certain tiles. Of several choices the first tap names the one: by a tile that is
 * in no other. Where the tiles are 13, it is there once more.
 */
function recipeOfTiles(choices) {
  const [first, ...others] = choices;
  if (others.length) {
    const named = (code) => choices.filter((codes) => codes.includes(code));
    const whole = (codes, code) => (codes.length < HAND_SIZE ? [...codes, code].sort() : codes);
    return {
      start: [],
      kind: "tile",
      allows: (code) => named(code).length === 1,
      tap: (code) => whole(named(code)[0], code).map(looseTile),
    };
  }
  return { start: first.map(looseTile), kind: "tile", allows: (code) => first.includes(code) };
}

/**
 * The recipe of the limit hand `id`, or undefined for one that has none. With `pair`, the tile that its
 * first tap would name is known already; `lays` are the tiles that a rule book tells.
 */
export function recipeOf(id, { pair, lays }) {
  const recipe = lays ? recipeOfTiles(lays.split("|").map((codes) => codes.split(" "))) : RECIPES[id];
  return pair ? { start: recipe.tap(pair) } : recipe;
}
