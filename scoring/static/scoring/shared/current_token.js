/**
 * Who signed in again in another tab has another CSRF token than the page that stayed open: the cookie knows it.
 */

import { csrfToken } from "../queue/site.js";

/** Send `form` with the token of now. */
export function startCurrentToken(form) {
  form.addEventListener("submit", () => {
    const token = csrfToken();
    if (token) {
      form.elements.csrfmiddlewaretoken.value = token;
    }
  });
}
