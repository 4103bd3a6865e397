/**
 * Keeps the seats of a scanned table up to date, and leads to the game once it has begun.
 *
 * The answer is 304 and empty while nothing has changed. Nothing is asked while the page is out of sight.
 */

import { startHtmxResponses } from "../shared/htmx_responses.js";

const INTERVAL = 2000; // milliseconds

startHtmxResponses();

function ask() {
  const board = document.querySelector("[data-board]");
  if (board && document.visibilityState === "visible") {
    window.htmx.trigger(board, "ask");
  }
}

document.addEventListener("visibilitychange", ask);
setInterval(ask, INTERVAL);
