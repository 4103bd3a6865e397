"""Work out the figure of a player in a table with standing rules, and its written sum.

The steps are those of ``docs/standing-rules.md``, in their order: the result of each game; of these the
best; the worst left out; then attendance and handicap; then, for an average, the division.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.figures import MINUS, exact, mixed, rounded, whole
from scoring.models.standing_settings import Best, Drop, TableSettings

NOTHING = Fraction(0)
# A result is added up in whole parts of a point, which is faster than in fractions: tenths, shared by
# up to ten players, of whom some were replaced.
PARTS = 10 * math.lcm(*range(1, 11))


class GameFigures(NamedTuple):
    """What one player has in one game: whole points with what was booked in it, and hands that count.

    ``place`` is the best of the places that the player has, 1 to 4, and ``sharing`` how many players
    have it: one, or all who are level. Without a hand there is only a booking, which counts as one
    outside of games.
    """

    game: int
    evening: date
    finished: bool
    points: int
    hands: int
    wins: int = 0
    discards: int = 0
    best_hand: int = 0
    place: int = 1
    sharing: int = 1

    @property
    def week(self) -> tuple[int, int]:
        """The year and week (ISO 8601, from Monday on) of its evening."""
        year, week, _day = self.evening.isocalendar()
        return year, week


class PlayerSums(NamedTuple):
    """What a player has in all: whole points, and the hands and games that count.

    A tally has the same columns (``Gain.add`` in ``scoring/services/tallies.py`` says what each counts: that is
    the model). By games the sums are :meth:`of` them; ``_sums`` in ``standings.py`` has the database add up.
    """

    points: int = 0
    hands: int = 0
    games: int = 0
    wins: int = 0
    best_hand: int = 0
    discards: int = 0

    @classmethod
    def of(cls, results: Sequence[GameFigures]) -> "PlayerSums":
        """The sums of games, with what was booked in them. A game counts if a hand of it does."""
        return cls(
            points=sum(game.points for game in results),
            hands=sum(game.hands for game in results),
            games=sum(1 for game in results if game.hands),
            wins=sum(game.wins for game in results),
            best_hand=max((game.best_hand for game in results), default=0),
            discards=sum(game.discards for game in results),
        )


class Figures(NamedTuple):
    """What decides the rank of a player in a league: whole points, and the hands and games that count.

    Its sums are those of :class:`PlayerSums`, in the same order. ``player`` is the player's id; ``name`` orders players who share a rank. ``results`` are there for
    rules that ask for each game, in the order in which the games were played.
    """

    player: int
    name: str
    points: int
    hands: int
    games: int
    wins: int = 0
    best_hand: int = 0
    discards: int = 0
    results: tuple[GameFigures, ...] = ()

    @property
    def last_played(self) -> date | None:
        """The evening of the last game with a hand that counts; None without one."""
        return max((game.evening for game in self.results if game.hands), default=None)


class Term(NamedTuple):
    """A part of a sum: ``times`` times ``each``, and what it is for."""

    kind: str
    each: Fraction
    times: Fraction = Fraction(1)

    @property
    def amount(self) -> Fraction:
        return self.each * self.times


@dataclass(frozen=True, slots=True)
class Standing:
    """The figure that ranks a player, and how it came about.

    :ivar value: what is ranked; exact.
    :ivar terms: what adds up to it, before the division by ``divisor``.
    :ivar of: what the divisor counts: ``hands`` or ``games``; empty where nothing is divided.
    :ivar towards_minimum: how many games, hands or evenings count towards the minimum.
    :ivar needed: the minimum; 0 where there is none.
    :ivar counted: what both count: ``games``, ``hands`` or ``evenings``.
    :ivar left_out: the ids of games that do not count, because others are better.
    """

    value: Fraction
    terms: tuple[Term, ...]
    towards_minimum: int
    needed: int = 0
    divisor: int = 1
    of: str = ""
    left_out: frozenset[int] = field(default_factory=frozenset)
    counted: str = "games"

    @property
    def provisional(self) -> bool:
        """Whether there is "4 of 6" in place of a rank."""
        return self.towards_minimum < self.needed

    @property
    def explanation(self) -> str:
        """The written sum: ``1,240 + 3 × 10 attendance − 80 worst evening = 1,190``."""
        terms = "".join(_written(term, first=not place) for place, term in enumerate(self.terms))
        if not self.of:
            return terms if len(self.terms) == 1 else f"{terms} = {_total_in_words(self.value)}"
        divided = f"({terms})" if len(self.terms) > 1 else terms
        return f"{divided} ÷ {_counted(self.divisor, self.of)} = {exact(self.value)}"


def standing(figures: Figures, rules: TableSettings) -> Standing:
    """What the player of ``figures`` has by ``rules``."""
    results = _counted_results(figures, rules)
    worth = {game.game: in_parts(game, rules) for game in results}
    kept, terms = results, [*_base(figures, results, worth, rules)]
    if rules.best is not None:
        kept = _best(kept, worth, rules.best)
        terms.append(Term("best", _between(results, kept, worth, rules)))
    if rules.drop is not None:
        before, kept = kept, _without_worst(kept, worth, rules.drop)
        terms.append(Term(_drop_kind(rules.drop), _between(before, kept, worth, rules)))
    terms += _added(figures, results, kept, rules)
    # What adds nothing is not written, but for the points themselves.
    shown = [term for place, term in enumerate(terms) if not place or term.amount]
    total = sum((term.amount for term in terms), NOTHING)
    reached, needed = _minimum(figures, results, rules)
    divisor, of = _divisor(figures, kept, rules)
    return Standing(
        value=total / max(divisor, 1),
        terms=tuple(shown),
        towards_minimum=reached,
        needed=needed,
        divisor=divisor,
        of=of,
        left_out=frozenset({game.game for game in results} - {game.game for game in kept}),
        counted=rules.needs_of,
    )


def _divisor(
    figures: Figures, kept: Sequence[GameFigures], rules: TableSettings
) -> tuple[int, str]:
    """By what an average divides, and what that is; 1 and nothing for a sum."""
    if rules.counts == "average_hand":
        hands = sum(game.hands for game in kept) if rules.needs_games else figures.hands
        return hands, "hands"
    if rules.counts == "average_game":
        return (len(kept) if rules.needs_games else figures.games), "games"
    return 1, ""


def result(game: GameFigures, rules: TableSettings) -> Fraction:
    """What ``game`` is worth by ``rules``, before anything is left out or added."""
    return Fraction(in_parts(game, rules), PARTS * rules.divide_by)


def in_parts(game: GameFigures, rules: TableSettings) -> int:
    """The same in whole parts, of which ``PARTS * rules.divide_by`` are a point of the table."""
    if rules.places is None:
        return game.points * PARTS
    bonus = _share(rules.places, rules.divide_by, game.place, game.sharing)
    return bonus if rules.counts == "table_points" else game.points * PARTS + bonus


@lru_cache(maxsize=256)
def _share(places: tuple[Fraction, ...], divide_by: int, place: int, sharing: int) -> int:
    """What a place brings, in parts; who are level share what their places bring together."""
    # Where a player was replaced, five may have played: the last ones have the last place.
    taken = [places[min(one, len(places)) - 1] for one in range(place, place + sharing)]
    return int(sum(taken, NOTHING) / sharing * PARTS * divide_by)


def _counted_results(figures: Figures, rules: TableSettings) -> list[GameFigures]:
    """The games of the player that count: with a hand, and over where the place is what counts."""
    return [
        game for game in figures.results if game.hands and (game.finished or not rules.by_place)
    ]


def _base(
    figures: Figures, results: Sequence[GameFigures], worth: Mapping[int, int], rules: TableSettings
) -> Iterable[Term]:
    """All that was played, with what was booked outside of games."""
    if not rules.by_place:
        yield Term("points", Fraction(figures.points))
        return
    points = sum(game.points for game in results)
    if rules.counts == "table_points":
        yield Term("table_points", Fraction(sum(worth.values()), PARTS))
        return
    booked = figures.points - sum(game.points for game in figures.results if game.hands)
    yield Term("divided_points", Fraction(points + booked, rules.divide_by))
    bonus = sum(worth.values()) - points * PARTS
    yield Term("places", Fraction(bonus, PARTS * rules.divide_by))


def _between(
    before: Iterable[GameFigures],
    after: Iterable[GameFigures],
    worth: Mapping[int, int],
    rules: TableSettings,
) -> Fraction:
    """What the sum changes if of the games ``before`` only those ``after`` count."""
    parts = _total(after, worth) - _total(before, worth)
    return Fraction(parts, PARTS * rules.divide_by)


def _total(games: Iterable[GameFigures], worth: Mapping[int, int]) -> int:
    return sum(worth[game.game] for game in games)


Unit = Callable[[GameFigures], Hashable]
UNITS: dict[str, Unit] = {
    "games": lambda game: game.game,
    "evenings": lambda game: game.evening,
    "weeks": lambda game: game.week,
    "evening": lambda game: game.evening,
    "week": lambda game: game.week,
    "season": lambda game: None,
}


def _by(unit: Unit, games: Iterable[GameFigures]) -> list[list[GameFigures]]:
    """``games`` in their order, those of one unit together."""
    units: dict[Hashable, list[GameFigures]] = {}
    for game in games:
        units.setdefault(unit(game), []).append(game)
    return list(units.values())


def _best(games: Sequence[GameFigures], worth: Mapping[int, int], best: Best) -> list[GameFigures]:
    """Those of ``games`` that are among the best of their period; of equal ones the earlier."""
    kept: set[int] = set()
    for period in _by(UNITS[best.per], games):
        units = _by(UNITS[best.of], period)[: best.first]
        units.sort(key=lambda unit: _total(unit, worth), reverse=True)
        kept.update(game.game for unit in units[: best.count] for game in unit)
    return [game for game in games if game.game in kept]


def _without_worst(
    games: Sequence[GameFigures], worth: Mapping[int, int], drop: Drop
) -> list[GameFigures]:
    """``games`` without the worst ones, of equal ones without the later; one always stays."""
    units = _by(UNITS[drop.of], games)
    units.sort(key=lambda unit: _total(unit, worth), reverse=True)
    stay = units[: max(len(units) - drop.count, 1)]
    kept = {game.game for unit in stay for game in unit}
    return [game for game in games if game.game in kept]


def _added(
    figures: Figures,
    results: Sequence[GameFigures],
    kept: Sequence[GameFigures],
    rules: TableSettings,
) -> Iterable[Term]:
    """Attendance for all that was played, and the handicap for what counts."""
    attendance, handicap = rules.attendance, rules.handicap
    if attendance is not None:
        whole_at = attendance.games
        count = Fraction(len(results))
        if attendance.per == "evening":
            evenings = _by(UNITS["evenings"], results)
            parts = (Fraction(min(len(games), whole_at), whole_at) for games in evenings)
            count = sum(parts, NOTHING)
        yield Term("attendance", attendance.points, count)
    own = (
        [one.points for one in handicap.players if one.player == figures.player] if handicap else []
    )
    if handicap is not None and own:
        games = len(kept) if rules.needs_games else figures.games
        counts = {
            "game": games,
            "evening": len({game.evening for game in kept}),
            "season": 1,
        }
        yield Term("handicap", own[0], Fraction(counts[handicap.per]))


def _minimum(
    figures: Figures, results: Sequence[GameFigures], rules: TableSettings
) -> tuple[int, int]:
    """How much was played of what is needed, and how much is needed."""
    minimum, of = rules.minimum, rules.needs_of
    if of == "evenings":
        reached = len({game.evening for game in results})
    elif rules.needs_games:
        reached = len(results) if of == "games" else sum(game.hands for game in results)
    else:
        reached = figures.games if of == "games" else figures.hands
    # Nobody has an average of nothing.
    least = 1 if rules.counts.startswith("average") else 0
    return reached, max(minimum.count if minimum else 0, least)


# ----- the sum in words -------------------------------------------------------------------------------


def _drop_kind(drop: Drop) -> str:
    return f"drop_{drop.of}" if drop.count > 1 else f"drop_{drop.of.removesuffix('s')}"


def _label(kind: str, amount: str, left_out: str = "") -> str:
    """``amount`` with what it is for.

    :param left_out: the results below nothing that do not count, where the sum is higher without them.
    """
    without = {
        "best": _("%(amount)s without what is not among the best (%(left_out)s)"),
        "drop_game": _("%(amount)s without the worst game (%(left_out)s)"),
        "drop_games": _("%(amount)s without the worst games (%(left_out)s)"),
        "drop_evening": _("%(amount)s without the worst evening (%(left_out)s)"),
        "drop_evenings": _("%(amount)s without the worst evenings (%(left_out)s)"),
        "drop_week": _("%(amount)s without the worst week (%(left_out)s)"),
        "drop_weeks": _("%(amount)s without the worst weeks (%(left_out)s)"),
    }
    if left_out and kind in without:
        return without[kind] % {"amount": amount, "left_out": left_out}
    templates = {
        "points": "%(amount)s",
        "divided_points": _("%(amount)s points"),
        "places": _("%(amount)s for places"),
        "table_points": _("%(amount)s table points"),
        "best": _("%(amount)s not among the best"),
        "drop_game": _("%(amount)s worst game"),
        "drop_games": _("%(amount)s worst games"),
        "drop_evening": _("%(amount)s worst evening"),
        "drop_evenings": _("%(amount)s worst evenings"),
        "drop_week": _("%(amount)s worst week"),
        "drop_weeks": _("%(amount)s worst weeks"),
        "attendance": _("%(amount)s attendance"),
        "handicap": _("%(amount)s handicap"),
    }
    return templates[kind] % {"amount": amount}


def _written(term: Term, *, first: bool) -> str:
    negative = term.amount < 0
    each = mixed(abs(term.each))
    amount = each if term.times == 1 else f"{mixed(term.times)} × {each}"
    sign = (MINUS if negative else "") if first else f" {MINUS if negative else '+'} "
    return sign + _label(term.kind, amount, "" if negative else MINUS + amount)


def _total_in_words(value: Fraction) -> str:
    """What the terms add up to, and where the table rounds it, what stands there: ``1/3 ≈ 0.33``."""
    return exact(value) if rounded(value) == value else f"{mixed(value)} ≈ {exact(value)}"


def _counted(count: int, of: str) -> str:
    if of == "hands":
        template = ngettext("%(count)s hand", "%(count)s hands", count)
    else:
        template = ngettext("%(count)s game", "%(count)s games", count)
    return template % {"count": whole(count)}
