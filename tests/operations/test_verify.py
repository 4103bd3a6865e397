"""Verifying a club: whatever is changed by hand is found, and what can be rebuilt is rebuilt."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Game, Hand, League, Payment, Rating, Round, RuleSetVersion, Seat, Tally
from scoring.operations.verify import repair_game, repair_league, verify
from scoring.operations.verify.differences import deepest
from scoring.services.games import finish_game
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player
from tests.factories import ruleset_version as rules

pytestmark = pytest.mark.each_database

TWO_CHOWS = "123B 456C 789D 234B 66C"
DERIVED = (Game, Round, Hand, Payment, Tally, Rating)


@dataclass
class Club:
    """Two games that four players have finished, and one that goes on."""

    league: League
    first: Game
    second: Game
    going_on: Game

    def hand(self, number, game=None):
        return (game or self.first).hands.get(number=number, status="live")


@pytest.fixture(scope="module")
def played(shared):
    """The keys of a league and its games."""
    return shared(play)


@pytest.fixture
def club(db, played):
    return club_of(played)


def club_of(keys):
    league, *games = keys
    return Club(League.objects.get(pk=league), *(Game.objects.get(pk=pk) for pk in games))


def play():
    league, players, by = make_league(), [make_player() for _seat in range(4)], make_organiser()
    first = make_game(league=league, players=players, by=by)
    # South, West, North and East win: the deal goes round, and South prevails in hand 5.
    for number, tiles in enumerate(["", "222B* 345B 55B 222D GGG", TWO_CHOWS, ""], start=1):
        winner = number % 4
        entry = {"tiles": tiles} if tiles else {"discarder": players[(winner + 1) % 4].pk}
        make_hand(first, winner=winner, by=by, **entry)
    make_hand(first, winner=2, self_drawn=True, by=by)
    make_hand(first, by=by)
    make_hand(first, winner=3, tiles="", claimed_final=120, by=by)
    finish_game(first, by=by)
    second = make_game(league=league, players=list(reversed(players)), by=by)
    make_hand(second, winner=1, by=by)
    finish_game(second, by=by)
    going_on = make_game(league=league, players=players, by=by)
    make_hand(going_on, winner=3, by=by)
    make_game(by=by)
    return [row.pk for row in (league, first, second, going_on)]


def change(sql, *values):
    """Change something behind everybody's back."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount == 1, sql


def fields(differences):
    return [difference.field for difference in differences]


def everything():
    """All that is derived, as it is stored."""
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name != "id"}
            for row in model.objects.order_by(*ORDER[model]).values()
        ]
        for model in DERIVED
    }


ORDER = {
    Game: ["pk"],
    Round: ["game", "wind"],
    Hand: ["pk"],
    Payment: ["hand", "player"],
    Tally: ["league", "player"],
    Rating: ["game", "player"],
}


def repair(differences):
    for game in {difference.game for difference in differences if difference.game}:
        repair_game(game)
    for league in {difference.league for difference in differences}:
        repair_league(league)


def test_a_club_as_it_was_played_has_no_difference(club):
    assert list(verify()) == []


