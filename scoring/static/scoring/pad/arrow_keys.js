/**
 * A toolbar of many buttons is one stop of the Tab key; the arrow keys move within it.
 */

const DISTANCE = {
  ArrowLeft: (from, to) => from.left - to.left,
  ArrowRight: (from, to) => to.left - from.left,
  ArrowUp: (from, to) => from.top - to.top,
  ArrowDown: (from, to) => to.top - from.top,
};

/** The button of `buttons` that lies next to `button` on the side that `key` points to, if any. */
function neighbour(buttons, button, key) {
  const from = button.getBoundingClientRect();
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const distanceTo = (to) => {
    const along = DISTANCE[key](from, to);
    const across = sideways ? Math.abs(to.top - from.top) : Math.abs(to.left - from.left);
    // A button far aside is the last choice, so that a row is left only where it ends.
    return along > 1 ? along + across * 100 : Infinity;
  };
  const candidates = buttons.map((other) => [distanceTo(other.getBoundingClientRect()), other]);
  const [distance, nearest] = candidates.reduce((best, next) => (next[0] < best[0] ? next : best));
  return distance < Infinity ? nearest : undefined;
}

/** Let the arrow keys move among the buttons of `toolbar`. */
export function startArrowKeys(toolbar) {
  const buttons = [...toolbar.querySelectorAll("button")];
  const makeTabStop = (button) => {
    for (const other of buttons) {
      other.tabIndex = other === button ? 0 : -1;
    }
  };
  toolbar.addEventListener("focusin", ({ target }) => buttons.includes(target) && makeTabStop(target));
  toolbar.addEventListener("keydown", (event) => {
    if (event.key in DISTANCE && buttons.includes(event.target)) {
      event.preventDefault();
      neighbour(buttons, event.target, event.key)?.focus();
    }
  });
  makeTabStop(buttons[0]);
}
