/**
 * What the table page shows: the confirmed state of the game and the hands that wait; the notice under the
 * pad, and why a hand is not saved.
 */

import { conflictIn, fieldsOf, isTouched } from "./hand_form.js";
import { showHeading, showState, tableOnPage } from "./optimistic_state.js";
import * as list from "../queue/entries.js";
import { predict } from "../queue/predict.js";
import { context, queue } from "../queue/start.js";
import { ConfirmedState } from "../queue/confirmed_state.js";

/** `isSaving` while Save is under way; `preview` of the hand in the form, where there is one. */
export const page = { isSaving: false, preview: undefined };

/** While a hand is being saved nothing is entered: a tap would be for the next hand, which has no form yet. */
export function showSaving() {
  const form = handForm();
  if (form) {
    form.querySelector("[data-save]").disabled = page.isSaving;
  }
  for (const part of form?.querySelectorAll("[data-seats-row], .calls, [data-win-only]") ?? []) {
    part.inert = page.isSaving;
  }
}

/** The state of this game as the site has confirmed it. */
export const confirmed = new ConfirmedState(context);

export const handForm = () => document.querySelector("[data-hand-form]");
export const openKey = () => handForm()?.elements.key.value ?? "";
export const openEntry = () => list.find(queue.entries, openKey());

/** The hands that will be logged before the one in the form. */
export const handsBefore = () => list.savedBefore(queue.entries, context, openKey());

/** The game as it stands with the hands that wait before the one in the form; nothing while the page does not say. */
export function predictedState() {
  if (!confirmed.state) {
    return undefined;
  }
  const { placeOf, stays } = tableOnPage();
  return predict(confirmed.state, handsBefore(), placeOf, stays);
}

/** Show the page as the game stands with the hands that wait. */
export function updatePage() {
  const form = handForm();
  const state = predictedState();
  updateAnother();
  if (!state) {
    return;
  }
  if (!form) {
    showHeading(confirmed.state); // it may have been about hands that wait, while there was a form
    return;
  }
  showState(form, state);
  updateRefusal(form, state);
  updateDiscard(form);
  form.hidden = state.finished;
  for (const words of document.querySelectorAll("[data-behind]")) {
    words.hidden = !handsBefore().length;
  }
  if (!page.isSaving) {
    updateNumber(form, state);
  }
}

/**
 * An untouched form is for the next hand. One that is being filled in has the number with which it was begun,
 * or that of the next hand while that is lower; its preview is asked for again when the game has moved on.
 */
function updateNumber(form, state) {
  const { number: shown } = form.elements;
  const entry = openEntry();
  const begun = entry?.number ?? (isTouched(form) ? shown.value : Infinity);
  const next = entry?.order ? entry.number : Math.min(begun, state.number);
  const version = conflictIn(form) ? document.getElementById("state").dataset.version : ""; // of what may stand there
  const shownState = `${state.round} ${state.dealer} ${state.number} ${handsBefore().length > 0} ${version}`;
  const isNews = form.dataset.shownState !== undefined && form.dataset.shownState !== shownState;
  form.dataset.shownState = shownState;
  if (Number(shown.value) !== next) {
    shown.value = next;
  }
  if (isNews && isTouched(form)) {
    // Fields that the browser itself has filled in again are there before the preview is.
    page.preview?.schedule(0);
  }
}

/** What the refusal says of the next hand: the table may have moved on since the site answered, or gone back. */
function updateRefusal(form, { number, finished }) {
  const conflict = form.querySelector("[data-refusal] [data-there]");
  if (conflict && !confirmed.state.finished && confirmed.state.number <= Number(conflict.dataset.there)) {
    dropUndone(conflict);
  }
  for (const element of form.querySelectorAll("[data-refusal] [data-next]")) {
    if (element.dataset.answered === String(number)) {
      continue; // it is as the site has answered
    }
    delete element.dataset.answered;
    element.textContent = element.dataset.next.replace("{next}", number);
    if (element.name === "as_number") {
      element.value = number;
      element.hidden = finished;
    }
  }
}

/** The hand at its position was taken back or declared void: the one in the form is no longer the same as that, nor another one. */
function dropUndone(conflict) {
  const { undone, asNext } = conflict.dataset;
  conflict.querySelector("h3").dataset.next = undone;
  conflict.querySelector("[name=as_number]").dataset.next = asNext;
  for (const part of conflict.querySelectorAll("[data-hand-there], [data-let-go]")) {
    part.remove();
  }
  delete conflict.dataset.there;
  refusalShown = ""; // the same again is news
  queue.change((entries) => list.freePosition(entries, openKey()));
}

/** Whether the hand `entry`, which lies in `form`, was saved early, and before that as well. */
export const isRepeated = (form, entry = openEntry()) =>
  Boolean(entry) && list.isRepeated(queue.entries, entry, fieldsOf(form));

