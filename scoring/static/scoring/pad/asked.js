/**
 * What a rule book asks besides who won and the tiles (components/asked.html): bonus tiles, how the hand
 * was won, which tile came last, the hands of the others.
 *
 * The fields are what the form sends, also without scripts. This shows one group of them at a time, hides
 * what does not fit the seats that were tapped, and lends the pad to the hands of the others.
 */

import { isFull, isOpen } from "./hand.js";
import { CONCEALED, format, OPEN, parse } from "./notation.js";

const SELF = "self";
const CLAIMED = OPEN + CONCEALED;

class Asked {
  /** @param {HTMLElement} root the pad, with what stands below it */
  constructor(root) {
    this.root = root;
    this.tiles = document.getElementById(root.dataset.pad);
    this.form = this.tiles.form;
    this.last = root.querySelector("[data-last]");
    this.lastField = this.form.elements.winning_tile;
    this.kongs = root.querySelector("[data-claimed-kongs]");
    this.strip = root.querySelector("[data-strip]");
    if (this.last) {
      // What an error leads to is what is seen.
      [this.last.id, this.lastField.id] = [this.lastField.id, ""];
      this.last.tabIndex = -1;
    }
    this.winningBonus = root.querySelector("[data-winning-bonus]");
    this.losers = [...root.querySelectorAll("[data-loser]")];

    // Before the pad's own listener, which opens panels.
    root.addEventListener("click", (event) => this.tap(event), true);
    root.addEventListener("keydown", (event) => this.type(event), true);
    // Below the form, so before whatever keeps or sends what it says.
    root.addEventListener("change", () => this.show());
    root.addEventListener("input", () => this.show());
    this.form.addEventListener("change", () => this.show());
    this.form.addEventListener("filled", () => {
      this.leaveLoser();
      this.show();
    });
    this.show();
  }

  get score() {
    return this.form.elements.claimed_final?.value ?? "";
  }

  tap(event) {
    const { target } = event;
    const lastTile = target.closest("[data-last-tile]");
    const taps = target.closest("[data-tap-tiles]");
    const kong = target.closest("[data-kong]");
    const owner = target.closest("[data-belongs-to]");
    if (owner) {
      this.handOver(owner.closest("[data-loser]"), owner.dataset.belongsTo);
    } else if (target.closest("[data-all-bonus]")) {
      this.turnAllBonus();
    } else if (kong) {
      this.turnKong(Number(kong.dataset.kong));
    } else if (lastTile) {
      this.setLast(lastTile.dataset.lastTile);
    } else if (taps) {
      this.editLoser(taps.closest("[data-loser]"));
    } else if (target.closest("[data-done]")) {
      this.backToOthers();
    } else if (target.closest(".asked__back")) {
      this.goBack(event);
    }
  }

  type(event) {
    if (event.key !== "Escape") {
      return;
    }
    if (this.root.dataset.handOf) {
      event.stopPropagation();
      this.backToOthers();
    } else if (event.target.closest(".asked[data-panel]")) {
      this.goBack(event);
    }
  }

  /** From what is told to the tiles, or to the score alone where that was entered. */
  goBack(event) {
    if (this.score) {
      event.stopPropagation();
      this.root.querySelector("[data-opens=score]").click();
    }
  }

  // ----- the winning tile ------------------------------------------------------------------------------

  setLast(code) {
    this.lastField.value = this.lastField.value === code ? "" : code;
    this.lastField.dispatchEvent(new Event("change", { bubbles: true }));
    this.last.querySelector(`[data-last-tile="${code}"]`)?.focus();
  }

  /** Once the hand is whole, a key for each tile of it that is not declared. */
  showLast() {
    if (!this.last) {
      return;
    }
    const whole = Boolean(this.root.dataset.full) && !this.root.dataset.handOf;
    const groups = whole ? parse(this.tiles.value).filter(({ mark }) => !mark) : [];
    const codes = [...new Set(groups.flatMap(({ tiles }) => tiles))];
    if (whole && !codes.includes(this.lastField.value)) {
      this.lastField.value = "";
    }
    const shown = [...this.last.querySelectorAll("[data-last-tile]")];
    if (shown.map((key) => key.dataset.lastTile).join() !== codes.join()) {
      shown.forEach((key) => key.remove());
      this.last.append(...codes.map((code) => this.keyOf(code)));
    }
    for (const key of this.last.querySelectorAll("[data-last-tile]")) {
      key.setAttribute("aria-pressed", String(key.dataset.lastTile === this.lastField.value));
    }
    this.last.hidden = !codes.length;
  }

