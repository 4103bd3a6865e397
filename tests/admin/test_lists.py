"""Every list at the desk costs as many queries for three rows as for one."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import (
    Adjustment,
    EveningClosure,
    Game,
    Hand,
    HandEvent,
    IdempotencyKey,
    League,
    Payment,
    Player,
    Rating,
    Round,
    RuleSet,
    RuleSetVersion,
    Seat,
    Tally,
    Transfer,
)
from scoring.services.games import finish_game
from tests.admin.addresses import address
from tests.admin.conftest import say_something
from tests.factories import make_game, make_hand, make_member, make_organiser, ruleset_version
from tests.support.effort import THOROUGH

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def queries(client, *page):
    client.get(address(*page))  # what Django remembers from page to page is remembered now
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address(*page)).status_code == 200
    return len(captured)


def play():
    """A game of a league of its own, with a hand, finished; and an answer that is kept."""
    by = make_organiser()
    game = make_game(by=by)
    make_hand(game, winner=1, by=by)
    make_member(player=game.players[0])
    say_something(game, by)
    finish_game(game, by=by)
    IdempotencyKey.objects.create(user=by, key="key", fingerprint="-")
    ruleset = RuleSet.objects.create(slug=f"house-{game.pk}", name="House")
    RuleSetVersion.objects.create(ruleset=ruleset, number=1, created_by=by)


def test_every_model_is_in_the_admin():
    assert set(apps.get_app_config("scoring").get_models()) <= set(admin.site._registry)


QUERIES = {
    Player: 7,
    League: 8,
    RuleSet: 5,
    RuleSetVersion: 8,
    Game: 7,
    Seat: 4,
    Round: 4,
    Hand: 5,
    Payment: 5,
    Tally: 5,
    Rating: 5,
    HandEvent: 5,
    Adjustment: 5,
    Transfer: 5,
    EveningClosure: 7,
    IdempotencyKey: 5,
}


def test_every_list_costs_the_same_queries_for_any_number_of_rows(root):
    ruleset_version()
    for _row in range(3):
        play()
        assert {model: queries(root, model) for model in QUERIES} == QUERIES


def test_a_page_with_rows_of_its_own_costs_the_same_queries(root):
    game, by = make_game(), make_organiser()
    ruleset = ruleset_version().ruleset
    for number in range(1, 4):
        make_hand(game, winner=1, by=by)
        RuleSetVersion.objects.create(ruleset=ruleset, number=number + 1, created_by=by)
        shown = (game, game.hands.last(), ruleset)
        counts = [queries(root, type(row), "change", row.pk) for row in shown]
        assert counts == [6, 4, 4]


@pytest.mark.thorough("sqlite")
def test_every_list_is_sorted_by_every_column(root):
    """A drawn hand has no winner, a void hand is nobody’s answer: a column of names is empty there."""
    play()
    game, by = make_game(), make_organiser()
    hand = make_hand(game, by=by)
    HandEvent.objects.create(hand=hand, kind="void", reason="Twice", by=by)
    for model in apps.get_app_config("scoring").get_models():
        listed = admin.site._registry[model].list_display
        for column, name in enumerate(listed, 1):
            for order in (column, -column) if THOROUGH else (column,):
                answer = root.get(address(model), {"o": order})
                assert answer.status_code == 200, (model, name)


def test_no_list_looks_through_a_whole_table_for_its_dates(root):
    """The first and the last date of 200,000 hands took seconds."""
    play()
    for model in apps.get_app_config("scoring").get_models():
        with CaptureQueriesContext(connection) as captured:
            root.get(address(model))
        asked = [query["sql"] for query in captured]
        growing = model not in (EveningClosure, League, Player, RuleSetVersion)
        assert not growing or not [sql for sql in asked if "MIN(" in sql], model
