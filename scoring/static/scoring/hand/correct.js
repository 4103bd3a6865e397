/**
 * The page that corrects a hand: the table's pad and row of seats, and the new score while one taps.
 */

import "../pad/pad.js";
import { dropClaimedTiles } from "../pad/claim.js";
import { startHtmxResponses } from "../shared/htmx_responses.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";
import { draftOf, fillForm } from "../table/hand_form.js";
import { startWinnerRows } from "../table/winner_row.js";

const form = document.querySelector("[data-correction]");

// The preview, too, is sent without the tiles of a claim.
form.addEventListener("formdata", ({ formData }) => dropClaimedTiles(formData));

startHtmxResponses();
startWinnerRows();

// What was entered stays with this entry of the browser's history, for who entered it, and comes back with it. The browser
// itself would bring back some fields, and not what the pad has put into others.
form.autocomplete = "off";
const entry = history.state?.entry ?? Math.random().toString(36).slice(2);
history.replaceState({ entry }, "");
const { user, key, number } = form.elements;
const name = `correction ${user.value} ${entry}`;

const keepEntered = () => setTabItem(name, JSON.stringify(draftOf(form)));

function showEntered() {
  const entered = getTabItem(name);
  if (entered) {
    fillForm(form, { key: key.value, number: number.value, fields: JSON.parse(entered) });
  }
  keepEntered(); // it may come from the site, which has shown it again
  form.addEventListener("input", keepEntered);
  form.addEventListener("change", keepEntered);
}

if (performance.getEntriesByType("navigation")[0]?.type === "navigate") {
  showEntered();
} else {
  window.addEventListener("pageshow", showEntered, { once: true });
}
