"""Guests who become members: who asks for the games of a guest, and who agrees."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.models import GuestClaim, Player
from scoring.models.permissions import Permission, check_permission
from scoring.services.guests import (
    TAKEN_BACK,
    NotClaimable,
    answer_claim,
    claim_guest,
    make_member,
    withdraw_claim,
)
from scoring.services.merging import merged_into
from scoring.typed_numbers import typed_id

from ..shared.requests import members_post

DISAGREES = gettext_lazy(
    "Somebody else has said yes already. If that is wrong, tell an organiser: they can see who said so."
)


@members_post()
def claim(request: HttpRequest, pk: int) -> HttpResponse:
    """Say: that was me."""
    player = get_object_or_404(Player.objects.visible_to(request.user), pk=pk)
    try:
        asked = claim_guest(player, by=request.user)
        if asked.witnesses():
            message = _("Who sat with this guest is asked, and the organisers.")
        else:
            message = _("The organisers are asked.")
        messages.success(request, message)
    except NotClaimable as refusal:
        messages.warning(request, str(refusal))
    return redirect(player)


@members_post()
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back what one has said by :func:`claim`."""
    player = Player.objects.visible_to(request.user).filter(pk=pk).first() or merged_into(pk)
    if player is None:
        raise Http404
    try:
        withdraw_claim(player, by=request.user)
        messages.success(request, _("Taken back: nobody is asked any more."))
    except NotClaimable as refusal:
        messages.warning(request, str(refusal))
    return redirect(player)


@members_post()
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether the one who asks was that guest."""
    asked = typed_id(request.POST.get("claim", ""))
    claim = GuestClaim.objects.select_related("player").filter(pk=asked or 0).first()
    if claim is None:
        player = get_object_or_404(Player.objects.visible_to(request.user), pk=pk)
        messages.warning(request, TAKEN_BACK)
        return redirect(player)
    # What was agreed to may have merged the guest into another player.
    if claim.player_id != pk and merged_into(pk) != claim.player:
        raise Http404
    agree = request.POST.get("answer") == "yes"
    try:
        answer_claim(claim, agree=agree, by=request.user)
        messages.success(request, _("Thank you. Your answer is kept."))
    except NotClaimable as refusal:
        messages.warning(request, str(refusal) if agree or not claim.agreed else DISAGREES)
    return redirect(claim.player)


@members_post()
def member(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a guest be a member of the club."""
    check_permission(request.user, Permission.CHANGE_A_PLAYER)
    player = get_object_or_404(Player, pk=pk)
    make_member(player, by=request.user)
    messages.success(request, _("%(name)s is a member now.") % {"name": player})
    return redirect(player)
