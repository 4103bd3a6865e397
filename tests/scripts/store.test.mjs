/** The store on a phone: it opens what earlier releases have stored, and goes on without a database. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { DeviceStore } from "../static/scoring/queue/store.js";

/**
 * A database that has `entries` in its store `name`, as far as the queue uses one. What is written in one transaction
 * is there as a whole or not at all. `isFull`: it takes no entry; `isClosed`: the browser has closed it.
 */
class Database {
  isFull = false;
  isClosed = false;
  aborts = 0; // how many of the next transactions fail
  objectStoreNames = [];

  constructor(name, entries) {
    Object.assign(this, { name, entries: new Map(entries.map((entry) => [entry.key, entry])) });
  }

  /** What a page opens, and closes; tests find the last one as `connection`. */
  connect() {
    const connection = {
      objectStoreNames: this.objectStoreNames,
      close: () => (connection.isClosed = true),
      createObjectStore: (name) => this.createObjectStore(name),
      transaction: (...args) => {
        assert.ok(!connection.isClosed);
        return this.transaction(...args);
      },
    };
    return (this.connection = connection);
  }

  createObjectStore(name) {
    this.objectStoreNames.push(name);
    this.name ??= name;
  }

  transaction(name, mode) {
    assert.equal(name, this.name);
    if (this.isClosed) {
      throw new Error("InvalidStateError");
    }
    const draft = new Map(this.entries);
    const transaction = { isDone: this.aborts === 0, error: new Error("QuotaExceededError") };
    this.aborts = Math.max(this.aborts - 1, 0);
    const write = (act) => {
      assert.equal(mode, "readwrite");
      act();
    };
    const getAll = () => {
      const request = {};
      queueMicrotask(() => request.onsuccess({ target: { result: [...draft.values()] } }));
      return request;
    };
    const put = (entry) =>
      write(() => {
        transaction.isDone &&= !this.isFull;
        draft.set(entry.key, entry);
      });
    transaction.objectStore = () => ({ getAll, put, delete: (key) => write(() => draft.delete(key)) });
    setTimeout(() => {
      if (transaction.isDone) {
        this.entries = draft;
        transaction.oncomplete();
      } else {
        transaction.onabort();
      }
    });
    return transaction;
  }

