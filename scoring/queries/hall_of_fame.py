"""The hall of fame: the limit hands of leagues, and their best hands.

Nothing of it is stored: a hand that is corrected, disputed or declared void is out of it at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from scoring.models import Game, Hand, League, Tally
from scoring.models.permissions import User

Leagues = QuerySet[League]


@dataclass(frozen=True, slots=True)
class BestHand:
    """The hand with the highest score of each of the ``spans``: "evening", "season", "ever".

    "evening" is the latest one on which somebody won. Of equal hands it is the first one.
    """

    spans: tuple[str, ...]
    hand: Hand


def limit_hands(user: User, league: League | None = None) -> QuerySet[Hand]:
    """The limit hands that count, the newest first: of ``league``, or of all that ``user`` may see."""
    hands = Hand.objects.counted().filter(limit=True, game__league__in=_leagues(user, league))
    return _shown(hands).order_by("-played_at", "-pk")


def best_hands(user: User, league: League | None = None) -> list[BestHand]:
    """The best hands of ``league``, or of all leagues that ``user`` may see. Three queries at most.

    "ever" are all seasons of the series of ``league`` that ``user`` may see.
    """
    leagues = _leagues(user, league)
    best_by_span = {"evening": _best_of_evening(leagues)}
    if league is None:
        best_by_span["ever"] = _best(leagues)
    else:
        series = League.objects.seasons_of(league).visible_to(user).order_by()
        best_by_span |= {"season": _best(leagues), "ever": _best(series)}
    return list(_together(best_by_span))


def _leagues(user: User, league: League | None) -> Leagues:
    if league is None:
        return League.objects.visible_to(user).order_by()
    return League.objects.filter(pk=league.pk).order_by()


def _together(best_by_span: dict[str, Hand | None]) -> Iterator[BestHand]:
    """Each hand once, with all that it is the best of."""
    for hand in dict.fromkeys(filter(None, best_by_span.values())):
        yield BestHand(tuple(span for span, best in best_by_span.items() if best == hand), hand)


def _best_of_evening(leagues: Leagues) -> Hand | None:
    won = Hand.objects.undisputed().filter(game=OuterRef("pk"), outcome=Hand.Outcome.WIN)
    games = Game.objects.played().filter(Exists(won), league__in=leagues)
    latest = games.order_by("-evening").values("evening")[:1]
    return _first(Hand.objects.counted().filter(game__league__in=leagues, game__evening=latest))


def _best(leagues: Leagues) -> Hand | None:
    """The best hand ever. The tallies know its score and who has it, so no season is searched."""
    tallies = Tally.objects.filter(league__in=leagues).order_by("-best_hand")
    score: Any = tallies.values("best_hand")[:1]
    winners = tallies.filter(best_hand=score).order_by().values("player")
    won = Hand.objects.counted().filter(winner__in=winners, final=score)
    return _first(won.filter(game__league__in=leagues))


def _first(hands: QuerySet[Hand]) -> Hand | None:
    """The one of ``hands`` with the highest score, the first of equals."""
    won = hands.filter(outcome=Hand.Outcome.WIN).order_by("-final", "played_at", "pk")
    return _shown(won).first()


def _shown(hands: QuerySet[Hand]) -> QuerySet[Hand]:
    """``hands`` with all that is said about them."""
    return hands.select_related(
        "winner", "discarder", "game__league", "ruleset_version__ruleset"
    ).defer("melds", "others")
