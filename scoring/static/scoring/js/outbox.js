/**
 * The hands that wait on this phone, in IndexedDB: they outlive a reload, a restart, a flat battery.
 *
 * An entry is `{key, order, at, user, game, url, number, fields, said, state, reasons}`. `key` is the
 * idempotency key, made here before the hand is sent; `order` counts up; `fields` are the pairs that
 * the form sends; `said` is the hand in words. `state` is "waiting", or "refused" with the reasons.
 */

const NAME = "table";
const STORE = "hands";

const memory = new Map(); // for a browser that keeps nothing, as in some private windows
let opened;
let order = 0;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** The result of the request that `act` makes; where there is no database, that of `otherwise`. */
async function within(mode, act, otherwise) {
  let transaction;
  try {
    transaction = (await database()).transaction(STORE, mode, { durability: "strict" });
  } catch {
    return otherwise();
  }
  return new Promise((resolve, reject) => {
    const request = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Every entry, in the order they were logged. */
export async function all() {
  const entries = await within(
    "readonly",
    (store) => store.getAll(),
    () => [...memory.values()],
  );
  return entries.sort((one, other) => one.order - other.order);
}

/** Keep `entry`; one that came before under the same key keeps its place in the order. */
export function put(entry) {
  // Two hands of one millisecond still come one after the other.
  order = Math.max(order + 1, Date.now());
  const last = order;
  const placed = (before) => ({ ...entry, order: entry.order ?? before?.order ?? last });
  return within(
    "readwrite",
    (store) => {
      const before = store.get(entry.key);
      before.onsuccess = () => store.put(placed(before.result));
      return before;
    },
    () => memory.set(entry.key, placed(memory.get(entry.key))),
  );
}

export const remove = (key) =>
  within(
    "readwrite",
    (store) => store.delete(key),
    () => memory.delete(key),
  );

/** A key that no other hand has. Works without https too, where crypto.randomUUID is missing. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