/** What was entered on an earlier page comes first for as long as another hand that was saved early waits for the form. */
function updateAnother() {
  const isAnother = (entry) => entry.early && entry.key !== openKey() && list.isOfTable(entry, context);
  if (!handForm() || !queue.entries.some(isAnother)) {
    dropNotice("another");
  }
}

/** A hand that was saved before and is not now can be thrown away, unless the refusal itself asks about that. */
function updateDiscard(form) {
  const place = form.querySelector("[data-unsaved]");
  const entry = openEntry();
  place.hidden = page.isSaving || !(entry?.order || entry?.early) || Boolean(form.querySelector("[data-let-go]"));
  if (place.hidden) {
    return;
  }
  const { alone, holds, repeats } = place.dataset;
  const ofSaved = list.holdsOthers(queue.entries, entry) ? holds : alone;
  const words = isRepeated(form) ? repeats : ofSaved;
  place.querySelector("p").textContent = words.replace("{number}", entry.number);
}

/** Take the state of the game from an answer of the site. */
export function applyState(state) {
  confirmed.update(state);
  updatePage();
}

let notice = "";
let noticeSince = 0; // when it was set
let isNoticeOfTrouble = false;
let isNoticeAboutForm = true; // or about a hand that the site has
let lasting = { name: "" }; // the notice that is there whenever no other is
const noticeElement = () => document.querySelector("[data-notice]");

/** Show the notice `name`, or other words, of trouble or of what was asked for; none at all takes it away. */
export function setNotice(name, words, { isTrouble = true, isAboutForm = true } = {}) {
  const shown = name || words ? { name, words, isTrouble } : lasting;
  notice = shown.words || (noticeElement()?.dataset[shown.name] ?? "");
  noticeSince = performance.now();
  isNoticeOfTrouble = shown.isTrouble ?? true;
  isNoticeAboutForm = isAboutForm;
  showNotice();
}

/** The page itself has put another hand into the form: a notice about the one before goes. */
export function dropNoticeAboutForm() {
  if (isNoticeAboutForm) {
    setNotice("");
  }
}

/** The notice `name` is no longer true. */
export function dropNotice(name) {
  if (notice && notice === noticeElement()?.dataset[name]) {
    setNotice("");
  }
}

/** Show the notice `name`, or other words, now and whenever there is no other, until another one is set, or none. */
export function setLastingNotice(name, { words, isTrouble = true } = {}) {
  lasting = { name, words, isTrouble };
  setNotice("");
}

/** Show the notice in the page, also after the part of the page around it was replaced. */
export function showNotice() {
  const place = noticeElement();
  if (place && place.textContent !== notice) {
    place.textContent = notice;
    place.hidden = !notice;
    place.classList.toggle("log__notice--trouble", isNoticeOfTrouble);
  }
}

// A network that is there again is nothing to complain about. What was sent before the notice came says nothing of it.
document.addEventListener("reached", ({ detail: { reached, since } }) => {
  if (reached && since >= noticeSince && notice.startsWith(noticeElement()?.dataset.unfinished)) {
    setNotice("");
  }
  if (reached) {
    page.preview?.retry();
  }
});

// What in a refusal has the focus while people decide.
const IN_REFUSAL = ["[name=as_number]", "[data-let-go]", "a[data-hand-there]", "a"];

let refusalShown = ""; // as the site wrote it

/** Whether the site says something else than what is shown of why the hand in the form is not saved. */
export const isNewRefusal = ({ html }) => html !== refusalShown;

/** Show what the site says anew of why the hand in the form is not saved. */
export function renewRefusal(refusal) {
  const place = document.querySelector("[data-refusal]");
  const focused = place.contains(document.activeElement) && document.activeElement;
  const kind = IN_REFUSAL.find((selector) => focused && focused.matches(selector));
  showRefusal(refusal, Boolean(focused));
  if (kind) {
    place.querySelector(kind)?.focus({ preventScroll: true }); // the same button or link is another element
  }
  updatePage();
}

/** Show why the hand in the form is not saved: a piece of page from the site, or else its reasons. */
export function showRefusal({ code = "", html = "", reasons = [] } = {}, focus = false) {
  refusalShown = html;
  const place = document.querySelector("[data-refusal]");
  if (html || !code) {
    place.innerHTML = html;
  } else {
    place.replaceChildren(refusalText(reasons));
  }
  if (focus) {
    place.querySelector("[tabindex]")?.focus();
  }
}

/** Not every answer has a piece of page: nobody but the four may log, or something in between answered. */
function refusalText(reasons) {
  const words = document.createElement("p");
  words.className = "log__notice log__notice--trouble";
  words.tabIndex = -1;
  words.setAttribute("role", "alert");
  words.textContent = reasons.join(" ") || document.querySelector("[data-notice]").dataset.refused;
  return words;
}
