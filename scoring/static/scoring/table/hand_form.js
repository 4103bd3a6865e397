/**
 * The form of a hand: what it says as an entry of the queue, and an entry put into it.
 */

import { dropClaimedTiles } from "../pad/claim.js";
import { newKey } from "../queue/entries.js";
import { nameOf, outcomeText } from "./winner_row.js";

// What the form sends beside the hand itself.
const EXCLUDED_FIELDS = new Set(["csrfmiddlewaretoken", "number", "key"]);

/** The pairs that say what was entered. A score that the table worked out itself goes without tiles. */
export function fieldsOf(form) {
  const fields = new FormData(form);
  dropClaimedTiles(fields);
  return [...fields].filter(([name, value]) => value && !EXCLUDED_FIELDS.has(name));
}

/** The pairs to be entered again after a reload. */
export const draftOf = (form) =>
  [...new FormData(form)].filter(([name, value]) => value && !EXCLUDED_FIELDS.has(name));

/** All that was entered in `form`, as one text. */
export const textOf = (form) => JSON.stringify(draftOf(form));

/** Whether anything has been entered in `form`. */
export const isTouched = (form) => fieldsOf(form).length > 0;

/**
 * Where `form` offers another number for the hand in it: another stands, or stood, at its place, or may come to stand there.
 * Where its key was used already, no other number helps.
 */
export const conflictIn = (form) => form.querySelector("[data-refusal] .conflict [name=as_number]");

/** The number of the hand that has the same winner and tiles, where a refusal in `form` says so; else "". */
export const numberOfSame = (form) => form.querySelector("[data-refusal] [data-same]")?.dataset.same ?? "";

/** Whether `form` asks which tile came last, of rules that cannot score the tiles without, and nobody said. */
export function lacksLastTile(form) {
  const { winning_tile: last, claimed_final: score, claimed_limit: limit } = form.elements;
  const isAsked = Boolean(form.querySelector("[data-last][data-needed]:not([hidden])"));
  return isAsked && !(last.value || score.value || limit.value);
}

/** What a hand in `form` that is not whole lacks first: a notice of the page, by its name. */
export function firstLacking(form) {
  const { winner, discarder } = form.elements;
  if (!winner.value) {
    return "lacksWinner";
  }
  if (!discarder.value) {
    return "lacksDiscarder";
  }
  return lacksLastTile(form) ? "lacksLastTile" : "lacksTiles";
}

/** Why the table cannot have worked out the score in `form`, in the words of its rules; "" if it can. */
export function claimProblem(form) {
  const { value, dataset } = form.elements.claimed_final;
  const score = Number(value);
  const [least, most, step] = [dataset.least, dataset.most, dataset.step].map(Number);
  if (!value || !dataset.most) {
    return ""; // a page that was stored by an earlier release does not say
  }
  if (dataset.listed) {
    return dataset.listed.split(" ").includes(String(score)) ? "" : dataset.unlisted;
  }
  if (!(score >= least && score <= most)) {
    return dataset.outside;
  }
  return score % step === 0 || score === most ? "" : dataset.unrounded;
}

/** Whether there is a hand to keep: a draw, or a win with its discarder and tiles, score or limit. */
export function isWhole(form) {
  const { winner, discarder, claimed_final: score, claimed_limit: limit } = form.elements;
  const full = Boolean(form.querySelector("[data-pad]").dataset.full) && !lacksLastTile(form);
  const won = Boolean(winner.value && discarder.value);
  const claimed = Boolean(score.value || limit.value) && !claimProblem(form);
  return winner.value === "draw" || (won && (score.value ? claimed : full || claimed));
}

/** Who won, and off whom as far as it is known. */
function outcomeOf(form, winner, discarder) {
  if (winner === "draw" || (winner && discarder)) {
    return outcomeText(form, winner, discarder);
  }
  return nameOf(form, winner);
}

/** The limit hand `id` by its name. */
const limitOf = (form, id) =>
  id && form.querySelector(`[name=claimed_limit] [value="${id}"]`)?.text;

