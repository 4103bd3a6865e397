/**
 * The key that takes the hand just logged back goes away when it is too late.
 */

const deadlines = new Map(); // address: when it is too late, by this page's clock

/**
 * Let every Undo key in `scope` go away in time. The same key may be shown anew, also from a template
 * that was written when the page was: its time runs from when it was seen first.
 */
export function startUndo(scope = document) {
  const templates = [...scope.querySelectorAll("template")].map(({ content }) => content);
  for (const key of [scope, ...templates].flatMap(keysIn)) {
    if (!deadlines.has(key.formAction)) {
      deadlines.set(key.formAction, performance.now() + Number(key.dataset.undo) * 1000);
    }
  }
  for (const key of keysIn(scope)) {
    setTimeout(() => key.remove(), Math.max(0, deadlines.get(key.formAction) - performance.now()));
  }
}

const keysIn = (scope) => [...scope.querySelectorAll("[data-undo]")];