class TestAFigureOfAHand:
    @pytest.mark.parametrize(
        ("column", "number", "value", "expected"),
        [
            ("points", 1, 40, "points"),
            ("points", 6, 20, "points"),
            ("points", 7, 20, "points"),
            ("doubles", 1, 2, "doubles"),
            ("total", 1, 80, "total"),
            ("final", 1, 80, "final"),
            ("prevailing", 2, "W", "prevailing"),
            ("seat", 2, "E", "seat"),
            ("seat", 7, "E", "seat"),
            ("tiles", 3, TWO_CHOWS.lower(), "tiles"),
            ("melds", 2, '["222B"]', "melds.0"),
            ("card", 1, "{}", "card.winning"),
            ("card", 1, None, "card"),
            ("card", 6, '{"winning": false}', "card"),
        ],
    )
    def test_a_figure_of_a_hand_that_was_changed_is_found_and_repaired(
        self, club, column, number, value, expected
    ):
        before, hand = everything(), club.hand(number)
        change(f"UPDATE scoring_hand SET {column} = %s WHERE id = %s", value, hand.pk)
        [difference] = verify()
        assert (difference.field, difference.game, difference.hand) == (
            expected,
            club.first.pk,
            hand.pk,
        )
        assert difference.league == club.league.slug
        repair([difference])
        assert list(verify()) == []
        assert everything() == before

    def test_deep_in_its_card_is_named_by_its_path(self, club):
        card = club.hand(1).card
        card["sets"][2]["points"] += 1
        Hand.objects.filter(pk=club.hand(1).pk).update(card=card)
        [difference] = verify()
        assert difference.field == "card.sets.2.points"
        assert difference.stored == difference.computed + 1

    def test_a_figure_of_a_hand_that_says_it_is_a_limit_hand_is_found(self, club):
        before = everything()
        change('UPDATE scoring_hand SET "limit" = (1 = 1) WHERE id = %s', club.hand(1).pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.computed) == ("limit", True, False)
        repair([difference])
        assert everything() == before

    def test_a_figure_of_a_hand_that_names_another_dealer_is_found(self, club):
        before, other = everything(), club.first.players[3].pk
        change("UPDATE scoring_hand SET dealer_id = %s WHERE id = %s", other, club.hand(2).pk)
        [difference] = verify()
        assert (difference.field, difference.stored) == ("dealer", other)
        assert difference.computed == club.first.players[1].pk
        repair([difference])
        assert everything() == before

    def test_a_figure_of_a_hand_that_names_another_rule_set_is_found(self, club):
        before, book = everything(), rules("book").pk
        sql = "UPDATE scoring_hand SET ruleset_version_id = %s WHERE id = %s"
        change(sql, book, club.hand(6).pk)
        [difference] = verify()
        assert (difference.field, difference.stored) == ("ruleset_version", book)
        repair([difference])
        assert everything() == before

    @pytest.mark.parametrize("whose", ["first", "going_on"])
    def test_a_figure_of_a_hand_that_puts_it_into_another_round_is_found(self, club, whose):
        before, other = everything(), getattr(club, whose).rounds.last()
        change("UPDATE scoring_hand SET round_id = %s WHERE id = %s", other.pk, club.hand(2).pk)
        [difference] = verify()
        assert (difference.field, difference.computed) == ("round", "E")
        repair([difference])
        assert everything() == before

    def test_a_hand_whose_round_is_gone_gets_one_again(self, club):
        game = club.second
        change("UPDATE scoring_round SET wind = 'N' WHERE game_id = %s", game.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.computed) == ("round", "N", "E")
        repair([difference])
        assert list(verify()) == []


class TestAPayment:
    def test_a_payment_of_another_amount_is_found(self, club):
        before, payment = everything(), club.hand(2).payments.first()
        change("UPDATE scoring_payment SET amount = amount + 1 WHERE id = %s", payment.pk)
        [difference] = verify()
        assert (difference.field, difference.hand, difference.player) == (
            "payment",
            payment.hand_id,
            payment.player.name,
        )
        assert difference.stored == payment.amount + 1
        assert difference.computed == payment.amount
        repair([difference])
        assert everything() == before

    def test_a_payment_that_is_missing_is_found(self, club):
        before, payment = everything(), club.hand(6).payments.first()
        change("DELETE FROM scoring_payment WHERE id = %s", payment.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.computed) == ("payment", None, 0)
        repair([difference])
        assert everything() == before

    def test_a_payment_to_somebody_of_another_table_is_found(self, club):
        before, guest = everything(), make_player()
        sql = "INSERT INTO scoring_payment (hand_id, player_id, amount) VALUES (%s, %s, 5)"
        change(sql, club.hand(1).pk, guest.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.computed) == ("payment", 5, None)
        repair([difference])
        assert everything() == before


