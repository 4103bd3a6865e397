"""A hand is worth the same whether it was validated before it was scored, or not."""

import pytest

from scoring.services.hands.entry import HandEntry, score, validate
from scoring.services.rulesets import shipped_version
from tests.factories import BOOK_HAND, make_game, make_league

pytest.importorskip("mahjong")
pytestmark = pytest.mark.django_db

E, S, W, N = range(4)
RIICHI = {"winner": W, "discarder": N, "tiles": "123B 456C 99D 234D 678B", "winning_tile": "5C"}
OPEN_PUNG = {"winner": S, "tiles": "222B* 345B 55B 222D GGG", "winning_tile": "G"}
FIGURES = ("points", "doubles", "total", "final", "limit", "calls", "flags", "on_table")

ENTRIES = [
    ("riichi", {**RIICHI, "staked": [W]}),
    ("riichi", {**RIICHI, "flags": ["riichi"]}),
    ("riichi", {**RIICHI, "staked": [W, E, W], "dora_indicators": "8D"}),
    ("riichi", {**RIICHI, "staked": [W], "flags": ["ippatsu"]}),
    ("riichi", {"staked": [N, S, N]}),
    ("riichi", {"staked": [N], "calling": [E, N, E]}),
    ("riichi", {"winner": W, "discarder": N, "claimed_final": 3900, "staked": [W, S]}),
    ("club", {"winner": E, "tiles": BOOK_HAND.lower()}),
    ("club", {"winner": E, "tiles": "222B* 345B 55B 222D GGG", "self_drawn": True}),
    (
        "hk",
        {
            **OPEN_PUNG,
            "tiles": "222B* 555B 77B 222D 444B",
            "winning_tile": "7B",
            "self_drawn": True,
            "bonus": ["F1"],
        },
    ),
    ("dmjl", {**OPEN_PUNG, "self_drawn": True, "others": [{"player": W, "tiles": "rrr* 5C"}]}),
    ("dmjl", {**OPEN_PUNG, "self_drawn": True, "others": [{"player": W, "claimed": 8}]}),
]


@pytest.mark.parametrize(("slug", "entered"), ENTRIES)
def test_checking_changes_nothing_that_a_hand_is_worth(organiser, slug, entered):
    game = make_game(league=make_league(ruleset_version=shipped_version(slug, by=organiser)))
    entry = HandEntry.from_json(with_ids(entered, [player.pk for player in game.players]))
    checked, unchecked = entry.to_hand(game), entry.to_hand(game)
    validate(checked)
    for hand in (checked, unchecked):
        score(hand)
    assert worth(unchecked) == worth(checked)


def worth(hand):
    others = [other["final"] for other in hand.others or ()]
    return [getattr(hand, name) for name in FIGURES], hand.amounts(), others


def with_ids(entered, seats):
    """``entered`` as an entry has it, of people who are named by their places."""
    values = {"number": 1, "outcome": "win" if "winner" in entered else "draw", **entered}
    for name in {"winner", "discarder"} & values.keys():
        values[name] = seats[values[name]]
    for name in {"staked", "calling"} & values.keys():
        values[name] = [seats[place] for place in values[name]]
    values["others"] = [
        {**other, "player": seats[other["player"]]} for other in values.get("others", ())
    ]
    return values
