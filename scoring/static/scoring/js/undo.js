/**
 * The key that takes back the hand just logged goes away when it is too late.
 */

/** Watch the clock of every such key in `scope`, once. */
export function startUndo(scope = document) {
  for (const key of scope.querySelectorAll("[data-undo]:not([data-started])")) {
    key.dataset.started = "";
    setTimeout(() => key.remove(), Number(key.dataset.undo) * 1000);
  }
}
