/**
 * The switches for this phone: each a class on the page's root, stored for all pages (shared/device.js).
 */

const root = document.documentElement;

/** Bring every checkbox with `data-switch` to life. */
export function startSwitches() {
  for (const box of document.querySelectorAll("[data-switch]")) {
    const name = box.dataset.switch;
    box.checked = root.classList.contains(name);
    box.addEventListener("change", () => {
      root.classList.toggle(name, box.checked);
      localStorage.setItem(name, box.checked ? "on" : "off");
    });
    box.closest("[data-switches]").hidden = false;
  }
}
