/**
 * Keeps the table page up to date: asks every other second whether the table has moved on.
 *
 * The answer is 304 and empty while nothing has changed (htmx sends the version in If-None-Match), so
 * one question costs the server one small query. Nothing is asked while the page is out of sight.
 */

import { tellReached } from "./send.js";

const EVERY = 1500; // milliseconds, so that a hand is seen within two seconds
const SLOWEST = 30000;

let pause = EVERY;
let timer;

function watched() {
  return document.querySelector("[data-live]");
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
  }, pause);
}

function askNow() {
  pause = EVERY;
  ask();
  schedule();
}

/** Begin to ask, if there is something to watch on this page. */
export function startWatching() {
  document.addEventListener("visibilitychange", askNow);
  window.addEventListener("online", askNow);
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.elt === watched()) {
      const reached = detail.xhr.status > 0 && detail.xhr.status < 500;
      // A server in trouble is asked less and less often.
      pause = reached ? EVERY : Math.min(pause * 2, SLOWEST);
      tellReached(reached);
    }
  });
  schedule();
}
