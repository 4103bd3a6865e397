/**
 * The pad of 34 tiles (components/pad.html): taps write the text field, and its text shows on the pad.
 *
 * The text field is what the form sends; without scripts it is all there is. After each tap the field
 * fires `change`, so that a preview can follow. The pad's element says in `data-full` whether the hand
 * has all its tiles, and in `data-limit` which limit hand is being laid out.
 */

import { startArrowKeys } from "./arrow_keys.js";
import { startClaim } from "./claim.js";
import * as hands from "./hand.js";
import { recipeOf } from "./limit_hands.js";
import { format, learnNames, parse } from "./notation.js";
import { Panels } from "./panels.js";
import { startSlides } from "./slide.js";
import { isHonor } from "./tiles.js";
import { HandView } from "./hand_view.js";

/** `list` without the words in `others`: one is taken out for each time that it is there. */
function subtract(list, others) {
  const remaining = [...others];
  return list.filter((words) => {
    const at = remaining.indexOf(words);
    return at < 0 || !remaining.splice(at, 1);
  });
}

/**
 * Chromium sometimes leaves an element that changed inside a size container without a box, and so
 * out of sight, until its display changes.
 */
function forceLayout(elements) {
  for (const element of elements) {
    if (!element.getClientRects().length && getComputedStyle(element).display !== "none") {
      // No style of its own: htmx copies that into the next piece of page, and the CSP refuses it.
      element.hidden = true;
      element.getClientRects(); // forces the layout: else the browser would skip both changes
      element.hidden = false;
    }
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
    learnNames([...this.tiles].map(([code, button]) => [button.getAttribute("aria-label"), code]));
    this.promptElement = root.querySelector("[data-prompt-text]");
    this.announcement = root.querySelector("[data-announcement]");
    this.backKey = root.querySelector("[data-back]");
    this.panels = new Panels(root);
    this.handView = new HandView(
      root.querySelector("[data-hand-view]"),
      root.querySelector("template[data-group-template]"),
      {
        picture: (code) => this.tiles.get(code).firstElementChild.cloneNode(true),
        name: (code) => this.tiles.get(code).getAttribute("aria-label"),
        kind: (kind) => this.nameOf(kind),
      },
    );

    this.loses = false; // whether the hand is of somebody who did not win: see `edit`
    this.hand = parse(this.field.value);
    this.key = this.lastSet = "pung"; // the key that is down; the one for sets that was down last
    this.chosen = undefined; // the index of the set that Back takes away; undefined: the last group
    this.recipe = undefined; // the recipe of a limit hand that is being laid out
    this.history = []; // what Back returns to: the hand before each tap

    root.addEventListener("click", ({ target }) => {
      this.tap(target.closest("button"));
      // A key that is down already fires no `change`.
      if (target.matches("[data-key]")) {
        this.panels.show("tiles");
      }
    });
    root.addEventListener("change", (event) => this.press(event));
    this.handView.list.addEventListener("keydown", (event) => this.type(event));
    root.addEventListener("input", ({ target }) => target === this.field && this.readText());
    root.addEventListener("edit", ({ detail }) => this.edit(detail));
    this.field.form.addEventListener("filled", () => this.readForm());
    const toolbar = root.querySelector("[role=toolbar]");
    startArrowKeys(toolbar);
    startSlides(toolbar, (kind) => this.nameOf(kind), (code, kind) => this.addTile(code, kind));
    this.resumeLimit();
    const taps = root.querySelector("[data-pad-taps]");
    taps.inert = false;
    const boxes = [root, ...root.children, this.field];
    const layOutAgain = () => requestAnimationFrame(() => requestAnimationFrame(() => forceLayout(boxes)));
    layOutAgain();
    this.field.form.addEventListener("filled", layOutAgain);
    this.field.form.addEventListener("pointerdown", () => forceLayout(boxes));
    this.show();
    startClaim(root, this.field, this.panels);
  }

  /** What the next tap on a tile adds. */
  get kind() {
    return this.recipe?.kind ?? (this.loses ? this.key : hands.nextKind(this.hand, this.key, this.lastSet));
  }

  nameOf(kind) {
    return this.keys.find((key) => key.value === kind).dataset.name;
  }

  /** What a tap on `code` adds, or a slide for `slideKind`. No honor begins a chow: it is a pung then. */
  kindOf(code, slideKind) {
    const kind = slideKind ?? this.kind;
    return kind === "chow" && isHonor(code) ? "pung" : kind;
  }

  /** The hand that a tap on `code` makes, or a slide for `slideKind`; undefined if it cannot be. */
  after(code, slideKind) {
    const { allows, tap, kind } = this.recipe ?? {};
    if (allows && !allows(code)) {
      return undefined;
    }
    if (tap) {
      return tap(code);
    }
    const added = hands.add(this.hand, this.kindOf(code, kind ? undefined : slideKind), code, this.loses);
    if (added !== this.hand) {
      return added;
    }
    const extended = !slideKind && this.kind !== "tile" && hands.pungToExtend(this.hand, code) >= 0;
    return extended ? hands.extendPung(this.hand, code) : undefined;
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
    this.handView.show(this.hand, this.chosen);
    const { back, takeAway } = this.backKey.dataset;
    this.backKey.textContent = this.chosen === undefined ? back : takeAway;
    if (!this.loses) {
      this.root.dataset.full = hands.isFull(this.hand) ? "yes" : "";
    }
    const { prompt, limit, full } = this.root.dataset;
    if (this.promptElement.textContent !== (prompt ?? "")) {
      this.promptElement.textContent = prompt ?? "";
    }
    this.promptElement.hidden = !limit || Boolean(full);
  }

  /** Write into another text field: of who won, or of somebody who `loses`. */
  edit({ field, loses }) {
    Object.assign(this, { field, loses });
    this.readForm();
  }

  /** Another hand was put into the form. */
  readForm() {
    this.key = this.lastSet = "pung";
    this.announcement.replaceChildren(); // of the hand before
    this.readText();
    this.resumeLimit();
    this.show();
  }

  /**
   * A limit hand that the form claims already goes on from the tiles that lie there. A claim is stored without tiles:
   * those that its key lays out lie there again.
   */
  resumeLimit() {
    const claimed = this.field.form.elements.claimed_limit?.value ?? "";
    const { prompt = "", pair, lays } = this.keyOf(claimed)?.dataset ?? {};
    Object.assign(this.root.dataset, { limit: claimed, prompt });
    if (claimed && !this.hand.length && !this.loses) {
      this.recipe = recipeOf(claimed, { pair, lays });
      this.hand = this.recipe?.start ?? [];
      this.field.value = format(this.hand);
    }
  }

  keyOf(limit) {
    return [...this.root.querySelectorAll("[data-limit]")].find(
      (key) => key.dataset.limit === limit,
    );
  }

  /** The text field changed by hand. */
  readText() {
    this.leaveLimit();
    this.hand = parse(this.field.value);
    this.show();
  }

  /** The hand changed by a tap. */
  setHand(hand) {
    this.announce(this.hand, hand);
    this.hand = hand;
    this.show();
    this.field.value = format(hand);
    this.field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Announce what a tap added or took away. A set that is turned has the focus, which announces it. */
  announce(before, after) {
    const groups = (hand) => hand.map((group) => this.handView.nameOf(group));
    const removed = subtract(groups(before), groups(after)).join(", ");
    const added = subtract(groups(after), groups(before)).join(", ");
    const sentence = removed && !added ? this.announcement.dataset.takenAway.replace("{what}", removed) : added;
    // A new node, so that a screen reader also reads the same words again.
    this.announcement.replaceChildren(document.createTextNode(sentence));
  }

  /** Forget the limit hand, the chosen set and the history. */
  leaveLimit() {
    this.recipe = undefined;
    this.chosen = undefined;
    this.history = [];
    this.root.dataset.limit = "";
  }

  // ----- what is done ------------------------------------------------------------------------------

  /** A key for what a tap adds. It changes no hand, so the event does not reach the form. */
  press(event) {
    if (event.target.matches("[data-key]")) {
      event.stopPropagation();
      this.key = event.target.value;
      this.lastSet = hands.SET_KINDS.includes(this.key) ? this.key : this.lastSet;
      this.recipe = undefined;
      this.show();
    }
  }

  tap(button) {
    const { tile, limit, of, group, back } = button?.dataset ?? {};
    if (tile) {
      this.addTile(tile);
    } else if (limit || of) {
      this.layOut(limit ?? of, button.dataset);
    } else if (group) {
      this.tapGroup(Number(group));
    } else if (back !== undefined) {
      this.goBack();
    }
  }

  addTile(code, slideKind) {
    const hand = this.after(code, slideKind);
    if (!hand) {
      return;
    }
    this.storeHistory();
    this.chosen = undefined;
    this.recipe = this.recipe?.tap ? undefined : this.recipe;
    this.setHand(hand);
  }

  /** Remember the hand for the Back key. */
  storeHistory() {
    const { limit = "", prompt = "" } = this.root.dataset;
    this.history.push({ hand: this.hand, recipe: this.recipe, limit, prompt });
  }

  /** As before the last tap; where a set was chosen, without it. */
  goBack() {
    if (this.chosen !== undefined || !this.history.length) {
      this.takeAway(this.chosen ?? this.hand.length - 1);
      return;
    }
    const { hand, recipe, limit, prompt } = this.history.pop();
    this.recipe = recipe;
    Object.assign(this.root.dataset, { limit, prompt });
    this.setHand(hand);
  }

  /** A set turns open or concealed; what cannot lie open is taken away. */
  tapGroup(index) {
    if (hands.canBeOpen(this.hand[index])) {
      this.chosen = index;
      this.history = [];
      this.setHand(hands.toggleOpen(this.hand, index));
      this.handView.button(index).focus();
    } else {
      this.takeAway(index);
      this.focusNear(index);
    }
  }

  takeAway(index) {
    this.leaveLimit();
    this.setHand(hands.remove(this.hand, index));
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
    const nearest = this.handView.button(Math.min(index, this.hand.length - 1));
    (nearest ?? this.tiles.get("1B")).focus();
  }

  /** Begin the limit hand `limit` with what its key says. */
  layOut(limit, { prompt, pair, lays }) {
    const before = this.history;
    this.storeHistory();
    this.leaveLimit();
    this.history = before;
    Object.assign(this.root.dataset, { limit, prompt });
    this.recipe = recipeOf(limit, { pair, lays });
    this.panels.show("tiles");
    this.setHand(this.recipe?.start ?? []);
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
