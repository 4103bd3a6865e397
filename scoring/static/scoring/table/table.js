/**
 * The table page: the pad, its preview, the queue of this phone, and what others log meanwhile.
 *
 * What the page shows follows from two things: the site's last word on the game, and the hands that wait
 * in the queue. The form shows one hand, which has its key from the moment it is begun.
 */

import "../pad/pad.js";
import { watchAnswers } from "../shared/htmx_answers.js";
import { startWatching } from "./polling.js";
import { keepPage, startWorker } from "../offline/page_cache.js";
import { look, open, startForm } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { here, queue, ready, sender, show, table } from "../queue/start.js";
import { arrived, letGo, submit } from "./saving.js";
import { follow, form, hear, openKey, page, showNotice, word } from "./page_state.js";
import { startSwitches } from "./switches.js";
import { takeBack, watchUndo } from "./undo.js";
import { startUndo } from "./undo_deadline.js";
import { startSeats } from "./winner_row.js";

table.openKey = openKey;
table.form = form;
table.open = open;
table.changed = () => {
  word.refresh();
  look();
  follow();
};

sender.addEventListener("heard", ({ entry, answer }) => {
  if (entry.game === here.game) {
    hear(answer.word);
  }
});
sender.addEventListener("answer", ({ entry, answer }) => arrived(entry, answer));
document.addEventListener("htmx:afterSettle", () => {
  page.preview?.rest();
  startUndo();
  showNotice();
  show();
  keepPage();
});
document.addEventListener("click", (event) => {
  const undoKey = event.target.closest("[data-undo]");
  if (undoKey) {
    event.preventDefault();
    takeBack(undoKey.formAction);
  } else if (event.target.closest("[data-let-go]")) {
    event.preventDefault();
    letGo();
  }
});

/** The page learns where the table stands: its pad comes and goes with it. */
function learn(since) {
  word.confirm(since);
  follow();
  const { mode, version, players } = document.getElementById("state").dataset;
  const log = document.getElementById("log");
  const moved = mode !== log.dataset.mode || players !== log.dataset.players;
  if (moved || (mode !== "log" && version !== log.dataset.version)) {
    window.htmx.trigger(log, "renew");
  }
  const shutOut = queue.entries.some(
    ({ state, game }) => [list.BLOCKED, list.ASKED].includes(state) && game === here.game,
  );
  if (mode === "log" && shutOut) {
    sender.retry(here.game);
  }
}

/** Begin with what is new on the page. */
function start() {
  startSeats();
  startUndo();
  startForm(submit);
}

// A quick thumb need not wait for what this phone keeps.
startSeats();
await ready;
start();
document.addEventListener("htmx:load", start);
startSwitches();
startWatching(learn);
watchAnswers();
watchUndo();
follow();
startWorker();
