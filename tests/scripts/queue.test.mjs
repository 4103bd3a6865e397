/** The queue of a phone: what a hand is, what may become of it, and that none is lost in any order of events. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as list from "../static/scoring/queue/entries.js";
import { QueueView } from "../static/scoring/queue/queue_view.js";
import { laterState, predict } from "../static/scoring/queue/predict.js";
import { upgraded } from "../static/scoring/queue/upgrade.js";
import { Clock, Phone, Site, Tab } from "./model.mjs";

const SEQUENCES = Number(process.env.SEQUENCES ?? 300);

const hand = (key, more = {}) => ({
  key,
  user: "ann",
  game: "1",
  page: "/games/1/",
  number: 1,
  fields: [["tiles", key]],
  at: 1,
  ...more,
});
const states = (entries) => entries.map(({ key, state }) => `${key} ${state}`).join(", ");
const numbers = (entries) => entries.map(({ number }) => number).join(" ");
const TABLE = { user: "ann", game: "1" };
const ONLINE = { reached: true, signedOut: false, underWay: "", isInTrouble: () => false };

/** Hands a, b, c saved as numbers 1, 2, 3. */
const three = () =>
  ["a", "b", "c"].reduce((all, key, at) => list.save(all, hand(key, { number: at + 1 }), at + 1), []);

test("a hand that is begun is kept and never sent", () => {
  const entries = list.enter([], hand("a"));
  assert.equal(states(entries), "a entering");
  assert.deepEqual(list.sendable(entries, "ann"), []);
});

test("an empty form is forgotten", () => {
  const entries = list.enter(list.enter([], hand("a")), hand("a", { fields: [] }));
  assert.deepEqual(entries, []);
});

test("entering a hand does not touch one that waits", () => {
  const entries = three();
  assert.equal(list.enter(entries, hand("a", { fields: [["tiles", "other"]] })), entries);
});

test("a hand that is saved twice waits once", () => {
  const entries = list.save(three(), hand("a", { fields: [["tiles", "other"]] }), 9);
  assert.equal(states(entries), "a waiting, b waiting, c waiting");
  assert.deepEqual(entries[0].fields, [["tiles", "a"]]);
});

test("two hands of one millisecond keep their order", () => {
  const entries = list.save(list.save([], hand("a"), 5), hand("b"), 5);
  assert.ok(entries[1].order > entries[0].order);
});

test("only the first hand of each table and of this member is sent", () => {
  let entries = three();
  entries = list.save(entries, hand("d", { game: "2" }), 9);
  entries = list.save(entries, hand("e", { user: "ben" }), 10);
  assert.deepEqual(list.sendable(entries, "ann").map(({ key }) => key), ["a", "d"]);
});

test("a refused hand goes back to be corrected and holds those behind it", () => {
  const entries = list.markRefused(three(), hand("a"), { code: "invalid", reasons: ["No."] });
  assert.equal(states(entries), "a correcting, b waiting, c waiting");
  assert.deepEqual(list.sendable(entries, "ann"), []);
  assert.equal(list.heldBy(entries, entries[2]).key, "a");
  assert.equal(list.entryForForm(entries, TABLE).key, "a");
});

test("what a refusal says is renewed while the hand lies in the form", () => {
  const why = { code: "not_the_next_hand", reasons: ["Hand 1 is there."], html: "<p>Ann wins</p>", position_taken: true };
  const refused = list.markRefused(three(), hand("a"), why);
  const anew = { ...why, html: "<p>Ben wins</p>", next: 3 };
  const [renewed, ...others] = list.renewRefusal(refused, "a", anew);
  assert.deepEqual([renewed.html, renewed.positionTaken, renewed.next], ["<p>Ben wins</p>", true, 3]);
  assert.equal(renewed.state, list.CORRECTING);
  assert.deepEqual(others, refused.slice(1));
  assert.deepEqual(list.renewRefusal(refused, "b", anew), refused); // nobody has refused that one
  const sentAgain = list.save(refused, hand("a"), 9);
  assert.deepEqual(list.renewRefusal(sentAgain, "a", anew), sentAgain);
});

test("hands behind a refused one move up where the hand at its position was gone before the site had answered", () => {
  const why = { code: "not_the_next_hand", reasons: ["Hand 1 is there."], position_taken: true };
  const answered = { ...why, word: { number: 1 } };
  const refused = list.markRefused(three(), hand("a"), answered);
  assert.deepEqual(list.discard(refused, "a").map(({ number }) => number), [1, 2]);
  const renewed = list.renewRefusal(list.markRefused(three(), hand("a"), why), "a", { ...why, next: 1 });
  assert.deepEqual(list.discard(renewed, "a").map(({ number }) => number), [1, 2]);
});

test("hands behind a refused one move up when it is discarded and no other hand stands at its position any more", () => {
  const why = { code: "not_the_next_hand", reasons: ["Hand 1 is there."], position_taken: true };
  const refused = list.markRefused(three(), hand("a"), why);
  const numbers = (entries) => entries.map(({ number }) => number);
  assert.deepEqual(numbers(list.discard(refused, "a")), [2, 3]);
  assert.deepEqual(numbers(list.discard(list.freePosition(refused, "a"), "a")), [1, 2]);
  assert.deepEqual(list.freePosition(refused, "b"), refused);
});

test("a table that is shut shuts out all that wait there, and only there", () => {
  let entries = list.save(three(), hand("d", { game: "2" }), 9);
  for (const code of ["season_over", "season_closed"]) assert.ok(list.isShut(code));
  entries = list.markRefused(entries, hand("a"), { code: "evening_closed", reasons: ["Closed."] });
  assert.equal(states(entries), "a blocked, b blocked, c blocked, d waiting");
  assert.equal(states(list.reopen(entries, TABLE)), "a waiting, b waiting, c waiting, d waiting");
  assert.equal(states(list.ask(entries, "a")), "a asked, b asked, c asked, d waiting");
});

test("hands behind one whose refusal shows that its table takes hands again wait for it", () => {
  const shut = list.markRefused(three(), hand("a"), { code: "finished", reasons: ["Over."] });
  const entries = list.markRefused(list.save(shut, hand("d", { game: "2" }), 9), hand("a"), {
    code: "not_the_next_hand",
    reasons: ["Logged."],
  });
  assert.equal(states(entries), "a correcting, b waiting, c waiting, d waiting");
  assert.deepEqual(entries.map(({ reasons }) => reasons.join()), ["Logged.", "", "", ""]);
  assert.equal(list.heldBy(entries, entries[1]).key, "a");
});

test("that an organiser does not take a hand says nothing of the table", () => {
  const shut = list.markRefused(three(), hand("a"), { code: "finished", reasons: ["Over."] });
  const asked = shut.map((entry) => (entry.key === "a" ? { ...entry, state: list.ASKED } : entry));
  const entries = list.markRefused(asked, asked[0], { code: "declined", reasons: ["No."] });
  assert.equal(states(entries), "a correcting, b blocked, c blocked");
});

test("a hand that is thrown away lets those behind it move up", () => {
  assert.equal(numbers(list.discard(three(), "a")), "1 2");
});

