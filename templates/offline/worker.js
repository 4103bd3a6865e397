{% load static %}/*
 * The worker: opens the tables without a network.
 *
 * Files come from its store, which is filled whole when a version is installed. Pages come from the
 * network; those of tables are kept, and shown when the network is away or slow. What is written never
 * passes here: hands wait in the page's own queue.
 */

const FILES = "files-{{ version }}";
const PAGES = "pages";
const OFFLINE = "{% url 'offline' %}";
const SIGN_OUT = "{% url 'sign_out' %}";
const LANGUAGE = "{% url 'set_language' %}";
const HOME = "{% url 'home' %}";
const STATIC = "{% get_static_prefix %}";
const TABLE = /^\/games\/\d+\/$/;
const PLAY = "/games/:game(\\d+)/:call(preview|hands|live)/";
const PATIENCE = 4000; // milliseconds for a page, where there is one to show instead
const NEEDED = [{% for file in files %}
  "{{ file }}",{% endfor %}
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // What a table asks and sends while it is played need not wake the worker, where browsers know how.
  event.addRoutes?.([{ condition: { urlPattern: { pathname: PLAY } }, source: "network" }]);
  event.waitUntil(
    Promise.all([
      caches.open(FILES).then((files) => files.addAll(NEEDED)),
      caches.open(PAGES).then((pages) => pages.add(OFFLINE)),
    ]),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) {
    return;
  }
  if (request.method === "POST" && url.pathname === SIGN_OUT) {
    // Who signs out leaves no table of theirs behind.
    event.waitUntil(forgetPages());
  } else if (request.method === "POST" && url.pathname === LANGUAGE) {
    const asked = fetch(request);
    event.respondWith(asked);
    event.waitUntil(asked.then(renewPages));
  } else if (request.method === "GET" && url.pathname.startsWith(STATIC)) {
    event.respondWith(file(request));
  } else if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(page(event));
  }
});

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => ![FILES, PAGES].includes(name)).map((name) => caches.delete(name)));
}

async function forgetPages() {
  const pages = await caches.open(PAGES);
  const kept = await pages.keys();
  const others = kept.filter(({ url }) => new URL(url).pathname !== OFFLINE);
  await Promise.all(others.map((request) => pages.delete(request)));
}

/** Get every kept page again: it is said in another language now. What cannot be had stays. */
async function renewPages() {
  const pages = await caches.open(PAGES);
  const kept = await pages.keys();
  await Promise.allSettled(kept.map(({ url }) => renew(pages, new URL(url).pathname)));
}

async function renew(pages, pathname) {
  const response = await fetch(pathname, { redirect: "error" });
  if (response.ok) {
    await pages.put(pathname, response);
  }
}

async function file(request) {
  const kept = await caches.match(request, { cacheName: FILES, ignoreVary: true });
  return kept ?? fetch(request);
}

async function page(event) {
  const { pathname } = new URL(event.request.url);
  const pages = await caches.open(PAGES);
  const kept = await pages.match(pathname, { ignoreVary: true });
  const asked = fetch(event.request);
  event.waitUntil(asked.then((response) => keep(pages, pathname, response.clone())).catch(() => {}));
  try {
    const response = await (kept ? soon(asked) : asked);
    // A site in trouble says when to come back; a table that was kept can be played on meanwhile.
    return kept && response.status === 503 ? kept : response;
  } catch {
    return kept ?? pages.match(OFFLINE);
  }
}

/** Keep the page of a table, and the way to it. */
async function keep(pages, pathname, response) {
  if (response.ok && !response.redirected && (TABLE.test(pathname) || pathname === HOME)) {
    await pages.put(pathname, response);
  }
}

function soon(asked) {
  return Promise.race([
    asked,
    new Promise((_resolve, reject) => setTimeout(() => reject(new Error("slow")), PATIENCE)),
  ]);
}
