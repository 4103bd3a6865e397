/**
 * A touch means what was under the thumb when it aimed. Parts of the table come, go and grow unasked: the hands that
 * wait, why a hand is refused, what others have logged. What has just come, or was just moved by that, takes no touch,
 * nor does what has slipped under a finger that is down: another tile would be laid, or another hand saved.
 */

const AIMING = 400; // milliseconds from seeing a place to touching it
const SHOWN = 600; // milliseconds
const PARTS = [
  "[data-session-lost]",
  "[data-waiting]",
  "#counts",
  "#table-title",
  "[data-refusal]",
  "[data-unsaved]",
  "#state",
];
const { DOCUMENT_POSITION_FOLLOWING: BELOW, DOCUMENT_POSITION_CONTAINED_BY: INSIDE } = Node;

const heights = new Map(); // CSS pixels, by the selector of a part: its element may be replaced
const changes = new Map(); // when the height of a part has changed last, by its selector
let touch; // {target, at, isTooSoon}: the one that was begun last, until its click

// What lies over the page moves nothing.
const liesOver = (element) => getComputedStyle(element).position === "absolute";
const partOf = (selector) => document.querySelector(selector);

const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const selector = PARTS.find((one) => target.matches(one));
    const height = liesOver(target) ? 0 : contentRect.height;
    if (!target.isConnected || heights.get(selector) === height) {
      continue;
    }
    if (heights.has(selector)) {
      changes.set(selector, performance.now());
    }
    heights.set(selector, height);
  }
});

/** Watch each part that is in the page by now. */
export function watchParts() {
  for (const part of PARTS.map(partOf).filter(Boolean)) {
    observer.observe(part);
  }
}

/** Let no touch through that was meant for something else. */
export function startSteadyTaps() {
  document.addEventListener("pointerdown", begin, true);
  document.addEventListener("pointercancel", forget, true); // the page is scrolled: no click follows
  document.addEventListener("click", end, true);
  watchParts();
}

/** Whether a part that `target` is in, or below, has changed since `time`. */
function hasMoved(target, time) {
  return PARTS.some((selector) => {
    const place = changes.get(selector) >= time ? partOf(selector) : undefined;
    return Boolean(place?.compareDocumentPosition(target) & (BELOW | INSIDE));
  });
}

function begin(event) {
  const { target, pointerType } = event;
  const at = performance.now();
  touch = pointerType === "touch" ? { target, at, isTooSoon: hasMoved(target, at - AIMING) } : undefined;
  if (touch?.isTooSoon) {
    event.stopImmediatePropagation(); // no slide begins there
  }
}

function forget() {
  touch = undefined;
}

function end(event) {
  const { target, at, isTooSoon } = touch ?? {};
  forget(); // a click that comes without another touch is the page's own: that of a label, on its field
  const isAnother = target && controlAt(target) !== controlAt(event.target);
  if (isTooSoon || (isAnother && hasMoved(event.target, at))) {
    event.preventDefault();
    event.stopImmediatePropagation();
    showNotTaken(controlAt(event.target));
  }
}

/** Whoever taps fast sees that this tap did nothing. */
function showNotTaken(control) {
  control.classList.add("not-taken");
  setTimeout(() => control.classList.remove("not-taken"), SHOWN);
}

const controlAt = (target) => target.closest("a, button, label, input, summary") ?? target;
