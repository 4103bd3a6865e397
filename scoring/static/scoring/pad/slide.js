/**
 * A slide on a tile says what kind of set to lay: to the right a chow, which goes on from the tile, to
 * the left a kong. A short way is a tap. Up and down still scrolls the page (pad.css: touch-action).
 *
 * The keys for the kinds do the same without a slide.
 */

const MIN_DISTANCE = 24; // CSS pixels; less is how a thumb trembles

/** The kind that a way of `x` to the right and `y` down asks for, if it is a slide. Pure. */
export function kindOfSlide(x, y) {
  if (Math.abs(x) < MIN_DISTANCE || Math.abs(x) < Math.abs(y)) {
    return undefined;
  }
  return x > 0 ? "chow" : "kong";
}

/**
 * Keep a slide sideways over `element` from becoming a flick: browsers swallow the tap after a flick.
 * Up and down still scrolls the page.
 */
export function preventSidewaysScroll(element) {
  let start;
  element.addEventListener("touchstart", ({ touches }) => {
    start = touches.length === 1 ? touches[0] : undefined;
  }, { passive: true });
  element.addEventListener("touchmove", (event) => {
    const [now] = event.touches;
    if (start && Math.abs(now.clientX - start.clientX) > Math.abs(now.clientY - start.clientY)) {
      event.preventDefault();
    }
  }, { passive: false });
}

/**
 * Let the tiles in `toolbar` be slid: `lay` gets the tile and the kind.
 *
 * @param {(kind: string) => string} name how a kind is called: shown over the tile meanwhile
 * @param {(code: string, kind: string) => void} lay what a slide does
 */
export function startSlides(toolbar, name, lay) {
  let down; // the tile under the thumb, and where the thumb came down
  let wasSlide = false; // whether the click that follows belongs to a slide

  const kindAt = ({ clientX, clientY }) => kindOfSlide(clientX - down.x, clientY - down.y);
  const begin = (event) => {
    const button = event.target.closest("[data-tile]");
    wasSlide = false;
    down = button && event.isPrimary && !event.button ? { button, x: event.clientX, y: event.clientY } : undefined;
    down?.button.setPointerCapture(event.pointerId); // a slide may leave the tile, and the pad
  };
  const move = (event) => {
    if (down) {
      const kind = kindAt(event);
      down.button.dataset.slide = kind ? name(kind) : "";
    }
  };
  const end = (event) => {
    if (!down) {
      return;
    }
    const { button } = down;
    const kind = event.type === "pointerup" ? kindAt(event) : undefined;
    down = undefined;
    delete button.dataset.slide;
    if (kind) {
      wasSlide = true;
      lay(button.dataset.tile, kind);
    }
  };

  preventSidewaysScroll(toolbar);
  toolbar.addEventListener("pointerdown", begin);
  toolbar.addEventListener("pointermove", move);
  toolbar.addEventListener("pointerup", end);
  toolbar.addEventListener("pointercancel", end);
  toolbar.addEventListener(
    "click",
    (event) => {
      // Enter on a tile is a click, too, but has no count.
      if (wasSlide && event.detail) {
        event.stopPropagation();
      }
      wasSlide = false;
    },
    { capture: true },
  );
}
