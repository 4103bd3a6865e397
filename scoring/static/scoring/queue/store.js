/**
 * The store of the entries: IndexedDB, so that they outlive a reload, a restart, a flat battery.
 *
 * A change is a function from the whole list to a new one, carried out in one transaction: two tabs that
 * change the list at the same moment do so one after the other, and neither overwrites the other.
 */

import { upgraded } from "./upgrade.js";

const NAME = "table";
const STORE = "hands";
const TIMEOUT = 3000; // milliseconds: a browser may leave the question open for ever

/** A store in memory: for tests, and for a browser that keeps nothing, as in some private windows. */
export class MemoryStore {
  entries = [];

  async all() {
    return this.entries;
  }

  async change(change) {
    this.entries = change(this.entries);
    return this.entries;
  }
}

/**
 * The store of this browser. Where there is no database, or it fails for good (a full disk), the page goes
 * on in memory, and `isVolatile` says so: then the hands last as long as the page.
 */
export class DeviceStore {
  isVolatile = false;
  #opened;
  #memory = new MemoryStore();

  async all() {
    return this.#within("readonly", (entries) => entries);
  }

  /** Replace the list by `change(list)`; resolves to the new list once it is on the disk. */
  async change(change) {
    return this.#within("readwrite", change);
  }

  async #within(mode, change) {
    if (this.isVolatile) {
      return this.#memory.change(change);
    }
    try {
      return await this.#transact(mode, change);
    } catch {
      // A browser in the background loses its database now and then: it opens again.
      this.#opened = undefined;
    }
    try {
      return await this.#transact(mode, change);
    } catch {
      this.isVolatile = true;
      return this.#memory.change(change);
    }
  }

  async #transact(mode, change) {
    const database = await this.#database();
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    return new Promise((resolve, reject) => {
      const store = transaction.objectStore(STORE);
      let after = [];
      store.getAll().onsuccess = ({ target }) => {
        const before = target.result.map(upgraded);
        this.#memory.entries = before;
        after = change(before);
        writeChanges(store, before, after);
      };
      transaction.oncomplete = () => {
        this.#memory.entries = after;
        resolve(after);
      };
      transaction.onabort = () => reject(transaction.error);
    });
  }

  #database() {
    this.#opened ??= new Promise((resolve, reject) => {
      setTimeout(reject, TIMEOUT, new Error("No answer."));
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(request.error);
    });
    return this.#opened;
  }
}

/** Bring `store` from `before` to `after` by the entries that differ. */
function writeChanges(store, before, after) {
  const keys = new Set(after.map(({ key }) => key));
  for (const { key } of before.filter((entry) => !keys.has(entry.key))) {
    store.delete(key);
  }
  for (const entry of after) {
    if (!before.includes(entry)) {
      store.put(entry);
    }
  }
}
