/** What a form that no other script sends says of a claim: the score alone, or a limit hand by its name, without tiles. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = new EventTarget();
globalThis.window = { matchMedia: () => ({ matches: false }) };

const { startClaim } = await import("../static/scoring/pad/claim.js");

const field = (value) => Object.assign(new EventTarget(), { value });

/** A form with a pad, which has come to life. */
function formWithPad() {
  const form = Object.assign(new EventTarget(), { elements: { claimed_limit: field("") } });
  const score = field("");
  const panel = Object.assign(new EventTarget(), { querySelector: () => score });
  const root = Object.assign(new EventTarget(), { dataset: {}, querySelector: () => panel });
  startClaim(root, Object.assign(field(""), { form }), { shown: "tiles", show() {} });
  return form;
}

/** What `form` sends of `fields`, as a browser does it: listeners of the form hear first, and may prevent it. */
function submitted(form, fields, { isPrevented = false } = {}) {
  const event = new Event("submit", { cancelable: true });
  Object.defineProperty(event, "target", { value: form });
  if (isPrevented) {
    event.preventDefault();
  }
  document.dispatchEvent(event);
  return read(form, fields);
}

/** What a script reads from `form`. */
function read(form, fields) {
  const formData = new FormData();
  Object.entries(fields).forEach(([name, value]) => formData.append(name, value));
  form.dispatchEvent(Object.assign(new Event("formdata"), { formData }));
  return Object.fromEntries(formData);
}

const TILES = { tiles: "222B", winner: "3" };
const SCORE = { ...TILES, claimed_final: "120" };
const LIMIT = { ...TILES, claimed_limit: "thirteen_orphans" };

for (const claim of [SCORE, LIMIT]) {
  test(`who claims ${claim.claimed_final ?? claim.claimed_limit} sends no tiles`, () => {
    const { tiles, ...rest } = claim;
    assert.equal(tiles, "222B");
    assert.deepEqual(submitted(formWithPad(), claim), rest);
  });
}

test("who claims nothing sends the tiles", () => {
  assert.deepEqual(submitted(formWithPad(), { ...TILES, claimed_final: "", claimed_limit: "" }).tiles, "222B");
});

test("a form is sent a second time as the first, though its page was made anew in between", () => {
  const form = formWithPad();
  formWithPad();
  assert.equal(submitted(form, SCORE).tiles, undefined);
  assert.equal(submitted(form, SCORE).tiles, undefined);
  assert.equal(submitted(form, TILES).tiles, "222B");
});

test("what is read from a form that is not being sent, or that another script sends, is left whole", () => {
  const form = formWithPad();
  assert.equal(read(form, SCORE).tiles, "222B");
  assert.equal(submitted(form, SCORE, { isPrevented: true }).tiles, "222B");
  assert.equal(submitted(form, SCORE).tiles, undefined);
  assert.equal(read(form, SCORE).tiles, "222B");
});

test("a form without a pad is left whole", () => {
  formWithPad();
  assert.equal(submitted(new EventTarget(), SCORE).tiles, "222B");
});
