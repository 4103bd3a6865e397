/**
 * The hand above the tiles of the pad: its groups, each a button, and the empty places.
 *
 * A tap on a set turns it open, or back; the one tapped last is chosen, for the key that takes it away.
 */

import { canBeOpen, hasPair, isOpen, MOST_PAIRS, SETS, setsIn } from "./hand.js";

export class HandView {
  /**
   * @param {HTMLElement} list where the groups stand
   * @param {HTMLTemplateElement} template one group
   * @param {{picture: (code) => Node, name: (code) => string, kind: (kind) => string}} words
   *   how a tile looks and is called, and how a kind of group is called
   */
  constructor(list, template, words) {
    this.list = list;
    this.template = template;
    this.words = words;
  }

  /** Lay out `hand`; the group at `chosen` is the one that would be taken away. */
  show(hand, chosen) {
    const groups = hand.map((group, index) => this.item(group, index, index === chosen));
    this.list.replaceChildren(...groups, ...(hand.length ? this.emptyPlaces(hand) : [this.hint()]));
    this.list.classList.toggle("tilepad__hand--loose", hand.some(({ kind }) => kind === "tile"));
  }

  /** The button of the group at `index`, if there is one. */
  button(index) {
    return this.list.querySelector(`[data-group="${index}"]`);
  }

  item(group, index, chosen) {
    const item = this.template.content.cloneNode(true).firstElementChild;
    const button = item.querySelector("button");
    const open = isOpen(group);
    item.classList.add(`tilepad__group--${group.kind}`);
    item.classList.toggle("tilepad__group--open", open);
    item.classList.toggle("tilepad__group--chosen", chosen);
    item.querySelector("[data-open-sign]").hidden = !open;
    button.dataset.group = index;
    button.prepend(...(group.text ? [group.text] : group.tiles.map(this.words.picture)));
    button.setAttribute("aria-label", this.nameOf(group));
    if (canBeOpen(group)) {
      button.setAttribute("aria-pressed", String(open));
      button.setAttribute("aria-description", button.dataset.turns);
    }
    return item;
  }

  /** "Pung, 2 of Bamboo". */
  nameOf({ kind, tiles, text }) {
    if (kind === "unknown") {
      return text;
    }
    const name = this.words.name(tiles[0]);
    return kind === "tile" ? name : `${this.words.kind(kind)}, ${name}`;
  }

  /** How tiles are laid, while there are none. */
  hint() {
    const hint = document.createElement("li");
    hint.className = "tilepad__hint";
    hint.setAttribute("aria-hidden", "true"); // slides are for thumbs; the keys have names
    hint.textContent = this.list.dataset.hint;
    return hint;
  }

  /** Empty places for what a hand of sets still lacks, or one of nothing but pairs. */
  emptyPlaces(hand) {
    const ofSets = hand.every(({ kind }) => kind !== "tile" && kind !== "unknown");
    const ofPairs = hand.length > 1 && hand.every(({ kind }) => kind === "pair");
    const ofFour = Math.max(0, SETS - setsIn(hand)) + (hasPair(hand) ? 0 : 1);
    const lacking = ofPairs ? MOST_PAIRS - hand.length : ofFour;
    return Array.from({ length: ofSets ? lacking : 0 }, () => {
      const place = document.createElement("li");
      place.className = "tilepad__place";
      place.setAttribute("aria-hidden", "true");
      return place;
    });
  }
}
