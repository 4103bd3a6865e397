"""A stored hand that names somebody who does not play there: verify says so in words, at the field."""

import pytest

from scoring.models import Hand
from scoring.operations.verify import verify
from scoring.operations.whatif import what_if
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.rulesets import shipped_version
from tests.factories import make_game, make_league, make_player

pytestmark = pytest.mark.django_db

DRAGONS = "RRR* GGG* WhWhWh* 345B 55C"


@pytest.fixture
def log(organiser):
    """Logs a hand for which one player pays for everybody, in a league that plays by the book of a slug."""

    def log(slug):
        if slug == "riichi":
            pytest.importorskip("mahjong")
        version = shipped_version(slug, by=organiser)
        game = make_game(league=make_league(ruleset_version=version), by=organiser)
        ids = [player.pk for player in game.players]
        entry = {"outcome": "win", "winner": ids[1], "tiles": DRAGONS, "self_drawn": True}
        more = {"liable": ids[3], **({"winning_tile": "5C"} if slug == "riichi" else {})}
        record_hand(game, HandEntry.from_json({"number": 1, **entry, **more}), by=organiser)
        draw = HandEntry(number=2, outcome="draw")
        record_hand(game, draw, by=organiser)
        return game.hands.get(number=1)

    return log


@pytest.mark.parametrize("slug", ["hk", "riichi"])
@pytest.mark.parametrize("field", ["liable", "discarder", "winner", "dealer"])
def test_a_stranger_in_a_hand_is_found_and_named_by_the_field(log, slug, field):
    hand = log(slug)
    assert list(verify()) == []
    stranger = make_player()
    changes = {f"{field}_id": stranger.pk}
    if field == "discarder":
        changes["self_drawn"] = False
    Hand.objects.filter(pk=hand.pk).update(**changes)
    found = {difference.field: difference for difference in verify()}
    assert field in found
    if field != "dealer":
        assert "This player does not sit at the table." in str(found[field].computed)
    what_if(hand.game.league, hand.ruleset_version.table_rules)
