"""Writing calls: each is carried out once, however often it is sent."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.services.idempotency import StoredResponse, idempotent

KEY_HEADER = "Idempotency-Key"
REPLAY_HEADER = "Idempotent-Replay"
LONGEST_KEY = 200
# What is not kept of a body, not even in a fingerprint: a few digits are soon tried out.
SECRET = {"pin"}


def run_idempotent(
    request: Request, act: Callable[[str], Any], *, created: int = status.HTTP_201_CREATED
) -> Response:
    """Answer with what ``act`` returns, or with what it returned when this request came before.

    ``act`` is given the key, writes in the transaction that keeps the key, and returns a JSON-able
    body, or an :class:`StoredResponse` where it knows better how the call ended. A body counts as the same whatever its white space and the order of its names.

    :raises KeyReused: if the key came before with another request.
    :raises ValidationError: if the key is none.
    """
    key = idempotency_key(request)
    answer = idempotent(
        lambda: _as_answer(act(key), created),
        by=request.user,
        key=key,
        call=f"{request.method} {request.path}",
        body=json.dumps(_without_secrets(request.data), sort_keys=True),
    )
    if answer.replayed:
        return Response(answer.body, status.HTTP_200_OK, headers={REPLAY_HEADER: "true"})
    return Response(answer.body, answer.status)


def _as_answer(result: Any, status: int) -> StoredResponse:
    return result if isinstance(result, StoredResponse) else StoredResponse(status, result)


def _without_secrets(data: Any) -> Any:
    if not isinstance(data, Mapping):
        return data
    return {name: value for name, value in data.items() if name not in SECRET}


def idempotency_key(request: Request) -> str:
    """The key of ``request``; empty without one.

    :raises ValidationError: for a key that cannot be kept.
    """
    key = request.headers.get(KEY_HEADER, "").strip()
    # A server hands on a header that it cannot read as an empty one.
    unreadable = not key and KEY_HEADER in request.headers
    if unreadable or len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        message = _("A key has at most %(longest)s plain characters: a UUID will do.")
        raise ValidationError({KEY_HEADER: [message % {"longest": LONGEST_KEY}]})
    return key
