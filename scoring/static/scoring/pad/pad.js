/**
 * The pad of 34 tiles (components/pad.html): taps write the text field, and its text shows on the pad.
 *
 * The text field is what the form sends; without scripts it is all there is. After each tap the field
 * fires `change`, so that a preview can follow. The pad's element says in `data-full` whether the hand
 * has all its tiles, and in `data-limit` which limit hand is being laid out.
 */

import { arrows } from "./arrow_keys.js";
import { startClaim } from "./claim.js";
import * as hands from "./hand.js";
import { recipe } from "./limits.js";
import { format, parse } from "./notation.js";
import { Panels } from "./panels.js";
import { slides } from "./slide.js";
import { isHonor } from "./tiles.js";
import { Tray } from "./hand_view.js";

/** `list` without the words in `others`, each as often as it stands there. */
function without(list, others) {
  const left = [...others];
  return list.filter((words) => {
    const at = left.indexOf(words);
    return at < 0 || !left.splice(at, 1);
  });
}

/**
 * Chromium sometimes leaves an element that changed inside a size container without a box, and so
 * out of sight, until its display changes.
 */
function giveBox(element) {
  if (!element.getClientRects().length) {
    element.style.display = "none";
    element.getClientRects(); // without it the two changes would be none
    element.style.removeProperty("display");
  }
}

class Pad {
  /** @param {HTMLElement} root an element with `data-pad`, the id of its text field */
  constructor(root) {
    this.root = root;
    this.field = document.getElementById(root.dataset.pad);
    this.keys = [...root.querySelectorAll("[data-key]")];
    this.tiles = new Map(
      [...root.querySelectorAll("[data-tile]")].map((button) => [button.dataset.tile, button]),
    );
    this.asked = root.querySelector("[data-asked]");
    this.spoken = root.querySelector("[data-spoken]");
    this.backKey = root.querySelector("[data-back]");
    this.panels = new Panels(root);
    this.tray = new Tray(
      root.querySelector("[data-tray]"),
      root.querySelector("template[data-group-template]"),
      {
        picture: (code) => this.tiles.get(code).firstElementChild.cloneNode(true),
        name: (code) => this.tiles.get(code).getAttribute("aria-label"),
        kind: (kind) => this.nameOf(kind),
      },
    );

    this.hand = parse(this.field.value);
    this.key = this.lastSet = "pung"; // the key that is down; the one for sets that was down last
    this.chosen = undefined; // the index of the set that Back takes away; undefined: the last group
    this.picked = undefined; // the recipe of a limit hand that is being laid out
    this.past = []; // what Back returns to: the hand before each tap

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
    const toolbar = root.querySelector("[role=toolbar]");
    arrows(toolbar);
    slides(toolbar, (kind) => this.nameOf(kind), (code, kind) => this.addTile(code, kind));
    this.resumeLimit();
    const taps = root.querySelector("[data-pad-taps]");
    taps.inert = false;
    requestAnimationFrame(() => requestAnimationFrame(() => giveBox(taps)));
    this.field.form.addEventListener("pointerdown", () => giveBox(taps));
    this.show();
    startClaim(root, this.field, this.panels);
  }

  /** What the next tap on a tile adds. */
  get kind() {
    return this.picked?.kind ?? hands.nextKind(this.hand, this.key, this.lastSet);
  }

  nameOf(kind) {
    return this.keys.find((key) => key.value === kind).dataset.name;
  }

  /** What a tap on `code` adds, or a slide for `slid`. No honor begins a chow: it is a pung then. */
  kindOf(code, slid) {
    const kind = slid ?? this.kind;
    return kind === "chow" && isHonor(code) ? "pung" : kind;
  }

  /** The hand that a tap on `code` makes, or a slide for `slid`; undefined if it cannot be. */
  after(code, slid) {
    const { allows, tap, kind } = this.picked ?? {};
    if (allows && !allows(code)) {
      return undefined;
    }
    if (tap) {
      return tap(code);
    }
    const added = this.kindOf(code, kind ? undefined : slid);
    if (hands.canAdd(this.hand, added, code)) {
      return hands.add(this.hand, added, code);
    }
    const same = !slid && this.kind !== "tile" && hands.growing(this.hand, code) >= 0;
    return same ? hands.grow(this.hand, code) : undefined;
  }

