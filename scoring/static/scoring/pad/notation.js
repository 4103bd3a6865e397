/**
 * Text and groups of tiles: "222B* 345B 55B 2222D# GGG".
 *
 * A group is `{kind, tiles, mark}`. Kinds: "pung", "kong", "chow", "pair"; "tile" for a loose tile;
 * "unknown" for words that are no tiles: they carry `text` and stay as they are, for the server to
 * explain. The mark tells of a declared set: OPEN lies open on the table, CONCEALED was laid down
 * concealed; both, "*#", are a kong that was claimed to a concealed pung. This reads what the server's notation reads, but only the server decides what a hand is.
 */

import { above, CODES } from "./tiles.js";

export const OPEN = "*";
export const CONCEALED = "#";
const MARK = /\*?#$|\*$/;

const RUN = /([1-9]+)([bcd])/iy;
const NAME = "(?:East|South|West|North|Red|Green|White)";
// Where a name ends. A letter that follows would be read as a tile of its own: "Northern" is not four tiles.
const END = `(?:(?![a-z])|(?=${NAME}|Wh))`;
const HONOR = new RegExp(`${NAME}${END}|(?!${NAME})(?:Wh|[ESWNRG])`, "iy");
const NAMES = { EAST: "E", SOUTH: "S", WEST: "W", NORTH: "N", RED: "R", GREEN: "G", WHITE: "Wh", WH: "Wh" };

// The order of Unicode's Mahjong block from U+1F000 on: winds, dragons, characters, bamboo, dots.
const UNICODE = [
  ...["E", "S", "W", "N", "R", "G", "Wh"],
  ...["C", "B", "D"].flatMap((suit) => CODES.filter((code) => code.endsWith(suit))),
];
const FIRST = 0x1f000;

// What shows nothing: joiners, spaces without width, marks of direction, variation selectors.
const UNSEEN =
  /[\u00AD\u034F\u061C\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\u{E0001}-\u{E01EF}]/gu;
const SUITED_NAME = new RegExp(`([1-9]+)\\s*of\\s+(Bamboos?|Characters?|Dots?)${END}`, "gi");
const HONOR_NAME = new RegExp(`(?:(East|South|West|North)\\s+winds?|(Red|Green|White)\\s+dragons?)${END}`, "gi");

// The code of each tile by its name in the language of the page, and what finds the names.
const local = { codes: new Map(), names: undefined };

// What would make another code, or an English name, of the code of a wind or a dragon before it.
const REST = /^(?:h|ast|outh|est|orth|ed|reen|ite)/i;
// What it would be left of: a figure, or a word whose plural it would make ("2 of Bamboos").
const NOT_BEFORE = /(?:\d|bamboo|character|dot|wind|dragon)$/i;

