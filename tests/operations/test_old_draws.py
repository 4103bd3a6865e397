"""A draw is neither self-drawn, concealed nor melded; what old databases say otherwise is cleared."""

from contextlib import contextmanager

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from scoring.models import AuditEntry, Hand
from scoring.operations.verify import repair_game, verify
from tests.factories import make_game, make_hand

BEFORE = "0008_keys_of_each_scorer"
MELD = {"kind": "pung", "tiles": ["2B", "2B", "2B"], "concealed": False}
OLD = {"self_drawn": True, "concealed": True, "melds": [MELD]}
CLEARED = {"self_drawn": False, "concealed": False, "melds": []}


def columns(hand):
    return Hand.objects.values(*CLEARED).get(pk=hand.pk)


@contextmanager
def unconstrained():
    """The database takes whatever it is told."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            try:
                yield
            finally:
                cursor.execute("PRAGMA ignore_check_constraints = OFF")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE scoring_hand DROP CONSTRAINT a_draw_has_no_winning_tiles")
            yield


@pytest.mark.each_database
@pytest.mark.django_db
@pytest.mark.parametrize("field", ["self_drawn", "concealed"])
def test_the_database_takes_no_self_drawn_draw(field):
    hand = make_hand(make_game())
    with pytest.raises(IntegrityError), transaction.atomic():
        Hand.objects.filter(pk=hand.pk).update(**{field: True})


@pytest.mark.django_db
@pytest.mark.parametrize("field", CLEARED)
def test_verify_finds_what_a_draw_cannot_have_and_repairs_it(field):
    game = make_game()
    hand = make_hand(game)
    make_hand(game, winner=1)
    with unconstrained():
        Hand.objects.filter(pk=hand.pk).update(**{field: OLD[field]})
    [difference] = verify()
    assert (difference.field.partition(".")[0], difference.hand, difference.repairable) == (
        field,
        hand.pk,
        True,
    )
    repair_game(game.pk)
    assert columns(hand) == CLEARED
    assert list(verify()) == []


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
class TestMigrating:
    def migrate(self, name):
        executor = MigrationExecutor(connection)
        leaves = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "scoring"]
        executor.migrate([("scoring", name)] if name else leaves)

    @pytest.fixture(autouse=True)
    def _ends_as_it_began(self):
        yield
        self.migrate(None)

    def test_migrating_clears_old_draws_and_notes_what_they_said(self):
        game = make_game()
        hands = [make_hand(game), make_hand(game), make_hand(game, winner=1, self_drawn=True)]
        self.migrate(BEFORE)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE scoring_hand SET self_drawn = %s WHERE number = 1", [True])
        self.migrate(None)
        assert columns(hands[0]) == CLEARED
        assert columns(hands[2])["self_drawn"]
        noted = AuditEntry.objects.filter(action="clear_draws").values_list("subject_id", "details")
        assert list(noted) == [(hands[0].pk, {"before": {**CLEARED, "self_drawn": True}})]
        assert list(verify()) == []
