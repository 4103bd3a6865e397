/**
 * Who won, and who discarded: the four seats in one row, tapped one after the other.
 *
 * The first tap is the winner, the second who discarded; the winner once more drew the tile. What is
 * set already goes away when it is tapped again. Where the discarder was left out of a hand that is
 * whole, a key says that nobody remembers, if the rules can do without. Two rows of radio buttons are what the form sends,
 * and all there is without scripts.
 */

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

class Who {
  /** @param {HTMLFormElement} form the form of a hand */
  constructor(form) {
    this.form = form;
    this.row = form.querySelector("[data-seats-row]");
    this.words = form.querySelector("[data-who-said]");
    this.nobody = form.querySelector("[data-nobody-remembers]");
    this.seats = [...this.row.querySelectorAll("[data-seat]")];
    this.row.addEventListener("click", ({ target }) => {
      const seat = target.closest("[data-seat]")?.dataset.seat;
      if (seat) {
        this.set(afterTap(this.said, seat));
      }
    });
    this.nobody?.addEventListener("click", () => this.set({ discarder: UNKNOWN }));
    // While typing, too: what appears only when a field is left would move Save from under the pointer.
    form.addEventListener("input", () => this.show());
    form.addEventListener("change", () => this.show());
    this.show();
  }

  get said() {
    const { winner, discarder } = this.form.elements;
    return { winner: winner.value, discarder: discarder.value };
  }

  set(said) {
    for (const [name, value] of Object.entries(said)) {
      for (const radio of this.form.elements[name]) {
        radio.checked = radio.value === value;
      }
    }
    this.row.dispatchEvent(new Event("change", { bubbles: true }));
  }

  show() {
    const { winner, discarder } = this.said;
    const drawn = winner === DRAW;
    for (const seat of this.seats) {
      const role = this.roleOf(seat.dataset.seat);
      seat.dataset.role = role;
      seat.setAttribute("aria-pressed", String(Boolean(role)));
      for (const sign of seat.querySelectorAll("[data-sign]")) {
        sign.hidden = sign.dataset.sign !== role;
      }
    }
    for (const part of this.form.querySelectorAll("[data-win-only]")) {
      part.disabled = drawn;
    }
    if (this.nobody) {
      this.nobody.hidden = !winner || drawn || Boolean(discarder) || !this.whole;
    }
    const sentence = this.sentence(winner, discarder);
    if (this.words.textContent !== sentence) {
      this.words.textContent = sentence;
    }
  }

  /** Whether the rest of a win is there: all tiles, a score, or a limit hand. */
  get whole() {
    const { claimed_final: score, claimed_limit: limit } = this.form.elements;
    const full = this.form.querySelector("[data-pad]")?.dataset.full;
    return Boolean(full || score?.value || limit?.value);
  }

  /** "won", "self", "discarded" or "". */
  roleOf(player) {
    const { winner, discarder } = this.said;
    if (player === winner) {
      return discarder === SELF ? SELF : "won";
    }
    return player === discarder ? "discarded" : "";
  }

  /** "Ann, on Ben's discard", and what is still to be tapped before. */
  sentence(winner, discarder) {
    const words = this.words.dataset;
    const name = (player) =>
      this.seats.find((seat) => seat.dataset.seat === player)?.querySelector("[data-name]")
        .textContent;
    const template =
      (!winner && words.askWinner) ||
      (winner === DRAW && words.draw) ||
      (!discarder && words.askDiscarder) ||
      { [SELF]: words.self, [UNKNOWN]: words.unknown }[discarder] ||
      words.off;
    return template
      .replaceAll("{winner}", name(winner))
      .replaceAll("{discarder}", name(discarder));
  }
}

/** Bring the seats of every form of a hand in `scope` to life, once. */
export function startSeats(scope = document) {
  for (const form of scope.querySelectorAll("[data-hand-form]:not([data-seated])")) {
    form.dataset.seated = "";
    new Who(form);
  }
}