/** The hand that `fields` say, in the words of `form`; without one, `who` won off whom, as the site says it. */
function labelOf(form, fields, who = "") {
  const { winner, discarder, tiles, value, claimed_final: score, claimed_limit: limit } = Object.fromEntries(fields);
  const outcome = form ? outcomeOf(form, winner, discarder) : who;
  const worth = score || value || (form && limitOf(form, limit)) || tiles || (form && callersOf(form, fields));
  return [outcome, worth].filter(Boolean).join(": ");
}

/** The names of those who were calling at a draw. */
const callersOf = (form, fields) =>
  fields
    .filter(([name]) => name.startsWith("calling-"))
    .map(([name]) => nameOf(form, name.split("-")[1]))
    .filter(Boolean)
    .join(", ");

/** When an entry of the queue was made, by whom and at which table. */
const madeNow = ({ user, userName, game, tableName }) => ({ at: Date.now(), user, userName, game, tableName });

/** What `form` says, as an entry of the queue; `context` says who enters it at which table. */
function entryOf(form, context, fields) {
  const { key, number } = form.elements;
  return {
    ...madeNow(context),
    key: key.value,
    page: form.dataset.page,
    number: Number(number.value),
    fields,
    whole: isWhole(form),
    label: labelOf(form, fields),
  };
}

/** The address of the table: a form that was sent without its script is answered at another one. */
const tablePath = () => document.getElementById("log").getAttribute("hx-get");

/** The hand as it is sent. */
export const handFrom = (form, context) => entryOf(form, context, fieldsOf(form));

/** The hand as it is being entered. */
export const draftFrom = (form, context) => entryOf(form, context, draftOf(form));

/** The hand as it is saved before the queue is read. */
export const earlyFrom = (form, context) => ({ ...draftFrom(form, context), early: true });

/** A hand that no form has shown yet, with what `fields` say; `form` has the words for it, or `who` won off whom. */
export const newHand = (form, context, { fields, number, who }) => ({
  ...madeNow(context),
  key: newKey(),
  page: tablePath(),
  number,
  fields,
  whole: true,
  label: labelOf(form, fields, who),
});

/** Begin `form` anew, for the hand `number`, which gets an identity of its own. */
export const startNewHand = (form, number) => fillForm(form, { key: newKey(), number, fields: [] });

const PEOPLE = new Set(["winner", "discarder", "liable"]);
const OF_A_PLAYER = /^(other|staked|calling)-(\d+)/;

/** `fields`, which may name a player whose record was merged with another one meanwhile, with who that is now. */
function renamed(fields, { merged = "" }) {
  const now = new Map(merged.split(" ").map((pair) => pair.split(":")));
  const nowOf = (id) => now.get(id) ?? id;
  return fields.map(([name, value]) => [
    name.replace(OF_A_PLAYER, (_all, what, id) => `${what}-${nowOf(id)}`),
    PEOPLE.has(name) ? nowOf(value) : value,
  ]);
}

/** Whether somebody won or discarded, by `fields`, whom `form` does not offer: they play here no longer. */
export const namesWhoLeft = (form, fields) =>
  renamed(fields, form.dataset).some(
    ([name, value]) =>
      ["winner", "discarder"].includes(name) &&
      /^\d+$/.test(value) &&
      ![...form.elements[name]].some((radio) => radio.value === value),
  );

/** Put the hand `entry` into `form`, and nothing else; the form fires `filled`. */
export function fillForm(form, { key, number, fields }) {
  const values = { ...Object.fromEntries(renamed(fields, form.dataset)), key, number: String(number) };
  for (const element of form.elements) {
    const { name, type } = element;
    if (!name || name === "csrfmiddlewaretoken" || type === "submit") {
      continue;
    }
    if (type === "radio" || type === "checkbox") {
      element.checked = element.value === (values[name] ?? "");
    } else {
      element.value = values[name] ?? "";
    }
  }
  form.dispatchEvent(new Event("filled"));
  form.dispatchEvent(new Event("change", { bubbles: true }));
}
