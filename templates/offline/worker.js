{% load static %}/*
 * The worker: opens the tables without a network.
 *
 * Files come from its store, which is filled whole when a version is installed. Pages come from the
 * network; those of tables are stored, and shown when the network is away or slow. Hands never pass here:
 * they wait in the page's own queue.
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
const TIMEOUT = 4000; // milliseconds for a page, where there is one to show instead
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
  event.waitUntil(deleteOtherCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) {
    return;
  }
  if (request.method === "POST" && url.pathname === SIGN_OUT) {
    // Signing out deletes the stored pages of tables, and ends the notices of whoever was signed in.
    event.waitUntil(Promise.all([deletePages(), endNotices()]));
  } else if (request.method === "POST" && url.pathname === LANGUAGE) {
    const requested = fetch(request);
    event.respondWith(requested);
    event.waitUntil(requested.then(refreshPages));
  } else if (request.method === "GET" && url.pathname.startsWith(STATIC)) {
    event.respondWith(file(request));
  } else if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(page(event));
  }
});

/** A notice: what is sent twice has the same tag, and is shown once. */
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const options = { body, tag, data: { url }, icon: `${STATIC}scoring/icons/icon-192.png` };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href, origin } = new URL(event.notification.data.url, self.location.origin);
  event.waitUntil(self.clients.openWindow(origin === self.location.origin ? href : HOME));
});

async function endNotices() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

async function deleteOtherCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => ![FILES, PAGES].includes(name)).map((name) => caches.delete(name)));
}

async function deletePages() {
  const pages = await caches.open(PAGES);
  const cached = await pages.keys();
  const others = cached.filter(({ url }) => new URL(url).pathname !== OFFLINE);
  await Promise.all(others.map((request) => pages.delete(request)));
}

/** Fetch every stored page again: the language has changed. A page that cannot be fetched stays as it is. */
async function refreshPages() {
  const pages = await caches.open(PAGES);
  const cached = await pages.keys();
  await Promise.allSettled(cached.map(({ url }) => refresh(pages, new URL(url).pathname)));
}

async function refresh(pages, pathname) {
  const response = await fetch(pathname, { redirect: "error" });
  if (response.ok) {
    await pages.put(pathname, response);
  }
}

async function file(request) {
  const cached = await caches.match(request, { cacheName: FILES, ignoreVary: true });
  return cached ?? fetch(request);
}

async function page(event) {
  const { pathname } = new URL(event.request.url);
  const pages = await caches.open(PAGES);
  const cached = await pages.match(pathname, { ignoreVary: true });
  const requested = fetch(event.request);
  event.waitUntil(requested.then((response) => store(pages, pathname, response.clone())).catch(() => {}));
  try {
    const response = await (cached ? withTimeout(requested) : requested);
    // A site in trouble says when to come back; a table that was stored can be played on meanwhile.
    return cached && response.status === 503 ? cached : response;
  } catch {
    return cached ?? pages.match(OFFLINE);
  }
}

/** Store the page of a table, and the home page, which leads to it. */
async function store(pages, pathname, response) {
  if (response.ok && !response.redirected && (TABLE.test(pathname) || pathname === HOME)) {
    await pages.put(pathname, response);
  }
}

function withTimeout(requested) {
  return Promise.race([
    requested,
    new Promise((_resolve, reject) => setTimeout(() => reject(new Error("slow")), TIMEOUT)),
  ]);
}
