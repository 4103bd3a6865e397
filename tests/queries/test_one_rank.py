"""Every place that shows a rank shows that of :mod:`scoring.queries.ranking`, whatever it decides there.

Each test also runs with another rule put in there: a place that works out a rank by itself fails then.
"""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from scoring.models import Game, Player, Tally, club_day
from scoring.models.game_tables import with_table
from scoring.models.standing_settings import Minimum, TableSettings
from scoring.operations.whatif import what_if
from scoring.queries import ranking
from scoring.queries.games import game_results
from scoring.queries.leaders import leaders
from scoring.queries.players import player_profile
from scoring.queries.standing_sums import Figures
from scoring.queries.standings import standings
from scoring.services.adjustments import book_in_league, penalty
from scoring.services.games import finish_game
from scoring.web.table.board import table_of
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db

VISITOR = AnonymousUser()
# Also where there is no rank: “1 of 2” of the table, the dash of the trial.
OF_TABLE = r'<td class="rank[^"]*" role="cell"><a [^>]*>([^<]*)<.*?</td>\s*<th[^>]*><a href="/players/(\d+)/"'
OF_TRIAL = r'<td class="rank[^"]*" role="cell">([^<]*)</td>\s*<th[^>]*><a href="/players/(\d+)/"'
OF_LEADERS = r'</span>(\d+)</span> <a class="ranking__name" href="/players/(\d+)/"'
OF_PLACES = r'<span class="result__rank">(\d+)</span> <a[^>]* href="/players/(\d+)/"'


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def league(by):
    """Equal points, points without a hand, players of one game and of two, one who never played."""
    league = make_league()
    often, once, fined, idle = ([make_player() for _place in range(4)] for _table in range(4))
    for winner in (0, 1):
        game = make_game(league=league, players=often, by=by)
        make_hand(game, winner=winner, by=by)
        finish_game(game, by=by)
    make_hand(make_game(league=league, players=once, by=by), winner=2, by=by)
    make_hand(make_game(league=league, players=[*often[:2], *once[:2]], by=by), by=by)
    game = make_game(league=league, players=fined, by=by)
    book_in_league(league, penalty(game, fined[0], 20), by=by, reason="Late")
    make_game(league=league, players=idle, by=by)
    return league


@pytest.fixture(
    params=[
        "the rule",
        "two games to be listed",
        "two games to be ranked",
        "nobody is ranked",
        "fewest points first",
    ]
)
def rule(request, monkeypatch):
    """How ranks are decided: as they are, or as no club has it."""
    table, rank = ranking.league_table, ranking.rank
    if least := {"two games to be ranked": 2, "nobody is ranked": 99}.get(request.param):
        monkeypatch.setattr(ranking, "USUAL", TableSettings("", minimum=Minimum(least)))
    if request.param == "two games to be listed":
        monkeypatch.setattr(
            ranking,
            "league_table",
            lambda league, figures, *rules: table(
                league, [row for row in figures if row.games > 1], *rules
            ),
        )
    if request.param == "fewest points first":
        monkeypatch.setattr(
            ranking, "rank", lambda rows, points: rank(rows, lambda row: _negative(points(row)))
        )
    return request.param


def _negative(figure):
    return tuple(-one for one in figure) if isinstance(figure, tuple) else -figure


def decided(league):
    """Rank and player, in the order of the table, as the one function decides."""
    tallies = Tally.objects.filter(league=league).select_related("player")
    table = ranking.league_table(
        league,
        [
            Figures(tally.player_id, tally.player.name, tally.points, tally.hands, tally.games)
            for tally in tallies
        ],
    )
    return [(line.rank, line.row.player) for line in table.lines]


def on_page(client, address, pattern):
    """Rank and player, in the order of the page; None for who has no rank yet."""
    text = client.get(address).content.decode()
    return [
        (int(rank) if rank.isdecimal() else None, int(player))
        for rank, player in re.findall(pattern, text)
    ]


