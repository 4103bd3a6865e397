"""Adding players and changing them."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from scoring.models import Player
from scoring.models.permissions import PermissionDenied
from scoring.services.people import add_player, change_player
from tests.factories import make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db


def test_an_organiser_adds_and_changes_players():
    by = make_organiser()
    player = add_player("  Ann  Ode ", by=by)
    assert (player.name, player.active) == ("Ann Ode", True)
    change_player(player, name="Anna", active=False, by=by)
    player.refresh_from_db()
    assert (player.name, player.active) == ("Anna", False)


@pytest.mark.parametrize("by", [make_member, AnonymousUser])
def test_nobody_but_an_organiser_adds_or_changes_players(by):
    by, player = by(), make_player("Ann")
    with pytest.raises(PermissionDenied):
        add_player("Ben", by=by)
    with pytest.raises(PermissionDenied):
        change_player(player, name="Anna", by=by)
    assert list(Player.objects.values_list("name", flat=True)) == ["Ann"]


def test_a_name_that_is_taken_is_refused_at_the_name():
    make_player("Ann")
    with pytest.raises(ValidationError) as error:
        add_player("ann", by=make_organiser())
    assert set(error.value.error_dict) == {"name"}


def test_a_name_that_is_taken_at_the_last_moment_is_refused(monkeypatch):
    """Two organisers add the same name at once: neither finds the other's in the check."""
    make_player("Ann")
    checks = []
    check = Player.full_clean

    def late(player):
        checks.append(player)
        if len(checks) > 1:
            check(player)

    monkeypatch.setattr(Player, "full_clean", late)
    with pytest.raises(ValidationError) as error:
        add_player("Ann", anyway=True, by=make_organiser())
    assert set(error.value.error_dict) == {"name"}
    assert len(checks) == 2
    assert Player.objects.count() == 1
