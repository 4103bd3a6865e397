/**
 * The site's last word on where a game stands, kept on this phone: a page that is opened without a network
 * was stored some time ago, and the site may have said something since.
 */

import { later } from "./predict.js";

const WEEK = 7 * 24 * 60 * 60 * 1000; // milliseconds; an evening is over long before

const nameOf = ({ user, game }) => `word ${user} ${game}`;

/** What the page itself says (`#state`), or undefined without a table. */
export function wordOfPage() {
  const { at, round, dealer, nextNumber } = document.getElementById("state")?.dataset ?? {};
  return (
    round && {
      at: Number(at),
      round,
      dealer: Number(dealer),
      number: Number(nextNumber) || 0,
      finished: nextNumber === "over",
    }
  );
}

/** Keep `word` as the last one on the table of `here`. */
export function keepWord(here, word) {
  try {
    localStorage.setItem(nameOf(here), JSON.stringify(word));
    forgetOld();
  } catch {
    // A browser that keeps nothing knows what its page says.
  }
}

/** The later of what the page says and what is kept. */
export function lastWord(here) {
  try {
    return later(wordOfPage(), JSON.parse(localStorage.getItem(nameOf(here))));
  } catch {
    return wordOfPage();
  }
}

function forgetOld() {
  for (const name of Object.keys(localStorage).filter((one) => one.startsWith("word "))) {
    if (JSON.parse(localStorage.getItem(name)).at < Date.now() - WEEK) {
      localStorage.removeItem(name);
    }
  }
}
