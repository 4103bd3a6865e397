/**
 * Without a network: the tables whose pages are kept on this phone, newest first.
 */

const TABLE = /\/games\/\d+\/$/;

const section = document.querySelector("[data-kept]");
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
const EVERY = 5000; // milliseconds

let timer;

async function look() {
  try {
    await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
    window.location.reload();
  } catch {
    lookLater();
  }
}

/** Look in a while, once, however many have asked for it. */
function lookLater() {
  clearTimeout(timer);
  timer = setTimeout(look, EVERY);
}

window.addEventListener("online", look);
lookLater();
