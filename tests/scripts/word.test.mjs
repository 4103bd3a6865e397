/** The site's last word on a game: what counts when answers overtake each other. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Word } from "../static/scoring/queue/confirmed_state.js";

const HERE = { user: "3", game: "5" };
const START = Date.now();

/** A word that the site has said `at` milliseconds after the start. */
const said = (at, number) => ({ at: START + at, round: "E", dealer: 0, number, finished: false });

/** What the page says now. */
function page(at, number) {
  const state = { at: String(START + at), round: "E", dealer: "0", nextNumber: String(number) };
  globalThis.document = { getElementById: () => ({ dataset: state }) };
}

/** What a page that is opened now would go by. */
const kept = () => new Word(HERE).last.number;

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

test("a later word counts, here and on the next page", () => {
  const word = new Word(HERE);
  word.hear(said(5, 4));
  assert.equal(`${word.last.number} ${kept()}`, "4 4");
});

test("an answer that was overtaken sets nothing back", () => {
  const word = new Word(HERE);
  word.hear(said(9, 5));
  word.hear(said(5, 4));
  assert.equal(`${word.last.number} ${kept()}`, "5 5");
});

test("an answer that says nothing of the game changes nothing", () => {
  const word = new Word(HERE);
  word.hear(undefined);
  assert.equal(word.last.number, 3);
});

test("what the site confirms counts against a word from before the question, whatever its time", () => {
  const word = new Word(HERE);
  word.hear(said(5, 9)); // read from the database before somebody changed it, answered after
  word.confirm(performance.now());
  assert.equal(`${word.last.number} ${kept()}`, "3 3");
  word.hear(said(4, 9));
  assert.equal(word.last.number, 3);
});

test("an answer to a question from before the last word confirms nothing", () => {
  const word = new Word(HERE);
  const asked = performance.now() - 1;
  word.hear(said(5, 4));
  word.confirm(asked);
  assert.equal(word.last.number, 4);
});

test("what another tab has heard is known here", () => {
  const [one, other] = [new Word(HERE), new Word(HERE)];
  one.hear(said(5, 4));
  other.refresh();
  assert.equal(other.last.number, 4);
});
