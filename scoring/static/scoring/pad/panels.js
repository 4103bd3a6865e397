/**
 * One of the pad's panels at a time: the tiles, the limit hands, or the final score alone.
 *
 * A panel is an element with `data-panel`; a key with `data-opens` opens it, and closes it again; a
 * button with `data-opens="tiles"` leads back. Escape leads back too.
 */

// No field for text is focused: on a phone that would open the keyboard.
const FIRST = ["button", "[type=radio]", "[type=checkbox]"].map((one) => `${one}:not([hidden] *)`).join();

export class Panels {
  /** @param {HTMLElement} root the pad */
  constructor(root) {
    this.root = root;
    this.keys = [...root.querySelectorAll("[data-opens]")];
    root.addEventListener("click", ({ target }) => {
      const key = target.closest("[data-opens]");
      if (key) {
        this.press(key.dataset.opens);
      }
    });
    root.closest("form")?.addEventListener("click", ({ target }) => this.follow(target.closest("a[href^='#']")));
    root.addEventListener("keydown", ({ key }) => key === "Escape" && this.press("tiles"));
    this.show("tiles");
  }

  get shown() {
    return this.root.dataset.shown;
  }

  press(name) {
    const before = this.shown;
    this.show(name === before ? "tiles" : name);
    if (this.shown !== "tiles") {
      this.panel(this.shown).querySelector(FIRST).focus();
    } else if (before !== "tiles") {
      this.key(before).focus();
    }
  }

  /** A link to what stands in a panel opens it; the pad writes the winner's hand again. */
  follow(link) {
    const target = link && document.getElementById(link.hash.slice(1));
    if (target && this.root.contains(target)) {
      this.root.querySelector("[data-strip]:not([hidden]) [data-done]")?.click();
      this.show(target.closest("[data-panel]")?.dataset.panel ?? "tiles");
    }
  }

  /** Show the panel `name` in place of the others, and tell the pad. */
  show(name) {
    if (name !== this.shown) {
      this.root.dataset.shown = name;
      for (const panel of this.root.querySelectorAll("[data-panel]")) {
        panel.hidden = panel.dataset.panel !== name;
      }
      for (const key of this.keys) {
        key.setAttribute("aria-expanded", String(key.dataset.opens === name));
      }
      this.root.dispatchEvent(new CustomEvent("panel", { detail: name }));
    }
  }

  panel(name) {
    return this.root.querySelector(`[data-panel="${name}"]`);
  }

  key(name) {
    return this.keys.find((key) => key.dataset.opens === name);
  }
}
