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

from ..forms.hands import HandForm
from ..typed import entered
from .games import table_context, visible_game


@login_required
@require_POST
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the hand ``pk`` back and show its table with what was entered, to be mended or left."""
    hand = get_object_or_404(Hand.objects.visible_to(request.user), pk=pk)
    try:
        undo_hand(hand, by=request.user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except Conflict as refusal:
        return _shown(request, hand, message=str(refusal), status=409)
    message = _("Hand %(number)s was taken back. It lies here again, to be mended.")
    return _shown(request, hand, message=message % {"number": hand.number})


def _shown(request: HttpRequest, hand: Hand, *, message: str, status: int = 200) -> HttpResponse:
    if not request.htmx:
        messages.info(request, message)
        return redirect("game", hand.game_id)
    game = visible_game(request, hand.game_id)
    form = None if status == 409 else HandForm(game=game, initial=entered(hand))
    context = table_context(request, game, form, told=message)
    return render(request, "games/_table.html", context, status=status)
