"""Pages on which organisers start a league, and change it."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils.formats import date_format

from scoring.models import AuditEntry, Game, League, club_day
from scoring.queries import leading
from scoring.queries.seasons import final_rows
from scoring.services.seasons import close_season
from scoring.services.standing_rules import change_standing_rules
from scoring.web.shared.league_form import LeagueForm
from tests.factories import make_game, make_league, make_organiser, make_owner, ruleset_version
from tests.support.forms import as_shown, sent_as_shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(client):
    user = make_organiser()
    client.force_login(user)
    return user


def sent(**changes):
    return {
        **as_shown(LeagueForm()),
        "name": "Winter evenings",
        "ruleset_version": ruleset_version().pk,
        "starts_on": "2026-01-01",
        "visibility": "members",
        **changes,
    }


def test_a_league_is_started_and_has_an_address_of_its_name(client, by):
    make_league(slug="winter-evenings")
    response = client.post("/leagues/new/", sent(hides_names="on"))
    assert response.url == "/leagues/winter-evenings-2/"
    league = League.objects.get(slug="winter-evenings-2")
    assert (league.visibility, league.hours_to_answer) == ("members", 24)
    assert league.hides_names
    assert AuditEntry.objects.get().action == "add_league"


@pytest.mark.parametrize(("name", "slug"), [("冬季", "league"), ("New", "new-2")])
def test_a_name_without_an_address_of_its_own_gets_one(client, by, name, slug):
    client.post("/leagues/new/", sent(name=name))
    assert League.objects.get().slug == slug


def test_the_form_of_a_new_league_can_be_saved_as_it_is(client, by):
    form = client.get("/leagues/new/").context["form"]
    given = {**as_shown(form), "name": "Winter"}
    assert client.post("/leagues/new/", given).status_code == 302


def test_a_league_is_changed_and_its_games_keep_their_rules(client, by):
    game = make_game()
    book = ruleset_version("book")
    address = f"/leagues/{game.league.slug}/change/"
    assert client.post(address, sent(name="Summer", ruleset_version=book.pk)).status_code == 302
    league = League.objects.get()
    assert (league.name, league.ruleset_version) == ("Summer", book)
    game.refresh_from_db()
    assert game.ruleset_version == ruleset_version()
    entry = AuditEntry.objects.latest("pk")
    assert entry.action == "change_league"
    assert entry.details["after"]["name"] == "Summer"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": " "}, "This field is required."),
        ({"ends_on": "2025-12-31"}, "The last day of a league lies before its first day."),
        ({"starts_on": "0202-11-22"}, "Give a day from the year 1900 to the year 2999."),
        ({"hours_to_answer": "0"}, "greater than or equal to 1"),
    ],
)
def test_bad_settings_of_a_league_are_refused_with_a_sentence(client, by, changes, words):
    league = make_league(name="Spring")
    for address in ("/leagues/new/", f"/leagues/{league.slug}/change/"):
        response = client.post(address, sent(**changes))
        assert response.status_code == 422
        assert words in response.content.decode()
    assert League.objects.get().name == "Spring"


def test_the_pages_of_leagues_lead_organisers_to_their_settings(client):
    league = make_league()
    addresses = {"/leagues/": "/leagues/new/", league.get_absolute_url(): "/change/"}
    for page, link in addresses.items():
        assert link not in client.get(page).content.decode()
    client.force_login(make_organiser())
    leading.forget()
    for page, link in addresses.items():
        assert link in client.get(page).content.decode()


def test_what_somebody_else_changed_of_a_league_meanwhile_stays(client, by):
    league = make_league(name="Spring", hours_to_answer=24)
    page = f"/leagues/{league.slug}/change/"
    shown = sent_as_shown(client.get(page))
    theirs = {"description": "On Mondays", "hours_to_answer": "48", "hides_names": "on"}
    assert client.post(page, {**shown, **theirs}).status_code == 302
    assert client.post(page, {**shown, "name": "Summer"}).status_code == 302
    league.refresh_from_db()
    assert (league.name, league.description) == ("Summer", "On Mondays")
    assert (league.hours_to_answer, league.hides_names) == (48, True)
    shown = sent_as_shown(client.get(page))
    del shown["hides_names"]
    assert client.post(page, {**shown, "description": ""}).status_code == 302
    league.refresh_from_db()
    assert (league.name, league.description, league.hides_names) == ("Summer", "", False)


class TestDeleting:
    @pytest.fixture(autouse=True)
    def _organiser(self, client):
        client.force_login(make_organiser())

    def test_a_league_without_games_can_be_deleted(self, client):
        league = make_league(name="Spring")
        assert "/delete/" in client.get(f"/leagues/{league.slug}/change/").content.decode()
        assert client.post(f"/leagues/{league.slug}/delete/").url == "/leagues/"
        assert not League.objects.filter(pk=league.pk).exists()
        assert AuditEntry.objects.get(action="delete_league").details["name"] == "Spring"

    def test_no_standing_rules_are_deleted_that_came_in_between(self, client):
        league = make_league(name="Spring")
        page = f"/leagues/{league.slug}/delete/"
        began = client.get(page).context["seen"]
        tables = [{"name": "Average", "counts": "average_game"}]
        change_standing_rules(league, tables, effective_from=club_day(), by=make_organiser())
        refused = client.post(page, {"seen": began})
        assert refused.status_code == 409
        assert "Somebody changed the standing rules meanwhile" in refused.content.decode()
        assert League.objects.filter(pk=league.pk).exists()
        assert client.post(page, {"seen": refused.context["seen"]}).url == "/leagues/"

    def test_a_league_in_which_a_game_was_opened_in_between_is_not_deleted(self, client):
        league = make_league(name="Spring")
        page = f"/leagues/{league.slug}/delete/"
        began = client.get(page).context["seen"]
        make_game(league=league)
        assert client.post(page, {"seen": began}).status_code == 422
        assert League.objects.filter(pk=league.pk).exists()

    def test_a_league_that_somebody_played_in_is_not_deleted(self, client):
        league = make_game().league
        assert "/delete/" not in client.get(f"/leagues/{league.slug}/change/").content.decode()
        assert "it stays" in client.get(f"/leagues/{league.slug}/delete/").content.decode()
        assert client.post(f"/leagues/{league.slug}/delete/").status_code == 422
        assert League.objects.filter(pk=league.pk).exists()


def test_days_are_refused_that_leave_a_game_outside(client, by):
    today = club_day()
    game = make_game(league=make_league(starts_on=today - timedelta(days=30)))
    withdrawn = make_game(league=game.league)
    Game.objects.filter(pk=withdrawn.pk).update(
        withdrawn_at=withdrawn.started_at, evening=today - timedelta(days=20)
    )
    address = f"/leagues/{game.league.slug}/change/"
    late, early = today + timedelta(days=1), today - timedelta(days=1)
    for name, days in (("starts_on", {"starts_on": late}), ("ends_on", {"ends_on": early})):
        response = client.post(address, sent(**{"starts_on": game.league.starts_on, **days}))
        assert response.status_code == 422
        [[sentence]] = response.context["form"].errors.values()
        assert response.context["form"].has_error(name, "played")
        assert date_format(today) in sentence
    assert client.post(address, sent(starts_on=today, ends_on=today)).status_code == 302


def test_hours_of_a_form_from_before_the_season_was_closed_are_refused(client, by):
    today = club_day()
    league = make_league(slug="old", starts_on=today, ends_on=today)
    address = "/leagues/old/change/"
    given = sent(starts_on=today, ends_on=today, hours_to_answer="48")
    close_season(league, by=by, final_rows=final_rows)
    response = client.post(address, given)
    assert response.status_code == 422
    sentence = "This season is closed: open it again to change this."
    assert response.context["form"].errors == {"hours_to_answer": [sentence]}
    del given["hours_to_answer"], given["ruleset_version"]  # as browsers send what is disabled
    assert client.post(address, given).status_code == 302
    league.refresh_from_db()
    assert (league.name, league.hours_to_answer) == ("Winter evenings", 24)


def test_a_closed_season_keeps_its_days_and_the_form_says_so(client, by):
    today = club_day()
    league = make_league(name="Spring", starts_on=today - timedelta(days=9), ends_on=today)
    close_season(league, by=by, final_rows=final_rows)
    address = f"/leagues/{league.slug}/change/"
    sentence = "This season is closed: open it again to change its days."
    assert sentence in client.get(address).content.decode()
    given = {"starts_on": league.starts_on, "ends_on": today + timedelta(days=9)}
    response = client.post(address, sent(**given))
    assert response.status_code == 422
    assert response.context["form"].errors == {"ends_on": [sentence]}
    assert client.post(address, sent(**given, name="Lent") | {"ends_on": today}).status_code == 302


@pytest.mark.parametrize(
    ("address", "service", "given"),
    [
        ("/leagues/new/", "league.settings.add_league", {}),
        ("/leagues/spring/change/", "league.settings.change_league", {}),
        ("/club/", "club.views.change_club", {}),
        ("/rules/new/", "rules.views.add_ruleset", {"name": "Ours"}),
        ("/rules/club/change/", "rules.views.change_ruleset", {"name": "Ours"}),
        ("/rules/club/new/", "rules.views.add_version", {"save": "1", "limit": "600"}),
    ],
)
def test_what_only_the_service_refuses_is_said_in_the_form(
    client, monkeypatch, address, service, given
):
    def refuse(*_args, **_settings):
        raise ValidationError({"slug": "Somebody took it."})

    client.force_login(make_owner())
    make_league(slug="spring")
    monkeypatch.setattr(f"scoring.web.{service}", refuse)
    form = client.get(address).context["form"]
    leagues = sent() if "leagues" in address else {}
    response = client.post(address, as_shown(form) | leagues | given)
    assert response.status_code == 422
    assert "Somebody took it." in response.content.decode()
