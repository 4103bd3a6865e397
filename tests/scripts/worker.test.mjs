/** The worker: whose stored pages it shows while the site is in trouble. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

const SITE = "https://club.example";
const TABLE = "/games/5/";
const CODE = readFileSync(new URL("../worker.js", import.meta.url), "utf8");
const REDIRECT = { ok: false, status: 0, type: "opaqueredirect", headers: new Headers(), clone: () => REDIRECT };

/** A page of the site for `reader`: the id of an account, or "" for a visitor. */
const page = (reader) =>
  new Response(`<details data-waiting data-user="${reader}">`, { headers: { "Content-Type": "text/html" } });
const trouble = () => new Response("", { status: 503 });

let stored; // path to the text of a page
let handlers; // of the worker
let answer; // what the site says next, or a promise of it

beforeEach(() => {
  stored = new Map([["/offline/", '<details data-waiting data-unknown="yes" data-user="">']]);
  handlers = {};
  const pages = {
    keys: async () => [...stored.keys()].map((path) => ({ url: SITE + path })),
    match: async (path) => (stored.has(path) ? new Response(stored.get(path)) : undefined),
    put: async (path, response) => stored.set(path, await response.text()),
    delete: async (path) => stored.delete(path),
  };
  const self = {
    location: new URL(`${SITE}/worker.js`),
    addEventListener: (name, act) => Object.assign(handlers, { [name]: act }),
    registration: {},
  };
  new Function("self", "caches", "fetch", CODE)(self, { open: async () => pages }, async () => answer);
});

/** Somebody opens `path`, or sends a form to it, and the worker has done all that follows. */
async function ask(path, says, method = "GET") {
  answer = says;
  const doing = [];
  let answered;
  handlers.fetch({
    request: { url: SITE + path, method, mode: "navigate" },
    respondWith: (response) => doing.push((answered = response)),
    waitUntil: (act) => doing.push(act),
  });
  const response = await answered;
  await Promise.all(doing);
  return response;
}

/** Whose page of the table is shown while the site is in trouble; undefined if none is. */
async function shown() {
  const text = await (await ask(TABLE, trouble())).text();
  return text.match(/data-user="(\d+)"/)?.[1];
}

/** Somebody opens `path`, and the site is slow: what is returned has its answer come. */
async function begin(path) {
  let come;
  const asked = ask(path, new Promise((resolve) => (come = resolve)));
  await new Promise((resolve) => setTimeout(resolve));
  return async (says) => {
    come(says);
    await asked;
  };
}

const post = (path) => ask(path, REDIRECT, "POST");

test("a stored page is shown while the site is in trouble", async () => {
  await ask(TABLE, page(1));
  assert.equal(await shown(), "1");
});

for (const [way, signIn] of [
  ["the form", () => post("/sign-in/")],
  ["another server", () => ask("/account/oidc/callback/", REDIRECT)],
  ["an invitation", () => post("/join/abc/")],
]) {
  test(`who has signed in by ${way} is shown no page of the reader before`, async () => {
    await ask(TABLE, page(1));
    await signIn();
    assert.equal(await shown(), undefined);
    await ask("/leagues/", page(2));
    assert.deepEqual([...stored.keys()], ["/offline/"]);
    await ask(TABLE, page(2));
    assert.equal(await shown(), "2");
  });
}

test("a page of the reader before that comes late changes nothing", async () => {
  await ask(TABLE, page(1));
  const late = [];
  for (const path of ["/leagues/", "/games/6/"]) {
    late.push(await begin(path));
  }
  await post("/sign-in/");
  await Promise.all(late.map((come) => come(page(1))));
  assert.ok(!stored.has("/games/6/"));
  assert.equal(await shown(), undefined);
});

test("a page that comes after its reader has signed out is not stored", async () => {
  const come = await begin(TABLE);
  await post("/sign-out/");
  await come(page(1));
  assert.deepEqual([...stored.keys()], ["/offline/"]);
});

test("who asks for a new password signs nobody in: tables open as before", async () => {
  await ask(TABLE, page(1));
  await post("/account/password/reset/");
  assert.equal(await shown(), "1");
});

test("a sign-in that was given up at its second step leaves the tables as they were", async () => {
  await ask(TABLE, page(1));
  await post("/sign-in/");
  await ask("/account/mfa/code/", page(""));
  assert.equal(await shown(), "1");
});

test("the page without a network does not say that nobody is signed in", async () => {
  await ask(TABLE, page(1));
  await post("/sign-in/");
  await ask("/offline/", new Response(stored.get("/offline/"), { headers: { "Content-Type": "text/html" } }));
  assert.equal(await shown(), undefined);
});
