"""The fast check of verify hides nothing: with it and without it, the same differences are found."""

import json

import pytest
from django.db import DatabaseError, connection, transaction

from scoring.models import Game, Hand, HandEvent, Payment, Rating, Round, RuleSetVersion, Seat
from scoring.operations.verify import check, verify
from scoring.services.confirmations import confirm_hand
from scoring.services.games import finish_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)
from tests.operations.storied import make_storied_club
from tests.support.effort import tries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# `make test` tries every second value, of a hand, which has many columns, every sixth; of each row others.
STEP = tries(2, 1)
STEPS = {Hand: tries(6, 1)}
WORDS = ["", "E", "S", "live", "disputed", "draw", "5B 5B"]
NUMBERS = [None, 0, 1, 2, 70, 987654]
MELDS = ["[]", '[{"kind": "pung", "tiles": ["2B", "2B", "2B"], "concealed": true}]', '["222B"]']
CARDS = [None, "{}", '{"final": 70}']


@pytest.fixture
def game():
    """Won with tiles, open and concealed, self-drawn and discarded; drawn; without tiles."""
    by, league = make_organiser(), make_league()
    players = [make_player() for _place in range(4)]
    game = make_game(league=league, players=players, by=by)
    make_hand(game, winner=1, tiles="222B* 345B 55B 222D GGG", discarder=players[3].pk, by=by)
    make_hand(game, winner=1, self_drawn=True, by=by)
    make_hand(game, by=by)
    make_hand(game, winner=3, tiles="", claimed_final=120, by=by)
    finish_game(game, by=by)
    make_hand(make_game(league=league, players=players, by=by), winner=0, by=by)
    return game


@pytest.fixture
def thoroughly(monkeypatch):
    """Every difference that a replay of every game finds."""

    def thoroughly():
        with monkeypatch.context() as patched:
            patched.setattr(check, "passes_fast_check", lambda played: False)
            return list(verify())

    return thoroughly


def tamperings(model, pk):
    """Other values for each column of a row, as somebody may type them into the database."""
    for field in model._meta.concrete_fields:
        kind = field.get_internal_type()
        if kind == "JSONField":
            values = MELDS if field.name == "melds" else CARDS
        elif kind == "BooleanField":
            values = [True, False]
        elif kind == "CharField":
            values = WORDS
        elif kind in ("ForeignKey", "OneToOneField") and field.related_model is not None:
            there = field.related_model._base_manager.values_list("pk", flat=True)
            values = [None, *there[:5]]
        elif kind == "FloatField":
            values = [0.0, 25.0]
        elif kind == "DateTimeField":
            values = [None] if field.null else []
        elif "Integer" in kind:
            values = NUMBERS
        else:
            values = []
        if not field.primary_key:
            yield from ((f'UPDATE {model._meta.db_table} SET "{field.column}" = %s WHERE id = %s',
                         [value, pk]) for value in values)  # fmt: skip
    yield f"DELETE FROM {model._meta.db_table} WHERE id = %s", [pk]


def tampered(model, pk, number):
    """Each tampering in turn, where the database lets it happen; it is taken back afterwards."""
    step = STEPS.get(model, STEP)
    for sql, values in list(tamperings(model, pk))[number % step :: step]:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(sql, values)
                connection.check_constraints()
                yield sql, values
                transaction.set_rollback(True)
        except DatabaseError:
            continue


# Which values a column takes, the databases do not agree on; what differs then, Python says. A hand
# has many columns: on PostgreSQL the first one is enough.
ROWS = {Hand: 1} if connection.vendor == "postgresql" else {}


@pytest.mark.parametrize("model", [Hand, Game, Seat, Round, Payment, Rating, RuleSetVersion])
def test_the_fast_check_finds_whatever_is_changed_by_hand(game, thoroughly, model):
    tried = caught = 0
    for number, row in enumerate(model._base_manager.order_by("pk")[: ROWS.get(model, 4)]):
        for tampering in tampered(model, row.pk, number):
            differences = thoroughly()
            assert list(verify()) == differences, tampering
            tried, caught = tried + 1, caught + bool(differences)
    assert tried >= 4
    if model is not RuleSetVersion:  # nothing is scored by the other versions
        assert caught


def test_a_card_is_compared_to_the_last_word(game, thoroughly):
    hand = Hand.objects.get(game=game, number=1)
    changed = json.loads(json.dumps(hand.card).replace("Pung", "Bong"))
    Hand.objects.filter(pk=hand.pk).update(card=changed)
    [difference] = verify()
    assert difference.field.startswith("card.")
    assert [difference] == thoroughly()


def test_a_club_with_everything_is_verified_alike(thoroughly):
    make_storied_club()
    assert list(verify()) == thoroughly() == []
    Hand.objects.filter(outcome="win").update(doubles=7)
    assert list(verify()) == thoroughly() != []


@pytest.mark.parametrize("kind", HandEvent.Kind.values)
def test_the_fast_check_weighs_what_was_said_about_a_hand(game, thoroughly, kind):
    hand = Hand.objects.filter(game=game).first()
    player = game.players[0] if kind in HandEvent.ANSWERS else None
    HandEvent.objects.create(hand=hand, kind=kind, player=player, reason="Because")
    assert list(verify()) == thoroughly()
    assert bool(thoroughly()) == (kind not in ("confirmed", "settled"))


def test_an_ordinary_game_passes_the_fast_check(game, monkeypatch):
    """Otherwise a club of a million hands would take an hour, and nothing else would tell."""
    hand = make_hand(make_game(by=make_organiser()), winner=2)
    member = make_member(player=hand.game.players[0])
    confirm_hand(hand, by=member)

    def never(played):
        raise AssertionError

    monkeypatch.setattr(check, "replay", never)
    assert list(verify()) == []
