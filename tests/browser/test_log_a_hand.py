"""A hand logged at the table: by taps, by text, as a draw, as a score; previewed, then saved."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from tests.browser import thumb
from tests.browser.table_page import TablePage
from tests.support.browser import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(phone, live_server, game):
    """The table on the phone of East, who may log."""
    return TablePage(phone(player=game.players[0]), live_server.url, game).open()


def saved_hand():
    return Hand.objects.get()


class TestTaps:
    def test_a_win_of_pungs_and_chows_takes_nine(self, table, game):
        table.seed_hand().says("70").save().saved(f"Hand 1: {game.players[1]} wins 70.")
        assert table.taps == 9
        hand = saved_hand()
        assert (hand.final, hand.discarder) == (70, game.players[0])

    @pytest.mark.thorough
    def test_a_win_with_a_kong_as_well_takes_ten(self, table):
        table.won(2, 1).tiles("9C", "1D").key("chow").tiles("4B").key("kong")
        table.tiles("R", "E").says("points").save().saved("Hand 1")
        assert table.taps == 10
        assert len(saved_hand().tiles.split()) == 15

    def test_a_draw_is_logged_with_two_taps(self, table):
        table.draw().save().saved("Hand 1: drawn, nobody pays.")
        assert table.taps == 2

    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("limit", "tiles", "taps"),
        [
            ("thirteen_orphans", ["E"], 6),
            ("nine_gates", ["5C"], 6),
            ("big_four_winds", ["2B"], 6),
            ("big_three_dragons", ["2B", "5C"], 7),
            ("little_four_winds", ["N", "5C"], 7),
        ],
    )
    def test_a_limit_hand_is_picked_and_filled_up(self, table, limit, tiles, taps):
        table.won(1, 1).pick_limit(limit)
        table.tiles(*tiles).says("Limit hand").save().saved("wins 500")
        assert table.taps == taps
        assert limit in saved_hand().card["limits"]

    @pytest.mark.thorough
    def test_the_wind_of_the_pair_goes_with_little_four_winds(self, table):
        table.won(1, 1).tap("[data-opens=limits]").tap("[data-pair=N]")
        expect(table.page.locator("[data-prompt-text]")).to_have_text("Tap the fourth set.")
        table.tiles("5C").says("Limit hand").save().saved("wins 500")
        assert table.taps == 6

    @pytest.mark.thorough
    def test_a_limit_hand_without_the_rest_of_its_tiles_takes_five(self, table):
        """All of them: ``test_count_taps``."""
        limit = "all_honors"
        table.won(1, 1).pick_limit(limit).says("500").says("not checked")
        table.save().saved("wins 500")
        assert table.taps == 5
        hand = saved_hand()
        assert (hand.checked, hand.claimed_limit, hand.limit) == (False, limit, True)

    @pytest.mark.parametrize(
        ("digits", "score"),
        [(["3", "0"], 30), (["1", "20"], 120), (["70"], 70), (["5", "00"], 500)],
    )
    def test_a_score_of_cleared_tiles_takes_six(self, table, digits, score):
        table.won(1, 0).tap("[data-opens=score]").digits(digits)
        table.says(f"{score}").says("Not checked").save().saved(f"wins {score}")
        assert table.taps <= 6
        assert (saved_hand().final, saved_hand().checked) == (score, False)

    def cleared(self, table):
        while table.page.locator("[name=claimed_final]").input_value():
            table.tap("[data-digit=back]")
        return table

    def test_a_score_past_the_limit_is_refused_in_words(self, table, expect_status):
        table.won(1, 0).tap("[data-opens=score]").digits("5000")
        table.says("A score lies between 20 and 500.").tap("[data-digit=back]").says("500")
        # Also without a network: once it waited, the game could be over before it is refused.
        expect_status(0)
        table.page.context.set_offline(True)
        for digits, problem in (("1", "A score lies between 20 and 500."), ("55", "rounded to 10")):
            self.cleared(table).digits(digits).says(problem).save()
            expect(table.page.locator("[data-notice]")).to_contain_text(problem)
            expect(table.waiting).not_to_contain_text("waits")

    def test_a_win_without_a_discarder_is_asked_about(self, table, game, expect_status):
        expect_status(422)
        table.seat(1).tiles("2B", "2D", "G", "E", "5B").says("Choose the discarder")
        table.save()
        expect(table.page.locator(".error-summary")).to_contain_text("Who discarded")
        table.tap("[data-nobody-remembers]").says("points")
        words = f"{game.players[1]}; discarder not known"
        expect(table.page.locator("[data-outcome]")).to_have_text(words)
        table.save().saved("Hand 1")
        assert (saved_hand().discarder, saved_hand().self_drawn) == (None, False)

    @pytest.mark.thorough
    def test_nothing_is_loaded_anew_on_the_way(self, table):
        visits = []
        table.page.on("framenavigated", lambda frame: visits.append(frame.url))
        table.seed_hand().says("70").save().saved("Hand 1")
        expect(table.page.locator("h1")).to_have_text("East round, hand 2")
        assert visits == []

    def test_the_next_hand_follows_at_once(self, table):
        table.draw().save().saved("Hand 1")
        table.seed_hand().says("70").save().saved("Hand 2")
        assert list(Hand.objects.order_by("number").values_list("outcome", flat=True)) == [
            "draw",
            "win",
        ]


class TestThePad:
    @pytest.mark.thorough
    def test_a_key_stays_until_it_is_changed(self, table):
        table.key("chow").tiles("1B", "4B")
        assert table.pressed_key == "chow"
        assert table.text == "123B 456B"

    @pytest.mark.thorough
    def test_the_pad_turns_to_the_pair_after_the_fourth_set(self, table):
        table.tiles("1B", "2B", "3B", "4B")
        assert table.pressed_key == "pair"
        table.tiles("9D")
        assert table.text == "111B 222B 333B 444B 99D"
        assert table.impossible("E")

    @pytest.mark.thorough
    def test_a_pair_first_leaves_the_sets_to_come(self, table):
        table.key("pair").tiles("9D")
        assert table.pressed_key == "pung"

    def test_the_pad_greys_out_what_cannot_be(self, table):
        table.key("chow")
        assert [table.impossible(code) for code in ("7B", "8B", "9B", "E", "R")] == [
            False, True, True, False, False,
        ]  # fmt: skip
        table.tiles("1B", "1B", "1B", "1B")
        assert table.impossible("1B")
        assert table.impossible("2B")
        assert not table.impossible("4B")

    @pytest.mark.thorough
    def test_a_tap_on_what_cannot_be_does_nothing(self, table):
        table.tiles("2B", "2B")
        table.page.locator('[data-tile="2B"]').dispatch_event("click")
        assert table.text == "2222B#"

    @pytest.mark.thorough
    def test_a_slide_lays_a_chow_or_a_kong_whatever_the_key(self, table):
        table.key("pair").slide("2B", "chow").slide("R", "kong").tiles("5D")
        assert table.text == "234B RRRR# 55D"

    @pytest.mark.thorough
    def test_a_tap_right_after_a_flick_counts(self, table):
        """Browsers swallow what follows a flick of their own."""
        thumb.Step('[data-tile="2B"]', slide=60).do(table.page)
        x, y = thumb.middle(table.page.locator('[data-tile="5D"]'))
        table.page.touchscreen.tap(x, y)
        expect(table.page.locator("#id_tiles")).to_have_value("234B 555D")

    @pytest.mark.thorough
    def test_a_slide_that_cannot_be_does_nothing(self, table):
        table.slide("9B", "chow").slide("E", "kong")
        assert table.text == "EEEE#"

    @pytest.mark.thorough
    def test_a_held_tile_shows_the_set_that_a_slide_will_lay(self, table):
        table.hold("2B", 40)
        expect(table.page.locator('[data-tile="2B"]')).to_have_attribute("data-slide", "Chow")
        table.page.mouse.move(0, 0)
        table.page.mouse.up()

    @pytest.mark.thorough
    def test_the_fourth_tile_makes_a_kong_and_back_undoes_it(self, table):
        table.tiles("2B", "3B").tap("[data-group='0']").tiles("2B")
        assert table.text == "2222B* 333B"
        table.tap("[data-back]")
        assert table.text == "222B* 333B"

    @pytest.mark.thorough
    def test_the_key_for_chows_lays_honors_as_pungs(self, table):
        table.key("chow").tiles("E", "1B")
        assert table.text == "EEE 123B"

    def test_a_set_that_is_tapped_turns_open_and_back(self, table):
        table.tiles("1B", "2B").key("kong").tiles("3B")
        table.tap("[data-group='1']").tap("[data-group='2']")
        assert table.text == "111B 222B* 3333B*"
        expect(table.page.locator("[data-group='1']")).to_have_attribute("aria-pressed", "true")
        table.tap("[data-group='1']").tap("[data-group='2']")
        assert table.text == "111B 222B 3333B#"

    @pytest.mark.thorough
    def test_the_key_back_takes_the_last_tile_away(self, table):
        table.tiles("1B", "2B").tap("[data-back]")
        assert table.text == "111B"

    @pytest.mark.thorough
    def test_the_set_that_was_tapped_can_be_taken_away(self, table):
        table.tiles("1B", "2B", "3B").tap("[data-group='0']")
        expect(table.page.locator("[data-back]")).to_have_text("Take away")
        table.tap("[data-back]").tap("[data-back]")
        assert table.text == "222B"

    @pytest.mark.thorough
    def test_a_pair_and_a_loose_tile_go_away_when_they_are_tapped(self, table):
        table.tiles("1B").key("pair").tiles("2B").tap("[data-group='1']")
        assert table.text == "111B"
        table.key("tile").tiles("5D").tap("[data-group='1']")
        assert table.text == "111B"

    @pytest.mark.thorough
    def test_the_pad_lays_out_single_tiles_as_they_are(self, table):
        table.won(1, 1).key("tile")
        for code, copies in {"2B": 3, "3B": 1, "4B": 1, "5B": 3, "2D": 3, "G": 3}.items():
            table.tiles(*[code] * copies)
        table.says("70")
        assert table.impossible("E")

    @pytest.mark.thorough
    def test_the_pad_shows_what_is_typed(self, table):
        table.write("222B* 345B green Green GREEN 2Z")
        groups = table.page.locator("[data-hand-view] [data-group]")
        expect(groups).to_have_count(6)
        expect(groups.last).to_contain_text("2Z")
        table.write("222B 345B 55B 222D GGG")
        assert table.impossible("E")

    @pytest.mark.thorough
    def test_a_key_that_is_tapped_right_after_the_last_tile_was_taken_back_stays_down(self, table):
        table.tiles("2B")
        table.page.evaluate("""() => {
            document.querySelector("[data-back]").click();
            document.querySelector("[data-key][value=kong]").click();
        }""")
        table.seat(1)  # by now what was emptied is gone from the queue
        expect(table.page.locator("[data-key][value=kong]")).to_be_checked()
        table.tiles("2B")
        assert table.text == "2222B#"

    @pytest.mark.thorough
    def test_a_limit_hand_that_is_left_claims_nothing(self, table):
        table.won(1, 1).tiles("2B").pick_limit("big_three_dragons").says("500")
        table.tap("[data-back]").says("Still needed: three more sets and a pair.")
        assert table.text == "222B"

    @pytest.mark.thorough
    def test_tiles_and_score_take_turns(self, table):
        table.won(1, 0).tiles("2B").tap("[data-opens=score]").digits("40").says("40")
        table.tap("[data-opens=score]").says("Still needed: three more sets and a pair.")
        assert table.text == "222B"

    @pytest.mark.thorough
    def test_who_won_off_whom(self, table, game):
        values = {None: "", **{place: str(one.pk) for place, one in enumerate(game.players)}}
        names = [str(player) for player in game.players]
        for taps, winner, discarder, words in (
            ([], None, None, "Who won? Slide to the discarder"),
            ([1], 1, None, "Who discarded? Winner again: self-drawn"),
            ([1, 0], 1, 0, "{1}, on {0}’s discard"),
            ([1, 1], 1, "self", "{1}, self-drawn"),
            ([1, 0, 0], 1, None, "Who discarded? Winner again: self-drawn"),
            ([1, 0, 2], 1, 2, "{1}, on {2}’s discard"),
            ([1, 0, 1], 1, "self", "{1}, self-drawn"),
            ([1, 1, 1], None, None, "Who won? Slide to the discarder"),
            ([4], "draw", None, "No winner (draw): nobody pays"),
            ([4, 4], None, None, "Who won? Slide to the discarder"),
            ([1, 4, 2], 2, None, "Who discarded? Winner again: self-drawn"),
        ):
            for place in taps:
                table.seat(place)
            expected = (values.get(winner, winner), values.get(discarder, discarder))
            assert table.chosen == expected, taps
            outcome = table.page.locator("[data-outcome]")
            expect(outcome, str(taps)).to_have_text(words.format(*names))
            table.nobody_won()

    def test_a_slide_from_seat_to_seat_says_who_won_off_whom(self, table, game):
        values = {None: "", **{place: str(one.pk) for place, one in enumerate(game.players)}}
        # To the left, to the right, to the draw, nowhere.
        for to, winner, discarder in ((0, 2, 0), (3, 2, 3), (4, None, None), (2, 2, None)):
            thumb.Step("[data-seat] >> nth=2", to=f"[data-seat] >> nth={to}").do(table.page)
            assert table.chosen == (values[winner], values[discarder]), to
            table.nobody_won()

    @pytest.mark.thorough
    def test_a_draw_puts_the_tiles_aside_and_a_win_takes_them_back(self, table):
        table.seat(1).tiles("2B").draw().says("Draw")
        expect(table.page.locator("#id_tiles")).to_be_disabled()
        table.seat(1).says("three more sets and a pair")
        assert table.text == "222B"


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "nl", "zh-Hant"])
def test_what_was_saved_leaves_the_pad_in_reach(phone, live_server, game, language):
    """In the longest words, on the smallest phone."""
    page = phone(player=game.players[0], width=360, locale=language)
    TablePage(page, live_server.url, game).open().draw().save()
    expect(page.locator("#saved")).to_be_visible()
    assert page.locator(".log__bar").bounding_box()["height"] < 140


class TestPreview:
    @pytest.mark.thorough
    def test_the_preview_says_step_by_step_what_is_still_to_come(self, table):
        table.won(1, 0).says("four sets and a pair")
        table.tiles("2B", "2D", "G").says("one more set and a pair")
        table.key("chow").tiles("3B").says("Still needed: a pair.")
        table.tiles("5B").says("36 points × 2 = 72")

    def test_the_hand_that_is_saved_pays_what_the_preview_showed(self, table):
        table.seed_hand().says("70")
        shown = table.preview.locator(".amount").all_inner_texts()
        table.save().saved("wins 70")
        amounts = [payment.amount for payment in saved_hand().payments.order_by("pk")]
        assert [int(one.replace("−", "-").replace(",", "")) for one in shown] == amounts

    @pytest.mark.thorough
    def test_the_preview_stays_in_view_while_tapping(self, table):
        table.page.set_viewport_size({"width": 360, "height": 640})
        table.seat(1).tiles("2B", "Wh")
        expect(table.preview).to_be_in_viewport()
        expect(table.page.locator("[data-save]")).to_be_in_viewport()

    @pytest.mark.thorough
    def test_the_preview_of_a_typed_hand_that_does_not_win_shows_a_problem(self, table):
        table.seat(1)
        table.write("222B 345B 55B 222D GG 9C")
        expect(table.preview.locator(".preview__problem").last).to_contain_text("does not win")


@pytest.mark.thorough
def test_a_newer_preview_calls_the_older_back_and_marks_its_figures_as_old(table, expect_status):
    expect_status(0)
    table.seed_hand().says("70")
    expect(table.preview).to_have_attribute("aria-busy", "false")
    held = []

    def hold(route):
        held.append(route)

    table.page.route("**/preview/", hold)
    table.write("222B 222D GGG 345B 66B")
    wait_until(table.page, lambda: len(held) == 1, "the new hand is asked about")
    expect(table.preview).to_have_attribute("aria-busy", "true")
    with table.page.expect_event("requestfailed", lambda request: "/preview/" in request.url):
        table.write("222B 222D GGG RRR 66B")
    wait_until(table.page, lambda: len(held) == 2, "the newest hand is asked about")
    expect(table.preview).to_have_attribute("aria-busy", "true")
    held[1].continue_()
    expect(table.preview).to_have_attribute("aria-busy", "false")
    expect(table.page.locator(".preview__final")).not_to_contain_text("70")


@pytest.mark.thorough
def test_a_preview_whose_answer_was_lost_is_asked_for_again(table, expect_status):
    expect_status(0)
    table.won(1, 0).tiles("2B").says("three more sets")
    table.page.route("**/preview/", lambda route: route.abort(), times=1)
    table.tiles("3B").says("two more sets")


def test_taps_while_a_hand_is_being_saved_are_for_the_next_one(table):
    def answer_late(route):
        table.page.wait_for_timeout(700)
        route.continue_()

    table.page.route("**/hands/", answer_late, times=1)
    table.draw().save().won(1, 0)
    expect(table.page.locator("[data-save]")).to_be_enabled()
    expect(table.page.locator("h1")).to_contain_text("hand 2")
    assert table.chosen == tuple(str(table.game.players[place].pk) for place in (1, 0))
