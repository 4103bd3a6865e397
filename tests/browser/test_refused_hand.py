"""A hand that the site refuses at the table: said, kept, corrected."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.restore import restore_hand
from scoring.web.table import log_hand, views
from tests.factories import make_hand, make_member, make_organiser
from tests.support.browser import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def hold(_route):
    """The answer does not come."""


EARLY = "Hand 1 was taken back or declared void: the next hand is number 1, not 2."


def one_behind(table, game):
    """A hand is sent as number 2, and the one before it, which is returned, was declared void meanwhile."""
    hand = make_hand(game, by=game.players[0].user)
    table.open().page.context.set_offline(True)
    table.seed_hand().save().waits("waits")
    void_hand(hand, by=user_of(game.players[1]), reason="A slip")
    table.page.context.set_offline(False)
    return hand


def refused_for_one_taken_back(table, game):
    """The refusal of a hand at whose place another one stood, which was declared void since."""
    hand = make_hand(game)
    table.seed_hand().save()
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text("a drawn hand")
    void_hand(hand, by=make_organiser(), reason="A slip")
    expect(conflict).to_contain_text("was taken back or declared void")
    return conflict


def test_a_refused_hand_keeps_everything_and_leads_to_the_field(table, expect_status):
    expect_status(422)
    table.tiles("2B").save()
    summary = table.page.locator(".error-summary")
    expect(summary).to_contain_text("Say who won")
    assert table.text == "222B"
    expect(table.page.locator("[data-hand-view] [data-group]")).to_have_count(1)
    expect(summary.locator("xpath=..")).to_be_focused()
    summary.get_by_role("link").first.click()
    assert not Hand.objects.exists()


def test_a_refused_hand_is_saved_once_corrected(table, expect_status):
    expect_status(422)
    table.won(1, 0).tiles("2B").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.tiles("2D", "G").key("chow").tiles("3B", "5B").says("70").save().saved("wins 70")
    expect(table.waiting).to_be_hidden()


@pytest.mark.thorough
def test_a_hand_at_a_position_that_is_taken_shows_what_it_brings_as_the_next(
    table, game, expect_status
):
    expect_status(0)
    expect_status(409)
    table.page.context.set_offline(True)
    table.seed_hand().save().waits("waits")
    make_hand(game)
    table.page.context.set_offline(False)
    expect(table.page.locator(".conflict")).to_contain_text("Hand 1 is already logged")
    table.says("As hand 2 yours is:").says("70")
    table.write("222B 345B 66B 222D GGG RRR").write("GGG RRR 55B 222D 222B")
    table.says("As hand 2 yours is:")
    final = table.page.locator(".preview__final")
    expect(final).not_to_contain_text("70")
    shown = int(final.inner_text().split()[-1])
    table.page.get_by_role("button", name="A different hand – save mine as hand 2").click()
    table.saved("Hand 2")
    assert game.hands.get(number=2).final == shown


@pytest.mark.thorough
def test_a_refusal_of_a_number_follows_the_table(table, game, expect_status):
    """It says which hand is next as long as that is so."""
    expect_status(0)
    expect_status(409)
    hand = one_behind(table, game)
    refusal = table.page.locator("[data-refusal] h3")
    expect(refusal).to_have_text(EARLY)
    hand.refresh_from_db()
    restore_hand(hand, by=user_of(game.players[1]), reason="No slip")
    expect(refusal).to_have_text("The next hand is number 2.")
    table.page.get_by_role("button", name="Save it as hand 2").click()
    table.saved("Hand 2")


@pytest.mark.thorough
def test_a_refusal_follows_the_hand_that_stands_at_its_place(table, game, expect_status):
    """Whoever decides by what another hand says has to see what it says by now."""
    expect_status(409)
    hand = make_hand(game, winner=2, discarder=game.players[0].pk)
    table.seed_hand().save()
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text(f"{game.players[2]} wins")
    game.refresh_from_db()
    entry = HandEntry.from_json({"outcome": "draw", "number": 1})
    corrected = correct_hand(hand, entry, by=make_organiser(), reason="Nobody won").hand
    expect(conflict).to_contain_text("a drawn hand")
    void_hand(corrected, by=make_organiser(), reason="A slip")
    make_hand(game, winner=3, discarder=game.players[0].pk)
    expect(conflict).to_contain_text(f"{game.players[3]} wins")
    table.open()
    expect(conflict).to_contain_text(f"{game.players[3]} wins")
    table.page.once("dialog", lambda dialog: dialog.dismiss())
    table.page.get_by_role("link", name="Same hand – discard mine").click()
    expect(conflict).to_be_visible()
    table.page.get_by_role("button", name="A different hand – save mine as hand 2").click()
    table.saved("Hand 2")


@pytest.mark.thorough
def test_a_refusal_comes_back_when_another_hand_is_logged_in_the_place_of_one_taken_back(
    table, game, expect_status
):
    expect_status(409)
    conflict = refused_for_one_taken_back(table, game)
    make_hand(game, winner=3, discarder=game.players[0].pk)
    expect(conflict).to_contain_text(f"{game.players[3]} wins")
    table.page.get_by_role("button", name="A different hand – save mine as hand 2").click()
    table.saved("Hand 2")


@pytest.mark.thorough
def test_a_refusal_is_believed_before_the_table_is_heard_of(table, game, expect_status):
    """The preview hears of the hand that stands there first: the poll is slow."""
    expect_status(409)
    conflict = refused_for_one_taken_back(table, game)
    table.page.route("**/live/", hold)
    make_hand(game, winner=3, discarder=game.players[0].pk)
    table.write("222B 345B 55B 222D RRR")
    expect(conflict).to_contain_text(f"{game.players[3]} wins")
    table.page.unroute("**/live/")
    table.page.get_by_role("button", name="A different hand – save mine as hand 2").click()
    table.saved("Hand 2")


@pytest.mark.thorough
def test_hands_behind_one_that_is_thrown_away_move_up_when_its_place_is_free_again(
    table, game, expect_status
):
    expect_status(0)
    expect_status(409)
    table.page.context.set_offline(True)
    table.seed_hand().save().waits("1 hand waits")
    table.draw().save().waits("2 hands wait")
    hand = make_hand(game, winner=2, discarder=game.players[0].pk)
    table.page.context.set_offline(False)
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text("Hand 1 is already logged")
    void_hand(hand, by=make_organiser(), reason="A slip")
    expect(conflict).to_contain_text("was taken back or declared void")
    table.page.on("dialog", lambda dialog: dialog.accept())
    table.page.locator("[data-unsaved]").get_by_role("button", name="Throw it away").click()
    table.saved("Hand 1")
    assert [(one.number, one.is_win) for one in game.hands.filter(status="live")] == [(1, False)]


@pytest.mark.thorough
def test_a_refusal_of_a_number_shows_the_hand_that_is_logged_there_since(
    table, game, expect_status
):
    """It may be the same hand: nobody is told that theirs is simply the next one."""
    expect_status(0)
    expect_status(409)
    one_behind(table, game)
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text(EARLY)
    make_hand(game)
    make_hand(game, winner=3, discarder=game.players[0].pk)
    expect(conflict).to_contain_text("Hand 2 is already logged. The next one is number 3.")
    expect(conflict).to_contain_text(f"{game.players[3]} wins")
    expect(conflict.get_by_role("link", name="Same hand – discard mine")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("change", ["corrected", "void"])
def test_a_hand_that_no_longer_has_the_same_winner_and_tiles_is_not_offered_for_the_own_one(
    table, game, expect_status, change
):
    expect_status(0)
    expect_status(409)
    one_behind(table, game)
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text(EARLY)
    same = make_hand(game, winner=1, discarder=game.players[0].pk)
    expect(conflict).to_contain_text(
        "Hand 1 has the same winner and tiles. The next one is number 2."
    )
    if change == "void":
        make_hand(game, winner=3, tiles="", claimed_final=100)
        expect(conflict).to_contain_text("The next one is number 3.")
        void_hand(same, by=make_organiser(), reason="A slip")
        expect(conflict).to_contain_text("Hand 2 is already logged. The next one is number 3.")
        table.page.get_by_role("button", name="A different hand – save mine as hand 3").click()
        table.saved("Hand 3")
        return
    entry = HandEntry(number=1, outcome="win", winner=game.players[2].pk, claimed_final=120)
    correct_hand(same, entry, by=make_organiser(), reason="It was another one")
    expect(conflict).to_contain_text(
        "Hand 1 no longer has the same winner and tiles. The next one is number 2."
    )
    expect(conflict.get_by_role("link", name="Same hand")).to_have_count(0)
    table.page.get_by_role("button", name="Save it as hand 2").click()
    table.saved("Hand 2")


@pytest.mark.thorough
def test_who_is_at_a_button_of_a_refusal_stays_there_as_it_follows_the_table(
    table, game, expect_status
):
    expect_status(409)
    hand = make_hand(game)
    table.seed_hand().save()
    conflict = table.page.locator(".conflict")
    same = conflict.get_by_role("link", name="Same hand – discard mine")
    same.focus()
    entry = HandEntry(number=1, outcome="win", winner=game.players[2].pk, claimed_final=50)
    correct_hand(hand, entry, by=make_organiser(), reason="West won")
    expect(conflict).to_contain_text("wins 50")
    table.says("As hand 2 yours is:")
    expect(same).to_be_focused()


@pytest.mark.thorough
def test_save_without_anything_entered_decides_nothing_about_the_hand_of_another(
    table, game, expect_status
):
    expect_status(409)
    table.page.route("**/live/", hold)
    make_hand(game)
    table.save()
    notice = table.page.locator("[data-notice]")
    expect(notice).to_contain_text("Hand 1 is already logged. The next one is number 2.")
    expect(table.page.locator("[data-refusal]")).to_be_empty()
    table.seed_hand().says("70").save().saved("Hand 2")


@pytest.mark.thorough
def test_a_hand_half_entered_that_is_refused_for_its_number_is_not_said_to_be_free(
    table, game, expect_status
):
    """The answer comes before this page has seen that the table has moved on."""
    expect_status(409)
    table.page.route("**/live/", hold)
    make_hand(game)
    table.won(1, 0).tiles("2B").save()
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text("Hand 1 is already logged. The next one is number 2.")
    expect(conflict).to_contain_text("a drawn hand")
    expect(table.page.locator("h1")).to_have_text("East round, hand 2")


@pytest.mark.thorough
def test_a_hand_that_is_not_whole_is_not_said_to_wait(table, expect_status):
    expect_status(0)
    table.page.context.set_offline(True)
    table.won(1, 0).tiles("2B", "2D", "G").says("This hand is not complete yet.")
    table.key("chow").tiles("3B", "5B").says("No network: this hand will wait here")
    table.save().waits("waits")
    table.seat(1).says("This hand is not complete yet.")


@pytest.mark.thorough
def test_a_refused_hand_left_behind_is_in_the_form_again_and_stops_nothing(table, expect_status):
    """Nothing waits, the page has not moved on, the preview works, and the true hand is saved."""
    expect_status(422)
    table.won(1, 0).tiles("2B", "2D", "G", "1C", "9D").tap("[data-back]").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.open()
    expect(table.page.locator("#id_tiles")).to_have_value("222B 222D GGG 111C")
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    expect(table.waiting).to_be_hidden()
    table.tap("[data-back]").key("chow").tiles("3B", "5B").says("70").save().saved("wins 70")
    expect(table.waiting).to_be_hidden()
    assert Hand.objects.count() == 1


@pytest.mark.thorough
def test_an_empty_form_that_was_saved_stops_nothing(table, expect_status):
    expect_status(422)
    table.save()
    expect(table.page.locator(".error-summary")).to_contain_text("Say who won")
    table.open()
    expect(table.waiting).to_be_hidden()
    table.seed_hand().says("70").save().saved("wins 70")


@pytest.mark.thorough
def test_a_whole_hand_that_the_site_refuses_is_first_after_a_reload(table, expect_status):
    """It has as many tiles as a hand, and does not win."""
    expect_status(422)
    table.won(1, 0).write("222B 222D GGG 345B 5B 7B")
    table.says("does not win").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    table.open()
    expect(table.page.locator(".error-summary")).to_be_visible()
    expect(table.page.locator("h1")).to_have_text("East round, hand 1")
    table.write("222B 222D GGG 345B 55B")
    table.says("70").save().saved("wins 70")
    expect(table.waiting).to_be_hidden()
    assert Hand.objects.count() == 1


@pytest.mark.thorough
def test_a_refusal_is_about_the_hand_as_it_was_also_after_a_reload(table, expect_status):
    """From the first change on, the preview says what is wrong."""
    expect_status(422)
    refusal = table.page.locator("[data-refusal]")
    table.won(1, 0).write("222B 222D GGG 345B 5B 7B")
    table.says("does not win").save()
    expect(refusal).to_contain_text("not win")
    table.write("222B 222D GGG 345B 55B").says("70")
    expect(refusal).to_be_empty()
    table.open().says("70")
    expect(refusal).to_be_empty()
    expect(table.page.locator("[data-unsaved]")).to_contain_text("Hand 1 is not saved yet.")
    table.save().saved("wins 70")
    expect(table.waiting).to_be_hidden()


@pytest.mark.thorough
def test_a_hand_that_is_refused_twice_says_where_it_is_wrong_also_after_a_reload(
    table, expect_status
):
    expect_status(422)
    table.won(1, 0).write("222B 222D GGG 345B 5B 7B")
    table.says("does not win").save()
    summary = table.page.locator(".error-summary")
    expect(summary).to_be_visible()
    with table.page.expect_response("**/hands/"):
        table.save()
    expect(table.page.locator("[data-save]")).to_be_enabled()
    expect(summary).to_be_visible()
    table.open()
    expect(summary).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"json": {"outcome": "refused", "code": "no", "reasons": ["Not you."]}}, "Not you."),
        (
            {"json": {"outcome": "refused", "code": "no", "reasons": []}},
            "The site did not accept this.",
        ),
    ],
    ids=["with reasons", "without reasons"],
)
def test_a_refusal_without_a_piece_of_page_is_said_in_words_also_after_a_reload(
    table, expect_status, answer, words
):
    expect_status(409)
    table.page.route("**/hands/", lambda route: route.fulfill(status=409, **answer), times=1)
    table.draw().save()
    refusal = table.page.locator("[data-refusal]")
    expect(refusal).to_contain_text(words)
    table.open()
    expect(refusal).to_contain_text(words)
    table.save().saved("Hand 1")
    expect(refusal).to_be_empty()
    assert Hand.objects.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["reload", "back"])
def test_what_the_browser_fills_in_again_by_itself_is_no_other_hand(
    table, live_server, expect_status, way
):
    """A browser that comes back to a page enters again what was there, before any script runs."""
    expect_status(422)
    table.won(1, 0).write("222B 222D GGG 345B 5B 7B")
    table.says("does not win").save()
    expect(table.page.locator(".error-summary")).to_be_visible()
    key = table.page.locator("[name=key]").input_value()
    if way == "reload":
        table.page.reload()
    else:
        table.page.goto(f"{live_server.url}/players/")
        table.page.go_back()
    expect(table.page.locator(".error-summary")).to_be_visible()
    expect(table.page.locator("[name=key]")).to_have_value(key)
    expect(table.waiting).to_be_hidden()
    table.write("222B 222D GGG 345B 55B")
    table.says("70").save().saved("wins 70")
    expect(table.waiting).to_be_hidden()


def test_who_was_signed_out_signs_in_elsewhere_and_the_hand_is_sent(
    table, sign_in, game, expect_status
):
    expect_status(401)
    table.seed_hand().says("70")
    table.page.context.clear_cookies(name="sessionid")
    table.save().waits("You are signed out. 1 hand waits")
    sign_in(table.page, game.players[0].user)
    table.saved("wins 70")
    expect(table.waiting).to_be_hidden()


# What the sign-in of a wireless network answers in place of the site, until somebody has accepted its terms.
TERMS = {"content_type": "text/html", "body": "<h1>Accept the terms of this network</h1>"}
PORTALS = {
    "a page": {"status": 200, **TERMS},
    "a page that forbids": {"status": 403, **TERMS},
    "a page that asks to sign in": {"status": 401, **TERMS},
    "a page that finds nothing": {"status": 404, **TERMS},
    "the way to a page": {"status": 302, "headers": {"Location": "/healthz"}},
}


@pytest.mark.thorough
@pytest.mark.parametrize("answer", PORTALS.values(), ids=PORTALS)
def test_the_sign_in_of_a_network_signs_nobody_out_and_the_hand_goes_once_it_is_past(
    table, answer, expect_status
):
    expect_status(answer["status"])
    for address in ("**/hands/", "**/preview/", "**/live/"):
        table.page.route(address, lambda route: route.fulfill(**answer))
    table.seed_hand()
    expect(table.preview).to_contain_text("this hand will wait here")
    table.save().waits("1 hand waits")
    expect(table.waiting).not_to_contain_text("You are signed out")
    expect(table.page.locator("[data-session-lost]")).to_be_hidden()
    expect(table.page.locator("main")).not_to_contain_text("Accept the terms")
    table.page.unroute_all()
    table.saved("wins 70")
    expect(table.waiting).to_be_hidden()


def test_what_one_member_saved_is_not_logged_as_somebody_else(table, sign_in, game, expect_status):
    expect_status(401)
    table.seed_hand().says("70")
    sign_in(table.page, make_member(player=game.players[2]))
    table.save().waits("1 hand waits")
    assert not Hand.objects.exists()
    table.open().waits("1 hand waits").waiting.locator("summary").click()
    expect(table.waiting.locator("li")).to_contain_text("to sign in on this phone")
    sign_in(table.page, game.players[0].user)
    table.open()
    expect(table.page.locator(".sheet tbody tr")).to_have_count(1)
    assert Hand.objects.get().logged_by == game.players[0].user


class TestTheFirstOfTwoIsRefused:
    """It does not win, and a draw waits for it."""

    @pytest.fixture(autouse=True)
    def refused(self, table, expect_status):
        expect_status(0)
        expect_status(422)
        table.page.context.set_offline(True)
        table.won(1, 0).write("222B 222D GGG 345B 5B 7B").save().waits("1 hand waits")
        table.draw().save().waits("2 hands wait")
        table.page.context.set_offline(False)
        expect(table.page.locator(".error-summary")).to_be_visible()

    @pytest.fixture
    def unsaved(self, table):
        return table.page.locator("[data-unsaved]")

    def outcomes(self, table):
        """Of the two hands that are on the site in the end."""
        expect(table.page.locator(".sheet tbody tr")).to_have_count(2)
        expect(table.waiting).to_be_hidden()
        return [hand.outcome for hand in Hand.objects.order_by("number")]

    @pytest.mark.thorough
    def test_a_refused_hand_is_thrown_away_at_its_table(self, table, unsaved):
        expect(unsaved).to_contain_text("Hand 1 is not saved yet. The hands that were saved after")
        table.page.once("dialog", lambda dialog: dialog.accept())
        unsaved.get_by_role("button", name="Throw it away").click()
        expect(table.waiting).to_be_hidden()
        expect(unsaved).to_be_hidden()
        expect(table.page.locator("h1")).to_have_text("East round, hand 2")
        assert table.text == ""
        table.seed_hand().says("70").save().saved("Hand 2")
        assert self.outcomes(table) == ["draw", "win"]

    @pytest.mark.thorough
    def test_a_refused_hand_is_kept_if_the_person_thinks_better_of_it(self, table, unsaved):
        table.page.once("dialog", lambda dialog: dialog.dismiss())
        unsaved.get_by_role("button", name="Throw it away").click()
        table.write("222B 222D GGG 345B 55B").says("70").save()
        assert self.outcomes(table) == ["win", "draw"]

    @pytest.mark.thorough
    def test_a_refused_hand_that_is_emptied_is_thrown_away_if_the_person_says_so(self, table):
        """The next hand comes behind what waited."""
        asked = []
        table.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
        table.write("").nobody_won()
        expect(table.waiting).to_be_hidden()
        assert "The form is empty, and the hands that were saved after hand 1" in asked[0]
        expect(table.page.locator("h1")).to_have_text("East round, hand 2")
        table.seed_hand().says("70").save().saved("Hand 2")
        assert self.outcomes(table) == ["draw", "win"]

    @pytest.mark.thorough
    def test_a_refused_hand_that_is_emptied_is_entered_again_in_its_place_if_they_do_not(
        self, table, unsaved
    ):
        asked = []

        def keep(dialog):
            asked.append(dialog.message)
            dialog.dismiss()

        table.page.on("dialog", keep)
        table.write("").nobody_won()
        expect(table.page.locator("[data-refusal]")).to_be_empty()
        expect(unsaved).to_contain_text("Hand 1 is not saved yet.")
        table.open()
        expect(table.page.locator("[data-refusal]")).to_be_empty()
        expect(unsaved).to_contain_text("Hand 1 is not saved yet.")
        expect(table.page.locator("h1")).to_have_text("East round, hand 1")
        table.seed_hand().says("70").save()
        assert self.outcomes(table) == ["win", "draw"]
        assert len(asked) == 1


@pytest.mark.thorough
def test_a_hand_that_was_never_saved_is_not_offered_to_be_thrown_away(table):
    table.seed_hand().says("70")
    expect(table.page.locator("[data-unsaved]")).to_be_hidden()


@pytest.mark.thorough
def test_what_is_entered_after_an_emptied_hand_that_the_site_has_is_another_hand(
    table, expect_status
):
    """Whoever empties it is asked; with *no*, too, the form has a key of its own from then on."""
    expect_status(0)
    expect_status(409)
    reached = []

    def lose_the_answer(route):
        if not reached:
            reached.append(route.fetch())
        route.abort()

    table.page.route("**/hands/", lose_the_answer)
    table.draw().save().waits("1 hand waits on this phone")
    table.waiting.locator("summary").click()
    table.page.get_by_role("button", name="Correct it").click()
    expect(table.waiting).not_to_contain_text("1 hand")
    table.page.once("dialog", lambda dialog: dialog.dismiss())
    table.nobody_won()
    table.page.unroute("**/hands/")
    table.seed_hand().says("70").save()
    table.page.get_by_role("button", name="A different hand – save mine as hand 2").click()
    table.saved("Hand 2")
    assert [hand.outcome for hand in Hand.objects.order_by("number")] == ["draw", "win"]


@pytest.mark.thorough
def test_hands_move_up_where_a_refusal_was_renewed_while_its_place_became_free(
    table, game, expect_status, monkeypatch
):
    """The site looks for the hand that stands there, and reads the table after that: it may be gone in between."""
    expect_status(0)
    expect_status(409)
    hand = make_hand(game, winner=2, discarder=game.players[0].pk)
    boss = make_organiser()
    once = iter([hand])  # two previews may be answered side by side

    def read_late(request, pk, *args, **more):
        if "refused" in request.POST and (gone := next(once, None)):
            void_hand(gone, by=boss, reason="A slip")
        return views.table_context(request, pk, *args, **more)

    monkeypatch.setattr(log_hand, "table_context", read_late)
    table.page.context.set_offline(True)
    table.seed_hand().save().waits("1 hand waits")
    table.draw().save().waits("2 hands wait")
    table.page.context.set_offline(False)
    conflict = table.page.locator(".conflict")
    expect(conflict).to_contain_text("was taken back or declared void")
    table.page.on("dialog", lambda dialog: dialog.accept())
    table.page.locator("[data-unsaved]").get_by_role("button", name="Throw it away").click()
    table.saved("Hand 1")
    assert [(one.number, one.is_win) for one in game.hands.filter(status="live")] == [(1, False)]
