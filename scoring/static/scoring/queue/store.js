/**
 * The store of the entries: IndexedDB, so that they outlive a reload, a restart, a flat battery.
 *
 * A change is a function from the whole list to a new one, carried out in one transaction: two tabs that
 * change the list at the same moment do so one after the other, and neither overwrites the other.
 */

import { find, isStored, newKey } from "./entries.js";
import { delay } from "./pauses.js";
import { upgraded } from "./upgrade.js";

const NAME = "table";
const STORE = "hands";
const TIMEOUT = 3000; // milliseconds: a browser may leave the question open for ever
const PATIENCE = 15000; // milliseconds where hands wait: what is saved without them would go before them
const READ_INTERVAL = 500; // milliseconds after which a list that could not be read yet is read again,
const LATE_INTERVAL = 5000; // and once it was given up
const NO_ANSWER = new Error("The database has not answered yet.");
const WAITS = "waits"; // under this the browser stores, while they do, whose they are
const SOMEBODYS = "yes"; // what was stored there on 30 November 2026, whoever's they were
const MAX_TRIES = 2; // a browser in the background loses its database now and then: it opens again

const unchanged = (entries) => entries;
const hasDatabases = () => Boolean(globalThis.indexedDB); // not in every private window

/**
 * The store of this browser. What the disk does not take (it is full, or there is no database) lasts as long as
 * the page, and `isVolatile` says so. It is written with the next change that the disk takes.
 */
export class DeviceStore {
  onavailable = () => {}; // called when a database that was given up may answer
  #last = Promise.resolve(); // what was asked for last
  #opened;
  #failedToOpen = 0; // times in a row
  #isSilent = false; // it is asked to open, and has not answered: that is waited for in the background
  #identity; // of the database that this page has opened
  #wasRead = false; // by this page
  #givesUpAt; // reading, by the clock of the page
  #late; // the timer of the next try after that
  #wasReplaced = false; // it is another one by now, and this page has not looked into it
  #entries = []; // the list as this page knows it
  #unwritten = new Map(); // key: the entry as the disk should have it; null where it should have none
  #stored = new Set(); // the keys that the disk had when this page last looked or wrote
  #outdated = new Set(); // the keys of those of which the disk may have what they said before