  keyOf(code) {
    const tile = this.root.querySelector(`[data-tile="${code}"]`);
    const key = document.createElement("button");
    key.type = "button";
    key.className = "asked__last-tile";
    key.dataset.lastTile = code;
    key.setAttribute("aria-label", tile.getAttribute("aria-label"));
    key.append(tile.firstElementChild.cloneNode(true));
    return key;
  }

  // ----- kongs whose fourth tile was claimed to a concealed pung -------------------------------------

  /** A key for each open kong. */
  showKongs() {
    if (!this.kongs) {
      return;
    }
    const keys = parse(this.tiles.value).map((group, index) => {
      const key = group.kind === "kong" && isOpen(group) ? this.keyOf(group.tiles[0]) : undefined;
      if (key) {
        delete key.dataset.lastTile;
        key.dataset.kong = index;
        key.setAttribute("aria-pressed", String(group.mark === CLAIMED));
      }
      return key;
    });
    this.kongs.lastElementChild.replaceChildren(...keys.filter(Boolean));
    this.kongs.hidden = !keys.some(Boolean);
  }

  turnKong(index) {
    const groups = parse(this.tiles.value);
    groups[index].mark = groups[index].mark === CLAIMED ? OPEN : CLAIMED;
    this.tiles.value = format(groups);
    this.tiles.dispatchEvent(new Event("input", { bubbles: true }));
    this.kongs.querySelector(`[data-kong="${index}"]`)?.focus();
  }

  // ----- bonus tiles that win by themselves -----------------------------------------------------------

  /** All of them, or none where all lie there. */
  turnAllBonus() {
    const boxes = [...this.winningBonus.querySelectorAll("[type=checkbox]")];
    const all = boxes.every(({ checked }) => checked);
    boxes.forEach((box) => (box.checked = !all));
    boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
  }

  get winsByBonus() {
    const { winningBonus } = this.winningBonus.dataset;
    return this.winningBonus.querySelectorAll(":checked").length >= Number(winningBonus);
  }

  // ----- the hands of the others ---------------------------------------------------------------------

  /** Let the pad write the hand of the player of `section`. */
  editLoser(section) {
    this.root.dataset.handOf = section.dataset.loser;
    const words = this.strip.querySelector("[data-strip-name]");
    words.textContent = words.dataset.words.replace("{name}", this.nameOf(section));
    this.strip.hidden = false;
    this.lend(section.querySelector("[name$=-tiles]"), true);
    this.showLast();
    setTimeout(() => this.strip.querySelector("[data-done]").focus()); // once the tiles are open
  }

  lend(field, loses) {
    this.root.dispatchEvent(new CustomEvent("edit", { detail: { field, loses } }));
  }

  /** The pad writes the winner's hand again. */
  leaveLoser() {
    if (this.root.dataset.handOf) {
      this.lend(this.tiles, false);
      delete this.root.dataset.handOf;
      this.strip.hidden = true;
      this.showLast();
    }
  }

  backToOthers() {
    const section = this.losers.find(({ dataset }) => dataset.loser === this.root.dataset.handOf);
    this.root.querySelector("[data-opens=others]").click();
    this.leaveLoser();
    section?.querySelector("summary").focus();
  }

  /** What was entered for `section`, whose player plays here no longer, is of the player `pk`, where theirs is empty. */
  handOver(section, pk) {
    const left = section.dataset.loser;
    for (const field of section.querySelectorAll("[name]")) {
      const other = this.form.elements[field.name.replace(`other-${left}-`, `other-${pk}-`)];
      if (field.type === "checkbox") {
        other.checked ||= field.checked;
        field.checked = false;
      } else if (!other.value) {
        other.value = field.value;
        field.value = "";
      }
    }
    const owner = this.losers.find(({ dataset }) => dataset.loser === pk);
    owner.open = true;
    owner.querySelector("summary").focus();
    owner.dispatchEvent(new Event("change", { bubbles: true }));
  }

