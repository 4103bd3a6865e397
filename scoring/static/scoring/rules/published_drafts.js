/** The page to which Publish leads: the tab gives up what is published, also for the time after the session. */

import { deletePublished } from "./drafts.js";

deletePublished(document.querySelector("script[data-published]").dataset.published);
