"""The scorecard of a hand: every figure, what it comes from, and who pays whom."""

import pytest
from django.urls import reverse

from scoring.models import Hand, League
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_ruleset_version,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(game, organiser):
    def log(winner=1, **changes):
        return make_hand(game, winner=winner, by=organiser, **changes)

    return log


@pytest.fixture
def page(client):
    def page(hand):
        response = client.get(reverse("hand", args=[hand.pk]))
        assert response.status_code == 200
        return response

    return page


class TestAWin:
    def test_the_scorecard_of_a_win_lays_out_the_hand_and_its_lines(self, log, page):
        shown = text(page(log()))
        for line in (
            "Winning",
            "2 of Bamboo",
            "Chow: 3-4-5 of Bamboo",
            "Green dragon",
            "Points in all",
            "Doubles in all",
        ):
            assert line in shown
        assert '<strong class="final__figure">70</strong>' in shown

    def test_the_scorecard_of_a_win_leads_to_the_version_of_the_rules_that_scored_it(
        self, log, page
    ):
        hand, limit = log(), log(tiles="", claimed_limit="big_three_dragons")
        make_ruleset_version()
        url = f"/rules/club/?version={hand.ruleset_version.number}#"
        assert f'href="{url}winning"' in text(page(hand))
        assert f'href="{url}big_three_dragons"' in text(page(limit))

    def test_the_scorecard_of_a_win_says_each_sum_once_on_the_way_to_the_score(self, log, page):
        shown = text(page(log()))
        card = shown[shown.index("scorecard__sum") : shown.index('id="payments-title"')]
        assert "<span>36 × 2</span> <strong>72</strong>" in card
        assert '<span class="final__how">Rounded to the nearest 10</span>' in card
        assert card.count("72") == card.count(">70<") == 1

    def test_every_line_leads_to_its_rule(self, log, page):
        hand = log()
        shown = text(page(hand))
        rules = f"{reverse('rules', args=['club'])}?version={hand.ruleset_version.number}"
        for line in [*hand.card["point_report"], *hand.card["double_report"]]:
            assert f'href="{rules}#{line["rule"]}"' in shown

    def test_lines_of_a_scorecard_add_up_to_the_sum_shown(self, log, page):
        card = page(log()).context["sheet"].card
        assert sum(line["points"] for line in card["point_report"]) == card["points"] == 36
        assert sum(line["doubles"] for line in card["double_report"]) == card["doubles"] == 1

    def test_the_scorecard_of_a_win_goes_from_points_to_score_step_by_step(self, log, page):
        steps = page(log()).context["sheet"].steps
        assert [(step.words, step.figure) for step in steps] == [
            ("36 × 2", 72),
            ("Rounded to the nearest 10", 70),
        ]

    def test_the_scorecard_of_a_win_says_who_pays_and_why(self, log, page, game):
        shares = page(log()).context["sheet"].shares
        assert [share.amount for share in shares] == [-140, 280, -70, -70]
        assert shares[0].reason == "twice the score: the dealer pays double"
        assert shares[2].reason == "the score"

    def test_the_scorecard_of_a_win_says_how_and_when(self, log, page, game, organiser):
        shown = text(page(log(discarder=game.players[3].pk)))
        assert f"{game.players[1]}, South, wins 70, on {game.players[3]}’s discard." in shown
        assert "Club, version 1" in shown
        assert "by a member" in shown
        assert organiser.get_username() not in shown

    def test_the_scorecard_of_a_win_names_the_account_of_who_logged_it_to_organisers(
        self, log, client, organiser
    ):
        hand = log()
        client.force_login(organiser)
        for name in ("hand", "hand_history"):
            shown = text(client.get(reverse(name, args=[hand.pk])))
            assert f"account {organiser.get_username()}" in shown
        client.force_login(make_member())
        for name in ("hand", "hand_history"):
            assert organiser.get_username() not in text(client.get(reverse(name, args=[hand.pk])))

    def test_the_scorecard_of_a_win_shows_the_other_readings_and_why_they_do_not_count(
        self, log, page
    ):
        response = page(log(tiles="111B 222B 333B 456C 77D"))
        sheet = response.context["sheet"]
        assert len(sheet.others) == len(sheet.card["interpretations"]) - 1 >= 1
        assert "The reading with the highest final score counts" in text(response)

    def test_the_scorecard_of_a_hand_with_one_reading_shows_no_others(self, log, page):
        response = page(log(tiles="222B 456B 99B 222D GGG"))
        assert "read otherwise" not in text(response)


