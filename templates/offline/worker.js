{% load static %}{% url 'oidc_callback' as oidc_callback %}/*
 * The worker: opens the tables without a network.
 *
 * Files come from its store, which is filled whole when a version is installed. Pages come from the
 * network; those of tables are stored, and shown when the network is away or slow, or the site in trouble.
 * A new version fetches them anew, and leaves the older files that a stored page still names. Hands never
 * pass here: they wait in the page's own queue.
 */

const FILES = "files-{{ version }}";
const PAGES = "pages";
const OFFLINE = "{% url 'offline' %}";
const SIGN_OUT = "{% url 'sign_out' %}";
const SIGNS_IN = [ // the forms with which somebody else may sign in; no link to a new password signs in
  "{% url 'sign_in' %}",
  "{% url 'account_login' %}",
  "{% url 'mfa_authenticate' %}",
  "{% url 'mfa_login_webauthn' %}",
  "/join/",
];
const OIDC_CALLBACK = "{{ oidc_callback }}"; // where another server leads back to who has signed in by it; empty without one
const LANGUAGE = "{% url 'set_language' %}";
const HOME = "{% url 'home' %}";
const STATIC = "{% get_static_prefix %}";
const TABLE = /^\/games\/\d+\/$/;
const MESSAGES = "data-messages"; // components/messages.html
const OWN = "data-waiting"; // components/waiting.html: on every page of the site that is stored
const READER = /data-waiting data-user="(\d*)"/; // who is signed in; empty: nobody. The page without a network does not know
const PLAY = "/games/:game(\\d+)/:call(preview|hands|live)/";
const TIMEOUT = 4000; // milliseconds for a page, where there is one to show instead
const REFRESH_TIMEOUT = 20000; // milliseconds for a stored page that is fetched anew
const NEEDED = [{% for file in files %}
  "{{ file }}",{% endfor %}
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // What a table asks and sends while it is played need not wake the worker, where browsers know how.
  event.addRoutes?.([{ condition: { urlPattern: { pathname: PLAY } }, source: "network" }]);
  event.waitUntil(
    Promise.all([addFiles(), addOffline()]).then(refreshTables), // they name the files of the version before
  );
});

/** Fill the store of files: whole, or not at all, and then the browser tries again. */
async function addFiles() {
  const responses = await Promise.all(NEEDED.map((address) => fetch(address)));
  if (!responses.every(isFile)) {
    throw new Error("foreign");
  }
  const files = await caches.open(FILES);
  await Promise.all(responses.map((response, index) => files.put(NEEDED[index], response)));
}

async function addOffline() {
  const response = await fetch(OFFLINE);
  if (!(await ownText(response))) {
    throw new Error("foreign");
  }
  const pages = await caches.open(PAGES);
  await pages.put(OFFLINE, response);
}

/** Whether `response` is a file, and no page that something in between answers with. */
function isFile(response) {
  return response.ok && !response.headers.get("Content-Type")?.startsWith("text/html");
}

/**
 * The text of `response`, if it is a page of the site, or else "". Something in between answers with 200, too: the
 * sign-in of a network.
 */
async function ownText(response) {
  const isPage = response.ok && !response.redirected && !isFile(response);
  const text = isPage ? await response.clone().text() : "";
  return text.includes(OWN) ? text : "";
}

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldFiles().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) {
    return;
  }
  if (request.method === "POST" && url.pathname === SIGN_OUT) {
    event.respondWith(signOut(event));
  } else if (request.method === "POST" && url.pathname === LANGUAGE) {
    const requested = fetch(request);
    event.respondWith(requested);
    event.waitUntil(requested.then(refreshPages));
  } else if (request.method === "GET" && url.pathname.startsWith(STATIC)) {
    event.respondWith(file(request));
  } else if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(page(event));
  } else if (request.mode === "navigate" && SIGNS_IN.some((path) => url.pathname.startsWith(path))) {
    const requested = fetch(request);
    event.respondWith(requested);
    event.waitUntil(requested.then(noteSignIn).catch(() => {}));
  }
});

