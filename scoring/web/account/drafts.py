"""Keep what was typed for a form that is shown again at another address. Saves nothing.

That is so after signing in, where a session ran out, and where a newer version of the hand stands by now. It is a hand, a
correction, a dispute, or a form that asks why.
It waits in the visitor's own session, which signing in keeps, for the member whose form it was. A browser that runs our scripts keeps
the hand of a table itself besides; this is for the others, and for a page that was sent twice.
"""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from urllib.parse import urljoin

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from scoring.evaluator import notation
from scoring.services.idempotency import was_carried_out
from scoring.translation import LazyText

from ..shared.requests import NOTHING_DONE, OF_ANOTHER, View, is_its_user, members_post
from ..shared.rule_fields import is_rule_field
from ..throttles import throttled

KEPT = "typed"
ANEW = "anew"  # in an address: what was typed before, and not sent, is given up; its digest
MOST_PLACES = 4
MOST_FIELDS = 80  # of the hands of four, with their bonus tiles
LONGEST = 1000  # characters of a field of any other form; more than it may have
NOT_SENT = _("What was written before is here, and not sent yet.")
CARRIED_OUT = _(
    "This form was carried out before you were signed out. What you wrote last is here: send it only if it is another one."
)
NOT_KEPT = frozenset({"csrfmiddlewaretoken", "seen"})
NOT_TYPED = frozenset({"user", "key"})
# What the form of a hand asks for, at the table and where it is corrected.
FIELDS = (
    *("number", "key", "winner", "discarder", "tiles", "claimed_final", "claimed_limit"),
    *("reason", "user"),
)


def form_later(view: View) -> View:
    """A page that anybody may read, with a form of members. Who was signed out meanwhile signs in first, and finds it as it was.

    :func:`typed_before` says what was typed; ``idempotent_form`` deletes that once the form was carried out, and a view
    without it calls :func:`form_done`. Who has signed in since another member was shown the form fills it in
    again, in their own name. For a form that asks for nothing secret; ``components/its_member.html`` stands in it.
    """

    @wraps(view)
    def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "POST":
            if not request.user.is_authenticated:
                return sign_in_to_form(request)
            if not is_its_user(request):
                messages.warning(request, OF_ANOTHER)
                return redirect(_place(request))
        return show_words_if_refused(view)(request, *args, **kwargs)

    return asked


def member_or_form_later(view: View) -> View:
    """As :func:`form_later`, for a page of members alone."""
    with_form = form_later(view)

    @wraps(view)
    def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            return with_form(request, *args, **kwargs)
        return sign_in_to_form(request)

    return asked


def members_form_of(page: str) -> Callable[[View], View]:
    """Make a view as :func:`members_post` does, of a form in another page. Who was signed out meanwhile finds it there as it was.

    :param page: the address of that page, from that of the view.
    """

    def decorated(view: View) -> View:
        for_members = members_post(page)(show_words_if_refused(view))

        @wraps(view)
        def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            request.place_of_form = urljoin(request.path, page)  # type: ignore[attr-defined]
            if request.method == "POST" and not request.user.is_authenticated:
                return sign_in_to_form(request)
            return for_members(request, *args, **kwargs)

        return asked

    return decorated


def show_words_if_refused(view: View) -> View:
    """The page that says who may do this says, too, what the reader wrote: it is not lost with its form."""

    @wraps(view)
    def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except PermissionDenied:
            keep_words(request)
            raise

    return asked


def keep_words(request: HttpRequest) -> None:
    """Let ``403.html`` say what this reader wrote as a reason."""
    typed = request.POST if request.method == "POST" else draft_for(request, _place(request))
    if typed and is_its_user(request, typed):
        request.words = typed.get("reason", "")[:LONGEST]  # type: ignore[attr-defined]


@throttled("sign_in", methods=("POST",))
def sign_in_to_form(request: HttpRequest) -> HttpResponse:
    """Lead who is signed out to the sign-in, and back to this form, with what was typed."""
    names = [name for name in request.POST if name not in NOT_KEPT][:MOST_FIELDS]
    typed = {name: str(request.POST[name])[:LONGEST] for name in names}  # what was emptied, too
    if any(typed[name] for name in typed.keys() - NOT_TYPED):
        keep_draft(request, _place(request), typed)
    elif request.method == "POST":
        messages.warning(request, NOTHING_DONE)
    return redirect_to_login(_place(request))


