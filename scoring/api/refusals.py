"""From an exception to its problem document: whoever refused, and in whatever way."""

import logging
from collections.abc import Iterator, Mapping
from functools import singledispatch
from typing import Any

from django.conf import settings
from django.core import exceptions as core
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse
from django.utils.encoding import force_str
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from scoring.models.refusals import NOTHING_HERE
from scoring.operations.database_trouble import (
    RETRY_AFTER,
    log_if_lasting,
    status_of,
)
from scoring.services.errors import (
    Conflict,
    KeyReused,
    NewerVersion,
    SignInStopped,
    TooManyAttempts,
)

from .own_sentences import BY_CODE, OF_EXCEPTIONS
from .problems import (
    INVALID,
    Error,
    ProblemResponse,
    gone_meanwhile,
    our_fault,
    too_large,
    too_often,
    unavailable,
    unreadable,
)

logger = logging.getLogger(__name__)


class TableConflict(Conflict):
    """A conflict with what the caller needs to go on, in the shapes of the API.

    :ivar shown: ``hand`` (or None) and ``state``.
    """

    def __init__(self, conflict: Conflict, shown: Mapping[str, Any]) -> None:
        super().__init__(
            str(conflict), code=conflict.code, state=conflict.state, hand=conflict.hand
        )
        self.shown = shown


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """What REST framework answers when a view raises ``exc``; None in DEBUG for a bug."""
    set_rollback()
    problem = problem_of(exc)
    if problem is not None or settings.DEBUG:
        return problem
    # Told to the log and to whoever listens, as Django does with an error in a page.
    request = context.get("request")
    got_request_exception.send(sender=None, request=request)
    logger.error("Error in %s", type(context.get("view")).__name__, exc_info=exc)
    number = getattr(request, "request_id", "")
    status = status_of(exc)
    if status == 503:
        log_if_lasting(exc, request)
        return unavailable(RETRY_AFTER, number)
    return gone_meanwhile(number) if status == 409 else our_fault(number)


@singledispatch
def problem_of(exc: Exception) -> ProblemResponse | None:
    """The problem document of ``exc``; None for an exception that is a bug."""
    return None


@problem_of.register
def _invalid(exc: core.ValidationError) -> ProblemResponse:
    return _refused(_django_errors(exc))


@problem_of.register
def _invalid_shape(exc: exceptions.ValidationError) -> ProblemResponse:
    return _refused(_rest_errors(exc.detail))


@problem_of.register
def _table_moved_on(exc: TableConflict) -> ProblemResponse:
    return ProblemResponse(409, str(exc), code=exc.code, extra=exc.shown)


@problem_of.register
def _newer_version(exc: NewerVersion) -> ProblemResponse:
    return ProblemResponse(409, str(exc), code=exc.code, extra={"version": exc.latest.number})


@problem_of.register
def _key_reused(exc: KeyReused) -> ProblemResponse:
    message = _(
        "This Idempotency-Key came before with another request: use a new key for a new hand."
    )
    return ProblemResponse(422, message, code=exc.code)


@problem_of.register(core.PermissionDenied)
def _not_allowed(exc: Exception) -> ProblemResponse:
    code = getattr(exc, "code", "")
    return ProblemResponse(403, str(exc) or _("You may not do this."), code=code)


@problem_of.register(TooManyAttempts)
@problem_of.register(SignInStopped)
def _too_many_attempts(exc: TooManyAttempts | SignInStopped) -> ProblemResponse:
    problem = ProblemResponse(429, str(exc))
    problem.headers["Retry-After"] = str(exc.seconds)
    return problem


@problem_of.register
def _not_found(exc: Http404) -> ProblemResponse:
    return ProblemResponse(404, str(NOTHING_HERE))


@problem_of.register
def _suspicious(exc: core.SuspiciousOperation) -> ProblemResponse:
    return unreadable()


@problem_of.register
def _too_large(exc: core.RequestDataTooBig) -> ProblemResponse:
    return too_large()


@problem_of.register
def _throttled(exc: exceptions.Throttled) -> ProblemResponse:
    return too_often(int(getattr(exc, "wait", None) or 0) + 1)


@problem_of.register
def _framework_problem(exc: exceptions.APIException) -> ProblemResponse:
    problem = ProblemResponse(exc.status_code, _detail(exc))
    if auth_header := getattr(exc, "auth_header", None):
        problem.headers["WWW-Authenticate"] = auth_header
    return problem


def _detail(exc: exceptions.APIException) -> str:
    """What ``exc`` says; for what REST framework raises by itself, our sentence."""
    if isinstance(exc, exceptions.PermissionDenied):
        if str(exc.detail).startswith("CSRF Failed"):
            return _("The CSRF token of the session is missing or wrong: send it as X-CSRFToken.")
        if exc.detail == exc.default_detail:
            return _("You may not do this.")
    if type(exc) in OF_EXCEPTIONS:
        return str(OF_EXCEPTIONS[type(exc)])
    return force_str(exc.detail)


def _refused(errors: Iterator[Error]) -> ProblemResponse:
    details = list(errors)
    sentences = dict.fromkeys(error["message"] or "" for error in details)
    return ProblemResponse(400, " ".join(sentences), code=INVALID, errors=details)


def _django_errors(exc: core.ValidationError) -> Iterator[Error]:
    if not hasattr(exc, "error_dict"):
        yield from (_error(None, error) for error in exc.error_list)
        return
    for field, errors in exc.error_dict.items():
        named = None if field == core.NON_FIELD_ERRORS else field
        yield from (_error(named, error) for error in errors)


def _error(field: str | None, error: core.ValidationError) -> Error:
    code = error.code or INVALID
    return {
        "field": field,
        "code": code,
        "message": str(BY_CODE.get(code, " ".join(error.messages))),
    }


def _rest_errors(detail: Any, field: str | None = None) -> Iterator[Error]:
    """Each error in a tree of them; the field of what lies deeper is as ``melds.0``."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            yield from _rest_errors(inner, _below(field, key))
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            deeper = isinstance(inner, Mapping | list)
            yield from _rest_errors(inner, _below(field, position) if deeper else field)
    else:
        code = getattr(detail, "code", None) or INVALID
        yield {"field": field, "code": code, "message": force_str(BY_CODE.get(code, detail))}


def _below(field: str | None, key: str | int) -> str | None:
    if key in (api_settings.NON_FIELD_ERRORS_KEY, core.NON_FIELD_ERRORS):
        return field
    return str(key) if field is None else f"{field}.{key}"
