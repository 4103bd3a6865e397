"""Confirming and disputing a hand, on one's own phone or on the one that is passed round."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.models import Hand, Player
from scoring.play.confirm import confirm_hand, dispute_hand, settle_hand
from scoring.play.errors import Conflict, NotAllowed

from ..forms.corrections import ReasonForm
from ..trust import trust_of
from .corrections import visible_hand

SAYS = {"confirm": confirm_hand, "dispute": dispute_hand}


@login_required
@require_safe
def pass_the_phone(request: HttpRequest, pk: int) -> HttpResponse:
    """The others say, one after the other on the scorer's phone, whether the hand is right."""
    hand = visible_hand(request, pk)
    trust = trust_of(hand, request.user)
    if trust is None or not (trust.pass_on or trust.own):
        return redirect("hand", pk)
    return render(request, "hands/pass_the_phone.html", {"hand": hand, "trust": trust})


@login_required
@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """One tap: the hand is right, or it is not. ``player`` says whose tap it is."""
    hand = visible_hand(request, pk)
    say = SAYS.get(request.POST.get("answer", ""))
    if say is None:
        return redirect("hand", pk)
    try:
        after = say(hand, by=request.user, player=_player(request, hand))
        messages.success(request, _said(after))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except Conflict as refusal:
        messages.info(request, str(refusal))
        return redirect(refusal.hand or hand.game)
    return _back(request, hand)


@login_required
@require_http_methods(["GET", "POST"])
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """An organiser lets a disputed hand stand, and says why."""
    hand = visible_hand(request, pk)
    form = ReasonForm(request.POST or None)
    trust = trust_of(hand, request.user)
    try:
        if form.is_bound and form.is_valid():
            settle_hand(hand, by=request.user, reason=form.cleaned_data["reason"])
            messages.success(
                request, _("The dispute is settled: the hand counts as it was logged.")
            )
            return redirect("hand", pk)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except Conflict as refusal:
        messages.info(request, str(refusal))
        return redirect(refusal.hand or hand.game)
    except ValidationError as error:
        form.refuse(error)
    if trust is None or not trust.may_settle:
        raise PermissionDenied
    context = {"hand": hand, "form": form, "trust": trust}
    return render(request, "hands/settle.html", context, status=422 if form.is_bound else 200)


def _player(request: HttpRequest, hand: Hand) -> Player | None:
    """Whose answer it is, of the four; None for the reader's own."""
    named = request.POST.get("player", "")
    if not named:
        return None
    found = next((one for one in hand.game.players if str(one.pk) == named), None)
    if found is None:
        raise NotAllowed(_("Only the players of this table confirm or dispute its hands."))
    return found


def _said(hand: Hand) -> str:
    if hand.status == Hand.Status.DISPUTED:
        return _("Hand %(number)s is disputed: its points wait until it is settled.") % {
            "number": hand.number
        }
    return _("Thank you. Hand %(number)s is confirmed.") % {"number": hand.number}


def _back(request: HttpRequest, hand: Hand) -> HttpResponse:
    """Where the tap came from: the page of the hand, or the phone that goes round."""
    wanted = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}):
        return redirect(wanted)
    return redirect(hand)
