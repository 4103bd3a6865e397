/**
 * What the table page shows of the game: the site's last word on it, run ahead by the hands that wait; the
 * notice under the pad, and why a hand is not saved.
 */

import { isTouched } from "./hand_form.js";
import { showState, tableOfPage } from "./optimistic_state.js";
import * as list from "../queue/entries.js";
import { predict } from "../queue/predict.js";
import { here, queue } from "../queue/start.js";
import { Word } from "../queue/confirmed_state.js";

/** `isSaving` while Save is under way; `preview` of the hand in the form, where there is one. */
export const page = { isSaving: false, preview: undefined };

/** The site's last word on this game. */
export const word = new Word(here);

export const form = () => document.querySelector("[data-hand-form]");
export const openKey = () => form()?.elements.key.value ?? "";
const openEntry = () => list.find(queue.entries, openKey());

/** The hands that will be logged before the one in the form. */
export function before() {
  const open = openEntry();
  const waiting = list.waitingAt(queue.entries, here);
  return open?.order ? waiting.filter(({ order }) => order < open.order) : waiting;
}

/** Show the page as the game stands with the hands that wait. */
export function follow() {
  const open = form();
  if (!open || !word.last) {
    return;
  }
  const { placeOf, stays } = tableOfPage();
  const state = predict(word.last, before(), placeOf, stays);
  showState(open, state);
  open.hidden = state.finished;
  for (const words of document.querySelectorAll("[data-behind]")) {
    words.hidden = !before().length;
  }
  if (!page.isSaving) {
    number(open, state);
  }
}

/** An untouched form is for the next hand; one that is being filled in is told of what came between. */
function number(open, state) {
  const { number: shown } = open.elements;
  const kept = openEntry()?.order ? openEntry().number : undefined;
  const moved = kept ?? (isTouched(open) ? Math.min(shown.value, state.number) : state.number);
  const told = `${state.round} ${state.dealer} ${state.number} ${before().length > 0}`;
  const isNews = open.dataset.told !== undefined && open.dataset.told !== told;
  open.dataset.told = told;
  if (Number(shown.value) !== moved) {
    shown.value = moved;
  }
  if (isNews && isTouched(open)) {
    // Fields that the browser itself has filled in again are there before the preview is.
    page.preview?.soon(0);
  }
}

/** The site has said, in an answer, where the game stands. */
export function hear(said) {
  word.hear(said);
  follow();
}

let notice = "";
const noticePlace = () => document.querySelector("[data-notice]");

/** Show the notice `name`, or other words; none at all takes it away. */
export function say(name, words) {
  notice = words || (noticePlace()?.dataset[name] ?? "");
  showNotice();
}

/** The notice stays where it was said, also when the part of the page around it is a new one. */
export function showNotice() {
  const place = noticePlace();
  if (place && place.textContent !== notice) {
    place.textContent = notice;
    place.hidden = !notice;
  }
}

// A network that is there again is nothing to complain about.
document.addEventListener("reached", ({ detail: reached }) => {
  if (reached && notice && notice === noticePlace()?.dataset.unfinished) {
    say("");
  }
  if (reached) {
    page.preview?.askAgain();
  }
});

/** Show why the hand in the form is not saved: a piece of page from the site, or else its reasons. */
export function explain({ code = "", html = "", reasons = [] } = {}, focus = false) {
  const place = document.querySelector("[data-refusal]");
  if (html || !code) {
    place.innerHTML = html;
  } else {
    place.replaceChildren(inWords(reasons));
  }
  if (focus) {
    place.querySelector("[tabindex]")?.focus();
  }
}

/** Not every answer has a piece of page: nobody but the four may log, or something in between answered. */
function inWords(reasons) {
  const words = document.createElement("p");
  words.className = "log__trouble";
  words.tabIndex = -1;
  words.setAttribute("role", "alert");
  words.textContent = reasons.join(" ") || document.querySelector("[data-notice]").dataset.refused;
  return words;
}
