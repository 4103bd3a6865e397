"""Every page comes from each database: none refuses a question that the other one answers."""

import logging

import pytest
from django.db.models import Model
from django.template.base import VariableDoesNotExist
from django.test import Client

from tests.factories import make_member, make_owner, make_player
from tests.support.effort import THOROUGH
from tests.web.every_page import every_address, is_page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.sqlite
@pytest.mark.postgresql
@pytest.mark.thorough("sqlite")
def test_every_page_is_answered():
    organiser, visitor, member, desk = make_owner(player=make_player()), *(Client() for _ in "vmd")
    paths = every_address(organiser)
    member.force_login(make_member())
    desk.force_login(organiser)
    # A member is asked less than one of them, and no other question.
    for client in (visitor, desk, *([member] if THOROUGH else [])):
        answers = {path: client.get(path) for path in paths}
        assert [path for path in paths if answers[path].status_code >= 500] == []
    assert len([path for path in paths if is_page(answers[path])]) > 20


class Missing(logging.Handler):
    """What templates ask of our own objects and do not get: Django shows nothing in its place.

    A variable that no view gives is how an optional part of a page is left out.
    """

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.found = set()

    def emit(self, record):
        error = record.exc_info and record.exc_info[1]
        if isinstance(error, VariableDoesNotExist):
            name, owner = error.params
            if isinstance(owner, Model) or type(owner).__module__.startswith("scoring."):
                self.found.add((type(owner).__name__, name, record.args[1]))


@pytest.fixture
def missing():
    logger, handler = logging.getLogger("django.template"), Missing()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler.found
    logger.removeHandler(handler)
    logger.setLevel(level)


@pytest.mark.thorough
@pytest.mark.sqlite
def test_templates_ask_only_for_attributes_that_are_there(missing):
    organiser = make_owner(player=make_player())
    client = Client()
    client.force_login(organiser)
    for path in every_address(organiser):
        client.get(path)
    assert missing == set()
