/**
 * Sends what waits, one hand of a table after the other, by itself, whenever there is a network.
 *
 * What the site answers is written into the store before anything else happens. A table whose answer is
 * "the site is in trouble" is tried again later and holds up no other table; no answer at all, or a lost
 * session, holds up everything. Sending a hand twice does no harm: the site knows its key.
 */

import * as entries from "./entries.js";
import { longerPause, NO_PAUSE } from "./pauses.js";

const DECISION_INTERVAL = 15000; // milliseconds: how often an organiser's decision is asked for,
const REOPENED_INTERVAL = 60000; // and whether a table that takes no hands takes them again
const HOLD_INTERVAL = 20000; // how often the other tabs are told that a table is held

// What becomes of an entry, by the outcome that the site tells.
const TRANSITIONS = {
  taken: (list, entry) => entries.markTaken(list, entry),
  refused: (list, entry, answer) => entries.markRefused(list, entry, answer),
  declined: (list, entry, { sentence }) =>
    entries.markRefused(list, entry, { code: "declined", reasons: [sentence] }),
  asked: (list, entry) => entries.markKnown(list, entry),
  open: (list, { user, game }) => entries.reopen(list, { user, game }),
  signedOut: (list) => list,
};

// By these outcomes the site says that it has not logged the hand.
const isNotLogged = (outcome) => outcome in TRANSITIONS && outcome !== "taken";

/** What the site answered to `entry`: "answered" is fired before the list of entries changes, "settled" after it. */
class AnswerEvent extends Event {
  constructor(name, entry, answer) {
    super(name);
    this.entry = entry;
    this.answer = answer;
  }
}

export class Sender extends EventTarget {
  /**
   * @param {{all, change}} store where the entries are
   * @param {(entry) => Promise<{outcome: string}>} post sends one entry; see site.js for the outcomes
   * @param {string} user the id of who is signed in; "" sends nothing
   * @param {{now: () => number, setTimer: (act, pause) => number, clearTimer: (timer) => void,
   *   withLock: (act) => Promise, isCutOff: () => Promise<boolean>, holds: {add, left, delete}}} environment clock,
   *   lock, whether it is certain that no request leaves the phone, and the tables that any tab holds (held_tables.js);
   *   tests bring their own
   */
  constructor(store, post, user, environment) {
    super();
    Object.assign(this, { store, post, user, environment });
    this.underWay = ""; // the key of the hand that is being sent
    this.reached = true; // whether the site answered last time, here or elsewhere on the page
    this.wasWoken = false; // whether an answer elsewhere has ended a pause since the last answer here
    this.signedOut = false;
    this.tables = new Map(); // game: how often it failed in a row, and when it is tried again
    this.site = NO_PAUSE;
    this.decisions = new Map(); // key: when the organiser's decision is asked for again
    this.held = new Map(); // game: the timer that tells other tabs; something else has to be answered there first
  }

  /**
   * Try now, whatever failed before: there is a network again, or somebody has signed in, or saves, or
   * looks at the page. A table that takes no hands has not failed: see `retryTable` and `tableOpened`.
   */
  retryNow() {
    this.site = NO_PAUSE;
    for (const table of this.tables.values()) {
      table.until = table.trouble ? 0 : table.until;
    }
    return this.drain();
  }

  /**
   * Something else on this page was answered (`reached`) or was not. What waits for a network is tried once
   * before its time: what is between may let a poll through, and no hand.
   */
  noteReached(reached) {
    const isNews = reached !== this.reached;
    this.reached = reached;
    if (reached && isNews && !this.wasWoken) {
      this.wasWoken = true;
      this.site = { ...this.site, until: 0 };
      this.drain();
    }
    return isNews;
  }

  /** Send what can be sent now. A call while another runs makes that one look again at its end. */
  drain() {
    this.runAgain = true;
    this.running ??= this.environment
      .withLock(() => this.#sendAll())
      .finally(() => {
        this.running = undefined;
        return this.#schedule();
      });
    return this.running;
  }

  async #sendAll() {
    while (this.runAgain) {
      this.runAgain = false;
      for (let entry; (entry = await this.#next()); ) {
        this.underWay = entry.key;
        this.#fire("change");
        const answer = await this.#send(entry);
        this.underWay = "";
        if (answer) {
          await this.#handle(entry, answer);
        }
      }
    }
  }

  /** Resolves to the answer, or to nothing if another tab has changed the hand by now, or its table is held. */
  async #send(entry) {
    if (await this.environment.isCutOff()) {
      return { outcome: "away" };
    }
    // A page can die while its request runs.
    if (!(await this.#markTried(entry))) {
      return undefined;
    }
    if (this.#heldFor(entry.game)) {
      await this.store.change((list) => entries.restoreTried(list, entry));
      return undefined;
    }
    return this.post(entry);
  }

  /** For how many milliseconds no hand of `game` is sent, by what any tab says. */
  #heldFor(game) {
    return this.held.has(game) ? Infinity : this.environment.holds.left(game);
  }

