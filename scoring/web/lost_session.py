"""What was typed while the session ran out is there again after signing in. Nothing is saved by that.

It waits in the visitor's own session, which signing in keeps. A browser that runs our scripts keeps
the hand itself besides; this is for the others, and for a page that was sent twice.
"""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from .throttles import throttled

KEPT = "typed"
MOST_PLACES = 4
LONGEST_VALUE = 400
# What a table's form asks for.
FIELDS = ("number", "key", "winner", "discarder", "tiles", "claimed_final")

View = Callable[..., HttpResponse]


def keeps_what_was_typed(view: View) -> View:
    """A view of the table ``pk`` for who is signed in; others sign in and find the form as it was."""

    @throttled("sign_in")
    def sign_in_first(request: HttpRequest, pk: int) -> HttpResponse:
        table = reverse("game", args=[pk])
        if typed := typed_at_a_table(request.POST):
            _keep(request, table, typed)
        return redirect_to_login(table)

    @wraps(view)
    def guarded(request: HttpRequest, pk: int) -> HttpResponse:
        return (view if request.user.is_authenticated else sign_in_first)(request, pk)

    return guarded


def typed_at_a_table(sent: QueryDict) -> dict[str, str]:
    """What ``sent`` says of a hand; empty if it says nothing that anybody would miss."""
    typed = {name: sent[name][:LONGEST_VALUE] for name in FIELDS if sent.get(name)}
    return typed if typed.keys() & {"winner", "tiles", "claimed_final"} else {}


def kept_for(request: HttpRequest, table: str) -> QueryDict | None:
    """What was typed at ``table`` (its address) before signing in."""
    typed = request.session.get(KEPT, {}).get(table)
    if typed is None:
        return None
    found = QueryDict(mutable=True)
    found.update(typed)
    return found


def forget(request: HttpRequest, table: str) -> None:
    """A hand was saved at ``table``: what was typed has served."""
    kept = request.session.get(KEPT, {})
    if kept.pop(table, None) is not None:
        request.session.modified = True


def _keep(request: HttpRequest, table: str, typed: dict[str, str]) -> None:
    kept = {place: said for place, said in request.session.get(KEPT, {}).items() if place != table}
    while len(kept) >= MOST_PLACES:
        kept.pop(next(iter(kept)))
    request.session[KEPT] = {**kept, table: typed}
