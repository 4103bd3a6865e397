/**
 * Completes the words of a condition while it is typed, from the list of words on the page
 * (rules/_words.html), each with what it means.
 */

const MOST = 8;
const WORD = /[a-z_]+$/;

const vocabulary = () =>
  [...document.querySelectorAll("[data-word]")].map((entry) => ({
    word: entry.dataset.word,
    meaning: entry.querySelector("dd").textContent,
  }));

/** The words that begin with `typed`, the shortest first; none for a word that is whole already. */
export function matching(words, typed) {
  const beginning = words.filter(({ word }) => word.startsWith(typed) && word !== typed);
  const once = [...new Map(beginning.map((entry) => [entry.word, entry])).values()];
  return once.sort((one, other) => one.word.length - other.word.length).slice(0, MOST);
}

/** @param {HTMLInputElement} field whose text is a condition */
export function startCompletion(field) {
  const list = document.createElement("ul");
  list.id = `${field.id}_words`;
  list.className = "workshop__completion";
  list.dataset.made = "";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.querySelector("#words summary").textContent);
  field.after(list);
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");
  let chosen = -1;

  function close() {
    list.hidden = true;
    list.replaceChildren();
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
    chosen = -1;
  }

  function choose(index) {
    chosen = (index + list.children.length) % list.children.length;
    [...list.children].forEach((option, place) => {
      option.setAttribute("aria-selected", String(place === chosen));
    });
    list.children[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", list.children[chosen].id);
  }

  function take(word) {
    const before = field.value.slice(0, field.selectionStart).replace(WORD, word);
    field.value = before + field.value.slice(field.selectionStart);
    field.setSelectionRange(before.length, before.length);
    close();
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
  }

  function open() {
    const typed = field.value.slice(0, field.selectionStart).match(WORD)?.[0] ?? "";
    const matches = typed ? matching(vocabulary(), typed) : [];
    close();
    if (!matches.length) {
      return;
    }
    matches.forEach(({ word, meaning }, place) => {
      const option = document.createElement("li");
      option.id = `${list.id}_${place}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const code = document.createElement("code");
      code.textContent = word;
      option.append(code, ` ${meaning}`);
      option.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        take(word);
      });
      list.append(option);
    });
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
  }

  field.addEventListener("input", open);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (list.hidden) {
      return;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      choose(chosen + (event.key === "ArrowDown" ? 1 : chosen < 0 ? 0 : -1));
    } else if ((event.key === "Enter" || event.key === "Tab") && (chosen >= 0 || event.key === "Tab")) {
      take(list.children[Math.max(chosen, 0)].querySelector("code").textContent);
    } else if (event.key === "Escape") {
      close();
    } else {
      return;
    }
    event.preventDefault();
  });
}