/** Read `names`, pairs of a name and its code, too: those of the page's language. */
export function learnNames(names) {
  local.codes = new Map([...names].map(([name, code]) => [name.toLowerCase(), code]));
  const longestFirst = [...local.codes.keys()].sort((one, other) => other.length - one.length);
  const patterns = longestFirst.map((name) => name.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
  local.names = patterns.length && new RegExp(patterns.join("|"), "gi");
}

/**
 * The code of `name`, found in `text` at `at`; `name`, where what is beside it would join its code, or is left of a longer
 * word, and would be read as tiles. Safari before 16.4 cannot look behind in a pattern.
 */
function codeOf(name, at, text) {
  const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
  const isInLetters = /[a-z]/i.test(name);
  const joins = isInLetters ? /[a-z0-9]$/i.test(before) || /^[a-z0-9]/i.test(after) : NOT_BEFORE.test(before) || REST.test(after);
  return joins ? name : local.codes.get(name.toLowerCase());
}

/** What `tiles` are together: the kind of a set, or undefined. Chows may come in any order. */
export function kindOf(tiles) {
  const same = tiles.every((code) => code === tiles[0]);
  if (same) {
    return { 2: "pair", 3: "pung", 4: "kong" }[tiles.length];
  }
  const [low, middle, high] = [...tiles].sort();
  const chow = tiles.length === 3 && above(low, 1) === middle && above(low, 2) === high;
  return chow ? "chow" : undefined;
}

/** The groups that `text` names, in its order. */
export function parse(text) {
  const plain = text.normalize("NFKC").replace(UNSEEN, "").replaceAll("、", ",");
  const groups = parseWords(plain);
  // "Green East wind": names are read only where the codes alone make no sense.
  return groups.some(({ kind }) => kind === "unknown") ? parseWords(asCodes(plain)) : groups;
}

const parseWords = (text) =>
  text
    // A mark that stands before a set is refused: nobody could say which set is meant.
    .replace(/(\s*)(\*#|[*#])(?=([^\s,;*#]?))/g, (all, space, mark, next) => (space && next ? all : `${mark} `))
    .split(/[\s,;]+/)
    .filter(Boolean)
    .flatMap(parseWord);

/** `text` with the names that a scorecard prints ("2 of Bamboo", "Green dragon", in Dutch "Groene draak") as codes. */
const asCodes = (text) =>
  (local.names ? text.replace(local.names, codeOf) : text)
    .replace(SUITED_NAME, (_all, ranks, suit) => ranks + suit[0].toUpperCase())
    .replace(HONOR_NAME, (_all, wind, dragon) => wind ?? dragon);

/** `groups` as text; what `parse` reads back. */
export function format(groups) {
  return groups.map(formatGroup).join(" ");
}

function parseWord(word) {
  const [mark = ""] = word.match(MARK) ?? [];
  const runs = parseRuns(word.replace(MARK, ""));
  if (!runs) {
    return [{ kind: "unknown", tiles: [], mark: "", text: word }];
  }
  const whole = runs.flat();
  if (kindOf(whole)) {
    return [asGroup(whole, mark)];
  }
  if (mark) {
    // A declared set that is none: the server says why.
    return [{ kind: "unknown", tiles: whole, mark, text: word }];
  }
  return runs.flatMap((run) => (kindOf(run) ? [asGroup(run, "")] : run.map(asTile)));
}

/** The tiles of a word, run by run ("222B345B" has two), or undefined if it is not all tiles. */
function parseRuns(word) {
  const runs = [];
  for (let at = 0; at < word.length; ) {
    const [run, length] = runAt(word, at);
    if (!length) {
      return undefined;
    }
    const last = runs.at(-1);
    if (run.length === 1 && last?.[0] === run[0]) {
      last.push(run[0]);
    } else {
      runs.push(run);
    }
    at += length;
  }
  return runs.length ? runs : undefined;
}

/** The run of tiles that begins at `at`, and how many characters it takes (0: none). */
function runAt(word, at) {
  const picture = UNICODE[word.codePointAt(at) - FIRST];
  if (picture) {
    return [[picture], 2];
  }
  RUN.lastIndex = at;
  const suited = RUN.exec(word);
  if (suited) {
    const [all, ranks, suit] = suited;
    return [[...ranks].map((rank) => rank + suit.toUpperCase()), all.length];
  }
  HONOR.lastIndex = at;
  const honor = HONOR.exec(word);
  if (honor) {
    const name = honor[0].toUpperCase();
    return [[NAMES[name] ?? name], honor[0].length];
  }
  return [[], 0];
}

function asGroup(tiles, mark) {
  return { kind: kindOf(tiles), tiles: [...tiles].sort(), mark };
}

function asTile(code) {
  return { kind: "tile", tiles: [code], mark: "" };
}

function formatGroup({ kind, tiles, mark, text }) {
  if (kind === "unknown") {
    return text;
  }
  const suited = /\d/.test(tiles[0]);
  const body = suited ? tiles.map((code) => code[0]).join("") + tiles[0].at(-1) : tiles.join("");
  return body + mark;
}
