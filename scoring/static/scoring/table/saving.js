/**
 * Saving at the table: the hand in the form is kept on this phone to be sent. One that is not whole does not
 * wait: the site is asked what is missing.
 */

import { handOf, isTouched, isWhole } from "./hand_form.js";
import { askNow } from "./polling.js";
import { open, partWays } from "./open_hand.js";
import * as list from "../queue/entries.js";
import { here, queue, sender } from "../queue/start.js";
import { before, explain, follow, form, hear, openKey, page, say } from "./page_state.js";
import { takeBack } from "./undo.js";

const PATIENCE = 3000; // milliseconds that the form stays with a hand whose answer is slow

/** What the form does when it is submitted: by Save, by Undo, or as the hand of another number. */
export async function submit(event) {
  event.preventDefault();
  const { submitter, target: shown } = event;
  if (page.isSaving) {
    return;
  }
  if (submitter?.formAction && submitter.matches("[data-undo]")) {
    await takeBack(submitter.formAction);
    return;
  }
  const button = shown.querySelector("[data-save]");
  page.isSaving = button.disabled = true;
  say("");
  try {
    if (submitter?.name === "as_number") {
      shown.elements.number.value = submitter.value;
      await queue.change((all) => list.renumber(all, openKey(), Number(submitter.value)));
    }
    await (isWhole(shown) ? save(shown) : askWhatIsMissing(shown));
  } finally {
    page.isSaving = button.disabled = false;
    partWays();
    follow();
  }
}

/** Keep the hand on this phone, then send it. */
async function save(shown) {
  let hand = handOf(shown, here);
  const entries = await queue.change((all) => list.save(all, hand));
  if (!list.isKept(entries, hand)) {
    // Another tab has saved something else under this key: this is a hand of its own.
    shown.elements.key.value = list.newKey();
    hand = handOf(shown, here);
    await queue.change((all) => list.save(all, hand));
  }
  const answer = await Promise.race([sentNow(hand.key), wait(PATIENCE)]);
  if (openKey() !== hand.key) {
    return;
  }
  open();
  if (answer?.outcome === "taken") {
    showSaved(answer);
  } else if (answer?.outcome === "refused") {
    explain(answer, true);
  } else {
    document.querySelector("[data-waiting-sum]").focus();
  }
}

/** The form is for the next hand; beside Save stands what the site has. */
function showSaved({ html }) {
  page.preview.rest(html);
  document.getElementById("saved")?.focus();
}

async function sentNow(key) {
  let answered;
  const listen = ({ entry, answer }) => {
    answered = entry.key === key ? answer : answered;
  };
  sender.addEventListener("answer", listen);
  await sender.wake();
  sender.removeEventListener("answer", listen);
  return answered;
}

const wait = (pause) => new Promise((resolve) => setTimeout(resolve, pause));

/** A hand that is not whole does not wait here: the site says what is missing, or takes it after all. */
async function askWhatIsMissing(shown) {
  const hand = handOf(shown, here);
  if (before().length) {
    say("incomplete"); // the site does not know its place yet
    return;
  }
  const answer = await sender.sendUnsaved(hand);
  if (answer.outcome === "taken") {
    hear(answer.word);
    await queue.change((entries) => list.taken(entries, hand));
    arrived(hand, answer);
    open();
    showSaved(answer);
  } else if (answer.outcome === "refused" && answer.html) {
    explain(answer, true);
  } else {
    say({ away: "unfinished", trouble: "unfinished" }[answer.outcome] ?? answer.outcome, answer.reasons?.join(" "));
  }
}

/** The site has answered for `entry`, perhaps long after it was saved. */
export function arrived(entry, answer) {
  if (entry.game !== here.game || entry.user !== here.user) {
    return;
  }
  if (answer.outcome === "taken") {
    page.preview?.rest(answer.html);
    if (!page.isSaving && openKey() === entry.key) {
      open();
    }
    askNow();
  } else if (answer.outcome === "refused" && !page.isSaving && form() && !isTouched(form())) {
    open();
  }
}

/** Let the hand in the form go: the table has logged the same one. */
export async function letGo() {
  page.isSaving = true;
  try {
    await queue.change((entries) => list.giveUp(entries, openKey()));
  } finally {
    page.isSaving = false;
  }
  open();
  sender.wake();
  askNow();
}
