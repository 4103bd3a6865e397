"""Asking about players who sit at another open table."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest

from scoring.models import Player
from scoring.models.permissions import Permission, can
from scoring.services.games import tables_elsewhere
from scoring.translation import listed


def elsewhere_of(
    request: HttpRequest, players: Sequence[Player], error: ValidationError
) -> dict[str, Any] | None:
    """Where some of ``players`` sit already, if that is all that ``error`` asks about."""
    codes = {one.code for errors in error.error_dict.values() for one in errors}
    if codes != {"seated_elsewhere"}:
        return None
    tables = tables_elsewhere(players)
    return {
        "tables": [
            {
                "game": there,
                "names": listed(one.name for one in there.players if one in players),
            }
            for there in tables
        ],
        "may_end": all(can(request.user, Permission.FINISH_A_GAME, there) for there in tables),
    }


def answer_about_elsewhere(request: HttpRequest, players: Sequence[Player]) -> dict[str, Any]:
    """What was answered, as ``open_game`` takes it: seat them ``anyway``, or end what they are ``leaving``."""
    answer = request.POST.get("elsewhere")
    shown = request.POST.getlist("leaving") if answer == "end" else []
    leaving = [there for there in tables_elsewhere(players) if str(there.pk) in shown]
    return {"anyway": answer == "anyway", "leaving": leaving}
