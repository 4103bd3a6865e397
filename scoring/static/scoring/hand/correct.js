/**
 * The page that corrects a hand: the table's pad and row of seats, and the new score while one taps.
 */

import "../pad/pad.js";
import { dropClaimedTiles } from "../pad/claim.js";
import { startHtmxResponses } from "../shared/htmx_responses.js";
import { startWinnerRows } from "../table/winner_row.js";

const form = document.querySelector("[data-correction]");

// The preview, too, is sent without the tiles of a claim.
form.addEventListener("formdata", ({ formData }) => dropClaimedTiles(formData));

startHtmxResponses();
startWinnerRows();

// After "back" or "forward" the browser fills the form in again, when everything here has read it.
if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") {
  window.addEventListener("pageshow", () => {
    form.dispatchEvent(new Event("filled"));
    form.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
