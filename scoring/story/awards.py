"""Records and awards, as data: each is a function over the hands of an evening that count.

Those about a result are also given what was booked in the games, so that they say what the pages of
the game and of the evening say. A new one is a function below ``@award``. It yields what players have done; its ``kind`` says how that
adds up over the evenings. Change ``VERSION`` in :mod:`scoring.story.evenings` with it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from scoring.translation import LazyText

from .figures import BEST, ROW, SUM, AwardKind, Figure, shares
from .hands import CountedHand

# Who has played less is not compared by shares: a whole game is 16 hands or more.
LEAST_HANDS = 16

Hands = Sequence[CountedHand]
# What was booked in the games of an evening: whole points by player, by the game's id.
Booked = Mapping[int, Mapping[int, int]]
Feats = Callable[..., Iterable["Feat"]]


class Feat(NamedTuple):
    """What ``player`` (an id) has done: how much, as the kind of the award wants it, and ``at`` which hand."""

    player: int
    done: Any
    at: CountedHand


@dataclass(frozen=True, slots=True)
class Award:
    """An award and its rule.

    :ivar unit: what the figure counts: "hands", "points", "doubles", or a "share" of 1.
    :ivar kind: how what was done on two evenings adds up.
    :ivar where: what is named beside it: the "hand", "game" or "evening"; empty for the whole season.
    :ivar least: whether the smallest figure holds it.
    :ivar result: whether it is about a result: its function is given the hands and what was booked.
    """

    id: str
    name: LazyText
    sentence: LazyText
    unit: str
    kind: AwardKind
    where: str
    feats: Feats
    least: bool = False
    result: bool = False


AWARDS: dict[str, Award] = {}


def award(
    id: str, name: LazyText, sentence: LazyText,
    *, unit: str, kind: AwardKind = BEST, where: str = "", least: bool = False, result: bool = False,
) -> Callable[[Feats], Feats]:  # fmt: skip
    """Enter a function as an award."""

    def enter(feats: Feats) -> Feats:
        AWARDS[id] = Award(id, name, sentence, unit, kind, where, feats, least, result)
        return feats

    return enter


# By the player's id: the figure of each award, by its id.
Figures = dict[int, dict[str, Figure]]


def award_figures(hands: Hands, booked: Booked) -> Figures:
    """What each player has done in the ``hands`` of one evening, which are in the order of play.

    :param booked: in all games of that evening, also in those without a hand.
    """
    figures: Figures = {}
    for one in AWARDS.values():
        for feat in one.feats(hands, booked) if one.result else one.feats(hands):
            figure = one.kind.one(feat.done, feat.at.at)
            own = figures.setdefault(feat.player, {})
            own[one.id] = one.kind.together(own[one.id], figure) if one.id in own else figure
    return figures


def together(a: dict[str, Figure], b: dict[str, Figure]) -> dict[str, Figure]:
    """The figures of a player in two spans, the earlier one first, by award."""
    both = {
        id: AWARDS[id].kind.together(a[id], b[id]) for id in a.keys() & b.keys() & AWARDS.keys()
    }
    return {**a, **b, **both}


def _final_sums(
    hands: Iterable[CountedHand], booked: Booked, within: Callable[[int], Hashable]
) -> Iterator[Feat]:
    """What each player won in all games that lie ``within`` one, at the last of their hands there."""
    sums: Counter[Any] = Counter()
    last: dict[Any, CountedHand] = {}
    for hand in hands:
        for player, amount in hand.amounts.items():
            sums[within(hand.game), player] += amount
            last[within(hand.game), player] = hand
    for game, points in booked.items():
        for player, amount in points.items():
            sums[within(game), player] += amount
    for key, hand in last.items():
        if sums[key] > 0:
            yield Feat(key[1], sums[key], hand)


def _won(hands: Iterable[CountedHand]) -> Iterator[tuple[int, CountedHand]]:
    """The hands that somebody won, each after its winner."""
    return ((hand.winner, hand) for hand in hands if hand.winner is not None)


def _each(hands: Hands, good: Callable[[CountedHand, int], bool]) -> Iterator[Feat]:
    """Of each hand that each player has played whether it is ``good``."""
    return (Feat(one, good(hand, one), hand) for hand in hands for one in hand.amounts)


# ----- the awards, in the order in which they are shown ---------------------------------------------


@award("best_hand", _("Best hand"), _("The highest score of a hand."), unit="points", where="hand")
def _best_hand(hands: Hands) -> Iterator[Feat]:
    return (Feat(winner, hand.final, hand) for winner, hand in _won(hands) if hand.final)


@award(
    "most_doubles", _("Most doubles"), _("The most doubles in one hand."),
    unit="doubles", where="hand",
)  # fmt: skip
def _most_doubles(hands: Hands) -> Iterator[Feat]:
    return (Feat(winner, hand.doubles, hand) for winner, hand in _won(hands) if hand.doubles)


@award("limit_hands", _("Limit hands"), _("The most limit hands won."), unit="hands", kind=SUM)
def _limit_hands(hands: Hands) -> Iterator[Feat]:
    return (Feat(winner, 1, hand) for winner, hand in _won(hands) if hand.limit)


@award(
    "evening_wins", _("Winner of an evening"), _("The most hands won on one evening."),
    unit="hands", where="evening",
)  # fmt: skip
def _evening_wins(hands: Hands) -> Iterator[Feat]:
    won: Counter[int] = Counter()
    for winner, hand in _won(hands):
        won[winner] += 1
        yield Feat(winner, won[winner], hand)


@award(
    "evening_points", _("Best evening"), _("The most points won on one evening, losses taken off."),
    unit="points", where="evening", result=True,
)  # fmt: skip
def _evening_points(hands: Hands, booked: Booked) -> Iterator[Feat]:
    return _final_sums(hands, booked, lambda game: None)


@award(
    "game_points", _("Best game"), _("The most points won in a game that is over, losses taken off."),
    unit="points", where="game", result=True,
)  # fmt: skip
def _game_points(hands: Hands, booked: Booked) -> Iterator[Feat]:
    return _final_sums((one for one in hands if one.over), booked, lambda game: game)


@award(
    "comeback", _("Biggest comeback"),
    _("The most points behind the leader in a game, and still first in the end."),
    unit="points", where="game", result=True,
)  # fmt: skip
def _comeback(hands: Hands, booked: Booked) -> Iterator[Feat]:
    totals: defaultdict[int, Counter[int]] = defaultdict(Counter)
    behind: defaultdict[int, Counter[int]] = defaultdict(Counter)
    last = {hand.game: hand for hand in hands if hand.over}
    for hand in hands:
        total, most = totals[hand.game], behind[hand.game]
        for player, amount in hand.amounts.items():
            total[player] += amount
        leader = max(total.values())
        for player, points in total.items():
            most[player] = max(most[player], leader - points)
    for game, hand in last.items():
        final = totals[game].copy()
        final.update(booked.get(game, {}))
        for player, points in behind[game].items():
            if points and final[player] == max(final.values()):
                yield Feat(player, points, hand)


@award(
    "winning_streak", _("Winning streak"), _("The most hands won in a row."),
    unit="hands", kind=ROW, where="evening",
)  # fmt: skip
def _winning_streak(hands: Hands) -> Iterator[Feat]:
    return _each(hands, lambda hand, player: hand.winner == player)


@award(
    "careful_streak", _("Steady hand"),
    _("The most hands in a row without discarding a winning tile."),
    unit="hands", kind=ROW, where="evening",
)  # fmt: skip
def _careful_streak(hands: Hands) -> Iterator[Feat]:
    return _each(hands, lambda hand, player: hand.discarder != player)


@award(
    "self_drawn", _("Own luck"), _("The most hands won with a drawn tile."),
    unit="hands", kind=SUM,
)  # fmt: skip
def _self_drawn(hands: Hands) -> Iterator[Feat]:
    return (Feat(winner, 1, hand) for winner, hand in _won(hands) if hand.self_drawn)


@award(
    "best_discarder", _("Best discarder"),
    _("Discarded the winning tile in the smallest share of the hands not won, of those who played 16 or more."),
    unit="share", kind=shares(LEAST_HANDS), least=True,
)  # fmt: skip
def _best_discarder(hands: Hands) -> Iterator[Feat]:
    for hand in hands:
        for player in hand.amounts:
            done = (int(hand.discarder == player), int(hand.winner != player), 1)
            yield Feat(player, done, hand)
