/**
 * Which hand the form of the table shows: the one that needs it most, or the next; what is entered there is
 * kept on this phone from the first tap on.
 */

import { begunHandOf, clear, fill, isTouched } from "./hand_form.js";
import { Preview } from "./preview.js";
import * as list from "../queue/entries.js";
import { here, queue, show } from "../queue/start.js";
import { before, explain, form, openKey, page, say, word } from "./page_state.js";
import { remember, remembered } from "../shared/tab.js";

const draftName = `draft ${here.user} ${here.game}`;

// The keys that have been seen in the queue: one that is gone from it was taken or thrown away.
const seen = new Set();

/** Let the form show the hand `key`, or the one that needs it most, or the next hand. */
export function open(key, adopts = false) {
  const shown = form();
  if (!shown) {
    return;
  }
  const preferred = key ?? remembered(draftName);
  const entry = list.find(queue.entries, key) ?? list.forTheForm(queue.entries, here, preferred, adopts);
  delete shown.dataset.told;
  if (entry) {
    fill(shown, entry);
  } else {
    clear(shown, word.last?.number ?? shown.elements.number.value);
  }
  explain(entry);
  show();
}

/** Keep what is being entered. */
function keep() {
  const hand = begunHandOf(form(), here);
  const entry = list.find(queue.entries, hand.key);
  if (document.querySelector("[data-refusal] .error-summary")) {
    // From the first change on, the preview says what is wrong.
    explain();
    hand.html = "";
  }
  say(""); // it was about what was there before
  if (!hand.fields.length) {
    seen.delete(hand.key); // emptied here: nobody has saved or thrown it away
  }
  if (entry || hand.fields.length) {
    remember(draftName, hand.key);
    queue.change((entries) => list.enter(entries, hand));
  }
}

/** Another tab has saved or thrown away the hand that lies here as well: what is here is another one. */
export function partWays() {
  const shown = form();
  const entry = list.find(queue.entries, openKey());
  if (!shown || page.isSaving || !seen.has(openKey()) || (entry && !isSaved(entry))) {
    return;
  }
  if (isTouched(shown) && !entry) {
    shown.elements.key.value = list.newKey();
  } else {
    open();
  }
}

const isSaved = ({ state }) => ![list.ENTERING, list.CORRECTING].includes(state);

/** The list has changed: `partWays` has to know all that was ever in it. */
export function look() {
  partWays();
  for (const { key } of queue.entries) {
    seen.add(key);
  }
}

/** Begin with the form, if there is a new one; `submit` saves what is in it. */
export function startForm(submit) {
  const shown = form();
  if (!shown || "started" in shown.dataset) {
    return;
  }
  shown.dataset.started = "";
  const preview = new Preview(document.getElementById("preview"), shown, () => before().length > 0);
  page.preview = preview;
  preview.rest();
  shown.addEventListener("submit", submit);
  if ("typed" in shown.dataset && list.find(queue.entries, openKey())) {
    // What was typed before signing in is on this phone as well.
    open(openKey());
  } else if (isTouched(shown)) {
    // It was typed before signing in, or tapped before the queue was read. The key of a stored page is
    // the same at each load.
    shown.elements.key.value = "typed" in shown.dataset ? openKey() : list.newKey();
    keep();
    preview.soon(0);
  } else {
    open(undefined, true);
  }
  shown.addEventListener("change", keep);
  shown.addEventListener("input", keep);
}
