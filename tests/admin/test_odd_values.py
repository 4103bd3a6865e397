"""What no form of the desk sends is refused, and changes nothing."""

import pytest
from django.contrib.auth.models import Group

from scoring.models import Game, League
from tests.admin.addresses import address
from tests.factories import make_game, make_league

pytestmark = pytest.mark.django_db

ODD = ["x", "1.5", "9" * 30, "\0", "²"]


@pytest.fixture(autouse=True)
def _errors_are_answered(root, desk):
    root.raise_request_exception = desk.raise_request_exception = False


@pytest.mark.parametrize("value", ODD)
class TestAKeyThatIsNone:
    def test_of_games_to_end_is_refused(self, desk, organiser, value):
        make_game(by=organiser)
        for more in ({}, {"sure": "yes"}):
            sent = {"action": "finish", "_selected_action": [value], **more}
            answer = desk.post(address(Game), sent)
            assert answer.status_code == 400
            assert "Nothing was saved" in answer.content.decode()
        assert Game.objects.open().count() == 1

    def test_of_what_is_to_be_deleted_is_refused(self, root, value):
        sent = {"action": "delete_selected", "_selected_action": [value], "post": "yes"}
        assert root.post(address(Group), sent).status_code == 400

    def test_of_a_rule_set_is_refused(self, desk, value):
        league = make_league()
        sent = {"name": "Other", "ruleset_version": value, "visibility": "public"}
        for page in (address(League, "add"), address(League, "change", league.pk)):
            assert desk.post(page, sent).status_code in (200, 400)
        league.refresh_from_db()
        assert league.name != "Other"
