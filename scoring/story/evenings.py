"""Work out what the hands of an evening say about each who played."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from itertools import groupby
from typing import Any

from scoring.models import Game, Hand, Transfer

from .awards import Booked, Hands, award_figures, together
from .figures import Sums, add
from .hands import Between, CountedHand, between_losers, counted_hands, paid_between

# One more whenever an evening says something else than before: what is stored is worked out anew then.
VERSION = 2
# What is added up by name, beside the awards:
# ``against``, by the other player: points, hands; hands and points that went to the other by one's own
#   discards; and the same that came by the discards of the other.
# ``seats`` and ``rounds``, by the wind of the seat and of the round: hands, wins, points.
# ``patterns``, by their English name: hands won with it.
# ``how``, by a name of HOW: hands, points.
PARTS = ("against", "seats", "rounds", "patterns", "how")
# How points come about. Each hand is one of them for each player, so they add up to all points.
HOW = ("drawn", "claimed", "discarded", "drawn_by_others", "claimed_by_others", "nobody")

# What is said about one player: the figure of each award, and the sums of each part.
PlayerFigures = dict[str, Any]


def evenings_of(league: int, days: Collection[date]) -> dict[date, dict[int, PlayerFigures]]:
    """What the evenings of ``league`` (its id) on ``days`` say about each player (by id).

    Six queries at most; an evening without a hand that counts is left out.
    """
    of_days = Hand.objects.filter(game__league=league, game__evening__in=days)
    losers = between_losers(of_days)
    in_order = groupby(counted_hands(of_days), key=lambda hand: hand.evening)
    booked = _booked(league, days)
    return {day: figures_of(list(hands), losers, booked.get(day, {})) for day, hands in in_order}


def figures_of(
    hands: Hands, losers: Mapping[int, Between], booked: Booked
) -> dict[int, PlayerFigures]:
    """What the ``hands`` of one evening say about each player (by id).

    :param losers: what losers paid each other, by the hand's id.
    :param booked: in the games of that evening.
    """
    by_player: defaultdict[int, PlayerFigures] = defaultdict(no_figures)
    for player, figures in award_figures(hands, booked).items():
        by_player[player]["awards"] = figures
    for hand in hands:
        for player, sums in _sums(hand, paid_between(hand, losers)).items():
            for part in PARTS:
                add(by_player[player][part], sums[part])
    return dict(by_player)


def _booked(league: int, days: Collection[date]) -> Mapping[date, Booked]:
    """What was booked in the games of ``league`` (its id) on each of ``days``. Two queries."""
    games = Game.objects.played().filter(league=league, evening__in=days).order_by()
    points = Transfer.objects.filter(adjustment__game__in=games.values("pk")).points_by_game()
    booked: defaultdict[date, dict[int, Mapping[int, int]]] = defaultdict(dict)
    for game, day in games.filter(pk__in=points).values_list("pk", "evening"):
        booked[day][game] = points[game]
    return booked


def no_figures() -> PlayerFigures:
    """The figures of a player without a hand."""
    return {"awards": {}, **{part: {} for part in PARTS}}


def merged(a: PlayerFigures, b: PlayerFigures) -> PlayerFigures:
    """What is said about a player of two spans, the earlier one first."""
    return {"awards": together(a["awards"], b["awards"]), **added_up(a, b)}


def added_up(a: PlayerFigures, b: PlayerFigures) -> PlayerFigures:
    """The sums of both, without the awards: those of leagues side by side, too."""
    both: PlayerFigures = {part: dict(a[part]) for part in PARTS}
    for part in PARTS:
        add(both[part], b[part])
    return both


def _sums(hand: CountedHand, between: Between) -> dict[int, dict[str, Sums]]:
    seats = hand.seat_winds()
    return {
        player: {
            "against": {
                str(other): _against(hand, player, other, between.get((player, other), 0))
                for other in hand.amounts
                if other != player
            },
            "seats": {seats[player]: [1, int(hand.winner == player), amount]},
            "rounds": {hand.prevailing: [1, int(hand.winner == player), amount]},
            "patterns": {name: [1] for name in hand.patterns if hand.winner == player},
            "how": {_how(hand, player): [1, amount]},
        }
        for player, amount in hand.amounts.items()
    }


def _against(hand: CountedHand, player: int, other: int, points: int) -> list[int]:
    gave = int(hand.discarder == player and hand.winner == other)
    took = int(hand.discarder == other and hand.winner == player)
    return [points, 1, gave, -points * gave, took, points * took]


def _how(hand: CountedHand, player: int) -> str:
    if hand.winner is None:
        return "nobody"
    if hand.winner == player:
        return "drawn" if hand.self_drawn else "claimed"
    if hand.discarder == player:
        return "discarded"
    return "drawn_by_others" if hand.self_drawn else "claimed_by_others"
