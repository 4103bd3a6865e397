/**
 * Who signed in again in another tab has another CSRF token than the page that stayed open: the cookie knows it.
 *
 * A form that says whose it is (`user`) is sent with the token of now: the site refuses what another member was shown.
 */

import { csrfToken } from "../queue/site.js";

document.addEventListener(
  "submit",
  ({ target: { elements } }) => {
    const token = csrfToken();
    if (token && elements.user && elements.csrfmiddlewaretoken) {
      elements.csrfmiddlewaretoken.value = token;
    }
  },
  { capture: true }, // before any script reads the form
);
