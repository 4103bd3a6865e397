"""Read how the games of a list stand, at once: for the home page, the leagues and the players."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Prefetch

from scoring.models import Game, Hand, Player, Seat
from scoring.models.totals import totals
from scoring.translation import listed

from . import ranking


@dataclass(frozen=True, slots=True)
class Score:
    """What one of the four has won or lost in a game, in whole points, and the place it brings."""

    player: Player
    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game, its four scores with the highest first, and its last hand if that was asked for."""

    game: Game
    scores: list[Score]
    last: Hand | None = None

    @property
    def hands(self) -> int:
        """How many hands have been played, those left out that were declared void."""
        return self.game.hands_played

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
        return listed(score.player.name for score in self.leaders)

    def score_of(self, player: Player) -> Score:
        """:raises StopIteration: if ``player`` does not sit here."""
        return next(score for score in self.scores if score.player.pk == player.pk)


def games_by_id(games: Iterable[int]) -> dict[int, Game]:
    """The ``games`` by their ids, with what they are called by: their day and their four. Two queries."""
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    return Game.objects.prefetch_related(seats).in_bulk(games)


def game_results(games: Sequence[Game], *, last_hands: bool = False) -> list[GameResult]:
    """How ``games`` (fetched by ``with_table``) stand, in their order.

    Two queries for all totals, and one more for the ``last_hands`` with winner and discarder.
    """
    won = totals(games)
    last = _last_hands(games) if last_hands else {}
    return [GameResult(game, game_scores(game, won[game.pk]), last.get(game.pk)) for game in games]


def game_scores(game: Game, totals: Mapping[int, int]) -> list[Score]:
    """The four scores of ``game``, the highest first, equal ones in the order of the seats.

    :param totals: what each player won or lost, in whole points by id.
    """
    won = [(player, totals.get(player.pk, 0)) for player in game.players]
    ranked = ranking.rank(won, lambda score: score[1])
    return [Score(player, total, rank) for rank, (player, total) in ranked]


def _last_hands(games: Sequence[Game]) -> dict[int, Hand]:
    hands = (
        Hand.objects.current()
        .filter(game__in=games, number=F("game__next_number") - 1)
        .select_related("winner", "discarder")
    )
    return {hand.game_id: hand for hand in hands}
