/**
 * Where a game stands once the hands that wait on this phone are sent. It follows from the state that the
 * site has confirmed and from these hands alone.
 */

import { after } from "./table_state.js";

/**
 * The state of the table after `waiting`, the hands of this table that the site does not have yet.
 *
 * @param {{round: string, dealer: number, number: number, finished: boolean}} confirmed the state
 *   that the site has confirmed
 * @param {{fields: [string, string][], number: number}[]} waiting in the order they were saved
 * @param {(winner: string) => ?number} placeOf the place of a player's id; null for a drawn hand
 * @param {{win: boolean, draw: boolean, calling: boolean}} stays whether the dealer stays after winning,
 *   after a draw; after a draw only while calling
 */
export function predict(confirmed, waiting, placeOf, stays) {
  const unconfirmed = waiting.filter(({ number }) => number >= confirmed.number);
  return unconfirmed.reduce((state, { fields, number }) => {
    const { winner } = Object.fromEntries(fields);
    const draw = stays.calling ? isCalling(fields, placeOf, state.dealer) : stays.draw;
    // A hand that is being corrected is not among them, but keeps its number.
    return state.finished
      ? state
      : after({ ...state, number }, placeOf(winner), { ...stays, draw });
  }, confirmed);
}

/** Whether a dealer who stays only while calling does so after a draw: also if it was broken off. */
const isCalling = (fields, placeOf, dealer) =>
  fields.some(([name]) => {
    const [what, player] = name.split("-");
    return what === "abortive" || (/staked|calling/.test(what) && placeOf(player) === dealer);
  });

/** The later of two states that the site has sent; either may be missing. `at` is the site's clock, in milliseconds. */
export const laterState = (one, other) => {
  if (!one || !other) {
    return one ?? other;
  }
  return other.at > one.at ? other : one;
};