  nameOf(section) {
    return section.querySelector("[data-loser-name]").textContent;
  }

  /**
   * What is told of each other hand, in short. The winner has no section, nor has who plays here no longer, unless
   * something stands there.
   */
  showLosers(winner) {
    for (const section of this.losers) {
      const [tiles, claimed] = ["tiles", "claimed"].map((part) => section.querySelector(`[name$=-${part}]`));
      const bonus = section.querySelectorAll("[type=checkbox]:checked").length;
      const entered = [claimed.value || tiles.value, bonus ? `+${bonus}` : ""].filter(Boolean).join(" ");
      section.querySelector("[data-loser-entered]").textContent = entered;
      section.dataset.asked = entered ? "yes" : "";
      section.hidden = !entered && (section.dataset.loser === winner || "left" in section.dataset);
    }
  }

  // ----- what fits the seats -------------------------------------------------------------------------

  /** Hide the ways of winning that cannot be, and take back one that was chosen. */
  showFitting(winner, discarder) {
    const east = this.form.querySelector('[data-wind-of] use[href$="#t-E"]');
    const dealer = east?.closest("[data-seat]").dataset.seat;
    const facts = {
      drawn: !discarder || discarder === SELF,
      claimed: discarder !== SELF,
      dealer: !winner || winner === dealer,
      others: winner !== dealer,
    };
    for (const choice of this.root.querySelectorAll("[data-fits]")) {
      const fits = choice.dataset.fits.split(" ").every((fact) => facts[fact] ?? true);
      this.allow(choice, fits);
    }
    for (const choice of this.root.querySelectorAll("[data-player]")) {
      this.allow(choice, choice.dataset.player !== winner);
    }
  }

  allow(choice, fits) {
    const input = choice.querySelector("input");
    choice.hidden = !fits;
    if (!fits && input.checked) {
      input.checked = false;
      const usual = choice.parentElement.querySelector('[type=radio][value=""]');
      if (input.type === "radio" && usual) {
        usual.checked = true;
      }
    }
  }

  /** A choice of somebody who plays here no longer can only be taken back. */
  showLeft() {
    for (const choice of this.form.querySelectorAll("label[data-left]")) {
      choice.hidden = !choice.querySelector("input").checked;
    }
  }

  /** How much each key has behind it. */
  showCounts() {
    const chosen = (panel) =>
      this.root.querySelectorAll(`[data-panel=${panel}] :is(:checked:not([value=""]), [data-asked=yes])`);
    for (const place of this.root.querySelectorAll("[data-count]")) {
      const name = place.dataset.count;
      const many =
        name === "others" ? this.losers.filter(({ dataset }) => dataset.asked).length : chosen(name).length;
      place.hidden = !many;
      place.textContent = many || "";
    }
  }

  /** Who was calling is asked after a draw; nobody shows a hand that was broken off. */
  showCalls(winner) {
    for (const part of this.form.querySelectorAll("[data-draw-only]")) {
      part.hidden = winner !== "draw";
      part.disabled = part.hidden;
    }
    for (const box of this.form.querySelectorAll("[name^=calling-]")) {
      box.disabled = this.form.elements.abortive?.checked ?? false;
    }
  }

  show() {
    const { winner, discarder, value } = this.form.elements;
    this.showCalls(winner.value);
    if (value) {
      this.root.dataset.full = value.value ? "yes" : "";
    }
    if (this.winningBonus && !this.root.dataset.handOf) {
      this.root.dataset.full = isFull(parse(this.tiles.value)) || this.winsByBonus ? "yes" : "";
    }
    this.showFitting(winner.value, discarder.value);
    this.showLast();
    this.showKongs();
    this.showLosers(winner.value);
    this.showLeft();
    this.showCounts();
  }
}

function start() {
  for (const keys of document.querySelectorAll("[data-asked-keys]:not([data-started])")) {
    keys.dataset.started = "";
    new Asked(keys.closest("[data-pad]"));
  }
}

start();
document.addEventListener("htmx:load", start);
