"""The benchmark measures what it says: real hands, the same ones for the peer, a club that adds up."""

from random import Random

import pytest
from django.db.models import Sum

from scoring.models import Game, Hand, Payment, Tally
from tests.bench import correcting, crowd, evaluator, pages, saving, verifying
from tests.bench.hands import short_by_one, winning
from tests.bench.peer import asked, estimate
from tests.bench.report import Line, printed


class TestHands:
    def test_hands_made_for_the_bench_win(self):
        hands = winning(200, Random(1))
        assert all(hand.hand().mahjongg() for hand in hands)
        assert len({hand.tiles for hand in hands}) == 200
        assert any(len(hand.hand().readings) > 1 for hand in hands)

    def test_hands_of_the_bench_are_typed_as_they_are(self):
        for hand in winning(50, Random(2)):
            assert hand.hand().tiles == hand.tiles

    def test_hands_of_the_bench_are_a_tile_short(self):
        for hand in short_by_one(50, Random(3)):
            assert not hand.hand().mahjongg()
            assert "would make it win" in evaluator.reason(hand)

    def test_hands_of_the_bench_are_the_same_for_the_peer(self):
        for hand in winning(200, Random(4)):
            held, *_rest = question = asked(hand)
            assert len(set(held)) == 14
            estimate(question)


class TestReport:
    def test_the_report_says_whether_the_target_was_met(self):
        met = Line("quick", 1.5, "µs", target=3)
        missed = Line("slow", 1.5, "ms", p95=70, target=60, target_is_p95=True)
        report = printed("Speed", [met, missed]).splitlines()
        assert [line.split() for line in report[3:]] == [
            ["quick", "1.50", "µs", "≤", "3", "met"],
            ["slow", "1.50", "ms", "70.0", "ms", "p95", "≤", "60", "MISSED"],
        ]

    def test_the_report_puts_the_peer_beside_the_site(self):
        assert "4.0 × faster" in printed("Speed", [Line("ours", 10, "µs", beside=40)])
        assert "2.0 × slower" in printed("Speed", [Line("ours", 10, "µs", beside=5)])


@pytest.mark.sqlite
@pytest.mark.django_db
class TestAClub:
    @pytest.fixture(autouse=True)
    def small(self, monkeypatch):
        monkeypatch.setattr(crowd, "RECORDED", 60)
        monkeypatch.setattr(saving, "HANDS", 3)
        monkeypatch.setattr(saving, "AT_A_TABLE", 3)
        monkeypatch.setattr(correcting, "EVENING", 12)
        monkeypatch.setattr(correcting, "TABLES", 3)
        monkeypatch.setattr(pages, "TIMES", 2)
        crowd.gather(180)

    def test_the_payments_of_a_club_of_the_bench_add_up(self):
        assert Hand.objects.count() == 180
        assert Payment.objects.aggregate(total=Sum("amount"))["total"] == 0
        for tally in Tally.objects.filter(hands__gt=0):
            paid = Payment.objects.filter(player=tally.player)
            assert tally.points == paid.aggregate(total=Sum("amount"))["total"]
            assert tally.hands == paid.count()
        assert Game.objects.open().count() == 3

    @pytest.mark.thorough
    def test_a_club_of_the_bench_is_measured(self):
        report = saving.run()
        assert "record_hand, committed" in report
        assert report.count(" queries") == 2
        report = correcting.run()
        assert report.count(" new versions") == 3
        report = pages.run()
        assert report.count("(≤ 6: met)") == 3
        assert "a player" in report
        assert " 0 differences" in verifying.run()
