/**
 * The preview: after each tap the site is asked what saving would do, by the code that saves.
 *
 * The newest question overtakes the others. Where the site cannot be asked, the hand is said to wait.
 */

import { fieldsOf, isTouched } from "./entry.js";
import { post } from "./send.js";

const PATIENCE = 4000; // milliseconds
const TYPING = 200; // milliseconds without a key before what is typed is looked at

export class Preview {
  /**
   * @param {HTMLElement} place where the preview stands; its words are data attributes
   * @param {HTMLFormElement} form
   * @param {() => boolean} waits whether hands of this table wait to be sent, so that the site does
   *   not know this one's place yet
   */
  constructor(place, form, waits) {
    this.place = place;
    this.form = form;
    this.waits = waits;
    this.begun = [...place.childNodes];
    form.addEventListener("change", () => this.soon(0));
    form.addEventListener("input", () => this.soon(TYPING));
    if (isTouched(form)) {
      this.soon(0);
    }
  }

  soon(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), pause);
  }

  async ask() {
    this.question?.abort();
    this.question = new AbortController();
    if (!isTouched(this.form)) {
      this.place.replaceChildren(...this.begun);
      return;
    }
    if (this.waits()) {
      this.say(this.place.dataset.waiting);
      return;
    }
    const { signal } = this.question;
    const fields = fieldsOf(this.form);
    const { outcome, html } = await post(this.form.dataset.preview, fields, {
      patience: PATIENCE,
      signal,
    });
    if (outcome === "done") {
      this.place.innerHTML = html;
    } else if (outcome !== "overtaken") {
      this.say(this.place.dataset[outcome]);
    }
  }

  say(words) {
    const sentence = document.createElement("p");
    sentence.className = "preview__waiting";
    sentence.textContent = words;
    this.place.replaceChildren(sentence);
  }
}
