/**
 * The page that corrects a hand: the table's pad and row of seats, and the new score while one taps.
 */

import "../pad/pad.js";
import { dropClaimedTiles } from "../pad/claim.js";
import { startHtmxResponses } from "../shared/htmx_responses.js";
import { csrfToken } from "../queue/site.js";
import { startWinnerRows } from "../table/winner_row.js";

const form = document.querySelector("[data-correction]");

// The preview, too, is sent without the tiles of a claim.
form.addEventListener("formdata", ({ formData }) => dropClaimedTiles(formData));

// Who signed in again in another tab has another token: the cookie knows it.
form.addEventListener("submit", () => {
  const token = csrfToken();
  if (token) {
    form.elements.csrfmiddlewaretoken.value = token;
  }
});

startHtmxResponses();
startWinnerRows();