  async #handle(entry, answer) {
    // A page that loses the hand before it learns where the game stands would count back.
    this.dispatchEvent(new AnswerEvent("answered", entry, answer));
    await this.#settle(entry, answer);
    this.#fire("change");
    this.dispatchEvent(new AnswerEvent("settled", entry, answer));
  }

  async #next() {
    const ready = entries.sendable(await this.store.all(), this.user);
    return ready.find((entry) => this.#dueAt(entry) <= this.environment.now());
  }

  #dueAt({ game, key, state }) {
    const held = this.#heldFor(game);
    if (held) {
      return this.environment.now() + held;
    }
    // That a table takes no hands holds up none for which an organiser is asked.
    const goesOn = state === entries.ASKED && !this.isInTrouble(game);
    const { until: table = 0 } = (!goesOn && this.tables.get(game)) || {};
    return Math.max(this.site.until, table, this.decisions.get(key) ?? 0);
  }

  /** `entry` is as it was before it was sent. */
  async #settle(entry, answer) {
    const { key, game } = entry;
    const { outcome } = answer;
    this.reached = outcome !== "away";
    this.wasWoken &&= !this.reached;
    this.signedOut = outcome === "signedOut";
    const applies = await this.#change(entry, answer);
    if (outcome === "away" || outcome === "signedOut") {
      this.site = this.#delayed(this.site);
      return;
    }
    this.site = NO_PAUSE;
    if (!(outcome in TRANSITIONS)) {
      // Trouble, or an answer that this page does not know: the site may be newer than the page.
      const delayed = this.#delayed(this.tables.get(game), answer.retryAfter);
      this.tables.set(game, { ...delayed, trouble: true });
      return;
    }
    if (outcome !== "asked" || this.isInTrouble(game)) {
      this.tables.delete(game);
    }
    if (outcome === "asked") {
      this.decisions.set(key, this.environment.now() + DECISION_INTERVAL);
    }
    if (applies && outcome === "refused" && entries.isShut(answer.code)) {
      this.tables.set(game, { failed: 0, until: this.environment.now() + REOPENED_INTERVAL });
    }
  }

  /** Note that `entry` is being sent. Resolves to whether it is in the list as it is to be sent. */
  async #markTried(entry) {
    const list = await this.store.change((all) =>
      entries.isAsSent(all, entry) ? entries.markTried(all, entry.key) : all,
    );
    return entries.isAsSent(list, entry);
  }

  /** Write into the list what `answer` means. Resolves to whether it applies: `entry` is there as it was sent. */
  async #change(entry, answer) {
    const { outcome } = answer;
    let applies = true;
    if (outcome in TRANSITIONS) {
      await this.store.change((list) => {
        applies = entries.isAsSent(list, entry);
        const known = isNotLogged(outcome) ? entries.restoreTried(list, entry) : list;
        return TRANSITIONS[outcome](known, entry, answer);
      });
    }
    return applies;
  }

  #delayed(pause, atLeast) {
    return longerPause(pause, this.environment.now(), atLeast);
  }

  /**
   * Send `hand`, which the person has not saved, ahead of what waits. Resolves to the site's answer, or to "held";
   * what follows from it is for the form.
   */
  async sendUnsaved(hand) {
    if (await this.environment.isCutOff()) {
      return { outcome: "away" };
    }
    let before;
    await this.store.change((list) => {
      before = entries.find(list, hand.key);
      return entries.markTried(list, hand.key);
    });
    const answer = this.#heldFor(hand.game) ? { outcome: "held" } : await this.post(hand);
    if (before && (answer.outcome === "held" || isNotLogged(answer.outcome))) {
      await this.store.change((list) => entries.restoreTried(list, before));
    }
    return answer;
  }

  /** Something else on this page was answered, and somebody has to sign in first (`signedOut`) or not. */
  noteSignedOut(signedOut) {
    if (this.signedOut !== signedOut) {
      this.signedOut = signedOut;
      this.#fire("change");
    }
  }

  /** Send no hand of `game` until `release`, in no tab: something that comes before it is asked for. */
  hold(game) {
    const { clearTimer, holds, setTimer } = this.environment;
    clearTimer(this.held.get(game));
    this.held.set(game, setTimer(() => this.hold(game), HOLD_INTERVAL));
    holds.add(game);
  }

  /** Send hands of `game` again. Nobody has asked for them at once: what failed still pauses. */
  release(game) {
    const { clearTimer, holds } = this.environment;
    if (this.held.has(game)) {
      clearTimer(this.held.get(game));
      this.held.delete(game);
      holds.delete(game);
      this.drain();
    }
  }

  /** Send what was shut out of the table of `game` at once: somebody asks. */
  retryTable(game) {
    this.tables.delete(game);
    this.decisions.clear();
    return this.retryNow();
  }

  /** The site says that the table of `game` takes hands: send what was shut out. What failed still pauses. */
  tableOpened(game) {
    if (!this.isInTrouble(game)) {
      this.tables.delete(game);
    }
    this.decisions.clear();
    return this.drain();
  }

  /** Whether no hand of `game` is sent because some tab waits for the answer to an undo there. */
  isHeld(game) {
    return this.#heldFor(game) > 0;
  }

  /** Whether the site said that it is in trouble when a hand of `game` was sent. */
  isInTrouble(game) {
    return Boolean(this.tables.get(game)?.trouble);
  }

  /** Come back when the next hand is due. */
  async #schedule() {
    this.environment.clearTimer(this.timer);
    const ready = entries.sendable(await this.store.all(), this.user);
    const due = ready.map((entry) => this.#dueAt(entry)).filter(Number.isFinite);
    if (due.length) {
      const pause = Math.max(0, Math.min(...due) - this.environment.now());
      this.environment.clearTimer(this.timer);
      this.timer = this.environment.setTimer(() => this.drain(), pause);
    }
  }

  #fire(what) {
    this.dispatchEvent(new Event(what));
  }
}
