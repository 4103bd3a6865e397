"""The people of the club, and what each of them has done."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.models import Player
from scoring.models.permissions import Permission, can, check_signed_in
from scoring.queries.head_to_head import against
from scoring.queries.players import Profile, disputed_of, player_list, player_profile
from scoring.queries.seating import open_claims
from scoring.queries.story import player_story
from scoring.services.guests import why_not_claimed
from scoring.services.merging import merged_into

from ..shared.link_preview import link_preview
from ..shared.requests import chosen_league
from .graphs import points, rating

A_PAGE = 50


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Everybody who plays, by name; ``?q=`` looks for a part of a name."""
    wanted = request.GET.get("q", "").strip()
    page = Paginator(player_list(request.user, wanted), A_PAGE).get_page(request.GET.get("page"))
    return render(request, "player/index.html", {"page": page, "wanted": wanted})


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """One player: rank, best hands, pictures of points and rating, recent games, how they win."""
    visible = Player.objects.visible_to(request.user)
    shown = visible.filter(pk=pk).first()
    if shown is None:
        other = merged_into(pk)
        return redirect(get_object_or_404(visible, pk=other.pk if other else pk))
    profile = player_profile(shown, request.user)
    games = [(game, game.score_of(shown)) for game in profile.games]
    context = {"profile": profile, "player": shown, "games": games, **_in_league(request, profile)}
    context |= {
        "disputed": any(game.hands for game in profile.games) and not profile.statistics.hands,
        "preview": link_preview(
            request,
            shown,
            _("What %(player)s has played: leagues, best hands, games.") % {"player": shown},
            reverse("player_picture", args=[pk]),
        ),
        "changes_player": can(request.user, Permission.CHANGE_A_PLAYER),
        **_guest(request, shown),
    }
    return render(request, "player/player.html", context)


@require_safe
def against_others(request: HttpRequest, pk: int) -> HttpResponse:
    """What one player has won from each other, in the leagues that the reader may see."""
    shown = get_object_or_404(Player.objects.visible_to(request.user), pk=pk)
    line = against(shown, request.user)
    disputed = disputed_of(shown, request.user, line.against)
    context = {"player": shown, "line": line, "disputed": disputed}
    return render(request, "player/against.html", context)


@require_safe
def how_they_play(request: HttpRequest, pk: int) -> HttpResponse:
    """How one player wins and loses, in the leagues that the reader may see."""
    shown = get_object_or_404(Player.objects.visible_to(request.user), pk=pk)
    story = player_story(shown, request.user)
    disputed = disputed_of(shown, request.user, story.ways.hands)
    context = {"player": shown, "story": story, "disputed": disputed}
    return render(request, "player/story.html", context)


def _in_league(request: HttpRequest, profile: Profile) -> dict[str, Any]:
    """Rank and pictures in one league: the one that was asked for, or that of the latest game."""
    latest = [one.game.league_id for one in profile.games[:1]]
    with_hands = sorted(profile.with_hands, key=lambda league: league.pk not in latest)
    league = chosen_league(with_hands, request)
    if league is None:
        return {}
    now = next((one for one in profile.leagues if one.tally.league == league), None)
    graphs = [points(profile.player, league), rating(profile.player, league)]
    return {"league": league, "now": now, "graphs": [one for one in graphs if one]}


def _guest(request: HttpRequest, player: Player) -> dict[str, Any]:
    """Of a guest: who asks for the games, and whether the reader can."""
    if not player.guest or not request.user.is_authenticated:
        return {}
    claims = open_claims(player, request.user)
    asked = any(claim.by_id == request.user.pk for claim in claims)
    return {"claims": claims, "may_claim": not asked and not why_not_claimed(player, request.user)}


@login_required
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """One's own page; who runs the club without playing gets the page of the account."""
    own = Player.objects.filter(user=check_signed_in(request.user)).first()
    return redirect(own or "account")
