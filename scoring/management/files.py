"""The files that commands read and write: ``-`` is the terminal's own stream, ``.gz`` is packed."""

import gzip
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from django.utils.translation import gettext as _

from scoring.operations.atomic_file import atomic_write

# A plain file, or one that packs what is written.
ByteStream = BinaryIO | gzip.GzipFile

STREAM = "-"
PACKED = ".gz"
SHEET = ".csv"


@contextmanager
def writing(name: str, *, overwrite: bool = False) -> Iterator[ByteStream]:
    """A file that appears once it is whole. Of one content two packed files are alike.

    :raises FileExistsError: if there is one already, unless ``overwrite``.
    """
    if name == STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if path.exists() and not overwrite:
        raise FileExistsError(_("There is already a file %(path)s.") % {"path": path})
    with atomic_write(path) as partial, partial.open("wb") as file:
        if name.endswith(PACKED):
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield packed
        else:
            yield file


@contextmanager
def reading(name: str) -> Iterator[ByteStream]:
    """:raises OSError: if it cannot be read."""
    if name == STREAM:
        yield sys.stdin.buffer
    elif name.endswith(PACKED):
        with gzip.open(name) as file:
            yield file
    else:
        with Path(name).open("rb") as file:
            yield file


def is_sheet(name: str) -> bool:
    """Whether a file of that name holds hands as CSV."""
    return name.removesuffix(PACKED).endswith(SHEET)


@contextmanager
def as_text(file: ByteStream) -> Iterator[TextIO]:
    """``file`` as CSV is written: in UTF-8; and as it is read: in UTF-8, or as its mark says.

    What is of no encoding is left in the text, for the reader to tell the line.
    """
    readable = file.readable()
    if readable:
        file = file if hasattr(file, "peek") else BufferedReader(file)  # type: ignore[type-var]
        wide = file.peek(2)[:2] in (BOM_UTF16_LE, BOM_UTF16_BE)
        encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
        text = TextIOWrapper(file, encoding=encoding, errors=errors, newline="")
    else:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        yield text
    finally:
        if not readable:
            text.flush()
        text.detach()
