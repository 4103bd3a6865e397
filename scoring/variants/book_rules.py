"""A rule book as a table plays it: the general engine, or the library that the book names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard, number_problem
from scoring.evaluator.books.circumstances import not_asked
from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.counting import HIGHEST, highest, roof_of, share_of
from scoring.evaluator.books.declared import declared_sets, set_as_json
from scoring.evaluator.books.expressions import Slot
from scoring.evaluator.books.forms import tile_choices
from scoring.evaluator.books.hands import (
    ALWAYS_KNOWN,
    BONUS_TILES,
    FULL,
    PlayerHand,
    check_hand,
    check_known,
    indicated,
    one_tile,
)
from scoring.evaluator.books.possible import impossible, impossible_in_seat, wins_by_bonus
from scoring.evaluator.books.settings import counting_that_is_read, settings_read
from scoring.evaluator.books.settlement import (
    HandResult,
    between_losers,
    settle,
    shares_of,
    sticks_after,
)
from scoring.evaluator.books.vocabulary import FLAGS, STAKED, WON_BY
from scoring.evaluator.counts import tiles_of
from scoring.evaluator.notation import parse_wind
from scoring.evaluator.payments import Amounts
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import (
    NOT_ASKED,
    NOT_BOTH,
    Claims,
    HandRow,
    JsonObject,
    LoserEntry,
    LoserWorth,
    Paid,
    Read,
    TableRules,
    Worth,
    codes,
    outside,
)
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import TILES, Tile, Wind
from scoring.evaluator.win import PLAIN_WAYS, Win

from . import Scorer, installed_scorer, why_not_installed

# What the winning tile decides: itself, and whether the set that it completes lies open.
OF_WINNING_TILE = re.compile(
    r"\b(last|open|concealed|hidden|only_place|sequence_wait|gates_called)\b"
)
OF_CLAIMED_KONG = re.compile(r"\b(claimed_kong|hidden)\b")


def why_not_playable(book: Book) -> Text | None:
    """Why no league can play by ``book``; None if leagues can."""
    return why_not_installed(book)


class BookTableRules(TableRules):
    """A rule book in the version of a rule set."""

    def __init__(self, book: Book, version: int = 1) -> None:
        self.book = book
        self.slug, self.name, self.version = book.slug, book.name, version
        self.dealer_stays_on_win = book.deal.stays_on_win
        self.dealer_stays_on_draw = book.deal.stays_on_draw
        self.bonus, self.losers_score = book.bonus, book.losers_score
        self.winning_bonus = book.winning_bonus
        read = settings_read(book)
        self._pays_for_all = "liability" in read["settlement"]
        self.liability = book.settlement.liability and self._pays_for_all
        self.reads_card = book.counting.kind == "card"
        self.reads_dora = "dora_indicators" in book.circumstances
        self.shares = book.settlement.kind == "costs"
        self.keeps_table = self.shares or book.deal.only_calling
        self.stick = book.settlement.stick
        self.left_to_first = self.stick > 0 and book.settlement.left_to_first
        self.knows_abortive = book.deal.abortive and "abortive" in read["deal"]
        self.rounds = book.deal.rounds
        self.knows_pairs = any(form.kind == "pairs" for form in book.forms)

    @property
    def claims(self) -> Claims:
        counting = counting_that_is_read(self.book)
        roof = roof_of(counting)
        most = max(roof, *self._alone, *self.limits.values()) if roof else HIGHEST
        if counting.table:
            return Claims(1, most, listed=counting.table[counting.minimum : counting.maximum + 1])
        least = max(counting.minimum if counting.kind in ("faan", "sum") else 0, counting.least, 1)
        return Claims(least, most, counting.rounding)

    @property
    def _alone(self) -> Sequence[int]:
        """What patterns are worth that go beyond the highest sum, because they count alone; at least 0."""
        sums = self.book.counting.kind == "sum" and self.book.counting.maximum
        alone = [one.value for one in self.book.patterns if one.alone and not one.value.slots]
        return [0, *(value(()) for value in alone if sums)]

    @cached_property
    def limits(self) -> Mapping[str, int]:
        counting = self.book.counting
        shares = {
            pattern.id: pattern.value(()) if not pattern.value.slots else 100
            for pattern in self.book.patterns
            if pattern.unit == "limit" and pattern.who != "losers"
        }
        if not highest(counting):
            return {}
        return {name: share_of(counting, share) for name, share in shares.items()}

    @cached_property
    def limit_names(self) -> Mapping[str, str]:
        return {name: self.book.by_id[name].name for name in self.limits}

    @cached_property
    def limit_tiles(self) -> Mapping[str, Sequence[Sequence[Tile]]]:  # type: ignore[override]
        found = {}
        specs = {Slot("form", form.id): form.tiles for form in self.book.forms if form.tiles}
        for name in self.limits:
            asked = self.book.by_id[name].times.slots
            spec = specs.get(asked[0]) if len(asked) == 1 else None
            choices = tile_choices(spec) if spec else []
            if choices and _each_has_its_own(choices):
                found[name] = choices
        return found

    @cached_property
    def reads_winning_tile(self) -> bool:  # type: ignore[override]
        if self.reads_card:
            return False
        slots = compiled(self.book).layout.slots
        return bool(self.book.engine) or any(
            slot.kind == "last" or OF_WINNING_TILE.search(slot.name) for slot in slots
        )

    @property
    def needs_winning_tile(self) -> bool:  # type: ignore[override]
        return bool(self.book.engine)

    @cached_property
    def reads_claimed_kongs(self) -> bool:  # type: ignore[override]
        slots = compiled(self.book).layout.slots
        return any(OF_CLAIMED_KONG.search(slot.name) for slot in slots)

    @property
    def won_by(self) -> Sequence[str]:
        known = self.book.circumstances - ALWAYS_KNOWN
        return [name for name in WON_BY if name in known and self._reads(f"won_by_{name}")]

    @property
    def flags(self) -> Sequence[str]:
        return [name for name in FLAGS if name in self.book.circumstances and self._reads(name)]

    def _reads(self, fact: str) -> bool:
        """Whether some pattern or form can use this fact of a hand; a library may use any."""
        return bool(self.book.engine) or Slot("hand", fact) in compiled(self.book).layout.places

    @property
    def needs_discarder(self) -> bool:
        settlement = self.book.settlement
        return settlement.kind != "shares" or settlement.discarder != "equal"

    def check_circumstances(self, win: Win) -> None:
        hand = PlayerHand(
            0,
            won_by=win.way,
            bonus=win.names("bonus"),
            flags=self._flags(win),
            dora_indicators=indicated(win.dora_indicators),
        )
        check_hand(hand)
        check_known(self.book, hand)
        if win.value and not self.reads_card:
            raise HandError([not_asked(self.name, "value", str(win.value))])

    def check_possible(self, row: HandRow, seat: object, prevailing: object) -> str:
        hand = self._hand(row, seat, prevailing)
        if row.claimed_limit:
            hand = self._as_claimed(hand, row.claimed_limit)
        shown = row.tiles or (row.checked and wins_by_bonus(self.book, hand))
        problems = impossible(self.book, hand) if shown else impossible_in_seat(hand)
        wrong = [*problems, *self._wrong_liability(row, seat, prevailing)]
        if row.checked and row.tiles and not wrong and self._is_worth_too_much(hand):
            wrong = [Problem("winning_tile", "required", Text("Tap the winning tile."))]
        if wrong:
            raise HandError(wrong)
        return hand.won_by

    def _is_worth_too_much(self, hand: PlayerHand) -> bool:
        """Whether a claimed tile that nobody names leaves ``hand`` more than any tile that it can be.

        The set that it completed lies open, and unnamed it opens none.
        """
        if hand.last >= 0 or not hand.opens or not self.reads_winning_tile:
            return False
        unnamed = self._final(hand)
        indexes = dict.fromkeys(tile.index for tile in tiles_of(hand.counts))
        named = (replace(hand, last=index) for index in indexes)
        return not any(
            self._final(one) >= unnamed for one in named if not any(impossible(self.book, one))
        )

    def _final(self, hand: PlayerHand) -> int:
        """What ``hand`` scores; 0 if it does not win."""
        card = self._card(hand)
        return card.verdict.final if card.winning else 0

    def _wrong_liability(self, row: HandRow, seat: object, prevailing: object) -> Iterator[Problem]:
        if row.liable_id is None or self.may_be_liable(row, seat, prevailing):
            return
        names = (self.book.by_id[name].name for name in self.book.settlement.liable_for)
        message = Text.of(
            "By these rules somebody pays for everybody with some hands only ({hands}): leave out who pays.",
            hands=", ".join(names),
        )
        yield Problem("liable", "not_for_this_hand", message)

    def may_be_liable(self, row: HandRow, seat: object, prevailing: object) -> bool:
        listed = self.book.settlement.liable_for
        if not (self.liability and listed):
            return self.liability
        if row.claimed_limit or not row.checked:
            return not row.claimed_limit or row.claimed_limit in listed
        found = self._card(self._hand(row, seat, prevailing))
        return found.winning and any(line.pattern.id in listed for line in found.verdict.lines)

    def read(self, row: HandRow, seat: object, prevailing: object) -> Read:
        win = Win.from_columns(row)
        if not row.tiles and win.value:
            return Read("", [], win._replace(concealed=False))
        if self.reads_card and not win.value:
            raise HandError([Problem("value", "required", Text("Enter the value of the line."))])
        hand = self._hand(row, seat, prevailing)
        check_hand(hand)
        if problem := number_problem(self.book, hand):
            raise HandError([problem])
        card = self._card(hand)
        if card.why is not None:
            raise HandError([Problem("tiles", "does_not_win", card.why)])
        closed = all(meld.concealed for meld in hand.melds)
        last = TILES[hand.last].code if hand.last >= 0 else ""
        return Read(
            codes(tiles_of(hand.all_counts())),
            [set_as_json(meld) for meld in hand.melds],
            win._replace(
                concealed=closed,
                winning_tile=last,
                dora_indicators=" ".join(TILES[index].code for index in hand.dora_indicators),
            ),
        )

    def worth(self, row: HandRow, seat: object, prevailing: object) -> Worth:
        if row.outcome != "win":
            return Worth()
        if row.claimed_limit:
            return self.claimed(row.claimed_limit)
        if not row.checked:
            return Worth(final=row.final)
        card = self._card(self._hand(row, seat, prevailing))
        if not card.winning:
            return Worth(card=card)
        verdict = card.verdict
        figures = verdict.points, verdict.doubles, verdict.total, verdict.final
        return Worth(*figures, limit=bool(card.limits), card=card)

    def read_loser(
        self, entry: LoserEntry, seat: Wind, prevailing: Wind
    ) -> tuple[str, list[JsonObject]]:
        if not self.losers_score:
            return super().read_loser(entry, seat, prevailing)
        if entry.claimed is not None:
            self._check_claimed(entry, entry.claimed)
            return "", []
        hand = self._loser_hand(entry, seat, prevailing)
        return codes(tiles_of(hand.all_counts())), [set_as_json(meld) for meld in hand.melds]

    def loser_worth(self, entry: LoserEntry, seat: Wind, prevailing: Wind) -> LoserWorth:
        if not self.losers_score:
            return super().loser_worth(entry, seat, prevailing)
        if entry.claimed is not None:
            self._check_claimed(entry, entry.claimed)
            return LoserWorth(entry.claimed, None)
        hand = self._loser_hand(entry, seat, prevailing)
        card = BookCard(self.book, hand, [compiled(self.book).loser(hand)], self.version)
        return LoserWorth(card.verdict.final, card.as_dict())

    def _loser_hand(self, entry: LoserEntry, seat: Wind, prevailing: Wind) -> PlayerHand:
        """:raises HandError: for a hand that cannot be."""
        counts, melds = (
            declared_sets(entry.tiles, entry.melds, whole=False) if entry.tiles else (0, ())
        )
        bonus = tuple(entry.bonus.split())
        hand = PlayerHand(
            counts, melds, seat=seat, prevailing=prevailing, bonus=bonus,
            flags=frozenset(entry.flags.split()),
        )  # fmt: skip
        check_hand(hand)
        check_known(self.book, hand)
        if hand.places > FULL:
            message = Text.of(
                "Who did not win has at most {most} tiles, and one more for each declared kong.",
                most=FULL,
            )
            raise HandError([Problem("tiles", "wrong_number", message)])
        return hand

    def settle(self, paid: Paid) -> Amounts:
        east, south, west, north = settle(self.book.settlement, self.outcome(paid))
        return (east, south, west, north)

    def between_losers(self, paid: Paid) -> Mapping[tuple[int, int], int]:
        return between_losers(self.book.settlement, self.outcome(paid))

    def outcome(self, paid: Paid) -> HandResult:
        """What was played, with what lies on the table."""
        liable = paid.liable if self._pays_for_all else None
        outcome = HandResult(paid.scores, paid.winner, paid.dealer, paid.discarder, liable)
        if not self.keeps_table:
            return outcome
        if self.shares and paid.winner is not None:
            drawn, deals = paid.discarder is None, paid.winner == paid.dealer
            shares = self._shares(paid.scores[paid.winner], drawn=drawn, deals=deals)
            outcome = outcome._replace(shares=shares)
        return outcome._replace(
            counters=paid.counters,
            sticks=paid.sticks,
            staked=paid.calls.staked,
            calling=paid.calls.calling,
        )

    def divides(self, claim: int, *, drawn: bool, deals: bool) -> bool:
        if not (self.shares and drawn):
            return True
        main, additional = self._shares(claim, drawn=drawn, deals=deals)
        if deals:
            return 3 * main == claim
        return 2 * additional - main in (0, self.book.counting.rounding)

    def check_calls(self, calls: Calls, winner: int | None) -> None:
        if not self.keeps_table:
            super().check_calls(calls, winner)
        elif problems := list(self._wrong_calls(calls, winner)):
            raise HandError(problems)

    def follow_calls(self, calls: Calls, winner: int | None, flags: str) -> tuple[Calls, str]:
        if not (self.keeps_table and self.stick):
            return super().follow_calls(calls, winner, flags)
        staked, calling, abortive = calls
        names = flags.split()
        if winner is None:
            # Who declared riichi shows the hand, or the win would have been a false one.
            calling = calling if abortive else _joined(calling, staked)
        elif any(flag in STAKED for flag in names):
            staked = _joined(staked, (winner,))
        elif winner in staked:
            names = sorted((*names, STAKED[0]))
        return Calls(staked, calling, abortive), " ".join(names)

    def after(self, state: TableState, winner: int | None, calls: Calls = SILENT) -> TableState:
        deal = self.book.deal
        stays = deal.stays_on_draw
        if winner is not None:
            stays = winner == state.dealer and deal.stays_on_win
        elif deal.only_calling:
            stays = calls.abortive or state.dealer in calls.calling
        if not self.keeps_table:
            return state.dealt_on(stays=stays, rounds=deal.rounds)
        counts = self.book.settlement.counter and winner in (None, state.dealer)
        return state.dealt_on(
            stays=stays,
            rounds=deal.rounds,
            counters=state.counters + 1 if counts else 0,
            sticks=sticks_after(winner, state.sticks, calls.staked),
        )

    def _shares(self, score: int, *, drawn: bool, deals: bool) -> tuple[int, int]:
        return shares_of(score, drawn=drawn, deals=deals, step=self.book.counting.rounding)

    def _wrong_calls(self, calls: Calls, winner: int | None) -> Iterator[Problem]:
        if calls.staked and not self.stick:
            yield Problem("staked", "not_in_book", NOT_ASKED)
        if calls.calling and winner is not None:
            message = Text("Somebody won: only after a draw it matters who else was calling.")
            yield Problem("calling", "not_in_a_win", message)
        if not calls.abortive:
            return
        if not self.knows_abortive:
            yield Problem("abortive", "not_in_book", NOT_ASKED)
        if winner is not None:
            message = Text("A hand that somebody won was not broken off: leave it out.")
            yield Problem("abortive", "not_in_a_win", message)
        if calls.calling:
            message = Text("Nobody shows a hand that was broken off: leave out who was calling.")
            yield Problem("calling", "broken_off", message)

    def _check_claimed(self, entry: LoserEntry, claimed: int) -> None:
        """:raises HandError: for tiles beside the ``claimed`` points, and for points there are not."""
        if entry.tiles or entry.melds:
            raise HandError([Problem("claimed", "not_alone", NOT_BOTH)])
        claims = self.claims._replace(least=0)
        if not claims.least <= claimed <= claims.most:
            raise HandError([Problem("claimed", "not_a_score", outside(claims))])

    def _hand(self, row: HandRow, seat: object, prevailing: object) -> PlayerHand:
        """The winner's hand, with what the book knows of how it was won."""
        win, known = Win.from_columns(row), self.book.circumstances | ALWAYS_KNOWN
        counts, melds = declared_sets(row.tiles, row.melds)
        plain = PLAIN_WAYS[win.self_drawn]
        bonus = dict.fromkeys(code for code in win.names("bonus") if code in BONUS_TILES)
        return PlayerHand(
            counts,
            melds,
            one_tile(win.winning_tile),
            win.way if win.way in known else plain,
            parse_wind(seat, "seat"),
            parse_wind(prevailing, "prevailing"),
            tuple(bonus) if self.bonus else (),
            self._flags(win) & self.book.circumstances,
            win.value if self.reads_card else 0,
            indicated(win.dora_indicators) if self.reads_dora else (),
        )

    def _as_claimed(self, hand: PlayerHand, limit: str) -> PlayerHand:
        """``hand`` won as the limit hand says that is nothing but a way of winning, or a flag."""
        pattern = self.book.by_id.get(limit)
        for _kind, name in pattern.times.slots if pattern and len(pattern.times.slots) == 1 else ():
            if name in FLAGS:
                hand = replace(hand, flags=hand.flags | {name})
            elif (way := name.removeprefix("won_by_")) in WON_BY:
                hand = replace(hand, won_by=way)
        return hand

    def _card(self, hand: PlayerHand) -> BookCard:
        """:raises HandError: if the library of the book is not installed."""
        return BookCard(self.book, hand, self._scorer.judged(hand), self.version)

    @cached_property
    def _scorer(self) -> Scorer:
        return installed_scorer(self.book)

    @staticmethod
    def _flags(win: Win) -> frozenset[str]:
        return frozenset(win.names("flags"))


def _each_has_its_own(choices: Sequence[Sequence[Tile]]) -> bool:
    """Whether each of the ``choices`` has a tile that is in no other, which names it."""
    return all(
        set(one).difference(*(other for other in choices if other is not one)) for one in choices
    )


def _joined(people: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*people, *others)))
