/**
 * What a page sends to the site, and what became of it. Whether the site can be reached is told to
 * everybody who listens for `reached` on the document.
 */

// Refusals that come as the form again, with the reasons in it.
const EXPLAINED = new Set([409, 422]);
const TOO_MANY = 429;
const SERVER_ERROR = 500;

// Signing in again, in another tab, makes a new token: the cookie knows it, an old form does not.
export const csrfToken = () => document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1] ?? "";

/**
 * Post `fields` (pairs) to `url` and give up after `patience` milliseconds.
 *
 * Resolves to `{outcome, html, target}`: "done" and "refused" come from the site, with the piece of
 * page that it answers (none with a refusal that it does not explain); "signedOut" when it asks to sign in first; "away" when there is no site, or
 * one in trouble: try again later. `signal` calls it back: then it resolves to "overtaken".
 */
export async function post(url, fields, { patience, signal }) {
  const waiting = new AbortController();
  const giveUp = () => waiting.abort();
  const timer = setTimeout(giveUp, patience);
  signal?.addEventListener("abort", giveUp);
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { "X-CSRFToken": csrfToken(), "HX-Request": "true" },
      redirect: "manual",
      signal: waiting.signal,
    });
    return tell(await answer(response));
  } catch {
    return signal?.aborted ? { outcome: "overtaken" } : tell({ outcome: "away" });
  } finally {
    clearTimeout(timer);
  }
}

/** Say whether the site was there. */
export function tellReached(reached) {
  document.dispatchEvent(new CustomEvent("reached", { detail: reached }));
}

function tell(answer) {
  tellReached(answer.outcome !== "away");
  return answer;
}

async function answer(response) {
  if (response.type === "opaqueredirect") {
    return { outcome: "signedOut" };
  }
  if (response.status === TOO_MANY || response.status >= SERVER_ERROR) {
    return { outcome: "away" };
  }
  const shown = response.ok || EXPLAINED.has(response.status);
  return {
    outcome: response.ok ? "done" : "refused",
    html: shown ? await response.text() : "",
    target: response.headers.get("HX-Retarget") ?? "#table",
  };
}
