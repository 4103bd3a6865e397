"""What was played is looked at here, and nobody adds, changes or deletes it by hand."""

import pytest

from scoring.models import (
    Adjustment,
    AuditEntry,
    EveningClosure,
    Game,
    Hand,
    HandEvent,
    Payment,
    Rating,
    Round,
    Seat,
    Tally,
    Transfer,
)
from scoring.services.games import finish_game
from tests.admin.addresses import address, words
from tests.admin.conftest import say_something
from tests.factories import make_game, make_hand, make_organiser

pytestmark = pytest.mark.django_db

LEDGER = (
    *(Game, Seat, Round, Hand, Payment, Tally, Rating),
    *(HandEvent, Adjustment, Transfer, EveningClosure, AuditEntry),
)


@pytest.fixture(scope="module")
def played(shared):
    return shared(play_a_game)


def play_a_game():
    game, by = make_game(), make_organiser()
    make_hand(game, winner=1, by=by)
    make_hand(game, winner=2, tiles="", claimed_final=120, by=by)
    make_hand(game, by=by)
    say_something(game, by)
    return finish_game(game, by=by).pk


@pytest.fixture(autouse=True)
def game(played):
    return Game.objects.get(pk=played)


def rows():
    return {model: list(model.objects.order_by("pk").values()) for model in LEDGER}


@pytest.mark.parametrize("model", LEDGER)
@pytest.mark.parametrize("who", ["desk", "root"])
class TestARowOfTheLedger:
    @pytest.fixture
    def client(self, who, request):
        return request.getfixturevalue(who)

    def test_a_row_of_the_ledger_can_be_looked_at(self, client, model):
        assert client.get(address(model)).status_code == 200
        for row in model.objects.all():
            page = client.get(address(model, "change", row.pk))
            assert page.status_code == 200
            assert 'name="_save"' not in page.content.decode()
            assert client.get(address(model, "history", row.pk)).status_code == 200

    @pytest.mark.parametrize("page", ["change", "delete", "add"])
    def test_a_row_of_the_ledger_cannot_be_changed_deleted_or_added(self, client, model, page):
        before, row = rows(), model.objects.first()
        target = address(model, page, None if page == "add" else row.pk)
        sent = {**{key: value or "" for key, value in vars(row).items()}, "post": "yes"}
        assert client.post(target, sent).status_code == 403
        assert rows() == before

    def test_a_row_of_the_ledger_cannot_be_deleted_in_the_list(self, client, model):
        before = rows()
        sent = {"action": "delete_selected", "_selected_action": [model.objects.first().pk]}
        client.post(address(model), {**sent, "post": "yes"})
        assert rows() == before


def test_a_hand_shows_what_was_entered_and_what_it_makes(desk, game):
    hand = game.hands.get(number=1)
    page = words(desk.get(address(Hand, "change", hand.pk)))
    assert hand.tiles in page
    assert "Final score: 70" in page
    for payment in hand.payments.all():
        assert f"{payment.player}" in page
        assert f"{payment.amount}" in page


def test_a_game_shows_its_table_and_its_hands(desk, game):
    page = words(desk.get(address(Game, "change", game.pk)))
    for player in game.players:
        assert player.name in page
    assert page.count("Hand 1 of") == 1
    assert page.count("Hand 3 of") == 1


@pytest.mark.sqlite
@pytest.mark.postgresql
def test_what_has_been_played_is_found_by_a_name(desk, game):
    name = game.players[1].name
    for model in (Game, Hand, Payment, Tally, Rating, Seat, Round, HandEvent, Transfer):
        listed = desk.get(address(model), {"q": name}).context["cl"]
        assert 0 < listed.result_count <= model.objects.count()
        nobody = desk.get(address(model), {"q": "Nobody at all"}).context["cl"]
        assert nobody.result_count == 0
