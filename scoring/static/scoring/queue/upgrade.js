/**
 * Entries that an earlier release has left on a phone, as this one reads them.
 *
 * The first release had `said` for `label`, the states "waiting" and "refused", no page, and the number
 * and the key among the fields. The second had `taken` for `positionTaken`.
 */

import { ASKED, blank, BLOCKED, CORRECTING, ENTERING, WAITING } from "./entries.js";

const STATES = [ENTERING, WAITING, CORRECTING, BLOCKED, ASKED];
const OF_THE_ENTRY = new Set(["number", "key"]);

/**
 * `entry` in today's shape; an entry of today is returned as it is. What cannot be read is shown as a hand
 * that was not accepted: it can be corrected or thrown away, and holds up nothing at other tables.
 */
export function upgraded(entry) {
  if ("said" in entry) {
    return readable(ofTheFirst(entry));
  }
  if ("taken" in entry) {
    const { taken: positionTaken, ...rest } = entry;
    return readable({ ...rest, positionTaken });
  }
  return readable(entry);
}

function ofTheFirst(entry) {
  const { said, url, state, ...rest } = entry;
  const refused = state === "refused";
  return {
    userName: "",
    ...blank(),
    ...rest,
    code: refused ? "invalid" : "", // the first release stored the reasons without a code
    label: said,
    page: String(url ?? "").replace(/hands\/$/, "") || `/games/${entry.game}/`,
    state: refused ? CORRECTING : state,
    fields: pairs(entry.fields).filter(([name]) => !OF_THE_ENTRY.has(name)),
  };
}

const pairs = (fields) => (Array.isArray(fields) ? fields.filter(Array.isArray) : []);
const isText = (value) => typeof value === "string";

function readable(entry) {
  const { user, game, fields, reasons, page, state } = entry;
  const isWhole =
    STATES.includes(state) &&
    [user, game, page].every(isText) &&
    [fields, reasons].every(Array.isArray) &&
    fields.every(Array.isArray);
  if (isWhole) {
    return entry;
  }
  return {
    ...blank(),
    user: "",
    userName: "",
    game: "",
    label: "",
    number: 0,
    order: 0,
    ...entry,
    page: isText(page) ? page : "/",
    fields: pairs(fields),
    reasons: Array.isArray(reasons) ? reasons.filter(isText) : [],
    code: entry.code || "unreadable",
    state: CORRECTING,
  };
}
