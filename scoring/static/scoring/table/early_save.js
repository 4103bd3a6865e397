/**
 * Save before the queue of this phone is read: it waits for that. Without this the browser would send the form itself,
 * past the queue.
 *
 * Until the queue has the hand the tab keeps it, by the key that it has from then on. Whoever loads the page again
 * meanwhile finds it as one that was begun, and saves it once more: others may have logged it since.
 */

import { draftFrom, fieldsOf, saysTheSame } from "./hand_form.js";
import { submit } from "./saving.js";
import * as list from "../queue/entries.js";
import { context, queue } from "../queue/start.js";
import { handForm, page, setNotice, showSaving } from "./page_state.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const name = `saves ${context.user} ${context.game}`;

const readKept = () => JSON.parse(getTabItem(name) || "[]");
const keep = (hands) => setTabItem(name, hands.length ? JSON.stringify(hands) : "");

const left = readKept(); // by the pages before this one
let held; // the submit event
let hand; // as the form said it then: to be entered again
let fields; // to be sent

/** From now on Save waits, until `stopHolding`. */
export function holdSaves() {
  document.addEventListener("submit", hold);
}

/** The queue is read: hands that an earlier load of the page has left are in it from now on, as begun ones. */
export async function stopHolding() {
  if (left.length) {
    await queue.change((entries) => left.splice(0).reduce(enterLast, entries));
    keep(hand ? [hand] : []);
  }
  document.removeEventListener("submit", hold);
  page.isSaving = false;
}

function hold(event) {
  const form = event.target;
  if (form !== handForm()) {
    return;
  }
  event.preventDefault();
  if (!("typed" in form.dataset || "begun" in form.dataset)) {
    form.elements.key.value = list.newKey(); // a stored page has the same one at each load
    form.dataset.begun = "";
  }
  held = event;
  hand = draftFrom(form, context);
  fields = fieldsOf(form);
  keep([...left, hand]);
  page.isSaving = true;
  showSaving();
  setNotice("reading", "", { isTrouble: false });
}

/** Save what was held, if the form still says it: it may show a hand of the queue by now. */
export async function finishHeldSave() {
  if (!held) {
    return;
  }
  const form = handForm();
  setNotice("");
  if (held.target === form && saysTheSame(form, fields)) {
    submit(held);
    await queue.change((entries) => entries); // after what is being stored
  } else {
    await queue.change((entries) => enterLast(entries, hand));
  }
  keep([]);
}

/** `entered` as one that was begun and not saved, behind the hands that wait; if the list knows it, as it is there. */
function enterLast(entries, entered) {
  if (list.find(entries, entered.key)) {
    return entries;
  }
  const taken = list.queueOf(entries, context).map(({ number }) => number + 1);
  return list.enter(entries, { ...entered, number: Math.max(entered.number, ...taken) });
}
