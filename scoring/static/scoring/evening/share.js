/**
 * The recap of an evening: a button copies its text, and another one hands it to the phone's own way of
 * sharing. Without this script the text can be selected in its field.
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

if (navigator.clipboard) {
  document.querySelectorAll("[data-copy]").forEach(startCopying);
}
if (navigator.share) {
  document.querySelectorAll("[data-share]").forEach(startSharing);
}
