"""Pages that ask whether something shall be deleted, or say why it stays."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scoring.typed_numbers import typed_id


def asked_first(
    request: HttpRequest,
    page: str,
    context: dict[str, Any],
    *,
    why: str,
    newest: Callable[[], int],
    delete: Callable[[int | None], None],
) -> HttpResponse | None:
    """The ``page`` (``components/deletion.html``) that asks or refuses; None once ``delete`` has done it.

    :param context: with "what" is to go. The page gets the "reason" besides.
    :param why: why it stays; empty if it can go.
    :param newest: tells what there is now that could change meanwhile. The form carries it.
    :param delete: is told what the form carried; None, if it did not. It raises ValidationError if it stays after all,
        with the code ``moved_on`` if something else was seen: then the page asks again.
    """
    if request.method != "POST":
        return render(request, page, {**context, "reason": why, "seen": newest()})
    try:
        delete(typed_id(request.POST.get("seen", "")))
    except ValidationError as error:
        sentence = " ".join(error.messages)
        if getattr(error, "code", "") == "moved_on":
            context = {**context, "changed": sentence, "seen": newest()}
            return render(request, page, context, status=409)
        return render(request, page, {**context, "reason": sentence}, status=422)
    return None
