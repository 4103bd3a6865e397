/**
 * Hands that were saved before the queue was read. The tab keeps them until the queue has them; whoever loads a page
 * again finds them there as begun: others may have logged them since.
 */

import * as list from "./entries.js";
import { getTabItem, getTabNames, setTabItem } from "../shared/tab_storage.js";

const PREFIX = "saves ";
const earlyName = ({ user, game }) => `${PREFIX}${user} ${game}`;
const ownName = ({ user, game }) => `own ${user} ${game}`;

const read = (name) => JSON.parse(getTabItem(name) || "[]");
const write = (name, hands) => setTabItem(name, hands.length ? JSON.stringify(hands) : "");

/** What this tab has saved early at `table`, and the queue does not have; in its order. */
export const earlyHands = (table) => read(earlyName(table));

export const setEarlyHands = (table, hands) => write(earlyName(table), hands);

/** The person has thrown `hand` away, or the site has it. */
export const forgetEarly = (hand) => setEarlyHands(hand, earlyHands(hand).filter(({ key }) => key !== hand.key));

/** The keys of what this tab has begun at `table`, one after the other: it comes into its form, and not into that of another tab. */
export const ownDrafts = (table) => read(ownName(table));

/** Put `hands`, which this tab has saved early at `table`, into `queue`. */
export async function storeEarly(queue, table, hands) {
  await queue.change((entries) => hands.reduce(enterEarly, entries));
  const keys = new Set([...ownDrafts(table), ...hands.map(({ key }) => key)]);
  setTabItem(ownName(table), JSON.stringify([...keys].filter((key) => list.find(queue.entries, key))));
}

/** `hand` behind all of its table that the list has; if it is one of them, it keeps its place and what it says there. */
function enterEarly(entries, hand, place) {
  if (list.find(entries, hand.key)) {
    return list.markEarly(entries, hand.key);
  }
  const taken = entries.filter((entry) => list.isOfTable(entry, hand)).map(({ number }) => number + 1);
  const at = Date.now() - 1000 * place; // the first of them comes into the form
  return list.enter(entries, { ...hand, at, number: Math.max(hand.number, ...taken), early: true });
}

/** Forget what `queue` has on the disk. */
export function forgetStored(queue) {
  if (queue.isVolatile) {
    return;
  }
  for (const name of getTabNames(PREFIX)) {
    write(name, read(name).filter(({ key }) => !list.find(queue.entries, key)));
  }
}

/** Put what this tab has left at other tables than `shown` into `queue`. */
export async function storeLeft(queue, shown) {
  for (const name of getTabNames(PREFIX)) {
    const hands = read(name);
    if (!hands.length || name === earlyName(shown)) {
      continue;
    }
    await storeEarly(queue, hands[0], hands);
    if (!queue.isVolatile) {
      write(name, []);
    }
  }
}
