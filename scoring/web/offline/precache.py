"""List the files that a phone keeps, so that a table opens without a network."""

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find
from django.templatetags.static import static

STYLES = "shared/tokens shared/base shared/components shared/forms shared/game table/table pad/pad pad/asked"
# What table/table.js imports, and what that imports.
SCRIPTS = (
    "offline/page_cache "
    "pad/arrow_keys pad/claim pad/hand pad/hand_view pad/limit_hands pad/notation pad/pad pad/panels "
    "pad/slide pad/tiles "
    "queue/confirmed_state queue/early_hands queue/entries queue/held_tables queue/pauses queue/predict "
    "queue/queue queue/queue_view queue/sender queue/site queue/start queue/store queue/table_state queue/upgrade "
    "shared/htmx_responses shared/tab_storage "
    "table/filled_hand table/hand_form table/open_hand table/optimistic_state table/page_state "
    "table/pending_undo table/polling table/preview table/saving table/steady_taps table/table table/undo table/undo_deadline "
    "table/undone_hands table/winner_row"
)
# What only the tables of some rule books ask for, or whoever signs out.
SCRIPTS_FOR_LATER = "pad/asked queue/sign_out"
OTHERS = (
    "django_htmx/htmx-2.min.js",
    "scoring/shared/device.js",
    "scoring/offline/cached_tables.js",
    "scoring/tiles.svg",
    "scoring/icons.svg",
    "scoring/favicon.svg",
)
FILES = (
    *(f"scoring/{name}.css" for name in STYLES.split()),
    *(f"scoring/{name}.js" for name in (*SCRIPTS.split(), *SCRIPTS_FOR_LATER.split())),
    *OTHERS,
)


def addresses() -> list[str]:
    """Where the files are found, as the pages name them."""
    return [static(name) for name in FILES]


def modules() -> list[str]:
    """The scripts of a table, so that a page can ask for all at once, not import by import."""
    return [static(f"scoring/{name}.js") for name in SCRIPTS.split()]


@cache
def version() -> str:
    """A word that changes with every change of a file, or of where it is found."""
    digest = hashlib.sha256()
    for name, address in zip(FILES, addresses(), strict=True):
        digest.update(address.encode())
        path = find(name)
        if path:
            digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:16]
