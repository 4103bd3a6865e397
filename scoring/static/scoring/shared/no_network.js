/**
 * Forms whose answer is a page: sent without a network, the browser shows an error of its own in their place, and what
 * was typed is gone. So the site is asked first whether it is there; if not, the form says so, and stays.
 *
 * What other scripts send themselves is none of these.
 */

import "../queue/start.js"; // it hears of a sign-out first
import { fetchAnswer, PROBE } from "../queue/site.js";

const LONGEST_WAIT = 8000; // milliseconds: where the network is slow, the form itself waits for its answer

const notice = document.querySelector("[data-no-network]");
let isAsking = false;
let isSent = false; // a form is under way: what is tapped now goes where the browser sends it

document.addEventListener("submit", (event) => {
  const { target: form, submitter, defaultPrevented } = event;
  if (form.method !== "post" || defaultPrevented || isSent) {
    return;
  }
  event.preventDefault();
  if (!isAsking) {
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
  // The form may have come anew meanwhile; a button that is gone has nothing to send.
  const button = !submitter || submitter.isConnected ? submitter : document.getElementById(submitter.id);
  const sent = button?.form ?? form;
  if (!isThere) {
    show(button ?? sent);
  } else if (sent.isConnected) {
    isSent = true;
    sent.requestSubmit(button);
  }
}

/** Whether the site answers. A redirect leads to the sign-in of a network; a site in trouble has no page for the form. */
const asked = async () => Boolean((await fetchAnswer(PROBE, "HEAD"))?.ok);

const waited = () => new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT, true));

/** Show the notice before `place`. */
function show(place) {
  place.before(notice);
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

window.addEventListener("online", () => {
  notice.hidden = true;
});
window.addEventListener("pageshow", () => {
  isSent = false;
});
