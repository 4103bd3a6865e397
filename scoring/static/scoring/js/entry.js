/**
 * A hand as its form says it, ready to be sent, or to wait on this phone.
 */

import { newKey } from "./outbox.js";

const TOKEN = "csrfmiddlewaretoken";

/** The pairs that `form` sends. A score that the table worked out itself goes without tiles. */
export function fieldsOf(form) {
  const fields = new FormData(form);
  if (fields.get("claimed_final")) {
    fields.delete("tiles");
  }
  fields.delete(TOKEN);
  return [...fields];
}

/** Whether anything has been entered in `form`. */
export function isTouched(form) {
  const { winner, tiles, claimed_final: score } = form.elements;
  return Boolean(winner.value || tiles.value || score.value);
}

/** Whether there is a hand to keep: a draw, a score, or a winner with all the tiles. */
export function isWhole(form) {
  const { winner, claimed_final: score } = form.elements;
  const full = Boolean(form.querySelector("[data-pad]").dataset.full);
  return Boolean(winner.value) && (winner.value === "draw" || Boolean(score.value) || full);
}

/** What `form` says, as an entry of the outbox. */
export function entryOf(form) {
  const { key, number } = form.elements;
  const seats = form.querySelector("[data-who-said]").textContent;
  const fields = fieldsOf(form);
  const said = Object.fromEntries(fields);
  return {
    key: key.value,
    at: Date.now(),
    user: form.dataset.user,
    game: form.dataset.game,
    url: form.getAttribute("action"),
    number: Number(number.value),
    fields,
    said: [seats, said.tiles ?? said.claimed_final].filter(Boolean).join(": "),
    state: "waiting",
    reasons: [],
  };
}

/** Begin `form` anew, for the hand `number`. */
export function clear(form, number) {
  for (const word of form.querySelectorAll(".conflict, .error-summary, .errorlist")) {
    word.remove();
  }
  fill(form, [["number", String(number)], ["key", newKey()]]);
}

/** Put `fields` (pairs) into `form`, and nothing else; the form fires `filled`. */
export function fill(form, fields) {
  const said = Object.fromEntries(fields);
  for (const name of ["winner", "discarder"]) {
    for (const radio of form.elements[name]) {
      radio.checked = radio.value === said[name];
    }
  }
  for (const name of ["number", "key", "tiles", "claimed_final"]) {
    form.elements[name].value = said[name] ?? "";
  }
  form.dispatchEvent(new Event("filled"));
  form.dispatchEvent(new Event("change", { bubbles: true }));
}
