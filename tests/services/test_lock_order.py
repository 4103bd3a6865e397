"""Accounts are locked before players: two services that lock both never wait for each other."""

import ast
import re
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import InvitationUse, Player
from scoring.services import merging
from scoring.services.invitations import decide_claim, invite, join
from scoring.services.merging import merge_players
from scoring.services.people import change_player
from tests.factories import make_member, make_organiser, make_player

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]


def locked(act):
    """The tables of people that ``act`` locks, in this order, each once."""
    with CaptureQueriesContext(connection) as queries:
        act()
    locks = [query["sql"] for query in queries if re.search(r"FOR (NO KEY )?UPDATE", query["sql"])]
    tables = [re.search(r'FROM "(\w+)"', sql)[1] for sql in locks]
    return list(dict.fromkeys(one for one in tables if one in ("auth_user", "scoring_player")))


ORDER = ["auth_user", "scoring_player"]


def test_of_changing():
    player, member = make_player(), make_member()
    assert locked(lambda: change_player(player, user=member, by=make_organiser())) == ORDER


def test_of_deciding_who_somebody_is():
    by, player = make_organiser(), make_player("Same Person")
    _invitation, code = invite(once=False, by=by)
    account = join(code, username="same", password="zeppelin-4-moss", claim=player)
    use = InvitationUse.objects.get(account=account)
    assert locked(lambda: decide_claim(use, confirm=True, by=by)) == ORDER


def test_of_merging():
    kept, gone, by = make_player(), make_player(), make_organiser()
    make_member(player=kept)
    make_member(player=gone)
    assert locked(lambda: merge_players(kept, gone, by=by)) == ORDER


@pytest.mark.sqlite
def test_of_merging_while_an_account_is_linked(monkeypatch):
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
