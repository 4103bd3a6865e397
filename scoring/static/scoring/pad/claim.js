/**
 * The claim of a table that has cleared its tiles: the final score alone, typed or tapped, or a limit hand
 * by its name.
 *
 * A limit hand that was picked is claimed until all its tiles are laid out: then the server works it
 * out. While there is a claim, the tiles are not sent.
 */

const BACKSPACE = "back";

/**
 * Leave the tiles out of `fields` (a FormData), where the score alone or a limit hand by its name is claimed
 * instead.
 */
export function dropClaimedTiles(fields) {
  if (fields.get("claimed_final") || fields.get("claimed_limit")) {
    fields.delete("tiles");
  }
}

/** What stands in the field for the score after a tap on `digits`. Pure. */
export function afterDigits(text, digits) {
  return digits === BACKSPACE ? text.slice(0, -1) : (text + digits).replace(/^0+/, "");
}

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
  const limit = tiles.form.elements.claimed_limit;

  function setField(field, value) {
    if (field.value !== value) {
      field.value = value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  /** The claim is the score, or a limit hand by its name, or neither where the tiles are all there. */
  function update() {
    const { limit: picked, full } = root.dataset;
    const scoring = panels.shown === "score";
    setField(limit, picked && !full && !scoring ? picked : "");
    if (!scoring) {
      setField(score, "");
    }
  }

  panel.addEventListener("click", ({ target }) => {
    const digits = target.closest("[data-digit]")?.dataset.digit;
    if (digits) {
      setField(score, afterDigits(score.value, digits));
    }
  });
  const showPanel = () => panels.show(score.value ? "score" : "tiles");

  tiles.form.addEventListener("filled", showPanel);
  tiles.addEventListener("change", update);
  tiles.addEventListener("input", update);
  // What else is told leaves the score as it is.
  const isMine = (panel) => ["tiles", "score"].includes(panel) && !root.dataset.handOf;
  root.addEventListener("panel", ({ detail }) => isMine(detail) && update());
  claimForms.add(tiles.form);
  document.addEventListener("submit", sendWithoutTiles); // once, however often a page makes its form anew
  if (window.matchMedia("(pointer: coarse)").matches) {
    score.inputMode = "none"; // the keys are there already
  }
  showPanel();
}

const claimForms = new WeakSet();

/** Where no other script sends the form: listeners of the form itself run before this one. */
function sendWithoutTiles(event) {
  const { target: form } = event;
  if (claimForms.has(form) && !event.defaultPrevented) {
    form.addEventListener("formdata", ({ formData }) => dropClaimedTiles(formData), { once: true });
  }
}
