"""Pages that ask whether something shall be deleted, or say why it stays."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def asked_first(
    request: HttpRequest,
    page: str,
    context: dict[str, Any],
    *,
    why: str,
    delete: Callable[[], None],
) -> HttpResponse | None:
    """The ``page`` (``components/deletion.html``) that asks or refuses; None once ``delete`` has done it.

    :param context: with "what" is to go. The page gets the "reason" besides.
    :param why: why it stays; empty if it can go.
    :param delete: raises ValidationError if it stays after all.
    """
    if request.method != "POST":
        return render(request, page, {**context, "reason": why})
    try:
        delete()
    except ValidationError as error:
        return render(request, page, {**context, "reason": " ".join(error.messages)}, status=422)
    return None
