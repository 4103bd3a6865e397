/** The drafts of the workshop that this tab keeps: when each was last changed (`at`, its name), and its `entries`. */

import { getTabItem, getTabNames, setTabItem } from "../shared/tab_storage.js";

const PREFIX = "rules-draft:";

/** The name under which the draft that the account `user` has on `page` is stored: nobody else is shown it. */
export const keyOf = (user, page) => `${PREFIX}${user}:${page}`;

/** What is stored as `key`; empty if there is no draft. */
export const draftOf = (key) => JSON.parse(getTabItem(key) || "{}");

/** Delete the drafts that the site has `published`: "1764441861000.1764441862000". */
export function deletePublished(published) {
  const times = published.split(".");
  for (const key of getTabNames(PREFIX)) {
    if (times.includes(String(draftOf(key).at))) {
      setTabItem(key, "");
    }
  }
}
