/**
 * A toolbar of many buttons is one stop of the Tab key; the arrow keys move within it.
 */

const SIDE = {
  ArrowLeft: (from, to) => from.left - to.left,
  ArrowRight: (from, to) => to.left - from.left,
  ArrowUp: (from, to) => from.top - to.top,
  ArrowDown: (from, to) => to.top - from.top,
};

/** The button of `buttons` that lies next to `button` on the side that `key` points to, if any. */
function neighbour(buttons, button, key) {
  const from = button.getBoundingClientRect();
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const reach = (to) => {
    const ahead = SIDE[key](from, to);
    const aside = sideways ? Math.abs(to.top - from.top) : Math.abs(to.left - from.left);
    // A button far aside is the last choice, so that a row is left only where it ends.
    return ahead > 1 ? ahead + aside * 100 : Infinity;
  };
  const reached = buttons.map((one) => [reach(one.getBoundingClientRect()), one]);
  const [distance, nearest] = reached.reduce((best, one) => (one[0] < best[0] ? one : best));
  return distance < Infinity ? nearest : undefined;
}

/** Let the arrow keys move among the buttons of `toolbar`. */
export function arrows(toolbar) {
  const buttons = [...toolbar.querySelectorAll("button")];
  const enter = (button) => {
    for (const one of buttons) {
      one.tabIndex = one === button ? 0 : -1;
    }
  };
  toolbar.addEventListener("focusin", ({ target }) => buttons.includes(target) && enter(target));
  toolbar.addEventListener("keydown", (event) => {
    if (event.key in SIDE && buttons.includes(event.target)) {
      event.preventDefault();
      neighbour(buttons, event.target, event.key)?.focus();
    }
  });
  enter(buttons[0]);
}
