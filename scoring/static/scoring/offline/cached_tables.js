/**
 * The page without a network: the tables whose pages are stored on this phone, newest first.
 */

const TABLE = /\/games\/\d+\/$/;

const section = document.querySelector("[data-cached-tables]");
const list = section.querySelector("ul");

async function titleOf(response) {
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const players = [...page.querySelectorAll(".place__name, .result__name")].map((name) => name.textContent.trim());
  return players.join(", ") || page.title;
}

const pages = await caches.open("pages");
for (const request of (await pages.keys()).reverse()) {
  if (TABLE.test(request.url)) {
    const link = document.createElement("a");
    link.href = request.url;
    link.textContent = await titleOf(await pages.match(request, { ignoreVary: true }));
    const item = document.createElement("li");
    const main = document.createElement("div");
    main.className = "list__main";
    main.append(link);
    item.append(main);
    list.append(item);
    section.hidden = false;
  }
}

// The page that was asked for comes by itself once the site is there again, and sends what waits.
const INTERVAL = 5000; // milliseconds

let timer;

async function checkSite() {
  try {
    await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
    window.location.reload();
  } catch {
    scheduleCheck();
  }
}

/** Try again in a while: once, however often this is called. */
function scheduleCheck() {
  clearTimeout(timer);
  timer = setTimeout(checkSite, INTERVAL);
}

window.addEventListener("online", checkSite);
scheduleCheck();
