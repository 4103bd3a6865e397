"""The calculator: a hand scored without signing in, at an address that can be shared."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from tests.factories import BOOK_HAND, make_ruleset_version, ruleset_version
from tests.support.pages import text

pytestmark = pytest.mark.django_db

URL = "/calculator/"
LONG_WAY = "222333444555667B 8B"


def ask(client, status=200, url=URL, **fields):
    response = client.get(url, fields)
    assert response.status_code == status
    return response


def live(client, **fields):
    return ask(client, url=reverse("calculator_result"), **fields)


class TestAnswer:
    def test_the_answer_scores_the_first_hand_of_the_book(self, client):
        response = ask(client, tiles=BOOK_HAND, seat="S", prevailing="E", ruleset="club")
        card = response.context["result"].card
        assert (card["points"], card["doubles"], card["total"], card["final"]) == (36, 1, 72, 70)
        page = text(response)
        assert '<strong class="final__figure">70</strong>' in page
        assert "<span>36 × 2</span> <strong>72</strong>" in page

    def test_the_answer_scores_the_second_hand_of_the_book(self, client):
        card = ask(client, tiles="222B 345B 55B 222D 234D").context["result"].card
        assert (card["points"], card["doubles"], card["total"], card["final"]) == (28, 1, 56, 60)

    def test_each_line_leads_to_its_rule(self, client):
        page = text(ask(client, tiles=BOOK_HAND))
        rules = reverse("rules", args=["club"])
        for rule in ("winning", "pung", "lucky_sets"):
            assert f'href="{rules}?version=1#{rule}"' in page

    def test_the_answer_shows_other_readings_of_the_same_tiles(self, client):
        result = ask(client, tiles=BOOK_HAND).context["result"]
        assert len(result.others) == len(result.card["interpretations"]) - 1 == 1

    def test_a_limit_hand_names_itself(self, client):
        page = text(ask(client, tiles="RRR GGG WhWhWh 789C EE"))
        assert "Big Three Dragons" in page
        assert '<strong class="final__figure">500</strong>' in page

    def test_thirteen_orphans_is_drawn_without_sets(self, client):
        page = text(ask(client, tiles="19B 19C 19D ESWN RGWh Wh"))
        assert "Thirteen Orphans" in page
        assert "Final score" in page

    def test_the_answer_follows_another_rule_set(self, client):
        hand = "222B 345B 666B 888B 77B"  # one suit of simples: 4 doubles, or 1 as the book lists
        assert ask(client, tiles=hand).context["result"].card["doubles"] == 4
        by_book = ask(client, tiles=hand, ruleset="book").context["result"].card
        assert (by_book["doubles"], by_book["ruleset"]) == (1, "book")

    def test_the_answer_depends_on_winds_and_how_it_was_won(self, client):
        gates = "1112345678999B 5B"
        assert ask(client, tiles=gates).context["result"].card["limits"] == ["nine_gates"]
        open_hand = ask(client, tiles=gates, concealed="no").context["result"].card
        assert open_hand["limits"] == []
        east = ask(client, tiles="EEE 123B 456C 789D 55B", seat="E").context["result"].card
        south = ask(client, tiles="EEE 123B 456C 789D 55B", seat="S").context["result"].card
        assert (east["doubles"], south["doubles"]) == (2, 1)

    def test_winds_may_be_spelled_out(self, client):
        response = ask(client, tiles=BOOK_HAND, seat="south", prevailing="East")
        assert response.context["form"]["seat"].value() == "S"


class TestPayments:
    def amounts(self, settlement):
        return [share.amount for share in settlement.shares]

    def test_the_payments_when_another_than_the_dealer_wins(self, client):
        result = ask(client, tiles=BOOK_HAND, seat="S").context["result"]
        (settlement,) = result.settlements
        assert self.amounts(settlement) == [-140, 280, -70, -70]
        (dealer,) = result.otherwise.settlements
        assert self.amounts(dealer) == [420, -140, -140, -140]

    def test_the_payments_when_the_dealer_wins(self, client):
        result = ask(client, tiles=BOOK_HAND, seat="E").context["result"]
        (settlement,) = result.settlements
        assert self.amounts(settlement) == [420, -140, -140, -140]
        (another,) = result.otherwise.settlements
        assert self.amounts(another) == [-140, 280, -70, -70]

    def test_payments_are_worked_out_for_each_case_where_the_discarder_pays_double(self, client):
        version = ruleset_version()
        version.pk, version.number = None, 2
        version.options = {**version.options, "discarder": "double"}
        version.save()
        result = ask(client, tiles=BOOK_HAND, seat="S").context["result"]
        assert [(case.words, self.amounts(case)) for case in result.settlements] == [
            ("South wins, on East’s discard", [-280, 420, -70, -70]),
            ("South wins, on West’s discard", [-140, 350, -140, -70]),
        ]
        drawn = ask(client, tiles=BOOK_HAND, seat="S", self_drawn="on").context["result"]
        assert [self.amounts(case) for case in drawn.settlements] == [[-140, 280, -70, -70]]

    def test_the_calculator_says_which_version_of_the_rules_it_scores_by(self, client):
        make_ruleset_version()
        assert '<option value="club" selected>Club, version 2</option>' in text(ask(client))


class TestNoWin:
    NEARLY = "222B 345B 55B 222D GG9C"

    def test_a_hand_that_does_not_win_says_why_and_which_exchange_would_win(self, client):
        response = ask(client, tiles=self.NEARLY)
        page = text(response)
        assert "This hand does not win" in page
        near = response.context["result"].near
        assert [fit.kind for fit in near.fits] == ["pung", "chow", "pair", "pung"]
        assert [tile.code for tile in near.left_over] == ["9C", "G", "G"]
        exchange = near.exchanges[0]
        assert (exchange.given.code, exchange.taken.code, exchange.final) == ("9C", "G", 70)
        assert "Green dragon for 9 of Characters" in page

    def test_each_exchange_leads_to_the_hand_that_wins(self, client):
        seat = {"seat": "W", "prevailing": "S", "ruleset": "book"}
        exchange = ask(client, tiles=self.NEARLY, **seat).context["result"].near.exchanges[0]
        response = client.get(exchange.url)
        assert response.status_code == 200
        assert response.context["result"].card["final"] == exchange.final
        query = parse_qs(urlsplit(exchange.url).query)
        assert {name: query[name] for name in seat} == {name: [seat[name]] for name in seat}

    def test_open_sets_stay_as_they_were_declared(self, client):
        near = ask(client, tiles="222B* 345B 55B 222D GG9C").context["result"].near
        assert all("222B*" in exchange.url.replace("%2A", "*") for exchange in near.exchanges)
        assert {exchange.given.code for exchange in near.exchanges} == {"9C"}

    def test_the_best_exchanges_come_first_and_the_rest_are_counted(self, client):
        near = ask(client, tiles="123B 456B 789B 234C 5B 7B").context["result"].near
        finals = [exchange.final for exchange in near.exchanges]
        assert finals == sorted(finals, reverse=True)
        assert (len(finals), near.more) == (8, 2)

    def test_a_hand_that_does_not_win_says_when_no_exchange_would_win(self, client):
        response = ask(client, tiles="147B 258C 369D ESWNR")
        assert response.context["result"].near.exchanges == []
        away = response.context["result"].near.exchanges_away
        assert away == response.context["form"].hand.deficiency() > 1
        assert f"No single exchange would make it win: it takes {away}." in text(response)


@pytest.mark.parametrize("tiles", ["Whıte", "WHİTE", "222B Whıte"])
def test_the_calculator_refuses_a_letter_that_only_folds_to_one_of_a_tile(client, tiles):
    assert "There is no tile “" in text(ask(client, 422, tiles=tiles))


class TestWaiting:
    def test_13_tiles_are_told_what_they_wait_for(self, client):
        response = ask(client, tiles="222B 345B 55B 222D GG")
        waits = response.context["result"].waiting.waits
        assert [(wait.tile.code, wait.final, wait.left) for wait in waits] == [
            ("2B", 30, 1),
            ("5B", 30, 1),
            ("G", 70, 2),
        ]
        page = text(response)
        assert "This hand waits" in page
        assert "2 left" in page
        assert ask(client, url=waits[2].url).context["result"].card["final"] == 70

    def test_a_declared_kong_takes_one_tile_more(self, client):
        response = ask(client, tiles="2222B# 345B 55C 222D GG")
        waits = response.context["result"].waiting.waits
        assert [wait.tile.code for wait in waits] == ["5C", "G"]
        page = text(ask(client, tiles="2222B# 345B 15C 222D G9D"))
        assert "It takes 2 exchanges until it waits" in page

    def test_a_declared_kong_and_too_few_tiles_are_told_how_many_it_takes(self, client):
        response = ask(client, 422, tiles="2222B# 345B 55C 222D G")
        assert response.context["result"].waiting is None
        assert "a winning hand with these declared sets has 15 to 18" in text(response)

    def test_13_tiles_that_do_not_wait_are_told_how_far_they_are_from_it(self, client):
        page = text(ask(client, tiles="222B 345B 58B 222D G9C"))
        assert "This hand does not wait yet" in page
        assert "It takes 2 exchanges until it waits" in page

    @pytest.mark.parametrize("tiles", ["222B 345B 55B 222D G", "22222B 345B 55B 2D GG", "x"])
    def test_numbers_of_tiles_that_cannot_wait_are_told_nothing_of_waiting(self, client, tiles):
        assert ask(client, 422, tiles=tiles).context["result"].waiting is None


class TestTheMissedDouble:
    def test_the_missed_double_is_shown_with_the_way_to_it(self, client):
        response = ask(client, tiles=BOOK_HAND)
        missed = response.context["result"].missed
        assert (missed.rule, missed.final, len(missed.exchanges)) == ("groups", 160, 1)
        assert "One tile short of this double" in text(response)
        assert ask(client, url=missed.url).context["result"].card["final"] == 160

    def test_the_missed_double_is_not_shown_at_the_limit(self, client):
        response = ask(client, tiles="RRR GGG WhWhWh 789C EE")
        assert response.context["result"].missed is None
        assert "just missed" not in text(response)


class TestWatchingItThink:
    def think(self, client, **fields):
        return ask(client, url=reverse("calculator_think"), **fields)

    def test_the_scorecard_leads_to_watching_the_calculator_think(self, client):
        url = ask(client, tiles=BOOK_HAND).context["result"].think_url
        page = text(ask(client, url=url))
        assert "The four cannot take 3B. Its tiles go back; a three is tried." in page
        assert "procedure finds that this hand wins" in page

    def test_marks_where_the_book_would_miss_the_hand(self, client):
        page = text(self.think(client, tiles="223344B 55B 222D GGG"))
        assert "would miss this hand" in page
        assert "beyond the book" in page

    def test_watching_the_calculator_think_says_that_every_way_was_tried(self, client):
        page = text(self.think(client, tiles="222B 345B 55B 222D GG9C"))
        assert "This hand does not win: every way was tried." in page

    def test_watching_the_calculator_think_folds_the_middle_of_a_long_way_and_says_how_much(
        self, client
    ):
        response = self.think(client, tiles=LONG_WAY)
        steps = response.context["trace"].rows
        page = response.content.decode()
        before, rest = page.split('<details class="trace__folded">')
        folded, after = rest.split("</details>", 1)
        shown = [part.count('<li class="trace__step') for part in (before, folded, after)]
        assert sum(shown) == len(steps) > 500
        assert shown[0] + shown[2] < 50
        assert f"{shown[1]:,} steps are folded here." in folded
        assert f"{folded.count('trace__step--beyond')} of them go beyond the book." in folded

    def test_watching_the_calculator_think_folds_nothing_of_a_short_way(self, client):
        page = text(self.think(client, tiles=BOOK_HAND))
        assert "folded" not in page

    def test_watching_without_a_hand_leads_to_the_calculator(self, client):
        response = client.get(reverse("calculator_think"), {"tiles": "2B"})
        assert response.status_code == 302
        assert response.url.startswith(URL)


class TestRefused:
    @pytest.mark.parametrize(
        ("tiles", "words"),
        [
            ("222B 345B 55B 222D GG5X", "5X"),
            ("22222B 345B 55B 222D G", "a wall has four"),
            ("", "Tap or type the tiles of the hand."),
            ("1" * 401, "at most 400"),
        ],
    )
    def test_the_calculator_refuses_tiles_that_cannot_be_a_hand(self, client, tiles, words):
        response = ask(client, status=422, tiles=tiles)
        page = text(response)
        assert words in page
        assert 'id="id_tiles_error"' in page
        assert '<strong class="final__figure">' not in page

    def test_the_calculator_refuses_an_unknown_wind(self, client):
        page = text(ask(client, status=422, tiles=BOOK_HAND, seat="Q"))
        assert "Choose East, South, West or North." in page

    def test_the_calculator_refuses_an_unknown_rule_set(self, client):
        page = text(ask(client, status=422, tiles=BOOK_HAND, ruleset="chess"))
        assert "There are no such rules here" in page

    def test_the_calculator_names_everything_that_is_wrong_at_once(self, client):
        page = text(ask(client, status=422, tiles="55X", seat="Q"))
        assert "Choose East, South, West or North." in page
        assert "X" in text(ask(client, status=422, tiles="55X", seat="Q"))

    def test_what_is_missing_is_said(self, client):
        page = text(ask(client, status=422, tiles="222B 345B 55B 222D"))
        assert "Still needed: one more set." in page

    @pytest.mark.parametrize("junk", ["<script>", "%00", "🀄" * 20, "２２２Ｂ", "' OR 1=1"])
    def test_junk_in_the_calculator_is_never_an_error_of_the_server(self, client, junk):
        assert client.get(URL, {"tiles": junk, "seat": junk}).status_code == 422
        assert client.get(reverse("calculator_result"), {"tiles": junk}).status_code == 200


class TestEmpty:
    def test_the_empty_calculator_offers_the_hands_of_the_book(self, client):
        page = text(ask(client))
        assert "Hands to try" in page
        assert page.count(f'href="{URL}?tiles=') == 3

    def test_each_example_wins_what_it_says(self, client):
        examples = ask(client).context["examples"]
        cards = [client.get(example.url).context["result"].card for example in examples]
        assert [(card["points"], card["doubles"]) for card in cards[:2]] == [(36, 1), (28, 1)]
        assert cards[2]["limits"] == ["big_three_dragons"]


class TestLive:
    def test_the_live_calculator_sends_the_result_alone_and_the_address_to_share(self, client):
        response = live(client, tiles=BOOK_HAND, seat="W", prevailing="N", ruleset="club")
        page = text(response)
        assert "<html" not in page
        assert '<strong class="final__figure">' in page
        assert 'hx-swap-oob="innerHTML"' in page
        shared = response["HX-Replace-Url"]
        assert client.get(shared).context["result"].card == response.context["result"].card
        assert parse_qs(urlsplit(shared).query) == {
            "tiles": [BOOK_HAND],
            "seat": ["W"],
            "prevailing": ["N"],
            "ruleset": ["club"],
        }

    def test_an_unfinished_hand_is_no_mistake(self, client):
        assert "Still needed: one more set." in text(live(client, tiles="222B 345B 55B 222D"))

    def test_a_cleared_pad_is_the_empty_page(self, client):
        response = live(client, tiles=" ", seat="S")
        assert "Hands to try" in text(response)
        assert response["HX-Replace-Url"] == URL


def test_nothing_is_asked_of_the_database_but_the_rule_sets(client, django_assert_num_queries):
    with django_assert_num_queries(2):
        ask(client, tiles=BOOK_HAND)
