/** Signing out names where the browser takes notices, so that the site sends none there any more. */

import assert from "node:assert/strict";
import { test } from "node:test";

const endpoint = "https://push.example.org/1";
const sent = [];
const withNotices = { getRegistration: async () => ({ pushManager: { getSubscription: async () => ({ endpoint }) } }) };
const broken = { getRegistration: () => Promise.reject(new Error("Not allowed.")) };
globalThis.document = { cookie: "csrftoken=abc" };
globalThis.DOMParser = class {
  parseFromString() {
    return { querySelector: () => ({ dataset: { reader: "" } }) };
  }
};
globalThis.fetch = async (_url, { body }) => {
  sent.push(body);
  return { url: "/", text: async () => "" };
};

const { signOut } = await import("../static/scoring/queue/sign_out.js");

const cases = [
  ["a browser that shows notices", withNotices, endpoint],
  ["a browser that shows none", { getRegistration: async () => undefined }, ""],
  ["a browser without workers", undefined, ""],
  ["a browser that refuses", broken, ""],
];
for (const [name, serviceWorker, expected] of cases) {
  test(`Signing out in ${name} says where it takes notices.`, async () => {
    Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
    await signOut({ action: "/sign-out/" });
    assert.equal(sent.at(-1).get("endpoint"), expected);
    assert.equal(sent.at(-1).get("csrfmiddlewaretoken"), "abc");
  });
}
