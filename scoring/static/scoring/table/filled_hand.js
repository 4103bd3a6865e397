/**
 * The hand in the form as the list has it, too: as the page has put it there, or as it was stored after a person changed
 * it. Until somebody changes it here, the form follows what becomes of that hand in the list: whichever tab of this phone
 * was changed last has the hand.
 */

import { fillForm, textOf } from "./hand_form.js";

let isFilling = false;
let listed; // {form, key, text, shown}: what the form and the list both say of the hand; nothing while they differ

/** What a form shows of `entry`. */
const shownOf = ({ fields, code, reasons, html }) => JSON.stringify([fields, code, reasons, html]);

/** Put the hand `entry` into `form`. */
export function putIntoForm(form, entry) {
  isFilling = true;
  try {
    fillForm(form, entry);
  } finally {
    isFilling = false;
  }
  listed = { form, key: entry.key, text: textOf(form), shown: shownOf(entry) };
}

/** `form` said `text` when that was stored as `entry`. False: it says something else by now, or has another hand. */
export function noteStored(form, text, entry) {
  const isStored = JSON.stringify(entry.fields) === text; // it is not where another tab has saved the hand meanwhile
  if (!isStored || form.elements.key.value !== entry.key || textOf(form) !== text) {
    return false;
  }
  listed = { form, key: entry.key, text, shown: shownOf(entry) };
  return true;
}

/** Whether the list has, or had, the hand as it is in `form`. */
export const isAsListed = (form) =>
  form === listed?.form && form.elements.key.value === listed.key && textOf(form) === listed.text;

/** Whether `entry`, which lies in the form as it was in the list, is another one by now. */
export const isOutdated = (entry) => shownOf(entry) !== listed.shown;

/** The page itself shows what `entry`, the hand in the form, says of its refusal by now. */
export function noteRefusal(entry) {
  if (entry && entry.key === listed?.key) {
    listed.shown = shownOf(entry);
  }
}

/** Something has happened in `form`. True: a person has changed the hand there. */
export function isChangedByPerson(form) {
  if (isFilling || isAsListed(form)) {
    return false;
  }
  listed = undefined;
  return true;
}
