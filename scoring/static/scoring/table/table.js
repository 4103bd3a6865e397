/**
 * The table page: the pad, its preview, the queue of this phone, and what others log meanwhile.
 *
 * What the page shows follows from two things: the state that the site has confirmed, and the hands that
 * wait in the queue. The form shows one hand, which has its key from the moment it is begun.
 */

import "../pad/pad.js";
import { startHtmxResponses } from "../shared/htmx_responses.js";
import { startPolling } from "./polling.js";
import { cachePage, startWorker } from "../offline/page_cache.js";
import { discardOpenHand, openHand, startHandForm, trackQueue } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { confirmDiscard, context, queue, ready, sender, showQueue, tablePage } from "../queue/start.js";
import { isTouched } from "./hand_form.js";
import { discardLogged, finishHeldSave, handleAnswer, holdSaves, stopHolding, submit } from "./saving.js";
import { applyState, confirmed, handForm, openEntry, openKey, page, showNotice, updatePage } from "./page_state.js";
import { letRestoredGo, startUndoRetries, undoHand } from "./undo.js";
import { getTabItem, setTabItem } from "../shared/tab_storage.js";
import { startSteadyTaps, watchParts } from "./steady_taps.js";
import { startUndoDeadlines } from "./undo_deadline.js";
import { startWinnerRows } from "./winner_row.js";

tablePage.openKey = openKey;
tablePage.form = handForm;
tablePage.open = openHand;
tablePage.changed = () => {
  confirmed.refresh();
  trackQueue();
  updatePage();
};

sender.addEventListener("answered", ({ entry, answer }) => {
  if (entry.game === context.game) {
    applyState(answer.word);
  }
});
sender.addEventListener("settled", ({ entry, answer }) => handleAnswer(entry, answer));
document.addEventListener("htmx:afterSettle", () => {
  // Where a form came or went, the page around it follows.
  document.getElementById("table").classList.toggle("table-page--log", Boolean(handForm()));
  for (const part of document.querySelectorAll("[data-above-the-table]")) {
    part.classList.toggle("above-the-table", Boolean(handForm()));
  }
  page.preview?.showResting();
  startUndoDeadlines();
  showNotice();
  showQueue();
  cachePage();
});
document.addEventListener("click", (event) => {
  const undoButton = event.target.closest("[data-undo]");
  const sameHand = event.target.closest("[data-let-go]");
  if (undoButton) {
    event.preventDefault();
    undoHand(undoButton.formAction, undoButton.dataset.number);
  } else if (sameHand) {
    // Phones have stored refusals with this name.
    event.preventDefault();
    discardLogged(sameHand.dataset.logged);
  } else if (event.target.closest("[data-discard]") && confirmDiscard(openEntry())) {
    discardOpenHand();
  }
});

// The rules that this page asks by, and those for which the tab has loaded it anew, with the time.
const rulesOfPage = document.getElementById("log").dataset.rules;
const LOAD_INTERVAL = 10000; // milliseconds
const rulesName = `rules ${context.user} ${context.game}`;

// The version of the table with which it was sent what had been shut out.
let openVersion = "";

/** A poll was answered: show the confirmed state, and load the form anew where the game has moved on. */
function handlePoll(since) {
  confirmed.confirm(since);
  updatePage();
  announceHand();
  const { mode, version, players, replaced, rules } = document.getElementById("state").dataset;
  letRestoredGo(replaced.split(" ").map(Number));
  const log = document.getElementById("log");
  if (rules !== rulesOfPage) {
    loadWithRules(rules);
  }
  if (mode !== log.dataset.mode) {
    document.querySelector("[data-messages]")?.remove(); // they are of a game as it is no longer
  }
  const moved = mode !== log.dataset.mode || players !== log.dataset.players;
  if (moved || (mode !== "log" && version !== log.dataset.version)) {
    window.htmx.trigger(log, "renew");
  }
  const isShutOut = queue.entries.some((entry) => list.isShutOut(entry) && entry.game === context.game);
  const isOpen = mode === "log" && isShutOut;
  if (isOpen && version !== openVersion) {
    sender.tableOpened(context.game);
  }
  openVersion = isOpen ? version : "";
}

/** The number of the last hand that was seen. */
let seen = Number(document.getElementById("state").dataset.last ?? 0);

/**
 * Read out what others log and take back: the list is longer or shorter, and nothing else says so. The own hand is said by its
 * notice, and who is entering one learns it from the preview.
 */
function announceHand() {
  const { hand, last = 0, sentence } = document.getElementById("state").dataset;
  const isOwn = document.querySelector(`#saved a[href$="/hands/${hand}/"]`);
  const isEntering = handForm() && isTouched(handForm());
  const more = last - seen;
  if (more && !isOwn && !isEntering) {
    const news = document.querySelector("[data-news]");
    const { gone, several } = news.dataset;
    const first = more > 1 ? `${several.replace("{count}", more)} ` : "";
    news.textContent = more < 0 ? gone.replace("{number}", seen) : first + sentence;
  }
  seen = Number(last);
}

/**
 * The game is played by other rules now, which ask other things, with other scripts: load the page anew. Not again at once:
 * where the site is slow, what comes is the page as it was stored. Not where that would lose hands, nor while one is being saved.
 */
async function loadWithRules(rules) {
  const [loadedFor, at] = getTabItem(rulesName).split(" ");
  const isJustLoaded = loadedFor === rules && Math.abs(Date.now() - at) < LOAD_INTERVAL;
  if (!rules || isJustLoaded || page.isSaving || queue.isVolatile) {
    return;
  }
  setTabItem(rulesName, `${rules} ${Date.now()}`);
  await queue.change((entries) => entries); // after what is being stored
  window.location.replace(document.getElementById("log").getAttribute("hx-get"));
}

/** The switches for this phone: each a class on the page's root, stored for all pages (shared/device.js). */
function startSwitches() {
  const root = document.documentElement;
  for (const box of document.querySelectorAll("[data-switch]")) {
    const name = box.dataset.switch;
    box.checked = root.classList.contains(name);
    box.addEventListener("change", () => {
      root.classList.toggle(name, box.checked);
      localStorage.setItem(name, box.checked ? "on" : "off");
    });
    box.closest("[data-switches]").hidden = false;
  }
}

/** Begin with what is new on the page. */
function start() {
  startWinnerRows();
  startUndoDeadlines();
  startHandForm(submit);
  watchParts();
}

// A quick thumb need not wait until the queue is read.
startWinnerRows();
startSteadyTaps();
holdSaves();
await ready;
await stopHolding();
start();
finishHeldSave();
document.addEventListener("htmx:load", start);
startSwitches();
startPolling(handlePoll);
startHtmxResponses();
startUndoRetries();
updatePage();
startWorker();
