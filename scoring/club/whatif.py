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

from scoring.club.moment import one_moment
from scoring.club.verify.reading import Played, all_versions, bare, booked_in, in_order
from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import score
from scoring.evaluator.table import TableState
from scoring.models import Hand, League, Player


@dataclass(frozen=True, slots=True)
class Again:
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
class Row:
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
    rules: RuleSet
    rows: list[Row]
    hands: int
    changed: list[Again]

    @property
    def not_played(self) -> int:
        """How many hands come after the end that their game would have had."""
        return sum(1 for each in self.changed if each.amounts is None)


@dataclass(slots=True)
class _Points:
    """What each player has, in whole points by id, and who has played."""

    now: Counter[int] = field(default_factory=Counter)
    then: Counter[int] = field(default_factory=Counter)
    players: set[int] = field(default_factory=set)

    def book(self, amounts: dict[int, int]) -> None:
        self.now.update(amounts)
        self.then.update(amounts)


def what_if(
    league: League, rules: RuleSet, advance: Callable[[int], None] = lambda hands: None
) -> WhatIf:
    """The table of ``league`` if all its games had been played by ``rules``.

    A disputed hand waits, as it does in the table; bookings without a hand stay.

    :param advance: told how many more hands have been gone through.
    """
    points, changed, hands = _Points(), [], 0
    with one_moment():
        points.book(booked_in(league))
        versions = all_versions()
        for games in in_order(league):
            for played in bare(games, versions, cards=False):
                if played.game.withdrawn:
                    continue
                points.book(played.booked)
                for again in _again(played, rules):
                    if again.hand.status != Hand.Status.LIVE:
                        continue
                    paid = played.payments[again.hand.pk]
                    points.now.update(paid)
                    points.then.update(again.amounts or {})
                    points.players.update(paid)
                    hands += 1
                    if again.changed:
                        changed.append(again)
                advance(len(played.hands))
        return WhatIf(league, rules, _rows(points), hands, changed)


def again_by(rules: RuleSet, seats: Sequence[int], hands: Iterable[Hand]) -> Iterator[Again]:
    """The ``hands`` of one game that stand, in their order, as ``rules`` have them.

    :param seats: the ids of the four players, East of the first hand first.
    """
    state = TableState.start()
    for hand in hands:
        if state.finished:
            yield Again(hand, None, None)
            continue
        if hand.winner_id is None:
            yield Again(hand, None, dict.fromkeys(seats, 0))
            state = state.after(None, rules)
            continue
        winner = seats.index(hand.winner_id)
        final = _final(hand, state, winner, rules)
        amounts = settle(
            final,
            winner=winner,
            dealer=state.dealer,
            discarder=seats.index(hand.discarder_id) if hand.discarder_id else None,
            rules=rules,
        )
        yield Again(hand, final, dict(zip(seats, amounts, strict=True)))
        state = state.after(winner, rules)


def _final(hand: Hand, state: TableState, winner: int, rules: RuleSet) -> int:
    if hand.claimed_limit:
        return rules.limit
    if not hand.checked:
        return hand.final
    try:
        card = score(
            hand.tiles,
            state.seat_wind(winner),
            state.prevailing_wind,
            melds=hand.melds or None,
            concealed=hand.concealed,
            self_drawn=hand.self_drawn,
            rules=rules,
        )
    except HandError:
        return hand.final
    # What only a person can mend (verify tells it) is left as it is.
    return hand.final if card.final is None else card.final


def _again(played: Played, rules: RuleSet) -> Iterator[Again]:
    """The hands of a game; as they are, if people who do not sit there are said to have won them."""
    seats = [seat.player_id for seat in played.game.table]
    standing = [hand for hand in played.hands if hand.status in Hand.STANDING]
    named = {pk for hand in standing for pk in (hand.winner_id, hand.discarder_id) if pk}
    if len(seats) == 4 and named <= set(seats):
        yield from again_by(rules, seats, standing)
    else:
        for hand in standing:
            yield Again(hand, hand.final, played.payments[hand.pk])


def _rows(points: _Points) -> list[Row]:
    """The table as it would be, most points first."""
    listed = points.players | {player for player, booked in points.now.items() if booked}
    players = Player.objects.in_bulk(listed)
    order = sorted(players, key=lambda pk: (-points.then[pk], players[pk].name.casefold()))
    now, then = _ranks(points.now, listed), _ranks(points.then, listed)
    return [Row(players[pk], points.now[pk], points.then[pk], now[pk], then[pk]) for pk in order]


def _ranks(points: Counter[int], listed: Iterable[int]) -> dict[int, int]:
    """Most points first; who has as many shares the rank."""
    ordered = sorted((points[pk] for pk in listed), reverse=True)
    return {pk: ordered.index(points[pk]) + 1 for pk in listed}
