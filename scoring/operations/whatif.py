"""The table of a league under other rules. Nothing is stored.

Each game is played again from its first hand: tiles, melds, winner and discarder are as they were, the
deal moves on by the other rules, and winds, scores and payments follow from it. The people chose their
tiles under the winds that they had, so where the other rules deal differently this is an answer about
the rules, not about the people. Where they would have ended a game sooner, the hands after that count
for nothing. A score without tiles stays what the table said.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.evaluator.problems import HandError
from scoring.evaluator.table import TableState
from scoring.evaluator.table_rules import Paid, TableRules
from scoring.evaluator.tiles import Wind
from scoring.models import Hand, League, Player
from scoring.queries import ranking
from scoring.queries.ranking import Figures, LeagueTable
from scoring.services.hands.entry import loser_entry, worth

from .snapshot import read_snapshot
from .verify.reading import GameData, all_versions, booked_in, games_without_cards, in_order


@dataclass(frozen=True, slots=True)
class RescoredHand:
    """One hand as the other rules have it.

    :ivar final: its final score in whole points; None for a drawn hand.
    :ivar amounts: what each player wins or pays, in whole points by id; None if it is not played.
    """

    hand: Hand
    final: int | None
    amounts: dict[int, int] | None

    @property
    def changed(self) -> bool:
        """Whether it has another score, or none because the game was over before."""
        return self.amounts is None or self.final != self.hand.final


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """One line of the table: whole points and ranks, as they are now and as they would be then."""

    player: Player
    points: int
    points_then: int
    rank: int
    rank_then: int

    @property
    def difference(self) -> int:
        return self.points_then - self.points


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The league under ``rules``: its table then, how many hands count now, those that change."""

    league: League
    rules: TableRules
    rows: list[WhatIfRow]
    hands: int
    changed: list[RescoredHand]

    @property
    def not_played(self) -> int:
        """How many hands come after the end that their game would have had."""
        return sum(1 for changed in self.changed if changed.amounts is None)


@dataclass(slots=True)
class _Points:
    """What each player has, in whole points by id, and in how many hands and games that count."""

    now: Counter[int] = field(default_factory=Counter)
    then: Counter[int] = field(default_factory=Counter)
    hands: Counter[int] = field(default_factory=Counter)
    games: Counter[int] = field(default_factory=Counter)

    def post(self, amounts: dict[int, int]) -> None:
        self.now.update(amounts)
        self.then.update(amounts)


def what_if(
    league: League, rules: TableRules, advance: Callable[[int], None] = lambda hands: None
) -> WhatIf:
    """The table of ``league`` if all its games had been played by ``rules``.

    A disputed hand waits, as it does in the table; bookings without a hand stay.

    :param advance: told how many more hands have been gone through.
    """
    points, changed, hands = _Points(), [], 0
    with read_snapshot():
        points.post(booked_in(league))
        versions = all_versions()
        for games in in_order(league):
            for played in games_without_cards(games, versions, cards=False):
                if played.game.withdrawn:
                    continue
                points.post(played.booked)
                players: set[int] = set()
                undisputed = {hand.pk for hand in played.undisputed}
                for again in _again(played, rules):
                    if again.hand.pk not in undisputed:
                        continue
                    paid = played.payments[again.hand.pk]
                    points.now.update(paid)
                    points.then.update(again.amounts or {})
                    points.hands.update(paid.keys())
                    players.update(paid)
                    hands += 1
                    if again.changed:
                        changed.append(again)
                points.games.update(players)
                advance(len(played.hands))
        return WhatIf(league, rules, _rows(league, points), hands, changed)


def again_by(
    rules: TableRules, seats: Sequence[int], hands: Iterable[Hand]
) -> Iterator[RescoredHand]:
    """The ``hands`` of one game that stand, in their order, as ``rules`` have them.

    :param seats: the ids of the four players, East of the first hand first.
    """
    state = TableState.start()
    for hand in hands:
        if state.finished:
            yield RescoredHand(hand, None, None)
            continue
        if hand.winner_id is None:
            yield RescoredHand(hand, None, dict.fromkeys(seats, 0))
            state = state.after(None, rules)
            continue
        winner = seats.index(hand.winner_id)
        final = _final(hand, state, winner, rules)
        amounts = rules.settle(_paid(hand, final, state, seats, rules))
        yield RescoredHand(hand, final, dict(zip(seats, amounts, strict=True)))
        state = state.after(winner, rules)


def _paid(
    hand: Hand, final: int, state: TableState, seats: Sequence[int], rules: TableRules
) -> Paid:
    """Who settles with whom by the other ``rules``; the hands of the others count where losers score."""
    scores = [0, 0, 0, 0]
    winner = seats.index(hand.winner_id)
    scores[winner] = final
    for other in hand.others or () if rules.losers_score else ():
        place = seats.index(other["player"])
        scores[place] = _loser_final(other, state.seat_wind(place), state, rules)
    liable = hand.liable_id if rules.liability else None
    return Paid(
        scores,
        winner,
        state.dealer,
        seats.index(hand.discarder_id) if hand.discarder_id else None,
        seats.index(liable) if liable else None,
    )


def _loser_final(other: dict[str, Any], seat: Wind, state: TableState, rules: TableRules) -> int:
    try:
        return rules.loser(loser_entry(other), seat, state.prevailing_wind).final
    except HandError:
        return 0  # with what these rules do not know


def _final(hand: Hand, state: TableState, winner: int, rules: TableRules) -> int:
    try:
        final = worth(hand, state.seat_wind(winner), state.prevailing_wind, rules).final
    except HandError:
        final = None
    # What only a person can mend (verify tells it) is left as it is.
    return (hand.final or 0) if final is None else final


def _again(played: GameData, rules: TableRules) -> Iterator[RescoredHand]:
    """The hands of a game; as they are, if people who do not sit there are said to have won them."""
    seats = [seat.player_id for seat in played.game.table]
    current = played.current
    named = {pk for hand in current for pk in (hand.winner_id, hand.discarder_id) if pk}
    if len(seats) == 4 and named <= set(seats):
        yield from again_by(rules, seats, current)
    else:
        for hand in current:
            yield RescoredHand(hand, hand.final, played.payments[hand.pk])


def _rows(league: League, points: _Points) -> list[WhatIfRow]:
    """The table as it would be, of those who are in the table now."""
    players = Player.objects.in_bulk({*points.now, *points.hands})
    now = _table(league, points, points.now, players.values())
    listed = [players[pk] for pk in now.ranks]
    then = _table(league, points, points.then, listed)
    return [
        WhatIfRow(players[pk], points.now[pk], points.then[pk], now.ranks[pk], rank)
        for pk, rank in then.ranks.items()
    ]


def _table(
    league: League, points: _Points, won: Counter[int], players: Iterable[Player]
) -> LeagueTable:
    figures = [
        Figures(
            player.pk, player.name, won[player.pk], points.hands[player.pk], points.games[player.pk]
        )
        for player in players
    ]
    return ranking.league_table(league, figures)
