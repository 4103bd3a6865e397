/**
 * The hands on this phone that the site does not have yet: what each one is, and what can become of it.
 *
 * This is the one place that says how a hand goes from the thumb to the site (docs/the-queue.md has the
 * drawing). Every function takes the list of entries and returns a new one; none touches a page, a
 * database or a network, so that a test can try any order of events.
 *
 * An entry is `{key, state, user, userName, game, tableName, page, number, order, at, fields, whole, label, code,
 * reasons, html, positionTaken, next, known, declined, tried, early, repeats, undone, asGiven}`:
 *   - `key`: made on this phone when the hand begins, and never changed: the site knows a hand by it
 *   - `user`, `game`: ids, as text; `page`: the address of the table; `tableName`: who plays there
 *   - `number`: the position in the game that the person saw when they saved
 *   - `order`: the place in the queue; 0 for a hand that was never saved
 *   - `at`: when the form was last changed, in milliseconds
 *   - `fields`: pairs, what the form says of the hand; `whole`: nothing is missing there
 *   - `label`: the hand in words
 *   - `code`, `reasons`, `html`: why the site refused it, if it did
 *   - `positionTaken`: the site has another hand at its position
 *   - `next`: the number of the next hand, as the site said when it refused this one; 0 if it did not
 *   - `known`: the site has stored the hand for an organiser to decide
 *   - `declined`: an organiser has declined it once: who asks for it from now on asks again
 *   - `tried`: it is being sent, or was sent and what came of it is not known: the site may have it. Only the
 *     answer to the very request that set it takes it back: a later one is about what the entry says by then
 *   - `early`: it was saved before the list was read, and not again since; `repeats`: what the hand says that the site has
 *     taken meanwhile and that said the same
 *   - `undone`: the id of the hand of the site that Undo has given back as this one; `asGiven`: nobody has changed it since
 */

export const ENTERING = "entering"; // in the form, never saved
export const WAITING = "waiting"; // saved by the person, to be sent; under way while a request runs
export const CORRECTING = "correcting"; // refused, or taken out of the queue: to be corrected and saved
export const BLOCKED = "blocked"; // right, but its table takes none: it is over, closed, or somebody else plays there
export const ASKED = "asked"; // handed to an organiser, who decides

// Refusals that say nothing against the hand: its table takes no hands now.
const TABLE_IS_SHUT = new Set([
  "finished",
  "played_out", // organisers take in nothing either
  "evening_closed",
  "season_over",
  "season_closed",
  "withdrawn",
  "not_allowed", // somebody has taken the member's place
]);
export const isShut = (code) => TABLE_IS_SHUT.has(code);

// This refusal comes from a table that takes hands: the site looks at that before it looks at the number.
const TABLE_IS_OPEN = "not_the_next_hand";

const IN_THE_FORM = new Set([ENTERING, CORRECTING]);
const SHUT_OUT = new Set([BLOCKED, ASKED]);

/** Whether the form is where this hand is to be finished. */
export const isInForm = ({ state }) => IN_THE_FORM.has(state);

/** Whether another hand was logged at the number of this one, which can be a later one. */
export const isOvertaken = ({ positionTaken, next, code }) =>
  Boolean(positionTaken && next) && code !== "key_reused";

/** Whether this hand is whole, and its table takes no hands. */
export const isShutOut = ({ state }) => SHUT_OUT.has(state);

const isUndecided = (entry) => entry.state === CORRECTING || isShutOut(entry);

/** A key that no other hand has. Works without https too, where crypto.randomUUID is missing. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ----- reading -------------------------------------------------------------------------------------

export const find = (entries, key) => entries.find((entry) => entry.key === key);

/** Whether `entry` and `other`, an entry or a context, have one table and one member. */
export const isOfTable = (entry, other) => entry.user === other.user && entry.game === other.game;
const isBehind = (entry, other) => isOfTable(entry, other) && entry.order > other.order;

