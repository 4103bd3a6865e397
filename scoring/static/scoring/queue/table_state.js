/**
 * Where a game stands after hands that the server has not seen yet: who deals, which wind, which hand.
 *
 * By the same rules as `TableState.after` in scoring/evaluator/table.py. Only the page uses it, until the site
 * confirms the state.
 */

import { WINDS } from "../pad/tiles.js";

/**
 * The table after one more hand.
 *
 * @param {{round: string, dealer: number, number: number, finished: boolean}} state places 0 to 3
 * @param {?number} winner the winner's place; null for a drawn hand
 * @param {{win: boolean, draw: boolean, rounds: ?number}} stays whether the dealer stays after winning,
 *   after a draw; after how many rounds the game is over, where that is not four
 */
export function after(state, winner, stays) {
  const next = { ...state, number: state.number + 1 };
  const same = winner === null ? stays.draw : winner === state.dealer && stays.win;
  if (same) {
    return next;
  }
  const dealer = (state.dealer + 1) % WINDS.length;
  if (dealer) {
    return { ...next, dealer };
  }
  const round = WINDS.slice(0, stays.rounds)[WINDS.indexOf(state.round) + 1];
  return round ? { ...next, dealer, round } : { ...next, finished: true };
}

/** The wind that `place` sits in: the dealer is East. */
export const seatWind = ({ dealer }, place) => WINDS[(place - dealer + WINDS.length) % WINDS.length];
