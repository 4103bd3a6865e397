/**
 * The hand that the page itself has put into the form: as long as nobody has changed it there, the form follows what
 * becomes of that hand in the list. What a person has changed is theirs, also once it says the same again.
 */

import { fillForm, textOf } from "./hand_form.js";

let isFilling = false;
let filled; // {form, key, text, shown} of the hand that lies in the form as the page has put it there

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
  filled = { form, key: entry.key, text: textOf(form), shown: shownOf(entry) };
}

/** Whether nobody has changed the hand that the page has put into `form`. */
export const isAsFilled = (form) =>
  form === filled?.form && form.elements.key.value === filled.key && textOf(form) === filled.text;

/** Whether `entry`, which lies in the form as the page has put it there, is another one by now. */
export const isOutdated = (entry) => shownOf(entry) !== filled.shown;

/** Something has happened in `form`. True: a person has changed the hand there, and it is theirs from now on. */
export function isChangedByPerson(form) {
  if (isFilling || isAsFilled(form)) {
    return false;
  }
  filled = undefined;
  return true;
}
