/**
 * The forms in which somebody agrees with a hand or disputes it.
 */

import { startCurrentToken } from "../shared/current_token.js";

for (const form of document.querySelectorAll(".answer__form")) {
  startCurrentToken(form);
}
