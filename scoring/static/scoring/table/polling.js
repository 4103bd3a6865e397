/**
 * Keeps the table page up to date: asks every second and a half whether the table has moved on.
 *
 * The answer is 304 and empty while nothing has changed (htmx sends the version in If-None-Match), so
 * one question costs the server one small query. Nothing is asked while the page is out of sight.
 */

import { tellReached } from "../queue/site.js";

const EVERY = 1500; // milliseconds, so that a hand is seen within two seconds
const SLOWER = 4; // times, for a game that is over: it may be opened again
const SLOWEST = 30000;

let failed = 0; // times in a row
let timer;

const watched = () => document.querySelector("[data-live]");

function pause() {
  const every = watched()?.dataset.live === "over" ? EVERY * SLOWER : EVERY;
  return Math.min(every * 2 ** failed, SLOWEST);
}

function ask() {
  if (watched() && document.visibilityState === "visible") {
    window.htmx.trigger(watched(), "ask");
  }
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    ask();
    schedule();
  }, pause());
}

/** Ask now. */
export function askNow() {
  failed = 0;
  ask();
  schedule();
}

const isQuestion = ({ pathInfo }) => pathInfo.requestPath.endsWith("/live/");

/** Begin to ask; `answered(since)` hears of each answer to a question that was sent at `since`. */
export function startWatching(answered) {
  let since = 0;
  document.addEventListener("visibilitychange", askNow);
  window.addEventListener("online", askNow);
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (isQuestion(detail)) {
      since = performance.now();
    }
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (isQuestion(detail)) {
      const { status } = detail.xhr;
      if (status === 404) {
        window.location.reload(); // gone, or no longer for this reader: the page says so
        return;
      }
      failed = status > 0 && status < 500 ? 0 : failed + 1;
      tellReached(status > 0);
      if (status === 200 || status === 304) {
        answered(since);
      }
    }
  });
  schedule();
}