class TestWhereAGameStands:
    @pytest.mark.parametrize(
        ("column", "value"), [("round", "N"), ("dealer_place", 3), ("next_number", 9)]
    )
    def test_where_a_game_stands_that_was_changed_is_found_and_repaired(self, club, column, value):
        before = everything()
        change(f"UPDATE scoring_game SET {column} = %s WHERE id = %s", value, club.going_on.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.game) == (
            column,
            value,
            club.going_on.pk,
        )
        assert difference.hand is None
        repair([difference])
        assert everything() == before

    def test_a_game_that_is_over_and_does_not_say_so_is_found(self, db):
        game, by = make_game(), make_organiser()
        for _hand in range(16):
            make_hand(game, winner=(game.dealer_place + 1) % 4, by=by)
            game.refresh_from_db()
        before = everything()
        change("UPDATE scoring_game SET finished_at = NULL WHERE id = %s", game.pk)
        [difference] = verify()
        assert (difference.field, difference.stored) == ("finished_at", None)
        repair([difference])
        assert everything() == before


class TestATally:
    @pytest.mark.parametrize(
        "column",
        [
            *("points", "hands", "wins", "self_drawn", "discards", "games", "best_hand"),
            *("rating_mu", "rating_sigma"),
        ],
    )
    def test_a_tally_of_another_figure_is_found_and_repaired(self, club, column):
        before, tally = everything(), club.league.tallies.get(player=club.first.players[2])
        # One more of everything, but no more wins than hands.
        sql = f"UPDATE scoring_tally SET {column} = {column} + 1 WHERE id = %s"
        change(sql, tally.pk)
        [difference] = verify()
        assert (difference.field, difference.player) == (f"tally.{column}", tally.player.name)
        assert difference.stored == getattr(tally, column) + 1
        assert difference.game is None
        repair([difference])
        assert everything() == before

    def test_a_tally_that_is_missing_is_found(self, club):
        before, player = everything(), club.first.players[1]
        change("DELETE FROM scoring_tally WHERE player_id = %s", player.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.player) == (
            "tally",
            None,
            player.name,
        )
        repair([difference])
        assert everything() == before

    def test_a_tally_of_somebody_who_never_played_is_found(self, club):
        guest = make_player()
        Tally.objects.create(league=club.league, player=guest)
        assert list(verify()) == []
        change("UPDATE scoring_tally SET points = 7 WHERE player_id = %s", guest.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.computed) == ("tally.points", 7, 0)
        repair([difference])
        assert Tally.objects.get(player=guest).points == 0


class TestARating:
    @pytest.mark.parametrize("column", ["mu", "sigma"])
    def test_a_rating_of_another_figure_is_found_and_repaired(self, club, column):
        before, rating = everything(), club.first.ratings.last()
        change(f"UPDATE scoring_rating SET {column} = {column} + 0.001 WHERE id = %s", rating.pk)
        [difference] = verify()
        assert (difference.field, difference.game) == (f"rating.{column}", club.first.pk)
        assert difference.player == rating.player.name
        repair([difference])
        assert everything() == before

    def test_a_rating_that_is_missing_is_found(self, club):
        before = everything()
        change("DELETE FROM scoring_rating WHERE id = %s", club.second.ratings.first().pk)
        [difference] = verify()
        assert (difference.field, difference.stored) == ("rating", None)
        repair([difference])
        assert everything() == before

    def test_a_rating_of_a_game_that_goes_on_is_found(self, club):
        before, game, player = everything(), club.going_on, club.going_on.players[0]
        sql = "INSERT INTO scoring_rating (game_id, player_id, mu, sigma) VALUES (%s, %s, 25, 8)"
        change(sql, game.pk, player.pk)
        [difference] = verify()
        assert (difference.field, difference.computed, difference.game) == ("rating", None, game.pk)
        repair([difference])
        assert everything() == before


