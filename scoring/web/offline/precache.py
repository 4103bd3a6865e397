"""What a phone keeps so that a table opens without a network: the files its page is made of."""

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find
from django.templatetags.static import static

STYLES = "tokens base components forms game table pad"
# What js/table.js imports, and what that imports.
SCRIPTS = (
    "table answers arrows claim entry fold hand limits live notation offline open_hand "
    "optimistic_state pad panels preview saving showing slide switches tab tiles tray undo undo_key who "
    "queue/entries queue/panel queue/predict queue/queue queue/sender queue/site queue/start "
    "queue/store queue/upgrade queue/word"
)
OTHERS = (
    "django_htmx/htmx-2.min.js",
    "scoring/js/device.js",
    "scoring/js/kept.js",
    "scoring/tiles.svg",
    "scoring/icons.svg",
    "scoring/favicon.svg",
)
FILES = (
    *(f"scoring/css/{name}.css" for name in STYLES.split()),
    *(f"scoring/js/{name}.js" for name in SCRIPTS.split()),
    *OTHERS,
)


def addresses() -> list[str]:
    """Where the files are found, as the pages name them."""
    return [static(name) for name in FILES]


def modules() -> list[str]:
    """The scripts of a table, so that a page can ask for all at once, not import by import."""
    return [static(f"scoring/js/{name}.js") for name in SCRIPTS.split()]


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
