"""How the games of a list stand: one reading for the home page, the leagues and the players."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Sum

from scoring.models import Game, Hand, Payment, Player


@dataclass(frozen=True, slots=True)
class Score:
    """What one of the four has won or lost in a game, in whole points, and the place it brings."""

    player: Player
    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class GameStanding:
    """A game, its four scores with the highest first, and its last hand if that was asked for."""

    game: Game
    scores: list[Score]
    last: Hand | None = None

    @property
    def hands(self) -> int:
        """How many hands have been played."""
        return self.game.next_number - 1

    @property
    def dealer(self) -> Player:
        return self.game.players[self.game.dealer_place]

    @property
    def leaders(self) -> list[Score]:
        """Whoever stands first; nobody while all four stand level."""
        first = [score for score in self.scores if score.rank == 1]
        return first if len(first) < len(self.scores) else []

    @property
    def leading(self) -> str:
        """The names of the leaders."""
        return ", ".join(score.player.name for score in self.leaders)

    def score_of(self, player: Player) -> Score:
        """:raises StopIteration: if ``player`` does not sit here."""
        return next(score for score in self.scores if score.player.pk == player.pk)


def stand(games: Sequence[Game], *, last_hands: bool = False) -> list[GameStanding]:
    """How ``games`` (fetched ``with_table()``) stand, in their order.

    One query for all totals, and one more for the ``last_hands`` with winner and discarder.
    """
    totals = _totals(games)
    last = _last_hands(games) if last_hands else {}
    return [GameStanding(game, _scores(game, totals[game.pk]), last.get(game.pk)) for game in games]


def _totals(games: Iterable[Game]) -> dict[int, dict[int, int]]:
    sums = (
        Payment.objects.filter(hand__game__in=games, hand__status__in=Hand.STANDING)
        .values_list("hand__game", "player")
        .annotate(total=Sum("amount"))
    )
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for game, player, total in sums.order_by():
        found[game][player] = total
    return found


def _last_hands(games: Iterable[Game]) -> dict[int, Hand]:
    hands = (
        Hand.objects.live()
        .filter(game__in=games, number=F("game__next_number") - 1)
        .select_related("winner", "discarder")
    )
    return {hand.game_id: hand for hand in hands}


def _scores(game: Game, totals: dict[int, int]) -> list[Score]:
    won = {player: totals.get(player.pk, 0) for player in game.players}
    ranked = [
        Score(player, total, rank=1 + sum(other > total for other in won.values()))
        for player, total in won.items()
    ]
    return sorted(ranked, key=lambda score: score.rank)
