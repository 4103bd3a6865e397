"""Answer and log what fails before any middleware: the outermost layer of the site."""

import codecs
import logging
import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.utils.translation import deactivate

from .errors import failed
from .request_ids import HEADER, SANE, current, new

logger = logging.getLogger(__name__)

Environment = dict[str, Any]
Application = Callable[[Environment, Callable[..., Any]], Iterable[bytes]]

CHARSET = re.compile(r"""charset\*?\d*\*?\s*=\s*["']?([^\s;"']*)""", re.IGNORECASE)
# Python knows a hundred encodings, some of which are none of text (zip), and some that take a second
# for a line (idna). In these a form or a query can be read.
READABLE = frozenset(["utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252"])


class Outermost:
    """Refuses what Django cannot even make a request of, and catches what it does not."""

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environment, start_response: Callable[..., Any]) -> Iterable[bytes]:
        # A thread speaks the language of its last request until another one says otherwise.
        deactivate()
        if not is_readable(environ.get("CONTENT_TYPE", "")):
            return _answer(400, environ, start_response)
        try:
            return self.application(environ, start_response)
        except SuspiciousOperation:  # a query of thousands of fields
            return _answer(400, environ, start_response)
        except Exception:
            return _answer(500, environ, start_response)


def is_readable(content_type: str) -> bool:
    """Whether the header names no encoding, an unknown one (Django takes UTF-8), or one of text."""
    return all(map(_is_readable_name, CHARSET.findall(content_type)))


def _is_readable_name(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name in READABLE
    except LookupError:
        return True
    except ValueError:  # a null character in a name
        return False


def _answer(status: int, environ: Environment, start_response: Callable[..., Any]) -> list[bytes]:
    given = environ.get("HTTP_X_REQUEST_ID", "")
    number = given if SANE.fullmatch(given) else new()
    token = current.set(number)
    try:
        response = failed(status, environ.get("PATH_INFO", ""), number)
        fields = {"method": environ.get("REQUEST_METHOD"), "route": None, "status": status}
        broken = status >= 500
        level = logging.ERROR if broken else logging.INFO
        logger.log(level, "request", exc_info=broken, extra={"fields": fields})
    finally:
        current.reset(token)
    body = b"" if environ.get("REQUEST_METHOD") == "HEAD" else response.content
    response.headers[HEADER] = number
    response.headers["Content-Length"] = str(len(response.content))
    start_response(f"{status} {HTTPStatus(status).phrase}", list(response.items()))
    return [body]
