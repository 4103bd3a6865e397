"""A hand with all that a rule book asks: bonus tiles, a special win, the winning tile, the losers' hands."""

import time

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.rulesets import shipped_version
from scoring.services.seats import move_game
from scoring.web.table import views
from tests.browser.accessibility import violations
from tests.browser.table_page import TablePage, kept
from tests.factories import make_game, make_league, make_organiser, make_player
from tests.support.browser import PATIENCE, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONGER_THAN_THE_WORKER_WAITS = 6  # seconds for a page, of which it has one that is stored


@pytest.fixture
def table(phone, live_server):
    """Makes the table of a league that plays by the book of a slug."""

    def table(slug, **device):
        organiser = make_organiser()
        version = shipped_version(slug, by=organiser)
        people = [make_player(name) for name in ("Ann", "Ben", "Cid", "Dora")]
        game = make_game(league=make_league(ruleset_version=version), players=people)
        page = phone(user=organiser, **{"width": 360, **device})
        return TablePage(page, live_server.url, game)

    return table


def tick(table, *names):
    for name in names:
        table.tap(f"label:has([name='{name}'])")


def tell_all(table):
    """South robs a kong of East, with the season of her seat; West has a pung of dragons and a flower."""
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B")
    table.tap("[data-group='0']").tap("[data-last-tile='3B']")
    table.tap("[data-opens=bonus]")
    tick(table, "bonus-F1", "bonus-Y2")
    table.tap("[data-opens=special]").tap("label:has([value=robbing_kong])")
    west = table.game.players[2].pk
    table.tap("[data-opens=others]").tap(f"[data-loser='{west}'] summary")
    table.tap(f"[data-loser='{west}'] [data-tap-tiles]").tiles("R").tap("[data-group='0']")
    table.tap("[data-done]")
    tick(table, f"other-{west}-bonus-F3")
    return table


def all_entered(hand):
    [other] = hand.others
    assert (hand.won_by, hand.winning_tile, hand.bonus) == ("robbing_kong", "3B", "F1 Y2")
    assert (other["tiles"], other["bonus"], other["final"]) == ("R R R", "F3", 16)
    assert {tuple(meld["tiles"]) for meld in hand.melds} == {("2B", "2B", "2B")}
    assert len(hand.tiles.split()) == 14


def test_a_classical_hand_is_entered_with_all_that_the_book_asks(table):
    table = tell_all(table("dmjl").open())
    table.says("hand: 16")
    assert table.text.split()[0] == "222B*"
    table.save().saved("Hand 1")
    all_entered(Hand.objects.get())
    for key in ("bonus", "special", "others"):
        expect(table.page.locator(f"[data-count={key}]")).to_be_hidden()
    table.page.get_by_role("button", name="Undo").click()
    expect(table.page.locator("[data-count=bonus]")).to_have_text("2")
    expect(table.page.locator("[data-count=others]")).to_have_text("1")
    table.says("hand: 16").save().saved("Hand 1")
    all_entered(Hand.objects.latest("pk"))


@pytest.mark.thorough
def test_a_classical_hand_survives_a_reload_and_waits_without_a_network(table, expect_status):
    expect_status(0)
    table = tell_all(table("dmjl", service_workers="allow").open())
    table.page.wait_for_function(
        "navigator.serviceWorker.controller || navigator.serviceWorker.ready"
    )
    table.open()
    expect(table.page.locator("[data-count=others]")).to_have_text("1")
    table.says("hand: 16")
    table.page.context.set_offline(True)
    table.save().waits("Ben")
    assert not Hand.objects.exists()
    table.page.context.set_offline(False)
    wait_until(table.page, Hand.objects.exists, "the hand is sent")
    all_entered(Hand.objects.get())


@pytest.mark.thorough
def test_enough_bonus_tiles_are_logged_as_a_win_without_others(table):
    table = table("hk").open()
    table.won(1, 1).tap("[data-opens=bonus]").tap("[data-all-bonus]")
    tick(table, "bonus-Y4")
    assert not violations(table.page)
    table.says("3 faan").save().saved("Hand 1")
    hand = Hand.objects.get()
    assert (hand.tiles, hand.bonus, hand.final) == ("", "F1 F2 F3 F4 Y1 Y2 Y3", 8)
    assert hand.checked


@pytest.mark.thorough
def test_a_hong_kong_hand_is_entered_with_all_that_the_book_asks(table):
    table = table("hk").open()
    table.won(1, 1).slide("9B", "kong").tiles("3B", "2D", "G", "5B")
    assert not table.page.locator("[data-opens=limits], [data-opens=others]").count()
    table.tap("[data-last-tile='5B']").tap("[data-opens=bonus]")
    tick(table, "bonus-F1")
    table.tap("[data-opens=special]")
    expect(table.page.get_by_text("How it was won", exact=True)).to_be_in_viewport()
    robbing = table.page.locator("label:has([value=robbing_kong])")
    expect(robbing).to_be_hidden()
    table.tap("label:has([value=replacement])")
    liable = table.game.players[3].pk
    table.tap(f"label:has([name=liable][value='{liable}'])")
    table.says("faan").save().saved("Hand 1")
    hand = Hand.objects.get()
    assert (hand.won_by, hand.bonus, hand.winning_tile) == ("replacement", "F1", "5B")
    assert (hand.liable_id, hand.self_drawn) == (liable, True)
    assert "replacement" in str(hand.card["faan_report"])