/** The site has signed somebody out, and its answer was lost. */
self.addEventListener("message", (event) => {
  if (event.data === "signedOut") {
    event.waitUntil(Promise.all([endNotices(), deletePages()]));
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

/**
 * Signing out deletes the stored pages of tables, and ends the notices of whoever was signed in. Without an answer
 * they stay: as far as anybody knows, nobody has signed out.
 */
async function signOut(event) {
  try {
    const response = await fetch(event.request);
    // The site leads elsewhere then. A page in its place comes from something in between.
    if (response.redirected || response.type === "opaqueredirect") {
      event.waitUntil(endNotices());
      await deletePages();
    }
    return response;
  } catch {
    return event.request.mode === "navigate" ? Response.redirect(HOME, 303) : Response.error();
  }
}

async function endNotices() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/** Delete the files of the versions before, unless a stored page names them: it could not be fetched anew. */
async function deleteOldFiles() {
  const names = (await caches.keys()).filter((name) => ![FILES, PAGES].includes(name));
  const texts = names.length ? await cachedTexts() : [];
  await Promise.all(names.map(async (name) => (await isNamed(name, texts)) || caches.delete(name)));
}

async function cachedTexts() {
  const pages = await caches.open(PAGES);
  const responses = await pages.matchAll();
  return Promise.all(responses.map((response) => response.text()));
}

/** Whether one of `texts` names a file that is in the cache `name`, and no file of this version. */
async function isNamed(name, texts) {
  const files = await caches.open(name);
  const addresses = (await files.keys()).map(({ url }) => new URL(url).pathname);
  const old = addresses.filter((address) => !NEEDED.includes(address));
  return texts.some((text) => old.some((address) => text.includes(address)));
}

/** The paths of the stored pages that were visited: tables, and the home page. */
async function visited(pages) {
  const cached = await pages.keys();
  return cached.map(({ url }) => new URL(url).pathname).filter((pathname) => pathname !== OFFLINE);
}

async function deletePages() {
  turn += 1;
  const pages = await caches.open(PAGES);
  await Promise.all((await visited(pages)).map((pathname) => pages.delete(pathname, { ignoreVary: true })));
}

const accountOf = (text) => text.match(READER)?.[1];

let known; // the account that the site named last
let turn = 0; // grows with each sign-in and sign-out: a page that was asked for before may be of another reader
let isSigningIn = false; // whether somebody may have signed in, and no page that was asked for since has said who reads it

/** Whoever has signed in is led elsewhere. */
function noteSignIn({ redirected, type }) {
  if (redirected || type === "opaqueredirect") {
    turn += 1;
    isSigningIn = true;
  }
}

/**
 * Somebody is signed in. Stored pages of another account are deleted: its session ended without signing out here. A
 * visitor deletes none, who may be the same person and sign in again.
 */
async function deletePagesOfOthers(pages, account) {
  if (!account || account === known) {
    return;
  }
  for (const pathname of await visited(pages)) {
    const page = await pages.match(pathname, { ignoreVary: true });
    const owner = accountOf((await page?.text()) ?? "");
    if (owner && owner !== account) {
      await pages.delete(pathname, { ignoreVary: true });
    }
  }
  known = account;
}

/** Fetch every stored page again: the language has changed. */
async function refreshPages() {
  const pages = await caches.open(PAGES);
  await Promise.allSettled([refresh(pages, OFFLINE), refreshTables()]);
}

/** Fetch again what was visited. A page that cannot be fetched stays as it is. */
async function refreshTables() {
  const pages = await caches.open(PAGES);
  await Promise.allSettled((await visited(pages)).map((pathname) => refresh(pages, pathname)));
}

async function refresh(pages, pathname) {
  const asked = turn;
  const response = await withTimeout(fetch(pathname, { redirect: "error" }), REFRESH_TIMEOUT);
  // Whoever has signed out meanwhile has had them deleted.
  if ((await ownText(response)) && (await pages.match(pathname, { ignoreVary: true })) && asked === turn) {
    await pages.put(pathname, response);
  }
}

/** A file of this version, or of one before that a page still names: another version may be being installed. */
async function file(request) {
  const cached =
    (await caches.match(request, { cacheName: FILES, ignoreVary: true })) ??
    (await caches.match(request, { ignoreVary: true }));
  return cached ?? fetch(request);
}

async function page(event) {
  const { pathname } = new URL(event.request.url);
  const pages = await caches.open(PAGES);
  const cached = await pages.match(pathname, { ignoreVary: true });
  const asked = turn;
  const requested = fetch(event.request);
  if (pathname === OIDC_CALLBACK) {
    event.waitUntil(requested.then(noteSignIn).catch(() => {}));
  }
  event.waitUntil(requested.then((response) => store(pages, pathname, response.clone(), asked)).catch(() => {}));
  const shown = isSigningIn ? undefined : cached; // what is stored may be of another
  try {
    const response = await (shown ? withTimeout(requested) : requested);
    // The site is in trouble, or a proxy answers for it: a table that was stored can be played on meanwhile.
    return shown && response.status >= 500 ? shown : response;
  } catch {
    return shown ?? pages.match(OFFLINE);
  }
}

/**
 * Store the page of a table, and the home page, which leads to it. What a page says once is not stored.
 *
 * Nor is a page that was `asked` for in another turn: it comes late, and says nothing of who is signed in by now.
 */
async function store(pages, pathname, response, asked) {
  const text = await ownText(response);
  if (asked !== turn) {
    return;
  }
  const account = accountOf(text);
  await deletePagesOfOthers(pages, account);
  if (asked !== turn) {
    return;
  }
  isSigningIn &&= account === undefined;
  if (!text || !(TABLE.test(pathname) || pathname === HOME)) {
    return;
  }
  if (text.includes(MESSAGES)) {
    const again = await fetch(pathname, { redirect: "error" });
    if ((await ownText(again)) && asked === turn) {
      await pages.put(pathname, again);
    }
  } else {
    await pages.put(pathname, response);
  }
}

function withTimeout(requested, timeout = TIMEOUT) {
  return Promise.race([
    requested,
    new Promise((_resolve, reject) => setTimeout(() => reject(new Error("slow")), timeout)),
  ]);
}
