/**
 * Sitting down: names that are tapped take the next free seat; nobody can be chosen twice.
 *
 * The four selects are what the form sends, and all there is without scripts. With scripts they are
 * hidden: who sits where stands in words in their place.
 */

const form = document.querySelector("[data-seats]");
const selects = [...form.querySelectorAll("select[data-seat]")];
const names = [...form.querySelectorAll("[data-player]")];
const chosen = [...form.querySelectorAll("[data-chosen]")];
const filter = form.querySelector("[data-filter]");

// As scoring/models/letters.py has them: letters with a stroke are no letter with an accent to Unicode.
const PLAIN = { ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t" };

const seatOf = (player) => selects.find((select) => select.value === player);

function render() {
  const taken = selects.map((select) => select.value).filter(Boolean);
  for (const [index, select] of selects.entries()) {
    const words = chosen[index];
    words.textContent = select.value
      ? select.selectedOptions[0].textContent
      : words.dataset.nobodyYet;
    words.classList.toggle("soft", !select.value);
  }
  for (const name of names) {
    const seat = seatOf(name.dataset.player);
    name.setAttribute("aria-pressed", String(Boolean(seat)));
    name.querySelector("[data-wind]").textContent = seat?.dataset.wind ?? "";
    name.setAttribute("aria-disabled", String(!seat && taken.length === selects.length));
  }
}

function tap(player) {
  const seat = seatOf(player);
  if (seat) {
    seat.value = "";
  } else {
    const free = selects.find((select) => !select.value);
    if (free) {
      free.value = player;
    }
  }
  render();
}

/** By a part of the name as it is written, or without accents and apostrophes, as the site finds it elsewhere. */
function search() {
  const wanted = filter.value.trim().toLowerCase();
  const plain = wanted
    .normalize("NFKD")
    .replace(/[\u0300-\u036f'’‘ʼ`]/g, "")
    .replace(/[øłđħŧ]/g, (letter) => PLAIN[letter]);
  for (const button of names) {
    const { name, plainName } = button.dataset;
    button.hidden = !name.toLowerCase().includes(wanted) && !plainName.includes(plain);
  }
  form.querySelector("[data-nobody]").hidden = names.some((name) => !name.hidden);
}

form.addEventListener("click", ({ target }) => {
  const name = target.closest("[data-player]");
  if (name) {
    tap(name.dataset.player);
  }
});
filter?.addEventListener("input", search);
filter?.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    // Enter takes the first name found; it does not send the form.
    event.preventDefault();
    const first = names.find((name) => !name.hidden && !seatOf(name.dataset.player));
    if (first && filter.value) {
      tap(first.dataset.player);
      filter.value = "";
      search();
    }
  }
});
form.querySelector("[data-taps]").hidden = false;
for (const [index, select] of selects.entries()) {
  // What an error leads to is what is seen: it takes the name of the select over, too.
  select.hidden = true;
  chosen[index].hidden = false;
  [select.id, chosen[index].id] = ["", select.id];
}
render();
// After "back" the browser fills the seats in again, when they have been read.
window.addEventListener("pageshow", render);
