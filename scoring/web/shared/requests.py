"""Read a request: who sends it, and with what; the game or league that its address names."""

import time
from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from urllib.parse import urljoin

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from scoring.models import Game, League, Player
from scoring.models.game_tables import with_table
from scoring.models.permissions import MEMBERS, REFUSALS, is_own_player

View = Callable[..., HttpResponse]

NOTHING_DONE = _("You were signed out, so nothing was done. Sign in, and try again.")
OF_ANOTHER = _(
    "Somebody else was signed in when this form was shown. Nothing is stored: fill it in again."
)


def by_htmx(request: HttpRequest) -> bool:
    """Whether htmx asks, as its middleware tells."""
    return bool(getattr(request, "htmx", False))


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, not a browser that follows a form."""
    return not request.accepts("text/html") and request.accepts("application/json")


def is_script(request: HttpRequest) -> bool:
    """Whether a script of ours asks, for JSON or for a piece of a page."""
    return wants_json(request) or by_htmx(request)


def sends_by_script(request: HttpRequest) -> bool:
    """Whether a script of ours sends something, such as a hand.

    It is answered in JSON whatever happens: what comes without is of something between the site and the phone.
    """
    return request.method == "POST" and is_script(request)


def members_post(page: str = "..") -> Callable[[View], View]:
    """Make a view that takes POST alone, from whoever is signed in.

    Who is not goes on, once signed in, at the page with the form: the address has none of its own. There
    goes, too, who has signed in since another member was shown the form, if it names them in ``user``.

    :param page: the address of that page, from that of the view.
    """

    def decorated(view: View) -> View:
        for_post = require_POST(view)

        @wraps(view)
        def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if not request.user.is_authenticated:
                if request.method == "POST":
                    messages.warning(request, NOTHING_DONE)
                return redirect_to_login(urljoin(request.path, page))
            if request.method == "POST" and not (is_script(request) or is_its_user(request)):
                messages.warning(request, OF_ANOTHER)
                return redirect(urljoin(request.path, page))
            return for_post(request, *args, **kwargs)

        return asked

    return decorated


def for_its_user(view: View) -> View:
    """A view that answers a script 401 unless the account is signed in that the field ``user`` names.

    A page that stayed open, or was kept for later, still sends what its own member entered: that must
    not be logged in the name of whoever signed in on the same phone since.
    """

    return _guarded(view, is_script)


def for_its_phone(view: View) -> View:
    """:func:`for_its_user` where no form of a page is sent: whatever asks is a script."""
    return _guarded(view, lambda _request: True)


def stores_for_its_user(*buttons: str) -> Callable[[View], View]:
    """Make a view that stores nothing of a form which somebody else entered: its field ``user`` names them.

    The page shows what was typed again, and ``components/its_user.html`` says why. Sent from there, it is
    stored in the name of whoever is signed in. A script that asks for a preview is answered as ever.

    :param buttons: the names of the buttons that store.
    """

    def decorated(view: View) -> View:
        @wraps(view)
        def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if request.method != "POST" or is_its_user(request):
                return view(request, *args, **kwargs)
            sent = request.POST.copy()
            refused = [sent.pop(name) for name in buttons if name in sent]
            request.POST = sent  # type: ignore[assignment]
            request.is_of_another = True  # type: ignore[attr-defined]
            response = view(request, *args, **kwargs)
            if refused and response.status_code == HTTPStatus.OK:
                response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
            return response

        return asked

    return decorated


def _guarded(view: View, asks: Callable[[HttpRequest], bool]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if asks(request) and not is_its_user(request):
            return signed_out()
        return view(request, *args, **kwargs)

    return guarded


def is_its_user(request: HttpRequest, typed: QueryDict | None = None) -> bool:
    """Whether the account is signed in that the field ``user`` names, or the address; any, if it names none.

    :param typed: what was kept of a form that was sent before, and is not in ``request``.
    """
    sent = request.POST if typed is None else typed
    meant = sent.get("user") or request.GET.get("user", "")
    return request.user.is_authenticated and meant in ("", str(request.user.pk))


def signed_out() -> JsonResponse:
    """The 401 of :func:`for_its_user`, in the form of :mod:`scoring.web.table.outcomes`."""
    reasons = [str(REFUSALS[MEMBERS])]
    return JsonResponse(
        {"outcome": "signedOut", "reasons": reasons},
        status=401,
        headers={"Cache-Control": "no-store"},
    )


def visible_game(request: HttpRequest, pk: int) -> Game:
    """The game ``pk`` with its table, and when that was read.

    :raises Http404: if there is none that this person may see.
    """
    # The time before it: what another request reads in between, which may be newer, has a later one.
    read_at = time.time_ns() // 1_000_000
    game = get_object_or_404(with_table(Game.objects.visible_to(request.user)), pk=pk)
    game.read_at = read_at
    return game


def is_own(player: Player, request: HttpRequest) -> bool:
    """Whether ``player`` is the person who asks."""
    return is_own_player(player, request.user)


def chosen_league(leagues: Sequence[League], request: HttpRequest) -> League | None:
    """The one of ``leagues`` that ``?league=`` names, or the first."""
    asked = request.GET.get("league", "")
    return next((one for one in leagues if one.slug == asked), next(iter(leagues), None))


def visible_league(request: HttpRequest, slug: str) -> League:
    """The league at the address ``slug``.

    :raises Http404: if there is none that this person may see.
    """
    return get_object_or_404(League.objects.visible_to(request.user), slug=slug)
