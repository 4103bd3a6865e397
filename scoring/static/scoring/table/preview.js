/**
 * The preview: after each tap the site is asked what saving would do, by the code that saves.
 *
 * The newest question overtakes the others. From the tap to the answer the old figures are marked as old.
 * Where the site cannot be asked, the hand is said to wait, and is asked about again once the site is reached.
 */

import { fieldsOf, isTouched } from "./hand_form.js";
import { post } from "../queue/site.js";
import { startUndo } from "./undo_deadline.js";

const PATIENCE = 4000; // milliseconds
const TYPING = 200; // milliseconds without a key before what is typed is looked at

export class Preview {
  /**
   * @param {HTMLElement} place where the preview stands; its words are data attributes
   * @param {HTMLFormElement} form
   * @param {() => boolean} waits whether hands of this table wait to be sent before this one, so that
   *   the site does not know its place yet
   */
  constructor(place, form, waits) {
    this.place = place;
    this.form = form;
    this.waits = waits;
    form.addEventListener("change", () => this.soon(0));
    form.addEventListener("input", () => this.soon(TYPING));
  }

  soon(pause) {
    this.isUnanswered = false;
    clearTimeout(this.timer);
    this.question?.abort();
    if (isTouched(this.form)) {
      this.working(true);
    }
    this.timer = setTimeout(() => this.ask(), pause);
  }

  /** What stands here while nothing is entered: the hand that was just saved, or what to do. */
  rest(html) {
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
    if (this.waits()) {
      this.say(this.place.dataset.later);
      return;
    }
    this.question = new AbortController();
    const { signal } = this.question;
    const { number, key } = this.form.elements;
    const fields = [...fieldsOf(this.form), ["number", number.value], ["key", key.value]];
    const { outcome, html, reasons } = await post(this.form.dataset.preview, fields, {
      patience: PATIENCE,
      signal,
      accept: "text/html",
    });
    this.isUnanswered = outcome === "away";
    if (outcome === "shown") {
      this.show(html);
    } else if (outcome !== "overtaken") {
      this.say(reasons?.join(" ") || (this.place.dataset[outcome] ?? this.place.dataset.refused));
    }
  }

  /** The site is reached: the last question may have been lost on the way. */
  askAgain() {
    if (this.isUnanswered) {
      this.soon(0);
    }
  }

  working(isWorking) {
    this.place.setAttribute("aria-busy", String(isWorking));
  }

  show(html) {
    this.working(false);
    // What was saved has the focus, which says it: the live region would say it once more.
    this.place.setAttribute("aria-live", html.includes('id="saved"') ? "off" : "polite");
    if (this.shown !== html || !this.place.childElementCount) {
      this.place.innerHTML = html;
      startUndo(this.place);
    }
    this.shown = html;
  }

  say(words) {
    const sentence = document.createElement("p");
    sentence.className = "preview__waiting";
    sentence.textContent = words;
    this.show(sentence.outerHTML);
  }
}
