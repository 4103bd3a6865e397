"""The secret key that is made once and kept, so that nobody runs with a default one."""

import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def kept_secret_key(path: Path) -> str:
    """The key in ``path``; made on the first call, readable by its owner only."""
    try:
        # O_EXCL: of several workers that start at once, one makes the key and the others read it.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        key = get_random_secret_key()
        file.write(key)
    return key
