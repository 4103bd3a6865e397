"""Who will be first: what the ratings suppose before a game."""

import random

import pytest
from openskill.models import PlackettLuce

from scoring.models import Club, ClubTally, Tally
from scoring.models.tallies import RATING_BETA, RATING_SIGMA
from scoring.queries.chances import first_chances, percents, seating_chances
from tests.factories import make_league, make_player


def test_chances_are_those_by_which_ratings_move():
    """Who is first moves by sigma² / c × (1 − chance), so each move tells the chance."""
    assert pytest.approx(RATING_BETA) == PlackettLuce().beta
    model, chance = PlackettLuce(tau=0), random.Random(15)
    for _try in range(50):
        four = [(chance.uniform(10, 40), chance.uniform(2, 8)) for _place in range(4)]
        c = sum(sigma**2 + model.beta**2 for _mu, sigma in four) ** 0.5
        for place, (mu, sigma) in enumerate(four):
            teams = [[model.rating(mu=one[0], sigma=one[1])] for one in four]
            after = model.rate(teams, scores=[float(other == place) for other in range(4)])
            moved = after[place][0].mu - mu
            assert first_chances(four)[place] == pytest.approx(1 - moved * c / sigma**2)


def test_percents_add_up_to_100():
    chance = random.Random(15)
    for _try in range(200):
        parts = [chance.random() for _place in range(4)]
        shares = [part / sum(parts) for part in parts]
        whole = percents(shares)
        assert sum(whole) == 100
        assert all(abs(one - share * 100) < 1 for one, share in zip(whole, shares, strict=True))


@pytest.mark.django_db
class TestASeating:
    @pytest.fixture
    def league(self):
        return make_league()

    @pytest.fixture
    def four(self, league):
        players = [make_player(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
        for number, player in enumerate(players):
            Tally.objects.create(
                league=league, player=player, rating_mu=28 - 2 * number, rating_sigma=3
            )
        return players

    def test_the_chance_of_a_seating_says_how_sure_it_is(
        self, league, four, django_assert_num_queries
    ):
        with django_assert_num_queries(2):
            seating = seating_chances(league, four)
        percent = [one.percent for one in seating.chances]
        assert percent == sorted(percent, reverse=True)
        assert sum(percent) == 100
        for one in seating.chances:
            assert 0 <= one.low < one.percent < one.high <= 100
        assert not seating.provisional

    def test_the_chance_of_a_seating_says_nothing_of_a_table_with_a_newcomer(self, league, four):
        newcomer = make_player("Eva")
        Tally.objects.create(league=league, player=newcomer)
        seating = seating_chances(league, [*four[:3], newcomer])
        assert (seating.chances, seating.unknown) == ([], [newcomer])

    def test_the_chance_of_a_seating_knows_who_brought_a_rating_from_an_earlier_season(
        self, league, four
    ):
        Tally.objects.update(rating_sigma=RATING_SIGMA)
        assert [chance.player for chance in seating_chances(league, four).chances] == four

    def test_the_chance_of_a_seating_says_nothing_of_three(self, league, four):
        assert seating_chances(league, four[:3]).chances == []

    def test_the_chance_of_a_seating_takes_the_ratings_across_leagues_where_the_club_has_them(
        self, league, four
    ):
        Club.objects.create(pk=1, rates_across_leagues=True)
        assert seating_chances(league, four).unknown == four
        for player in four:
            ClubTally.objects.create(player=player, mu=25, sigma=6.5, games=3)
        seating = seating_chances(make_league(), four)
        assert [one.percent for one in seating.chances] == [25] * 4
        assert seating.across_leagues
        assert seating.provisional