class TestAVersionThatWasCorrected:
    @pytest.fixture
    def old(self, club):
        """Hand 1 of the second game, corrected by a version with the same entry."""
        old = club.hand(1, club.second)
        new = Hand.objects.get(pk=old.pk)
        new.pk, new.version, new.supersedes, new._state.adding = None, 2, old, True
        new.reason = "Miscounted."
        Hand.objects.filter(pk=old.pk).update(status="superseded")
        new.save()
        for payment in old.payments.all():
            Payment.objects.create(hand=new, player=payment.player, amount=payment.amount)
        assert list(verify()) == []
        return old

    def test_a_version_that_was_corrected_keeps_figures_and_payments_of_its_own(self, old):
        change("UPDATE scoring_hand SET final = 500 WHERE id = %s", old.pk)
        change("UPDATE scoring_payment SET amount = 9 WHERE id = %s", old.payments.first().pk)
        differences = list(verify())
        assert fields(differences) == ["final", "payment"]
        assert {difference.hand for difference in differences} == {old.pk}
        repair(differences)
        assert list(verify()) == []

    def test_a_version_that_was_corrected_cannot_be_without_the_version_that_corrects_it(self, old):
        change("UPDATE scoring_hand SET supersedes_id = NULL WHERE supersedes_id = %s", old.pk)
        [difference] = verify()
        assert (difference.field, difference.stored, difference.repairable) == (
            "status",
            "superseded",
            False,
        )


def test_what_a_field_of_a_hand_refuses_is_a_difference(club, monkeypatch):
    """As the service refuses it: the field has a rule of its own besides ``clean``."""

    def refuse(_value):
        raise ValidationError("Nobody wins today.")

    claimed = club.hand(7)
    monkeypatch.setattr(Hand._meta.get_field("outcome"), "validators", [refuse])
    found = [one for one in verify() if one.hand == claimed.pk]
    assert [(one.field, one.computed, one.repairable) for one in found] == [
        ("outcome", "Nobody wins today.", False)
    ]


class TestWhatOnlyAPersonCanRepair:
    def only(self, hand, *expected):
        """Verify finds just this, and rebuilding leaves it as it is."""
        before, differences = everything(), list(verify())
        assert [
            (difference.field, difference.hand, difference.repairable) for difference in differences
        ] == [(field, hand and hand.pk, False) for field in expected]
        repair(differences)
        assert everything() == before
        return differences

    def test_what_only_a_person_can_repair_includes_tiles_that_do_not_win(self, club):
        hand = club.hand(1)
        sql = "UPDATE scoring_hand SET tiles = %s WHERE id = %s"
        change(sql, " ".join([*hand.tiles.split()[:-1], "9C"]), hand.pk)
        [difference] = self.only(hand, "tiles")
        assert "does not win" in str(difference)

    def test_what_only_a_person_can_repair_includes_tiles_that_no_wall_holds(self, club):
        hand = club.hand(1)
        sql = "UPDATE scoring_hand SET tiles = %s WHERE id = %s"
        change(sql, "2B " * 13 + "2B", hand.pk)
        self.only(hand, "tiles")

    def test_what_only_a_person_can_repair_includes_a_winner_of_another_table(self, club):
        hand = club.hand(1, club.second)
        change("UPDATE scoring_hand SET winner_id = %s WHERE id = %s", make_player().pk, hand.pk)
        differences = list(verify())
        assert ("winner", False) in [
            (difference.field, difference.repairable) for difference in differences
        ]
        assert not any(difference.field.startswith("payment") for difference in differences)

    def test_a_discarder_of_another_table_is_a_difference(self, club):
        hand = club.hand(1)
        change("UPDATE scoring_hand SET discarder_id = %s WHERE id = %s", make_player().pk, hand.pk)
        assert "discarder" in fields(verify())

    def test_what_only_a_person_can_repair_includes_a_missing_hand(self, club):
        last = club.hand(7)
        change("UPDATE scoring_hand SET number = 9 WHERE id = %s", last.pk)
        [difference] = self.only(last, "number")
        assert difference.computed == "There is no hand 7 before it."

    def test_what_only_a_person_can_repair_includes_a_hand_after_the_end_of_the_game(self, db):
        game, by = make_game(), make_organiser()
        for _hand in range(16):
            make_hand(game, winner=(game.dealer_place + 1) % 4, by=by)
            game.refresh_from_db()
        last = game.hands.get(number=16)
        late = Hand.objects.get(pk=last.pk)
        late.pk, late.number, late._state.adding = None, 17, True
        late.save()
        payments = [
            Payment(hand=late, player=p.player, amount=p.amount) for p in last.payments.all()
        ]
        Payment.objects.bulk_create(payments)
        repair_league(game.league.slug)
        [difference] = self.only(late, "number")
        assert difference.computed == "The game was over before this hand."

    def test_what_only_a_person_can_repair_includes_payments_that_do_not_add_up(self, club):
        hand = club.hand(1)
        sql = "UPDATE scoring_hand SET tiles = %s WHERE id = %s"
        change(sql, " ".join([*hand.tiles.split()[:-1], "9C"]), hand.pk)
        change("UPDATE scoring_payment SET amount = 0 WHERE id = %s", hand.payments.first().pk)
        assert fields(verify())[:2] == ["tiles", "payments"]

    def test_what_only_a_person_can_repair_includes_a_hand_that_stands_though_it_was_corrected(
        self, club
    ):
        sql = "UPDATE scoring_hand SET supersedes_id = %s, version = 2, reason = 'no' WHERE id = %s"
        change(sql, club.hand(1).pk, club.hand(2).pk)
        self.only(club.hand(1), "status")

    def test_what_only_a_person_can_repair_includes_a_table_of_three(self, club):
        Seat.objects.filter(game=club.second, place=3).delete()
        [difference] = self.only(None, "seats")
        assert (difference.stored, difference.computed) == (3, "A table has four players.")

    def test_what_only_a_person_can_repair_includes_an_invalid_rule_set(self, club):
        broken = RuleSetVersion.objects.create(
            ruleset=rules().ruleset, number=9, options={"limit": "high"}
        )
        sql = "UPDATE scoring_game SET ruleset_version_id = %s WHERE id = %s"
        change(sql, broken.pk, club.second.pk)
        [difference] = self.only(None, "ruleset_version")
        assert "Limit" in difference.computed


