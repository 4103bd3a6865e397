"""Every call that writes notes who did it, once, in its own transaction; a note never changes."""

import ast
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

import scoring
from scoring.models import AuditEntry, Hand, LateHand, RuleSetVersion
from scoring.models.days import club_day
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import repair_game, repair_league
from scoring.services.adjustments import TransferEntry, book_at_table, book_in_league, reverse
from scoring.services.club import change_club
from scoring.services.confirmations import (
    confirm_hand,
    dispute_hand,
    settle_hand,
    take_over_dispute,
)
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game, reopen_game
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import ask_for_late_hand, decline_late_hand, take_in_late_hand
from scoring.services.leagues import add_league, change_league
from scoring.services.people import add_player, change_player
from scoring.services.pins import set_pin
from scoring.services.rulesets import add_version, change_ruleset
from scoring.services.seats import change_seats, move_game
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    league = make_league(hours_to_answer=24)
    return make_game(league=league, by=by)


@pytest.fixture
def hand(game, by):
    return make_hand(game, winner=1, by=by)


def draw(game, number=1):
    return HandEntry(number=number, outcome="draw")


def other(hand):
    """The same hand, won by somebody else."""
    return HandEntry(
        number=hand.number, outcome="win", winner=hand.game.players[2].pk, tiles=hand.tiles
    )


def penalty(game):
    east, south, *_rest = game.players
    return [TransferEntry(east, south, 50)]


def owning(by):
    """``by``, who has become an owner of the club."""
    by.groups.add(*make_owner().groups.all())
    return User.objects.get(pk=by.pk)


WRITES = {
    "open_game": lambda game, hand, by: open_game(
        game.league, [make_player() for _seat in range(4)], by=by
    ),
    "record_hand": lambda game, hand, by: record_hand(game, draw(game, 2), by=by),
    "finish_game": lambda game, hand, by: finish_game(game, by=by),
    "correct_hand": lambda game, hand, by: correct_hand(hand, other(hand), by=by, reason="Misread"),
    "void_hand": lambda game, hand, by: void_hand(hand, by=by, reason="Dealt wrongly"),
    "undo_hand": lambda game, hand, by: undo_hand(hand, by=by),
    "confirm_hand": lambda game, hand, by: confirm_hand(hand, by=by, player=game.players[1]),
    "take_over_dispute": lambda game, hand, by: take_over_dispute(
        hand, by=by, player=game.players[1]
    ),
    "set_pin": lambda game, hand, by: set_pin(make_player(user=by), "4711", by=by),
    "dispute_hand": lambda game, hand, by: dispute_hand(hand, by=by, player=game.players[1]),
    "book_at_table": lambda game, hand, by: book_at_table(
        game, penalty(game), by=by, reason="Late"
    ),
    "book_in_league": lambda game, hand, by: book_in_league(
        game.league, penalty(game), by=by, reason="Late"
    ),
    "close_evening": lambda game, hand, by: close_evening(game.league, club_day(), by=by),
    "add_player": lambda game, hand, by: add_player("Zoe", by=by),
    "change_player": lambda game, hand, by: change_player(game.players[0], name="Zoe", by=by),
    "change_club": lambda game, hand, by: change_club(name="Winds", by=owning(by)),
    "add_league": lambda game, hand, by: add_league(
        "winter", name="Winter", ruleset_version=game.ruleset_version, by=by
    ),
    "change_league": lambda game, hand, by: change_league(game.league, name="Winter", by=by),
    "change_ruleset": lambda game, hand, by: change_ruleset(
        game.ruleset_version.ruleset, name="Ours", description="", by=by
    ),
    "add_version": lambda game, hand, by: add_version(
        RuleSetVersion(
            ruleset=game.ruleset_version.ruleset,
            options={**game.ruleset_version.options, "limit": 1000},
            created_by=by,
        )
    ),
}


@pytest.mark.parametrize("action", WRITES)
def test_a_call_leaves_one_audit_entry_with_who_and_what(game, hand, by, action):
    before = AuditEntry.objects.count()
    WRITES[action](game, hand, by)
    assert AuditEntry.objects.count() == before + 1
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.by) == (action, by)
    assert abs(entry.at - timezone.now()).total_seconds() < 60


def test_what_follows_upon_another_call_is_in_the_audit(game, hand, by):
    dispute_hand(hand, by=by, player=game.players[1])
    settle_hand(hand, by=by, reason="Looked at the tiles")
    booked = book_at_table(game, penalty(game), by=by, reason="Late")
    reverse(booked, by=by, reason="Was not late")
    close_evening(game.league, club_day(), by=by)
    reopen_evening(game.league, club_day(), by=by, reason="A mistake")
    noted = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(noted)[2:] == [
        *("dispute_hand", "settle_hand", "book_at_table", "reverse"),
        *("close_evening", "reopen_evening"),
    ]


