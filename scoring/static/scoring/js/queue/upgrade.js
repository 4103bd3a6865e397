/**
 * Entries that an earlier release has left on a phone, as this one reads them.
 *
 * The first release kept `said` for `label`, the states "waiting" and "refused", no page, and the number
 * and the key among the fields.
 */

import { CORRECTING } from "./entries.js";

const OF_THE_ENTRY = new Set(["number", "key"]);

/** `entry` in today's shape; an entry of today is returned as it is. */
export function upgraded(entry) {
  if (!("said" in entry)) {
    return entry;
  }
  const { said, url, state, ...rest } = entry;
  return {
    userName: "",
    code: "",
    html: "",
    taken: false,
    known: false,
    ...rest,
    label: said,
    page: url.replace(/hands\/$/, ""),
    state: state === "refused" ? CORRECTING : state,
    fields: entry.fields.filter(([name]) => !OF_THE_ENTRY.has(name)),
  };
}