test("a hand whose position the site has taken leaves the numbers behind it", () => {
  const entries = list.markRefused(three(), hand("a"), { code: "not_the_next_hand", position_taken: true });
  assert.equal(numbers(list.discard(entries, "a")), "2 3");
});

test("a hand that turns out to be a later one pushes the others along", () => {
  assert.equal(numbers(list.renumber(three(), "a", 2)), "2 3 4");
});

test("a refused hand that is emptied keeps its place before those behind it", () => {
  const refused = list.markRefused(three(), hand("a"), { code: "invalid" });
  const emptied = list.enter(refused, hand("a", { fields: [] }));
  assert.equal(states(emptied), "a correcting, b waiting, c waiting");
  assert.deepEqual(list.sendable(emptied, "ann"), []);
  const last = list.markRefused(three(), hand("c"), { code: "invalid" });
  assert.equal(states(list.enter(last, hand("c", { fields: [] }))), "a waiting, b waiting", "nobody is behind it");
});

for (const code of ["finished", "evening_closed", "season_over", "season_closed", "withdrawn"]) {
  test(`"${code}" says nothing against a hand`, () => {
    assert.equal(list.markRefused(three(), hand("a"), { code })[0].state, list.BLOCKED);
  });
}

const better = hand("a", { fields: [["tiles", "better"]] });
const answersTo = {
  taken: (entries, sent) => list.markTaken(entries, sent),
  refused: (entries, sent) => list.markRefused(entries, sent, { code: "invalid" }),
  "shut out": (entries, sent) => list.markRefused(entries, sent, { code: "finished" }),
  known: (entries, sent) => list.markKnown(entries, sent),
};
for (const [answer, mark] of Object.entries(answersTo)) {
  test(`a hand that was corrected meanwhile is not ${answer} by an answer to what it was`, () => {
    const [sent] = three();
    const corrected = list.save(list.correct(three(), "a"), better, 9);
    assert.deepEqual(mark(corrected, sent), corrected);
    const taken = list.correct(three(), "a");
    assert.deepEqual(mark(taken, sent), taken, "it lies in the form");
  });

  test(`a hand that was handed to an organiser meanwhile is not ${answer} by an answer from before`, () => {
    const shut = list.markRefused(three(), hand("a"), { code: "finished" });
    const asked = list.ask(shut, "a");
    assert.deepEqual(mark(asked, shut[0]), asked);
  });

  test(`a hand that was thrown away meanwhile is not there again once ${answer}`, () => {
    const rest = list.discard(three(), "a");
    assert.deepEqual(mark(rest, three()[0]), rest);
  });
}

test("that a hand may be on the site is not forgotten when it is corrected or its table opened", () => {
  const sent = list.markTried(three(), "a");
  const again = list.save(list.correct(sent, "a"), hand("a", { fields: [["tiles", "better"]] }), 99);
  assert.equal(again[0].tried, true);
  const shut = list.markRefused(sent, hand("a"), { code: "finished" });
  assert.equal(list.reopen(shut, TABLE)[0].tried, true);
  const shutOut = list.markRefused(three(), hand("a"), { code: "finished" });
  const asked = list.markKnown(list.ask(shutOut, "a"), hand("a"));
  assert.equal(list.reopen(asked, TABLE)[0].tried, true, "an organiser has it");
});

test("a hand that an organiser declined can be thrown away", () => {
  const shut = list.markRefused(three(), hand("a"), { code: "finished" });
  const asked = list.markKnown(list.ask(shut, "a"), hand("a"));
  const [declined] = list.markRefused(asked, hand("a"), { code: "declined", reasons: ["No."] });
  assert.equal(`${declined.state} ${declined.known}`, "correcting false");
});

test("a hand that is handed to an organiser no longer says why the table did not take it", () => {
  const shut = list.markRefused(three(), hand("a"), { code: "finished", reasons: ["Over."] });
  for (const { state, code, reasons } of list.ask(shut, "a")) {
    assert.equal(`${state} ${code} ${reasons}`, "asked  ");
  }
});

for (const [what, broken] of Object.entries({
  "a key alone": { key: "x" },
  "no fields": { ...hand("x"), fields: undefined },
  "fields that are none": { ...hand("x"), fields: { tiles: "2B" } },
  "no reasons": { ...hand("x"), state: "waiting", reasons: undefined },
  "an unknown state": { ...hand("x"), state: "flying" },
  "one of the first release without an address": { key: "x", said: "2B", state: "waiting" },
})) {
  test(`what cannot be read is shown and holds nothing up: ${what}`, () => {
    const entry = upgraded(broken);
    assert.equal(entry.state, "correcting");
    assert.ok(entry.code);
    assert.ok(Array.isArray(entry.fields) && Array.isArray(entry.reasons) && entry.page);
    assert.deepEqual(list.discard([entry], "x"), []);
    assert.deepEqual(list.sendable([entry, ...three()], "ann").map(({ key }) => key).slice(0, 1),
      entry.user === "ann" && entry.order ? [] : ["a"]);
  });
}

test("a refused hand is saved again in its old place", () => {
  let entries = list.markRefused(three(), hand("a"), { code: "invalid" });
  entries = list.save(entries, hand("a", { fields: [["tiles", "better"]] }), 99);
  assert.equal(list.sendable(entries, "ann")[0].key, "a");
  assert.equal(entries[0].code, "");
});

test("the page runs ahead by the hands that were saved before the one in the form", () => {
  const word = { at: 0, round: "E", dealer: 0, number: 1, finished: false };
  const stays = { win: true, draw: true };
  const ahead = (entries, key) =>
    predict(word, list.savedBefore(entries, TABLE, key), () => 1, stays).number;
  assert.equal(ahead(three()), 4);
  const invalid = list.markRefused(three(), hand("a"), { code: "invalid" });
  assert.equal(ahead(invalid, "a"), 1);
  assert.equal(ahead(invalid, "begun"), 4);
  const shut = list.markRefused(three(), hand("a"), { code: "finished" });
  assert.equal(ahead(shut, "begun"), 4, "they are sent before it once the table is open again");
});

test("a hand that waits and that the site has already is not counted twice", () => {
  const word = { at: 0, round: "E", dealer: 0, number: 3, finished: false };
  const { number, dealer } = predict(word, three(), () => 3, { win: true, draw: true });
  assert.equal(`${number} ${dealer}`, "4 1", "the deal has moved on once");
});

test("a hand that is begun keeps its number, whatever the form shows", () => {
  const begun = list.enter(three(), hand("d", { number: 4 }));
  assert.equal(numbers(list.enter(begun, hand("d", { number: 1 }))), "1 2 3 4");
});

test("a hand that is begun moves with those before it", () => {
  const begun = list.enter(three(), hand("d", { number: 4 }));
  assert.equal(numbers(list.discard(begun, "b")), "1 2 3");
  assert.equal(numbers(list.renumber(begun, "b", 3)), "1 3 4 5");
  const other = list.enter(three(), hand("d", { number: 4, game: "2" }));
  assert.equal(numbers(list.discard(other, "b")), "1 2 4", "at another table");
});

