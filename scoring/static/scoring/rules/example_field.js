/**
 * The hand of an example, made by pointing at tiles: its tiles, the last one, and how it was won. A line
 * of the field is such a hand: "222B 345B 55B 222D GGG; last=G; won_by=discard".
 */

import { tilePad, withoutLast, withTile } from "./tile_field.js";

/** The codes of the tiles in `text`, in their order. */
export function codesOf(text) {
  const words = text.match(/[1-9]+[BCD]|Wh|[ESWNRG]/g) ?? [];
  return words.flatMap((word) =>
    /^[1-9]/.test(word) ? [...word.slice(0, -1)].map((rank) => rank + word.slice(-1)) : [word],
  );
}

/** What a line says: its tiles as text, and the facts behind them by their names. */
export function exampleOf(line) {
  const [tiles, ...facts] = line.split(";").map((part) => part.trim());
  return { tiles, facts: new Map(facts.filter(Boolean).map((fact) => fact.split("="))) };
}

/** The line that says this. */
export function lineOf({ tiles, facts }) {
  const given = [...facts].filter(([, value]) => value !== "");
  return [tiles, ...given.map((fact) => fact.filter((part) => part !== undefined).join("="))].join("; ");
}

/** `line` with one tile more, or without its last one where `code` is empty; won by `way` unless it says how. */
export function tapped(line, code, way) {
  const { tiles, facts } = exampleOf(line);
  const before = codesOf(tiles).at(-1);
  const after = code ? withTile(tiles, code) : withoutLast(tiles);
  // The winning tile is the one tapped last, unless another one was chosen that is still there.
  const last = facts.get("last");
  if (!last || last === before || !codesOf(after).includes(last)) {
    facts.set("last", codesOf(after).at(-1) ?? "");
  }
  facts.set("won_by", facts.get("won_by") || way);
  return codesOf(after).length ? lineOf({ tiles: after, facts }) : "";
}

/** @param {HTMLTextAreaElement} field whose last line is the hand that is pointed at */
export function startExample(field) {
  const template = document.getElementById("example-template");
  const root = template.content.firstElementChild.cloneNode(true);
  const [last, won] = [root.querySelector("[data-last]"), root.querySelector("[data-won]")];
  const way = won.value;
  const line = () => field.value.split("\n").at(-1);

  function show() {
    const { tiles, facts } = exampleOf(line());
    last.replaceChildren(...[...new Set(codesOf(tiles))].map((code) => new Option(code, code)));
    last.value = facts.get("last") ?? "";
    won.value = facts.get("won_by") ?? way;
  }

  function write(text) {
    field.value = [...field.value.split("\n").slice(0, -1), text].join("\n");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function choose(name, value) {
    const example = exampleOf(line());
    if (example.tiles) {
      example.facts.set(name, value);
      write(lineOf(example));
    }
  }

  root.append(tilePad(document.getElementById("pad-template"), (code) => write(tapped(line(), code, way))));
  last.addEventListener("change", () => choose("last", last.value));
  won.addEventListener("change", () => choose("won_by", won.value));
  field.addEventListener("input", show);
  root.addEventListener("toggle", show); // a draft may have been put back meanwhile
  field.after(root);
}
