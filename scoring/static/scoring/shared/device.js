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

/* What the first sheet says above all else, at the head of each further one (print.css). */
addEventListener("beforeprint", () => {
  const head = document.querySelector(".on-paper")?.textContent.replace(/\s+/g, " ").trim() ?? "";
  document.documentElement.style.setProperty("--sheet-head", JSON.stringify(head));
});
