/**
 * Limit hands by one key: what picking one lays out at once, and which tiles may follow.
 *
 * A recipe is `{start, allows, tap}`: `start` is the hand laid out at once; `allows(code)` says which
 * tiles stay open afterwards (none: all); `tap(code)` is the hand that the next tap makes of it.
 */

import { DRAGONS, HONORS, isHonor, isTerminal, suit, WINDS } from "./tiles.js";
import { groupOf } from "./hand.js";

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
 * The recipe of the limit hand `id`, or undefined for one that has none. With `pair`, the tile that its
 * first tap would name is known already.
 */
export function recipeOf(id, pair) {
  const recipe = RECIPES[id];
  return pair ? { start: recipe.tap(pair) } : recipe;
}
