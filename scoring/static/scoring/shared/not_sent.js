/**
 * Forms that a page answers: sent without a network, the browser shows an error of its own in their place, and what was
 * entered is gone. So the site is asked first whether it is there; if not, the form says so, and stays.
 */

import { fetchAnswer, PROBE } from "../queue/site.js";

const sending = new WeakSet(); // forms whose site is there
const asking = new WeakSet();

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const notice = form.querySelector("[data-not-sent]");
  if (notice && !event.defaultPrevented && !sending.delete(form)) {
    event.preventDefault();
    sendOrStay(form, submitter, notice);
  }
});

async function sendOrStay(form, submitter, notice) {
  if (asking.has(form)) {
    return;
  }
  asking.add(form);
  notice.hidden = true; // what appears again is read out again
  const answer = await fetchAnswer(PROBE, "HEAD");
  asking.delete(form);
  // A redirect leads to the sign-in of a network.
  notice.hidden = Boolean(answer) && answer.type !== "opaqueredirect";
  if (notice.hidden) {
    sending.add(form);
    form.requestSubmit(submitter);
  }
}
