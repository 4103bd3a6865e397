/**
 * Where a game stands once the hands that wait on this phone are sent: what the page shows follows from
 * the site's last word and these hands alone.
 */

import { after } from "./table_state.js";

/**
 * The state of the table after `waiting`, the hands of this table that the site does not have yet.
 *
 * @param {{round: string, dealer: number, number: number, finished: boolean}} word the site's last word
 * @param {{fields: [string, string][], number: number}[]} waiting in the order they were saved
 * @param {(winner: string) => ?number} placeOf the place of a player's id; null for a drawn hand
 * @param {{win: boolean, draw: boolean}} stays whether the dealer stays after winning, after a draw
 */
export function predict(word, waiting, placeOf, stays) {
  const ahead = waiting.filter(({ number }) => number >= word.number);
  return ahead.reduce((state, { fields, number }) => {
    const { winner } = Object.fromEntries(fields);
    // A hand that is being corrected is not among them, but keeps its number.
    return state.finished ? state : after({ ...state, number }, placeOf(winner), stays);
  }, word);
}

/** The later of two words of the site; either may be missing. `at` is the site's clock, in milliseconds. */
export const later = (one, other) => {
  if (!one || !other) {
    return one ?? other;
  }
  return other.at > one.at ? other : one;
};
