/** A page that shows what its form would do, while it is filled in. */

import { startHtmxResponses } from "./htmx_responses.js";

startHtmxResponses();