/** The saved hands of one table, in the order in which they were saved. */
export const queueOf = (entries, { user, game }) =>
  entries.filter((entry) => entry.order && isOfTable(entry, { user, game })).sort(byOrder);

export const byOrder = (one, other) => one.order - other.order;

/**
 * The saved hands of a table that come before the hand `key`: the page shows the game after these. One that
 * was never saved comes last.
 */
export function savedBefore(entries, table, key) {
  const order = find(entries, key)?.order || Infinity;
  return queueOf(entries, table).filter((entry) => entry.order < order);
}

/** The same, whatever the order of the pairs, and of the sets among the tiles; where a score or limit is claimed, without tiles. */
function inOneOrder(fields) {
  const isClaimed = fields.some(([name, value]) => name.startsWith("claimed_") && value);
  return fields
    .filter(([name, value]) => value && !(isClaimed && name === "tiles"))
    .map(([name, value]) => `${name} ${value.split(" ").sort().join(" ")}`)
    .sort()
    .join();
}

/** Whether `fields` and `others` say the same hand. */
export const saysTheSame = (fields, others) => inOneOrder(fields) === inOneOrder(others);

/** Whether `entry`, which was saved early and says `fields` by now, is a hand that was saved before: people know. */
export function isRepeated(entries, entry, fields) {
  const isBefore = (other) => other.order || other.number < entry.number;
  const before = entries.filter((other) => other.key !== entry.key && isOfTable(other, entry) && isBefore(other));
  const earlier = [...before.map((other) => other.fields), ...(entry.repeats ? [entry.repeats] : [])];
  return Boolean(entry.early) && earlier.some((one) => saysTheSame(one, fields));
}

/** Whether hands that were saved after `entry` wait for it. */
export const holdsOthers = (entries, entry) =>
  Boolean(entry.order) && entries.some((other) => isBehind(other, entry));

/** Whether `entry` stays in the list when it is emptied: others wait for it, or the site may have it. */
export const outlivesEmptying = (entries, entry) => entry.tried || holdsOthers(entries, entry);

/** The hand before `entry` that has to be decided first, if there is one. */
export const heldBy = (entries, entry) =>
  queueOf(entries, entry).find(
    (other) => other.order < entry.order && isUndecided(other) && !mayOvertake(entry, other),
  );

/**
 * The hands of `user` that can be sent: the first of each table, unless it has to be corrected. One that
 * was shut out is tried again now and then. Hands for an organiser follow those that the organiser has, and of
 * each that is there the decision is asked for.
 */
export function sendable(entries, user) {
  const saved = entries.filter((one) => one.user === user && one.order && one.state !== CORRECTING);
  const waitsFor = (entry, other) => isBehind(entry, other) && !mayOvertake(entry, other);
  return saved.filter((entry) => !entries.some((other) => other.order && waitsFor(entry, other))).sort(byOrder);
}

/** Whether `entry` may be sent before `other`, which is ahead of it: an organiser has it, or has the other. */
const mayOvertake = (entry, other) => entry.state === ASKED && (entry.known || other.known);

/**
 * The hand that the form of a table should show: one that was refused, else one half entered: `preferred`,
 * or any where the page is new (`anyDraft`): later, another tab may be at it.
 */
export function entryForForm(entries, table, preferred, anyDraft = true) {
  const own = entries.filter((entry) => isOfTable(entry, table) && isInForm(entry));
  const refused = own.filter(({ state }) => state === CORRECTING).sort(byOrder);
  const begun = own.filter(({ state }) => state === ENTERING).sort((one, two) => two.at - one.at);
  return refused[0] ?? find(begun, preferred) ?? (anyDraft ? begun[0] : undefined);
}

// ----- what the person does ------------------------------------------------------------------------

/**
 * `hand` as it is being entered. An empty one is forgotten, unless others wait for it, or the site may have it; one
 * that waits is not touched. It keeps the number with which it was begun, though the form may show a lower one meanwhile.
 */
