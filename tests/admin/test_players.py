"""Players at the organisers' desk."""

import pytest
from django import forms
from django.core.exceptions import ValidationError

from scoring.admin import players
from scoring.models import AuditEntry, Player
from scoring.services.pins import set_pin
from tests.admin.addresses import address, words
from tests.api.callers import caller
from tests.factories import make_game, make_member, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def test_a_player_is_added(desk):
    response = desk.post(address(Player, "add"), {"name": "  Ann   Lee ", "active": "on"})
    assert response.status_code == 302
    assert Player.objects.get().name == "Ann Lee"
    assert AuditEntry.objects.get().action == "add_player"


class FormWithNickname(forms.ModelForm):
    nickname = forms.CharField()


def test_every_field_of_the_form_reaches_the_service(desk, monkeypatch):
    """A field that is added to the form alone is not dropped."""
    stored = {}

    def added(**fields):
        stored.update(fields)
        return make_player("Ann")

    monkeypatch.setattr(players, "add_player", added)
    monkeypatch.setattr(players.PlayerAdmin, "form", FormWithNickname)
    monkeypatch.setattr(players.PlayerAdmin, "fields", ("name", "active", "nickname"))
    desk.post(address(Player, "add"), {"name": "Ann", "active": "on", "nickname": "Annie"})
    del stored["by"]
    assert stored == {"name": "Ann", "active": True, "nickname": "Annie"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ANN", "There is already a player of this name: add an initial to tell them apart."),
        ("", "This field is required."),
        ("x" * 81, "at most 80 characters"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_words(desk, name, sentence):
    make_player("Ann")
    response = desk.post(address(Player, "add"), {"name": name, "active": "on"})
    assert response.status_code == 200
    assert sentence in words(response)
    assert Player.objects.count() == 1


@pytest.mark.parametrize("change", [False, True])
def test_a_name_that_somebody_else_was_faster_with_is_refused_in_words(desk, monkeypatch, change):
    """Another desk saves it between the check of the form and the saving."""

    def faster(*_args, **_fields):
        raise ValidationError({"name": "There is already a player of this name."})

    monkeypatch.setattr(players, "change_player" if change else "add_player", faster)
    page = address(Player, "change", make_player("Ane").pk) if change else address(Player, "add")
    response = desk.post(page, {"name": "Ann", "active": "on"}, follow=True)
    assert response.redirect_chain == [(page, 302)]
    assert "There is already a player of this name." in words(response)
    assert "successfully" not in words(response)
    assert not Player.objects.filter(name="Ann").exists()


def test_a_player_who_cannot_be_changed_does_not_stop_other_players(desk):
    """Two names from before blanks were counted once."""
    fine, odd = make_player("Ann Lee"), make_player("Bob")
    Player.objects.filter(pk=odd.pk).update(name="Ann  Lee")
    sent = {"action": "they_left", "_selected_action": [fine.pk, odd.pk]}
    response = desk.post(address(Player), sent, follow=True)
    assert response.status_code == 200
    assert "1 player changed." in words(response)
    assert list(Player.objects.active()) == [odd]


def test_a_name_is_corrected(desk):
    player = make_player("Ane")
    desk.post(address(Player, "change", player.pk), {"name": "Ann", "active": "on"})
    player.refresh_from_db()
    assert player.name == "Ann"


def test_a_change_leaves_the_same_entry_in_the_audit_as_by_the_api(desk, organiser):
    first, second = make_player("Ane"), make_player("Bop")
    desk.post(address(Player, "change", first.pk), {"name": "Ann", "active": "on"})
    caller(organiser).patch(f"/api/v1/players/{second.pk}/", {"name": "Bob"})
    desk.post(address(Player, "change", first.pk), {"name": "Ann", "active": "on"})
    entries = AuditEntry.objects.filter(subject="player").order_by("pk")
    assert [(entry.action, entry.by, entry.subject_id, entry.details) for entry in entries] == [
        (
            "change_player",
            organiser,
            pk,
            {"before": {"name": was, "active": True}, "after": {"name": name, "active": True}},
        )
        for pk, was, name in ((first.pk, "Ane", "Ann"), (second.pk, "Bop", "Bob"))
    ]


def test_a_player_can_be_deleted_only_before_the_first_game(desk):
    typo, seated = make_player("Anm"), make_game().players[0]
    desk.post(address(Player, "delete", typo.pk), {"post": "yes"})
    response = desk.post(address(Player, "delete", seated.pk), {"post": "yes"})
    assert response.status_code == 200
    assert f"Deleting the player '{seated}' would result in deleting related objects" in words(
        response
    )
    assert not Player.objects.filter(pk=typo.pk).exists()
    assert Player.objects.filter(pk=seated.pk).exists()


def test_several_players_leave_and_come_back_at_once(desk):
    players = [make_player(), make_player(), make_player()]
    chosen = {"_selected_action": [player.pk for player in players[:2]]}
    response = desk.post(address(Player), {"action": "they_left", **chosen}, follow=True)
    assert "2 players changed." in words(response)
    assert [player.active for player in Player.objects.order_by("pk")] == [False, False, True]
    desk.post(address(Player), {"action": "they_are_back", **chosen})
    assert Player.objects.active().count() == 3


class TestAnAccount:
    def sent(self, user):
        return {"name": "Ann", "active": "on", "user": user.pk}

    def test_the_account_of_a_player_is_chosen_by_who_may_see_the_accounts(self, root):
        player, user = make_player("Ann"), make_member("ann")
        listed = root.get(
            "/admin/autocomplete/",
            {"app_label": "scoring", "model_name": "player", "field_name": "user", "term": "an"},
        )
        assert listed.json()["results"] == [{"id": str(user.pk), "text": "ann"}]
        root.post(address(Player, "change", player.pk), self.sent(user))
        player.refresh_from_db()
        assert player.user == user

    def test_another_account_of_a_player_takes_the_pin_of_the_one_before_away(self, root):
        player, eve = make_player("Ann"), make_member("eve")
        ann = make_member("ann", player=player)
        set_pin(player, "4711", by=ann)
        root.post(address(Player, "change", player.pk), self.sent(ann))
        player.refresh_from_db()
        assert player.pin
        root.post(address(Player, "change", player.pk), self.sent(eve))
        player.refresh_from_db()
        assert (player.user, player.pin) == (eve, "")

    def test_the_account_of_a_player_is_shown_to_organisers_and_stays_as_it_is(self, desk):
        player = make_player("Ann")
        member, other = make_member("ann", player=player), make_member("eve")
        assert "ann" in words(desk.get(address(Player, "change", player.pk)))
        desk.post(address(Player, "change", player.pk), self.sent(other))
        player.refresh_from_db()
        assert player.user == member

    def test_an_account_of_two_players_is_refused(self, root):
        user = make_member(player=make_player("Bob"))
        response = root.post(address(Player, "add"), self.sent(user))
        assert "Player with this Account already exists." in words(response)
