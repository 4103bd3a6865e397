/**
 * How htmx treats the responses of the site: it swaps nothing in for 304, nor for the sign-in page that a
 * redirect leads to. An element says in `data-signed-out` what is shown there instead.
 */

import { csrfToken } from "../queue/site.js";

const UNCHANGED = 304;
const SIGNED_OUT = 401;
const CONFLICT = 409; // a page to show, though it is no success

const path = (url) => new URL(url, document.baseURI).pathname;

const sentElsewhere = ({ xhr, pathInfo }) =>
  Boolean(xhr.responseURL) && path(xhr.responseURL) !== path(pathInfo.requestPath);

/** Check every response before htmx shows it, and send the current CSRF token. */
export function startHtmxResponses() {
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.xhr.status === CONFLICT) {
      detail.shouldSwap = true;
      detail.isError = false;
    }
    const isElsewhere = sentElsewhere(detail);
    if (detail.xhr.status === UNCHANGED || isElsewhere) {
      detail.shouldSwap = false;
    }
    const { signedOut } = detail.target.dataset;
    if (signedOut && (detail.xhr.status === SIGNED_OUT || isElsewhere)) {
      detail.target.textContent = signedOut; // what is shown there is of before
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