class TestAtOnce:
    def test_many_differences_are_repaired_in_one_go(self, club):
        before = everything()
        Hand.objects.exclude(final=None).filter(checked=True).update(final=10, total=3, seat="N")
        Payment.objects.update(amount=1)
        Tally.objects.update(points=1, hands=99, wins=0, rating_mu=1)
        Rating.objects.all().delete()
        Game.objects.update(round="W", dealer_place=2, next_number=77)
        repair(list(verify()))
        assert list(verify()) == []
        assert everything() == before

    def test_repairing_says_which_scores_differ(self, club):
        change("UPDATE scoring_hand SET final = 80, points = 1 WHERE id = %s", club.hand(1).pk)
        [score] = repair_game(club.first.pk)
        assert (score.field, score.stored, score.computed) == ("final", 80, 70)

    def test_more_games_cost_no_more_queries(self, club):
        def queries():
            with CaptureQueriesContext(connection) as captured:
                assert list(verify()) == []
            return len(captured)

        before = queries()
        for _game in range(3):
            make_hand(make_game(league=club.league), winner=1)
        assert queries() == before


@pytest.mark.django_db(transaction=True)
def test_a_hand_logged_meanwhile_makes_no_difference():
    club, by, late = club_of(play()), make_organiser(), []

    def log_a_hand():
        make_hand(Game.objects.get(pk=club.going_on.pk), winner=0, by=by)
        connection.close()

    def advance(_hands):
        if not late:
            with ThreadPoolExecutor(1) as phone:
                late.append(phone.submit(log_a_hand).result())

    assert list(verify(advance)) == []
    assert late
    assert club.going_on.hands.count() == 2
    assert list(verify()) == []


@pytest.mark.parametrize(
    ("stored", "computed", "expected"),
    [
        (1, 2, ("card", 1, 2)),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ("card.b", 2, 3)),
        ({"a": [1, 2]}, {"a": [1, 3]}, ("card.a.1", 2, 3)),
        ({"a": [1]}, {"a": [1, 3]}, ("card.a", [1], [1, 3])),
        ({}, {"a": 1}, ("card.a", None, 1)),
        ({"a": 1}, {}, ("card.a", 1, None)),
        ("ab", "ac", ("card", "ab", "ac")),
    ],
)
def test_the_difference_of_two_scorecards_is_named_by_its_path(stored, computed, expected):
    assert deepest("card", stored, computed) == expected
