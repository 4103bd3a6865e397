/**
 * The tray above the pad: the groups of a hand as buttons that take them away, and the empty places.
 */

import { canLieOpen, hasPair, SETS, setsIn } from "./hand.js";

export class Tray {
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

  /** Lay out `hand`; `turns` says whether each set shows its key for open or concealed. */
  show(hand, turns) {
    const groups = hand.map((group, index) => this.item(group, index, turns));
    this.list.replaceChildren(...groups, ...this.places(hand));
    this.list.classList.toggle("tilepad__tray--loose", hand.some(({ kind }) => kind === "tile"));
  }

  item(group, index, turns) {
    const item = this.template.content.cloneNode(true).firstElementChild;
    const [remove, turn] = item.querySelectorAll("button");
    const name = this.spoken(group);
    item.classList.add(`tilepad__group--${group.kind}`);
    item.classList.toggle("tilepad__group--open", group.open);
    remove.dataset.remove = index;
    remove.setAttribute("aria-label", `${remove.getAttribute("aria-label")} ${name}`);
    remove.append(...(group.text ? [group.text] : group.tiles.map(this.words.picture)));
    turn.dataset.turn = index;
    turn.hidden = !canLieOpen(group) || !(turns || group.open);
    turn.setAttribute("aria-pressed", String(group.open));
    turn.setAttribute("aria-label", `${turn.textContent.trim()}: ${name}`);
    return item;
  }

  /** "Pung, 2 of Bamboo". */
  spoken({ kind, tiles, text }) {
    if (kind === "unknown") {
      return text;
    }
    const name = this.words.name(tiles[0]);
    return kind === "tile" ? name : `${this.words.kind(kind)}, ${name}`;
  }

  /** Empty places for what a hand of sets still lacks. */
  places(hand) {
    const ofSets = hand.every(({ kind }) => kind !== "tile" && kind !== "unknown");
    const lacking = Math.max(0, SETS - setsIn(hand)) + (hasPair(hand) ? 0 : 1);
    return Array.from({ length: ofSets ? lacking : 0 }, () => {
      const place = document.createElement("li");
      place.className = "tilepad__place";
      place.setAttribute("aria-hidden", "true");
      return place;
    });
  }
}
