/**
 * The table page: the pad, the two rows of names, what others log meanwhile, and what cannot be sent.
 */

import "./pad.js";
import { startWatching } from "./live.js";
import { watchAnswers } from "./refused.js";
import { startForms } from "./winner.js";

const form = () => document.querySelector("[data-hand-form]");

/** The table moved on while this form was open: a fresh form, or a word beside what was entered. */
function follow() {
  const next = document.querySelector("[data-next-number]")?.dataset.nextNumber;
  const open = form();
  if (!open || !next || open.elements.number.value === next || open.dataset.told === next) {
    return;
  }
  open.dataset.told = next;
  if (open.querySelector("[name=winner]:checked") || open.elements.tiles.value) {
    window.htmx.trigger("#preview", "moved");
  } else {
    window.htmx.trigger("#log", "renew");
  }
}

/** Only the score: of a limit hand whose tiles nobody wants to lay out. */
function claim(points) {
  const { claimed_final: score, tiles } = form().elements;
  tiles.value = "";
  tiles.dispatchEvent(new Event("input", { bubbles: true }));
  score.value = points;
  score.closest("details").open = true;
  score.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("htmx:afterSettle", follow);
document.addEventListener("htmx:load", () => startForms());
document.addEventListener("click", ({ target }) => {
  const points = target.closest("[data-claim]")?.dataset.claim;
  if (points) {
    claim(points);
  }
});
// `toggle` does not bubble: it is caught on its way down.
document.addEventListener(
  "toggle",
  ({ target }) => target.open && target.querySelector("input")?.focus(),
  { capture: true },
);

startForms();
startWatching();
watchAnswers((element) => element === form());
