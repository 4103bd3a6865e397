/**
 * The button that lets this browser show notices, where it can.
 */

import { csrfToken } from "../queue/site.js";

const root = document.querySelector("[data-push]");
const button = root.querySelector("[data-push-add]");
const status = root.querySelector("[data-push-status]");

if (navigator.serviceWorker && "PushManager" in window && window.isSecureContext) {
  root.querySelector("[data-push-unable]").hidden = true;
  button.hidden = false;
  button.addEventListener("click", add);
}

async function add() {
  button.disabled = true;
  status.textContent = "";
  try {
    if ((await Notification.requestPermission()) === "granted") {
      await send(await subscribe());
      window.location.reload();
      return;
    }
    status.textContent = root.dataset.denied;
  } catch {
    status.textContent = root.dataset.failed;
  }
  button.disabled = false;
}

async function subscribe() {
  await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const there = await pushManager.getSubscription();
  // One that was made with another key of the site is of no use.
  await there?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(root.dataset.push) });
}

async function send(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const response = await fetch(root.dataset.add, {
    method: "POST",
    body: new URLSearchParams({ endpoint, ...keys, device: name() }),
    headers: { "X-CSRFToken": csrfToken() },
  });
  if (!response.ok) {
    throw new Error(String(response.status));
  }
}

/** Such as "Firefox, Android": enough to tell one's own devices apart. */
function name() {
  const agent = navigator.userAgent;
  const firstNamed = (words) => words.find((word) => agent.includes(word)) ?? "";
  const browser = firstNamed(["Firefox", "Edg", "OPR", "Chrome", "Safari"]);
  return [browser, firstNamed(["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"])].filter(Boolean).join(", ");
}

function bytes(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
