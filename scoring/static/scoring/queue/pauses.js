/**
 * How long what has failed is left alone: longer each time. Many phones at once must not hammer a site in trouble.
 */

const MIN_DELAY = 1000; // milliseconds before another try; doubled each time,
const MAX_DELAY = 12000; // up to this: a site that is there again has everything within half a minute
const MAX_RETRY_AFTER = 120000; // a site in trouble that names a time is left alone until then, or so long

export const NO_PAUSE = { failed: 0, until: 0 };

/** The pause after one more failure at `now`, of `atLeast` milliseconds if the site asks for that. */
export function longerPause({ failed } = NO_PAUSE, now, atLeast = 0) {
  const own = Math.min(MIN_DELAY * 2 ** failed, MAX_DELAY);
  return { failed: failed + 1, until: now + Math.max(own, Math.min(atLeast, MAX_RETRY_AFTER)) };
}

/** Resolves after `pause` milliseconds. */
export const delay = (pause) => new Promise((resolve) => setTimeout(resolve, pause));
