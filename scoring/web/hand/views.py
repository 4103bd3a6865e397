"""The scorecard of a hand, and its picture for sharing."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from scoring.figures import whole
from scoring.models import Hand

from ..offline.precache import version
from ..shared.link_preview import LinkPreview, link_preview
from ..shared.scoresheet import scoresheet_of
from .confirmation_status import confirmation_status
from .confirmations import draft_of_dispute, page_of_kept_dispute
from .picture import draw, sets_to_show


@require_safe
def hand(request: HttpRequest, pk: int) -> HttpResponse:
    """The scorecard of one hand."""
    hands = Hand.objects.visible_to(request.user).with_people().select_related("game__league")
    shown = get_object_or_404(hands, pk=pk)
    if page := page_of_kept_dispute(request, shown):
        return redirect(page)
    sheet = scoresheet_of(shown)
    status = confirmation_status(shown, request.user)
    context: dict[str, Any] = {
        "sheet": sheet,
        "confirmation_status": status,
        "typed": draft_of_dispute(request, shown, status),
    }
    context["preview"] = _preview(request, shown)
    return render(request, "hand/scorecard.html", context)


def _preview(request: HttpRequest, shown: Hand) -> LinkPreview | None:
    """Who wins how much, with the picture of the tiles."""
    if shown.is_win:
        words = {"winner": shown.winner, "final": whole(shown.final)}
        title = _("%(winner)s wins %(final)s") % words
    else:
        title = _("Hand %(number)s: drawn") % {"number": shown.number}
    description = f"{shown.game.league}, {date_format(shown.game.evening)}"
    if shown.tiles:
        description += f": {shown.tiles}"
    picture = reverse("hand_picture", args=[shown.pk]) if sets_to_show(shown) else ""
    return link_preview(request, title, description, picture, alt=shown.tiles)


def _picture_etag(request: HttpRequest, pk: int) -> str | None:
    """Of a hand that may be seen. A version of a hand never changes; who may see it can."""
    visible = Hand.objects.visible_to(request.user).filter(pk=pk).exists()
    return f'"{pk}-{version()}"' if visible else None


@require_safe
@cache_control(private=True, no_cache=True)
@condition(etag_func=_picture_etag)
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """A winning hand for sharing; 404 for a hand without tiles to show."""
    shown = get_object_or_404(Hand.objects.visible_to(request.user), pk=pk)
    sets = sets_to_show(shown)
    if sets is None or shown.final is None:
        raise Http404
    return HttpResponse(draw(sets, shown.final), content_type="image/png")
