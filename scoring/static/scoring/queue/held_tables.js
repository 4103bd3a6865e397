/**
 * The tables at which some tab of this phone waits for the answer to an undo: what was saved after it is not sent, in no
 * tab. Each tab says so for itself, and has a lock meanwhile, by which others see that it is open. One that is thrown away
 * says nothing more, and holds nothing for ever.
 */

export const HOLDS_FOR = 90000; // milliseconds; a tab out of sight says it anew only once a minute
export const RELOADS_IN = 10000; // milliseconds in which a tab without its lock may be one that is loaded anew

const PREFIX = "held";

export class HeldTables {
  /**
   * What the tabs of the member `user` hold, in the `storage` that they share; `now` is in milliseconds.
   * @param {string} tab the name of this tab, the same after it is loaded anew
   */
  constructor(user, tab, { now = Date.now, storage = () => localStorage, locks = navigator.locks } = {}) {
    Object.assign(this, { user, tab, now, storage, locks });
    this.unlock = new Map(); // game: what ends the lock of this tab
  }

  /** Hold the table of `game` from now on, for this tab. */
  add(game) {
    const name = this.#nameOf(game) + this.tab;
    this.#use((storage) => storage.setItem(name, String(this.now() + HOLDS_FOR)));
    if (!this.unlock.has(game)) {
      const ended = new Promise((end) => this.unlock.set(game, end));
      this.locks?.request(name, () => ended);
    }
  }

  /** This tab holds the table of `game` no longer. */
  delete(game) {
    this.#use((storage) => storage.removeItem(this.#nameOf(game) + this.tab));
    this.unlock.get(game)?.();
    this.unlock.delete(game);
  }

  /**
   * Forget what other tabs hold that are gone. Of a browser that was killed, the last that its tabs have said may not have
   * been stored, such as that they hold no longer. Resolves to whether any other tab held something.
   */
  async forgetGone() {
    const names = this.#use((storage) => namesIn(storage).filter((name) => this.#isOfAnother(name))) ?? [];
    const { held } = (names.length && (await this.locks?.query())) || {};
    for (const name of held ? names : []) {
      this.#use((storage) => {
        const since = this.now() + HOLDS_FOR - Number(storage.getItem(name));
        if (since >= RELOADS_IN && !held.some((lock) => lock.name === name)) {
          storage.removeItem(name);
        }
      });
    }
    return names.length > 0;
  }

  /** For how many milliseconds the table of `game` is held, by whatever tab. */
  left(game) {
    return this.#use((storage) => Math.max(0, ...this.#allLeft(storage, game))) ?? 0;
  }

  #allLeft(storage, game) {
    return namesIn(storage)
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

  #isOfAnother(name) {
    return isOfHeldTable(name) && !name.endsWith(` ${this.tab}`);
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

const namesIn = (storage) => Array.from({ length: storage.length }, (_none, index) => storage.key(index));

/** Whether the item `name` of the shared storage is about a table that is held. */
export const isOfHeldTable = (name) => Boolean(name?.startsWith(`${PREFIX} `));
