"""Ids that no form of ours sends: each form answers with a sentence or "not found", and stores nothing."""

import pytest

from scoring.models import Game, Hand, Invitation, Player
from tests.factories import BOOK_HAND, make_game, make_organiser, make_player

# Each database has its own largest number.
pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

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


SCRIPTS = ["٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９"]


@pytest.mark.parametrize("digits", SCRIPTS)
def test_an_id_in_the_digits_of_another_script_is_nobodys(client, digits):
    def odd(pk):
        return str(pk).translate(str.maketrans("0123456789", digits))

    game = make_game()
    client.force_login(make_organiser())
    four = dict(
        zip(
            ("east", "south", "west", "north"), [make_player().pk for _one in range(4)], strict=True
        )
    )
    whole = {"league": game.league_id, **four, "reason": "A slip"}
    for field in ("league", *four):
        response = client.post("/games/new/", {**whole, field: odd(whole[field])})
        assert response.status_code == 422
        assert list(response.context["form"].errors) == [field]
    invited = {"player": odd(four["east"]), "days": "14", "once": "1"}
    assert client.post("/people/invitations/", invited).status_code in (404, 405, 422)
    number, winner = game.next_number, game.players[0].pk
    hand = {"number": number, "key": "k", "winner": winner, "discarder": "self", "tiles": BOOK_HAND}
    assert (
        client.post(f"/games/{game.pk}/hands/", {**hand, "winner": odd(winner)}).status_code == 422
    )
    for path in ("/games/{}/", "/players/{}/", "/players/{}.svg"):
        assert client.get(path.format(odd(game.pk))).status_code == 404
    assert (Game.objects.count(), Invitation.objects.count(), Hand.objects.count()) == (1, 0, 0)