export function enter(entries, hand) {
  const before = find(entries, hand.key);
  if (before && !IN_THE_FORM.has(before.state)) {
    return entries;
  }
  if (!hand.fields.length && !(before && outlivesEmptying(entries, before))) {
    return without(entries, hand.key);
  }
  const { state, order, number } = before ?? { state: ENTERING, order: 0, number: hand.number };
  return replaced(entries, { ...blank(), ...before, ...hand, state, order, number, asGiven: false });
}

/**
 * `hand` was emptied, and is entered again in its place. Where the site may have what it said, what is entered now is
 * another hand: it has the key `another`.
 */
export function enterAnew(entries, hand, another) {
  const before = find(entries, hand.key);
  if (!before || !isInForm(before)) {
    return entries;
  }
  const { state, order, number, tried } = before;
  const emptied = { ...before, ...hand, state, order, number, tried: false, asGiven: false, ...(tried && { key: another }) };
  return entries.map((entry) => (entry === before ? emptied : entry));
}

/** The entry as which the hand `undone` of the site was given back. */
export const findUndone = (entries, undone) => entries.find((entry) => entry.undone === undone);

/**
 * The site has given `hand` back, as the person asked: what was saved after it waits until it is corrected. Two
 * tabs may hear of one undo: it comes back once. The entry that was `sentAs` this hand may have no answer yet: it is the
 * one that comes back, with what it says by now.
 */
export function takeBack(entries, { sentAs, ...hand }, now = Date.now()) {
  if (findUndone(entries, hand.undone)) {
    return entries;
  }
  const unanswered = find(entries, sentAs);
  const others = entries.filter((entry) => entry !== unanswered);
  const { fields, whole, label } = unanswered ?? hand;
  const order = Math.min(now, ...queueOf(others, hand).map((entry) => entry.order - 1));
  const back = { ...blank(), ...hand, fields, whole, label, state: CORRECTING, order, asGiven: !unanswered };
  return replaced(movedBehind(others, back), back);
}

/**
 * `entries` with a number of its own for each hand of the table of `first`, which comes before them: what was begun while
 * the site had taken it back already, and the phone did not know, has its number.
 */
function movedBehind(entries, first) {
  const numbers = new Map();
  let last = first.number;
  for (const entry of queueOf(entries, first)) {
    last = Math.max(entry.number, last + 1);
    numbers.set(entry.key, last);
  }
  const isBegun = (entry) => !entry.order && isOfTable(entry, first);
  return entries.map((entry) => {
    const number = numbers.get(entry.key) ?? (isBegun(entry) ? Math.max(entry.number, last + 1) : entry.number);
    return number === entry.number ? entry : { ...entry, number };
  });
}

/**
 * The site has versions in the place of the hands `ids`: what Undo has given back of them was restored there. It is let
 * go, unless the person has changed it since; those behind it keep their numbers.
 */
export const letRestoredGo = (entries, ids) =>
  entries.filter(({ undone, asGiven, state }) => !(asGiven && state === CORRECTING && ids.includes(undone)));

/**
 * The person has saved `hand`, a whole one. Saved twice it waits once; what another tab has saved under its
 * key is not overwritten (`isStored` tells).
 */
export function save(entries, hand, now = Date.now()) {
  const before = find(entries, hand.key);
  if (before && !isInForm(before)) {
    return entries;
  }
  const order = before?.order || nextOrder(entries, now);
  const { tried = false, declined = false, undone } = before ?? {};
  const kept = { tried, declined, ...(undone && { undone }) };
  const number = before?.order ? hand.number : Math.max(hand.number, ...takenBack(entries, hand).map((one) => one.number + 1));
  return replaced(entries, { ...blank(), ...hand, ...kept, number, state: WAITING, order });
}

/** The hand `key` was saved before the list was read; it is in the form, or waits there. */
export const markEarly = (entries, key) => changed(entries, key, [ENTERING], (entry) => ({ ...entry, early: true }));

/** The hands of the table of `hand` that Undo has given back: another tab may not have heard of it yet. */
const takenBack = (entries, hand) => queueOf(entries, hand).filter(({ undone }) => undone);