def typed_before(request: HttpRequest) -> dict[str, LazyText]:
    """What this reader typed into the form of this page before they were signed out, to begin it with.

    The form says so, by ``typed_before`` among its initial values. It keeps its key: it may still be carried out, by a
    request that was sent before. Where it was, the reader is told, and it has another key.
    """
    place = _place(request)
    give_up(request, place)
    typed = draft_for(request, place) if request.method == "GET" else None
    if typed is None:
        return {}
    words: dict[str, LazyText] = {name: str(typed[name]) for name in typed if name != "user"}
    if not words.get("key"):
        words.pop("key", None)
    words |= {"typed_before": NOT_SENT, "anew": _digest(typed.dict())}
    if was_carried_out(str(words.get("key", "")), by=request.user):
        del words["key"]
        words["typed_before"] = CARRIED_OUT
    return words


def give_up(request: HttpRequest, place: str) -> None:
    """Delete what was typed at ``place``, if the address says that this is given up: not what was typed since."""
    typed = request.session.get(KEPT, {}).get(place)
    if typed is not None and request.GET.get(ANEW) == _digest(typed):
        delete_draft(request, place)


def given_up_at(draft: QueryDict) -> str:
    """The address, from its own form, at which ``draft`` is given up."""
    return f"?{ANEW}={_digest(draft.dict())}"


def _digest(typed: Mapping[str, object]) -> str:
    return sha256(json.dumps(typed, sort_keys=True).encode()).hexdigest()[:12]


def form_done(request: HttpRequest, *, key: str = "") -> None:
    """The form of this page was carried out: what was typed there before has served.

    :param key: where only the draft with this key has.
    """
    place = _place(request)
    typed = request.session.get(KEPT, {}).get(place)
    if typed is not None and key in ("", typed.get("key")):
        delete_draft(request, place)


def _place(request: HttpRequest) -> str:
    """The address of the form: what its query asks for belongs to it."""
    if place := getattr(request, "place_of_form", ""):
        return str(place)
    query = request.GET.copy()
    query.pop(ANEW, None)
    return f"{request.path}?{query.urlencode()}" if query else request.path


@throttled("sign_in", methods=("POST",))
def sign_in_first(
    request: HttpRequest, place: str, typed: dict[str, str] | None = None
) -> HttpResponse:
    """Lead who is signed out to the sign-in, and from there to ``place``, whose form is as it was.

    :param typed: what was entered there, if that is no hand.
    """
    if typed := typed_at_a_table(request.POST) if typed is None else typed:
        keep_draft(request, place, typed)
    return redirect_to_login(place)


def move_draft(request: HttpRequest, typed: QueryDict, *, before: str, place: str) -> bool:
    """Keep what was ``typed`` in the form at ``before`` for the one at ``place``; whether it says a hand.

    That is another form: it has a key of its own.
    """
    kept = typed_at_a_table(typed)
    if kept:
        delete_draft(request, before)
        keep_draft(
            request, place, {name: kept[name] for name in kept if name not in ("key", "number")}
        )
    return bool(kept)


def typed_at_a_table(sent: QueryDict) -> dict[str, str]:
    """What ``sent`` says of a hand; empty if it says nothing that anybody would miss."""
    kept = [name for name in sent if name in FIELDS or is_rule_field(name)][:MOST_FIELDS]
    typed = {name: str(sent[name])[: notation.LONGEST] for name in kept if sent[name]}
    return typed if typed.keys() & {"winner", "tiles", "claimed_final", "claimed_limit"} else {}


def draft_for(request: HttpRequest, place: str) -> QueryDict | None:
    """What this reader typed into the form at ``place`` (its address). What another member typed there is deleted."""
    typed = request.session.get(KEPT, {}).get(place)
    if typed is None or not request.user.is_authenticated:
        return None
    draft = QueryDict(mutable=True)
    draft.update(typed)
    if not is_its_user(request, draft):
        delete_draft(request, place)
        return None
    return draft


def delete_draft(request: HttpRequest, place: str) -> None:
    """What was typed at ``place`` has served, or is given up."""
    kept = request.session.get(KEPT, {})
    if kept.pop(place, None) is not None:
        request.session.modified = True


def keep_draft(request: HttpRequest, place: str, typed: dict[str, str]) -> None:
    """Keep what was ``typed`` for the form at ``place`` (its address)."""
    kept = {
        other: draft for other, draft in request.session.get(KEPT, {}).items() if other != place
    }
    while len(kept) >= MOST_PLACES:
        kept.pop(next(iter(kept)))
    request.session[KEPT] = {**kept, place: typed}