test("a refused hand that is emptied keeps its place before those behind it, and is forgotten without any", () => {
  const refused = list.markRefused(three(), hand("a"), { code: "invalid" });
  const emptied = list.enter(refused, hand("a", { fields: [] }));
  assert.equal(states(emptied), "a correcting, b waiting, c waiting");
  assert.equal(list.sendable(emptied, "ann").length, 0);
  const alone = list.markRefused([three()[0]], hand("a"), { code: "invalid" });
  assert.deepEqual(list.enter(alone, hand("a", { fields: [] })), []);
});

test("a hand that is emptied is not forgotten while the site may have it", () => {
  const tried = list.correct(list.markTried([three()[0]], "a"), "a");
  const [emptied] = list.enter(tried, hand("a", { fields: [] }));
  assert.equal(`${emptied.state} ${emptied.tried} ${emptied.fields.length}`, "correcting true 0");
});

test("what is entered after an emptied hand that the site may have is another hand in its place", () => {
  const sent = list.markTried(list.correct(three(), "a"), "a");
  const entries = list.enterAnew(sent, hand("a", { fields: [] }), "new");
  assert.equal(states(entries), "new correcting, b waiting, c waiting");
  assert.equal(entries[0].order, sent[0].order);
  assert.equal(entries[0].tried, false);
  const never = list.enterAnew(list.correct(three(), "a"), hand("a", { fields: [] }), "new");
  assert.equal(states(never), "a correcting, b waiting, c waiting");
});

test("who was replaced hands over all of a table at once", async () => {
  const { clock, site, phone, tab, log } = await atATable();
  const goesOn = site.log.bind(site);
  site.log = () => ({ outcome: "refused", code: "not_allowed", reasons: ["Only the four."] });
  const key = await log("one");
  await log("two");
  await clock.pass(1000);
  assert.match(states(await phone.store.all()), /^\w+ blocked, \w+ blocked$/);
  await phone.store.change((all) => list.ask(all, key));
  assert.match(states(await phone.store.all()), /^\w+ asked, \w+ asked$/);
  site.game("1").over = true;
  tab.sender.retryTable("1");
  await clock.pass(1000);
  assert.equal(site.game("1").late.size, 2);
  site.log = goesOn;
});

test("a hand that was taken back comes before those that wait, and holds them", () => {
  const entries = list.takeBack(three().slice(1), hand("a", { undone: 7 }));
  assert.deepEqual(list.queueOf(entries, TABLE).map(({ key }) => key), ["a", "b", "c"]);
  assert.deepEqual(list.sendable(entries, "ann"), []);
  assert.equal(list.entryForForm(entries, TABLE).key, "a");
  assert.equal(list.sendable(list.save(entries, hand("a"), 99), "ann")[0].key, "a");
});

test("a hand comes back once, however many tabs hear of its undo, also while it waits again", () => {
  const entries = list.takeBack([], hand("a", { undone: 7 }));
  assert.equal(list.takeBack(entries, hand("b", { undone: 7 })), entries);
  const saved = list.save(entries, hand("a"));
  assert.equal(list.takeBack(saved, hand("b", { undone: 7 })), saved);
  assert.equal(states(list.takeBack(saved, hand("b", { undone: 8 }))), "a waiting, b correcting");
});

const numbered = (entries) => list.queueOf(entries, TABLE).map(({ key, number }) => `${key} ${number}`).join(", ");

test("what was saved before an undo was answered gets a number behind the hand that comes back", () => {
  // The site has taken hand 2 back, the page shows that, and the right one is saved as hand 2.
  const saved = list.save([], hand("new", { number: 2 }));
  const begun = list.enter(saved, hand("begun", { number: 2 }));
  const back = list.takeBack(begun, hand("old", { number: 2, undone: 7 }));
  assert.equal(numbered(back), "old 2, new 3");
  assert.equal(list.find(back, "begun").number, 4);
  assert.equal(numbered(list.discard(back, "old")), "new 2");
  // Another tab does not know of the hand that came back.
  assert.equal(numbered(list.save(list.takeBack([], hand("old", { number: 2, undone: 7 })), hand("new", { number: 2 }))), "old 2, new 3");
  // What had its number before keeps it.
  assert.equal(numbered(list.takeBack(list.save([], hand("b", { number: 3 })), hand("old", { number: 2, undone: 7 }))), "old 2, b 3");
});

test("a hand that is undone before its Save was answered comes back once, as it is by now", () => {
  const tried = list.markTried(list.save([], hand("old", { number: 2, label: "mine" })), "old");
  const [back, ...others] = list.takeBack(tried, hand("new", { number: 2, undone: 7, sentAs: "old" }));
  assert.deepEqual([back.key, back.label, back.fields, others], ["new", "mine", tried[0].fields, []]);
  assert.equal("sentAs" in back, false);
});

test("of two hands with one number the second keeps it when the first is thrown away", () => {
  const saved = list.save(list.save([], hand("a", { number: 1 })), hand("b", { number: 1 }), 2);
  assert.equal(numbered(list.discard(saved, "a")), "b 1");
});

test("a hand that another tab has saved meanwhile is not emptied", () => {
  const saved = list.save([], hand("a"));
  assert.equal(list.enterAnew(saved, hand("a", { fields: [] }), "another"), saved);
  assert.deepEqual(list.enterAnew([], hand("a", { fields: [] }), "another"), []);
});

test("a late refusal says nothing of what was sent since, and Save forgets no decision", () => {
  const saved = list.markTried(list.save([], hand("a", { fields: [["tiles", "2B"]] })), "a");
  assert.equal(list.restoreTried(saved, hand("a", { fields: [] }))[0].tried, true);
  assert.equal(list.restoreTried(saved, { ...saved[0], tried: false })[0].tried, false);
  const declined = list.markRefused(saved, saved[0], { code: "declined" });
  assert.equal(list.save(declined, hand("a"))[0].declined, true);
});

test("what Undo gave back is let go once the site has restored it, unless somebody has changed it", () => {
  const entries = list.takeBack(three().slice(1), hand("a", { undone: 7 }));
  const left = list.letRestoredGo(entries, [3, 7]);
  assert.deepEqual(left.map(({ key, number }) => [key, number]), [["b", 2], ["c", 3]]);
  assert.equal(list.letRestoredGo(entries, [0]).length, 3);
  assert.equal(list.letRestoredGo(list.enter(entries, hand("a")), [7]).length, 3);
  assert.equal(list.letRestoredGo(list.save(entries, hand("a")), [7]).length, 3);
});

test("a table that is held sends nothing until it is released", async () => {
  const { clock, site, tab } = await atATable();
  tab.sender.hold("1");
  await tab.type("one");
  await tab.save();
  await clock.pass(60_000);
  assert.equal(site.game("1").hands.length, 0);
  tab.sender.release("1");
  await clock.pass(1000);
  assert.equal(site.game("1").hands.length, 1);
});

test("no tab sends a hand of a table that one tab holds, and a tab that is thrown away holds nothing for ever", async () => {
  const { clock, phone, tab, log, logged } = await atATable();
  const other = await new Tab(phone, "1").load();
  tab.sender.hold("1");
  await other.type("one");
  await other.save();
  await clock.pass(300_000);
  assert.equal(logged(), "");
  tab.sender.release("1");
  await clock.pass(1000);
  assert.equal(logged(), "one");
  other.sender.hold("1");
  other.kill();
  await log("two");
  await clock.pass(80_000);
  assert.equal(logged(), "one");
  await clock.pass(20_000);
  assert.equal(logged(), "one two");
});

