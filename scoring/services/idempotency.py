"""Carrying out a call once, however often it is sent."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from scoring.models import IdempotencyKey
from scoring.models.permissions import Account, User, check_signed_in

from .errors import KeyReused
from .expiry import delete_some

TTL = timedelta(days=7)
LONGEST_WITH_CONTENT = 100  # characters of a key: a digest has 64


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """What a writing call answers: an HTTP status and a JSON-able body."""

    status: int
    body: Any
    replayed: bool = False


@transaction.atomic
def idempotent(
    act: Callable[[], StoredResponse], *, by: User, key: str, call: str, body: bytes | str
) -> StoredResponse:
    """Carry out ``act`` unless ``by`` has sent this ``key`` before; then repeat the answer.

    The key is written in the transaction of the act: an act that fails leaves no key behind, and a
    second request with the same key waits for the first. Without a key the act is simply carried out.

    :param call: which call it is, such as ``POST /api/v1/games/``.
    :raises PermissionDenied: for a key of a visitor.
    :raises KeyReused: if the key came before with another call or another body.
    """
    if not key:
        return act()
    by = check_signed_in(by)
    if isinstance(body, str):
        body = body.encode()
    fingerprint = hashlib.sha256(call.encode() + b"\n" + body).hexdigest()
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(user=by, key=key, fingerprint=fingerprint)
    except IntegrityError:
        return _repeated(by, key, fingerprint)
    answer = act()
    row.status, row.answer = answer.status, answer.body
    row.save(update_fields=["status", "answer"])
    # Each call makes one key: none stays long after its time.
    old = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - TTL)
    delete_some(old.order_by("created_at"))
    return answer


def was_carried_out(key: str, *, by: User) -> bool:
    """Whether ``by`` has sent this ``key`` before, within :data:`TTL`, and it was carried out: alone or :func:`with_content`."""
    sent = Q(key=key) | Q(key__startswith=with_content(key, ""))
    return bool(key) and IdempotencyKey.objects.filter(sent, user=by.pk).exists()


def with_content(key: str, digest: str) -> str:
    """The key of what was sent as ``key`` with the content of this ``digest``, where another content is another call."""
    return f"{key[:LONGEST_WITH_CONTENT]} {digest}"


def _repeated(by: Account, key: str, fingerprint: str) -> StoredResponse:
    row = IdempotencyKey.objects.get(user=by, key=key)
    if row.fingerprint != fingerprint:
        raise KeyReused
    return StoredResponse(row.status, row.answer, replayed=True)
