/**
 * The pad of 34 tiles (components/pad.html): taps write the text field, and its text shows on the pad.
 *
 * The text field is what the form sends; without scripts it is all there is. After each tap the field
 * fires `change`, so that a preview can follow. The pad's element says in `data-full` whether the hand
 * has all its tiles, and in `data-limit` which limit hand is being laid out.
 */

import { arrows } from "./arrows.js";
import { startClaim } from "./claim.js";
import * as hands from "./hand.js";
import { recipe } from "./limits.js";
import { format, parse } from "./notation.js";
import { Panels } from "./panels.js";
import { Tray } from "./tray.js";

class Pad {
  /** @param {HTMLElement} root an element with `data-pad`, the id of its text field */
  constructor(root) {
    this.root = root;
    this.field = document.getElementById(root.dataset.pad);
    this.keys = [...root.querySelectorAll("[data-key]")];
    this.tiles = new Map(
      [...root.querySelectorAll("[data-tile]")].map((button) => [button.dataset.tile, button]),
    );
    this.backKey = root.querySelector("[data-back]");
    this.panels = new Panels(root);
    this.tray = new Tray(
      root.querySelector("[data-tray]"),
      root.querySelector("template[data-group-template]"),
      {
        picture: (code) => this.tiles.get(code).firstElementChild.cloneNode(true),
        name: (code) => this.tiles.get(code).getAttribute("aria-label"),
        kind: (kind) => this.keys.find((key) => key.value === kind).dataset.name,
      },
    );

    this.hand = parse(this.field.value);
    this.key = this.lastSet = "pung"; // the key that is down; the one for sets that was down last
    this.chosen = undefined; // the index of the set that Back takes away; undefined: the last group
    this.picked = undefined; // the recipe of a limit hand that is being laid out

    root.addEventListener("click", ({ target }) => {
      this.tap(target.closest("button"));
      // A key that is down already fires no `change`.
      if (target.matches("[data-key]")) {
        this.panels.show("tiles");
      }
    });
    root.addEventListener("change", (event) => this.press(event));
    this.tray.list.addEventListener("keydown", (event) => this.type(event));
    this.field.addEventListener("input", () => this.read());
    this.field.form.addEventListener("filled", () => this.begin());
    arrows(root.querySelector("[role=toolbar]"));
    root.querySelector("[data-pad-taps]").disabled = false;
    this.show();
    startClaim(root, this.field, this.panels);
  }

  /** What the next tap on a tile adds. */
  get kind() {
    return this.picked?.kind ?? hands.nextKind(this.hand, this.key, this.lastSet);
  }

  allows(code) {
    if (this.picked?.allows && !this.picked.allows(code)) {
      return false;
    }
    return Boolean(this.picked?.tap) || hands.canAdd(this.hand, this.kind, code);
  }

  show() {
    const { kind } = this;
    for (const key of this.keys) {
      key.checked = key.value === kind;
    }
    for (const [code, button] of this.tiles) {
      button.setAttribute("aria-disabled", String(!this.allows(code)));
    }
    this.tray.show(this.hand, this.chosen);
    const { back, takeAway } = this.backKey.dataset;
    this.backKey.textContent = this.chosen === undefined ? back : takeAway;
    this.root.dataset.full = hands.isFull(this.hand) ? "yes" : "";
  }

  /** Another hand was put into the form. */
  begin() {
    this.key = this.lastSet = "pung";
    this.read();
  }

  /** The text field changed by hand. */
  read() {
    this.leaveLimit();
    this.hand = parse(this.field.value);
    this.show();
  }

  /** The hand changed by a tap. */
  write(hand) {
    this.hand = hand;
    this.show();
    this.field.value = format(hand);
    this.field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** What is done next no longer belongs to a limit hand, nor to a chosen set. */
  leaveLimit() {
    this.picked = undefined;
    this.chosen = undefined;
    this.root.dataset.limit = "";
  }

  // ----- what is done ------------------------------------------------------------------------------

  /** A key for what a tap adds: only how the next tap is read, so nobody else hears of it. */
  press(event) {
    if (event.target.matches("[data-key]")) {
      event.stopPropagation();
      this.key = event.target.value;
      this.lastSet = hands.SET_KINDS.includes(this.key) ? this.key : this.lastSet;
      this.picked = undefined;
      this.show();
    }
  }

  tap(button) {
    const { tile, limit, group, back } = button?.dataset ?? {};
    if (tile) {
      this.addTile(tile);
    } else if (limit) {
      this.layOut(limit);
    } else if (group) {
      this.tapGroup(Number(group));
    } else if (back !== undefined) {
      this.takeAway(this.chosen ?? this.hand.length - 1);
    }
  }

  addTile(code) {
    if (!this.allows(code)) {
      return;
    }
    const { tap } = this.picked ?? {};
    this.chosen = undefined;
    this.picked = tap ? undefined : this.picked;
    this.write(tap ? tap(code) : hands.add(this.hand, this.kind, code));
  }

  /** A set turns open or concealed; what cannot lie open is taken away. */
  tapGroup(index) {
    if (hands.canLieOpen(this.hand[index])) {
      this.chosen = index;
      this.write(hands.turn(this.hand, index));
      this.tray.button(index).focus();
    } else {
      this.takeAway(index);
      this.focusNear(index);
    }
  }

  takeAway(index) {
    this.leaveLimit();
    this.write(hands.remove(this.hand, index));
  }

  type(event) {
    const { group } = event.target.dataset;
    if (group && ["Delete", "Backspace"].includes(event.key)) {
      event.preventDefault();
      this.takeAway(Number(group));
      this.focusNear(Number(group));
    }
  }

  focusNear(index) {
    const near = this.tray.button(Math.min(index, this.hand.length - 1));
    (near ?? this.tiles.get("1B")).focus();
  }

  layOut(limit) {
    this.leaveLimit();
    this.root.dataset.limit = limit;
    this.picked = recipe(limit);
    this.panels.show("tiles");
    this.write(this.picked.start);
    [...this.tiles].find(([code]) => this.allows(code))?.[1].focus();
  }
}

/** Bring every pad in `scope` to life, once. */
export function startPads(scope = document) {
  for (const root of scope.querySelectorAll("[data-pad]:not([data-started])")) {
    root.dataset.started = "";
    new Pad(root);
  }
}

startPads();
document.addEventListener("htmx:load", () => startPads());
