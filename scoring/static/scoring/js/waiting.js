/**
 * The hands that wait on this phone, on the page: how many, which, and what is to be done about them.
 *
 * They stand in `[data-waiting]`, whose words are data attributes, above the table and untouched by
 * what htmx swaps there.
 */

import { isTouched } from "./entry.js";

export class Waiting {
  /**
   * @param {HTMLElement} root
   * @param {{mend: (entry) => void, takeBack: (entry) => void}} acts what its buttons do
   */
  constructor(root, acts) {
    this.root = root;
    this.entries = [];
    this.sum = root.querySelector("[data-waiting-sum]");
    this.list = root.querySelector("[data-waiting-list]");
    this.template = root.querySelector("template");
    root.addEventListener("click", ({ target }) => {
      const { act, key, sure } = target.closest("[data-act]")?.dataset ?? {};
      if (act && (!this.asks(act) || window.confirm(sure))) {
        acts[act](this.entries.find((entry) => entry.key === key));
      }
    });
  }

  /** What cannot be undone is asked first: throwing a hand away, or what stands in the form. */
  asks(act) {
    return act === "takeBack" || isTouched(this.form);
  }

  /**
   * Show `entries`; `away` says that the site cannot be reached.
   *
   * @param {{user: string, game: string}} here who looks, at which table; `form` is the open one
   */
  show(entries, { away, here, form }) {
    this.entries = entries;
    this.form = form;
    const words = this.root.dataset;
    const count = entries.length === 1 ? words.one : words.many;
    const sum = entries.length ? count.replace("{count}", entries.length) : "";
    const text = [away ? words.away : "", sum].filter(Boolean).join(" ");
    this.root.hidden = !text;
    this.root.dataset.state = entries.some(({ state }) => state === "refused") ? "refused" : "";
    if (this.sum.textContent !== text) {
      this.sum.textContent = text;
    }
    this.list.replaceChildren(...entries.map((entry) => this.item(entry, here)));
  }

  item(entry, here) {
    const item = this.template.content.cloneNode(true).firstElementChild;
    const words = this.root.dataset;
    const refused = entry.state === "refused";
    const others = entry.user !== here.user;
    const fill = (name, text) => {
      item.querySelector(`[data-entry=${name}]`).textContent = text;
    };
    item.dataset.state = entry.state;
    fill("number", words.hand.replace("{number}", entry.number));
    fill("said", entry.said);
    fill("state", refused ? words.refused : (others && words.others) || words.waits);
    fill("reasons", entry.reasons.join(" "));
    for (const button of item.querySelectorAll("[data-act]")) {
      button.dataset.key = entry.key;
      button.hidden = others || entry.game !== here.game || !this.form;
    }
    const elsewhere = item.querySelector("[data-elsewhere]");
    elsewhere.hidden = entry.game === here.game;
    elsewhere.href = entry.page;
    return item;
  }
}
