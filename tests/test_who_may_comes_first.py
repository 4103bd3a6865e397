"""Who may not do something is told that first, not to say why they do it: by service, page and call."""

from copy import deepcopy

import pytest
from django.urls import reverse

from scoring.models.permissions import PermissionDenied
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.restore import restore_hand
from scoring.services.late_hands import ask_for_late_hand, decline_late_hand
from scoring.services.seats import change_seats, move_game
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.api.callers import caller
from tests.factories import make_game, make_hand, make_league, make_member, make_organiser

pytestmark = pytest.mark.django_db

DRAW = HandEntry(number=1, outcome="draw")
REFUSED = "organiser"


class Tables:
    """A table in play, one that is over, one that is withdrawn, and one of a closed evening."""

    def __init__(self):
        by = make_organiser()
        self.game, self.over, self.withdrawn, self.closed = (make_game() for _table in range(4))
        self.hand = make_hand(self.game, winner=1, by=by)
        self.void = make_hand(self.game, by=by)
        self.disputed = make_hand(self.over, winner=1, by=by)
        dispute_hand(self.disputed, by=by, player=self.over.players[2])
        finish_game(self.over, by=by)
        ask_for_late_hand(self.over, HandEntry(number=2, outcome="draw"), by=by, key="k")
        self.late = self.over.late_hands.get()
        void_hand(self.void, by=by, reason="A slip")
        withdraw_game(self.withdrawn, by=by, reason="Opened twice")
        close_evening(self.closed.league, self.closed.evening, by=by)


@pytest.fixture(scope="module")
def tables(shared):
    return shared(Tables)


@pytest.fixture
def there(tables, db):
    """Objects of its own for each test: what it does to one reaches no other."""
    return deepcopy(tables)


def evening_of(game):
    return {"league": game.league, "day": game.evening}


SERVICES = {
    "correct": lambda t, **how: correct_hand(t.hand, DRAW, **how),
    "void": lambda t, **how: void_hand(t.hand, **how),
    "restore": lambda t, **how: restore_hand(t.void, **how),
    "settle": lambda t, **how: settle_hand(t.disputed, **how),
    "decline": lambda t, **how: decline_late_hand(t.late, **how),
    "seats": lambda t, **how: change_seats(t.game, t.game.players[::-1], **how),
    "move": lambda t, **how: move_game(
        t.game, **{**evening_of(t.game), "league": make_league()}, **how
    ),
    "reopen": lambda t, **how: reopen_game(t.over, **how),
    "withdraw": lambda t, **how: withdraw_game(t.game, **how),
    "restore game": lambda t, **how: restore_game(t.withdrawn, **how),
    "evening": lambda t, **how: reopen_evening(**evening_of(t.closed), **how),
}


@pytest.mark.parametrize("act", SERVICES)
def test_a_service_asks_who_it_is_before_it_asks_why(there, act):
    with pytest.raises(PermissionDenied, match=REFUSED):
        SERVICES[act](there, by=make_member(), reason="")


CALLS = {
    "correct": lambda t: f"hands/{t.hand.pk}/correct/",
    "correct, seen": lambda t: f"hands/{t.hand.pk}/correct/preview/",
    "void": lambda t: f"hands/{t.hand.pk}/void/",
    "restore": lambda t: f"hands/{t.void.pk}/restore/",
    "settle": lambda t: f"hands/{t.disputed.pk}/settle/",
    "seats": lambda t: f"games/{t.game.pk}/seats/",
    "reopen": lambda t: f"games/{t.over.pk}/reopen/",
    "withdraw": lambda t: f"games/{t.game.pk}/withdraw/",
    "restore game": lambda t: f"games/{t.withdrawn.pk}/restore/",
    "evening": lambda t: f"leagues/{t.closed.league.slug}/evenings/{t.closed.evening}/reopen/",
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_asks_who_it_is_before_it_asks_why(there, call):
    address = f"/api/v1/{CALLS[call](there)}"
    refused = caller(make_member()).post(address, {}, format="json")
    assert refused.status_code == 403
    wrong = caller(make_organiser()).post(address, {}, format="json")
    assert wrong.status_code == 400


def at_the_evening(game):
    return [game.league.slug, game.evening]


PAGES = {
    "correct": lambda t: ("correct_hand", [t.hand.pk]),
    "void": lambda t: ("void_hand", [t.hand.pk]),
    "restore": lambda t: ("restore_hand", [t.void.pk]),
    "settle": lambda t: ("settle_hand", [t.disputed.pk]),
    "decline": lambda t: ("decide_late_hand", [t.over.pk, t.late.pk]),
    "seats": lambda t: ("change_seats", [t.game.pk]),
    "move": lambda t: ("move_game", [t.game.pk]),
    "reopen": lambda t: ("reopen_game", [t.over.pk]),
    "withdraw": lambda t: ("withdraw_game", [t.game.pk]),
    "restore game": lambda t: ("restore_game", [t.withdrawn.pk]),
    "evening": lambda t: ("reopen_evening", at_the_evening(t.closed)),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_who_it_is_before_it_asks_why(client, there, page):
    client.force_login(make_member())
    name, args = PAGES[page](there)
    refused = client.post(reverse(name, args=args), {"step": "apply", "reason": ""})
    assert (refused.status_code, REFUSED in refused.content.decode()) == (403, True)
