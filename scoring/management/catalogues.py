"""The catalogues of translations, compiled without gettext's own programs.

What is compiled is kept beside its source, so that the site needs neither to run.
"""

from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings


def sources() -> list[Path]:
    """The catalogues, one a language."""
    return sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/*.po"))


def compiled(source: Path) -> bytes:
    """What the site reads in place of ``source``."""
    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
    output = BytesIO()
    write_mo(output, catalogue)
    return output.getvalue()