def check_ranks(shown, expected, where):
    """Say what is wrong: a list that is not read, ranks that are missing, or ranks of one's own."""
    assert bool(shown) == bool(expected), f"{where}: lists {shown}, and the rule {expected}"
    ranks, wanted = ([rank for rank, _player in rows] for rows in (shown, expected))
    assert (None in ranks) == (None in wanted), f"{where}: who has no rank yet is shown otherwise"
    assert shown == expected, f"{where}: ranks by itself"


def test_every_league_table_shows_the_one_rank(league, rule, client):
    expected = decided(league)
    address = league.get_absolute_url()
    assert len(expected) == (6 if rule == "two games to be listed" else 12)
    for as_of in (None, club_day()):
        rows = standings(league, as_of)
        check_ranks([(row.rank, row.player.pk) for row in rows], expected, "standings")
    for page in (address, f"{address}?as_of={club_day()}"):
        check_ranks(on_page(client, page, OF_TABLE), expected, page)
    answer = client.get(f"/api/v1/leagues/{league.slug}/standings/").json()
    check_ranks([(row["rank"], row["player"]) for row in answer["rows"]], expected, "the API")


def test_a_minimum_for_every_league_is_one_setting(league, monkeypatch):
    monkeypatch.setattr(ranking, "USUAL", TableSettings("", minimum=Minimum(2)))
    rows = standings(league)
    assert {row.rank is not None for row in rows} == {True, False}
    for row in rows:
        assert (row.rank is not None) == (row.games >= 2)
        assert (row.standing.towards_minimum, row.standing.needed) == (row.games, 2)


def test_the_table_under_other_rules_shows_the_one_rank(league, rule, client):
    expected = decided(league)
    trial = what_if(league, league.ruleset_version.table_rules)
    check_ranks([(row.rank, row.player.pk) for row in trial.rows], expected, "what-if, now")
    by_rules = [(row.rank_by_rules, row.player.pk) for row in trial.rows]
    check_ranks(by_rules, expected, "what-if, by the rules")
    client.force_login(make_member())
    address = f"{league.get_absolute_url()}what-if/?ruleset=club"
    check_ranks(on_page(client, address, OF_TRIAL), expected, address)


def test_leaders_are_the_first_of_the_table(league, rule, client):
    expected = [line for line in decided(league) if line[0] is not None][:3]
    [leader] = leaders([league])
    check_ranks([(line.rank, line.row.player) for line in leader.first], expected, "leaders")
    for address in ("/", "/leagues/"):
        check_ranks(on_page(client, address, OF_LEADERS), expected, address)


def test_a_profile_says_the_rank_and_of_how_many(league, rule, client):
    expected = {player: rank for rank, player in decided(league)}
    of = sum(rank is not None for rank in expected.values())
    for player in Player.objects.all():
        shown = [(one.rank, one.of) for one in player_profile(player, VISITOR).leagues]
        assert shown == ([(expected[player.pk], of)] if player.pk in expected else [])
    first, rank = next(iter(expected.items()))
    page = client.get(f"/players/{first}/").content.decode()
    of_players = f"{rank} of {of} players" if rank else r"No rank yet: \d+ of \d+ games"
    assert re.search(f'data-label="Rank">{of_players}</td>', page)


def test_a_players_statistics_count_hands_in_which_nobody_is_ranked(league, rule):
    player = Player.objects.filter(tallies__hands=1, tallies__games=1).first()
    assert player_profile(player, VISITOR).statistics.hands == 1


@pytest.mark.usefixtures("rule")
def test_the_places_of_a_game_are_the_one_rank(league, client):
    for game in with_table(Game.objects).filter(league=league, finished_at__isnull=False):
        [result] = game_results([game])
        scores = [(player, result.score_of(player).total) for player in game.players]
        expected = [
            (rank, player.pk) for rank, (player, _) in ranking.rank(scores, lambda one: one[1])
        ]
        assert len({rank for rank, _player in expected}) < 4
        assert [(score.rank, score.player.pk) for score in result.scores] == expected
        request = RequestFactory().get(game.get_absolute_url())
        request.user = VISITOR
        places = table_of(request, game.pk).ranking
        assert [(place.rank, place.player.pk) for place in places] == expected
        assert on_page(client, game.get_absolute_url(), OF_PLACES) == expected
