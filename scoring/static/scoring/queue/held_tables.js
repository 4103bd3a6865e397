/**
 * The tables at which some tab of this phone waits for the answer to an undo: what was saved after it is not sent, in no
 * tab. A tab that is thrown away says nothing more, and holds nothing for ever.
 */

export const HOLDS_FOR = 90000; // milliseconds; a tab out of sight says it anew only once a minute

/** What the tabs of the member `user` hold, in the storage that they share; `now` is in milliseconds. */
export class HeldTables {
  constructor(user, now = Date.now) {
    Object.assign(this, { user, now });
  }

  /** Hold the table of `game` from now on. */
  add(game) {
    this.#store(game, (name) => localStorage.setItem(name, String(this.now() + HOLDS_FOR)));
  }

  delete(game) {
    this.#store(game, (name) => localStorage.removeItem(name));
  }

  /** For how many milliseconds the table of `game` is held. */
  left(game) {
    const until = this.#store(game, (name) => Number(localStorage.getItem(name))) || 0;
    const left = until - this.now();
    return left > 0 && left <= HOLDS_FOR ? left : 0; // somebody may have set the clock
  }

  /** A browser that stores nothing holds in each tab what that tab says. */
  #store(game, act) {
    try {
      return act(`${PREFIX} ${this.user} ${game}`);
    } catch {
      return undefined;
    }
  }
}

const PREFIX = "held";

/** Whether the item `name` of the shared storage is about a table that is held. */
export const isOfHeldTable = (name) => Boolean(name?.startsWith(`${PREFIX} `));