  allows(code) {
    return this.after(code) !== undefined;
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
    const { asks, limit, full } = this.root.dataset;
    if (this.asked.textContent !== (asks ?? "")) {
      this.asked.textContent = asks ?? "";
    }
    this.asked.hidden = !limit || Boolean(full);
  }

  /** Another hand was put into the form. */
  begin() {
    this.key = this.lastSet = "pung";
    this.spoken.replaceChildren(); // of the hand before
    this.read();
    this.resumeLimit();
    this.show();
  }

  /** A limit hand that the form claims already goes on from the tiles that lie there. */
  resumeLimit() {
    const claimed = this.field.form.elements.claimed_limit?.value ?? "";
    this.root.dataset.limit = claimed;
    this.root.dataset.asks = this.keyOf(claimed)?.dataset.asks ?? "";
  }

  keyOf(limit) {
    return [...this.root.querySelectorAll("[data-limit]")].find(
      (key) => key.dataset.limit === limit,
    );
  }

  /** The text field changed by hand. */
  read() {
    this.leaveLimit();
    this.hand = parse(this.field.value);
    this.show();
  }

  /** The hand changed by a tap. */
  write(hand) {
    this.speak(this.hand, hand);
    this.hand = hand;
    this.show();
    this.field.value = format(hand);
    this.field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Say what a tap added to the hand, or took away. A set that turns says so itself: it has the focus. */
  speak(before, after) {
    const groups = (hand) => hand.map((group) => this.tray.spoken(group));
    const taken = without(groups(before), groups(after)).join(", ");
    const added = without(groups(after), groups(before)).join(", ");
    const sentence = taken && !added ? this.spoken.dataset.takenAway.replace("{what}", taken) : added;
    // A new node, so that the same words twice are said twice.
    this.spoken.replaceChildren(document.createTextNode(sentence));
  }

  /** What is done next no longer belongs to a limit hand, nor to a chosen set. */
  leaveLimit() {
    this.picked = undefined;
    this.chosen = undefined;
    this.past = [];
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
    const { tile, limit, pair, group, back } = button?.dataset ?? {};
    if (tile) {
      this.addTile(tile);
    } else if (limit) {
      this.layOut(limit, button.dataset.asks);
    } else if (pair) {
      this.layOut(button.dataset.of, button.dataset.asks, pair);
    } else if (group) {
      this.tapGroup(Number(group));
    } else if (back !== undefined) {
      this.goBack();
    }
  }

  addTile(code, slid) {
    const hand = this.after(code, slid);
    if (!hand) {
      return;
    }
    this.remember();
    this.chosen = undefined;
    this.picked = this.picked?.tap ? undefined : this.picked;
    this.write(hand);
  }

  /** Keep what lies there for the key that leads back. */
  remember() {
    const { limit = "", asks = "" } = this.root.dataset;
    this.past.push({ hand: this.hand, picked: this.picked, limit, asks });
  }

  /** As before the last tap; where a set was chosen, without it. */
  goBack() {
    if (this.chosen !== undefined || !this.past.length) {
      this.takeAway(this.chosen ?? this.hand.length - 1);
      return;
    }
    const { hand, picked, limit, asks } = this.past.pop();
    this.picked = picked;
    Object.assign(this.root.dataset, { limit, asks });
    this.write(hand);
  }

  /** A set turns open or concealed; what cannot lie open is taken away. */
  tapGroup(index) {
    if (hands.canLieOpen(this.hand[index])) {
      this.chosen = index;
      this.past = [];
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

  layOut(limit, asks, pair) {
    const before = this.past;
    this.remember();
    this.leaveLimit();
    this.past = before;
    Object.assign(this.root.dataset, { limit, asks });
    this.picked = recipe(limit, pair);
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