@pytest.mark.thorough
def test_a_hand_that_lacks_what_its_book_asks_does_not_wait(table, expect_status):
    """A riichi hand is scored by the winning tile: online and offline alike it is asked for."""
    expect_status(0)
    expect_status(422)
    table = table("riichi").open()
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B")
    expect(table.page.get_by_text("Which is the winning tile?")).to_be_visible()
    table.save()
    expect(table.page.locator(".error-summary")).to_contain_text("with which tile")
    table.page.context.set_offline(True)
    table.tap("[data-group='0']")  # open, and concealed again: the preview asks the site
    table.tap("[data-group='0']").says("This hand is not complete yet.")
    table.save()
    notice = table.page.locator("[data-notice]")
    expect(notice).to_contain_text("Tap the winning tile.")
    expect(table.waiting).not_to_contain_text("waits on this phone")
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    table.tap("[data-last-tile='5B']").says("No network: this hand will wait here")
    table.save().waits("Ben")
    table.page.context.set_offline(False)
    wait_until(table.page, Hand.objects.exists, "the hand is sent")
    assert Hand.objects.get().winning_tile == "5B"


@pytest.mark.thorough
def test_a_concealed_hand_on_a_discard_is_asked_for_the_tile_that_opens_a_set(table, expect_status):
    expect_status(422)
    table = table("dmjl").open()
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B")
    table.says("Tap the winning tile.").save()
    summary = table.page.locator(".error-summary")
    expect(summary).to_contain_text("Tap the winning tile.")
    summary.get_by_role("link").click()
    asked = table.page.get_by_role("group", name="Which is the winning tile?")
    expect(asked).to_be_focused()
    expect(asked).to_be_in_viewport()
    assert not Hand.objects.exists()
    table.tap("[data-last-tile='5B']").says("152").save().saved("Hand 1")
    assert Hand.objects.get().winning_tile == "5B"


@pytest.mark.thorough
def test_a_score_alone_needs_no_winning_tile(table, expect_status):
    expect_status(0)
    table = table("riichi").open()
    table.won(1, 0).tap("[data-opens=score]").digits(["20", "0", "0"])
    table.page.context.set_offline(True)
    table.save().waits("Ben")


@pytest.mark.thorough
def test_a_circumstance_that_no_longer_fits_is_taken_back(table):
    table = table("hk").open()
    table.won(1, 1).tap("[data-opens=special]").tap("label:has([value=replacement])")
    table.seat(2)
    expect(table.page.locator("[data-count=special]")).to_be_hidden()
    checked = table.page.locator("[name=won_by]:checked")
    expect(checked).to_have_value("")


@pytest.mark.thorough
def test_a_score_alone_stays_while_more_is_told(table):
    table = table("dmjl").open()
    table.won(1, 0).tap("[data-opens=score]").digits(["6", "4"]).tap("[data-opens=others]")
    west = table.game.players[2].pk
    table.tap(f"[data-loser='{west}'] summary")
    table.page.locator(f"[name='other-{west}-claimed']").fill("24")
    table.tap("#asked-others .asked__back")
    expect(table.page.locator("#id_claimed_final")).to_have_value("64")
    table.says("hand: 24").save().saved("Hand 1")
    hand = Hand.objects.get()
    assert (hand.final, hand.others[0]["final"]) == (64, 24)


@pytest.mark.thorough
def test_the_line_of_a_card_takes_the_place_of_tiles(table):
    table = table("card").open()
    table.won(1, 1)
    expect(table.page.locator("[data-tile='1B']")).to_be_hidden()
    table.page.locator("#id_value").fill("25")
    table.tap("[data-opens=special]").tap("label:has([name=flag-jokerless])")
    table.says("100").save().saved("Hand 1")
    hand = Hand.objects.get()
    assert (hand.value, hand.flags, hand.self_drawn) == (25, "jokerless", True)


@pytest.mark.thorough
def test_a_hand_that_waits_says_the_line_of_its_card(table, expect_status):
    """Nothing else tells it from the next one."""
    expect_status(0)
    table = table("card").open()
    table.page.context.set_offline(True)
    table.won(1, 0)
    table.page.locator("#id_value").fill("25")
    table.save().waits("1 hand waits").waits("Ben, on Ann’s discard: 25")


