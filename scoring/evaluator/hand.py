"""A hand: its tiles, its declared sets, and where and how it was won."""

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import Any

from .cards import Scorecard, Scored
from .counts import EVERYTHING, ONE, contains, copies, counts_of, has_five, tiles_of
from .deficiency import deficiency
from .notation import (
    ParsedHand,
    check,
    format_hand,
    parse_hand,
    parse_wind,
    require_sets,
    shared_set,
)
from .problems import refuse
from .readings import Reading, only_traits, readings, winds_key
from .reports import DoubleReport, NoDoubleReport, PointReport
from .rules import BY_ID, CLUB, CONSISTENCY_RULES, RuleSet, Verdict, judge_of
from .sets import Set
from .tiles import Tile, Wind, no_tiles, wind
from .traits import FIVE_SETS, FIVE_SETS_MASK, READ, traits_of_win
from .win import USUAL, Win


class Hand:
    """14 to 18 tiles, with the winds they count under.

    Scores are whole points, by the rule set given; it is the club's own unless another is named.
    Nothing of a hand can be changed; :meth:`exchange` makes another one.

    >>> hand = Hand.from_notation("222B 345B 55B 222D GGG")
    >>> hand.mahjongg(), hand.points(), hand.doubles(), hand.final_score()
    (True, 36, 1, 70)
    """

    __slots__ = (
        "_counts",
        "_how_won",
        "_melds",
        "_prevailing_wind",
        "_readings",
        "_seat_wind",
        "_win",
        "_winds",
    )

    def __init__(
        self,
        tiles: Sequence[Tile],
        *,
        seat_wind: Wind | str,
        prevailing_wind: Wind | str,
        melds: tuple[Set, ...] = (),
        win: Win = USUAL,
        **how_won: Any,
    ) -> None:
        """``how_won`` are fields of ``win``. Whether it is concealed may be left to the melds.

        The tiles are tiles, the melds are sets: :meth:`from_notation` reads texts.

        What is done with ``melds`` afterwards changes no hand: it has sets of its own.

        :raises HandError: for a fifth copy, a wrong number of tiles, a meld that is not among them or
            is no whole pung, kong or chow, what is no wind, an open set in a hand that is said to
            be concealed, and anything that is not of its own kind.
        :raises TypeError: for a name that is no field of ``win``.
        """
        try:
            size, counts = len(tiles), counts_of(tiles)
        except (AttributeError, TypeError) as error:
            raise no_tiles() from error
        require_sets(melds)
        check(size, counts, melds)
        seat = wind(seat_wind, "seat_wind")
        prevailing = wind(prevailing_wind, "prevailing_wind")
        self._hold(counts, melds, seat, prevailing, win.but(how_won))

    def _hold(
        self,
        counts: int,
        melds: tuple[Set, ...],
        seat_wind: Wind,
        prevailing_wind: Wind,
        win: Win,
    ) -> None:
        if win is not USUAL:
            win.check()
        if melds:
            own = [meld if meld.shared and not meld.pair() else shared_set(meld) for meld in melds]
            melds = tuple(own)
        self._counts, self._melds = counts, melds
        self._seat_wind, self._prevailing_wind = seat_wind, prevailing_wind
        closed = not melds or all(meld.concealed for meld in melds)
        if win.concealed and not closed:
            raise refuse(
                "concealed", "open_set", "A hand with an open set is not concealed: choose one."
            )
        # With the traits that do not depend on the tiles.
        self._win, self._how_won = _won(win, closed)
        self._winds = winds_key(prevailing_wind, seat_wind)
        self._readings: list[Reading] | None = None

    @classmethod
    def from_notation(
        cls,
        text: object,
        seat: object = "S",
        prevailing: object = "E",
        melds: object = None,
        *in_order: Any,
        win: Win = USUAL,
        **how_won: Any,
    ) -> "Hand":
        """A hand as it is typed; :mod:`scoring.evaluator.notation` says how.

        Without winds it is South's in the East round.

        :param in_order: the first fields of ``win``: ``concealed``, then ``self_drawn``.
        :param how_won: any fields of ``win``, such as ``self_drawn=True``.
        :raises HandError: with all that is wrong with tiles, melds or winds; for a field of another
            kind, such as “yes” for true.
        :raises TypeError: for a name that is no field of ``win``, and for a field given twice.
        """
        how_won = _by_name(in_order, how_won)
        parsed = parse_hand(text, melds)
        return cls.from_parsed(parsed, seat, prevailing, win.but(how_won))

    @classmethod
    def from_parsed(
        cls,
        parsed: ParsedHand,
        seat: object,
        prevailing: object,
        win: Win = USUAL,
    ) -> "Hand":
        """A hand whose tiles and melds have been read already.

        :raises HandError: for what is no wind, and for an open set in a concealed hand.
        """
        hand = cls.__new__(cls)
        hand._hold(
            parsed.counts,
            parsed.melds,
            parse_wind(seat, "seat"),
            parse_wind(prevailing, "prevailing"),
            win,
        )
        return hand

    @property
    def counts(self) -> int:
        """How many of each kind there are, as a number."""
        return self._counts

    @property
    def melds(self) -> tuple[Set, ...]:
        """The declared sets, in the order in which they were given."""
        return self._melds

    @property
    def seat_wind(self) -> Wind:
        """The winner's own wind."""
        return self._seat_wind

    @property
    def prevailing_wind(self) -> Wind:
        """The wind of the round."""
        return self._prevailing_wind

    @property
    def win(self) -> Win:
        """How it was won; it says whether the hand is concealed."""
        return self._win

    @property
    def concealed(self) -> bool:
        """Whether no set was claimed, by what was said or by the melds."""
        return bool(self.win.concealed)

    @property
    def self_drawn(self) -> bool:
        """Whether the winner drew the last tile."""
        return self.win.self_drawn

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles, sorted."""
        return tuple(tiles_of(self.counts))

    def exchange(self, given: Tile, taken: Tile) -> "Hand":
        """The hand with one tile for another; melds and the way it was won stay.

        :raises HandError: if there is a fifth copy then, and for what are no tiles.
        :raises ValueError: if it has no ``given`` but in its melds.
        """
        try:
            counts = self._counts - ONE[given.index] + ONE[taken.index]
        except (AttributeError, TypeError) as error:
            raise no_tiles() from error
        if not copies(self._counts - self._laid, given):
            raise ValueError(f"{self!r} has no {given!r} to give away.")
        if has_five(counts):
            check(len(self.tiles), counts)
        other = copy(self)
        other._counts = counts
        other._readings = None
        return other

    def __str__(self) -> str:
        if not self.melds and self.readings:
            return format_hand(self.tiles, self.readings[0].sets, declared=False)
        return format_hand(self.tiles, self.melds)

    def __repr__(self) -> str:
        arguments = [repr(str(self)), repr(self.seat_wind.value), repr(self.prevailing_wind.value)]
        usual = USUAL._replace(concealed=all(meld.concealed for meld in self.melds))
        how_won = zip(Win._fields, self.win, usual, strict=True)
        arguments += [
            f"{name}={value!r}" for name, value, otherwise in how_won if value != otherwise
        ]
        return f"Hand.from_notation({', '.join(arguments)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        melds = tuple(sorted((meld.counts, meld.concealed) for meld in self._melds))
        return self._counts, melds, self._seat_wind, self._prevailing_wind, self._win

    @property
    def _laid(self) -> int:
        """The tiles of the declared sets."""
        return sum([meld.counts for meld in self._melds])

    # --- how it can be read -----------------------------------------------------------------------

    @property
    def readings(self) -> list[Reading]:
        """Every way to see five sets, in the book's order; for thirteen orphans one without sets."""
        if self._readings is None:
            self._readings = readings(self._counts, self._melds, self._winds, self._how_won)
        return self._readings

    def ranked(self, rules: RuleSet = CLUB) -> list[Scored]:
        """Every reading with its verdict, the one that counts first; empty if the hand does not win."""
        return _ranked(self.readings, rules)

    def chosen(self, rules: RuleSet = CLUB) -> Scored:
        """The reading that counts. :raises ValueError: if the hand does not win."""
        ranked = self.ranked(rules)
        if not ranked:
            raise ValueError(f"{self!r} does not win.")
        return ranked[0]

    def verdict_with(self, counts: int, rules: RuleSet = CLUB) -> Verdict:
        """The verdict on other tiles that win in the same way; melds stay.

        :raises ValueError: if they do not win.

        >>> hand = Hand.from_notation("222B 345B 66C 222D GGG")
        >>> from scoring.evaluator.tiles import tile
        >>> hand.verdict_with(hand.exchange(tile("3B"), tile("6B")).counts).final
        70
        """
        traits = None if self._melds else only_traits(counts, self._winds)
        if traits is not None and traits & FIVE_SETS_MASK == FIVE_SETS:
            return judge_of(rules)(traits + self._how_won)
        ranked = []
        if 0 <= counts <= EVERYTHING and contains(counts, self._laid):
            ways = readings(counts, self._melds, self._winds, self._how_won)
            ranked = _ranked(ways, rules)
        if not ranked:
            raise ValueError("These tiles do not win.")
        return ranked[0].verdict

    # --- the book's vocabulary --------------------------------------------------------------------

    def mahjongg(self) -> bool:
        """Whether the hand wins."""
        return bool(self.readings)

    def points(self, rules: RuleSet = CLUB) -> int:
        """20 for winning, and the points of the sets."""
        return self.chosen(rules).verdict.points

    def point_report(self, rules: RuleSet = CLUB) -> PointReport:
        """The lines that add up to :meth:`points`; none if the hand does not win."""
        return PointReport(self.score_card(rules).point_report)

    def lucky_sets(self, rules: RuleSet = CLUB) -> int:
        """Doubles of pungs and kongs of dragons, own and prevailing wind."""
        return self._doubles_of("lucky_sets", rules)

    def groups(self, rules: RuleSet = CLUB) -> int:
        """One double if no set is a chow."""
        return self._doubles_of("groups", rules)

    def sequences(self, rules: RuleSet = CLUB) -> int:
        """One double for chows 123, 456, 789 of one suit, or a variant that the rules allow."""
        return self._doubles_of("sequences", rules)

    def no_points(self, rules: RuleSet = CLUB) -> int:
        """One double if every set is worth nothing."""
        return self._doubles_of("no_points", rules)

    def consistency(self, rules: RuleSet = CLUB) -> int:
        """The doubles of at most one of the six consistency tests."""
        return sum(self._doubles_of(rule.id, rules) for rule in CONSISTENCY_RULES)

    def doubles(self, rules: RuleSet = CLUB) -> int:
        """All doubles."""
        return self.chosen(rules).verdict.doubles

    def double_report(self, rules: RuleSet = CLUB) -> DoubleReport:
        """The lines that add up to :meth:`doubles`; none if the hand does not win."""
        kind = DoubleReport if self.mahjongg() else NoDoubleReport
        return kind(self.score_card(rules).double_report)

    def big_three_dragons(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("big_three_dragons", rules)

    def little_four_winds(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("little_four_winds", rules)

    def big_four_winds(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("big_four_winds", rules)

    def all_honors(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("all_honors", rules)

    def all_terminals(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("all_terminals", rules)

    def thirteen_orphans(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("thirteen_orphans", rules)

    def nine_gates(self, rules: RuleSet = CLUB) -> bool:
        return self._is_limit("nine_gates", rules)

    def final_score(self, rules: RuleSet = CLUB) -> int:
        """The score after doubling, rounding and the limit.

        :raises ValueError: if the hand does not win: it has no score.
        """
        judged = judge_of(rules)
        if not self._melds and self._readings is None:
            traits = only_traits(self._counts, self._winds)
            if traits is not None and traits & FIVE_SETS_MASK == FIVE_SETS:
                return judged(traits + self._how_won).final
        ways = self.readings
        if not ways:
            raise ValueError(f"{self!r} does not win.")
        if len(ways) == 1 or rules.interpretation == "first":
            return judged(ways[0].traits).final
        return max([judged(reading.traits).final for reading in ways])

    def deficiency(self) -> int:
        """The fewest exchanges of a tile that would make it win; 0 if it does."""
        return deficiency(self._counts, len(self.tiles), self._melds)

    def score_card(self, rules: RuleSet = CLUB) -> Scorecard:
        """Everything that is shown of the hand, whether it wins or not."""
        return Scorecard(self.ranked(rules), rules, self._counts, self._melds, self._winds)

    def _doubles_of(self, rule_id: str, rules: RuleSet) -> int:
        lines = self.chosen(rules).verdict.double_lines
        return sum(doubles for rule, doubles in lines if rule is BY_ID[rule_id])

    def _is_limit(self, rule_id: str, rules: RuleSet) -> bool:
        return self.mahjongg() and rule_id in self.chosen(rules).verdict.limits


def _by_name(in_order: tuple[Any, ...], how_won: dict[str, Any]) -> dict[str, Any]:
    """The fields of a :class:`Win` that :meth:`Hand.from_notation` got by position and by name."""
    named = dict(zip(READ, in_order, strict=False))
    wrong = sorted(how_won.keys() - set(Win._fields) | how_won.keys() & named.keys())
    wrong += map(repr, in_order[len(READ) :])
    if wrong:
        fields = ", ".join(Win._fields)
        raise TypeError(
            f"Hand.from_notation() takes each of {fields} once: not {', '.join(wrong)}."
        )
    return named | how_won


def _ranked(ways: list[Reading], rules: RuleSet) -> list[Scored]:
    judged = judge_of(rules)
    scored = [Scored(judged(reading.traits), reading) for reading in ways]
    if len(scored) > 1 and rules.interpretation == "best":
        scored.sort(key=_worth, reverse=True)
    return scored


def _worth(scored: Scored) -> tuple[int, int, int]:
    return scored.verdict.final, scored.verdict.total, scored.verdict.points


@lru_cache(maxsize=64)
def _won(win: Win, closed: bool) -> tuple[Win, int]:
    """``win`` of a hand whose declared sets are all ``closed``, or not, and its packed traits."""
    win = win.with_melds(concealed=closed)
    return win, traits_of_win(win)
