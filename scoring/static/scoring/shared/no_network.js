/**
 * Forms whose answer is a page: sent without a network, the browser shows an error of its own in their place, and what
 * was typed is gone. So the site is asked first whether it is there; if not, the form says so, and stays.
 *
 * What other scripts send themselves is none of these.
 */

import "../queue/start.js"; // it hears of a sign-out first
import { fetchAnswer, PROBE } from "../queue/site.js";

const LONGEST_WAIT = 8000; // milliseconds: where the network is slow, the form itself waits for its answer

const SENT_FOR = 5000; // milliseconds in which a second tap on what was sent does nothing

const notice = document.querySelector("[data-no-network]");
const sent = { form: undefined, at: -Infinity };
let passing; // the form whose site is there
let isAsking = false;

document.addEventListener("submit", (event) => {
  const { target: form, submitter, defaultPrevented } = event;
  if (form.method !== "post" || defaultPrevented || form === passing) {
    return;
  }
  event.preventDefault();
  if (!isAsking && !(form === sent.form && performance.now() - sent.at < SENT_FOR)) {
    sendOrStay(form, submitter);
  }
});

async function sendOrStay(form, submitter) {
  isAsking = true;
  notice.hidden = true; // what appears again is read out again
  submitter?.setAttribute("aria-busy", "true");
  const isThere = await Promise.race([asked(), waited()]);
  submitter?.removeAttribute("aria-busy");
  isAsking = false;
  const button = submitter && asItWas(submitter);
  const now = button?.form ?? form;
  if (!isThere) {
    show("answer", button ?? now);
  } else if (!now.isConnected || (submitter && !button)) {
    show("changed", now);
  } else {
    send(now, button);
  }
}

/** The button that says the same as `tapped`: its part of the page may have come anew meanwhile. */
function asItWas(tapped) {
  const now = tapped.isConnected ? tapped : document.getElementById(tapped.id);
  return now?.name === tapped.name && now.value === tapped.value ? now : undefined;
}

function send(form, button) {
  Object.assign(sent, { form, at: performance.now() });
  passing = form;
  form.requestSubmit(button);
  passing = undefined;
}

/** Whether the site answers. A redirect leads to the sign-in of a network; a site in trouble has no page for the form. */
const asked = async () => Boolean((await fetchAnswer(PROBE, "HEAD"))?.ok);

const waited = () => new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT, true));

/** Say before `place`, if it is still there, why nothing was sent: `why` names a sentence of the notice. */
function show(why, place) {
  for (const words of notice.querySelectorAll("[data-why]")) {
    words.hidden = words.dataset.why !== why;
  }
  if (place.isConnected) {
    place.before(notice);
  }
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

window.addEventListener("online", () => {
  notice.hidden = true;
});
window.addEventListener("pageshow", () => {
  sent.form = undefined;
});