test("a table that two tabs hold stays held until both let it go, also when the clock is set back", async () => {
  const { clock, phone, tab, logged } = await atATable();
  const [second, third] = [await new Tab(phone, "1").load(), await new Tab(phone, "1").load()];
  tab.sender.hold("1");
  second.sender.hold("1");
  tab.sender.release("1");
  await third.type("one");
  await third.save();
  await clock.pass(15_000);
  assert.equal(logged(), "");
  const { holds } = third.sender.environment;
  const { now } = holds;
  holds.now = () => now() - 10_000;
  assert.ok(holds.left("1") > 0);
  holds.now = now;
  second.sender.release("1");
  await clock.pass(95_000);
  assert.equal(logged(), "one");
});

for (const way of ["saved", "unsaved"]) {
  test(`a hand that is about to be sent when its table is held is not sent, ${way}`, async () => {
    const { clock, phone, tab, log, logged } = await atATable();
    tab.sender.environment.isCutOff = () => clock.sleep(5000).then(() => false);
    if (way === "saved") {
      await log("one");
    } else {
      await tab.type("enough1");
      tab.sender.sendUnsaved(tab.hand());
    }
    await clock.pass(1000);
    tab.sender.hold("1");
    await clock.pass(30_000);
    assert.equal(logged(), "");
    assert.ok(!(await phone.store.all())[0].tried, "it never left the phone");
    tab.sender.release("1");
    await clock.pass(10_000);
    assert.equal(logged(), way === "saved" ? "one" : "");
  });
}

test("the later word of the site counts", () => {
  assert.equal(laterState({ at: 1, number: 4 }, { at: 2, number: 3 }).number, 3);
  assert.equal(laterState(undefined, { at: 2, number: 3 }).number, 3);
});

/** What the first release left on a phone. */
const ofTheFirstRelease = (more) =>
  upgraded({
    key: "k",
    order: 7,
    at: 1,
    user: "3",
    game: "5",
    url: "/games/5/hands/",
    number: 2,
    fields: [["winner", "4"], ["number", "2"], ["key", "k"]],
    said: "Ann",
    ...more,
  });

/** The panel of a page without a form, where the member "3" looks; words are their own names. */
function panel() {
  const names = ["oneRefused", "one", "refused", "waits", "unexplained"];
  const words = names.map((name) => [`say${name[0].toUpperCase()}${name.slice(1)}`, name]);
  const dataset = { user: "3", game: "5", ...Object.fromEntries(words) };
  return new QueueView({ dataset, querySelector: () => null, addEventListener() {} }, {});
}

test("what the first release left on a phone is read", () => {
  const now = ofTheFirstRelease({ state: "waiting", reasons: [] });
  assert.deepEqual(now.fields, [["winner", "4"]]);
  assert.equal(`${now.state} ${now.page} ${now.label}`, "waiting /games/5/ Ann");
  assert.equal(upgraded(now), now);
  assert.equal(panel().summary([now], ONLINE), "one");
});

test("a hand that was refused in the first release is still called refused, with the reasons", () => {
  const now = ofTheFirstRelease({ state: "refused", reasons: ["No."] });
  const shown = panel();
  assert.equal(now.state, list.CORRECTING);
  assert.equal(shown.summary([now], ONLINE), "oneRefused");
  assert.equal(`${shown.stateOf(now, ONLINE)}: ${shown.reasonsOf(now)}`, "refused: No.");
  const silent = ofTheFirstRelease({ state: "refused" });
  assert.equal(shown.reasonsOf(silent), "unexplained");
});

test("what another member left on the phone can be thrown away after sixty days, by who is signed in", () => {
  const shown = panel();
  const day = 24 * 60 * 60 * 1000;
  const days = (count) => shown.isLeftBehind({ at: 5 * day }, (5 + count) * day);
  assert.deepEqual([days(0), days(59), days(61)], [false, false, true]);
  assert.equal(shown.isLeftBehind({}, 61 * day), false);
  shown.context.user = "";
  assert.equal(days(61), false);
});

test("the list opens by itself for a hand that was refused or taken back, and for no other", () => {
  const opens = (entry) => {
    const shown = panel();
    shown.root.open = false;
    shown.openFor([entry]);
    return shown.root.open;
  };
  const waits = three()[0];
  const [corrected] = list.correct([waits], "a");
  assert.equal(opens(waits), false);
  assert.equal(opens(corrected), false);
  assert.equal(opens({ ...corrected, code: "invalid" }), true);
  assert.equal(opens({ ...corrected, undone: 7 }), true);
  assert.equal(opens({ ...waits, undone: 7 }), false);
});

test("an entry that calls its taken position `taken` keeps it", () => {
  const now = upgraded({ ...three()[0], taken: true });
  assert.equal(`${now.positionTaken} ${now.taken}`, "true undefined");
});

// ----- the sender ----------------------------------------------------------------------------------

async function atATable() {
  const clock = new Clock();
  const site = new Site();
  const phone = new Phone(site, clock);
  const tab = await new Tab(phone, "1").load();
  const log = async (content) => {
    await tab.type(content);
    return tab.save();
  };
  const logged = (game = "1") => site.game(game).hands.map(({ content }) => content).join(" ");
  return { clock, site, phone, tab, log, logged };
}

test("hands of three loads without a network all arrive in order", async () => {
  const { clock, phone, logged } = await atATable();
  phone.network.away = true;
  for (const content of ["one", "two", "three"]) {
    const tab = await new Tab(phone, "1").load();
    await tab.type(content);
    await tab.save();
    await clock.pass(1000);
    tab.kill();
  }
  phone.network.away = false;
  await new Tab(phone, "1").load();
  await clock.pass(30_000);
  assert.equal(logged(), "one two three");
});

test("a wrong hand does not hold up the true one that follows it", async () => {
  const { clock, phone, log, logged } = await atATable();
  await log("wrong");
  await clock.pass(1000);
  const [refused] = await phone.store.all();
  assert.equal(refused.state, list.CORRECTING);
  const tab = await new Tab(phone, "1").load();
  assert.equal(tab.form.key, refused.key);
  await tab.type("right");
  await tab.save();
  await clock.pass(1000);
  assert.equal(logged(), "right");
  assert.deepEqual(await phone.store.all(), []);
});

test("a lost answer is asked for again and the hand is there once", async () => {
  const { clock, phone, log, logged } = await atATable();
  phone.network.loses = 1;
  await log("one");
  await clock.pass(30_000);
  assert.equal(logged(), "one");
  assert.deepEqual(await phone.store.all(), []);
});

test("a site in trouble at one table holds up no other", async () => {
  const { clock, phone, site, log, logged } = await atATable();
  const log1 = site.log.bind(site);
  site.log = (entry) => (entry.game === "1" ? { outcome: "trouble" } : log1(entry));
  await log("one");
  await phone.store.change((all) =>
    list.save(all, hand("k2", { game: "2", fields: [["tiles", "two"]] }), clock.now()),
  );
  await clock.pass(15_000);
  assert.equal(logged("2"), "two");
  site.log = log1;
  await clock.pass(15_000);
  assert.equal(logged("1"), "one");
});

