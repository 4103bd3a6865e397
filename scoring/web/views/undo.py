"""Undoing the hand that was just logged: one tap, and it lies in the form again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.models import Hand
from scoring.play.correct import undo_hand
from scoring.play.errors import Conflict, NotAllowed

from .. import outcomes
from ..forms.hands import HandForm
from ..outcomes import for_its_user, wants_json
from ..typed import entered
from .games import table_context, visible_game


@require_POST
@for_its_user
@login_required
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the hand ``pk`` back; what was entered lies in the form again. Twice is once."""
    hand = get_object_or_404(Hand.objects.visible_to(request.user), pk=pk)
    try:
        undo_hand(hand, by=request.user)
    except (NotAllowed, Conflict) as refusal:
        return _refused(request, hand, refusal)
    return _undone(request, hand)


def _refused(request: HttpRequest, hand: Hand, refusal: NotAllowed | Conflict) -> HttpResponse:
    forbidden = isinstance(refusal, NotAllowed)
    if wants_json(request):
        game = visible_game(request, hand.game_id)
        status = 403 if forbidden else 409
        return outcomes.refused(status, refusal.code, [str(refusal)], game)
    if forbidden:
        raise PermissionDenied(str(refusal)) from refusal
    messages.info(request, str(refusal))
    return redirect("game", hand.game_id)


def _undone(request: HttpRequest, hand: Hand) -> HttpResponse:
    message = _("Hand %(number)s was taken back. It is back below so you can correct it.")
    sentence = message % {"number": hand.number}
    game = visible_game(request, hand.game_id)
    if wants_json(request):
        return outcomes.undone(game, hand, sentence, entered(hand))
    form = HandForm(game=game, initial=entered(hand))
    messages.info(request, sentence)
    return render(request, "games/table.html", table_context(request, game, form))
