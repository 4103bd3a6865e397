/**
 * The page runs ahead of the site: with hands that wait on this phone, it says which hand comes next,
 * who deals, and who sits in which wind.
 */

import { after, seatWind } from "./fold.js";
import { WINDS } from "./tiles.js";

const TILES = document.documentElement.dataset.tiles;

/** Where the site last said the game stands, or undefined without a table. */
export function known() {
  const { round, dealer, nextNumber, stays } = document.getElementById("state")?.dataset ?? {};
  return (
    round && {
      state: {
        round,
        dealer: Number(dealer),
        number: Number(nextNumber),
        finished: nextNumber === "over",
      },
      stays: { win: stays.includes("win"), draw: stays.includes("draw") },
    }
  );
}

/** Where the game stands after `entries`, those that the site does not have yet. */
export function reckon(form, entries) {
  const { state, stays } = known();
  const ahead = entries.filter(({ number }) => number >= state.number);
  return ahead.reduce((table, { fields }) => after(table, placeOf(form, fields), stays), state);
}

/** The winner's place, or null for a drawn hand. */
function placeOf(form, fields) {
  const { winner } = Object.fromEntries(fields);
  const { place } = form.querySelector(`[data-seat="${winner}"]`)?.dataset ?? {};
  return place === undefined ? null : Number(place);
}

const nameOf = (wind) => document.querySelector(`[data-tile="${wind}"]`).getAttribute("aria-label");

/** Show `state`: above the table, and the winds at the seats of `form`. */
export function show(form, state) {
  for (const seat of form.querySelectorAll("[data-wind-of]")) {
    const wind = seatWind(state, Number(seat.dataset.windOf));
    seat.querySelector("use").setAttribute("href", `${TILES}#t-${wind}`);
    seat.querySelector("svg").setAttribute("aria-label", nameOf(wind));
  }
  const dealer = form.querySelector(`[data-place="${state.dealer}"] [data-name]`).textContent;
  word("heading", state.finished, {
    wind: (words) => words.winds.split(",")[WINDS.indexOf(state.round)],
    number: () => state.number,
  });
  word("deals", state.finished, { dealer: () => dealer });
}

/** Word the element with `data-NAME` after its template of that name, or as the game is over. */
function word(name, over, values) {
  const element = document.querySelector(`[data-${name}]`);
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
