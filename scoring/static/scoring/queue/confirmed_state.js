/**
 * The site's last word on where a game stands, kept on this phone: a page that is opened without a network
 * was stored some time ago, and the site may have said something since.
 */

import { later } from "./predict.js";

const WEEK = 7 * 24 * 60 * 60 * 1000; // milliseconds; an evening is over long before

const nameOf = ({ user, game }) => `word ${user} ${game}`;

/** What the page itself says (`#state`), or undefined without a table. */
function wordOfPage() {
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

/** The site's last word on the table of `here`: `last` is what this page goes by. */
export class Word {
  constructor(here) {
    this.here = here;
    this.last = lastWord(here);
    this.since = 0; // when that came, by this page's clock
  }

  /** An answer said `word`, perhaps after a later one was heard: answers overtake each other. */
  hear(word) {
    if (later(this.last, word) !== this.last) {
      this.#take(word);
    }
  }

  /**
   * The site has confirmed what the page says, answering a question that was sent at `asked`. What was
   * heard before is older than the answer, whatever time it bears.
   */
  confirm(asked) {
    const word = wordOfPage();
    if (word && asked >= this.since) {
      this.#take({ ...word, at: Math.max(word.at, this.last?.at ?? 0) });
    }
  }

  /** Another tab may have heard a later word. */
  refresh() {
    this.last = later(this.last, lastWord(this.here));
  }

  #take(word) {
    this.last = word;
    this.since = performance.now();
    keepWord(this.here, word);
  }
}

/** Keep `word` as the last one on the table of `here`. */
function keepWord(here, word) {
  try {
    localStorage.setItem(nameOf(here), JSON.stringify(word));
    forgetOld();
  } catch {
    // A browser that keeps nothing knows what its page says.
  }
}

/** The later of what the page says and what is kept. */
function lastWord(here) {
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