def test_putting_a_wrongly_opened_game_right_is_in_the_audit(game, hand, by):
    finish_game(game, by=by)
    reopen_game(game, by=by, reason="Too early")
    east, south, west, north = game.players
    change_seats(game, [south, east, west, north], by=by, reason="Sat down otherwise")
    move_game(game, league=make_league(), day=game.evening, by=by, reason="The other league")
    game.refresh_from_db()
    withdraw_game(game, by=by, reason="A trial")
    restore_game(game, by=by, reason="No trial")
    finish_game(game, by=by)
    ask_for_late_hand(game, draw(game, 2), by=by)
    decline_late_hand(LateHand.objects.get(), by=by, reason="Nobody remembers it")
    ask_for_late_hand(game, draw(game, 3), by=by)
    take_in_late_hand(game.late_hands.waiting().get(), by=by)
    noted = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(noted)[2:] == [
        *("finish_game", "reopen_game", "change_seats", "move_game"),
        *("withdraw_game", "restore_game", "finish_game"),
        *("ask_for_late_hand", "decline_late_hand", "ask_for_late_hand", "take_in_late_hand"),
    ]


def test_a_repair_on_the_server_names_nobody_in_the_audit(game, hand):
    Hand.objects.update(points=1)
    repair_game(game.pk)
    repair_league(game.league.slug)
    noted = AuditEntry.objects.order_by("-pk").values_list("action", "by", "subject", "subject_id")
    assert list(noted[:2]) == [
        ("repair_league", None, "league", game.league.pk),
        ("repair_game", None, "game", game.pk),
    ]


def test_a_change_in_place_keeps_what_was_there(by):
    player = add_player("Ann", by=by)
    change_player(player, name="Anna", active=False, by=by)
    assert AuditEntry.objects.latest("pk").details == {
        "before": {"name": "Ann", "active": True},
        "after": {"name": "Anna", "active": False},
    }


def test_saving_the_same_again_leaves_no_audit_entry(game, hand, by):
    confirm_hand(hand, by=by, player=game.players[1])
    confirm_hand(hand, by=by, player=game.players[1])
    assert AuditEntry.objects.filter(action="confirm_hand").count() == 1


@pytest.mark.parametrize("what", ["league", "club", "rule set", "player"])
def test_a_form_that_is_saved_as_it_was_leaves_no_audit_entry(game, by, what):
    player, rules = game.players[0], game.league.ruleset_version.ruleset
    save = {
        "league": lambda: change_league(game.league, name="Winter", hours_to_answer=24, by=by),
        "club": lambda: change_club(name="Winds", by=owning(by)),
        "rule set": lambda: change_ruleset(rules, name="Ours", description="As we play.", by=by),
        "player": lambda: change_player(player, name="Anna", by=by),
    }[what]
    save()
    before = AuditEntry.objects.count()
    save()
    assert AuditEntry.objects.count() == before


class TestWhatIsRefused:
    def test_what_is_refused_is_not_noted(self, game, hand, by):
        before = AuditEntry.objects.count()
        with pytest.raises(PermissionDenied):
            record_hand(game, draw(game, 2), by=make_member())
        with pytest.raises(Conflict):
            record_hand(game, draw(game, 1), by=by)
        with pytest.raises(ValidationError):
            add_player("", by=by)
        assert AuditEntry.objects.count() == before

    def test_what_is_refused_is_not_noted_where_it_was_half_done(self, game, by):
        before = AuditEntry.objects.count()
        with transaction.atomic():
            record_hand(game, draw(game, 1), by=by)
            transaction.set_rollback(True)
        assert AuditEntry.objects.count() == before


class TestANote:
    @pytest.mark.each_database
    def test_an_audit_entry_never_changes(self, hand):
        entry = AuditEntry.objects.latest("pk")
        for change in (entry.save, lambda: AuditEntry.objects.update(action="another")):
            with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
                change()

    def test_an_audit_entry_outlives_the_account(self, hand, by):
        pk = by.pk
        by.delete()
        connection.check_constraints()
        assert set(AuditEntry.objects.values_list("by_id", flat=True)) == {pk}


def writers():
    """Every public function of services, operations and demo that is one transaction, with its module's tree."""
    for layer in ("services", "operations", "demo"):
        for path in sorted((Path(scoring.__file__).parent / layer).rglob("*.py")):
            tree = ast.parse(path.read_text())
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    marks = [ast.unparse(mark) for mark in node.decorator_list]
                    if "transaction.atomic" in marks:
                        yield f"{path.stem}.{node.name}", tree


# Keeps a response, not data of the club; calls those that log; brings the audit entries of another site along.
UNNOTED = {
    "club.set_up_club",
    "idempotency.idempotent",
    "fill.fill",
    "log.log_hands",
    "load.import_club",
}
# It is noted as the rule set and the version that it makes.
UNNOTED |= {"rulesets.add_book"}
# What somebody has read is nobody else's business.
UNNOTED |= {"notices.mark_read"}
# Guesses are counted by whoever compares them.
UNNOTED |= {"tries.count_try"}
# "verify --repair" notes the leagues that it repairs; these ratings follow from theirs.
UNNOTED |= {"across_leagues.repair_club_ratings"}
# It is noted as what it is, a merge, beside the answer that brought it about.
UNNOTED |= {"merging.merge_guest"}
# It is noted as any other change of a player.
UNNOTED |= {"people.hide_own_name"}


@pytest.mark.parametrize(
    ("name", "tree"), list(writers()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_function_that_writes_names_itself_in_a_note(name, tree):
    function = name.partition(".")[2]
    named = [
        call
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value == function
    ]
    assert bool(named) != (name in UNNOTED)
