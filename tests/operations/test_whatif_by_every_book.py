"""A league of each book that ships, under the rules of each other one: on its page and by the command."""

import pytest
from django.core.management import call_command

from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import BOOK, CLUB
from scoring.operations.whatif import what_if
from scoring.services.rulesets import shipped_version
from scoring.variants import why_not_installed
from scoring.variants.book_rules import BookTableRules
from tests.factories import make_game, make_hand, make_league, make_member

pytestmark = pytest.mark.django_db

BOOKS = [slug for slug in sorted(shipped()) if why_not_installed(load(slug)) is None]
READABLE = [slug for slug in BOOKS if slug != "card"]  # by a card the tiles tell nothing
OPTIONS = {"club": CLUB, "book": BOOK}
DRAGONS = "RRR* GGG WhWhWh 345B 55C"  # wins by every book


def rules_of(slug):
    return OptionTableRules(OPTIONS[slug]) if slug in OPTIONS else BookTableRules(load(slug))


def _log_hands(game, by):
    """A win on a discard, a drawn one, a score alone and a draw; the winning tile is named where it must be."""
    rules = game.ruleset_version.table_rules
    shown = {"tiles": "", "value": 25} if rules.reads_card else {"tiles": DRAGONS}
    if rules.needs_winning_tile:
        shown["winning_tile"] = "5C"
    if not rules.reads_card:
        claims = rules.claims
        claimed = claims.listed[0] if claims.listed else max(claims.least, claims.step)
        make_hand(
            game, winner=2, by=by, tiles="", claimed_final=claimed, discarder=game.players[0].pk
        )
    make_hand(game, winner=1, by=by, discarder=game.players[0].pk, **shown)
    liable = {"liable": game.players[3].pk} if rules.liability else {}
    make_hand(game, winner=2, by=by, self_drawn=True, **shown, **liable)
    make_hand(game, by=by)


@pytest.fixture(params=BOOKS)
def league(request, organiser):
    version = shipped_version(request.param, by=organiser)
    league = make_league("Winter", slug="winter", ruleset_version=version)
    _log_hands(make_game(league=league, by=organiser), organiser)
    return league


def test_a_league_of_any_book_has_a_table_by_every_other(league):
    read = {}
    for slug in READABLE:
        trial = what_if(league, rules_of(slug))
        assert trial.rows, slug
        read[slug] = trial.hands - trial.not_read
    assert len(read) == len(READABLE)
    # Without the winning tile the libraries tell nothing: such hands keep their score.
    named = league.ruleset_version.table_rules.needs_winning_tile
    assert named == (read["riichi"] > 1) or league.ruleset_version.table_rules.reads_card


def test_a_league_of_any_book_has_a_page_and_a_list_by_riichi(league, organiser, client, capsys):
    """Whose book asks who is liable only with some hands: of a hand that it cannot read, nobody."""
    client.force_login(make_member())
    call_command("whatif", "winter", "--ruleset", "riichi")
    assert capsys.readouterr().out.startswith("Winter by ")
    shipped_version("riichi", by=organiser)
    page = client.get("/leagues/winter/what-if/?ruleset=riichi")
    assert page.status_code == 200
    assert page.context["trial"].rows
