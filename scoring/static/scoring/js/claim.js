/**
 * The final score alone, of a table that has cleared its tiles: typed, or tapped on ten keys.
 *
 * A limit hand that was picked is claimed as well, until all its tiles are laid out: then the server
 * works it out. While there is a claim, the tiles are not sent (entry.js).
 */

const BACKSPACE = "back";

/**
 * Bring the panel for the score in the pad `root` to life, if it has one.
 *
 * @param {HTMLInputElement} tiles the text field of the tiles
 * @param {Panels} panels the pad's panels
 */
export function startClaim(root, tiles, panels) {
  const panel = root.querySelector("[data-panel=score]");
  if (!panel) {
    return;
  }
  const score = panel.querySelector("input");
  const [step, limit] = [Number(panel.dataset.step), Number(panel.dataset.limitScore)];

  function claim(points) {
    const said = points ? String(points) : "";
    if (score.value !== said) {
      score.value = said;
      score.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  /** "1", "2" is 120 where scores are rounded to tens. */
  function tap(digit) {
    const before = Math.floor(Number(score.value) / step);
    const after = digit === BACKSPACE ? Math.floor(before / 10) : before * 10 + Number(digit);
    claim(after * step <= limit ? after * step : before * step);
  }

  /** The tiles speak for themselves, unless they are those of a limit hand that is not all there. */
  function follow() {
    const { limit: picked, full } = root.dataset;
    if (panels.shown !== "score") {
      claim(picked && !full ? limit : 0);
    }
  }

  panel.addEventListener("click", ({ target }) => {
    const digit = target.closest("[data-digit]")?.dataset.digit;
    if (digit) {
      tap(digit);
    }
  });
  const turnToScore = () => panels.show(score.value ? "score" : "tiles");

  tiles.form.addEventListener("filled", turnToScore);
  tiles.addEventListener("change", follow);
  tiles.addEventListener("input", follow);
  root.addEventListener("panel", ({ detail }) => detail === "tiles" && follow());
  if (window.matchMedia("(pointer: coarse)").matches) {
    score.inputMode = "none"; // the ten keys are there already
  }
  turnToScore();
}
