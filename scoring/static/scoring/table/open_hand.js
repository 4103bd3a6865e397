/**
 * Which hand the form of the table shows: the one that needs it most, or the next; what is entered there is
 * stored on this phone from the first tap on.
 */

import { isAsListed, isChangedByPerson, isOutdated, noteRefusal, noteStored, putIntoForm } from "./filled_hand.js";
import { draftFrom, earlyFrom, handFrom, isTouched, namesWhoLeft, startNewHand, textOf } from "./hand_form.js";
import { Preview } from "./preview.js";
import { forgetEarly, ownDrafts } from "../queue/early_hands.js";
import * as list from "../queue/entries.js";
import { confirmDiscard, context, queue, sender, showQueue } from "../queue/start.js";
import { applyState, confirmed, dropNotice, dropNoticeAboutForm, handForm, handsBefore, isNewRefusal, isRepeated, openEntry, openKey, page, predictedState, renewRefusal, setNotice, showRefusal, showSaving } from "./page_state.js";
import { pollNow } from "./polling.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";

const draftName = `draft ${context.user} ${context.game}`;
const typedName = `typed ${context.user} ${context.game}`;

// Of a hand that is no longer as the site has refused it.
const unrefused = { code: "", reasons: [], html: "" };

let successor = { of: "", key: "" };
const storing = []; // hands that are on their way into the list, as they were entered
let emptiedKey = ""; // of the hand about which the person was asked when it was emptied

/** The list as it is once it has what was entered: a form that comes anew between two taps has the first one, too. */
const entriesToCome = () => storing.reduce(list.enter, queue.entries);

// The keys that have been seen in the queue: one that is missing there was taken or discarded.
const knownKeys = new Set();

/** Let the form show the hand `key`, or the one that needs it most, or the next hand. */
export function openHand(key, anyDraft = false) {
  const form = handForm();
  if (!form) {
    return;
  }
  const entries = entriesToCome();
  const own = [getTabItem(draftName), ...ownDrafts(context)];
  const preferred = key ?? own.find((one) => list.isInForm(list.find(entries, one) ?? {}));
  const asked = list.find(entries, key);
  const entry = asked && list.isInForm(asked) ? asked : list.entryForForm(entries, context, preferred, anyDraft);
  delete form.dataset.shownState;
  showRefusal(); // of the hand that was there: filling the form is no change of the one that is coming
  if (entry) {
    if (!entry.order) {
      setTabItem(draftName, entry.key); // one that was saved before comes first by itself
    }
    putIntoForm(form, entry);
    if (namesWhoLeft(form, entry.fields)) {
      setNotice("whoLeft");
    } else {
      dropNotice("whoLeft");
    }
  } else {
    startNewHand(form, confirmed.state?.number ?? form.elements.number.value);
  }
  showRefusal(isOfOtherSeats(entry) ? undefined : entry);
  showQueue();
}

/** Whether the seats were changed since the site has refused `entry`: the preview says what is wrong by now. */
function isOfOtherSeats({ html = "" } = {}) {
  const [, then] = html.match(/data-players-then="([^"]*)"/) ?? [];
  return then !== undefined && then !== document.getElementById("log").dataset.players;
}

/** Something has changed in the form: what a person enters is stored; what the page puts there is in the list. */
function handleChange() {
  if (isChangedByPerson(handForm())) {
    storeDraft();
  } else {
    dropNoticeAboutForm();
  }
}

/** Store what is being entered. */
function storeDraft() {
  const hand = draftFrom(handForm(), context);
  const entry = openEntry();
  if (!hand.fields.length && entry && list.outlivesEmptying(queue.entries, entry)) {
    emptyHand(entry, hand);
    return;
  }
  emptiedKey = "";
  if (document.querySelector("[data-refusal] .error-summary") || isOfOtherSeats(entry)) {
    // From the first change on, the preview says what is wrong; after a reload as well.
    showRefusal();
    Object.assign(hand, unrefused);
  }
  setNotice(""); // it was about what was there before
  const isStored = Boolean(entry) || storing.some(({ key }) => key === hand.key);
  if (!hand.fields.length && isStored) {
    startAnother(list.newKey());
  }
  if (isStored || hand.fields.length) {
    if (!entry?.order) {
      setTabItem(draftName, hand.key); // one that was saved before comes first by itself
    }
    enter(hand);
  }
}

/**
 * Store `hand`, which is being entered. From then on the form follows it, until a person changes something. Where it is
 * gone, because another tab has saved or discarded it and this one has not heard so yet, what is entered is another one.
 */
async function enter(hand) {
  const form = handForm();
  const text = textOf(form);
  const another = successorOf(hand.key);
  let entry;
  storing.push(hand);
  try {
    await queue.change((entries) => {
      const isGone = knownKeys.has(hand.key) && !list.find(entries, hand.key);
      const entered = isGone ? { ...hand, ...unrefused, key: another } : hand;
      const after = list.enter(entries, entered);
      entry = list.find(after, entered.key);
      return after;
    });
  } finally {
    storing.splice(storing.indexOf(hand), 1);
  }
  if (entry?.key === another && openKey() === hand.key) {
    startAnother(another);
  }
  if (entry && noteStored(form, text, entry)) {
    leaveStaleHand(); // another tab may have been quicker
  }
}

/** The key of what is entered after the hand `key` is gone: two quick taps are about one hand. */
function successorOf(key) {
  if (successor.of !== key) {
    successor = { of: key, key: list.newKey() };
  }
  return successor.key;
}

/** What is entered in the form from now on is another hand: `key`. */
function startAnother(key) {
  handForm().elements.key.value = key;
  showRefusal(); // it was about the other one
}

