/**
 * What the server refuses, and what never reaches it: said beside the form, and nothing entered is lost.
 */

// Answers that are pages to show, though they are not a success.
const SHOWN = new Set([409, 422]);
const UNCHANGED = 304;

const path = (url) => new URL(url, document.baseURI).pathname;

/** Whether the answer comes from another page than was asked: the sign-in page, after a while. */
function sentElsewhere({ xhr, pathInfo }) {
  return Boolean(xhr.responseURL) && path(xhr.responseURL) !== path(pathInfo.requestPath);
}

function say(message) {
  const place = document.querySelector("[data-trouble]");
  if (place) {
    place.textContent = message;
    place.hidden = !message;
  }
}

function trouble(detail) {
  const words = document.querySelector("[data-trouble]")?.dataset ?? {};
  const { status } = detail.xhr;
  if (status === 0) {
    return words.offline;
  }
  if (sentElsewhere(detail)) {
    return words.signedOut;
  }
  return status >= 400 && !SHOWN.has(status) ? words.refused : "";
}

/** Begin to watch what becomes of the requests of `isForm` elements. */
export function watchAnswers(isForm) {
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (SHOWN.has(detail.xhr.status)) {
      detail.shouldSwap = true;
      detail.isError = false;
    }
    if (detail.xhr.status === UNCHANGED || sentElsewhere(detail)) {
      detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (isForm(detail.elt)) {
      say(trouble(detail));
    }
  });
  // Signing in again, in another tab, makes a new token: the cookie knows it, the old form does not.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const token = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1];
    if (token) {
      detail.headers["X-CSRFToken"] = token;
      delete detail.parameters.csrfmiddlewaretoken;
    }
  });
}