class TestOtherHands:
    def test_a_limit_hand_is_named(self, log, page):
        response = page(log(tiles="RRR GGG WhWhWh 234C 77D"))
        assert "Big Three Dragons" in text(response)
        assert response.context["sheet"].steps[-1].figure == 500

    def test_thirteen_orphans_has_tiles_but_no_sets(self, log, page):
        response = page(log(tiles="19B 19C 19D ESWN RGWh E"))
        assert "Thirteen Orphans" in text(response)
        assert "East wind" in text(response)

    def test_a_draw_pays_nobody(self, log, page):
        response = page(log(winner=None))
        assert "Nobody won and nobody pays." in text(response)
        assert [share.amount for share in response.context["sheet"].shares] == [0, 0, 0, 0]

    @pytest.mark.parametrize("status", Hand.Status)
    def test_a_draw_counts_as_played_only_while_it_counts(self, log, page, status):
        hand = log(winner=None)
        Hand.objects.filter(pk=hand.pk).update(status=status)
        shown = text(page(hand))
        assert "Nobody won and nobody pays." in shown
        assert ("still counts as a hand" in shown) == (status == Hand.Status.COUNTED)

    def test_a_draw_of_a_withdrawn_game_does_not_count(self, log, page, game):
        hand = log(winner=None)
        withdraw_game(game, by=make_organiser(), reason="Opened twice")
        assert "still counts as a hand" not in text(page(hand))

    def test_a_scorecard_without_tiles_says_so(self, log, page):
        shown = text(page(log(tiles="", claimed_final=120)))
        assert "not checked" in shown
        assert '<strong class="final__figure">120</strong>' in shown

    @pytest.mark.parametrize(
        ("status", "words"),
        [
            (Hand.Status.VOID, "declared void"),
            (Hand.Status.DISPUTED, "disputes this hand"),
            (Hand.Status.SUPERSEDED, "was corrected and no longer counts"),
        ],
    )
    def test_the_scorecard_says_when_its_hand_no_longer_stands(self, log, page, status, words):
        hand = log()
        Hand.objects.filter(pk=hand.pk).update(status=status)
        assert words in text(page(hand))


class TestGettingAround:
    def test_the_scorecard_leads_to_the_hands_before_and_after(self, log, page):
        first, second, third = log(), log(), log()
        neighbours = page(second).context["sheet"].neighbours
        assert (neighbours.before, neighbours.after) == (first, third)
        assert page(first).context["sheet"].neighbours.before is None
        assert f'href="{reverse("hand", args=[third.pk])}"' in text(page(second))

    def test_the_scorecard_leads_back_to_the_table(self, log, page, game):
        assert f'href="{reverse("game", args=[game.pk])}"' in text(page(log()))

    def test_a_scorecard_of_a_members_league_is_not_found_for_a_visitor(self, client):
        game = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
        url = reverse("hand", args=[make_hand(game).pk])
        assert client.get(url).status_code == 404
        client.force_login(make_member())
        assert client.get(url).status_code == 200

    @pytest.mark.parametrize("hands", [1, 3])
    def test_the_scorecard_costs_the_same_queries_whatever_the_game(
        self, log, page, hands, django_assert_num_queries
    ):
        shown, *_others = [log() for _hand in range(hands)]
        with django_assert_num_queries(3):
            page(shown)
