/**
 * The pad of 34 tiles (components/pad.html): taps write the text field, and its text shows on the pad.
 *
 * The text field is what the form sends; without scripts it is all there is. After each tap the field
 * fires `change`, so that a preview can follow.
 */

import { arrows } from "./arrows.js";
import * as hands from "./hand.js";
import { recipe } from "./limits.js";
import { format, parse } from "./notation.js";
import { Tray } from "./tray.js";

class Pad {
  /** @param {HTMLElement} root an element with `data-pad`, the id of its text field */
  constructor(root) {
    this.field = document.getElementById(root.dataset.pad);
    this.keys = [...root.querySelectorAll("[data-key]")];
    this.tiles = new Map(
      [...root.querySelectorAll("[data-tile]")].map((button) => [button.dataset.tile, button]),
    );
    this.openKey = root.querySelector("[data-open-key]");
    this.limitKey = root.querySelector("[data-limit-key]");
    this.limits = root.querySelector("[data-limits]");
    this.tray = new Tray(
      root.querySelector("[data-tray]"),
      root.querySelector("template[data-group]"),
      {
        picture: (code) => this.tiles.get(code).firstElementChild.cloneNode(true),
        name: (code) => this.tiles.get(code).getAttribute("aria-label"),
        kind: (kind) => this.keys.find((key) => key.value === kind).dataset.name,
      },
    );

    this.hand = parse(this.field.value);
    this.chosen = "pung"; // the key that is down
    this.lastSet = "pung"; // the key for sets that was down last
    this.picked = undefined; // the recipe of a limit hand that is being laid out

    root.addEventListener("click", ({ target }) => this.tap(target.closest("button")));
    root.addEventListener("change", (event) => this.press(event));
    root.addEventListener("keydown", ({ key }) => key === "Escape" && this.leaveLimits());
    this.field.addEventListener("input", () => this.read());
    arrows(root.querySelector("[role=toolbar]"));
    root.querySelector("[data-pad-taps]").disabled = false;
    this.show();
  }

  /** What the next tap on a tile adds. */
  get kind() {
    return this.picked?.kind ?? hands.nextKind(this.hand, this.chosen, this.lastSet);
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
    this.tray.show(this.hand, this.openKey.checked);
  }

  /** The text field changed by hand. */
  read() {
    this.picked = undefined;
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

  // ----- what is done ------------------------------------------------------------------------------

  /** A key for what a tap adds: only how the next tap is read, so nobody else hears of it. */
  press(event) {
    if (event.target.matches("[data-key]")) {
      this.chosen = event.target.value;
      this.lastSet = hands.SET_KINDS.includes(this.chosen) ? this.chosen : this.lastSet;
      this.picked = undefined;
    } else if (event.target !== this.openKey) {
      return;
    }
    event.stopPropagation();
    this.show();
  }

  tap(button) {
    const { tile, limit, remove, turn, back, limitKey, limitClose } = button?.dataset ?? {};
    if (tile) {
      this.addTile(tile);
    } else if (limit) {
      this.layOut(limit);
    } else if (remove) {
      this.takeAway(Number(remove));
    } else if (turn) {
      this.turnSet(Number(turn));
    } else if (back !== undefined) {
      this.picked = undefined;
      this.write(this.hand.slice(0, -1));
    } else if (limitKey !== undefined) {
      this.toggleLimits(true);
      this.limits.querySelector("button").focus();
    } else if (limitClose !== undefined) {
      this.leaveLimits();
    }
  }

  addTile(code) {
    if (!this.allows(code)) {
      return;
    }
    const { tap } = this.picked ?? {};
    if (tap) {
      this.picked = undefined;
      this.write(tap(code));
    } else {
      this.write(hands.add(this.hand, this.kind, code, this.openKey.checked));
    }
  }

  takeAway(index) {
    this.picked = undefined;
    this.write(hands.remove(this.hand, index));
    const left = this.tray.list.querySelectorAll("[data-remove]");
    (left[Math.min(index, left.length - 1)] ?? this.tiles.get("1B")).focus();
  }

  turnSet(index) {
    this.write(hands.turn(this.hand, index));
    this.tray.list.querySelector(`[data-turn="${index}"]`).focus();
  }

  // ----- limit hands -------------------------------------------------------------------------------

  layOut(limit) {
    this.picked = recipe(limit);
    this.toggleLimits(false);
    this.write(this.picked.start);
    [...this.tiles].find(([code]) => this.allows(code))?.[1].focus();
  }

  toggleLimits(shown) {
    this.limits.hidden = !shown;
    this.limitKey.setAttribute("aria-expanded", String(shown));
  }

  leaveLimits() {
    if (!this.limits.hidden) {
      this.toggleLimits(false);
      this.limitKey.focus();
    }
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