test("a hand that met a site in trouble may be there: a proxy may have answered", async () => {
  const { clock, phone, log } = await atATable();
  phone.network.trouble = 1;
  await log("one");
  await clock.pass(1000);
  assert.equal((await phone.store.all())[0].tried, true);
});

for (const [seconds, early, due] of [[60, 59, 61], [3600, 119, 121]]) {
  test(`a site that says "in ${seconds} seconds" is asked again after ${due}`, async () => {
    const { clock, phone, log, logged } = await atATable();
    phone.network.trouble = seconds;
    await log("one");
    await clock.pass(1000);
    phone.network.trouble = 0;
    await clock.pass((early - 1) * 1000);
    assert.equal(logged(), "");
    await clock.pass((due - early) * 1000);
    assert.equal(logged(), "one");
  });
}

test("whoever does not want to wait for a site in trouble has it asked at once", async () => {
  const { clock, phone, tab, log, logged } = await atATable();
  phone.network.trouble = 100;
  await log("one");
  await clock.pass(1000);
  phone.network.trouble = 0;
  tab.sender.retryNow();
  await clock.pass(1000);
  assert.equal(logged(), "one");
});

test("a table that takes no hands is not asked each time somebody looks at the page", async () => {
  const { clock, site, tab, log } = await atATable();
  site.game("1").over = true;
  await log("one");
  await clock.pass(1000);
  site.log = () => assert.fail("asked before the minute is over");
  tab.sender.retryNow();
  await clock.pass(1000);
});

test("a table that takes no hands is asked again after a minute", async () => {
  const { clock, site, log, logged } = await atATable();
  site.game("1").over = true;
  await log("one");
  await clock.pass(1000);
  site.game("1").over = false;
  await clock.pass(58_000);
  assert.equal(logged(), "");
  await clock.pass(2000);
  assert.equal(logged(), "one");
});

test("who asks an organiser while the table is tried again is not overruled by its answer", async () => {
  const { clock, phone, site, tab, log } = await atATable();
  site.game("1").over = true;
  const key = await log("late");
  await clock.pass(1000);
  phone.network.slow = 1;
  await clock.pass(60_000);
  assert.equal(tab.sender.underWay, key);
  await phone.store.change((all) => list.ask(all, key, clock.now()));
  tab.sender.retryTable("1");
  await clock.pass(5000);
  const [{ state, known }] = await phone.store.all();
  assert.equal(`${state} ${known}`, "asked true");
  assert.equal(site.game("1").late.size, 1);
});

test("the decision of an organiser is asked for every fifteen seconds", async () => {
  const { clock, phone, site, tab, log } = await atATable();
  site.game("1").over = true;
  const key = await log("late");
  await clock.pass(1000);
  await phone.store.change((all) => list.ask(all, key, clock.now()));
  const asked = times(clock, site, "ask");
  tab.sender.retryTable("1");
  await clock.pass(50_000);
  assert.deepEqual(asked.map(inSeconds), [0, 15, 30, 45]);
});

/** When `site` is asked for `what` from now on, in milliseconds. */
function times(clock, site, what) {
  const [asked, answer] = [[], site[what].bind(site)];
  site[what] = (entry) => {
    asked.push(clock.now());
    return answer(entry);
  };
  return asked;
}
const inSeconds = (time, at, [first]) => Math.round((time - first) / 1000);
const between = (all) => all.slice(1).map((time, at) => Math.round((time - all[at]) / 1000));

for (const [what, fail] of Object.entries({
  "no network": (network) => (network.away = true),
  "a lost session": (network, site) => (site.signedIn = ""),
  "a site in trouble": (network) => (network.trouble = 0.001),
})) {
  test(`with ${what} a hand is tried after 1, 2, 4, 8, 12 seconds, and not for ever later`, async () => {
    const { clock, phone, site, log, logged } = await atATable();
    fail(phone.network, site);
    const asked = times(clock, phone.network, "reach");
    await log("one");
    await clock.pass(60_000);
    assert.deepEqual(between(asked), [1, 2, 4, 8, 12, 12, 12]);
    phone.network.away = phone.network.trouble = 0;
    site.signedIn = "ann";
    await clock.pass(12_100);
    assert.equal(logged(), "one");
  });
}

test("once the site has answered, the next failure is the first one again", async () => {
  const { clock, phone, tab, log, logged } = await atATable();
  phone.network.away = true;
  await log("one");
  await clock.pass(60_000);
  phone.network.away = false;
  await clock.pass(13_000);
  assert.equal(logged(), "one");
  phone.network.away = true;
  const asked = times(clock, phone.network, "reach");
  await phone.store.change((all) => list.save(all, hand("k2", { number: 2 }), clock.now()));
  tab.sender.drain(); // as by itself: whoever saves has the site asked at once
  await clock.pass(4000);
  assert.deepEqual(between(asked), [1, 2]);
});

test("a network that lets polls through and no hands is not asked more often for that", async () => {
  const { clock, phone, tab, log } = await atATable();
  phone.network.away = true;
  const asked = times(clock, phone.network, "reach");
  await log("one");
  for (let polls = 0; polls < 20; polls += 1) {
    await clock.pass(1500);
    tab.sender.noteReached(true);
  }
  assert.ok(asked.length <= 7, `asked ${asked.length} times in 30 seconds`);
});

test("a poll that reaches the site again has what waits sent at once", async () => {
  const { clock, phone, tab, log, logged } = await atATable();
  phone.network.away = true;
  await log("one");
  await clock.pass(28_000);
  phone.network.away = false;
  assert.equal(tab.sender.noteReached(true), true);
  await clock.pass(100);
  assert.equal(logged(), "one");
});

test("a table that is open does not shorten the pause that a site in trouble asked for", async () => {
  const { clock, phone, site, tab, log } = await atATable();
  site.game("1").over = true;
  await log("one");
  await clock.pass(1000);
  phone.network.trouble = 100;
  await clock.pass(60_000);
  const asked = times(clock, phone.network, "reach");
  tab.sender.tableOpened("1");
  await clock.pass(30_000);
  assert.deepEqual(asked, []);
});

test("the end of what held a table ends no pause", async () => {
  const { clock, phone, tab, log } = await atATable();
  phone.network.trouble = 100;
  await log("one");
  await clock.pass(60_000);
  const asked = times(clock, phone.network, "reach");
  tab.sender.hold("1");
  tab.sender.release("1");
  await clock.pass(30_000);
  assert.deepEqual(asked, []);
});

test("from before it is sent until the answer a hand may be on the site", async () => {
  const { clock, phone, tab, log } = await atATable();
  phone.network.slow = 1;
  await log("wrong");
  await clock.pass(1000);
  assert.equal((await phone.store.all())[0].tried, true, "another tab, or the next page, has to know");
  await clock.pass(2000);
  assert.equal((await phone.store.all())[0].tried, false, "the site does not have it");
  assert.equal(tab.sender.underWay, "");
});

