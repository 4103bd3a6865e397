/**
 * A site, a network and a phone without a browser: for trying what happens to a hand in any order of events.
 *
 * The site keeps to the contract of `POST games/N/hands/` and `late/`. The phone's tabs do with the queue
 * what the table page does with it.
 */

import { HeldTables } from "../static/scoring/queue/held_tables.js";
import * as list from "../static/scoring/queue/entries.js";
import { laterState, predict } from "../static/scoring/queue/predict.js";
import { Sender } from "../static/scoring/queue/sender.js";

/** A store that keeps the entries as long as the test. */
class MemoryStore {
  entries = [];

  async all() {
    return this.entries;
  }

  async change(change) {
    this.entries = change(this.entries);
    return this.entries;
  }
}

/** A clock that stands still until it is told to move on; timers fire in order. */
export class Clock {
  time = 1_000_000;
  timers = new Map();
  last = 0;

  now = () => this.time;

  later = (act, pause) => {
    this.timers.set((this.last += 1), { act, at: this.time + pause });
    return this.last;
  };

  cancel = (timer) => this.timers.delete(timer);

  sleep = (pause) => new Promise((resolve) => this.later(resolve, pause));

  /** Let `pause` milliseconds go by, with all that happens meanwhile. */
  async pass(pause) {
    const end = this.time + pause;
    for (;;) {
      await settled();
      const due = [...this.timers].filter(([, { at }]) => at <= end);
      if (!due.length) {
        break;
      }
      const [id, { act, at }] = due.reduce((first, one) => (one[1].at < first[1].at ? one : first));
      this.timers.delete(id);
      this.time = Math.max(this.time, at);
      act();
    }
    this.time = end;
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const contentOf = ({ fields }) => Object.fromEntries(fields).tiles;

/** A half hand lacks something, unless the site does not ask for it. */
const isWrong = (content) => /^(wrong|half)/.test(content);

const WIN_AND_DRAW = { win: true, draw: true };

/** The site: games by id, each with the hands that stand and what is known of every key. */
export class Site {
  signedIn = "ann";
  games = new Map();
  words = 0; // how many were said: the site's clock

  game(id) {
    if (!this.games.has(id)) {
      this.games.set(id, { hands: [], keys: new Map(), over: false, closed: false, late: new Map() });
    }
    return this.games.get(id);
  }

  word(id) {
    const { hands, over } = this.game(id);
    this.words += 1;
    return { at: this.words, round: "E", dealer: 0, number: hands.length + 1, finished: over };
  }

  log(entry) {
    const game = this.game(entry.game);
    if (this.signedIn !== entry.user) {
      return { outcome: "signedOut" };
    }
    const word = this.word(entry.game);
    const content = contentOf(entry);
    const before = game.keys.get(entry.key);
    if (before) {
      const code = "key_reused";
      return before.content === content && before.number === entry.number
        ? { outcome: "taken", word }
        : { outcome: "refused", code, reasons: ["Another hand."], position_taken: true, word };
    }
    const position_taken = entry.number <= game.hands.length;
    if (game.closed) {
      return { outcome: "refused", code: "evening_closed", reasons: ["Closed."], word };
    }
    if (game.withdrawn) {
      return { outcome: "refused", code: "withdrawn", reasons: ["Withdrawn."], word };
    }
    if (game.over) {
      return { outcome: "refused", code: "finished", reasons: ["Over."], position_taken, word };
    }
    if (entry.number !== game.hands.length + 1) {
      const code = "not_the_next_hand";
      return { outcome: "refused", code, reasons: ["Not next."], position_taken, word };
    }
    if (isWrong(content)) {
      return { outcome: "refused", code: "invalid", reasons: ["Wrong."], word };
    }
    this.store(entry.game, entry, content);
    return { outcome: "taken", word: this.word(entry.game) };
  }

  store(id, { key, number, user }, content) {
    const game = this.game(id);
    const hand = { key, number: game.hands.length + 1, content, user };
    game.hands.push(hand);
    game.keys.set(key, { ...hand, asked: number });
  }

  ask(entry) {
    const game = this.game(entry.game);
    if (this.signedIn !== entry.user) {
      return { outcome: "signedOut" };
    }
    const content = contentOf(entry);
    const reused = { outcome: "refused", code: "key_reused", reasons: ["Another hand."] };
    const logged = game.keys.get(entry.key);
    if (logged) {
      return logged.content === content ? { outcome: "taken", word: this.word(entry.game) } : reused;
    }
    if (!game.over && !game.closed) {
      return { outcome: "open" };
    }
    if (game.withdrawn) {
      return { outcome: "refused", code: "withdrawn", reasons: ["Withdrawn."] };
    }
    if (isWrong(content)) {
      return { outcome: "refused", code: "invalid", reasons: ["Wrong."] };
    }
    const late = game.late.get(entry.key);
    const isSame = late && contentOf(late.entry) === content;
    if (late?.decided === "asked" && !isSame) {
      return reused;
    }
    const isAskedAgain = late?.decided === "declined" && (!isSame || (entry.declined && !entry.known));
    if ((!late || isAskedAgain) && entry.number <= game.hands.length) {
      const code = "already_there";
      return { outcome: "refused", code, reasons: ["Not next."], position_taken: true, word: this.word(entry.game) };
    }
    if (!late || isAskedAgain) {
      game.late.set(entry.key, { entry, decided: "asked" });
    }
    const { decided } = game.late.get(entry.key);
    return decided === "declined"
      ? { outcome: "declined", sentence: "No." }
      : { outcome: decided };
  }

  /** An organiser decides on the first late hand of a game. One that was logged since, while the game was open, is not logged again. */
  decide(id, decided) {
    const game = this.game(id);
    const late = [...game.late.values()].find((one) => one.decided === "asked");
    if (late) {
      late.decided = decided;
      if (decided === "taken" && !game.keys.has(late.entry.key)) {
        this.store(id, late.entry, contentOf(late.entry));
      }
    }
  }

  /** Somebody else logs the next hand. */
  other(id, name) {
    if (!this.game(id).over) {
      this.game(id).hands.push({ key: name, number: 0, content: name, user: "ben" });
    }
  }

  /** Take back the last hand of a game if ann has logged it. Resolves to it. */
  undo(id) {
    const { hands } = this.game(id);
    return hands.at(-1)?.user === "ann" ? hands.pop() : undefined;
  }
}

/**
 * The way to the site: it may be away, slow, or lose what the site says; `cutOff` is whether the phone knows that
 * nothing leaves it; `trouble` is for how many seconds the site cannot answer, as it says; `outside` are answers of
 * something between, in place of the site's.
 */
export class Network {
  constructor(site, clock) {
    Object.assign(this, { site, clock, away: false, cutOff: false, trouble: 0, slow: 0, loses: 0, outside: [] });
  }

  post = async (entry) => {
    await this.clock.sleep(this.slow ? 2000 : 20);
    return this.reach(entry);
  };

  async reach(entry) {
    if (this.away) {
      return { outcome: "away" };
    }
    if (this.trouble) {
      return { outcome: "trouble", retryAfter: this.trouble * 1000 };
    }
    if (this.outside.length) {
      return this.outside.shift();
    }
    const answer = entry.state === list.ASKED ? this.site.ask(entry) : this.site.log(entry);
    if (this.loses > 0) {
      this.loses -= 1;
      await this.clock.sleep(9000);
      return { outcome: "away" };
    }
    return answer;
  }
}

/** One tab with the page of a table. What it keeps is in the phone's store; the rest goes with it. */
export class Tab {
  constructor(phone, game) {
    Object.assign(this, { phone, game, user: "ann", form: undefined, locks: [] });
    this.sender = new Sender(phone.store, this.post, this.user, {
      now: phone.clock.now,
      setTimer: phone.clock.later,
      clearTimer: phone.clock.cancel,
      withLock: (act) => phone.withLock(this, act),
      isCutOff: async () => phone.network.cutOff,
      holds: new HeldTables("ann", newName(), { now: phone.clock.now, storage: () => phone.storage, locks: null }),
    });
    this.word = phone.site.word(game);
  }

  post = async (entry) => {
    const answer = await this.phone.network.post(entry);
    if (this.gone) {
      return new Promise(() => {}); // nobody is there to hear it
    }
    if (answer.word && entry.game === this.game) {
      this.word = laterState(this.word, answer.word);
    }
    return answer;
  };

  async load() {
    const { network, site, store } = this.phone;
    if (!network.away && !network.trouble) {
      this.word = site.word(this.game);
    }
    this.open(await store.all());
    this.sender.drain();
    return this;
  }

  open(entries) {
    const table = { user: this.user, game: this.game };
    const entry = list.entryForForm(entries, table);
    this.form = entry
      ? { key: entry.key, number: entry.number, fields: entry.fields, kept: true }
      : { key: list.newKey(), number: this.next(entries), fields: [] };
  }

  next(entries) {
    const waiting = list.savedBefore(entries, { user: this.user, game: this.game });
    return predict(this.word, waiting, () => 1, WIN_AND_DRAW).number;
  }

  hand() {
    const { user, game } = this;
    return { ...this.form, user, game, page: `/games/${game}/`, at: this.phone.clock.now() };
  }

  async type(content) {
    const entries = await this.phone.store.all();
    const lies = list.find(entries, this.form.key);
    if (this.form.kept && (!lies || ![list.ENTERING, list.CORRECTING].includes(lies.state))) {
      this.form.key = list.newKey();
    }
    if (!this.form.fields.length && !lies?.order) {
      this.form.number = this.next(entries);
    }
    this.form = { ...this.form, kept: true, fields: [["winner", "1"], ["tiles", content]] };
    await this.phone.store.change((all) => list.enter(all, this.hand()));
  }

  /** Resolves to the key that the page calls saved. */
  async save() {
    let hand = this.hand();
    const entries = await this.phone.store.change((all) =>
      list.save(all, hand, this.phone.clock.now()),
    );
    if (!list.isStored(entries, hand)) {
      this.form.key = list.newKey();
      hand = this.hand();
      await this.phone.store.change((all) => list.save(all, hand, this.phone.clock.now()));
    }
    this.sender.retryNow();
    this.open(await this.phone.store.all());
    return hand.key;
  }

  /**
   * Save what is not whole: the site is asked what is missing, unless something waits here. Resolves to whether
   * the site takes it after all.
   */
  async saveHalf() {
    const hand = this.hand();
    const { store } = this.phone;
    if (list.queueOf(await store.all(), hand).some(({ state }) => state === list.WAITING)) {
      return false;
    }
    const { outcome } = await this.sender.sendUnsaved(hand);
    if (outcome === "taken") {
      await store.change((all) => list.markTaken(all, hand));
      this.open(await store.all());
    }
    return outcome === "taken";
  }

  /** Take back the last hand; what it was lies in the form again. Resolves to its key, if the site had it. */
  async undo() {
    const { network, site, store } = this.phone;
    const undone = network.away || network.trouble ? undefined : site.undo(this.game);
    if (undone) {
      this.word = site.word(this.game);
      const fields = [["winner", "1"], ["tiles", undone.content]];
      const hand = { ...this.hand(), key: list.newKey(), number: this.word.number, fields };
      this.open(await store.change((all) => list.enter(all, hand)));
    }
    return undone?.key;
  }

  kill() {
    this.gone = true;
    this.phone.release(this);
    [this.sender.timer, ...this.sender.held.values()].forEach(this.phone.clock.cancel);
    this.sender.drain = async () => {};
  }
}

let names = 0;
const newName = () => `tab ${(names += 1)}`;

/** What ``localStorage`` does. */
class MemoryStorage {
  items = new Map();
  getItem = (name) => this.items.get(name) ?? null;
  setItem = (name, value) => this.items.set(name, value);
  removeItem = (name) => this.items.delete(name);
  key = (index) => [...this.items.keys()][index] ?? null;

  get length() {
    return this.items.size;
  }
}

/** A phone: a store that outlives its tabs, and one lock for all of them. */
export class Phone {
  store = new MemoryStore();
  storage = new MemoryStorage();

  constructor(site, clock) {
    Object.assign(this, { site, clock });
    this.network = new Network(site, clock);
    this.lock = Promise.resolve();
  }

  withLock(tab, act) {
    const before = this.lock;
    let free;
    this.lock = new Promise((resolve) => {
      free = resolve;
    });
    tab.locks.push({ before, free });
    return before.then(() => tab.gone || act()).finally(free);
  }

  /** A tab that is gone holds no lock. */
  release(tab) {
    for (const { before, free } of tab.locks) {
      before.then(free);
    }
  }
}
