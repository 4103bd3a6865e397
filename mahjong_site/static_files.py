"""Static files under names that change with their content, those that scripts import too."""

import logging
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import cache
from typing import Any

import brotli
import rjsmin
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

logger = logging.getLogger(__name__)

OUR_SCRIPTS = "scoring/*.js"
OUR_STYLES = "scoring/*.css"
# What stands between the words of a style sheet, and texts, in which nothing of it is one.
_TEXT_OR_GAP = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:/\*.*?\*/|\s)+""", re.DOTALL)


class QuickCompressor(Compressor):
    """The last two per cent of the large files would take half a minute at the first start."""

    LARGE = 65_536  # bytes

    @classmethod
    def compress_brotli(cls, data: bytes) -> bytes:
        packed: bytes = brotli.compress(data, quality=9 if len(data) > cls.LARGE else 10)
        return packed


def shorter_script(script: str) -> str:
    """``script`` without comments and spaces: half of what a phone would fetch.

    The minifier goes by letters alone: a template inside another one, or a regular expression right
    behind ``=>``, may be beyond it. ``tests/test_static_files.py`` looks whether all still mean the same.
    """
    shorter: str = rjsmin.jsmin(script)
    return shorter


def shorter_style(style: str) -> str:
    """``style`` without comments, and with one space where there were many.

    No more than that: rcssmin 1.3 takes the space out of ``.sheet :is(th, td)`` in a container query,
    which is another selector then.
    """
    return _TEXT_OR_GAP.sub(lambda found: found[1] or " ", style).strip()


class Shorter:
    """The files of ``storage``, each sent as ``shorten`` makes it."""

    def __init__(self, storage: Storage, shorten: Callable[[str], str]) -> None:
        self.storage = storage
        self.shorten = shorten

    def open(self, path: str) -> "ContentFile[bytes]":
        with self.storage.open(path) as file:
            return ContentFile(self.shorten(file.read().decode()).encode(), name=path)


def as_sent(name: str, storage: Storage) -> "Storage | Shorter":
    """Where the file ``name`` is read from: what is ours is sent without comments."""
    if fnmatch(name, OUR_SCRIPTS):
        return Shorter(storage, shorter_script)
    if fnmatch(name, OUR_STYLES):
        return Shorter(storage, shorter_style)
    return storage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Django can follow ``import … from "./tiles.js"``, but asks to be told; here, for our scripts.

    Else a page would mix a new script with old ones it imports, and a phone without a network would
    miss those it never stored under that name. They and our styles are sent without comments.

    A file that was not collected is missing from pages, and told to the log; it takes no page along.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            OUR_SCRIPTS,
            CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
        ),
    )

    collecting = False

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Meanwhile nothing is told: files of others name maps that they do not bring along."""
        self.collecting = True
        shipped = {name: (as_sent(name, storage), path) for name, (storage, path) in paths.items()}
        try:
            yield from super().post_process(shipped, **options)
        finally:
            self.collecting = False

    def create_compressor(self, **options: Any) -> Compressor:
        return QuickCompressor(**options)

    def stored_name(self, name: str) -> str:
        """The name that changes with the content, or ``name`` where nothing was collected."""
        try:
            return super().stored_name(name)
        except ValueError:
            if not self.collecting:
                _tell_missing(name)
            return name

    def load_manifest(self) -> tuple[dict[str, Any], str]:
        """What was collected; nothing, where that cannot be read."""
        try:
            return super().load_manifest()
        except (ValueError, AttributeError, OSError):
            logger.exception("The list of static files cannot be read: run manage.py collectstatic")
            return {}, ""


@cache
def _tell_missing(name: str) -> None:
    # Once a process: every page asks for the same files.
    logger.error("The static file %s is missing: run manage.py collectstatic", name)
