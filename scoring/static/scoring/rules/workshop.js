/**
 * The rule workshop: the draft survives a reload, lines are found by a word, tiles are tapped, and
 * conditions are completed word by word. Without this script the form works as it stands.
 */

import { startHtmxResponses } from "../shared/htmx_responses.js";
import { setTabItem } from "../shared/tab_storage.js";
import { startCompletion } from "./completion.js";
import { deletePublished, draftOf, keyOf } from "./drafts.js";
import { startExample } from "./example_field.js";
import { startTiles } from "./tile_field.js";

const form = document.getElementById("workshop");
const key = keyOf(form.elements.user.value, form.dataset.workshop);
const KEPT_OUT = ["csrfmiddlewaretoken", "user", "drafts", "made_from", "file", "league", "book"];

// --- hands of one's own -----------------------------------------------------------------------------

const ownHands = () => [...form.querySelectorAll("[data-own]")];

function startHand(hand) {
  const kind = hand.querySelector("select[name$='-kind']");
  const tiles = hand.querySelector("[data-tiles]");
  const show = () => {
    tiles.hidden = kind.value !== "tiles";
  };
  kind.addEventListener("change", show);
  show();
  startTiles(tiles, document.getElementById("pad-template"));
  hand.querySelectorAll("[data-words]").forEach(startCompletion);
  hand.querySelectorAll("textarea").forEach(startExample);
}

/** One more hand, as the server would add it: a copy of the last one, blank and with the next number. */
function addHand() {
  const hands = ownHands();
  const [last, number] = [hands.at(-1), hands.length];
  const copy = last.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["id", "name", "for", "aria-describedby"]) {
      const value = element.getAttribute(name);
      if (value) {
        element.setAttribute(name, value.replace(`own-${number - 1}`, `own-${number}`));
      }
    }
  }
  copy.querySelectorAll(".errorlist, [data-made]").forEach((element) => element.remove());
  copy.querySelectorAll("input[type=text], textarea").forEach((field) => {
    field.value = field.name.endsWith("-value") ? "1" : "";
    field.removeAttribute("aria-invalid");
  });
  copy.querySelectorAll("input[type=checkbox]").forEach((box) => {
    box.checked = false;
  });
  const legend = copy.querySelector("legend");
  legend.textContent = legend.textContent.replace(String(number), String(number + 1));
  last.after(copy);
  form.elements["own-count"].value = number + 1;
  startHand(copy);
  return copy;
}

// --- the draft --------------------------------------------------------------------------------------

const entriesOf = () => [...new FormData(form)].filter(([name]) => !KEPT_OUT.includes(name));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
// Of a page that was just opened: what it says without any change. A draft like this is none.
const untouched = "fresh" in form.dataset ? entriesOf() : null;

function save() {
  const entries = entriesOf();
  if (same(entries, untouched)) {
    setTabItem(key, "");
  } else if (!same(entries, draftOf(key).entries)) {
    setTabItem(key, JSON.stringify({ at: Date.now(), entries }));
  }
}

/** The draft of this tab: when it was changed, and its values. */
function keptDraft() {
  const { at, entries } = draftOf(key);
  return entries && !same(entries, untouched) ? { at, values: new Map(entries) } : null;
}

/** Say that the draft is here again, from when, and how to begin afresh. */
function announce(at) {
  const notice = form.querySelector("[data-kept-draft]");
  const time = notice.querySelector("[data-kept-at]");
  const format = { dateStyle: "medium", timeStyle: "short" };
  time.dateTime = new Date(at).toISOString();
  time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, format).format(at);
  notice.querySelector("[data-afresh]").addEventListener("click", () => setTabItem(key, ""));
  notice.hidden = false;
}

function restore({ at, values }) {
  while (ownHands().length && ownHands().length < Number(values.get("own-count") ?? 0)) {
    addHand();
  }
  for (const field of form.elements) {
    // Hidden is what the page says, but for the version from which the draft began.
    const ofPage = field.type === "hidden" && field.name !== "seen";
    if (!field.name || ofPage || field.type === "file" || field.type === "submit") {
      continue;
    }
    if (field.type === "checkbox") {
      field.checked = values.has(field.name);
    } else if (values.has(field.name)) {
      field.value = values.get(field.name);
    }
  }
  form.querySelectorAll("select[name]").forEach((field) => field.dispatchEvent(new Event("change")));
  announce(at);
  // htmx listens once the page is there: then the preview follows.
  setTimeout(() => form.dispatchEvent(new Event("workshop-changed")));
}

// --- lines by a word --------------------------------------------------------------------------------

function startSearch(field) {
  field.hidden = false;
  field.addEventListener("input", (event) => {
    event.stopPropagation(); // it is no change of the draft
    const wanted = asTyped(event.target.value).split(/\s+/).filter(Boolean);
    const groups = [...form.querySelectorAll("[data-group]")];
    groups.forEach((group) => {
      const rows = [...group.querySelectorAll("[data-row]")];
      rows.forEach((row) => {
        const text = asTyped(row.textContent);
        row.hidden = !wanted.every((word) => text.includes(word));
      });
      const matches = rows.some((row) => !row.hidden);
      group.hidden = !matches;
      group.open = wanted.length > 0 && matches;
    });
    form.querySelector("[data-none-found]").hidden = groups.some((group) => !group.hidden);
  });
}

/** `text` in small letters, with the apostrophe that keyboards have. */
const asTyped = (text) => text.toLowerCase().replaceAll("’", "'");

/** A link to a field that stands in a folded group opens it. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#id_']");
  const target = link && document.getElementById(link.hash.slice(1));
  if (target) {
    for (let group = target.closest("details"); group; group = group.parentElement.closest("details")) {
      group.open = true;
    }
    target.focus();
  }
});

ownHands().forEach(startHand);
const search = form.querySelector("[data-search]");
if (search) {
  startSearch(search);
}
form.querySelector("button[name=add]")?.addEventListener("click", (event) => {
  event.preventDefault();
  addHand().querySelector("input").focus();
  save();
});
deletePublished(form.elements.drafts.dataset.published);
const kept = untouched && keptDraft();
if (kept) {
  restore(kept);
} else {
  save();
}
form.addEventListener("input", save);
startHtmxResponses();
// The site says which drafts it has published: until then they stay, for a session may be over.
form.addEventListener("submit", () => {
  const times = [draftOf(key).at, form.elements.made_from?.value];
  form.elements.drafts.value = times.filter(Boolean).join(".");
});
