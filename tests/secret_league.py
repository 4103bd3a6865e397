"""A league that strangers read nothing of, and every address that shows something of it.

``manage.py shell -c "from tests.secret_league import tell; tell()"`` makes it in a site of its own, and
prints as JSON where it is read and what those send who may read it.
"""

import json
import sys

from django.test import Client

from scoring.models import League
from scoring.services.adjustments import book_at_table, penalty
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_token,
)


def make_secret_league() -> list[str]:
    """Where a members' league called Secret is read."""
    by = make_organiser()
    league = make_league("Secret", visibility=League.Visibility.MEMBERS)
    game = make_game(league=league)
    hand = make_hand(game, winner=1, by=by)
    booked = book_at_table(game, penalty(game, game.players[0], 10), by=by, reason="Late")
    one, player = f"/leagues/{league.slug}/", game.players[0].pk
    api = "/api/v1"
    return [
        *("/", "/leagues/", "/players/", f"/players/{player}/", one, f"{one}adjustments/"),
        *(f"{one}evenings/", f"{one}evenings/{game.evening}/", f"/games/{game.pk}/"),
        *(f"{one[:-1]}.{kind}" for kind in ("csv", "xlsx", "atom", "ics")),
        *(f"{one}evenings/{game.evening}.csv", "/leagues.atom", "/hall.atom"),
        *(f"/games/{game.pk}/live/", f"/hands/{hand.pk}/", f"/hands/{hand.pk}/picture.png"),
        *(f"/hands/{hand.pk}/history/", f"{api}/leagues/", f"{api}{one}", f"{api}{one}standings/"),
        *(f"{api}{one}evenings/", f"{api}/players/", f"{api}/players/{player}/", f"{api}/games/"),
        *(f"{api}/games/{game.pk}/", f"{api}/games/{game.pk}/hands/", f"{api}/hands/{hand.pk}/"),
        *(f"{api}/hands/{hand.pk}/history/", f"{api}/adjustments/"),
        f"{api}/adjustments/{booked.pk}/",
    ]


def tell() -> None:
    """Make the league and those who read the site: two tokens, two sessions and a stranger."""
    addresses, readers = make_secret_league(), {"a stranger": {}}
    for who, user in (("an organiser", make_organiser()), ("a member", make_member())):
        client = Client()
        client.force_login(user)
        readers[f"{who}'s token"] = {"Authorization": f"Token {make_token(user)}"}
        session = client.cookies["sessionid"].value
        readers[f"{who}'s session"] = {"Cookie": f"sessionid={session}"}
    json.dump({"addresses": addresses, "readers": readers}, sys.stdout)
