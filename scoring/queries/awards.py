"""Records and awards of a league, as data: each is a function over the hands that count.

A new one is a function below ``@award``. It yields what players have done; of each player the first of
the best counts, and who is level holds the award together.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from scoring.models import Hand, League, Player
from scoring.translation import LazyText

from .counted_hands import CountedHand, counted_hands

# Who has played less is not compared by shares: a whole game is 16 hands or more.
LEAST_HANDS = 16
# How many of those who are level a page names.
NAMED = 5

Hands = Sequence[CountedHand]


class Feat(NamedTuple):
    """What ``player`` (an id) has done: how much, and ``at`` which hand that was reached."""

    player: int
    value: int | Fraction
    at: CountedHand


@dataclass(frozen=True, slots=True)
class Award:
    """An award and its rule.

    :ivar unit: what the figure counts: "hands", "points", "doubles", or a "share" of 1.
    :ivar where: what is named beside it: the "hand", "game" or "evening"; empty for the whole season.
    :ivar least: whether the smallest figure holds it.
    """

    id: str
    name: LazyText
    sentence: LazyText
    unit: str
    where: str
    feats: Callable[[Hands], Iterable[Feat]]
    least: bool = False


@dataclass(frozen=True, slots=True)
class Holder:
    """A player who holds an award since the hand ``at``."""

    player: Player
    at: CountedHand


@dataclass(frozen=True, slots=True)
class Held:
    """An ``award``, its best ``value``, and who holds it: all who are level, the first one first."""

    award: Award
    value: int | Fraction
    holders: list[Holder]

    @property
    def first(self) -> list[Holder]:
        """Those whom a page names."""
        return self.holders[:NAMED]

    @property
    def others(self) -> int:
        """How many more hold it."""
        return len(self.holders) - len(self.first)


AWARDS: list[Award] = []


def award(
    id: str, name: LazyText, sentence: LazyText, *, unit: str, where: str = "", least: bool = False
) -> Callable[[Callable[[Hands], Iterable[Feat]]], Callable[[Hands], Iterable[Feat]]]:
    """Enter a function as an award."""

    def enter(feats: Callable[[Hands], Iterable[Feat]]) -> Callable[[Hands], Iterable[Feat]]:
        AWARDS.append(Award(id, name, sentence, unit, where, feats, least))
        return feats

    return enter


def awards_of(league: League) -> list[Held]:
    """The awards of ``league`` that somebody holds, in their order. Three queries."""
    hands = counted_hands(Hand.objects.filter(game__league=league))
    position = {hand.pk: number for number, hand in enumerate(hands)}
    held = [(one, _best(one, hands, position)) for one in AWARDS]
    people = Player.objects.in_bulk({feat.player for _one, feats in held for feat in feats})
    return [
        Held(one, feats[0].value, [Holder(people[feat.player], feat.at) for feat in feats])
        for one, feats in held
        if feats
    ]


def _best(one: Award, hands: Hands, position: dict[int, int]) -> list[Feat]:
    """Who holds it: of each the first feat with the best value, in the order they were reached."""
    feats = list(one.feats(hands))
    values = [feat.value for feat in feats]
    best = (min if one.least else max)(values, default=0)
    level = [feat for feat in feats if feat.value == best]
    first: dict[int, Feat] = {}
    for feat in sorted(level, key=lambda feat: position[feat.at.pk]):
        first.setdefault(feat.player, feat)
    return list(first.values())


def _counted(
    hands: Iterable[CountedHand],
    within: Callable[[CountedHand], Hashable],
    amounts: Callable[[CountedHand], dict[int, int]],
) -> Iterator[Feat]:
    """The running sums of ``amounts`` by player and by what the hands lie ``within``; none below 1."""
    sums: Counter[Any] = Counter()
    for hand in hands:
        for player, amount in amounts(hand).items():
            sums[within(hand), player] += amount
            if amount > 0 and sums[within(hand), player] > 0:
                yield Feat(player, sums[within(hand), player], hand)


def _final_sums(
    hands: Iterable[CountedHand], within: Callable[[CountedHand], Hashable]
) -> Iterator[Feat]:
    """What each player won in all that the hands lie ``within``, at the last of their hands there."""
    sums: Counter[Any] = Counter()
    last: dict[Any, CountedHand] = {}
    for hand in hands:
        for player, amount in hand.amounts.items():
            sums[within(hand), player] += amount
            last[within(hand), player] = hand
    for key, hand in last.items():
        if sums[key] > 0:
            yield Feat(key[1], sums[key], hand)


def _won(hand: CountedHand) -> dict[int, int]:
    return {hand.winner: 1} if hand.winner is not None else {}


def _in_a_row(hands: Hands, goes_on: Callable[[CountedHand, int], bool]) -> Iterator[Feat]:
    """How many hands in a row each player has played for which it ``goes_on``."""
    row: Counter[int] = Counter()
    for hand in hands:
        for player in hand.amounts:
            row[player] = row[player] + 1 if goes_on(hand, player) else 0
            if row[player]:
                yield Feat(player, row[player], hand)


# ----- the awards, in the order in which they are shown ---------------------------------------------


@award("best_hand", _("Best hand"), _("The highest score of a hand."), unit="points", where="hand")
def _best_hand(hands: Hands) -> Iterator[Feat]:
    return (Feat(one.winner, one.final, one) for one in hands if one.winner and one.final)


@award(
    "most_doubles", _("Most doubles"), _("The most doubles in one hand."),
    unit="doubles", where="hand",
)  # fmt: skip
def _most_doubles(hands: Hands) -> Iterator[Feat]:
    return (Feat(one.winner, one.doubles, one) for one in hands if one.winner and one.doubles)


@award("limit_hands", _("Limit hands"), _("The most limit hands won."), unit="hands")
def _limit_hands(hands: Hands) -> Iterator[Feat]:
    return _counted((one for one in hands if one.limit), lambda one: None, _won)


@award(
    "evening_wins", _("Winner of an evening"), _("The most hands won on one evening."),
    unit="hands", where="evening",
)  # fmt: skip
def _evening_wins(hands: Hands) -> Iterator[Feat]:
    return _counted(hands, lambda one: one.evening, _won)


@award(
    "evening_points", _("Best evening"), _("The most points won on one evening, losses taken off."),
    unit="points", where="evening",
)  # fmt: skip
def _evening_points(hands: Hands) -> Iterator[Feat]:
    return _final_sums(hands, lambda one: one.evening)


@award(
    "game_points", _("Best game"), _("The most points won in a game that is over, losses taken off."),
    unit="points", where="game",
)  # fmt: skip
def _game_points(hands: Hands) -> Iterator[Feat]:
    return _final_sums((one for one in hands if one.over), lambda one: one.game)


@award(
    "comeback", _("Biggest comeback"),
    _("The most points behind the leader in a game, and still first in the end."),
    unit="points", where="game",
)  # fmt: skip
def _comeback(hands: Hands) -> Iterator[Feat]:
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
        for player, points in totals[game].items():
            if behind[game][player] and points == max(totals[game].values()):
                yield Feat(player, behind[game][player], hand)


@award(
    "winning_streak", _("Winning streak"), _("The most hands won in a row."),
    unit="hands", where="evening",
)  # fmt: skip
def _winning_streak(hands: Hands) -> Iterator[Feat]:
    return _in_a_row(hands, lambda hand, player: hand.winner == player)


@award(
    "careful_streak", _("Steady hand"),
    _("The most hands in a row without discarding a winning tile."),
    unit="hands", where="evening",
)  # fmt: skip
def _careful_streak(hands: Hands) -> Iterator[Feat]:
    return _in_a_row(hands, lambda hand, player: hand.discarder != player)


@award("self_drawn", _("Own luck"), _("The most hands won with a drawn tile."), unit="hands")
def _self_drawn(hands: Hands) -> Iterator[Feat]:
    return _counted((one for one in hands if one.self_drawn), lambda one: None, _won)


@award(
    "best_discarder", _("Best discarder"),
    _("Discarded the winning tile in the smallest share of the hands not won, of those who played 16 or more."),
    unit="share", least=True,
)  # fmt: skip
def _best_discarder(hands: Hands) -> Iterator[Feat]:
    last = {player: hand for hand in hands for player in hand.amounts}
    played = Counter(player for hand in hands for player in hand.amounts)
    won = Counter(hand.winner for hand in hands)
    discarded = Counter(hand.discarder for hand in hands)
    for player, number in played.items():
        lost = number - won[player]
        if number >= LEAST_HANDS and lost:
            yield Feat(player, Fraction(discarded[player], lost), last[player])
