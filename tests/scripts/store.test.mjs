/** The store on a phone: it opens what earlier releases have stored, and goes on without a database. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { DeviceStore } from "../static/scoring/queue/store.js";

/** A database that has `entries` in its store `name`, as far as the queue uses one. */
class Database {
  constructor(name, entries) {
    Object.assign(this, { name, entries: new Map(entries.map((entry) => [entry.key, entry])) });
  }

  transaction(name) {
    assert.equal(name, this.name);
    const transaction = { objectStore: () => this };
    setTimeout(() => transaction.oncomplete());
    return transaction;
  }

  getAll() {
    const request = {};
    queueMicrotask(() => request.onsuccess({ target: { result: [...this.entries.values()] } }));
    return request;
  }

  put(entry) {
    this.entries.set(entry.key, entry);
  }

  delete(key) {
    this.entries.delete(key);
  }
}

const entry = (key, number) => ({
  key,
  state: "waiting",
  user: "3",
  game: "5",
  page: "/games/5/",
  number,
  order: number,
  fields: [["winner", "draw"]],
  reasons: [],
});

/** Let this browser have the databases `all`, by name and version. */
function browserWith(all) {
  globalThis.indexedDB = {
    open(name, version) {
      const request = { result: all[`${name} ${version}`] };
      queueMicrotask(() => (request.result ? request.onsuccess() : request.onerror()));
      return request;
    },
  };
}

test("hands that an earlier release has stored are read and changed where they are", async () => {
  const database = new Database("hands", [entry("a", 1), entry("b", 2)]);
  browserWith({ "table 1": database });
  const store = new DeviceStore();
  assert.deepEqual(await store.all(), [entry("a", 1), entry("b", 2)]);
  await store.change(([, second]) => [{ ...second, number: 1 }, entry("c", 2)]);
  assert.deepEqual([...database.entries.values()], [{ ...entry("b", 2), number: 1 }, entry("c", 2)]);
  assert.equal(store.isVolatile, false);
});

test("without a database the hands last as long as the page", async () => {
  browserWith({});
  const store = new DeviceStore();
  await store.change(() => [entry("a", 1)]);
  assert.deepEqual(await store.all(), [entry("a", 1)]);
  assert.equal(store.isVolatile, true);
});
