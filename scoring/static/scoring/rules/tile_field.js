/**
 * Tiles that are tapped into a text field, in the notation of the club: "123B ESW".
 */

/** `text` with the tile of `code` at its end, in one word with the others of its suit. */
export function withTile(text, code) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const last = words.at(-1) ?? "";
  const [rank, suit] = [code.slice(0, -1), code.slice(-1)];
  if (/^[1-9]$/.test(rank) && new RegExp(`^[1-9]+${suit}$`).test(last)) {
    return [...words.slice(0, -1), last.slice(0, -1) + rank + suit].join(" ");
  }
  return [...words, code].join(" ");
}

/** `text` without its last tile. */
export function withoutLast(text) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const last = words.pop() ?? "";
  const shorter = /^[1-9]{2,}[BCD]$/.test(last) ? [last.slice(0, -2) + last.slice(-1)] : [];
  return [...words, ...shorter].join(" ");
}

/** A pad of all tiles that calls `tap` with the code of a tile, or "" to take the last one back. */
export function tilePad(template, tap) {
  const pad = template.content.firstElementChild.cloneNode(true);
  pad.dataset.made = "";
  pad.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) {
      tap(button.dataset.add);
    }
  });
  return pad;
}

/** @param {HTMLElement} root holds the field; @param {HTMLTemplateElement} template the pad */
export function startTiles(root, template) {
  const field = root.querySelector("input[type=text]");
  const pad = tilePad(template, (code) => {
    field.value = code ? withTile(field.value, code) : withoutLast(field.value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.after(pad);
}
