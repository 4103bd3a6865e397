/**
 * What htmx makes of an answer at the table: nothing where there is nothing new, or where it is the
 * sign-in page that comes instead.
 */

import { csrfToken } from "../queue/site.js";

const UNCHANGED = 304;
const CONFLICT = 409; // a page to show, though it is no success

const path = (url) => new URL(url, document.baseURI).pathname;

const sentElsewhere = ({ xhr, pathInfo }) =>
  Boolean(xhr.responseURL) && path(xhr.responseURL) !== path(pathInfo.requestPath);

/** Begin to look at every answer before htmx shows it. */
export function watchAnswers() {
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.xhr.status === CONFLICT) {
      detail.shouldSwap = true;
      detail.isError = false;
    }
    if (detail.xhr.status === UNCHANGED || sentElsewhere(detail)) {
      detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const token = csrfToken();
    if (token) {
      detail.headers["X-CSRFToken"] = token;
      delete detail.parameters.csrfmiddlewaretoken;
    }
  });
}
