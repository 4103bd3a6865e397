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
import { fieldsOf, fillForm, isTouched, newHand, saysTheSame } from "./hand_form.js";
import { discardOpenHand, openHand, startHandForm, trackQueue } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { confirmDiscard, context, queue, ready, sender, showQueue, tablePage } from "../queue/start.js";
import { discardLogged, handleAnswer, submit } from "./saving.js";
import { applyState, confirmed, handForm, handsBefore, openEntry, openKey, page, setNotice, showNotice, showSaving, updatePage } from "./page_state.js";
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
  const { mode, version, players, replaced, rules } = document.getElementById("state").dataset;
  letRestoredGo(replaced.split(" ").map(Number));
  const log = document.getElementById("log");
  if (rules !== rulesOfPage) {
    loadWithRules(rules);
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

const earlyName = `early ${context.user} ${context.game}`;
let earlySave; // the event

/** Save before the queue is read waits for that. Without this the browser would send the form itself, past the queue. */
function holdSave(event) {
  const form = event.target;
  if (form === handForm()) {
    event.preventDefault();
    earlySave = event;
    page.isSaving = true;
    showSaving();
    setNotice("reading", "", { isTrouble: false });
    const who = form.querySelector("[data-outcome]").textContent;
    const number = Number(form.elements.number.value);
    // Whoever loads the page again meanwhile finds the hand.
    setTabItem(earlyName, JSON.stringify({ fields: fieldsOf(form), number, who }));
  }
}

/**
 * Save what was to be saved before the queue was read, if the form still says that: it may show a hand of the queue by
 * now. Where the page was loaded again meanwhile, the hand is in the form, or in the list if another is in the form.
 */
function finishEarlySave() {
  const form = handForm();
  const { fields: typed, number: begun, who } = JSON.parse(getTabItem(earlyName) || '{"fields": []}');
  setTabItem(earlyName, "");
  if (earlySave) {
    setNotice("");
  }
  const isAsTyped = Boolean(form) && saysTheSame(form, typed);
  if (earlySave?.target === form && isAsTyped) {
    form.requestSubmit(form.contains(earlySave.submitter) ? earlySave.submitter : null);
  } else if (typed.length && !isAsTyped) {
    // Others may have logged it since: it keeps the number with which it was begun, after the hands that wait.
    const number = begun + handsBefore().length;
    if (form && !isTouched(form)) {
      fillForm(form, { key: openKey(), number, fields: typed });
    } else {
      queue.change((entries) => list.enter(entries, newHand(form, context, { fields: typed, number, who })));
    }
  }
}

// A quick thumb need not wait until the queue is read.
startWinnerRows();
startSteadyTaps();
document.addEventListener("submit", holdSave);
await ready;
document.removeEventListener("submit", holdSave);
page.isSaving = false;
start();
finishEarlySave();
document.addEventListener("htmx:load", start);
startSwitches();
startPolling(handlePoll);
startHtmxResponses();
startUndoRetries();
updatePage();
startWorker();
