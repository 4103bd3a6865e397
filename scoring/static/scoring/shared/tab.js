/**
 * What a tab remembers through a reload; where the browser keeps nothing, as long as the page.
 */

const here = new Map();

/** What is remembered as `name`, or "". */
export function remembered(name) {
  try {
    return here.get(name) ?? sessionStorage.getItem(name) ?? "";
  } catch {
    return here.get(name) ?? "";
  }
}

/** Remember the text `value` as `name`; an empty one forgets it. */
export function remember(name, value) {
  try {
    if (value) {
      sessionStorage.setItem(name, value);
    } else {
      sessionStorage.removeItem(name);
    }
    here.delete(name);
  } catch {
    here.set(name, value);
  }
}
