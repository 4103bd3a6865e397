"""Accounts are locked before players: two services that lock both never wait for each other."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import InvitationUse
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
