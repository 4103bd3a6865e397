"""The version that a change of rules began from: forms carry it, so that no other one is passed over unseen."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

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
