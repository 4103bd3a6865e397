/**
 * Who won, and who discarded: the four seats in one row, tapped one after the other.
 *
 * The first tap is the winner, the second who discarded; the winner once more drew the tile. What is
 * set already goes away when it is tapped again. A slide from one seat to another says both at once.
 * Where the discarder was left out of a hand that is whole, a key says that nobody remembers, if the
 * rules can do without.
 */

import { preventSidewaysScroll } from "../pad/slide.js";

const SELF = "self";
const DRAW = "draw";
const UNKNOWN = "unknown";

/** What stands after a tap on `tapped` (a player's id, or "draw"). Pure. */
export function afterTap({ winner, discarder }, tapped) {
  if (tapped === DRAW) {
    return { winner: winner === DRAW ? "" : DRAW, discarder: "" };
  }
  if (!winner || winner === DRAW) {
    return { winner: tapped, discarder: "" };
  }
  if (tapped === winner) {
    return discarder === SELF ? { winner: "", discarder: "" } : { winner, discarder: SELF };
  }
  return { winner, discarder: tapped === discarder ? "" : tapped };
}

/** What a slide from `winner` to the seat `over` says: nothing, unless both are players. Pure. */
export function afterSlide(winner, over) {
  const isSlide = winner && over && winner !== over && winner !== DRAW && over !== DRAW;
  return isSlide ? { winner, discarder: over } : undefined;
}

/** "won", "self", "discarded" or "". */
function roleOf(player, { winner, discarder }) {
  if (player === winner) {
    return discarder === SELF ? SELF : "won";
  }
  return player === discarder ? "discarded" : "";
}

/** What the player with this id is called at the seats of `form`. */
export const nameOf = (form, player) => form.querySelector(`[data-seat="${player}"] [data-name]`)?.textContent ?? "";

/** "Ann, on Ben's discard", as the seats of `form` are called, and what is still to be tapped before. */
export function outcomeText(form, winner, discarder) {
  const words = form.querySelector("[data-outcome]").dataset;
  const template =
    (!winner && words.askWinner) ||
    (winner === DRAW && words.draw) ||
    (!discarder && words.askDiscarder) ||
    { [SELF]: words.self, [UNKNOWN]: words.unknown }[discarder] ||
    words.off;
  return template
    .replaceAll("{winner}", nameOf(form, winner))
    .replaceAll("{discarder}", nameOf(form, discarder));
}

class WinnerRow {
  /** @param {HTMLFormElement} form the form of a hand */
  constructor(form) {
    this.form = form;
    this.row = form.querySelector("[data-seats-row]");
    this.text = form.querySelector("[data-outcome]");
    this.unknownButton = form.querySelector("[data-nobody-remembers]");
    this.seats = [...this.row.querySelectorAll("[data-seat]")];
    this.row.addEventListener("click", ({ target }) => {
      const seat = target.closest("[data-seat]")?.dataset.seat;
      if (seat) {
        this.set(afterTap(this.choice, seat));
      }
    });
    this.startSlides();
    this.unknownButton?.addEventListener("click", () => this.set({ discarder: UNKNOWN }));
    // While typing, too: else leaving a field would move Save from under the pointer.
    form.addEventListener("input", () => this.show());
    form.addEventListener("change", () => this.show());
    this.row.inert = false;
    this.show();
  }

  /** The words follow the thumb; where it is lifted counts. Up and down still scrolls the page. */
  startSlides() {
    let from = "";
    preventSidewaysScroll(this.row);
    const seatAt = ({ clientX, clientY }) =>
      document.elementFromPoint(clientX, clientY)?.closest("[data-seat]")?.dataset.seat;
    this.row.addEventListener("pointerdown", (event) => {
      from = (event.isPrimary && !event.button && seatAt(event)) || "";
    });
    this.row.addEventListener("pointermove", (event) => {
      from = event.buttons ? from : ""; // lifted elsewhere
      if (from) {
        const choice = afterSlide(from, seatAt(event));
        if (choice) {
          this.row.setPointerCapture(event.pointerId); // what is lifted beside the row ends here, too
        }
        this.show(choice);
      }
    });
    const end = (choice) => {
      from = "";
      if (choice) {
        this.set(choice);
      } else {
        this.show();
      }
    };
    this.row.addEventListener("pointerup", (event) => end(afterSlide(from, seatAt(event))));
    this.row.addEventListener("pointercancel", () => end());
  }

  get choice() {
    const { winner, discarder } = this.form.elements;
    return { winner: winner.value, discarder: discarder.value };
  }

  set(choice) {
    for (const [name, value] of Object.entries(choice)) {
      for (const radio of this.form.elements[name]) {
        radio.checked = radio.value === value;
      }
    }
    this.row.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Show `choice`: what the form says, or a slide that is not over yet. */
  show(choice = this.choice) {
    const { winner, discarder } = choice;
    const drawn = winner === DRAW;
    for (const seat of this.seats) {
      const role = roleOf(seat.dataset.seat, choice);
      seat.dataset.role = role;
      seat.setAttribute("aria-pressed", String(Boolean(role)));
      for (const sign of seat.querySelectorAll("[data-sign]")) {
        sign.hidden = sign.dataset.sign !== role;
      }
    }
    for (const part of this.form.querySelectorAll("[data-win-only]")) {
      part.disabled = drawn;
    }
    if (this.unknownButton) {
      this.unknownButton.hidden = !winner || drawn || Boolean(discarder) || !this.hasScore;
    }
    const sentence = outcomeText(this.form, winner, discarder);
    if (this.text.textContent !== sentence) {
      // What to do first is read where it stands: after Save, what was saved is the news.
      this.text.setAttribute("aria-live", winner ? "polite" : "off");
      this.text.textContent = sentence;
    }
  }

  /** Whether the rest of a win is there: all tiles, a score, or a limit hand. */
  get hasScore() {
    const { claimed_final: score, claimed_limit: limit } = this.form.elements;
    const full = this.form.querySelector("[data-pad]")?.dataset.full;
    return Boolean(full || score?.value || limit?.value);
  }
}

/** Bring the seats of every form of a hand in `scope` to life, once. */
export function startWinnerRows(scope = document) {
  for (const form of scope.querySelectorAll("[data-hand-form]:not([data-row-started])")) {
    form.dataset.rowStarted = "";
    new WinnerRow(form);
  }
}
