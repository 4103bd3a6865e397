/**
 * The 34 kinds of tiles by their canonical codes: "1B" to "9D", winds "E S W N", dragons "R G Wh".
 */

const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const SUITS = ["B", "C", "D"];
export const WINDS = ["E", "S", "W", "N"];
export const DRAGONS = ["R", "G", "Wh"];
export const HONORS = [...WINDS, ...DRAGONS];
export const CODES = [...SUITS.flatMap((suit) => RANKS.map((rank) => `${rank}${suit}`)), ...HONORS];
export const COPIES = 4;

/** 1 to 9, or 0 for an honor. */
export const rank = (code) => Number.parseInt(code, 10) || 0;

/** "B", "C", "D", or "" for an honor. */
export const suit = (code) => (rank(code) ? code.at(-1) : "");

export const isHonor = (code) => rank(code) === 0;
export const isTerminal = (code) => rank(code) === 1 || rank(code) === 9;

/** The tile `steps` ranks above `code` in its suit; undefined where the suit ends. */
export function above(code, steps) {
  const higher = rank(code) + steps;
  return isHonor(code) || higher > 9 ? undefined : `${higher}${suit(code)}`;
}
