/**
 * Who won, and off whom: the winner tapped again is a self-drawn win, and a drawn hand has no tiles.
 *
 * The form works without this; it then takes "Self-drawn" as the sixth answer it is.
 */

/** Bring the two rows of names in the form `root` (an element with `data-hand-form`) to life. */
function winner(root) {
  const chosen = (name) => root.querySelector(`[name=${name}]:checked`);
  const selfDrawn = root.querySelector("[name=discarder][value=self]");

  function follow(changed) {
    const won = chosen("winner")?.value;
    const discarder = chosen("discarder");
    if (discarder && discarder.value === won) {
      // The winner's own name: tapped below it is a self-drawn win; left over from before, nothing.
      discarder.checked = false;
      selfDrawn.checked = changed?.name === "discarder";
    }
    for (const part of root.querySelectorAll("[data-win-only]")) {
      part.disabled = won === "draw";
    }
    root.classList.toggle("hand-drawn", won === "draw");
  }

  // Captured, so that the preview that follows the same tap reads the mended answer.
  root.addEventListener("change", ({ target }) => follow(target), { capture: true });
  follow();
}

/** Bring every such form in `scope` to life, once. */
export function startForms(scope = document) {
  for (const root of scope.querySelectorAll("[data-hand-form]:not([data-started])")) {
    root.dataset.started = "";
    winner(root);
  }
}
