/**
 * Says when there is no network for what was tapped, on the page itself: the browser's own page would
 * lose what was typed, and shows no way back.
 */

const LONGEST_WAIT = 5000; // milliseconds

const notice = document.querySelector("[data-no-network]");
const reached = new WeakSet();
let asking = false;

async function isThere() {
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT);
    await fetch(notice.dataset.noNetwork, { method: "HEAD", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}

async function send(tapped) {
  asking = true;
  notice.hidden = await isThere();
  asking = false;
  if (!notice.hidden) {
    notice.scrollIntoView({ block: "nearest" });
    return;
  }
  // The seats may have been shown anew meanwhile; a button that is gone has nothing to send.
  const button = tapped.isConnected ? tapped : tapped.id && document.getElementById(tapped.id);
  if (button) {
    reached.add(button.form);
    button.form.requestSubmit(button);
  }
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.method !== "post" || reached.delete(form)) {
    return;
  }
  event.preventDefault();
  if (!asking) {
    send(submitter);
  }
});
window.addEventListener("online", () => {
  notice.hidden = true;
});
