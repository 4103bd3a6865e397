/**
 * The state of a game as the site has last confirmed it, stored on this phone: a page that is opened without
 * a network was stored some time ago, and the site may have sent a later state since.
 */

import { laterState } from "./predict.js";

const WEEK = 7 * 24 * 60 * 60 * 1000; // milliseconds; an evening is over long before

// Phones have it under this name already.
const storageName = ({ user, game }) => `word ${user} ${game}`;

/** The state in the page itself (`#state`), or undefined without a table. */
function stateOnPage() {
  const { at, round, dealer, nextNumber } = document.getElementById("state")?.dataset ?? {};
  return (
    round && {
      at: Number(at),
      round,
      dealer: Number(dealer),
      number: Number(nextNumber) || 0,
      finished: nextNumber === "over",
    }
  );
}

/** The confirmed state of the table of `context`. `state` is what this page goes by. */
export class ConfirmedState {
  constructor(context) {
    this.context = context;
    this.state = latestState(context);
    this.since = 0; // when that came, by this page's clock
  }

  /** Take the `state` of an answer, unless a later one has come before: answers overtake each other. */
  update(state) {
    if (laterState(this.state, state) !== this.state) {
      this.#set(state);
    }
  }

  /**
   * The site has confirmed the state in the page, in answer to a poll that was sent at `asked`. What came
   * before that is older, whatever its time says.
   */
  confirm(asked) {
    const state = stateOnPage();
    if (state && asked >= this.since) {
      this.#set({ ...state, at: Math.max(state.at, this.state?.at ?? 0) });
    }
  }

  /** Read what another tab may have stored. */
  refresh() {
    this.state = laterState(this.state, latestState(this.context));
  }

  #set(state) {
    this.state = state;
    this.since = performance.now();
    storeState(this.context, state);
  }
}

/**
 * The site has answered that the game of `table`, `{user, game}`, stands at `state`: its page, here or in another tab,
 * goes by that. An older one changes nothing.
 */
export function storeAnswered(table, state) {
  const stored = storedState(table);
  if (laterState(stored, state) !== stored) {
    storeState(table, state);
  }
}

/** Store `state` as the latest of the table of `context`. */
function storeState(context, state) {
  try {
    localStorage.setItem(storageName(context), JSON.stringify(state));
    deleteBefore(state.at - WEEK);
  } catch {
    // A browser that stores nothing has the state in its page.
  }
}

/** The later of the state in the page and the stored one. */
const latestState = (context) => laterState(stateOnPage(), storedState(context));

function storedState(table) {
  try {
    return JSON.parse(localStorage.getItem(storageName(table))) ?? undefined;
  } catch {
    return undefined; // a browser that stores nothing
  }
}

/** Forget the states of before `time`, which is the site's: the clock of a phone may be days off. */
function deleteBefore(time) {
  for (const name of Object.keys(localStorage).filter((name) => name.startsWith("word "))) {
    if (JSON.parse(localStorage.getItem(name)).at < time) {
      localStorage.removeItem(name);
    }
  }
}
