/**
 * What a page sends to the site, and what became of it.
 */

const TROUBLE = new Set([408, 425, 429]); // besides 500 and above: the site cannot answer now
const TIMEOUT = 10000; // milliseconds for one hand
const SLOW_TIMEOUT = 20000; // for the one after an answer that did not come in time
const NAMES_READER = "#state[data-reader], [data-waiting]";
export const PROBE = "/healthz"; // what may be asked for at any time, by anybody

// Signing in again, in another tab, makes a new token: the cookie knows it, an old form does not.
export const csrfToken = () => document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1] ?? "";

/**
 * Post `fields` (pairs) to `url`; give up after `timeout` milliseconds.
 *
 * Resolves to an object with `outcome`:
 *   - what the site's JSON says: "taken", "refused", "asked", "declined", "open", "undone", "shown" (a preview),
 *     "signedOut" (it asks to sign in first, or somebody else is signed in)
 *   - "trouble": it cannot answer now, or something in between refuses; `retryAfter` milliseconds, where it says so
 *   - "away": no answer, or a page of something in between, or the way to one; `isLate`: none within `timeout`
 *   - "aborted": `signal` called the request back
 */
export async function post(url, fields, { timeout = TIMEOUT, signal } = {}) {
  const since = performance.now();
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    abort();
  }, timeout);
  signal?.addEventListener("abort", abort);
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken(), "HX-Request": "true" },
      redirect: "manual",
      signal: controller.signal,
    });
    return withReached(await answerOf(response), since);
  } catch {
    return signal?.aborted ? { outcome: "aborted" } : withReached({ outcome: "away", isLate }, since);
  } finally {
    clearTimeout(timer);
  }
}

/** Say whether the site was there for a request that was sent at `since`. */
export function fireReached(reached, since) {
  document.dispatchEvent(new CustomEvent("reached", { detail: { reached, since } }));
}

function withReached(answer, since) {
  fireReached(answer.outcome !== "away", since);
  return answer;
}

/** What has none of the site's JSON comes from something in between, such as the sign-in of a network. */
async function answerOf(response) {
  const { status } = response;
  if (!TROUBLE.has(status) && status < 500) {
    const answer = await jsonOf(response);
    if (answer?.outcome) {
      return answer;
    }
    if (response.ok || response.type === "opaqueredirect") {
      return { outcome: "away" };
    }
  }
  const seconds = Number(response.headers.get("Retry-After")) || 0;
  return { outcome: "trouble", retryAfter: seconds * 1000 };
}

async function jsonOf(response) {
  const [type] = (response.headers.get("Content-Type") ?? "").split(";");
  try {
    return type === "application/json" ? await response.json() : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error; // the answer broke off
  }
}

/**
 * Who reads the page `html`, a whole one or the piece with the state: "" a visitor; undefined if it is no page of this
 * site, whatever its status. Something in between may answer for a while.
 */
export function readerOf(html) {
  const { dataset } = new DOMParser().parseFromString(html, "text/html").querySelector(NAMES_READER) ?? {};
  return dataset && (dataset.reader ?? dataset.user);
}

/**
 * Whether it is certain that nothing leaves this phone. Of a request that fails nobody knows how far it came. A
 * browser that says it has no network may be wrong: it is asked for something that is no hand.
 */
export async function isCutOff() {
  return !navigator.onLine && !(await isThere());
}

/** Whether anything answers, be it to say that there is no such page. */
async function isThere() {
  return Boolean(await fetchAnswer(PROBE, "HEAD"));
}

/** Whether nobody knows what became of a request with this outcome: no answer came, or the site is in trouble. */
export const isUnanswered = (outcome) => outcome === "away" || outcome === "trouble";

/** Resolves to what is answered to a request for `url`, or to nothing. */
export async function fetchAnswer(url, method = "GET") {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  try {
    return await fetch(url, { method, cache: "no-store", redirect: "manual", signal: controller.signal });
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

let isSlow = false; // whether the last hand was given up for the time that it took

/** Send one entry of the queue: as a hand, or to an organiser. Where the network is slow, its answer gets more time. */
export async function postEntry(entry) {
  const fields = [
    ...entry.fields,
    ["number", String(entry.number)],
    ["key", entry.key],
    ["user", entry.user],
  ];
  if (entry.state === "asked" && entry.declined && !entry.known) {
    fields.push(["again", "yes"]); // not how it was decided, which this phone knows
  }
  const url = `${entry.page}${entry.state === "asked" ? "late" : "hands"}/`;
  const answer = await post(url, fields, { timeout: isSlow ? SLOW_TIMEOUT : TIMEOUT });
  isSlow = Boolean(answer.isLate);
  return answer;
}
