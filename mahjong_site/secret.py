"""The secret key that is made once and kept, so that nobody runs with a default one."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key


def kept_secret_key(path: Path) -> str:
    """The key in ``path``; made on the first call, readable by its owner only.

    :raises ImproperlyConfigured: if it cannot be kept there.
    """
    try:
        if not path.exists():
            _make(path)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Nothing can be kept in {path.parent} ({error.strerror}): name a folder of your own in "
            "VAR_DIR."
        ) from error
    return path.read_text().strip()


def _make(path: Path) -> None:
    # Temporary files are their owner's alone. The link appears with the whole key in it, and only
    # once: of several workers that start together, one makes the key and all of them read it.
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.name) as file:
        file.write(get_random_secret_key())
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)
