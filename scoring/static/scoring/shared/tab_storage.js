/**
 * What a tab keeps through a reload (sessionStorage). Where the browser stores nothing, it lasts as long as the page.
 */

const fallback = new Map();

/** What is stored as `name`, or "". */
export function getTabItem(name) {
  try {
    return fallback.get(name) ?? sessionStorage.getItem(name) ?? "";
  } catch {
    return fallback.get(name) ?? "";
  }
}

/** The names of what is stored that begin with `prefix`. */
export function getTabNames(prefix) {
  const names = new Set(fallback.keys());
  try {
    Object.keys(sessionStorage).forEach((name) => names.add(name));
  } catch {
    // What lasts as long as the page is all there is.
  }
  return [...names].filter((name) => name.startsWith(prefix));
}

/** Store the text `value` as `name`; an empty text deletes it. */
export function setTabItem(name, value) {
  try {
    if (value) {
      sessionStorage.setItem(name, value);
    } else {
      sessionStorage.removeItem(name);
    }
    fallback.delete(name);
  } catch {
    fallback.set(name, value);
  }
}
