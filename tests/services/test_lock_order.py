"""Accounts, players, invitations are locked in this order: two who lock them never wait for each other."""

import ast
import re
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.models import Game, InvitationUse, Player
from scoring.services import merging
from scoring.services.accounts import make_reset_link, remove_second_factor
from scoring.services.counting import lock_season
from scoring.services.games import finish_game
from scoring.services.guests import answer_claim, claim_guest
from scoring.services.hands.record import lock_game
from scoring.services.invitations import decide_claim, invite, invite_each, join
from scoring.services.leaving import make_anonymous
from scoring.services.merging import merge_players
from scoring.services.people import change_player
from scoring.services.seating import play_again
from scoring.services.sessions import end_sessions
from tests.factories import make_game, make_member, make_organiser, make_owner, make_player
from tests.services.test_two_scorers import at_once

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]


def locked(act, among=None):
    """The tables that ``act`` locks, ``among`` those of people, in this order, each once."""
    with CaptureQueriesContext(connection) as queries:
        act()
    locks = [query["sql"] for query in queries if re.search(r"FOR (NO KEY )?UPDATE", query["sql"])]
    tables = [re.search(r'FROM "(\w+)"', sql)[1] for sql in locks]
    return list(dict.fromkeys(one for one in tables if one in (among or ORDER)))


PEOPLE = ["auth_user", "scoring_player"]
INVITATIONS = ["scoring_player", "scoring_invitation"]
ORDER = ["auth_group", *PEOPLE]
ORDER += ["scoring_invitation", "scoring_invitationuse", "scoring_guestclaim"]


def test_changing_a_player_locks_people():
    player, member = make_player(), make_member()
    assert locked(lambda: change_player(player, user=member, by=make_organiser())) == PEOPLE
    assert locked(lambda: change_player(player, user=None, by=make_organiser())) == PEOPLE


def test_deciding_who_somebody_is_locks_people_before_the_claim():
    by, player = make_organiser(), make_player("Same Person")
    _invitation, code = invite(once=False, by=by)
    account = join(code, username="same", password="zeppelin-4-moss", claim=player)
    use = InvitationUse.objects.get(account=account)
    order = [*PEOPLE, "scoring_invitationuse"]
    assert locked(lambda: decide_claim(use, confirm=True, by=by)) == order


def test_answering_who_a_guest_was_locks_people_before_the_claim():
    own, by = make_player(), make_organiser()
    claim = claim_guest(make_player(guest=True), by=make_member(player=own))
    assert locked(lambda: answer_claim(claim, agree=True, by=by)) == [
        *(*PEOPLE, "scoring_invitation", "scoring_guestclaim")
    ]


@pytest.mark.parametrize("end", ["joined", "invited again", "made anonymous"])
@pytest.mark.each_case
def test_ending_invitations_locks_in_one_order(end):
    by, player = make_owner(), make_player()
    _invitation, code = invite(player, by=by)
    ends = {
        "joined": lambda: join(code, username="new", password="zeppelin-4-moss"),
        "invited again": lambda: invite_each([player], again=True, by=by),
        "made anonymous": lambda: make_anonymous(player, by=by),
    }
    assert locked(ends[end]) == INVITATIONS


def test_merging_locks_groups_and_people_before_invitations():
    kept, gone, by = make_player(), make_player(), make_organiser()
    make_member(player=kept)
    make_member(player=gone)
    assert locked(lambda: merge_players(kept, gone, by=by)) == [
        *("auth_group", *PEOPLE, "scoring_invitation")
    ]


def test_playing_again_locks_league_then_game_then_player():
    by, over = make_organiser(), make_game()
    finish_game(over, by=by)
    order = ["scoring_league", "scoring_game", "scoring_player"]
    assert locked(lambda: play_again(over, by=by), order) == order


@pytest.mark.sqlite
def test_merging_is_refused_while_an_account_is_linked(monkeypatch):
    """The account that comes between was not locked first: locking it last could deadlock."""
    kept, gone, by = make_player(), make_player(), make_organiser()
    lock = merging._lock

    def linked_meanwhile(*players):
        make_member(player=gone)
        return lock(*players)

    monkeypatch.setattr(merging, "_lock", linked_meanwhile)
    with pytest.raises(ValidationError, match="linked just now"):
        merge_players(kept, gone, by=by)
    assert Player.objects.filter(pk=gone.pk).exists()


def first_name(node):
    """The name that a chain of calls and attributes begins with."""
    while not isinstance(node, ast.Name):
        node = getattr(node, "func", None) or getattr(node, "value", None)
        if node is None:
            return ""
    return node.id


@pytest.mark.sqlite
def test_people_are_locked_in_one_place():
    found = []
    for path in Path("scoring/services").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr == "select_for_update":
                found.append((path.name, first_name(node)))
    elsewhere = [(name, of) for name, of in found if name != "locks.py"]
    assert len(elsewhere) > 10
    assert [one for one in elsewhere if one[1] in ("Player", "Account", "User")] == []


@pytest.mark.parametrize("change", [make_reset_link, remove_second_factor, end_sessions])
@pytest.mark.each_case
def test_an_account_is_locked_before_its_role_is_asked(change):
    """Between the two somebody else may make it an owner's, into which an organiser lets nobody."""
    organiser, account = make_organiser(), make_member()
    with CaptureQueriesContext(connection) as queries:
        change(account, by=organiser)
    statements = [query["sql"] for query in queries]
    locks = [place for place, sql in enumerate(statements) if "FOR NO KEY UPDATE" in sql]
    asked = [place for place, sql in enumerate(statements) if f"IN ({account.pk})" in sql]
    assert asked
    assert locks[0] < asked[0]


@pytest.mark.django_db(transaction=True)
def test_what_refers_to_a_locked_game_does_not_wait():
    """Who moves a game has locked the tallies, and rates later games: it would wait for a correction there."""
    game = make_game()

    def rated(_n):
        with transaction.atomic():
            list(Game.objects.raw("SELECT id FROM scoring_game FOR KEY SHARE NOWAIT"))

    with transaction.atomic():
        lock_game(game)
        lock_season(game.league)
        assert at_once(rated, times=1) == [None]
