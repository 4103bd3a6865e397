"""What no form of the desk sends is refused, and changes nothing."""

import logging

import pytest
from django.contrib.auth.models import Group
from django.db import DataError
from django.forms import modelform_factory

from scoring.admin.leagues import LeagueAdmin
from scoring.models import Game, League
from tests.admin.addresses import address
from tests.factories import make_game, make_league
from tests.support.forms import as_shown

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

TOO_LARGE = "9" * 30
ODD = ["x", "1.5", TOO_LARGE, "\0", "²"]


def refusals(value):
    """PostgreSQL finds no row of a number that no column holds; elsewhere it is an error."""
    return (200, 302, 400) if value == TOO_LARGE else (400,)


@pytest.fixture(autouse=True)
def _errors_are_answered(root, desk):
    root.raise_request_exception = desk.raise_request_exception = False


@pytest.mark.parametrize("value", ODD)
class TestAKeyThatIsNone:
    def test_a_key_of_games_to_end_that_is_none_is_refused(self, desk, organiser, value):
        make_game(by=organiser)
        for more in ({}, {"sure": "yes"}):
            sent = {"action": "finish", "_selected_action": [value], **more}
            answer = desk.post(address(Game), sent)
            assert answer.status_code in refusals(value)
            if answer.status_code == 400:
                assert "Nothing was saved" in answer.content.decode()
        assert Game.objects.open().count() == 1

    def test_a_key_of_what_is_to_be_deleted_that_is_none_is_refused(self, root, value):
        sent = {"action": "delete_selected", "_selected_action": [value], "post": "yes"}
        group = Group.objects.create(name="Guests")
        assert root.post(address(Group), sent).status_code in refusals(value)
        assert Group.objects.filter(pk=group.pk).exists()

    def test_a_key_of_a_rule_set_that_is_none_is_refused(self, desk, value):
        league = make_league()
        sent = {"name": "Other", "ruleset_version": value, "visibility": "public"}
        for page in (address(League, "add"), address(League, "change", league.pk)):
            assert desk.post(page, sent).status_code in (200, 400)
        league.refresh_from_db()
        assert league.name != "Other"


def test_a_field_that_no_model_has_is_refused(desk):
    page = address(League, "change", make_league().pk)
    assert desk.get(f"{page}?_to_field=").status_code == 400


class TestABugOfOurs:
    """What the site itself makes of a form: not the fault of who sent it."""

    @pytest.mark.parametrize(
        "error",
        [DataError("too long"), OverflowError("int too large"), TypeError("Field 'id' expected x")],
    )
    def test_a_bug_of_ours_in_saving_is_an_error_of_the_server(self, desk, monkeypatch, error):
        def save_model(*_args):
            raise error

        league = make_league()
        monkeypatch.setattr(LeagueAdmin, "save_model", save_model)
        form = modelform_factory(League, fields="__all__")(instance=league)
        sent = {**as_shown(form), "name": "Other"}
        answer = desk.post(address(League, "change", league.pk), sent)
        assert answer.status_code == 500

    def test_a_bug_of_ours_that_looks_like_an_odd_value_is_in_the_log_with_its_traceback(
        self, root, caplog
    ):
        sent = {"action": "delete_selected", "_selected_action": ["x"], "post": "yes"}
        root.post(address(Group), sent)
        [warning] = [one for one in caplog.records if one.name == "mahjong_site.desk_values"]
        assert warning.levelno == logging.WARNING
        assert warning.exc_info[2] is not None