  get #isMissing() {
    return this.#failedToOpen >= MAX_TRIES;
  }

  /** Whether the page waits until it has read what the database has. */
  get #isAwaited() {
    return hasDatabases() && !this.#wasRead && !this.#isUnread && (!this.#isMissing || mayWait());
  }

  /** Whether the disk has not taken all of the list. */
  get isVolatile() {
    return this.#isMissing || this.#isUnread || this.#unwritten.size > 0;
  }

  /** Whether the database has not let this page read what it has, for as long as the page waits for it. */
  get #isUnread() {
    return !this.#wasRead && performance.now() > this.#givesUpAt;
  }

  /** Whether hands of `user`, or of anybody, may wait in a database that this page has not read. */
  mayHoldHands(user) {
    return !this.#wasRead && mayWait(user);
  }

  async all() {
    return this.#within(this.#unwritten.size ? "readwrite" : "readonly", unchanged);
  }

  /** Replace the list by `change(list)`; resolves to the new list once it is on the disk. */
  async change(change) {
    return this.#within("readwrite", change);
  }

  /** One after the other: a change that is tried again must not undo a later one. */
  #within(mode, change) {
    const done = this.#last.then(() => this.#tryWithin(mode, change));
    this.#last = done.catch(unchanged);
    return done;
  }

  async #tryWithin(mode, change) {
    this.#givesUpAt ??= performance.now() + MAX_TRIES * this.#timeout();
    for (let tries = 0; !this.#isSilent && (tries < MAX_TRIES || this.#isAwaited); tries += 1) {
      try {
        return await this.#transact(mode, change);
      } catch {
        this.#leave();
        if (this.#isAwaited) {
          await delay(READ_INTERVAL);
        }
      }
    }
    this.#tryLater();
    return this.#changeInMemory(change);
  }

  async #transact(mode, change) {
    const database = await this.#database();
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    return new Promise((resolve, reject) => {
      const store = transaction.objectStore(STORE);
      let unwritten, after;
      store.getAll().onsuccess = ({ target }) => {
        const stored = target.result.map(upgraded);
        this.#wasRead = true;
        this.#noteLost(stored);
        this.#noteStored(new Set(stored.map(({ key }) => key)));
        unwritten = new Map(this.#unwritten);
        this.#entries = overlaid(stored, unwritten);
        after = change(this.#entries);
        if (mode === "readwrite") {
          writeChanges(store, stored, after);
        }
      };
      transaction.oncomplete = () => {
        noteWaiting(after.filter(({ order }) => order));
        this.#entries = after;
        if (mode === "readwrite") {
          this.#stored = new Set(after.map(({ key }) => key));
          this.#forget(unwritten);
        }
        resolve(after);
      };
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /**
   * The disk does not take the change. What was deleted, and what a hand said before it was corrected, must not
   * come back: that much a full disk takes.
   */
  async #changeInMemory(change) {
    const before = overlaid(this.#entries, this.#unwritten);
    const after = change(before);
    const keys = new Set(after.map(({ key }) => key));
    for (const { key } of before.filter((entry) => !keys.has(entry.key))) {
      this.#unwritten.set(key, null);
    }
    for (const entry of after.filter((one) => !before.includes(one))) {
      this.#unwritten.set(entry.key, entry);
      if (find(before, entry.key) && !isStored(before, entry)) {
        this.#outdated.add(entry.key);
      }
    }
    this.#entries = after;
    const thrownAway = [...this.#unwritten.keys()].filter((key) => !this.#unwritten.get(key));
    await this.#delete([...thrownAway, ...this.#outdated]);
    return after;
  }

  async #delete(keys) {
    if (this.#isSilent || !keys.length) {
      return;
    }
    try {
      const transaction = (await this.#database()).transaction(STORE, "readwrite", { durability: "strict" });
      await new Promise((resolve, reject) => {
        keys.forEach((key) => transaction.objectStore(STORE).delete(key));
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      this.#forget(new Map(keys.map((key) => [key, null])));
      for (const key of keys) {
        this.#outdated.delete(key);
        this.#stored.delete(key);
      }
    } catch {
      this.#leave(); // with the next change
    }
  }

  /** `written` is on the disk; what was changed since is not. */
  #forget(written) {
    for (const [key, entry] of written) {
      if (this.#unwritten.get(key) === entry) {
        this.#unwritten.delete(key);
        this.#outdated.delete(key);
      }
    }
  }

  #database() {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open() {
    const noteLate = (isOpen) => (isOpen ? this.#noteAvailable() : this.#noteRefused());
    const database = await opened(this.#timeout(), noteLate).catch((error) => {
      this.#failedToOpen += 1;
      this.#isSilent = this.#isMissing && error === NO_ANSWER;
      throw error;
    });
    this.#failedToOpen = 0;
    const identity = identityOf(database);
    this.#wasReplaced ||= this.#identity !== undefined && identity !== this.#identity;
    this.#identity = identity;
    const openAgain = () => this.change(unchanged);
    database.onclose = openAgain;
    database.onversionchange = () => {
      // Somebody deletes the database, which waits for this page: until then others find what this page has not.
      database.close();
      return openAgain();
    };
    return database;
  }

  /** For how many milliseconds the database may not answer: longer where hands may wait in it. */
  #timeout() {
    return this.mayHoldHands() ? PATIENCE : TIMEOUT;
  }

  #leave() {
    this.#opened?.then((database) => database.close()).catch(unchanged);
    this.#opened = undefined;
  }

  /** A database that refuses now may answer by then. */
  #tryLater() {
    if (hasDatabases() && !this.#isSilent && (this.#isMissing || this.#isUnread)) {
      this.#late ??= setTimeout(() => {
        this.#late = undefined;
        this.onavailable();
      }, LATE_INTERVAL);
    }
  }

  #noteRefused() {
    this.#isSilent = false;
    this.#tryLater();
  }

  #noteAvailable() {
    if (this.#isSilent) {
      this.#failedToOpen = 0;
      this.#isSilent = false;
      this.#leave();
      this.onavailable();
    }
  }

  /** Somebody, or the browser, may have deleted the database under this page: the page has what was in it. */
  #noteLost(stored) {
    if (this.#wasReplaced) {
      const keys = new Set(stored.map(({ key }) => key));
      const lost = this.#entries.filter((entry) => !keys.has(entry.key));
      lost.forEach((entry) => this.#unwritten.set(entry.key, entry));
      this.#stored.clear();
      this.#wasReplaced = false;
    }
  }

  /** The disk has `keys`. What is not written and was there has been taken out by another tab: it does not come back. */
  #noteStored(keys) {
    for (const key of this.#unwritten.keys()) {
      if (this.#stored.has(key) && !keys.has(key)) {
        this.#unwritten.delete(key);
        this.#outdated.delete(key);
      }
    }
    this.#stored = keys;
  }
}

/** `stored` as it is with what is `unwritten`. */
function overlaid(stored, unwritten) {
  const keys = new Set(stored.map(({ key }) => key));
  const added = [...unwritten.values()].filter((entry) => entry && !keys.has(entry.key));
  const changed = stored.map((entry) => (unwritten.has(entry.key) ? unwritten.get(entry.key) : entry));
  return [...changed.filter(Boolean), ...added];
}

/**
 * The database of this browser, opened. After `timeout` it is given up: one that opens then is closed again, and `noteLate`
 * called with whether it has opened.
 */
function opened(timeout, noteLate) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    const giveUp = () => {
      request.onsuccess = () => {
        request.result.close();
        noteLate(true);
      };
      request.onerror = () => noteLate(false);
      reject(NO_ANSWER);
    };
    setTimeout(giveUp, timeout);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "key" });
      request.result.createObjectStore(newKey());
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = giveUp; // another page holds the database
  });
}

/** Remember of whom hands wait, beside the database. */
function noteWaiting(waiting) {
  const users = [...new Set(waiting.map(({ user }) => `,${user},`))].join("");
  try {
    if (users !== localStorage.getItem(WAITS)) {
      localStorage.setItem(WAITS, users);
    }
  } catch {
    // Then nobody waits longer for them.
  }
}

/** Whether hands of `user`, or of anybody, may wait in a database that has not been read yet. */
function mayWait(user) {
  try {
    const users = localStorage.getItem(WAITS) ?? "";
    const isTheirs = user === undefined || users === SOMEBODYS || users.includes(`,${user},`);
    return users !== "" && isTheirs;
  } catch {
    return false;
  }
}

/**
 * What tells a database from one that was made in its place: an empty store, by its name. One that an earlier
 * release has made has none.
 */
const identityOf = ({ objectStoreNames }) => Array.from(objectStoreNames).find((name) => name !== STORE) ?? "";

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
