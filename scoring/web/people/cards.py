"""Cards to hand out: an invitation for each of many people, on one page to print."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.models.permissions import Permission, check_permission
from scoring.queries.people import without_account
from scoring.services.invitations import invite_each, join_path

from ..shared.qr import card_code
from .forms import CardsForm


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def invitation_cards(request: HttpRequest) -> HttpResponse:
    """Choose who gets a card; then the cards, which are shown this once. ``?tick=none`` ticks nobody."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    form = CardsForm(
        request.POST if request.method == "POST" else None,
        people=without_account(),
        ticked=request.GET.get("tick") != "none",
    )
    if form.is_bound and form.is_valid():
        try:
            return _cards(request, form)
        except ValidationError as error:
            form.refuse(error)
    status = 422 if form.is_bound else 200
    return render(request, "people/choose_cards.html", {"form": form}, status=status)


def _cards(request: HttpRequest, form: CardsForm) -> HttpResponse:
    """The page to print.

    :raises ValidationError: for what cannot be invited.
    """
    chosen = form.cleaned_data
    cards = []
    made = invite_each(by=request.user, **chosen)
    for invitation, code in made:
        address = request.build_absolute_uri(join_path(code))
        cards.append((invitation, address, card_code(address)))
    return render(request, "people/cards.html", {"cards": cards})
