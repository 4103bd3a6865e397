"""Undoing the hand that was just logged: one tap, and it lies in the form again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scoring.models import Hand
from scoring.models.permissions import PermissionDenied
from scoring.services.errors import Conflict
from scoring.services.hands.correct import undo_hand

from ..shared.form_initial import form_initial
from ..shared.hand_form import HandForm
from ..shared.names import short_names
from ..shared.requests import for_its_user, members_post, visible_game, wants_json
from ..shared.sentences import who_won
from . import outcomes
from .views import table_context


@for_its_user
@members_post()
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the hand ``pk`` back; what was entered lies in the form again. Twice is once."""
    hand = get_object_or_404(Hand.objects.visible_to(request.user), pk=pk)
    try:
        undo_hand(hand, by=request.user)
    except (PermissionDenied, Conflict) as refusal:
        return _refused(request, hand, refusal)
    return _undone(request, hand)


def _refused(
    request: HttpRequest, hand: Hand, refusal: PermissionDenied | Conflict
) -> HttpResponse:
    forbidden = isinstance(refusal, PermissionDenied)
    if wants_json(request):
        game = visible_game(request, hand.game_id)
        status = 403 if forbidden else 409
        return outcomes.refused(status, refusal.code, [str(refusal)], game)
    if forbidden:
        raise refusal
    messages.info(request, str(refusal))
    return redirect("game", hand.game_id)


def _undone(request: HttpRequest, hand: Hand) -> HttpResponse:
    game = visible_game(request, hand.game_id)
    message = _("Hand %(number)s was taken back. It is in the form again, so you can correct it.")
    if game.finished:
        message = _("Hand %(number)s was taken back. Reopen the game to enter it again.")
    sentence = message % {"number": hand.number}
    if wants_json(request):
        short = short_names([player.name for player in game.players])
        names: dict[int | None, str] = {
            player.pk: name for player, name in zip(game.players, short, strict=True)
        }
        return outcomes.undone(game, hand, sentence, form_initial(hand), who_won(hand, names))
    form = HandForm(game=game, initial=form_initial(hand))
    messages.info(request, sentence)
    return render(request, "table/table.html", table_context(request, game.pk, form))
