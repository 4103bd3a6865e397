/**
 * Sharing. A link to a page goes to the phone's own way of sharing, or else onto the clipboard; without
 * this script it is a plain link. Of the recap of an evening a button copies the text, and another one
 * shares it; without this script it can be selected in its field.
 */

const fieldOf = (id) => document.getElementById(id);

function startCopying(button) {
  const status = document.querySelector("[data-copied]");
  button.addEventListener("click", async () => {
    const field = fieldOf(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = button.dataset.done;
    } catch {
      // Not allowed here: what is selected can be copied by hand.
      field.select();
    }
  });
  button.hidden = false;
}

function startSharing(button) {
  button.addEventListener("click", () => {
    // Who closes the phone's own list has changed their mind.
    navigator.share({ text: fieldOf(button.dataset.share).value }).catch(() => {});
  });
  button.hidden = false;
}

function startLink(link) {
  const status = document.querySelector("[data-link-copied]");
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (navigator.share) {
      navigator.share({ title: document.title, url: link.href }).catch(() => {});
      return;
    }
    try {
      await navigator.clipboard.writeText(link.href);
      status.textContent = link.dataset.done;
    } catch {
      // Not allowed here: the address stands in the browser's own field.
      window.location.assign(link.href);
    }
  });
}

if (navigator.clipboard || navigator.share) {
  document.querySelectorAll("[data-share-link]").forEach(startLink);
}
if (navigator.clipboard) {
  document.querySelectorAll("[data-copy]").forEach(startCopying);
}
if (navigator.share) {
  document.querySelectorAll("[data-share]").forEach(startSharing);
}
