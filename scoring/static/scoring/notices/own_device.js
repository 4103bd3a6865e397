/**
 * A browser that shows notices already says so to a session that does not know it: what is signed out from here or
 * elsewhere shows no more.
 */

import { csrfToken } from "../queue/site.js";

const { ownDevice } = document.querySelector("[data-own-device]").dataset;
const registration = await navigator.serviceWorker?.getRegistration();
const subscription = await registration?.pushManager?.getSubscription();
if (subscription) {
  await fetch(ownDevice, {
    method: "POST",
    body: new URLSearchParams({ known: "yes", endpoint: subscription.endpoint }),
    headers: { "X-CSRFToken": csrfToken() },
  });
}
