"""A hand: its tiles, its declared sets, and where and how it was won."""

from copy import copy

from .cards import DoubleLine, PointLine, Scorecard, Scored
from .counts import ONE, copies, counts_of, has_five, tiles_of
from .deficiency import deficiency
from .notation import check, format_hand, parse_hand, parse_wind
from .problems import refuse
from .readings import Reading, readings, winds_key
from .rules import BY_ID, CLUB, CONSISTENCY_RULES, RuleSet, judge_of
from .sets import Set
from .tiles import Tile, Wind
from .traits import CONCEALED, SELF_DRAWN


class Hand:
    """14 to 18 tiles, with the winds they count under.

    Scores are whole points, by the rule set given; it is the club's own unless another is named.

    >>> hand = Hand.from_notation("222B 345B 55B 222D GGG")
    >>> hand.mahjongg(), hand.points(), hand.doubles(), hand.final_score()
    (True, 36, 1, 70)
    """

    __slots__ = (
        "_readings",
        "concealed",
        "counts",
        "melds",
        "prevailing_wind",
        "seat_wind",
        "self_drawn",
    )

    def __init__(
        self,
        tiles: tuple[Tile, ...],
        *,
        seat_wind: Wind,
        prevailing_wind: Wind,
        melds: tuple[Set, ...] = (),
        concealed: bool | None = None,
        self_drawn: bool = False,
    ) -> None:
        """``concealed`` is worked out from the melds if it is None.

        :raises HandError: for a fifth copy, a wrong number of tiles, melds that are not among them,
            and an open set in a hand that is said to be concealed.
        """
        counts = counts_of(tiles)
        check(len(tiles), counts, melds)
        self._hold(counts, melds, seat_wind, prevailing_wind, concealed, self_drawn)

    def _hold(
        self,
        counts: int,
        melds: tuple[Set, ...],
        seat_wind: Wind,
        prevailing_wind: Wind,
        concealed: bool | None,
        self_drawn: bool,
    ) -> None:
        self.counts, self.melds = counts, melds
        self.seat_wind, self.prevailing_wind = seat_wind, prevailing_wind
        closed = not melds or all(meld.concealed for meld in melds)
        if concealed and not closed:
            raise refuse(
                "concealed", "open_set", "A hand with an open set is not concealed: choose one."
            )
        self.concealed = closed if concealed is None else concealed
        self.self_drawn = self_drawn
        self._readings: list[Reading] | None = None

    @classmethod
    def from_notation(
        cls,
        text: object,
        seat: object = "S",
        prevailing: object = "E",
        melds: object = None,
        concealed: bool | None = None,
        self_drawn: bool = False,
    ) -> "Hand":
        """A hand as it is typed; :mod:`scoring.evaluator.notation` says how.

        :raises HandError: with all that is wrong with tiles, melds or winds.
        """
        parsed = parse_hand(text, melds)
        hand = cls.__new__(cls)
        hand._hold(
            parsed.counts,
            parsed.melds,
            parse_wind(seat, "seat"),
            parse_wind(prevailing, "prevailing"),
            concealed,
            self_drawn,
        )
        return hand

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles, sorted."""
        return tuple(tiles_of(self.counts))

    def exchange(self, given: Tile, taken: Tile) -> "Hand":
        """The hand with one tile for another; melds and the way it was won stay.

        :raises HandError: if there is a fifth copy then.
        :raises ValueError: if it has no ``given`` but in its melds.
        """
        counts = self.counts - ONE[given.index] + ONE[taken.index]
        laid = sum([meld.counts for meld in self.melds])
        if not copies(self.counts - laid, given):
            raise ValueError(f"{self!r} has no {given!r} to give away.")
        if has_five(counts):
            check(len(self.tiles), counts)
        other = copy(self)
        other.counts = counts
        other._readings = None
        return other

    def __str__(self) -> str:
        if not self.melds and self.readings:
            return format_hand(self.tiles, self.readings[0].sets, declared=False)
        return format_hand(self.tiles, self.melds)

    def __repr__(self) -> str:
        said = [repr(str(self)), repr(self.seat_wind.value), repr(self.prevailing_wind.value)]
        said += [f"concealed={self.concealed}"] if self._surprising else []
        said += ["self_drawn=True"] if self.self_drawn else []
        return f"Hand.from_notation({', '.join(said)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)

    @property
    def _said(self) -> tuple[object, ...]:
        winds = self.seat_wind, self.prevailing_wind
        return self.counts, frozenset(self.melds), *winds, self.concealed, self.self_drawn

    @property
    def _surprising(self) -> bool:
        return self.concealed != all(meld.concealed for meld in self.melds)

    # --- how it can be read -----------------------------------------------------------------------

    @property
    def readings(self) -> list[Reading]:
        """Every way to see five sets, in the book's order; for thirteen orphans one without sets."""
        if self._readings is None:
            how_won = (CONCEALED if self.concealed else 0) + (SELF_DRAWN if self.self_drawn else 0)
            winds = winds_key(self.prevailing_wind, self.seat_wind)
            self._readings = readings(self.counts, self.melds, winds, how_won)
        return self._readings

    def ranked(self, rules: RuleSet = CLUB) -> list[Scored]:
        """Every reading with its verdict, the one that counts first; empty if the hand does not win."""
        judged = judge_of(rules)
        found = [Scored(judged(reading.traits), reading) for reading in self.readings]
        if len(found) > 1 and rules.interpretation == "best":
            found.sort(key=_worth, reverse=True)
        return found

    def chosen(self, rules: RuleSet = CLUB) -> Scored:
        """The reading that counts. :raises ValueError: if the hand does not win."""
        ranked = self.ranked(rules)
        if not ranked:
            raise ValueError(f"{self!r} does not win.")
        return ranked[0]

    # --- the book's vocabulary --------------------------------------------------------------------

    def mahjongg(self) -> bool:
        """Whether the hand wins."""
        return bool(self.readings)

    def points(self, rules: RuleSet = CLUB) -> int:
        """20 for winning, and the points of the sets."""
        return self.chosen(rules).verdict.points

    def point_report(self, rules: RuleSet = CLUB) -> tuple[PointLine, ...]:
        """The lines that add up to :meth:`points`."""
        return self.score_card(rules).point_report

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

    def double_report(self, rules: RuleSet = CLUB) -> tuple[DoubleLine, ...]:
        """The lines that add up to :meth:`doubles`."""
        return self.score_card(rules).double_report

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
        found = self.readings
        if not found:
            raise ValueError(f"{self!r} does not win.")
        judged = judge_of(rules)
        if len(found) == 1 or rules.interpretation == "first":
            return judged(found[0].traits).final
        return max([judged(reading.traits).final for reading in found])

    def deficiency(self) -> int:
        """The fewest exchanges of a tile that would make it win; 0 if it does."""
        return deficiency(self.counts, len(self.tiles), self.melds)

    def score_card(self, rules: RuleSet = CLUB) -> Scorecard:
        """Everything that is shown of the hand, whether it wins or not."""
        winds = winds_key(self.prevailing_wind, self.seat_wind)
        return Scorecard(self.ranked(rules), rules, self.counts, self.melds, winds)

    def _doubles_of(self, rule_id: str, rules: RuleSet) -> int:
        lines = self.chosen(rules).verdict.double_lines
        return sum(doubles for rule, doubles in lines if rule is BY_ID[rule_id])

    def _is_limit(self, rule_id: str, rules: RuleSet) -> bool:
        return self.mahjongg() and rule_id in self.chosen(rules).verdict.limits


def _worth(scored: Scored) -> tuple[int, int, int]:
    return scored.verdict.final, scored.verdict.total, scored.verdict.points
