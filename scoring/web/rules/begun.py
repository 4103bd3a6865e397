"""The version that a change of rules began from: forms carry it, so that no other one is passed over unseen.

They carry the book itself, too: rules that are deleted meanwhile take no draft with them.
"""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from scoring.evaluator.books.loader import frozen, parsed
from scoring.evaluator.problems import HandError
from scoring.models import RuleSet
from scoring.services.errors import NewerVersion
from scoring.typed_numbers import typed_id


def begun_from(ruleset: RuleSet | None) -> str:
    """What a form carries: ``ours:2``; nothing for a book that the club does not have."""
    return f"{ruleset.slug}:{ruleset.latest.number}" if ruleset else ""


def carried(request: HttpRequest, ruleset: RuleSet | None) -> str:
    """What the form that was sent carries; a page that is just opened begins from the newest version."""
    return str(request.POST.get("seen", "")) if request.method == "POST" else begun_from(ruleset)


def seen(request: HttpRequest, slug: str) -> int | None:
    """The number of the version of the rules ``slug`` that a change began from; None for other rules."""
    of, _colon, number = str(request.POST.get("seen", "")).rpartition(":")
    return typed_id(number) if of == slug else None


def newer(refused: NewerVersion, request: HttpRequest) -> dict[str, Any]:
    """For the page: what came in between. The form goes on from there."""
    latest = refused.latest
    now = f"{latest.ruleset.slug}:{latest.number}"
    return {
        "newer": str(refused),
        "newer_query": urlencode({"one": request.POST["seen"], "other": now}),
        "seen": now,
    }


def carried_book(request: HttpRequest) -> dict[str, Any]:
    """The whole book that the form which was sent was made from.

    :raises Http404: if it carries none.
    """
    try:
        book = parsed(request.POST.get("book", ""))
        frozen(book)
    except HandError:
        raise Http404 from None
    if "base" in book:
        raise Http404
    return book


def deleted_since(request: HttpRequest, slug: str) -> dict[str, str]:
    """For the page, if a change of the rules ``slug`` began from a version, and they are gone; else nothing."""
    if seen(request, slug) is None or RuleSet.objects.filter(slug=slug).exists():
        return {}
    return deleted()


def deleted() -> dict[str, str]:
    """For the page: that the rules were deleted meanwhile. The form goes on without them."""
    message = _(
        "These rules were deleted meanwhile. What you typed is still here, and nothing is stored yet: "
        "publish it as new rules."
    )
    return {"deleted": message, "seen": ""}
