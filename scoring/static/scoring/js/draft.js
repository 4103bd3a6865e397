/**
 * A hand that is half entered survives that the page is loaded anew: it is kept on this phone, for
 * this member at this table, until it is saved, cleared, or another hand is the next one.
 */

import { fill, isTouched } from "./entry.js";

const KEPT = ["winner", "discarder", "tiles", "claimed_final"];

const nameOf = (form) => `draft ${form.dataset.user} ${form.dataset.game}`;

function said(form) {
  const fields = [...new FormData(form)].filter(([name]) => KEPT.includes(name));
  // While a limit hand is laid out it is claimed as well: its tiles say more.
  const laidOut = form.querySelector("[data-pad]").dataset.limit;
  return laidOut ? fields.filter(([name]) => name !== "claimed_final") : fields;
}

/** Throw away what is kept of `form`. */
export function forgetDraft(form) {
  try {
    localStorage.removeItem(nameOf(form));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function keep(form) {
  if (!isTouched(form)) {
    forgetDraft(form);
    return;
  }
  const draft = { number: form.elements.number.value, fields: said(form) };
  try {
    localStorage.setItem(nameOf(form), JSON.stringify(draft));
  } catch {
    // Full, or not allowed: then a reload begins anew.
  }
}

/** Keep what is entered in `form` from now on. */
export function keepDrafts(form) {
  form.addEventListener("change", () => keep(form));
  form.addEventListener("input", () => keep(form));
  if (isTouched(form)) {
    keep(form);
  }
}

/** Enter into `form` what is kept of the hand that it is for, if nothing is entered yet. */
export function restoreDraft(form) {
  if (isTouched(form)) {
    return;
  }
  const { number, key } = form.elements;
  let draft;
  try {
    draft = JSON.parse(localStorage.getItem(nameOf(form)));
  } catch {
    return;
  }
  if (draft?.number === number.value) {
    fill(form, [["number", number.value], ["key", key.value], ...draft.fields]);
  } else {
    forgetDraft(form);
  }
}
