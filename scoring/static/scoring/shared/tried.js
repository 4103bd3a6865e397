/** A page that shows what its form would do, while it is filled in. */

import { startCurrentToken } from "./current_token.js";
import { startHtmxResponses } from "./htmx_responses.js";

startCurrentToken(document.querySelector("form[hx-post]"));
startHtmxResponses();
