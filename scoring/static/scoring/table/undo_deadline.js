/**
 * The button that takes the hand just logged back goes away when it is too late.
 */

const deadlines = new Map(); // address: when it is too late, by this page's clock

/**
 * Let every Undo button in `scope` go away in time. The same button may be shown anew, also from a template
 * that was written when the page was: its time runs from when it was seen first.
 */
export function startUndoDeadlines(scope = document) {
  const templates = [...scope.querySelectorAll("template")].map(({ content }) => content);
  for (const button of [scope, ...templates].flatMap(buttonsIn)) {
    if (!deadlines.has(button.formAction)) {
      deadlines.set(button.formAction, performance.now() + Number(button.dataset.undo) * 1000);
    }
  }
  for (const button of buttonsIn(scope)) {
    setTimeout(() => button.remove(), Math.max(0, deadlines.get(button.formAction) - performance.now()));
  }
}

const buttonsIn = (scope) => [...scope.querySelectorAll("[data-undo]")];