/** Whether the list has `hand` with what it says. */
export const isStored = (entries, hand) =>
  JSON.stringify(find(entries, hand.key)?.fields) === JSON.stringify(hand.fields);

/** Take a hand that waits back into the form; those behind it are held until it is saved again. */
export const correct = (entries, key) =>
  changed(entries, key, [WAITING], (entry) => ({ ...entry, state: CORRECTING }));

/** Discard the hand. Those behind it move up, unless the site has a hand at its position. */
export function discard(entries, key) {
  const discarded = find(entries, key);
  if (!discarded) {
    return entries;
  }
  const rest = without(entries, key);
  return discarded.order && !discarded.positionTaken ? shifted(rest, discarded, -1) : rest;
}

/** The hand is number `number`, as the person has decided; those behind it move along. */
export function renumber(entries, key, number) {
  const moved = find(entries, key);
  if (!moved || moved.number === number) {
    return entries;
  }
  const rest = moved.order ? shifted(entries, moved, number - moved.number) : entries;
  return replaced(rest, { ...moved, number, positionTaken: false });
}

/**
 * Hand the hand `key` to an organiser, and with it those of its table that are shut out as well. One that is
 * overtaken is then the next one.
 */
export function ask(entries, key, now = Date.now()) {
  const before = find(entries, key);
  if (!before || ![ENTERING, CORRECTING, BLOCKED].includes(before.state)) {
    return entries;
  }
  const numbered = isOvertaken(before) ? renumber(entries, key, before.next) : entries;
  const asked = find(numbered, key);
  const order = asked.order || nextOrder(entries, now);
  const handedOver = { state: ASKED, known: false, code: "", reasons: [], html: "" };
  const first = replaced(numbered, { ...asked, ...handedOver, order });
  return first.map((entry) =>
    entry.state === BLOCKED && isOfTable(entry, asked) ? { ...entry, ...handedOver } : entry,
  );
}

// ----- what the site says --------------------------------------------------------------------------

// An answer is about a hand as it was sent. One that says something else by now, or was taken back into the
// form or handed to an organiser meanwhile, is left as it is: the site will be asked again.

/** Whether the list has `sent` as it was sent. A hand that was sent from the form has no state. */
export function isAsSent(entries, sent) {
  const now = find(entries, sent.key);
  return isStored(entries, sent) && (sent.state ?? now.state) === now.state;
}

/** The site has `sent`. */
export function markTaken(entries, sent) {
  if (!isAsSent(entries, sent)) {
    return entries;
  }
  const isSame = (entry) => entry.early && isOfTable(entry, sent) && saysTheSame(entry.fields, sent.fields);
  return without(entries, sent.key).map((entry) => (isSame(entry) ? { ...entry, repeats: sent.fields } : entry));
}

/**
 * The site refuses `sent`, and says why. What waits behind a table that is shut is shut out, too, and where
 * organisers take in nothing all that they were asked for. Where the refusal shows that the table takes hands
 * again, those behind it wait for it.
 */
export function markRefused(entries, sent, refusal) {
  const { code = "", reasons = [], html = "", word } = refusal;
  const refused = find(entries, sent.key);
  if (!isAsSent(entries, sent) || isInForm(refused)) {
    return entries;
  }
  const next = word?.number ?? 0;
  const why = { code, reasons, html, positionTaken: isTaken(refused, refusal, next), known: false, next };
  if (!isShut(code)) {
    const declined = refused.declined || code === "declined";
    const isOpen = code === TABLE_IS_OPEN && refused.state !== ASKED;
    const isLetIn = (entry) => isOpen && entry.state === BLOCKED && isBehind(entry, refused);
    return replaced(
      entries.map((entry) => (isLetIn(entry) ? sentAgain(entry) : entry)),
      { ...refused, ...why, declined, state: CORRECTING },
    );
  }
  const isShutToo = (entry) =>
    (entry.state === WAITING && isBehind(entry, refused)) ||
    (entry.state === ASKED && refused.state === ASKED && isOfTable(entry, refused));
  const shutOut = (entry, more) => ({ ...entry, ...more, state: BLOCKED, tried: entry.tried || entry.known });
  const ofTable = { ...why, html: "", positionTaken: false, next: 0 }; // what stands at a position is of one hand
  return replaced(
    entries.map((entry) => (isShutToo(entry) ? shutOut(entry, ofTable) : entry)),
    shutOut(refused, why),
  );
}

