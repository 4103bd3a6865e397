/** The page without a network: it looks for the site again and again, once at a time. */

import assert from "node:assert/strict";
import { test } from "node:test";

test("however often the network comes and goes, one look is planned", async () => {
  const timers = new Map();
  let looks = 0;
  let last = 0;
  const online = [];
  Object.assign(globalThis, {
    window: { addEventListener: (_name, act) => online.push(act), location: { href: "/" } },
    document: { querySelector: () => ({ querySelector: () => null }) },
    caches: { open: async () => ({ keys: async () => [] }) },
    fetch: async () => {
      looks += 1;
      throw new TypeError("away");
    },
    setTimeout: (act) => timers.set((last += 1), act) && last,
    clearTimeout: (timer) => timers.delete(timer),
  });
  await import("../static/scoring/offline/cached_tables.js");
  assert.equal(timers.size, 1);
  await Promise.all([online[0](), online[0](), online[0]()]);
  assert.equal(`${looks} ${timers.size}`, "3 1");
});
