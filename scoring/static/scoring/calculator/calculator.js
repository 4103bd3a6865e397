/**
 * The calculator: a sentence about the hand that was refused goes when another result comes.
 */

document.body.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "result") {
    document.getElementById("id_tiles_error")?.remove();
    document.querySelector(".calculator .field--error")?.classList.remove("field--error");
    document.getElementById("id_tiles").removeAttribute("aria-invalid");
  }
});
