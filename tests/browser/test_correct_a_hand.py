"""A slip is corrected on a phone, and the phone goes round for the others to agree."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from scoring.models import Hand, Player
from tests.browser.accessibility import violations
from tests.browser.table_page import TablePage
from tests.factories import make_game, make_hand, make_member, make_organiser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game():
    game = make_game()
    by = make_member(player=game.players[0])
    for winner in (1, 2):
        make_hand(game, winner=winner, by=by)
    return game


@pytest.fixture
def scorer(game):
    return game.players[0]


def address(live_server, name, hand):
    return live_server.url + reverse(name, args=[hand.pk])


def stays_within(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_hand_is_corrected_after_a_look_at_what_changes(
    live_server, phone, game, scorer, scripts
):
    hand = game.hands.get(number=1)
    page = phone(player=scorer, width=360, scripts=scripts)
    page.goto(address(live_server, "hand", hand))
    page.get_by_role("link", name="Correct").click()
    if scripts:
        page.locator("[data-hand-form][data-row-started]").wait_for()
        # The winner that was entered goes away when both are tapped again, then East is tapped.
        winner = page.locator(f"[data-seat='{game.players[1].pk}']")
        winner.click()
        winner.click()
        page.locator(f"[data-seat='{game.players[0].pk}']").click()
        winner.click()
        page.locator(".preview__final", has_text="70").wait_for()
    else:
        page.get_by_role("radio", name=game.players[0].name).first.check()
        page.get_by_role("radio", name=game.players[1].name).last.check()
    page.get_by_label("Why?").fill("East called first")
    page.get_by_role("button", name="See the changes").click()
    row = page.get_by_role("row", name=f"2 {game.players[2].name} wins 70")
    assert f"{game.players[0].name} deals instead of" in row.inner_text()
    assert Hand.objects.filter(version=2).count() == 0
    page.get_by_role("button", name="Correct the hand").click()
    page.get_by_text("Hand 1 is corrected.").wait_for()
    page.get_by_role("link", name="History").click()
    page.get_by_text("East called first").wait_for()
    assert Hand.objects.filter(version=2).count() == 2


@pytest.mark.thorough
def test_who_comes_back_to_a_correction_sees_what_it_sends(live_server, phone, game, scorer):
    hand = game.hands.get(number=1)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "hand", hand))
    page.get_by_role("link", name="Correct").click()
    page.locator("[data-hand-form][data-row-started]").wait_for()
    for place in (1, 1, 3, 2):
        page.locator(f"[data-seat='{game.players[place].pk}']").click()
    page.get_by_label("Why?").fill("North won")
    sentence = page.locator("[data-outcome]")
    shown = sentence.inner_text()
    assert game.players[3].name in shown
    page.go_back()
    page.wait_for_url(f"**{hand.get_absolute_url()}")
    page.go_forward()
    expect(sentence).to_have_text(shown)
    expect(page.locator(".preview")).to_contain_text(game.players[3].name)
    page.get_by_role("button", name="See the changes").click()
    expect(page.locator("main")).to_contain_text(f"{game.players[3].name} wins 70")


@pytest.mark.thorough
@pytest.mark.parametrize("stored", ["win", "draw"])
def test_who_comes_back_from_the_changes_finds_all_that_was_entered(
    live_server, phone, game, scorer, stored
):
    worse = {"winner": 3, "tiles": "345B* 345B 99B 222D GGG", "self_drawn": True}
    hand = make_hand(game, by=scorer.user, **(worse if stored == "win" else {}))
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "correct_hand", hand))
    table = TablePage(page, live_server.url, game)
    page.locator("[data-hand-form][data-row-started]").wait_for()
    table.draw()
    if stored == "win":
        table.draw()
    table.won(1, 2).write("222B 345B 55B 222D GGG").says("70")
    page.get_by_label("Why?").fill("Tiles of another hand")
    page.get_by_role("button", name="See the changes").click()
    expect(page.locator("main")).to_contain_text(f"{game.players[1].name} wins 70")
    page.go_back()
    table.says("70")
    assert table.text.replace("*", "") == "222B 345B 55B 222D GGG"
    assert table.chosen == (str(game.players[1].pk), str(game.players[2].pk))
    expect(page.get_by_label("Why?")).to_have_value("Tiles of another hand")
    page.get_by_role("button", name="See the changes").click()
    expect(page.locator("main")).to_contain_text(f"{game.players[1].name} wins 70")
    # What the site shows again and nobody touches comes back as well.
    page.get_by_role("button", name="Change the entry").click()
    table.says("70")
    page.get_by_role("button", name="See the changes").click()
    expect(page.locator("main")).to_contain_text(f"{game.players[1].name} wins 70")
    page.go_back()
    table.says("70")
    expect(page.get_by_label("Why?")).to_have_value("Tiles of another hand")


@pytest.mark.thorough
def test_without_scripts_back_from_the_changes_finds_all_that_was_entered(
    live_server, phone, game, scorer
):
    page = phone(player=scorer, width=360, scripts=False)
    page.goto(address(live_server, "correct_hand", game.hands.get(number=2)))
    page.get_by_label("Tiles", exact=True).fill("222B 345B 55B 222D RRR")
    page.get_by_label("Why?").fill("It was red")
    page.get_by_role("button", name="See the changes").click()
    page.get_by_role("button", name="Correct the hand").wait_for()
    page.go_back()
    expect(page.get_by_label("Why?")).to_have_value("It was red")
    expect(page.get_by_label("Tiles", exact=True)).to_have_value("222B 345B 55B 222D RRR")


@pytest.mark.thorough
def test_what_one_entered_in_a_correction_is_not_shown_to_another_who_comes_back(
    live_server, phone, game, scorer, organiser, sign_in, expect_status
):
    expect_status(422)
    hand = make_hand(game, by=scorer.user)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "correct_hand", hand))
    page.locator("[data-hand-form][data-row-started]").wait_for()
    page.get_by_label("Why?").fill("West cheats, I think")
    page.get_by_role("button", name="See the changes").click()
    expect(page.locator("main")).to_contain_text("change something, or leave it")
    page.wait_for_load_state()
    page.context.clear_cookies()
    sign_in(page, organiser)
    page.go_back()
    page.locator("[data-hand-form][data-row-started]").wait_for()
    expect(page.get_by_label("Why?")).not_to_have_value("West cheats, I think")


def test_guests_confirm_on_the_phone_that_is_passed_round(live_server, phone, game, scorer):
    hand = game.hands.get(number=2)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "hand", hand))
    page.get_by_role("link", name="Pass the phone around").click()
    for agreed, player in enumerate(game.players[1:], 1):
        place = page.get_by_role("listitem").filter(
            has=page.get_by_role("heading", name=player.name)
        )
        place.get_by_role("button", name="I agree").click()
        expect(page.locator(".badge--live", has_text="agrees")).to_have_count(agreed)
    page.get_by_text("Accepted: everybody agreed.").wait_for()
    assert hand.events.count() == 3


@pytest.mark.thorough
def test_a_win_becomes_a_draw_with_one_tap(live_server, phone, game, scorer):
    hand = game.hands.get(number=2)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "correct_hand", hand))
    page.locator("[data-seat=draw]").click()
    page.locator(".preview__final", has_text="Draw").wait_for()
    page.get_by_label("Why?").fill("Nobody had won")
    page.get_by_role("button", name="See the changes").click()
    page.get_by_role("button", name="Correct the hand").click()
    page.get_by_text("Hand 2 is corrected.").wait_for()
    new = Hand.objects.get(number=2, status="live")
    assert (new.outcome, new.self_drawn, new.tiles) == ("draw", False, "")


@pytest.mark.thorough
def test_a_claimed_limit_hand_gets_its_tiles_by_a_correction(live_server, phone, game, scorer):
    hand = make_hand(game, winner=1, tiles="", claimed_limit="thirteen_orphans", by=scorer.user)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "correct_hand", hand))
    table = TablePage(page, live_server.url, game)
    expect(page.locator("[data-hand-view] [data-group]")).to_have_count(13)
    table.tiles("9D").says("500")
    page.get_by_label("Why?").fill("All tiles were there")
    page.get_by_role("button", name="See the changes").click()
    page.get_by_role("button", name="Correct the hand").click()
    expect(page.get_by_text("Hand 3 is corrected")).to_be_visible()
    new = Hand.objects.current().get(number=3)
    assert (new.claimed_limit, len(new.tiles.split()), new.final) == ("", 14, 500)


@pytest.mark.thorough
def test_a_win_becomes_a_limit_hand_and_its_preview_says_so(live_server, phone, game, scorer):
    hand = game.hands.get(number=2)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "correct_hand", hand))
    table = TablePage(page, live_server.url, game)
    expect(page.locator("[data-pad-taps]")).not_to_have_attribute("inert", "")
    table.pick_limit("big_three_dragons")
    table.says("Big Three Dragons")
    expect(page.locator("#preview .preview__problem")).to_have_count(0)
    page.get_by_label("Why?").fill("We saw the white ones")
    page.get_by_role("button", name="See the changes").click()
    page.get_by_role("button", name="Correct the hand").click()
    page.get_by_text("Hand 2 is corrected.").wait_for()
    new = Hand.objects.get(number=2, status="live")
    assert (new.claimed_limit, new.tiles, new.final) == ("big_three_dragons", "", 500)


def test_a_dispute_says_what_is_wrong(live_server, phone, game):
    hand = game.hands.get(number=2)
    make_member(player=game.players[1])
    page = phone(player=game.players[1], width=360)
    page.goto(address(live_server, "hand", hand))
    page.get_by_text("I disagree").click()
    page.get_by_label("The tiles").check()
    page.get_by_role("textbox", name="In your own words").fill("That was a 6")
    assert violations(page) == []
    assert stays_within(page)
    page.get_by_role("button", name="Dispute the hand").click()
    page.get_by_text("The tiles: “That was a 6”").wait_for()


@pytest.mark.thorough
def test_pages_about_a_correction_and_a_void_hand_are_accessible_at_any_width(
    live_server, phone, game, scorer
):
    page = phone(player=scorer, width=360)
    for name in ("hand", "correct_hand", "void_hand", "hand_history", "pass_the_phone"):
        page.goto(address(live_server, name, game.hands.get(number=1)))
        assert violations(page) == [], name
        assert stays_within(page), name
    # From there: the hand is void, and restored at its number.
    page.goto(address(live_server, "void_hand", game.hands.get(number=1)))
    page.get_by_label("Why?").fill("Mixed up two games")
    page.get_by_role("button", name="Declare it void").click()
    page.get_by_text("Hand 1 is void.").wait_for()
    page.goto(live_server.url + game.get_absolute_url())
    assert violations(page) == []
    page.get_by_role("link", name="Hand 1", exact=True).click()
    page.get_by_role("link", name="Restore this hand").click()
    assert violations(page) == []
    assert stays_within(page)
    page.get_by_label("Why?").fill("It was ours")
    page.get_by_role("button", name="Restore this hand").click()
    page.get_by_text("Hand 1 is restored.").wait_for()
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", name="Restored").wait_for()
    page.get_by_text("“It was ours”").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("is_portal", [False, True], ids=["no network", "sign-in of a network"])
def test_a_correction_typed_without_a_network_stays_on_the_page(
    live_server, phone, game, scorer, expect_status, is_portal
):
    expect_status(0)
    hand = game.hands.get(number=1)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "correct_hand", hand))
    page.locator("[data-hand-form][data-row-started]").wait_for()
    east = page.locator(f"[data-seat='{game.players[1].pk}']")
    east.click()
    east.click()
    page.locator("[data-seat=draw]").click()
    page.get_by_label("Why?").fill("Nobody won")
    words = page.get_by_text("Nothing was sent: the site does not answer.")
    if is_portal:
        page.route(
            "**/healthz", lambda route: route.fulfill(status=302, headers={"Location": "/x"})
        )
    else:
        page.context.set_offline(True)
    page.get_by_role("button", name="See the changes").click()
    expect(words).to_be_visible()
    expect(page.get_by_label("Why?")).to_have_value("Nobody won")
    assert not violations(page)
    page.context.set_offline(False)
    page.unroute("**/healthz")
    page.get_by_role("button", name="See the changes").click()
    expect(page.get_by_role("heading", name="Correct hand 1?")).to_be_visible()
    expect(page.get_by_text("Nobody won")).to_be_visible()
    page.get_by_role("button", name="Correct the hand").click()
    expect(page.get_by_text("Hand 1 is corrected")).to_be_visible()
    assert not Hand.objects.current().get(number=1).is_win


@pytest.mark.thorough
def test_a_dispute_typed_without_a_network_stays_on_the_page(
    live_server, phone, game, expect_status
):
    expect_status(0)
    hand = game.hands.get(number=2)
    page = phone(player=game.players[1], width=360)
    page.goto(address(live_server, "hand", hand))
    page.get_by_text("I disagree").click()
    page.get_by_label("In your own words").fill("It was Cid")
    page.context.set_offline(True)
    page.get_by_role("button", name="Dispute the hand").click()
    words = page.get_by_text("Nothing was sent: the site does not answer.").locator("visible=true")
    expect(words).to_have_count(1)
    page.context.set_offline(False)
    page.get_by_role("button", name="Dispute the hand").click()
    expect(page.get_by_text("It was Cid")).to_be_visible()
    assert hand.events.filter(reason="It was Cid").count() == 1


@pytest.mark.thorough
def test_what_an_organiser_types_stays_where_the_site_is_in_trouble(
    live_server, phone, game, expect_status
):
    expect_status(503)
    expect_status(422)
    page = phone(user=make_organiser(), width=360)
    page.goto(live_server.url + reverse("penalty", args=[game.pk]))
    page.route("**/healthz", lambda route: route.fulfill(status=503, body=""))
    reason = page.locator("[name=reason]")
    reason.fill("A false win")
    reason.press("Enter")
    expect(page.get_by_text("Nothing was sent: the site does not answer.")).to_be_visible()
    expect(reason).to_have_value("A false win")
    page.unroute("**/healthz")
    reason.press("Enter")
    expect(page.get_by_role("heading", name="Not saved yet")).to_be_visible()
    expect(reason).to_have_value("A false win")


def test_the_history_of_a_hand_fits_a_phone_with_long_names(live_server, phone, game, scorer):
    Player.objects.filter(pk=game.players[1].pk).update(name="W" * 60)
    Player.objects.filter(pk=scorer.pk).update(name="M" * 60)
    hand = game.hands.get(number=2)
    page = phone(player=scorer, width=360)
    page.goto(address(live_server, "hand_history", hand))
    expect(page.locator("h1")).to_contain_text("History")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
