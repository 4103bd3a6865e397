/**
 * The page without a network: a worker keeps the site's files and the pages of the tables on this phone.
 */

const PAGES = "pages";

let version;

/** Install the worker, where there may be one (https, or this machine itself). */
export async function startWorker() {
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener("controllerchange", keepPage);
    await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
    await navigator.serviceWorker.ready;
    keepPage();
  }
}

/** Keep this page as the site has it now, so that it opens without a network as it stands. */
export async function keepPage() {
  const now = document.getElementById("state")?.dataset.version;
  if (!navigator.serviceWorker?.controller || now === version) {
    return;
  }
  version = now;
  try {
    const url = window.location.pathname;
    const response = await fetch(url, { redirect: "error" });
    if (response.ok) {
      await (await caches.open(PAGES)).put(url, response);
    }
  } catch {
    version = undefined; // away: next time
  }
}
