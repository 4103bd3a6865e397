"""The first few of several leagues at once."""

import pytest

from scoring.models import League, Tally
from scoring.queries.leaders import leaders
from scoring.queries.standings import standings
from scoring.services.confirmations import dispute_hand
from tests.factories import make_game, make_hand, make_league, make_member, make_player

pytestmark = pytest.mark.django_db


def tally(league, points, name=""):
    return Tally.objects.create(league=league, player=make_player(name), points=points, hands=1)


def test_each_league_has_its_own_first_three():
    one, two = make_league(), make_league()
    for points in (10, 40, 20, 30):
        tally(one, points)
    tally(two, 5)
    tops_by_league = {
        top.league: [line.row.points for line in top.first] for top in leaders([two, one])
    }
    assert tops_by_league == {two: [5], one: [40, 30, 20]}


def test_the_leagues_keep_their_order():
    leagues = [make_league(), make_league()]
    assert [top.league for top in leaders(leagues)] == leagues
    assert [top.league for top in leaders(leagues[::-1])] == leagues[::-1]


def test_leaders_have_the_ranks_and_order_of_the_league_table():
    league = make_league()
    for name, points in (("Zoe", 20), ("ann", 20), ("Bo", 20), ("Cy", 50)):
        tally(league, points, name)
    (top,) = leaders([league])
    expected = [(row.rank, row.player.pk) for row in standings(league)][:3]
    assert [(line.rank, line.row.player) for line in top.first] == expected
    assert [rank for rank, _player in expected] == [1, 2, 2]


def test_a_player_without_a_hand_leads_nothing():
    league = make_league()
    Tally.objects.create(league=league, player=make_player())
    (top,) = leaders([league])
    assert top.first == []


def test_a_league_with_a_disputed_hand_alone_is_not_called_empty(client):
    hand = make_hand(make_game(), winner=0)
    dispute_hand(hand, by=make_member(player=hand.game.players[1]))
    (found,) = leaders([hand.game.league])
    sentence = "One hand has been played. It is disputed, and counts when that is settled."
    assert (found.first, found.why_empty) == ([], [sentence])
    for path in ("/leagues/", hand.game.league.get_absolute_url()):
        assert sentence in client.get(path).content.decode()
    page = client.get(hand.winner.get_absolute_url()).content.decode()
    assert hand.game.get_absolute_url() in page


def test_no_league_has_no_leaders():
    assert leaders(League.objects.none()) == []
