/**
 * An undo that has no answer yet: when it is asked for again, and whether the hands that come after it go on.
 *
 * They go on where the undo alone fails. A site that answers 503 to everything for a while does not show that: the
 * undo has to fail between two polls that the site has answered.
 */

import { longerPause, NO_PAUSE } from "../queue/pauses.js";

const TIMEOUT = 5000; // milliseconds for its first try, and as many more for each one after it
const MAX_TIMEOUT = 30000;
const SIGNED_OUT_PAUSE = 5000; // milliseconds before somebody who was signed out may have signed in again

export class PendingUndo {
  /** @param {() => number} now milliseconds of a clock that nobody sets */
  constructor(now) {
    this.now = now;
    this.failsAlone = false; // whether hands go on without it
    this.wasWoken = false; // whether it was asked for before its time
    this.pause = NO_PAUSE;
    this.askedAt = Infinity; // for the first time
    this.failedAt = Infinity;
    this.isThere = false; // whether the last poll was answered, if it was sent since then
    this.timeout = 0;
    this.#forgetPolls();
  }

  /** It is asked for, perhaps again. */
  begin() {
    this.askedAt = Math.min(this.askedAt, this.now());
  }

  /** For how many milliseconds the next try waits for its answer: where the network is slow, the site may have one. */
  nextTimeout() {
    this.timeout = Math.min(this.timeout + TIMEOUT, MAX_TIMEOUT);
    return this.timeout;
  }

  /** For how many milliseconds it is left alone. */
  get left() {
    return Math.max(0, this.pause.until - this.now());
  }

  /** It was asked for, and nobody knows what became of it. */
  fail({ outcome, retryAfter = 0 }) {
    const isSignedOut = outcome === "signedOut";
    this.pause = longerPause(this.pause, this.now(), isSignedOut ? SIGNED_OUT_PAUSE : retryAfter);
    this.isAway = outcome === "away";
    this.failedAt = this.now();
    this.isAnsweredSince = false;
    if (isSignedOut) {
      this.#forgetPolls(); // it will be answered: hands would wait for somebody to sign in, too
    }
  }

  /** The site has answered a poll that was sent at `since`, as ever (`works`), or was in trouble, or not there. */
  notePoll(since, works) {
    this.isThere = works && since >= this.askedAt;
    if (!works) {
      this.#forgetPolls();
    } else if (since >= this.failedAt && !this.isAnsweredSince) {
      this.failsAlone ||= this.wasAnsweredBefore;
      this.isAnsweredSince = this.wasAnsweredBefore = true;
    }
  }

  #forgetPolls() {
    this.isAnsweredSince = this.wasAnsweredBefore = false;
  }

  /** There is a network again, or somebody looks at the page: it is asked for at once. */
  endPause() {
    this.pause = NO_PAUSE;
    this.wasWoken = false;
  }

  /** Something else was answered: what found no network is tried once before its time, as the hands are. */
  wake() {
    if (this.isAway && !this.wasWoken) {
      this.wasWoken = true;
      this.pause = { ...this.pause, until: 0 };
    }
  }
}