  keys = () => [...this.entries.keys()].join(" ");
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
      const request = {};
      queueMicrotask(() => {
        const database = all[`${name} ${version}`];
        if (database === "none yet") {
          request.result = (all[`${name} ${version}`] = new Database(undefined, [])).connect();
          request.onupgradeneeded();
        } else {
          request.result = database?.connect();
        }
        return request.result ? request.onsuccess() : request.onerror();
      });
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

/** A browser with one database, and a page's store of it. */
function withDatabase(...entries) {
  const databases = { "table 1": new Database("hands", entries) };
  browserWith(databases);
  return { databases, database: databases["table 1"], store: new DeviceStore() };
}
const keysOf = (entries) => entries.map(({ key }) => key).join(" ");

test("a database that the browser has closed is opened again", async () => {
  const { database, databases, store } = withDatabase(entry("a", 1));
  await store.all();
  database.isClosed = true;
  databases["table 1"] = new Database("hands", [...database.entries.values()]);
  await store.change((all) => [...all, entry("b", 2)]);
  assert.equal(databases["table 1"].keys(), "a b");
  assert.equal(store.isVolatile, false);
});

test("a database that is opened again for several changes at once is there for all of them", async () => {
  const { database, databases, store } = withDatabase();
  await store.all();
  database.isClosed = true;
  databases["table 1"] = new Database("hands", []);
  const add = (key) => store.change((all) => [...all, entry(key, 1)]);
  await Promise.all([add("a"), add("b"), add("c")].map((change) => change.then(() => assert.ok(!store.isVolatile))));
  assert.equal((await store.all()).length, databases["table 1"].entries.size);
  assert.equal(store.isVolatile, false);
});

test("what a full disk does not take lasts as long as the page, which says so", async () => {
  const { database, store } = withDatabase(entry("a", 1));
  database.isFull = true;
  assert.equal(keysOf(await store.change((all) => [...all, entry("b", 2)])), "a b");
  assert.equal(keysOf(await store.all()), "a b");
  assert.equal(store.isVolatile, true);
  assert.equal(database.keys(), "a");
});

test("what is thrown away on a full disk does not come back", async () => {
  const { database, store } = withDatabase(entry("a", 1));
  database.isFull = true;
  await store.change((all) => [...all, entry("b", 2)]);
  assert.equal(keysOf(await store.change(([, second]) => [{ ...second, number: 1 }])), "b");
  assert.equal(database.keys(), "");
  assert.equal(keysOf(await new DeviceStore().all()), "", "the next page");
  assert.equal((await store.all())[0].number, 1);
});

test("what a hand said before it was corrected on a full disk does not come back", async () => {
  const { database, store } = withDatabase({ ...entry("a", 1), fields: [["winner", "draw"]] });
  database.isFull = true;
  await store.change(([first]) => [{ ...first, tried: true }]);
  assert.equal(database.keys(), "a", "it says the same");
  await store.change(([first]) => [{ ...first, fields: [["winner", "7"]] }]);
  assert.equal(database.keys(), "");
  assert.deepEqual((await store.all())[0].fields, [["winner", "7"]]);
  database.isFull = false;
  await store.all();
  assert.deepEqual([...database.entries.values()].map(({ fields }) => fields), [[["winner", "7"]]]);
  database.isFull = true;
  await store.change((all) => [...all, entry("b", 2)]);
  assert.equal(database.keys(), "a", "it is up to date");
});

test("what another tab takes out while the disk is full does not come back", async () => {
  const { database, store } = withDatabase(entry("a", 1), entry("b", 2), entry("c", 3));
  const other = new DeviceStore();
  database.isFull = true;
  await store.change((all) => all.slice(1).map((one) => ({ ...one, number: one.number - 1 })));
  await store.change((all) => [...all, entry("d", 4)]);
  await other.change((all) => all.filter(({ key }) => key !== "c"));
  assert.equal(keysOf(await store.all()), "b d");
  database.isFull = false;
  await store.all();
  assert.equal(database.keys(), "b d");
  assert.equal(store.isVolatile, false);
});

test("once the disk has room again it gets what waited for that", async () => {
  const { database, store } = withDatabase(entry("a", 1));
  database.isFull = true;
  await store.change(([first]) => [{ ...first, number: 7 }, entry("b", 2)]);
  database.isFull = false;
  await store.all();
  assert.equal(store.isVolatile, false);
  assert.deepEqual([...database.entries.values()].map(({ number }) => number), [7, 2]);
});

test("what is thrown away where the disk did not take it leaves nothing to say", async () => {
  const { database, store } = withDatabase();
  database.isFull = true;
  await store.change(() => [entry("a", 1)]);
  await store.change(() => []);
  assert.equal(store.isVolatile, false);
});

test("hands whose database was deleted under the page are put back", async () => {
  const databases = { "table 1": "none yet" };
  browserWith(databases);
  const [store, other] = [new DeviceStore(), new DeviceStore()];
  await store.change(() => [entry("a", 1), entry("b", 2)]);
  await other.all();
  databases["table 1"].isClosed = true;
  databases["table 1"] = "none yet";
  await other.change(([, second]) => [second]); // another tab has put both back, and sent one
  assert.equal(keysOf(await other.change((all) => [...all, entry("c", 3)])), "b c");
  assert.equal(keysOf(await store.all()), "b c a", "the site knows the key of a hand that it is sent again");
  await store.change((all) => all);
  assert.equal(databases["table 1"].keys(), "b c a");
});

test("a page puts back what was deleted at once, not with the next hand", async () => {
  const databases = { "table 1": "none yet" };
  browserWith(databases);
  const store = new DeviceStore();
  await store.change(() => [entry("a", 1)]);
  const deleted = databases["table 1"];
  deleted.isClosed = true;
  databases["table 1"] = "none yet";
  await deleted.connection.onclose();
  assert.equal(databases["table 1"].keys(), "a");
});

test("a database that somebody wants to delete is let go, and its hands are put back in the next", async () => {
  const databases = { "table 1": "none yet" };
  browserWith(databases);
  const store = new DeviceStore();
  await store.change(() => [entry("a", 1)]);
  const deleted = databases["table 1"];
  databases["table 1"] = "none yet"; // what is opened from now on waits until it is gone
  const { connection } = deleted;
  await connection.onversionchange();
  assert.deepEqual([connection.isClosed, databases["table 1"].keys()], [true, "a"]);
  await store.change((all) => [...all, entry("b", 2)]);
  assert.equal(databases["table 1"].keys(), "a b");
  assert.equal(store.isVolatile, false);
});

test("a database that was only closed gives back nothing that another tab has taken out", async () => {
  const databases = { "table 1": "none yet" };
  browserWith(databases);
  const [store, other] = [new DeviceStore(), new DeviceStore()];
  await store.change(() => [entry("a", 1)]);
  await other.change(() => []);
  const closed = databases["table 1"];
  databases["table 1"] = Object.assign(new Database("hands", []), { objectStoreNames: closed.objectStoreNames });
  closed.isClosed = true;
  assert.deepEqual(await store.all(), []);
});

test("a change that is tried again comes before those that were asked for after it", async () => {
  const { database, store } = withDatabase();
  await store.all();
  database.aborts = 1;
  await Promise.all([1, 2, 3].map((number) => store.change(() => [entry("a", number)])));
  assert.deepEqual(await store.all(), [entry("a", 3)]);
});

test("a list that cannot be read at once is read again before it counts as empty", async () => {
  const { database, store } = withDatabase(entry("a", 1));
  database.aborts = 3;
  assert.deepEqual(await store.all(), [entry("a", 1)]);
  assert.equal(store.isVolatile, false);
});

test("a database that was missing is used from the next change on, also for what was thrown away", async () => {
  const { database, store } = withDatabase(entry("a", 1), entry("b", 2));
  await store.all();
  database.isClosed = true;
  browserWith({});
  await store.change((all) => [...all, entry("c", 3)]);
  assert.equal(store.isVolatile, true);
  const kept = new Database("hands", [...database.entries.values()]);
  browserWith({ "table 1": kept });
  await store.change((all) => all.filter(({ key }) => key !== "a"));
  assert.equal(kept.keys(), "b c");
  assert.equal(store.isVolatile, false);
});

test("a database that was missing is looked for again by itself", async (t) => {
  t.mock.timers?.enable({ apis: ["setTimeout"] });
  browserWith({});
  const store = new DeviceStore();
  const available = new Promise((resolve) => (store.onavailable = resolve));
  const changed = store.change(() => [entry("a", 1)]);
  for (let passed = 0; passed < 20; passed += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers?.tick(500);
  }
  await changed;
  await available;
});
