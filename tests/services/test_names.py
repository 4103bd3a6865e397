"""Names are kept in one form, and those that look alike are asked about."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import Club, League, Player
from scoring.models.names import Looks, clean_name, look
from scoring.services.people import add_player, change_player
from tests.admin.addresses import address, words
from tests.api.callers import caller
from tests.factories import make_league, make_organiser, make_player

pytestmark = pytest.mark.django_db

INVISIBLE = {
    "a control character": "Ann\x07",
    "a format character": "A\u200bnn",
    "the other direction": "Ann \u202eeoZ",
    "a private character": "Ann\ue000",
    "no character": "Ann\uffff",
    "half a character": "Ann\ud800",
}
NOTHING = ("\u3164", "\u115f \u1160", "\uffa0", "\u2800", "\ufffc", "\u0301", "\u0300\u0301 \u0302")


def code_of(refused):
    return [error.code for errors in refused.value.error_dict.values() for error in errors]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ann \t\n Lee ", "Ann Lee"),
        ("Ａｎｎ　Ｌｅｅ", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),
        ("王小明", "王小明"),
        ("O\u2019Neill-Żółć Jr. 2", "O\u2019Neill-Żółć Jr. 2"),
        ("", ""),
    ],
)
def test_a_name_is_kept_in_one_form(typed, kept):
    assert clean_name(typed, longest=80) == kept


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_what_nobody_can_see_is_refused(name):
    with pytest.raises(ValidationError) as refused:
        clean_name(name, longest=80)
    assert code_of(refused) == ["invisible"]


@pytest.mark.parametrize("name", NOTHING)
def test_a_name_of_nothing_is_refused(name):
    with pytest.raises(ValidationError) as refused:
        clean_name(name, longest=80)
    assert code_of(refused) == ["shows_nothing"]


@pytest.mark.parametrize("name", ["zoe@club.example", "Zoë <zoe@club.example>"])
def test_a_mail_address_is_no_name(name):
    with pytest.raises(ValidationError) as refused:
        clean_name(name, longest=80)
    assert code_of(refused) == ["mail_address"]


@pytest.mark.parametrize("name", ["N. N. 7", "\N{GREEK CAPITAL LETTER NU}. N. 7"])
def test_a_name_that_looks_like_that_of_somebody_anonymous_is_refused(name):
    with pytest.raises(ValidationError) as refused:
        Player(name=name).clean()
    assert code_of(refused) == ["reserved"]


def test_a_name_that_grows_too_long_is_refused():
    with pytest.raises(ValidationError) as refused:
        clean_name("\ufdfa" * 10, longest=80)
    assert code_of(refused) == ["max_length"]


@pytest.mark.parametrize("model", [Player, League, Club])
def test_people_leagues_and_the_club_have_the_same_names(model):
    with pytest.raises(ValidationError) as refused:
        model(name="A\u200bnn").clean()
    assert set(refused.value.error_dict) == {"name"}
    row = model(name="Ａｎｎ")
    row.clean()
    assert row.name == "Ann"


def test_a_name_that_was_kept_before_stays_as_it_is():
    player, league = make_player("A\u200bnn"), make_league("\u3164")
    change_player(player, active=False, by=make_organiser())
    league.full_clean()
    assert (player.name, league.name) == ("A\u200bnn", "\u3164")


ALIKE = [
    ("Zoë Jansen", "zoe  jansen"),
    ("Zoë Jansen", "Zоё Jаnsеn"),
    ("Zoë Jansen", "Ζoe-Jansen"),
    ("Alan Il", "AIan ll"),
    ("Łukasz Øst", "lukasz ost"),
    ("Straße", "STRASSE"),
    ("Ann Lee", "Ann\u3164Lee"),
]
APART = [
    ("Anna", "Ann"),
    ("Player 1", "Player 2"),
    ("王小明", "王小月"),
    ("Jan", "Jean"),
    ("🀄", "🀅"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_a_reader_takes_for_one_look_alike(one, other):
    assert Looks([Player(name=one)]).find(other)
    assert look(one) == look(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_names_do_not_look_alike(one, other):
    assert Looks([Player(name=one)]).find(other) is None


class TestALookAlike:
    @pytest.fixture
    def zoe(self):
        return make_player("Zoë Jansen")

    def test_a_look_alike_is_asked_about_and_added_anyway(self, zoe):
        by = make_organiser()
        with pytest.raises(ValidationError) as refused:
            add_player("Zoe Jansen", by=by)
        assert refused.value.messages == ["There is already Zoë Jansen: the same person?"]
        assert code_of(refused) == ["looks_like"]
        assert add_player("Zoe Jansen", anyway=True, by=by).name == "Zoe Jansen"

    def test_a_look_alike_is_asked_about_when_somebody_is_renamed_and_not_otherwise(self, zoe):
        by, other = make_organiser(), make_player("Zoe Jansen")
        change_player(other, active=False, by=by)
        change_player(zoe, name="Zoé Jansen", anyway=True, by=by)
        with pytest.raises(ValidationError):
            change_player(other, name="Zoe  Jánsen", by=by)

    def test_a_name_may_be_corrected_without_being_asked_about(self, zoe):
        assert change_player(zoe, name="Zoé Jansen", by=make_organiser()).name == "Zoé Jansen"

    def test_a_look_alike_is_asked_about_by_the_api(self, zoe):
        api = caller(make_organiser())
        refused = api.post("/api/v1/players/", {"name": "Zoe Jansen"})
        assert refused.status_code == 400
        (error,) = refused.json()["errors"]
        assert (error["field"], error["code"]) == ("name", "looks_like")
        assert "Zoë Jansen" in error["message"]
        assert (
            api.post("/api/v1/players/", {"name": "Zoe Jansen", "anyway": True}).status_code == 201
        )
        other = make_player("Bob")
        path = f"/api/v1/players/{other.pk}/"
        assert api.patch(path, {"name": "Z0e Jansen"}).status_code == 400
        assert api.patch(path, {"name": "Z0e Jansen", "anyway": True}).status_code == 200

    def test_a_look_alike_is_asked_about_at_the_desk(self, zoe, admin_client):
        typed = {"name": "Zoe Jansen", "active": "on"}
        refused = admin_client.post(address(Player, "add"), typed)
        assert "There is already Zoë Jansen: the same person?" in words(refused)
        admin_client.post(address(Player, "add"), {**typed, "anyway": "on"})
        assert Player.objects.filter(name="Zoe Jansen").exists()
