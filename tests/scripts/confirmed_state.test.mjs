/** The state of a game that the site has confirmed: which one counts when answers overtake each other. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { ConfirmedState, storeAnswered } from "../static/scoring/queue/confirmed_state.js";

const HERE = { user: "3", game: "5" };
const START = Date.now();

/** A state that the site has sent `at` milliseconds after the start. */
const state = (at, number) => ({ at: START + at, round: "E", dealer: 0, number, finished: false });

/** Put a state into the page. */
function page(at, number) {
  const state = { at: String(START + at), round: "E", dealer: "0", nextNumber: String(number) };
  globalThis.document = { getElementById: () => ({ dataset: state }) };
}

/** The number of the next hand on a page that is opened now. */
const reopened = () => new ConfirmedState(HERE).state.number;

beforeEach(() => {
  globalThis.localStorage = Object.create({
    setItem(name, value) {
      this[name] = value;
    },
    getItem(name) {
      return this[name] ?? null;
    },
    removeItem(name) {
      delete this[name];
    },
  });
  page(0, 3);
});

test("a later state counts, here and on the next page", () => {
  const confirmed = new ConfirmedState(HERE);
  confirmed.update(state(5, 4));
  assert.equal(`${confirmed.state.number} ${reopened()}`, "4 4");
});

test("an answer that was overtaken sets nothing back", () => {
  const confirmed = new ConfirmedState(HERE);
  confirmed.update(state(9, 5));
  confirmed.update(state(5, 4));
  assert.equal(`${confirmed.state.number} ${reopened()}`, "5 5");
});

test("an answer without a state changes nothing", () => {
  const confirmed = new ConfirmedState(HERE);
  confirmed.update(undefined);
  assert.equal(confirmed.state.number, 3);
});

test("what the site confirms counts against a state from before the poll, whatever its time", () => {
  const confirmed = new ConfirmedState(HERE);
  confirmed.update(state(5, 9)); // read from the database before somebody changed it, answered after
  confirmed.confirm(performance.now());
  assert.equal(`${confirmed.state.number} ${reopened()}`, "3 3");
  confirmed.update(state(4, 9));
  assert.equal(confirmed.state.number, 3);
});

test("an answer to a poll from before the last state confirms nothing", () => {
  const confirmed = new ConfirmedState(HERE);
  const asked = performance.now() - 1;
  confirmed.update(state(5, 4));
  confirmed.confirm(asked);
  assert.equal(confirmed.state.number, 4);
});

test("what another tab has stored is read here", () => {
  const [one, other] = [new ConfirmedState(HERE), new ConfirmedState(HERE)];
  one.update(state(5, 4));
  other.refresh();
  assert.equal(other.state.number, 4);
});

test("a state that an earlier release has stored is read", () => {
  localStorage.setItem("word 3 5", JSON.stringify(state(5, 4)));
  assert.equal(reopened(), 4);
});

test("the state of a game of more than a week ago is forgotten", () => {
  const week = 7 * 24 * 60 * 60 * 1000;
  localStorage.setItem("left-handed", "on");
  localStorage.setItem("word 3 1", JSON.stringify(state(-week - 60_000, 4)));
  localStorage.setItem("word 3 2", JSON.stringify(state(-week + 60_000, 4)));
  new ConfirmedState(HERE).update(state(5, 4));
  assert.deepEqual(Object.keys(localStorage).sort(), ["left-handed", "word 3 2", "word 3 5"]);
});

test("a phone whose clock is years ahead keeps what the site confirmed", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: START + 1_000 * 24 * 60 * 60 * 1000 });
  new ConfirmedState(HERE).update(state(5, 4));
  assert.equal(reopened(), 4);
});

test("what is answered on a page without this table counts on its page, which was stored before", () => {
  storeAnswered(HERE, state(5, 4));
  storeAnswered({ ...HERE, game: "6" }, state(5, 9));
  assert.equal(reopened(), 4);
  storeAnswered(HERE, state(4, 2));
  storeAnswered(HERE, undefined);
  assert.equal(reopened(), 4);
});
