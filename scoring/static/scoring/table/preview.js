/**
 * The preview: after each tap the site is asked what saving would do, by the code that saves.
 *
 * A newer request cancels the one before. From the tap to the answer the old figures are marked as old. Where
 * the site cannot be reached, the preview says so and is requested again once it can.
 */

import { claimProblem, conflictIn, fieldsOf, isTouched, isWhole, numberOfSame } from "./hand_form.js";
import { longerPause, NO_PAUSE } from "../queue/pauses.js";
import { isUnanswered, post } from "../queue/site.js";
import { startUndoDeadlines } from "./undo_deadline.js";

const TIMEOUT = 8000; // milliseconds
const TYPING_PAUSE = 200; // milliseconds without a key before what is typed is looked at

export class Preview {
  /**
   * @param {HTMLElement} place where the preview stands; its words are data attributes
   * @param {HTMLFormElement} form
   * @param {() => boolean} mustWait whether hands of this table wait to be sent before this one, so that
   *   the site cannot score it yet
   */
  constructor(place, form, mustWait) {
    this.place = place;
    this.form = form;
    this.mustWait = mustWait;
    this.pause = NO_PAUSE;
    form.addEventListener("change", () => this.schedule(0));
    form.addEventListener("input", () => this.schedule(TYPING_PAUSE));
  }

  schedule(pause) {
    this.isUnanswered = false;
    clearTimeout(this.timer);
    this.request?.abort();
    if (isTouched(this.form)) {
      this.setBusy(true);
    }
    this.timer = setTimeout(() => this.ask(), pause);
  }

  /** What stands here while nothing is entered: the hand that was just saved, or what to do. */
  showResting(html) {
    this.resting = html ?? document.querySelector("template[data-resting]")?.innerHTML ?? "";
    if (!isTouched(this.form)) {
      const focused = document.activeElement?.id === "saved";
      this.show(this.resting);
      if (focused) {
        document.getElementById("saved")?.focus();
      }
    }
  }

  async ask() {
    if (!isTouched(this.form)) {
      this.show(this.resting);
      return;
    }
    if (this.mustWait()) {
      this.showWait("later");
      return;
    }
    this.request = new AbortController();
    const { signal } = this.request;
    const { number, key } = this.form.elements;
    const fields = [...fieldsOf(this.form), ["number", number.value], ["key", key.value]];
    if (conflictIn(this.form)) {
      fields.push(["refused", numberOfSame(this.form)]); // which may be another hand by now
    }
    const { outcome, html, reasons, refusal, retryAfter } = await post(this.form.dataset.preview, fields, {
      timeout: TIMEOUT,
      signal,
    });
    this.isUnanswered = isUnanswered(outcome);
    this.pause = outcome === "trouble" ? longerPause(this.pause, performance.now(), retryAfter) : NO_PAUSE;
    if (outcome === "shown") {
      this.show(html);
      if (refusal) {
        this.form.dispatchEvent(new CustomEvent("refused", { detail: { key: key.value, refusal } }));
      }
    } else if (this.isUnanswered) {
      this.showWait(outcome);
    } else if (outcome !== "aborted") {
      this.showText(reasons?.join(" ") || (this.place.dataset[outcome] ?? this.place.dataset.refused));
    }
  }

  /** Why there is no score yet; a hand that is not whole will not wait here. */
  showWait(reason) {
    this.showText(claimProblem(this.form) || this.place.dataset[isWhole(this.form) ? reason : "incomplete"]);
  }

  /** The site is reached again: repeat the last request if it had no answer. A site in trouble answers, too. */
  retry() {
    if (this.isUnanswered && performance.now() >= this.pause.until) {
      this.schedule(0);
    }
  }

  setBusy(isBusy) {
    this.place.setAttribute("aria-busy", String(isBusy));
  }

  show(html) {
    this.setBusy(false);
    // What was saved has the focus, which says it: the live region would say it once more.
    this.place.setAttribute("aria-live", html.includes('id="saved"') ? "off" : "polite");
    const next = withoutSeconds(html);
    if (this.shown !== next || !this.place.childElementCount) {
      this.place.innerHTML = html;
      startUndoDeadlines(this.place);
    }
    this.shown = next;
  }

  showText(words) {
    const sentence = document.createElement("p");
    sentence.className = "preview__waiting";
    sentence.textContent = words;
    this.show(sentence.outerHTML);
  }
}

/**
 * `html` as the browser writes it, without how long there is an Undo, which each answer of the site says anew: the
 * same button stays, for it may be under a finger.
 */
function withoutSeconds(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML.replace(/ data-undo="\d+"/, "").trim();
}
