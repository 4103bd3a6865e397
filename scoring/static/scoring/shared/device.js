/*
 * The settings of this phone (localStorage), applied before anything is shown. A classic script in the
 * head of every page; table/table.js has the switches.
 */

try {
  for (const name of ["left-hand", "no-index"]) {
    document.documentElement.classList.toggle(name, localStorage.getItem(name) === "on");
  }
} catch {
  // A browser that stores nothing shows the site as it is.
}
