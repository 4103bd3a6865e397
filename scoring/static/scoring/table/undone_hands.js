/**
 * Which hands Undo has given back on this phone: one that was saved again or thrown away since does not come back
 * when another tab hears of its undo.
 */

const MAX = 20; // the latest: Undo is offered for a minute

const storageName = ({ user }) => `undone ${user}`;

/** The ids of the hands that were given back to the user of `context`, the latest last. */
function undoneHands(context) {
  try {
    return JSON.parse(localStorage.getItem(storageName(context))) ?? [];
  } catch {
    return []; // a browser that stores nothing has the list of entries alone
  }
}

export const isGivenBack = (context, id) => undoneHands(context).includes(id);

/** Remember that the hand `id` was given back. */
export function rememberGivenBack(context, id) {
  const others = undoneHands(context).filter((other) => other !== id);
  try {
    localStorage.setItem(storageName(context), JSON.stringify([...others, id].slice(-MAX)));
  } catch {
    // As above.
  }
}
