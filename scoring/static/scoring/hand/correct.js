/**
 * The page that corrects a hand: the table's pad and row of seats, and the new score while one taps.
 */

import "../pad/pad.js";
import { startHtmxResponses } from "../shared/htmx_responses.js";
import { csrfToken } from "../queue/site.js";
import { startWinnerRows } from "../table/winner_row.js";

const form = document.querySelector("[data-correction]");

// A score that the table worked out itself goes without tiles.
form.addEventListener("formdata", ({ formData }) => {
  if (formData.get("claimed_final")) {
    formData.delete("tiles");
  }
});

// Who signed in again in another tab has another token: the cookie knows it.
form.addEventListener("submit", () => {
  const token = csrfToken();
  if (token) {
    form.elements.csrfmiddlewaretoken.value = token;
  }
});

startHtmxResponses();
startWinnerRows();
