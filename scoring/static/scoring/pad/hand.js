/**
 * The hand on the pad: which groups lie there, and what may still be added. Pure; no DOM.
 *
 * A hand is an array of groups as in notation.js. Nothing here changes its arguments. What a winning
 * hand is, and what it is worth, only the server knows; this knows how many tiles there are.
 */

import { CONCEALED, OPEN } from "./notation.js";
import { above, COPIES } from "./tiles.js";

export const SET_KINDS = ["pung", "chow", "kong"];
export const SETS = 4;
export const PAIRS = "pairs"; // the kind of a hand of nothing but pairs: each tap adds one
export const MOST_PAIRS = 7;
export const HAND_SIZE = 14;

/** The tiles that one tap on `code` adds as `kind`, or undefined if there is no such group. */
export function tilesOf(kind, code) {
  switch (kind) {
    case "chow": {
      const tiles = [code, above(code, 1), above(code, 2)];
      return tiles.includes(undefined) ? undefined : tiles;
    }
    case "kong":
      return Array(4).fill(code);
    case "pung":
      return Array(3).fill(code);
    case "pair":
    case PAIRS:
      return Array(2).fill(code);
    case "tile":
      return [code];
    default:
      return undefined;
  }
}

/** How many of each tile lie in `hand`. */
export function counts(hand) {
  const copies = new Map();
  for (const code of hand.flatMap((group) => group.tiles)) {
    copies.set(code, (copies.get(code) ?? 0) + 1);
  }
  return copies;
}

export const setsIn = (hand) => hand.filter((group) => SET_KINDS.includes(group.kind)).length;
export const hasPair = (hand) => hand.some((group) => group.kind === "pair");

/**
 * The kind that the next tap adds, when `chosen` is the key that is down: the pair after the fourth
 * set; a set again (`lastSet`) once the pair is there.
 */
export function nextKind(hand, chosen, lastSet = "pung") {
  if (chosen === "tile" || chosen === PAIRS) {
    return chosen;
  }
  if (chosen === "pair") {
    return hasPair(hand) && setsIn(hand) < SETS ? lastSet : "pair";
  }
  return setsIn(hand) >= SETS ? "pair" : chosen;
}

/** Whether `hand` has as many groups of `kind` as it may. */
function isFullOf(hand, kind) {
  if (kind === PAIRS) {
    return hand.length >= MOST_PAIRS || setsIn(hand) > 0;
  }
  return kind === "pair" ? hasPair(hand) : SET_KINDS.includes(kind) && setsIn(hand) >= SETS;
}

/**
 * Whether a `kind` of `code` can still be in `hand`: four copies of a tile, four sets, one pair; of who
 * did not win (`loses`) any pairs and sets that 13 places take.
 */
export function canAdd(hand, kind, code, loses = false) {
  const tiles = tilesOf(kind, code);
  if (!tiles) {
    return false;
  }
  const isWhole = isFullOf(hand, kind);
  const after = counts([...hand, { tiles }]);
  const held = [...after.values()];
  const kongs = held.filter((count) => count === COPIES).length;
  const sum = held.reduce((total, count) => total + count, 0);
  const size = HAND_SIZE + kongs - Number(loses);
  return (loses || !isWhole) && tiles.every((one) => after.get(one) <= COPIES) && sum <= size;
}

/** A new `kind` of `code`. A kong is always declared: until it is turned open, it is concealed. */
export const groupOf = (kind, code) => ({
  kind: kind === PAIRS ? "pair" : kind,
  tiles: tilesOf(kind, code),
  mark: kind === "kong" ? CONCEALED : "",
});

/** `hand` with a `kind` of `code` more; the same hand if it cannot be. */
export const add = (hand, kind, code, loses = false) =>
  canAdd(hand, kind, code, loses) ? [...hand, groupOf(kind, code)] : hand;

/** The index of the pung of `code` that one more tile makes a kong; -1 if there is none. */
export function pungToExtend(hand, code) {
  const free = (counts(hand).get(code) ?? 0) < COPIES;
  return free ? hand.findIndex(({ kind, tiles }) => kind === "pung" && tiles[0] === code) : -1;
}

/** `hand` with the fourth tile for its pung of `code`, which stays as open or concealed as it was. */
export function extendPung(hand, code) {
  const index = pungToExtend(hand, code);
  const kong = groupOf("kong", code);
  return hand.map((group, at) =>
    at === index ? { ...kong, mark: isOpen(group) ? OPEN : kong.mark } : group,
  );
}

/** `hand` without its group at `index`. */
export const remove = (hand, index) => hand.filter((_group, at) => at !== index);

/** Whether the group can lie open on the table: a set can, a pair or a loose tile cannot. */
export const canBeOpen = (group) => SET_KINDS.includes(group.kind);

export const isOpen = (group) => group.mark.startsWith(OPEN);

/** `hand` with the set at `index` turned from concealed to open, or back. */
export function toggleOpen(hand, index) {
  const toggled = (group) => ({
    ...group,
    mark: isOpen(group) ? groupOf(group.kind, group.tiles[0]).mark : OPEN,
  });
  return hand.map((group, at) => (at === index && canBeOpen(group) ? toggled(group) : group));
}

/** Whether `hand` has as many tiles as a winning hand: 14, and one more for each kong. */
export function isFull(hand) {
  const kongs = hand.filter(({ kind }) => kind === "kong").length;
  return hand.flatMap(({ tiles }) => tiles).length === HAND_SIZE + kongs;
}
