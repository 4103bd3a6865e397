"""The words beside each payment, and from lines to score, by every kind of settlement and counting."""

import pytest

from scoring.evaluator.books.loader import as_data
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import preview_hand
from scoring.services.rulesets import add_book
from scoring.web.shared.payments import shares
from scoring.web.shared.score_steps import steps_by
from tests.factories import make_game, make_league, make_player

pytestmark = pytest.mark.django_db

HAND = "222B 333B 55B 222D GGG"


@pytest.fixture
def played(organiser):
    """Previews a hand that South wins, East dealing, by a book with other settings."""
    people = [make_player(name) for name in ("Ann", "Ben", "Cid", "Dora")]

    def played(slug, changes=None, *, discarder=None, **entered):
        data = as_data(slug)
        for table, values in (changes or {}).items():
            data[table] = {**data.get(table, {}), **values} if isinstance(values, dict) else values
        version = add_book({**data, "slug": "house", "name": "House"}, by=organiser)
        game = make_game(league=make_league(ruleset_version=version), players=people)
        entry = {"outcome": "win", "winner": people[1].pk, "tiles": HAND, "number": 1}
        entry["discarder"] = None if discarder is None else people[discarder].pk
        entry["self_drawn"] = discarder is None
        others = [{**one, "player": people[one["player"]].pk} for one in entered.pop("others", ())]
        if "liable" in entered:
            entered["liable"] = people[entered["liable"]].pk
        return preview_hand(game, HandEntry.from_json({**entry, "others": others, **entered}))

    return played


def reasons(recorded):
    return [
        (share.amount, "; ".join(filter(None, [share.reason, *share.more])))
        for share in shares(recorded.hand, recorded.payments)
    ]


def test_the_losers_pay_each_other_the_difference(played):
    others = [{"player": 2, "claimed": 24}, {"player": 3, "claimed": 8}]
    recorded = played("dmjl", claimed_final=64, tiles="", others=others)
    assert reasons(recorded) == [
        (-192, "twice the score: the dealer pays double; "
               "48 to Cid: 24 − 0, doubled for the dealer; 16 to Dora: 8 − 0, doubled for the dealer"),
        (256, "from the other three"),
        (0, "the score; 48 from Ann: 24 − 0, doubled for the dealer; 16 from Dora: 24 − 8"),
        (-64, "the score; 16 from Ann: 8 − 0, doubled for the dealer; 16 to Cid: 24 − 8"),
    ]  # fmt: skip


def test_portions_of_a_drawn_and_of_a_discarded_tile_are_named(played):
    drawn = played("hk", claimed_final=16, tiles="")
    portion = (-16, "the score: self-drawn, each pays a portion")
    assert reasons(drawn) == [portion, (48, "from the other three"), portion, portion]
    nothing = (0, "Cid pays for everybody")
    assert reasons(played("hk", claimed_final=16, tiles="", discarder=2)) == [
        nothing,
        (32, "from Cid alone"),
        (-32, "twice the score: the discarder pays two portions"),
        nothing,
    ]
    half = {"settlement": {"discarder": "half"}}
    words = "the discarder pays the whole score, the others half"
    assert reasons(played("hk", half, claimed_final=16, tiles="", discarder=2)) == [
        (-8, f"half the score: {words}"),
        (32, "from the other three"),
        (-16, f"the score: {words}"),
        (-8, f"half the score: {words}"),
    ]


def test_payments_say_that_a_liable_player_pays_for_everybody(played):
    recorded = played("hk", claimed_final=16, tiles="", liable=3)
    assert reasons(recorded) == [
        (0, "Dora pays for everybody"),
        (48, "from Dora alone"),
        (0, "Dora pays for everybody"),
        (-48, "48: pays for everybody"),
    ]


def test_payments_of_a_dangerous_game_say_who_pays_and_no_loser_settles(played):
    others = [{"player": 0, "claimed": 8}, {"player": 2, "claimed": 24}]
    recorded = played("dmjl", claimed_final=64, tiles="", discarder=2, liable=2, others=others)
    assert reasons(recorded) == [
        (0, "Cid pays for everybody"),
        (256, "from Cid alone"),
        (-256, "256: pays for everybody"),
        (0, "Cid pays for everybody"),
    ]


def test_a_threshold_and_a_base(played):
    low = played("zung-jung", claimed_final=20, tiles="", discarder=2)
    assert reasons(low)[0] == (-20, "the score")
    high = reasons(played("zung-jung", claimed_final=60, tiles="", discarder=2))
    assert high[0] == (-25, "25: the discarder pays the rest")
    assert high[2] == (-130, "130: the discarder pays what lies above 25 for all")
    base = {"settlement": {"kind": "base", "base": 8, "threshold": 0}}
    based = reasons(played("zung-jung", base, claimed_final=20, tiles="", discarder=2))
    assert based[0] == (-8, "the base of 8")
    assert based[2] == (-28, "the base of 8 and the score of 20")


@pytest.mark.parametrize("discarder", ["double", "pays_for_all", "alone"])
def test_shares_of_the_discarder_are_named(played, discarder):
    changes = {
        "losers_score": False,
        "settlement": {"discarder": discarder, "losers_settle": False},
    }
    shown = reasons(played("dmjl", changes, claimed_final=10, tiles="", discarder=0))
    words = {
        "double": (-40, "four times the score: the discarder pays double, the dealer pays double"),
        "pays_for_all": (
            -40, "four times the score: the discarder pays for all, the dealer pays double"
        ),
        "alone": (-20, "twice the score: only the discarder pays, the dealer pays double"),
    }  # fmt: skip
    assert shown[0] == words[discarder]


def steps(recorded):
    rules = recorded.hand.ruleset_version.table_rules
    return [(step.words, step.figure) for step in steps_by(rules, recorded.hand.card)]


def test_each_step_from_the_lines_to_the_score_is_named(played):
    assert steps(played("hk")) == [
        ("No more than 10 faan count", 10),
        ("By the table of faan", 128),
    ]
    orphans = {"tiles": "19B 19C 19D ESWN RGWh 9D"}
    assert steps(played("dmjl", **orphans))[0] == ("The limit", 500)
    assert steps(played("zung-jung"))[0][0] == "The points are added up"
    opened = {"tiles": "222B* 345B 55B 222D* GGG"}
    points = steps(played("dmjl", **opened))
    assert points[0][0].endswith("× 2")
    limited = steps(played("dmjl", {"counting": {"limit": 60}}, **opened))
    assert limited[-1] == ("No hand scores more than 60", 60)
    rounded = steps(played("dmjl", {"counting": {"rounding": 100}}, **opened))
    assert rounded[1][0] == "Rounded to the nearest 100"
    assert steps(played("card", tiles="", value=25)) == [("25 × 2", 50)]