/**
 * The hand `entry` was emptied, and others wait for it, or the site may have it: it is thrown away, and those behind it
 * move up, or it is entered again in its place.
 */
function emptyHand(entry, hand) {
  if (!entry.fields.length || emptiedKey === entry.key) {
    return;
  }
  emptiedKey = entry.key;
  const { emptied } = document.querySelector("[data-unsaved]").dataset;
  const why = list.holdsOthers(queue.entries, entry) ? emptied.replace("{number}", entry.number) : "";
  if (confirmDiscard(entry, why)) {
    discardOpenHand();
    return;
  }
  showRefusal(); // it was about what was there before
  setNotice("");
  const another = list.newKey();
  if (entry.tried) {
    emptiedKey = handForm().elements.key.value = another;
  }
  if (!entry.order) {
    setTabItem(draftName, openKey());
  }
  queue.change((entries) => list.enterAnew(entries, { ...hand, ...unrefused }, another));
}

/** Discard the hand in the form. */
export async function discardOpenHand() {
  page.isSaving = true;
  try {
    forgetEarly({ ...context, key: openKey() });
    await queue.change((entries) => list.discard(entries, openKey()));
  } finally {
    page.isSaving = false;
    showSaving(); // the form may have come anew meanwhile
  }
  openHand();
  sender.retryNow();
  pollNow();
}

/**
 * Another tab has changed, saved or discarded the hand that is in this form as well: the form follows. Only what was
 * changed here at that very moment, and is in no list, is a hand of its own.
 */
export function leaveStaleHand() {
  const form = handForm();
  const entry = openEntry();
  // What a new form has is not this page's yet.
  if (!form || !("started" in form.dataset) || page.isSaving) {
    return;
  }
  const isListed = isAsListed(form);
  if (isListed && entry && !isSaved(entry) && isOutdated(entry)) {
    openHand(entry.key);
    return;
  }
  if (!knownKeys.has(openKey()) || (entry && !isSaved(entry))) {
    return;
  }
  if (isListed || !isTouched(form) || list.isStored(queue.entries, handFrom(form, context))) {
    openHand();
  } else {
    startAnother(successorOf(openKey()));
    storeDraft();
  }
}

/** A hand was refused, whichever tab has sent it: it lies in the form, unless something else does. */
function openRefused() {
  const form = handForm();
  if (!form || !("started" in form.dataset) || page.isSaving || openEntry() || isTouched(form)) {
    return;
  }
  if (list.entryForForm(queue.entries, context, "", false)?.code) {
    openHand();
  }
}

const isSaved = (entry) => !list.isInForm(entry);

/** The list has changed: remember every key that was ever in it, for `leaveStaleHand`; what was refused is shown. */
export function trackQueue() {
  leaveStaleHand();
  for (const { key } of queue.entries) {
    knownKeys.add(key);
  }
  openRefused();
}

/** Begin with the form, if there is a new one; `submit` saves what is in it. */
export function startHandForm(submit) {
  const form = handForm();
  if (!form || "started" in form.dataset) {
    return;
  }
  form.dataset.started = "";
  const preview = new Preview(document.getElementById("preview"), form, () => handsBefore().length > 0);
  page.preview = preview;
  preview.showResting();
  form.addEventListener("submit", submit);
  showSaving();
  if ("typed" in form.dataset) {
    openTyped(form);
  } else if (isTouched(form)) {
    // It was tapped before the queue was read. The key of a stored page is the same at each load, and its number is
    // that of a game without the hands that wait.
    if ("begun" in form.dataset) {
      startEarly(form);
    } else {
      form.elements.key.value = list.newKey();
      form.elements.number.value = predictedState()?.number ?? form.elements.number.value;
    }
    takeIn();
  } else {
    openHand(undefined, true);
  }
  form.addEventListener("change", handleChange);
  form.addEventListener("input", handleChange);
  form.addEventListener("refused", ({ detail: { key, refusal } }) => {
    if (openKey() !== key) {
      return;
    }
    applyState(refusal.word); // the page may not have heard of the hand that stands there
    // Another hand stands at its place by now, or that one says something else.
    if (isNewRefusal(refusal)) {
      // Stored before it is shown: what the page finds out about it then comes after it in the list.
      queue.change((entries) => {
        const renewed = list.renewRefusal(entries, key, refusal);
        noteRefusal(list.find(renewed, key));
        return renewed;
      });
      renewRefusal(refusal);
    }
  });
}

/**
 * `form` has a hand that was saved before the queue was read. It comes behind what was saved before this page was loaded. Where
 * another tab saved one since, it keeps the number that the page showed: the site asks about it. The same hand comes behind
 * all: the phone asks.
 */
function startEarly(form) {
  const { number } = form.elements;
  const isSame = isRepeated(form, earlyFrom(form, context));
  const before = list.queueOf(queue.entries, context).filter(({ order }) => isSame || order < performance.timeOrigin);
  number.value = Math.max(number.value, ...before.map((entry) => entry.number + 1));
}

/** Store what is in the form before anything was changed there, and show what it brings. */
function takeIn() {
  storeDraft();
  page.preview.schedule(0);
}

/**
 * `form` has what was typed before signing in, which the site gives back until a hand is saved: once that was taken
 * in, the queue knows what became of it.
 */
function openTyped(form) {
  const key = openKey();
  const entry = list.find(queue.entries, key);
  if (entry && list.isInForm(entry)) {
    openHand(key);
  } else if (entry || getTabItem(typedName) === key || !isTouched(form)) {
    openHand(undefined, true);
  } else {
    takeIn();
  }
  setTabItem(typedName, key);
}
