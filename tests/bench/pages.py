"""How long pages and league tables take at a club with very many hands."""

from collections.abc import Callable
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import Game, Hand, League, Player
from scoring.models.days import club_day
from scoring.queries.standings import standings

from .report import Line, printed
from .timing import MILLI, times

TIMES = 20
MOST_QUERIES = 6


def run() -> str:
    league = League.objects.get()
    today = club_day()
    first = timezone.localdate(Hand.objects.earliest("played_at").played_at)
    passed = today - first
    days = {"now": None, "as of last week": today - timedelta(7), "half-way": first + passed / 2}
    lines = [
        *(_standings(league, when, day) for when, day in days.items()),
        *(_page(*page) for page in _pages(league)),
    ]
    return printed(f"Pages ({TIMES} times each)", lines)


def _standings(league: League, when: str, day: date | None) -> Line:
    return _line(f"standings, {when}", lambda: standings(league, day), most=MOST_QUERIES)


def _pages(league: League) -> list[tuple[str, str, User | None]]:
    member = User.objects.filter(player__isnull=False).first()
    game = Game.objects.open().filter(next_number__gt=4).first()
    player = Player.objects.filter(tallies__hands__gt=0).order_by("-tallies__hands").first()
    hand = Hand.objects.filter(outcome="win", checked=True).latest("played_at")
    return [
        ("home, for a visitor", "/", None),
        ("home, for a member", "/", member),
        ("a table in play, for a member", game.get_absolute_url(), member),
        ("a scorecard", hand.get_absolute_url(), None),
        ("a player", player.get_absolute_url(), None),
        ("all players", "/players/", None),
        ("a league", league.get_absolute_url(), None),
        ("API: hands of a table", f"/api/v1/games/{game.pk}/", None),
        ("API: standings", f"/api/v1/leagues/{league.slug}/standings/", None),
    ]


def _page(what: str, path: str, user: User | None) -> Line:
    client = Client(SERVER_NAME="localhost")
    if user:
        client.force_login(user)
    assert client.get(path).status_code == 200, path
    return _line(what, lambda: client.get(path))


def _line(what: str, act: Callable[[], object], *, most: int | None = None) -> Line:
    """``most``: how many queries it may make."""
    with CaptureQueriesContext(connection) as captured:
        act()
    queries = f"{len(captured)} queries"
    if most is not None:
        queries += f" (≤ {most}: {'met' if len(captured) <= most else 'MISSED'})"
    taken = times(lambda _time: act(), range(TIMES))
    note = f"{taken.median_cpu(MILLI):.0f} ms of work, {queries}"
    return Line(what, taken.median(MILLI), "ms", taken.p95(MILLI), note=note)