test("a page that dies while its hand is sent leaves it marked as sent", async () => {
  const { clock, phone, tab, log } = await atATable();
  phone.network.slow = 1;
  await log("one");
  await clock.pass(1000);
  tab.kill();
  await clock.pass(10_000);
  assert.equal((await phone.store.all())[0].tried, true);
});

test("a hand that another tab discards just before it is sent is not sent", async () => {
  const { clock, phone, log, logged } = await atATable();
  const { store } = phone;
  const key = await log("one");
  const all = store.all.bind(store);
  store.all = async () => {
    const entries = await all();
    await store.change((now) => list.discard(now, key));
    return entries;
  };
  await clock.pass(1000);
  assert.equal(logged(), "");
});

for (const way of ["saved", "unsaved"]) {
  test(`a hand that certainly never left the phone is not on the site, ${way}`, async () => {
    const { clock, phone, tab, logged } = await atATable();
    phone.network.cutOff = phone.network.away = true;
    await tab.type("one");
    if (way === "saved") {
      await tab.save();
    } else {
      assert.equal((await tab.sender.sendUnsaved(tab.hand())).outcome, "away");
    }
    await clock.pass(30_000);
    assert.ok(!(await phone.store.all())[0].tried);
    if (way === "saved") {
      assert.equal(tab.sender.reached, false);
      phone.network.cutOff = false;
      await clock.pass(15_000);
      assert.equal((await phone.store.all())[0].tried, true, "of a request that failed nobody knows");
      phone.network.away = false;
      await clock.pass(15_000);
      assert.equal(logged(), "one");
    }
  });
}

for (const [what, fail, tried] of [
  ["in trouble", (network) => (network.trouble = 1), true],
  ["away", (network) => (network.away = true), true],
  ["there and refuses it", () => {}, false],
]) {
  test(`a hand that is sent unsaved ${tried ? "may" : "can not"} be on a site that is ${what}`, async () => {
    const { clock, phone, tab } = await atATable();
    await tab.type("wrong");
    fail(phone.network);
    tab.sender.sendUnsaved(tab.hand());
    await clock.pass(1000);
    assert.equal((await phone.store.all())[0].tried, tried);
  });
}

test("a hand that is not saved and whose answer is lost may be on the site", async () => {
  const { clock, phone, tab } = await atATable();
  await tab.type("one");
  phone.network.loses = 1;
  const asked = tab.sender.sendUnsaved(tab.hand());
  await clock.pass(30_000);
  assert.equal((await asked).outcome, "away");
  const [{ state, tried }] = await phone.store.all();
  assert.equal(`${state} ${tried}`, "entering true");
});

test("a hand is not logged in the name of somebody else", async () => {
  const { clock, site, log, logged } = await atATable();
  site.signedIn = "ben";
  await log("one");
  await clock.pass(20_000);
  assert.equal(logged(), "");
  site.signedIn = "ann";
  await clock.pass(20_000);
  assert.equal(logged(), "one");
});

test("a hand that came too late is taken in by an organiser", async () => {
  const { clock, phone, site, tab, log, logged } = await atATable();
  site.game("1").over = true;
  const key = await log("late");
  await clock.pass(1000);
  await phone.store.change((all) => list.ask(all, key));
  tab.sender.retryNow();
  tab.sender.retryTable("1");
  await clock.pass(1000);
  assert.equal((await phone.store.all())[0].known, true);
  site.decide("1", "taken");
  await clock.pass(30_000);
  assert.equal(logged(), "late");
  assert.deepEqual(await phone.store.all(), []);
});

test("all late hands of a table reach the organiser, not the first alone", async () => {
  const { clock, phone, site, tab, log } = await atATable();
  await log("one");
  await clock.pass(1000);
  phone.network.away = true;
  for (const content of ["two", "three", "four"]) {
    await log(content);
  }
  site.game("1").over = true;
  phone.network.away = false;
  tab.sender.retryNow();
  await clock.pass(1000);
  const [first] = await phone.store.all();
  await phone.store.change((all) => list.ask(all, first.key));
  tab.sender.retryTable("1");
  await clock.pass(1000);
  assert.equal(site.game("1").late.size, 3);
});

/** Hands "one", "two" and "three", saved without a network; meanwhile ben logs the first and the game is over. */
async function overtaken() {
  const table = await atATable();
  const { clock, phone, site, tab, log } = table;
  phone.network.away = true;
  for (const content of ["one", "two", "three"]) {
    await log(content);
  }
  site.other("1", "bens");
  site.game("1").over = true;
  phone.network.away = false;
  tab.sender.retryNow();
  await clock.pass(1000);
  const askFor = async (key) => {
    await phone.store.change((all) => list.ask(all, key, clock.now()));
    tab.sender.retryTable("1");
    await clock.pass(1000);
  };
  const [first, second] = await phone.store.all();
  return { ...table, first, second, askFor };
}

test("hands behind one that is refused when an organiser is asked do not overtake it", async () => {
  const { phone, site, second, askFor } = await overtaken();
  await askFor(second.key);
  const [one, two, three] = await phone.store.all();
  assert.equal(`${one.state} ${one.code}`, "correcting already_there");
  assert.equal(site.game("1").late.size, 0, "none has gone past it");
  assert.equal(list.heldBy([one, two, three], two).key, one.key, "the page says what they wait for");
});

test("a hand whose number is logged says so of itself alone when its table is shut", async () => {
  const { phone } = await overtaken();
  const entries = await phone.store.all();
  assert.equal(entries.map(list.isOvertaken).join(), "true,false,false");
  assert.equal(entries.map(({ state }) => state).join(), "blocked,blocked,blocked");
});

test("a hand whose number is logged is asked for as the next one, and those behind it follow in their order", async () => {
  const { clock, phone, site, first, second, askFor, logged } = await overtaken();
  await askFor(second.key);
  await askFor(first.key);
  assert.equal([...site.game("1").late.values()].map(({ entry }) => entry.number).join(), "2,3,4");
  for (let turn = 0; turn < 3; turn += 1) {
    site.decide("1", "taken");
  }
  await clock.pass(30_000);
  assert.equal(logged(), "bens one two three");
  assert.deepEqual(await phone.store.all(), []);
});

test("a hand whose number is logged as the same hand is discarded, and those behind it go to the organiser", async () => {
  const { clock, phone, site, tab, first, second, askFor } = await overtaken();
  await askFor(second.key);
  await phone.store.change((all) => list.discard(all, first.key));
  tab.sender.retryNow();
  await clock.pass(1000);
  assert.equal([...site.game("1").late.values()].map(({ entry }) => entry.number).join(), "2,3");
});

test("a hand that was declined reaches the organiser again, as it is, also under a later number", async () => {
  const { clock, phone, site, tab, first, askFor, logged } = await overtaken();
  await askFor(first.key);
  site.decide("1", "declined");
  site.decide("1", "taken");
  await clock.pass(20_000);
  assert.equal((await phone.store.all())[0].code, "declined");
  await askFor(first.key); // its number was taken by the one behind it
  await askFor(first.key);
  assert.equal((await phone.store.all())[0].state, list.ASKED);
  site.decide("1", "taken");
  site.decide("1", "taken");
  tab.sender.retryTable("1");
  await clock.pass(30_000);
  assert.equal([...logged().split(" ")].sort().join(" "), "bens one three two");
  assert.deepEqual(await phone.store.all(), []);
});

