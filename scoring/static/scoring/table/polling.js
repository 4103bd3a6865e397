/**
 * Keeps the table page up to date: asks the site every second and a half whether the table has moved on.
 *
 * The answer is 304 and empty while nothing has changed (htmx sends the version in If-None-Match), so
 * one question costs the server one small query. Nothing is asked while the page is out of sight.
 */

import { fireReached } from "../queue/site.js";

const INTERVAL = 1500; // milliseconds, so that a hand is seen within two seconds
const FINISHED_FACTOR = 4; // times, for a game that is over: it may be opened again
const MAX_INTERVAL = 30000;

let failed = 0; // times in a row
let timer;

const polledElement = () => document.querySelector("[data-live]");

function interval() {
  const every = polledElement()?.dataset.live === "over" ? INTERVAL * FINISHED_FACTOR : INTERVAL;
  return Math.min(every * 2 ** failed, MAX_INTERVAL);
}

function poll() {
  if (polledElement() && document.visibilityState === "visible") {
    window.htmx.trigger(polledElement(), "ask");
  }
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    poll();
    schedule();
  }, interval());
}

/** Ask the site now. */
export function pollNow() {
  failed = 0;
  poll();
  schedule();
}

/**
 * Whether the reader of this page was signed out, by the page that says that there is nothing: it names who reads it.
 * That the game cannot be seen without signing in is no reason to take away what is being entered.
 */
function isSignedOut({ status, responseText }) {
  const reader = document.querySelector("[data-waiting]").dataset.user;
  const answer = status === 404 && new DOMParser().parseFromString(responseText, "text/html");
  const now = answer && answer.querySelector("[data-waiting]")?.dataset.user;
  return Boolean(reader) && now === "";
}

/** Say that somebody has to sign in, or no longer. */
function showSessionLost(isLost) {
  const place = document.querySelector("[data-session-lost]");
  if (place) {
    place.hidden = !isLost;
  }
}

const isPoll = ({ pathInfo }) => pathInfo.requestPath.endsWith("/live/");

/** Begin to poll; `onAnswer(since)` is called for each answer to a poll that was sent at `since`. */
export function startPolling(onAnswer) {
  let since = 0;
  document.addEventListener("visibilitychange", pollNow);
  window.addEventListener("online", pollNow);
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (isPoll(detail)) {
      since = performance.now();
    }
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (isPoll(detail)) {
      const { status } = detail.xhr;
      const isLost = isSignedOut(detail.xhr);
      if (status === 404 && !isLost) {
        window.location.reload(); // gone, or no longer for this reader: the page says so
        return;
      }
      failed = status > 0 && status < 500 && !isLost ? 0 : failed + 1;
      fireReached(status > 0);
      if (status > 0 && status < 500) {
        showSessionLost(isLost);
      }
      if (status === 200 || status === 304) {
        onAnswer(since);
      }
    }
  });
  schedule();
}
