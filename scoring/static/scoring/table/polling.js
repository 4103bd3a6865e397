/**
 * Keeps the table page up to date: asks the site every second and a half whether the table has moved on.
 *
 * The answer is 304 and empty while nothing has changed (htmx sends the version in If-None-Match), so
 * one question costs the server one small query. Nothing is asked while the page is out of sight.
 */

import { fetchAnswer, fireReached, readerOf } from "../queue/site.js";

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
 * What a poll with this answer means: "new", "same", "lost" if somebody else reads by now, or nobody who is signed in,
 * "gone" if there is nothing (any more) for this reader, "failed". That the session is lost is no reason to take away
 * what is being entered, also where a visitor may see the game.
 */
function meaningOf({ status, responseText }) {
  if (status === 304) {
    return "same";
  }
  if (status !== 200 && status !== 404) {
    return "failed";
  }
  const { user } = document.querySelector("[data-waiting]").dataset;
  const reader = readerOf(responseText);
  if (reader === undefined) {
    return "failed";
  }
  if (user && reader !== user) {
    return "lost";
  }
  return status === 200 ? "new" : "gone";
}

/** Say that somebody has to sign in, or no longer. */
function showSessionLost(isLost) {
  const place = document.querySelector("[data-session-lost]");
  if (place) {
    place.hidden = !isLost;
  }
}

const isPoll = ({ pathInfo }) => pathInfo.requestPath.endsWith("/live/");

/** Whether the site answers a poll; also while nobody sees the page, which changes nothing here. */
export async function isPollAnswered() {
  const answer = await fetchAnswer(polledElement()?.getAttribute("hx-get") ?? "");
  return answer?.status === 200 && readerOf(await answer.text().catch(() => "")) !== undefined;
}

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
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if ((isPoll(detail) || detail.target.id === "log") && meaningOf(detail.xhr) !== "new") {
      detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (isPoll(detail)) {
      handleAnswer(detail.xhr, since, onAnswer);
    }
  });
  schedule();
}

function handleAnswer(xhr, since, onAnswer) {
  const meaning = meaningOf(xhr);
  if (meaning === "gone") {
    window.location.reload(); // gone, or no longer for this reader: the page says so
    return;
  }
  const works = meaning === "new" || meaning === "same";
  failed = works ? 0 : failed + 1;
  // A page that is not this site's comes from something in between, as with what is sent (queue/site.js).
  fireReached(meaning !== "failed" || (xhr.status > 0 && xhr.status !== 200), since);
  document.dispatchEvent(new CustomEvent("polled", { detail: { since, works } }));
  if (meaning !== "failed") {
    showSessionLost(meaning === "lost");
  }
  if (works) {
    onAnswer(since);
  }
}