test("a decision that was lost on the way is no reason to ask again", async () => {
  const { clock, phone, site, first, askFor } = await overtaken();
  await phone.store.change((all) => all.filter(({ key }) => key === first.key));
  await askFor(first.key);
  site.decide("1", "declined");
  phone.network.loses = 1;
  await clock.pass(60_000);
  assert.equal((await phone.store.all())[0].code, "declined");
  assert.equal([...site.game("1").late.values()][0].decided, "declined");
});

test("all hands that an organiser has are shut out once their game is withdrawn, and are sent when it is restored", async () => {
  const { clock, phone, site, tab, first, askFor, logged } = await overtaken();
  await askFor(first.key);
  site.game("1").withdrawn = true;
  await clock.pass(20_000);
  const entries = await phone.store.all();
  assert.equal(entries.map(({ state }) => state).join(), "blocked,blocked,blocked");
  assert.ok(entries.every(({ reasons, tried }) => reasons.length && tried), "the site may have them");
  Object.assign(site.game("1"), { withdrawn: false, over: false });
  tab.sender.tableOpened("1");
  await clock.pass(30_000);
  assert.equal(logged(), "bens one two three");
});

test("a decision reaches the phone though the hand before it is shut out", async () => {
  const { clock, phone, site, first, askFor } = await overtaken();
  await askFor(first.key);
  await phone.store.change((all) =>
    all.map((entry) => (entry.key === first.key ? { ...entry, state: list.BLOCKED } : entry)),
  );
  await clock.pass(1000);
  for (let turn = 0; turn < 3; turn += 1) {
    site.decide("1", "taken");
  }
  await clock.pass(20_000);
  assert.equal((await phone.store.all()).filter(({ key }) => key !== first.key).length, 0);
});

test("a hand that the site has with other content keeps its number when an organiser is asked", () => {
  const reused = { code: "key_reused", reasons: ["No."], position_taken: true, word: { number: 5 } };
  const entries = list.ask(list.markRefused(three(), hand("a"), reused), "a");
  assert.equal(numbers(entries), "1 2 3");
});

test("a hand that an organiser has is sent as any other when the game goes on", async () => {
  const { clock, phone, site, tab, log, logged } = await atATable();
  site.game("1").over = true;
  const key = await log("late");
  await clock.pass(1000);
  await phone.store.change((all) => list.ask(all, key));
  tab.sender.retryTable("1");
  await clock.pass(1000);
  site.game("1").over = false;
  tab.sender.tableOpened("1"); // the page has learned that the game goes on
  await clock.pass(1000);
  await log("next");
  await clock.pass(30_000);
  assert.equal(logged(), "late next");
});

test("an answer that the page does not know is tried again later, not at once", async () => {
  const { clock, site, log } = await atATable();
  let asked = 0;
  site.log = () => {
    asked += 1;
    return { outcome: "news" };
  };
  await log("one");
  await clock.pass(20_000);
  assert.ok(asked < 10, `asked ${asked} times`);
});

// ----- any order of events -------------------------------------------------------------------------

/** Numbers that come out the same for the same seed. */
function random(seed) {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 4294967296;
  };
}

// What something between the phone and the site answers, as site.js reads it.
const OUTSIDE = [
  { outcome: "trouble" }, // 401, 403, 404 without JSON
  { outcome: "refused", code: "invalid", reasons: ["Not today."] }, // 422
  { outcome: "signedOut" }, // 401
];
const OFTEN = ["saveWhole", "saveWhole"]; // besides once, as everything

class Story {
  constructor(seed) {
    this.random = random(seed);
    this.clock = new Clock();
    this.site = new Site();
    this.phone = new Phone(this.site, this.clock);
    this.tabs = [];
    this.saved = new Map(); // key: what the person saved last under it
    this.discarded = new Set();
    this.halves = new Set(); // keys under which Save was pressed on what was not whole
    this.count = 0;
    this.history = [];
  }

  pick = (items) => items[Math.floor(this.random() * items.length)];
  game = () => this.pick(["1", "2"]);

  async step() {
    const name = this.pick([...Object.keys(this.acts), ...OFTEN]);
    this.history.push(name);
    await this.acts[name]();
    await this.clock.pass(this.pick([0, 10, 50, 500, 3000]));
  }

  async tab() {
    if (!this.tabs.length) {
      await this.acts.load();
    }
    return this.pick(this.tabs);
  }

  async saves(content, tab) {
    tab ??= await this.tab();
    await tab.type(content);
    const key = await tab.save();
    this.saved.set(key, content);
    this.discarded.delete(key);
  }

  async ofQueue(wanted) {
    const entries = await this.phone.store.all();
    return this.pick(entries.filter(({ state }) => wanted.includes(state)));
  }

  /** Take a hand that waits back into the form, also one that another tab sends. Resolves to the tab. */
  async takesOut() {
    const entry = await this.ofQueue([list.WAITING]);
    const tab = this.tabs.find(({ game }) => game === entry?.game);
    if (tab) {
      await this.phone.store.change((all) => list.correct(all, entry.key));
      tab.open(await this.phone.store.all());
    }
    return tab;
  }

