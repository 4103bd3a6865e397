"""The desk in a real browser, under the site's content security policy: nothing complains."""

import pytest

from scoring.models import Game, Hand, League, Player, RuleSetVersion
from tests.admin.addresses import address
from tests.factories import make_game, make_hand, make_league, make_organiser, ruleset_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def club(organiser):
    ruleset_version()
    game = make_game(by=organiser)
    make_hand(game, winner=1, by=make_organiser())
    return game


@pytest.mark.parametrize(
    ("theme", "background"), [("light", "rgb(246, 242, 232)"), ("dark", "rgb(18, 22, 20)")]
)
def test_every_page_is_there_in_light_and_dark(
    phone, live_server, club, organiser, theme, background, settings
):
    page = phone(user=organiser, width=1280, theme=theme)
    hand = club.hands.get()
    for there in (
        "/admin/",
        address(Player),
        address(Game),
        address(Game, "change", club.pk),
        address(Hand, "change", hand.pk),
        address(League, "add"),
        address(RuleSetVersion, "add"),
    ):
        page.goto(live_server.url + there)
        assert settings.SITE_NAME in page.locator("#site-name").inner_text()
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == background, there


def test_a_league_is_founded_with_a_rule_set_looked_up(phone, live_server, club, organiser):
    page = phone(user=organiser, width=1280)
    page.goto(live_server.url + address(League, "add"))
    page.get_by_label("Name:", exact=True).fill("Winter evenings")
    page.locator(".select2-selection").click()
    page.locator(".select2-search__field").fill("boo")
    page.get_by_role("option", name="Book, version 1").click()
    page.get_by_role("link", name="Today").first.click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".messagelist .success").wait_for()
    league = League.objects.get(name="Winter evenings")
    assert (league.slug, str(league.ruleset_version)) == ("winter-evenings", "Book, version 1")


def test_games_are_ended_after_a_question(phone, live_server, club, organiser):
    page = phone(user=organiser, width=1280)
    page.goto(live_server.url + address(Game))
    page.locator("input[name=_selected_action]").check()
    page.get_by_label("Action:").select_option("finish")
    page.get_by_role("button", name="Go").click()
    page.get_by_role("button", name="End them").click()
    page.get_by_text("1 game ended.").wait_for()
    assert not Game.objects.open().exists()


def test_players_are_found_and_changed_on_a_phone(phone, live_server, organiser):
    make_league()
    player = Player.objects.create(name="Anm")
    page = phone(user=organiser, width=390)
    page.goto(live_server.url + address(Player) + "?q=anm")
    page.get_by_role("link", name="Anm").click()
    page.get_by_label("Name:", exact=True).fill("Ann")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".messagelist .success").wait_for()
    player.refresh_from_db()
    assert player.name == "Ann"
