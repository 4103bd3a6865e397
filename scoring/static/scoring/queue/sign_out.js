/**
 * Signing out: an answer can be lost, and who believes to be signed out, and is not, leaves the account to others.
 */

import { csrfToken, readerOf } from "./site.js";

const MAX_TRIES = 3;
const TIMEOUT = 5000; // milliseconds
const COOKIE = "signing_out"; // for the next page of the site, which says what became of it (mahjong_site/sign_in.py)
const COOKIE_AGE = 24 * 60 * 60; // seconds

/**
 * Sign out with `form`. Resolves to the address to go to, once the site has answered as to a visitor; to "" if it knows
 * its reader still; to nothing if nobody knows.
 */
export async function signOut(form) {
  const body = new URLSearchParams([
    ["csrfmiddlewaretoken", csrfToken()],
    ["endpoint", await endpoint()],
  ]);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { reader, url } = await post(form, body);
    if (reader !== undefined) {
      return reader ? "" : url;
    }
  }
  setCookie(COOKIE_AGE);
  return undefined;
}

/** Where this browser takes notices: the site sends none there any more. Empty where it takes none. */
async function endpoint() {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    const subscription = await registration?.pushManager?.getSubscription();
    return subscription?.endpoint ?? "";
  } catch {
    return "";
  }
}

async function post(form, body) {
  try {
    const response = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT) });
    return { reader: readerOf(await response.text()), url: response.url };
  } catch {
    return {};
  }
}

/** The site has answered a visitor: what became of an earlier sign-out is known, and the worker forgets what it has stored. */
export function noteVisitor() {
  navigator.serviceWorker?.controller?.postMessage("signedOut");
  setCookie(0);
}

function setCookie(age) {
  document.cookie = `${COOKIE}=1; path=/; max-age=${age}; samesite=lax`;
}