  acts = {
    load: async () => {
      if (this.tabs.length < 3) {
        this.tabs.push(await new Tab(this.phone, this.game()).load());
      }
    },
    reload: async () => {
      const tab = await this.tab();
      tab.kill();
      this.tabs[this.tabs.indexOf(tab)] = await new Tab(this.phone, tab.game).load();
    },
    thrownAway: async () => {
      const tab = await this.tab();
      tab.kill();
      this.tabs.splice(this.tabs.indexOf(tab), 1);
    },
    browserKilled: () => {
      for (const tab of this.tabs.splice(0)) {
        tab.kill();
      }
    },
    offline: () => (this.phone.network.away = true),
    online: () => {
      this.phone.network.away = false;
      this.tabs.forEach((tab) => tab.sender.retryNow());
    },
    slow: () => (this.phone.network.slow = 1),
    fast: () => (this.phone.network.slow = 0),
    answerLost: () => (this.phone.network.loses += 1),
    answerFromOutside: () => this.phone.network.outside.push(this.pick(OUTSIDE)),
    trouble: () => (this.phone.network.trouble = this.pick([0.001, 1, 10])),
    noTrouble: () => (this.phone.network.trouble = 0),
    saveWhole: () => this.saves(`hand${(this.count += 1)}`),
    saveWrong: () => this.saves(`wrong${(this.count += 1)}`),
    saveHalf: async () => {
      const tab = await this.tab();
      const content = `${this.pick(["half", "enough"])}${(this.count += 1)}`;
      await tab.type(content);
      const { key } = tab.form;
      this.halves.add(key);
      // It lies in the form while the site is asked.
      tab.saveHalf().then((isTaken) => isTaken && this.saved.set(key, content));
    },
    undo: async () => {
      const key = await (await this.tab()).undo();
      if (key) {
        this.discarded.add(key);
      }
    },
    begin: async () => (await this.tab()).type(`begun${(this.count += 1)}`),
    doubleTap: async () => {
      const tab = await this.tab();
      await tab.type(`hand${(this.count += 1)}`);
      const form = { ...tab.form };
      const key = await tab.save();
      this.saved.set(key, `hand${this.count}`);
      await this.phone.store.change((all) => list.save(all, { ...tab.hand(), ...form }, 1));
    },
    takeOut: () => this.takesOut(),
    correctOne: async () => {
      const tab = await this.takesOut();
      if (tab) {
        await this.saves(`hand${(this.count += 1)}`, tab);
      }
    },
    throwAway: async () => {
      const entry = await this.ofQueue([list.CORRECTING, list.ENTERING, list.BLOCKED]);
      if (entry) {
        await this.phone.store.change((all) => list.discard(all, entry.key));
        this.discarded.add(entry.key);
      }
    },
    anotherHand: async () => {
      const entry = await this.ofQueue([list.CORRECTING]);
      if (entry) {
        const { number } = this.site.word(entry.game);
        this.saved.set(entry.key, entry.fields[1][1]);
        await this.phone.store.change((all) => {
          const moved = list.renumber(all, entry.key, number);
          return list.save(moved, { ...entry, number, fields: entry.fields }, this.clock.now());
        });
      }
    },
    ask: async () => {
      // One that was refused or declined has the button where the table has no form.
      const entry = await this.ofQueue([list.BLOCKED, list.CORRECTING]);
      const { over, closed } = this.site.game(entry?.game ?? "1");
      if (entry && (over || closed || entry.state === list.BLOCKED)) {
        this.saved.set(entry.key, entry.fields[1][1]); // what was entered since it was refused counts
        await this.phone.store.change((all) => list.ask(all, entry.key, this.clock.now()));
        this.tabs.forEach((tab) => tab.sender.retryTable(entry.game));
      }
    },
    organiserTakes: () => this.site.decide(this.game(), "taken"),
    organiserDeclines: () => this.site.decide(this.game(), "declined"),
    othersLog: () => this.site.other(this.game(), `ben${(this.count += 1)}`),
    ends: () => (this.site.game(this.game()).over = true),
    closes: () => (this.site.game(this.game()).closed = true),
    opensAgain: () => {
      const game = this.site.game(this.game());
      game.over = game.closed = false;
    },
    signsOut: () => (this.site.signedIn = ""),
    somebodyElse: () => (this.site.signedIn = "ben"),
    signsIn: () => (this.site.signedIn = "ann"),
  };

  /**
   * In the end there is a network, ann is signed in, and a page is open for half a minute: a new one, or those that
   * are there, which have seen by their polls that the site is there and which games go on.
   */
  async end() {
    Object.assign(this.phone.network, { away: false, trouble: 0, slow: 0, loses: 0, outside: [] });
    this.site.signedIn = "ann";
    if (this.random() < 0.5) {
      this.acts.browserKilled();
    }
    if (!this.tabs.length) {
      await this.acts.load();
    }
    for (const { sender } of this.tabs) {
      sender.noteReached(true);
      ["1", "2"].forEach((id) => sender.tableOpened(id));
    }
    await this.clock.pass(30_000);
  }

  /** Their tables go on, and the people put right what was refused: all of it arrives. */
  async putRight() {
    for (const [id, game] of this.site.games) {
      game.over = game.closed = false;
      this.tabs[0].sender.tableOpened(id);
    }
    await this.clock.pass(30_000);
    for (let turn = 0, refused; turn < 60 && (refused = await this.firstRefused()); turn += 1) {
      await this.phone.store.change((all) => this.right(all, refused));
      this.tabs[0].sender.retryNow();
      await this.clock.pass(1000);
    }
    await this.clock.pass(30_000);
    const left = (await this.phone.store.all()).filter(({ state }) => state !== list.ENTERING);
    assert.deepEqual(left, [], "nothing is refused, and something is left");
  }

  firstRefused = async () =>
    (await this.phone.store.all())
      .filter(({ state }) => state === list.CORRECTING)
      .sort(list.byOrder)[0];

  /** One that the site has under another content is discarded, any other is the next hand. */
  right(all, { key, game, code }) {
    if (code === "key_reused") {
      this.discarded.add(key);
      return list.discard(all, key);
    }
    const moved = list.renumber(all, key, this.site.word(game).number);
    const content = `right${(this.count += 1)}`;
    this.saved.set(key, content);
    const fields = [["winner", "1"], ["tiles", content]];
    return list.save(moved, { ...list.find(moved, key), fields }, this.clock.now());
  }

  /** The keys of the member's hands at a table, as the site has them, less those that came late. */
  logged(id) {
    const { hands, late } = this.site.game(id);
    return hands
      .filter(({ key, user }) => user === "ann" && (late.get(key)?.decided ?? "asked") === "asked")
      .filter(({ key }) => !this.halves.has(key)) // they went past what waited
      .map(({ key }) => key);
  }

  /** The same hands, as they were saved. */
  inOrderOfSaving(id) {
    const there = new Set(this.logged(id));
    return [...this.saved.keys()].filter((key) => there.has(key));
  }

  async check() {
    const entries = await this.phone.store.all();
    for (const [key, content] of this.saved) {
      const there = ["1", "2"].flatMap((id) =>
        this.site.game(id).hands.filter((one) => one.key === key),
      );
      const here = list.find(entries, key);
      assert.ok(there.length <= 1, `${content} is there ${there.length} times`);
      if (!this.discarded.has(key)) {
        assert.ok(there.length || here, `${content} is lost`);
      }
      if (there.length && !here && !this.discarded.has(key)) {
        assert.equal(there[0].content, content, "what was saved last is what is there");
      }
    }
    for (const entry of entries.filter(({ state }) => state === list.WAITING)) {
      assert.ok(list.heldBy(entries, entry), `${entry.fields[1][1]} waits for nothing`);
    }
    for (const entry of entries.filter(({ state }) => state === list.BLOCKED)) {
      const game = this.site.game(entry.game);
      assert.ok(entry.reasons.length, "no reason is said");
      assert.ok(game.over || game.closed || list.heldBy(entries, entry), "it could be sent");
    }
    for (const { hands } of this.site.games.values()) {
      for (const { key, user } of hands) {
        assert.ok(user === "ben" || this.saved.has(key) || this.halves.has(key), `${key} was never saved`);
      }
    }
    for (const id of this.site.games.keys()) {
      assert.deepEqual(this.logged(id), this.inOrderOfSaving(id), `out of order at table ${id}`);
    }
  }
}

test(`no hand is lost or out of order in ${SEQUENCES} stories`, async () => {
  const first = Number(process.env.FIRST ?? 1);
  for (let seed = first; seed < first + SEQUENCES; seed += 1) {
    const story = new Story(seed);
    try {
      for (let step = 0; step < 40; step += 1) {
        await story.step();
      }
      await story.end();
      await story.check();
      await story.putRight();
      await story.check();
    } catch (error) {
      error.message = `story ${seed}: ${error.message}\n${story.history.join(" ")}`;
      throw error;
    }
  }
});
