"""Tallies: kept by increments, in the transaction that changes what counts.

Whoever changes several tallies does so in the order of the players, so that two tables that share
players never wait for each other in a circle.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from scoring.models import Game, Hand, League, Player, Tally
from scoring.models.tallies import RatingValue, widened
from scoring.story import store

from .rating_scopes import lock_club_ratings

# A hand that counts, and what each player (by id) won or paid with it, in whole points.
Paid = tuple[Hand, Mapping[int, int]]


@dataclass(slots=True)
class Gain:
    """What hands add to a tally, column by column. ``best_hand`` is the highest, not a sum.

    :meth:`add` is the model of what each column counts. Tables as of a day, by each game and under other
    rules have the same figures by other ways: ``_sums`` in ``queries/standings.py``, ``game_figures`` in
    ``queries/game_figures.py`` and ``_of_game`` in ``operations/whatif.py``. A new column is one of each.
    """

    points: int = 0
    hands: int = 0
    wins: int = 0
    self_drawn: int = 0
    discards: int = 0
    games: int = 0
    best_hand: int = 0

    def __iadd__(self, other: "Gain") -> "Gain":
        self._move(other, 1)
        self.best_hand = max(self.best_hand, other.best_hand)
        return self

    def add(self, hand: Hand, player_id: int, amount: int, *, first_of_game: bool = False) -> None:
        """Count ``hand`` for a player who won or paid ``amount`` (whole points) with it."""
        self.points += amount
        self.hands += 1
        self.games += first_of_game
        if hand.winner_id == player_id:
            self.wins += 1
            self.self_drawn += hand.self_drawn
            self.best_hand = max(self.best_hand, hand.final or 0)
        if hand.discarder_id == player_id:
            self.discards += 1

    def __isub__(self, other: "Gain") -> "Gain":
        """Take the sums of ``other`` away; what the best hand is then, only the others can say."""
        self._move(other, -1)
        return self

    def _move(self, other: "Gain", sign: int) -> None:
        self.points += sign * other.points
        self.hands += sign * other.hands
        self.wins += sign * other.wins
        self.self_drawn += sign * other.self_drawn
        self.discards += sign * other.discards
        self.games += sign * other.games


def gain(hand: Hand, player_id: int, amount: int) -> Gain:
    """What ``hand`` adds to the tally of a player who won or paid ``amount`` (whole points)."""
    gained = Gain()
    gained.add(hand, player_id, amount)
    return gained


def open_for(league: League, players: Iterable[Player]) -> None:
    """Make sure that each of ``players`` has a tally in ``league``, with the rating of earlier seasons."""
    players = list(players)
    brought = brought_along(league, players)
    Tally.objects.bulk_create(
        [_opened(league, player, brought.get(player.pk)) for player in players],
        ignore_conflicts=True,
    )


def _opened(league: League, player: Player, start: RatingValue | None) -> Tally:
    tally = Tally(league=league, player=player)
    if start is not None:
        tally.start_mu, tally.start_sigma = start
        tally.rating_mu, tally.rating_sigma = start
    return tally


def brought_along(league: League, players: Sequence[Player]) -> dict[int, RatingValue]:
    """With which rating each of ``players`` begins in ``league`` who was rated in an earlier season.

    It is that of the last season of the series that they played, widened for each season since.
    """
    if league.first_season_id is None:
        return {}
    earlier = League.objects.seasons_of(league).filter(starts_on__lt=league.starts_on)
    ago = {pk: number for number, pk in enumerate(earlier.values_list("pk", flat=True), start=1)}
    tallies = Tally.objects.filter(league__in=ago, player__in=players)
    latest = sorted(tallies, key=lambda tally: ago[tally.league_id], reverse=True)
    return {
        tally.player_id: (tally.rating_mu, widened(tally.rating_sigma, ago[tally.league_id]))
        for tally in latest
    }


def lock(league: int) -> None:
    """Lock all tallies of ``league`` (its id): before anything that may move ratings far and wide.

    The ratings across leagues are locked first: who needs two leagues would else wait in a circle.
    """
    lock_club_ratings()
    rows = Tally.objects.select_for_update(no_key=True).filter(league=league)
    list(rows.order_by("player_id").values_list("pk"))


def lock_all() -> None:
    """Lock the tallies of all leagues."""
    rows = Tally.objects.select_for_update(no_key=True).order_by("league_id", "player_id")
    list(rows.values_list("pk"))


def change(
    league: int, *, added: Sequence[Paid] = (), removed: Sequence[Paid] = (), games: int = 0
) -> None:
    """Add the hands in ``added`` to the tallies of ``league`` (its id), and take out those in ``removed``.

    The sums of their evening are worked out anew when somebody looks.

    What is removed must be saved as such before: a best hand may have to be looked up again.

    :param games: what it adds to the number of games of each player: 1, 0 or -1.
    """
    store.evenings_changed(league, (hand.game.evening for hand, _amounts in (*added, *removed)))
    gains: defaultdict[int, Gain] = defaultdict(lambda: Gain(games=games))
    for hand, amounts in added:
        for player, amount in amounts.items():
            gains[player] += gain(hand, player, amount)
    for hand, amounts in removed:
        for player, amount in amounts.items():
            gains[player] -= gain(hand, player, amount)
    losers = {hand.winner_id for hand, _amounts in removed}
    for player in sorted(gains):
        gained = asdict(gains[player])
        best = gained.pop("best_hand")
        columns = {name: F(name) + more for name, more in gained.items() if more}
        if player in losers:
            columns["best_hand"] = _best_hand(league, player)
            # Waits here, not in the update: an update that waits does not see what was stored meanwhile
            # at another table, where its subquery looks.
            # Unordered: the order of the model would lock leagues and players, too.
            list(_tally(league, player).order_by().select_for_update(no_key=True).values_list("pk"))
        elif best:
            columns["best_hand"] = Greatest(F("best_hand"), best)
        if columns:
            _update(league, player, columns)


def post(league: int, amounts: Mapping[int, int], game: Game | None) -> None:
    """Add ``amounts`` (whole points by player id) that no hand brought to the tallies of ``league``.

    :param game: in which they were booked, if it was in one: the sums of its evening are worked out anew.
    """
    if game is not None and amounts:
        store.evenings_changed(league, [game.evening])
    for player, amount in sorted(amounts.items()):
        _update(league, player, {"points": F("points") + amount})


def _update(league: int, player: int, columns: dict[str, Any]) -> None:
    """:raises Tally.DoesNotExist: rather than lose what was to be counted."""
    if not _tally(league, player).update(**columns):
        raise Tally.DoesNotExist(f"no tally of player {player} in league {league}")


def _tally(league: int, player: int) -> QuerySet[Tally]:
    return Tally.objects.filter(league=league, player=player)


def _best_hand(league: int, player: int) -> Coalesce:
    won = Hand.objects.counted().filter(winner=player, game__league=league)
    return Coalesce(Subquery(won.order_by("-final").values("final")[:1]), 0)
