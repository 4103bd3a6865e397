"""Why a hand does not win, and every exchange that would correct it."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from scoring.evaluator.advice import nearest_missed_double, offers, waits
from scoring.evaluator.counts import counts_of
from scoring.evaluator.deficiency import deficiency
from scoring.evaluator.exchanges import winning_exchanges
from scoring.evaluator.fit import best_fit
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_hand, parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import BOOK
from scoring.evaluator.sets import full_set, sets_from
from scoring.evaluator.tiles import TILES, tile
from tests.evaluator import reference

NEARLY = "222B 345B 55B 222D GG9C"


def hand(text=NEARLY, seat="S", prevailing="E") -> Hand:
    return Hand.from_notation(text, seat, prevailing)


class TestTheSentence:
    def test_the_sentence_why_a_hand_does_not_win_names_what_fits_and_what_would_help(self):
        assert hand().score_card().why == (
            "This hand does not win. These sets fit: 222B 345B 55B 222D. Left over: 9C GG. "
            "One exchange would make it win: 9C → 2B, 9C → 5B, 9C → G."
        )

    def test_the_sentence_why_a_hand_does_not_win_names_only_some_of_many_exchanges(self):
        why = hand("1112345678999B 1C").score_card().why
        assert why.endswith(" 1C → 3B, or one of 6 more.")

    def test_the_sentence_why_a_hand_does_not_win_names_the_seventh_exchange_only_if_it_is_the_last(
        self,
    ):
        seven = hand("11334567B NNN RRR").score_card().why
        assert seven.endswith(
            " One exchange would make it win: 3B → 2B, 3B → 5B, 3B → 8B, 4B → 1B, 4B → 3B, "
            "7B → 1B, 7B → 3B."
        )
        eight = hand("13456789B NNN RRR").score_card().why
        assert eight.endswith(
            " One exchange would make it win: 1B → 3B, 1B → 6B, 1B → 9B, 3B → 1B, 6B → 1B, "
            "9B → 1B, or one of 2 more."
        )

    def test_the_sentence_why_a_hand_does_not_win_says_nothing_of_exchanges_when_one_is_not_enough(
        self,
    ):
        why = hand("147B 147C 147D ESWNR").score_card().why
        assert "exchange" not in why
        assert "Left over:" in why

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("111222333444555B", "15 tiles take a kong."),
            ("111222333444B 555C 6C", "16 tiles take 2 kongs."),
        ],
    )
    def test_the_sentence_why_a_hand_does_not_win_says_that_more_than_14_tiles_take_kongs(
        self, text, words
    ):
        assert words in hand(text).score_card().why

    @pytest.mark.parametrize(
        ("text", "sentences"),
        [
            (
                "222B* 345B* 55B 222D GG 9C",
                "These sets fit: 222B 345B 55B 222D. Left over: 9C GG. One exchange would make it "
                "win: 9C → 5B, 9C → G.",
            ),
            (
                "2222B# 345B 678C 99D GG 5D",
                "These sets fit: 2222B 345B 678C 99D. Left over: 5D GG. One exchange would make it "
                "win: 5D → 9D, 5D → G.",
            ),
            (
                "123B* 456B* 789B* 123C* 19D",
                "These sets fit: 123B 456B 789B 123C. Left over: 19D. One exchange would make it "
                "win: 1D → 9D, 9D → 1D.",
            ),
            (
                "1111B 9999B 345C 678D EW",
                "These sets fit: 1111B 9999B 345C 678D. Left over: E W. One exchange would make it "
                "win: E → W, W → E.",
            ),
            (
                "123456789B 123456C",
                "15 tiles take a kong. These sets fit: 123B 456B 789B 123C. Left over: 456C.",
            ),
            (
                "123456789B 123C 456C 789C",
                "18 tiles take 4 kongs. These sets fit: 123B 456B 789B 123C. Left over: 456789C.",
            ),
            (
                "2222B 345B 678C 123D 456D",
                "16 tiles take 2 kongs. These sets fit: 234B 22B 678C 123D 456D. Left over: 25B.",
            ),
            (
                "1112345D 66678C EE",
                "These sets fit: 678C 66C 111D 234D. Left over: 5D EE. One exchange would make it "
                "win: 2D → 6C, 2D → 9C, 2D → E, 5D → 6C, 5D → 9C, 5D → E.",
            ),
            (
                "1233445555678C S",
                "These sets fit: 123C 345C 555C 678C. Left over: 4C S. One exchange would make it "
                "win: 1C → S, 4C → S, S → 1C, S → 3C, S → 4C, S → 6C, S → 9C.",
            ),
            (
                "1111B 3333B 5555C 7777D",
                "These sets fit: 1111B 3333B 5555C 7777D. One exchange would make it win: "
                "1B → 2B, 3B → 2B.",
            ),
        ],
    )
    def test_the_sentence_why_a_hand_does_not_win_is_complete(self, text, sentences):
        assert hand(text).score_card().why == f"This hand does not win. {sentences}"

    def test_the_sentence_why_a_hand_does_not_win_keeps_its_sentences_apart_for_who_translates_them(
        self,
    ):
        why = hand().score_card().why
        assert why.template == "{a} {b} {c} {d}"
        assert why.params["c"].template == "Left over: {tiles}."
        assert why.params["c"].params == {"tiles": "9C GG"}

    def test_a_winning_hand_has_none(self):
        assert hand("222B 345B 55B 222D GGG").score_card().why is None


class TestBestFit:
    @pytest.mark.parametrize(
        ("text", "fits", "left"),
        [
            (NEARLY, ["2B 2B 2B", "3B 4B 5B", "5B 5B", "2D 2D 2D"], "9C GG"),
            ("1122334455667B 9C", ["1B 2B 3B", "1B 2B 3B", "4B 5B 6B", "4B 5B 6B"], "7B 9C"),
            ("147B 147C 147D ESWNR", [], "147B 147C 147D ESWNR"),
            ("1133557799B EESS", ["1B 1B"], "33557799B EESS"),
            (
                "222B* 333B* 444B* 111C 222C",
                ["2B 2B 2B", "3B 3B 3B", "4B 4B 4B", "1C 1C 1C", "2C 2C"],
                "2C",
            ),
            ("55B 222C 33C 147D ESWN", ["5B 5B", "2C 2C 2C"], "33C 147D ESWN"),
            ("222B* 13B 345D 55D GGG 7C", ["2B 2B 2B", "3D 4D 5D", "5D 5D", "G G G"], "13B 7C"),
            (
                "22D 4D 5555D 6666D 777D GGG",
                ["2D 2D", "5D 5D 5D 5D", "6D 6D 6D 6D", "7D 7D 7D", "G G G"],
                "4D",
            ),
            (
                "222B* 4D 5555D 6666D 777D 22C",
                ["2B 2B 2B", "2C 2C", "5D 5D 5D 5D", "6D 6D 6D 6D", "7D 7D 7D"],
                "4D",
            ),
        ],
    )
    def test_the_best_fit_uses_the_most_tiles(self, text, fits, left):
        one = hand(text)
        sets, over = best_fit(one.counts, one.melds)
        assert [str(tile_set) for tile_set in sets] == fits
        assert over == parse_tiles(left)

    def test_no_other_sets_use_more_tiles(self):
        rng = Random(8)
        for number in range(60):
            kinds = (TILES, TILES[:9], TILES[3:7] + TILES[30:])[number % 3]
            tiles = rng.sample([kind for kind in kinds for _copy in range(4)], 14 + number % 5)
            sets, left = best_fit(counts_of(tiles))
            assert sorted(
                [tile for tile_set in sets for tile in tile_set.tiles] + list(left)
            ) == sorted(tiles)
            assert len(sets) - sum(tile_set.pair() for tile_set in sets) <= 4
            used = sum(len(tile_set.tiles) for tile_set in sets)
            assert (used, len(sets)) == most_used(tuple(sorted(tiles)), room=4, pairs=1)


@cache
def most_used(tiles: tuple, room: int, pairs: int) -> tuple[int, int]:
    """The most tiles that sets of these can use, and then the most sets: by trying them all."""
    if not tiles:
        return 0, 0
    candidates = [most_used(tiles[1:], room, pairs)]
    for head in sets_from(tiles[0]):
        left = list(tiles)
        if (pairs if head.pair() else room) and not Counter(head.tiles) - Counter(left):
            for tile in head.tiles:
                left.remove(tile)
            fewer = (room, pairs - 1) if head.pair() else (room - 1, pairs)
            used, sets = most_used(tuple(left), *fewer)
            candidates.append((used + len(head.tiles), sets + 1))
    return max(candidates)


def brute_force(one: Hand) -> set:
    exchanges = set()
    for given in set(one.tiles):
        for taken in TILES:
            tiles = [tile.code for tile in one.tiles]
            tiles[tiles.index(given.code)] = taken.code
            if taken is given or tiles.count(taken.code) > 4:
                continue
            case = reference.Hand(tuple(tiles), one.seat_wind.value, one.prevailing_wind.value)
            if reference.score(case, reference.House()).winning:
                exchanges.add((given, taken))
    return exchanges


class TestExchanges:
    @pytest.mark.parametrize(
        "text",
        [
            NEARLY,
            "1112345678999B 1C",
            "19B 19C 19D ESWNRG 55B",
            "119B 19C 19D ESWNRGG",
            "19B 19C 19D ESWNRGWh 5B",
            "1111B 222B 333B 44B 5B 9C",
            "2244B 6688B 2244C 66C",
            "222B 345B 55B 222D GGG",
        ],
    )
    def test_exchanges_that_make_a_hand_win_are_all_found(self, text):
        one = hand(text)
        assert {tuple(exchange) for exchange in winning_exchanges(one.counts)} == brute_force(one)

    def test_exchanges_never_touch_a_meld(self):
        one = hand("222B* 345B 55B 222D GG9C")
        assert {given.code for given, _taken in winning_exchanges(one.counts, one.melds)} == {"9C"}

    def test_exchanges_leave_a_meld_as_it_lies(self):
        one = hand("345B* 11233566799B")
        assert list(winning_exchanges(one.counts, one.melds)) == [(tile("6B"), tile("2B"))]
        assert len(list(winning_exchanges(one.counts))) == 6
        assert [(offer.given.code, offer.taken.code) for offer in offers(one)] == [("6B", "2B")]

    def test_exchanges_make_no_orphans_of_a_meld(self):
        one = hand("EEE* 19B 19C 19D SWNRG")
        assert list(winning_exchanges(one.counts, one.melds)) == []
        assert list(winning_exchanges(one.counts)) == [(tile("E"), tile("Wh"))]

    def test_exchanges_come_as_offers_the_best_first(self):
        exchanges = [(str(offer.given), str(offer.taken), offer.final) for offer in offers(hand())]
        assert exchanges == [("9C", "G", 70), ("9C", "2B", 30), ("9C", "5B", 30)]
        for given, taken, final in offers(hand()):
            assert hand().exchange(given, taken).final_score() == final

    def test_an_exchange_needs_the_tile_and_room_for_the_one_that_comes(self):
        with pytest.raises(ValueError, match="to give away"):
            hand().exchange(tile("E"), tile("G"))
        with pytest.raises(ValueError, match="to give away"):
            hand("222B* 345B 55B 222D GG9C").exchange(tile("2B"), tile("G"))
        with pytest.raises(HandError):
            hand("2222B 45B 55B 222D GG99C").exchange(tile("G"), tile("2B"))


class TestDeficiency:
    @pytest.mark.parametrize(
        ("text", "exchanges"),
        [
            ("222B 345B 55B 222D GGG", 0),
            (NEARLY, 1),
            ("111222333444555B", 1),
            ("147B 147C 147D ESWNR", 6),
            ("19B 19C 19D ESWNRG 55B", 2),
            ("19B 19C 19D ESWNRGWh 9D", 0),
            ("1111B 2222C 3333D 4444B RR", 0),
            ("147C 258D 369B ESWNRGWh EE", 11),
        ],
    )
    def test_the_deficiency_of_known_hands(self, text, exchanges):
        assert hand(text).deficiency() == exchanges

    def test_the_deficiency_is_0_or_1_exactly_where_the_search_says_so(self):
        rng = Random(5)
        for size in [14, 14, 15, 16, 17, 18] * 20:
            kinds = rng.choice([TILES, TILES[:9], TILES[:9] + TILES[27:30]])
            tiles = rng.sample([kind for kind in kinds for _copy in range(4)], size)
            one = Hand(tuple(tiles), seat_wind=hand().seat_wind, prevailing_wind=hand().seat_wind)
            deficiency = one.deficiency()
            assert (deficiency == 0) == one.mahjongg()
            if deficiency:
                assert (deficiency == 1) == bool(list(winning_exchanges(one.counts)))

    def test_the_deficiency_of_14_tiles_with_a_kong_laid_down_is_that_of_a_hand_that_waits(self):
        waiting = parse_hand("1111B# 222B 345B 55C GG", lacking=1)
        assert deficiency(waiting.counts, 14, waiting.melds) == 0
        further = parse_hand("1111B# 222B 345B 59C EG", lacking=1)
        assert deficiency(further.counts, 14, further.melds) == 2

    @pytest.mark.parametrize("kongs", range(4))
    def test_the_deficiency_is_never_above_the_tiles_that_can_be_exchanged(self, kongs):
        rng = Random(7)
        melds = tuple(full_set((TILES[27 + i],) * 4, concealed=False) for i in range(kongs))
        laid = [one for meld in melds for one in meld.tiles]
        wall = [kind for kind in TILES[: 34 - kongs] for _copy in range(4)]
        wall = [kind for kind in wall if kind not in laid]
        for size in range(13 - 3 * kongs, 19 - 4 * kongs):
            loose = rng.sample(wall, size)
            counts = counts_of([*laid, *loose])
            assert 0 <= deficiency(counts, len(laid) + size, melds) <= size

    def test_one_exchange_changes_the_deficiency_by_at_most_one(self):
        rng = Random(6)
        for size in [14, 15, 16, 18]:
            tiles = rng.sample([kind for kind in TILES[:18] for _copy in range(4)], size)
            one = Hand(tuple(tiles), seat_wind=hand().seat_wind, prevailing_wind=hand().seat_wind)
            before = one.deficiency()
            after = {
                one.exchange(given, taken).deficiency()
                for given in set(tiles)
                for taken in TILES
                if taken is not given and tiles.count(taken) < 4
            }
            assert after <= {before - 1, before, before + 1}
            assert before == 0 or before - 1 in after

    def test_the_deficiency_is_all_that_lies_loose_where_there_is_no_room_for_its_kongs(self):
        laid = parse_hand("222B* 333B* 444B* 555B* 1C", lacking=1).melds
        counts = counts_of(parse_tiles("222B 333B 444B 555B 123456C"))
        assert deficiency(counts, 18, laid) == 6

    def test_the_deficiency_keeps_what_is_laid_down(self):
        assert hand("345B* 11126789999B").deficiency() == 1
        assert hand("1111B* 234B 567B 789B 1C 1D").deficiency() == 1

    def test_the_deficiency_of_13_tiles_is_0_when_it_waits(self):
        assert deficiency(counts_of(parse_tiles("222B 345B 55B 222D GG")), 13) == 0
        assert deficiency(counts_of(parse_tiles("222B 345B 5B 9C 222D GG")), 13) == 1


class TestWaits:
    def test_waits_are_tiles_with_their_score_and_how_many_are_left(self):
        waiting = waits("222B 345B 55B 222D GG", "South", "East")
        assert [(str(wait.tile), wait.final, wait.left) for wait in waiting] == [
            ("2B", 30, 1),
            ("5B", 30, 1),
            ("G", 70, 2),
        ]

    def test_waits_of_nine_gates_are_all_nine(self):
        waiting = waits("1112345678999D", "S", "E")
        assert [(wait.tile.code, wait.final) for wait in waiting] == [
            (f"{rank}D", 500) for rank in range(1, 10)
        ]

    def test_waits_of_thirteen_orphans_are_thirteen(self):
        assert len(waits("19B 19C 19D ESWNRGWh", "S", "E")) == 13

    def test_waits_for_a_tile_with_four_copies_in_the_hand_have_none_left(self):
        assert [wait.tile.code for wait in waits("2222B 456B 789B 123C", "S", "E")] == []

    def test_score_by_the_rules_and_the_melds(self):
        assert [wait.final for wait in waits("234B 234B 456C 55D 45B", "S", "E", rules=BOOK)]
        waiting = waits("345B 55B 222D GG", "S", "E", melds=["222B"])
        assert [wait.tile.code for wait in waiting] == ["2B", "5B", "G"]

    @pytest.mark.parametrize(
        ("seat", "prevailing", "field"), [("X", "E", "seat"), ("E", "X", "prevailing")]
    )
    def test_waits_under_no_wind_are_refused_at_the_wind(self, seat, prevailing, field):
        with pytest.raises(HandError) as refused:
            waits("222B 345B 55B 222D GG", seat, prevailing)
        assert [problem.field for problem in refused.value.problems] == [field]

    def test_waits_leave_melds_where_they_lie(self):
        gates = waits("1112345678999D", "S", "E")
        laid = waits("2345678999D", "S", "E", melds=["111D"])
        assert {wait.final for wait in gates} == {500}
        assert 450 in {wait.final for wait in laid}

    def test_kongs_make_waiting_hands_longer(self):
        assert [wait.tile.code for wait in waits("RRRR 345B 678B 99C GG", "S", "E")] == ["9C", "G"]

    @pytest.mark.parametrize("text", ["222B 345B 55B 222D GGG 4B 4B 4B 4B", "222B"])
    def test_waits_of_other_than_13_tiles_are_refused(self, text):
        with pytest.raises(HandError) as refused:
            waits(text, "S", "E")
        assert "a waiting hand has 13" in str(refused.value)


class TestTheNearestMissedDouble:
    def test_the_nearest_missed_double_is_one_exchange_away(self):
        missed = nearest_missed_double(hand("222B 345B 55B 222D GGG"))
        assert (missed.rule.id, len(missed.exchanges), missed.final) == ("groups", 1, 160)

    def test_the_nearest_missed_double_may_be_two_exchanges_away(self):
        missed = nearest_missed_double(hand("123B 456C 789D 234B 66C"))
        assert (missed.rule.id, len(missed.exchanges), missed.final) == ("all_simples", 2, 80)
        after = hand("123B 456C 789D 234B 66C")
        for exchange in missed.exchanges:
            after = after.exchange(*exchange)
        assert after.final_score() == 80

    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("345B* 222B 55B 222D GGG", None),
            ("123B* 456C 789D 234B 66C", None),
            ("123B 456C 789D 234B* 66C", "all_simples"),
        ],
    )
    def test_the_nearest_missed_double_leaves_a_meld_as_it_lies(self, text, rule):
        missed = nearest_missed_double(hand(text))
        assert (missed and missed.rule.id) == rule

    def test_the_nearest_missed_double_asks_nothing_of_tiles_that_do_not_win(self):
        with pytest.raises(ValueError, match="do not win"):
            hand("222B 345B 55B 222D GGG").verdict_with(hand().counts)

    def test_the_nearest_missed_double_is_none_that_comes_for_another(self):
        # With 6B for 9B it is one suit with honors, but has no terminal in each set any more.
        assert nearest_missed_double(hand("123B 789B EE RRR GGG", "W", "N")) is None

    @pytest.mark.parametrize("text", ["RRR GGG WhWhWh 234B 55C", "222B 345B 55B 222D 234D", NEARLY])
    def test_the_nearest_missed_double_is_none_at_the_limit_far_away_or_without_a_win(self, text):
        assert nearest_missed_double(hand(text)) is None
