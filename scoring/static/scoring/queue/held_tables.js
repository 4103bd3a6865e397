/**
 * The tables at which some tab of this phone waits for the answer to an undo: what was saved after it is not sent, in no
 * tab. Each tab says so for itself. One that is thrown away says nothing more, and holds nothing for ever.
 */

export const HOLDS_FOR = 90000; // milliseconds; a tab out of sight says it anew only once a minute

const PREFIX = "held";

export class HeldTables {
  /**
   * What the tabs of the member `user` hold, in the `storage` that they share; `now` is in milliseconds.
   * @param {string} tab the name of this tab, the same after it is loaded anew
   */
  constructor(user, tab, { now = Date.now, storage = () => localStorage } = {}) {
    Object.assign(this, { user, tab, now, storage });
  }

  /** Hold the table of `game` from now on, for this tab. */
  add(game) {
    this.#use((storage) => storage.setItem(this.#nameOf(game) + this.tab, String(this.now() + HOLDS_FOR)));
  }

  /** This tab holds the table of `game` no longer. */
  delete(game) {
    this.#use((storage) => storage.removeItem(this.#nameOf(game) + this.tab));
  }

  /** For how many milliseconds the table of `game` is held, by whatever tab. */
  left(game) {
    return this.#use((storage) => Math.max(0, ...this.#allLeft(storage, game))) ?? 0;
  }

  #allLeft(storage, game) {
    const names = Array.from({ length: storage.length }, (_none, index) => storage.key(index));
    return names
      .filter((name) => name.startsWith(this.#nameOf(game)))
      .map((name) => {
        const left = Number(storage.getItem(name)) - this.now();
        // The tab is gone. Or somebody has set the clock: by a minute is no harm.
        const isOver = !(left > 0 && left <= 2 * HOLDS_FOR);
        if (isOver) {
          storage.removeItem(name);
        }
        return isOver ? 0 : left;
      });
  }

  #nameOf(game) {
    return `${PREFIX} ${this.user} ${game} `;
  }

  /** A browser that stores nothing holds in each tab what that tab says. */
  #use(act) {
    try {
      return act(this.storage());
    } catch {
      return undefined;
    }
  }
}

/** Whether the item `name` of the shared storage is about a table that is held. */
export const isOfHeldTable = (name) => Boolean(name?.startsWith(`${PREFIX} `));
