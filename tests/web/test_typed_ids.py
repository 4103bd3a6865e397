"""Ids that no form of ours sends: each form answers with a sentence or "not found", and stores nothing."""

import pytest

from scoring.models import Game, Invitation, Player
from tests.factories import make_game, make_organiser, make_player

pytestmark = pytest.mark.django_db

ODD = ["²", "٣", "9" * 18, "9" * 19, "9" * 400, "-1", "1e3", "null"]
FORMS = [
    ("/games/new/", "east"),
    ("/games/new/", "league"),
    ("/games/new/guest/", "east"),
    ("/games/new/find/", "east"),
    ("/games/{game}/seats/", "players"),
    ("/games/{game}/move/", "league"),
    ("/people/claims/", "use"),
    ("/people/invitations/revoke/", "invitation"),
    ("/players/{player}/answer-claim/", "claim"),
    ("/account/notices/remove-device/", "device"),
    ("/account/tokens/end/", "token"),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:19])
def test_an_odd_id_is_nobodys(client, odd):
    game = make_game()
    client.force_login(make_organiser())
    others = [str(make_player().pk) for _seat in range(3)]
    before = (Game.objects.count(), Invitation.objects.count(), Player.objects.count())
    seats = dict(zip(("south", "west", "north"), others, strict=True))
    for address, field in FORMS:
        entered = {"league": game.league_id, **seats, "reason": "A slip", field: odd}
        if field == "players":
            entered[field] = ",".join([odd, *others])
        named = address.format(game=game.pk, player=game.players[0].pk)
        assert client.post(named, entered).status_code < 500, named
    assert (Game.objects.count(), Invitation.objects.count(), Player.objects.count()) == before