/** The hand `key` was refused, and lies in the form: what the site says of that by now. */
export const renewRefusal = (entries, key, refusal) => {
  const { code, reasons, html, next } = refusal;
  const renewed = (entry) => ({ ...entry, code, reasons, html, positionTaken: isTaken(entry, refusal, next), next });
  return entries.map((entry) => (entry.key === key && entry.code && isInForm(entry) ? renewed(entry) : entry));
};

/** Whether another hand stands at the position of `entry`. It may have gone while the site was answering. */
const isTaken = ({ number }, { position_taken: positionTaken = false }, next) => positionTaken && !(next && next <= number);

/** No other hand stands at the position of the hand `key` any more: when it is discarded, those behind it move up. */
export const freePosition = (entries, key) =>
  entries.map((entry) => (entry.key === key && entry.positionTaken ? { ...entry, positionTaken: false } : entry));

/** The hand is about to be sent, saved or not: from now on the site may have it. */
export const markTried = (entries, key) => changedTried(entries, key, true);

/**
 * The site has answered that it does not have `sent`: whether it may have it is as it was before. One that says something
 * else by now may have been sent once more.
 */
export const restoreTried = (entries, sent) =>
  isAsSent(entries, sent) ? changedTried(entries, sent.key, Boolean(sent.tried)) : entries;

const changedTried = (entries, key, tried) =>
  entries.map((entry) => (entry.key === key && entry.tried !== tried ? { ...entry, tried } : entry));

/** An organiser has been given `sent`, and has not decided. */
export const markKnown = (entries, sent) =>
  isAsSent(entries, sent)
    ? changed(entries, sent.key, [ASKED], (entry) => ({ ...entry, known: true }))
    : entries;

/** The table takes hands again: those that were shut out are sent as any other. */
export const reopen = (entries, table) =>
  entries.map((entry) =>
    isShutOut(entry) && isOfTable(entry, table) ? sentAgain(entry) : entry,
  );

/** `entry`, which was shut out, as one that waits. */
const sentAgain = (entry) => ({
  ...entry,
  ...blank(),
  at: entry.at,
  tried: entry.tried || entry.known,
  state: WAITING,
});

// ----- lists ---------------------------------------------------------------------------------------

/** The fields of an entry that the site has not answered. */
export const blank = () => ({
  code: "",
  reasons: [],
  html: "",
  positionTaken: false,
  next: 0,
  known: false,
  tried: false,
  at: 0,
});

/** The place behind all others; `now` is in milliseconds. */
const nextOrder = (entries, now) => Math.max(now, ...entries.map(({ order }) => order + 1));

const without = (entries, key) => entries.filter((entry) => entry.key !== key);

const replaced = (entries, entry) =>
  find(entries, entry.key)
    ? entries.map((one) => (one.key === entry.key ? entry : one))
    : [...entries, entry];

const changed = (entries, key, states, change) =>
  entries.map((entry) =>
    entry.key === key && states.includes(entry.state) ? change(entry) : entry,
  );

/** The numbers of the hands behind `first` moved by `by`; one with the same number was meant for its place. */
const shifted = (entries, first, by) =>
  entries.map((entry) =>
    (isBehind(entry, first) && entry.number > first.number) || isBegunAfter(entry, first)
      ? { ...entry, number: entry.number + by }
      : entry,
  );

/** Whether `entry` was begun, and never saved, as a later hand than `other`. */
const isBegunAfter = (entry, other) =>
  !entry.order && isOfTable(entry, other) && entry.number > other.number;
