/**
 * Says on the page when the browser used or made no passkey: none that fits, cancelled, or too late.
 */

const notice = document.querySelector("[data-passkey-failed]");

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-passkey]")) {
    notice.hidden = true;
  }
});
