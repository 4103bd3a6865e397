"""Ids in the digits of other scripts are no ids: a call refuses them at their field, an address has nothing."""

import re
from importlib import import_module

import pytest
from rest_framework import serializers

from scoring.api.entries import EntrySerializer
from scoring.api.fields import PlainIntegerField
from scoring.models import Adjustment, Game, Hand
from tests.api.callers import caller
from tests.factories import BOOK_HAND, make_hand, make_organiser, make_player

pytestmark = pytest.mark.django_db

SCRIPTS = {"arabic": "٠١٢٣٤٥٦٧٨٩", "full width": "０１２３４５６７８９"}
WHY = {"reason": "A slip"}


@pytest.fixture(params=SCRIPTS)
def odd(request):
    def odd(pk):
        return str(pk).translate(str.maketrans("0123456789", SCRIPTS[request.param]))

    return odd


@pytest.fixture
def organiser():
    return caller(make_organiser())


def fields_of(response):
    assert response.status_code == 400, response.content
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


def test_a_hand_names_its_people_in_plain_digits(organiser, game, odd):
    first, second, third, fourth = (player.pk for player in game.players)
    hand = {"number": 1, "outcome": "win", "winner": first, "tiles": BOOK_HAND}
    named = {"winner": odd(first), "discarder": odd(second), "liable": odd(third)}
    listed = {"staked": [odd(first)], "calling": [odd(fourth)], "number": odd(1)}
    others = {"others": [{"player": odd(third), "claimed": 1}]}
    sent = {**hand, **named, **listed, **others}
    fields = fields_of(organiser.post(f"/api/v1/games/{game.pk}/hands/", sent))
    wrong = {re.split(r"[.\[]", field)[0] for field, _code in fields}
    assert wrong == {*named, *listed, *others}
    assert not Hand.objects.exists()


def test_a_correction_and_an_answer_name_people_in_plain_digits(organiser, game, odd):
    hand = make_hand(game, winner=1, by=make_organiser())
    there = f"/api/v1/hands/{hand.pk}"
    winner = {"winner": odd(game.players[2].pk), **WHY}
    assert fields_of(organiser.post(f"{there}/correct/", winner)) == {("winner", "invalid")}
    player = {"player": odd(game.players[2].pk)}
    for call in ("confirm", "dispute"):
        assert fields_of(organiser.post(f"{there}/{call}/", player)) == {("player", "invalid")}
    hand.refresh_from_db()
    assert hand.current
    assert not hand.events.exists()


def test_a_game_is_opened_by_ids_in_plain_digits(organiser, game, odd):
    others = [make_player().pk for _seat in range(3)]
    sent = {"league": game.league.slug, "players": [odd(make_player().pk), *others]}
    response = organiser.post("/api/v1/games/", sent)
    assert all("players" in field for field, _code in fields_of(response))
    assert Game.objects.count() == 1


def test_a_booking_and_an_invitation_name_people_in_plain_digits(organiser, game, odd):
    payer, payee = game.players[:2]
    line = {"payer": odd(payer.pk), "payee": payee.pk, "amount": 10}
    booked = {"game": game.pk, "transfers": [line], **WHY}
    assert "payer" in str(fields_of(organiser.post("/api/v1/adjustments/", booked)))
    booked = {"game": odd(game.pk), "transfers": [{**line, "payer": payer.pk}], **WHY}
    assert "game" in str(fields_of(organiser.post("/api/v1/adjustments/", booked)))
    invited = {"player": odd(make_player().pk)}
    assert "player" in str(fields_of(organiser.post("/api/v1/invitations/", invited)))
    assert not Adjustment.objects.exists()


@pytest.mark.parametrize(
    ("path", "name", "model"),
    [
        ("games/", "player", "player"),
        ("games/{game}/hands/", "winner", "player"),
        ("adjustments/", "game", "game"),
    ],
)
def test_a_list_is_narrowed_by_ids_in_plain_digits(organiser, game, odd, path, name, model):
    pk = game.pk if model == "game" else game.players[0].pk
    there = "/api/v1/" + path.format(game=game.pk)
    assert organiser.get(f"{there}?{name}={pk}").status_code == 200
    assert fields_of(organiser.get(f"{there}?{name}={odd(pk)}")) == {(name, "invalid_choice")}


def test_chances_are_asked_for_by_ids_in_plain_digits(organiser, game, odd):
    ids = ",".join(str(player.pk) for player in game.players)
    asked = f"/api/v1/ratings/chances/?league={game.league.slug}&players="
    assert organiser.get(asked + ids).status_code == 200
    assert fields_of(organiser.get(asked + odd(ids))) == {("players", "invalid")}


def test_there_is_nothing_at_an_address_or_page_in_other_digits(organiser, game, odd):
    for path in ("games/{}/", "games/{}/hands/", "players/{}/", "players/{}/ratings/", "hands/{}/"):
        assert organiser.get("/api/v1/" + path.format(odd(1))).status_code == 404
    assert organiser.get("/api/v1/games/?page=1").status_code == 200
    assert organiser.get(f"/api/v1/games/?page={odd(1)}").status_code == 404


@pytest.mark.parametrize("sent", ["1_0", "+1", " 1", True, 1.5, "1.5", [1], "²"])
def test_a_plain_number_is_one(sent):
    field = PlainIntegerField()
    if sent in ("+1", " 1"):
        assert field.run_validation(sent) == 1
        return
    with pytest.raises(serializers.ValidationError):
        field.run_validation(sent)


def entries(kind=EntrySerializer):
    for entry in kind.__subclasses__():
        yield entry
        yield from entries(entry)


def numbers(field):
    """The whole numbers that are sent as ``field``."""
    children = [getattr(field, name, None) for name in ("child", "pk_field")]
    if isinstance(field, serializers.IntegerField):
        yield field
    for child in filter(None, children):
        yield from numbers(child)


def test_every_whole_number_that_is_sent_is_in_plain_digits():
    import_module("scoring.api.urls")  # and with it every call
    # Those of a model are about settings: no id is among them.
    kinds = {entry for entry in entries() if not issubclass(entry, serializers.ModelSerializer)}
    assert len(kinds) > 10
    for entry in kinds:
        for name, field in entry().get_fields().items():
            if not field.read_only:
                for number in numbers(field):
                    assert isinstance(number, PlainIntegerField), (entry, name)
