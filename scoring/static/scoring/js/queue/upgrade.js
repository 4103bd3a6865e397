/**
 * Entries that an earlier release has left on a phone, as this one reads them.
 *
 * The first release kept `said` for `label`, the states "waiting" and "refused", no page, and the number
 * and the key among the fields. The second had `taken` for `positionTaken`.
 */

import { blank, CORRECTING } from "./entries.js";

const OF_THE_ENTRY = new Set(["number", "key"]);

/** `entry` in today's shape; an entry of today is returned as it is. */
export function upgraded(entry) {
  if ("said" in entry) {
    return ofTheFirst(entry);
  }
  if ("taken" in entry) {
    const { taken: positionTaken, ...rest } = entry;
    return { ...rest, positionTaken };
  }
  return entry;
}

function ofTheFirst(entry) {
  const { said, url, state, ...rest } = entry;
  const refused = state === "refused";
  return {
    userName: "",
    ...blank(),
    ...rest,
    code: refused ? "invalid" : "", // why, nobody kept: the reasons are there
    label: said,
    page: url.replace(/hands\/$/, ""),
    state: refused ? CORRECTING : state,
    fields: entry.fields.filter(([name]) => !OF_THE_ENTRY.has(name)),
  };
}
