/**
 * Words the page for a game that stands where `state` says: above the table, and at the seats of the form.
 */

import { seatWind } from "../queue/table_state.js";
import { WINDS } from "../pad/tiles.js";

const TILE_SPRITE = document.documentElement.dataset.tiles;

/** What the page says of the table: who sits at which place, and when the dealer stays. */
export function tableOnPage() {
  const { players, stays, rounds } = document.getElementById("state").dataset;
  const ids = players.split(" ");
  return {
    placeOf: (winner) => (ids.includes(winner) ? ids.indexOf(winner) : null),
    stays: {
      win: stays.includes("win"),
      draw: stays.includes("draw"),
      calling: stays.includes("calling"),
      rounds,
    },
  };
}

const windName = (wind) => document.querySelector(`[data-tile="${wind}"]`).getAttribute("aria-label");

/** Show `state`: above the table, and the winds at the seats of `form`. */
export function showState(form, state) {
  for (const seat of form.querySelectorAll("[data-wind-of]")) {
    const wind = seatWind(state, Number(seat.dataset.windOf));
    seat.querySelector("use").setAttribute("href", `${TILE_SPRITE}#t-${wind}`);
    seat.querySelector("svg").setAttribute("aria-label", windName(wind));
  }
  showHeading(state);
}

/** Show `state` above the table. */
export function showHeading(state) {
  writeText("heading", state.finished, {
    wind: (words) => words.winds.split(",")[WINDS.indexOf(state.round)],
    number: () => state.number,
  });
  writeText("deals", state.finished, { dealer: () => nameAt(state.dealer) });
}

/** Who sits at `place` by the board: the form may be of somebody who was replaced since. */
function nameAt(place) {
  const player = document.getElementById("state").dataset.players.split(" ")[place];
  return document.getElementById(`place-${player}`)?.textContent ?? "";
}

/** Write the element with `data-NAME` after its template of that name, or as the game is over. */
function writeText(name, over, values) {
  const element = document.querySelector(`[data-${name}]`);
  if (!element) {
    return; // nobody deals once the game is over
  }
  const words = element.dataset;
  const filled = Object.entries(values).reduce(
    (text, [key, value]) => text.replace(`{${key}}`, value(words)),
    words[name],
  );
  const text = over ? words.over : filled;
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
