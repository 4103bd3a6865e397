"""What "current", "disputed", "undisputed" and "counted" say of a hand, wherever it is asked."""

import re
from pathlib import Path

import pytest
from django.utils import timezone

from scoring.models import Game, Hand, Payment
from scoring.models.hands import disputed_hand, undisputed_hand
from tests.factories import make_game, make_hand, make_organiser

pytestmark = pytest.mark.django_db

CURRENT = {"live": True, "disputed": True, "superseded": False, "void": False}
# The last two read rows of columns, which have no properties, for the speed of verify.
SPELLED_IN = {
    "scoring/models/hands.py",
    "scoring/operations/verify/reading.py",
    "scoring/operations/verify/fast_check.py",
}
COMPARISON = re.compile(
    r"status(__in)?=\W*Hand\.Status\.(COUNTED|DISPUTED)"
    r"|= Hand\.Status\.(COUNTED|DISPUTED)|Hand\.CURRENT"
    r"|Status\.DISPUTED if"
    r"|hand\.status [!=]= [\"'](live|disputed)"
)


@pytest.mark.each_case
@pytest.mark.parametrize("withdrawn", [False, True], ids=["played", "withdrawn"])
@pytest.mark.parametrize("status", CURRENT)
def test_a_hand_and_the_queries_agree_on_what_counts(status, withdrawn):
    game = make_game()
    hand = make_hand(game, winner=0, by=make_organiser())
    Hand.objects.update(status=status)
    Game.objects.update(withdrawn_at=timezone.now() if withdrawn else None)
    hand.refresh_from_db()
    undisputed, disputed = status == "live", status == "disputed"
    assert (hand.current, hand.undisputed, hand.disputed) == (CURRENT[status], undisputed, disputed)
    assert hand.status == Hand.status_for(disputed=disputed) or not hand.current
    hands, payments = Hand.objects, Payment.objects
    assert hands.current().exists() == hand.current
    assert hands.disputed().exists() == hand.disputed
    assert hands.undisputed().exists() == payments.undisputed().exists() == hand.undisputed
    counted = undisputed and not withdrawn
    assert hands.counted().exists() == payments.counted().exists() == counted
    assert hands.played().exists() == (not withdrawn)
    assert Game.objects.filter(undisputed_hand("hands__")).exists() == hand.undisputed
    assert Game.objects.filter(disputed_hand("hands__")).exists() == hand.disputed


def test_what_counts_is_spelled_in_one_module():
    """Elsewhere ``current``, ``disputed``, ``undisputed`` and ``counted`` are asked by name."""
    root = Path(__file__).parents[2]
    files = [*root.glob("scoring/**/*.py"), *root.glob("templates/**/*.html")]
    output = {str(path.relative_to(root)) for path in files if COMPARISON.search(path.read_text())}
    assert output <= SPELLED_IN