@pytest.mark.thorough
def test_a_drawn_hand_that_waits_says_who_was_calling(table, expect_status):
    expect_status(0)
    table = table("riichi").open()
    table.page.context.set_offline(True)
    table.draw()
    table.tap("label:has([name^='calling-']) >> nth=1")
    table.save().waits("1 hand waits").waits("No winner (draw): Ben")


@pytest.mark.thorough
def test_a_limit_hand_of_the_book_by_its_name(table):
    table = table("bmja").open()
    table.won(1, 0).tap("[data-opens=limits]").tap('button[data-limit="knitting"]')
    table.says("500").save().saved("Hand 1")
    assert Hand.objects.get().claimed_limit == "knitting"


@pytest.mark.thorough
@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.thorough)])
def test_what_is_told_is_accessible(table, width):
    table = table("dmjl", width=width).open()
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B")
    table.tap("[data-last-tile='3B']").says("36")
    assert violations(table.page) == []
    for panel in ("bonus", "special", "others"):
        table.tap(f"[data-opens={panel}]")
        assert violations(table.page) == [], panel
    cid = f"[data-loser='{table.game.players[2].pk}']"
    table.tap(f"{cid} summary").tap(f"{cid} [data-tap-tiles]").tiles("R")
    assert violations(table.page) == []
    table.tap("[data-done]").save().saved("Hand 1")
    hand = Hand.objects.get()
    for path in (hand.get_absolute_url(), f"/hands/{hand.pk}/correct/"):
        table.page.goto(table.url.replace(f"/games/{table.game.pk}/", path))
        assert violations(table.page) == [], path


def test_a_classical_hand_is_entered_without_scripts(table):
    table = table("dmjl", scripts=False)
    page = table.page
    page.goto(table.url)
    people = [str(player.pk) for player in table.game.players]
    page.locator(f"[name=winner][value='{people[1]}']").check(force=True)
    page.locator(f"[name=discarder][value='{people[0]}']").check(force=True)
    page.locator("#id_tiles").fill("222B* 222D GGG 345B 55B")
    page.locator("#id_winning_tile").select_option("3B")
    for name in ("bonus-F1", "bonus-Y2"):
        page.locator(f"[name='{name}']").check(force=True)
    page.locator("[name=won_by][value=robbing_kong]").check(force=True)
    page.locator(f"[data-loser='{people[2]}'] summary").click()
    page.locator(f"[name='other-{people[2]}-tiles']").fill("RRR*")
    page.locator(f"[name='other-{people[2]}-bonus-F3']").check(force=True)
    page.locator("[data-save]").click()
    all_entered(Hand.objects.get())


@pytest.mark.thorough
def test_a_kong_claimed_to_a_concealed_pung_is_one_tap(table):
    table = table("dmjl").open()
    table.won(1, 0).slide("9B", "kong").tiles("2D", "G", "3B", "5B")
    table.tap("[data-last-tile='5B']").tap("[data-opens=special]")
    kongs = table.page.locator("[data-claimed-kongs]")
    expect(kongs).to_be_hidden()
    table.tap("[data-group='0']")
    table.tap("[data-kong='0']")
    expect(table.page.locator("[data-kong='0']")).to_have_attribute("aria-pressed", "true")
    assert violations(table.page) == []
    table.says("points").save().saved("Hand 1")
    [meld] = Hand.objects.get().melds
    assert (meld["claimed"], meld["concealed"]) == (True, False)


@pytest.mark.thorough
def test_the_form_follows_a_game_that_is_moved_to_a_league_with_other_rules(table):
    """What was begun stays; what the new rules ask can be told."""
    table = table("club").open()
    table.won(1, 0).tiles("2B", "2D", "G").key("chow").tiles("3B", "5B")
    by = make_organiser()
    other = make_league(ruleset_version=shipped_version("dmjl", by=by))
    move_game(table.game, league=other, day=table.game.evening, by=by, reason="The wrong league")
    table.tap("[data-last-tile='3B']").tap("[data-opens=bonus]")
    tick(table, "bonus-F1")
    table.save().saved("Hand 1")
    hand = table.game.hands.get()
    assert (hand.winner, hand.winning_tile, hand.bonus) == (table.game.players[1], "3B", "F1")


@pytest.mark.thorough
def test_the_form_follows_a_moved_game_also_where_the_page_is_slow(
    table, expect_status, monkeypatch
):
    """What comes first is the page as the phone has stored it."""
    expect_status(0)
    table = kept(table("club", service_workers="allow").open())
    slow = [LONGER_THAN_THE_WORKER_WAITS]
    in_time = views.table_context

    def table_context(*args, **kwargs):
        time.sleep(slow.pop() if slow else 0)
        return in_time(*args, **kwargs)

    monkeypatch.setattr(views, "table_context", table_context)
    by = make_organiser()
    other = make_league(ruleset_version=shipped_version("dmjl", by=by))
    move_game(table.game, league=other, day=table.game.evening, by=by, reason="The wrong league")
    expect(table.page.locator("[data-opens=bonus]")).to_be_attached(timeout=2 * PATIENCE)
    assert not slow
