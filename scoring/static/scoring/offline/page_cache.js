/**
 * The pages of tables without a network: a service worker stores them and the site's files on this phone.
 */

const PAGES = "pages";

let version;

/** Install the worker, where there may be one (https, or this machine itself). */
export async function startWorker() {
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener("controllerchange", cachePage);
    await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
    await navigator.serviceWorker.ready;
    cachePage();
  }
}

/** Store this page as the site has it now for its reader, so that it opens without a network. */
export async function cachePage() {
  const { version: now, reader } = document.getElementById("state")?.dataset ?? {};
  if (!navigator.serviceWorker?.controller || now === version) {
    return;
  }
  version = now;
  try {
    const url = window.location.pathname;
    const response = await fetch(url, { redirect: "error" });
    const text = await response.clone().text();
    if (!text.includes(`data-reader="${reader}"`)) {
      version = undefined; // somebody was signed out
    } else if (response.ok && (await hasItsFiles(text))) {
      await (await caches.open(PAGES)).put(url, response);
    } else if (response.ok) {
      version = undefined; // when the new worker is there
    }
  } catch {
    version = undefined; // away: next time
  }
}

/**
 * Whether the files that the page `text` names are stored on this phone. After a release this page is still
 * of the one before: then the new worker is asked for, which stores its files first.
 */
async function hasItsFiles(text) {
  const links = [...document.querySelectorAll("link[rel=modulepreload]")];
  if (links.every(({ href }) => text.includes(new URL(href).pathname))) {
    return true;
  }
  const registration = await navigator.serviceWorker.ready;
  await registration.update();
  return !registration.installing && !registration.waiting;
}
