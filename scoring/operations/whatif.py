"""The table of a league under other rules. Nothing is stored.

Each game is played again from its first hand: tiles, melds, winner and discarder are as they were, the
deal moves on by the other rules, and winds, scores and payments follow from it. The people chose their
tiles under the winds that they had, so where the other rules deal differently this is an answer about
the rules, not about the people. Where they would have ended a game sooner, the hands after that count
for nothing. A hand that does not win by the other rules pays nothing, and the deal moves on as after a
draw. What they cannot read, and a score without tiles, stays what the table said, and is counted.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext_noop

from scoring.evaluator.payments import Amounts
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import LoserEntry, Paid, TableRules
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import Wind
from scoring.models import Hand, League, Player, club_day
from scoring.queries import ranking
from scoring.queries.empty_tables import why_empty
from scoring.queries.game_figures import with_places
from scoring.queries.standing_sums import Figures, GameFigures, PlayerSums, Standing
from scoring.queries.standings import main_rules
from scoring.services.hands.entry import loser_worth, stored_calls, stored_losers, worth
from scoring.services.left_sticks import left_to
from scoring.variants import why_not_installed
from scoring.variants.book_rules import BookTableRules

from .snapshot import read_snapshot
from .verify.reading import GameData, all_versions, booked_in, games_without_cards, in_order

# Some 15,000 hands are played again in a second. For more than this nobody waits on a page.
MOST_ON_A_PAGE = 10_000
NOTHING: Amounts = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class RescoredHand:
    """One hand as the other rules have it.

    :ivar final: its final score in whole points; None for a drawn hand, and one that does not win.
    :ivar amounts: what each player wins or pays, in whole points by id; None if it is not played.
    :ivar read: whether the other rules can say what it is worth.
    """

    hand: Hand
    final: int | None
    amounts: dict[int, int] | None
    read: bool = True

    @property
    def won(self) -> bool:
        """Whether somebody wins it by the other rules."""
        return self.final is not None

    @property
    def changed(self) -> bool:
        """Whether it has another score, or none because the game was over before."""
        return self.amounts is None or self.final != self.hand.final


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """One line of the table: whole points and ranks, as they are and as the other rules make them."""

    player: Player
    points: int
    points_by_rules: int
    rank: int | None
    rank_by_rules: int | None
    standing: Standing
    standing_by_rules: Standing

    @property
    def difference(self) -> int:
        return self.points_by_rules - self.points


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The league under ``rules``: the table that they make, how many hands count, those that change.

    :ivar table: what ``rows`` show beside the table as it is.
    :ivar disputed: how many hands wait for the end of a dispute, and do not count.
    """

    league: League
    rules: TableRules
    rows: list[WhatIfRow]
    table: ranking.LeagueTable
    hands: int
    disputed: int
    changed: list[RescoredHand]
    not_read: int

    @property
    def why_empty(self) -> list[str]:
        """Sentences that say why there is no row; none where there is one."""
        return [] if self.rows else why_empty(self.table, self.disputed)

    @property
    def not_won(self) -> int:
        """How many hands that somebody won would not have won."""
        return sum(1 for one in self.changed if one.amounts is not None and not one.won)

    @property
    def rescored(self) -> int:
        """How many hands have another score."""
        return len(self.changed) - self.not_played - self.not_won

    @property
    def not_played(self) -> int:
        """How many hands come after the end that their game would have had."""
        return sum(1 for changed in self.changed if changed.amounts is None)


@dataclass(slots=True)
class _Points:
    """What each player has, by id: whole points, and the results of the games that count."""

    booked: Counter[int]
    results: defaultdict[int, list[GameFigures]] = field(default_factory=lambda: defaultdict(list))

    def add(self, game: dict[int, GameFigures]) -> None:
        for player, figures in with_places(game).items():
            self.results[player].append(figures)

    def figures(self, player: Player) -> Figures:
        results = sorted(self.results[player.pk], key=lambda game: (game.evening, game.game))
        sums = PlayerSums.of(results)
        sums = sums._replace(points=sums.points + self.booked[player.pk])
        return Figures(player.pk, player.name, *sums, results=tuple(results))


def why_not(rules: TableRules) -> Text | None:
    """Why nobody can say what stored hands are worth by ``rules``; None if that can be said."""
    if rules.reads_card:
        template = gettext_noop("By {book} the tiles of a hand tell nothing.")
        return Text.of(template, book=rules.name)
    return why_not_installed(rules.book) if isinstance(rules, BookTableRules) else None


def too_many(league: League) -> bool:
    """Whether so many hands of ``league`` would be played again that a page cannot wait for it. One query."""
    return Hand.objects.current().played().filter(game__league=league).count() > MOST_ON_A_PAGE


def what_if(
    league: League, rules: TableRules, advance: Callable[[int], None] = lambda hands: None
) -> WhatIf:
    """The table of ``league`` if all its games had been played by ``rules``.

    A disputed hand waits, as it does in the table; bookings without a hand stay.

    :param advance: told how many more hands have been gone through.
    :raises HandError: if nobody can say what stored hands are worth by ``rules``.
    """
    if why := why_not(rules):
        raise HandError([Problem("ruleset", "cannot_answer", why)])
    changed, hands, disputed, not_read = [], 0, 0, 0
    with read_snapshot():
        outside = booked_in(league)
        now, by_rules = _Points(outside), _Points(outside)
        versions = all_versions()
        for games in in_order(league):
            for data in games_without_cards(games, versions, cards=False):
                if data.game.withdrawn:
                    continue
                undisputed = {hand.pk for hand in data.undisputed}
                every = list(_again(data, rules))
                again = [one for one in every if one.hand.pk in undisputed]
                hands += len(again)
                disputed += len(every) - len(again)
                not_read += sum(1 for one in again if not one.read)
                changed += [one for one in again if one.changed]
                now.add(_of_game(data, again, data.booked, by_these_rules=False))
                booked = _booked_by_rules(data, every, again, rules)
                by_rules.add(_of_game(data, again, booked, by_these_rules=True))
                advance(len(data.hands))
        rows, table = _rows(league, now, by_rules)
        return WhatIf(league, rules, rows, table, hands, disputed, changed, not_read)


def _booked_by_rules(
    data: GameData,
    every: Iterable[RescoredHand],
    undisputed: Iterable[RescoredHand],
    rules: TableRules,
) -> Mapping[int, int]:
    """What was booked in a game, with what lies on the table at its end by the other rules."""
    if not (data.left or rules.left_to_first):
        return data.booked
    booked = Counter(data.booked)
    booked.subtract(data.left)
    if data.game.finished and rules.left_to_first:
        won: Counter[int] = Counter()
        for one in undisputed:
            won.update(one.amounts or {})
        lies_there = -sum(sum((one.amounts or {}).values()) for one in every)
        seats = [seat.player_id for seat in data.game.table]
        booked.update(left_to(rules, lies_there // rules.stick, seats, won))
    return booked


def _of_game(
    data: GameData,
    hands: Iterable[RescoredHand],
    booked: Mapping[int, int],
    *,
    by_these_rules: bool,
) -> dict[int, GameFigures]:
    """What each player has in a game by its ``hands`` and what was ``booked``, by one of the rules."""
    game = data.game
    nothing = GameFigures(game.pk, game.evening, game.finished, points=0, hands=0)
    by_player = {player: nothing._replace(points=amount) for player, amount in booked.items()}
    for one in hands:
        paid = data.payments[one.hand.pk]
        amounts = (one.amounts or {}) if by_these_rules else paid
        final = (one.final if by_these_rules else one.hand.final) or 0
        for player in paid:
            so_far = by_player.get(player, nothing)
            # As ``Gain.add`` of the tallies has it, which is the model.
            counts = one.won or not by_these_rules
            won = counts and one.hand.winner_id == player
            by_player[player] = so_far._replace(
                points=so_far.points + amounts.get(player, 0),
                hands=so_far.hands + 1,
                wins=so_far.wins + won,
                discards=so_far.discards + (counts and one.hand.discarder_id == player),
                best_hand=max(so_far.best_hand, final if won else 0),
            )
    return by_player


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
        calls = stored_calls(hand).placed(seats) if rules.keeps_table else SILENT
        winner, final, amounts, read = None, None, NOTHING, True
        if hand.winner_id is None:
            if rules.keeps_table:
                amounts = rules.settle(
                    Paid.of(None, 0, dealer=state.dealer, table=state, calls=calls)
                )
        else:
            place = seats.index(hand.winner_id)
            final, read = _final(hand, state, place, rules)
            if final is None:
                calls = SILENT
            else:
                winner = place
                amounts = rules.settle(_paid(hand, final, state, seats, rules, calls))
        yield RescoredHand(hand, final, dict(zip(seats, amounts, strict=True)), read)
        state = rules.after(state, winner, calls)


def _paid(
    hand: Hand,
    final: int,
    state: TableState,
    seats: Sequence[int],
    rules: TableRules,
    calls: Calls,
) -> Paid:
    """Who settles with whom by the other ``rules``; the hands of the others count where losers score."""
    places: dict[int | None, int] = {player: place for place, player in enumerate(seats)}
    seat, prevailing = state.seat_wind(places[hand.winner_id]), state.prevailing_wind
    liable = _liable(hand, seat, prevailing, rules)
    losers = (
        [one for one in stored_losers(hand) if one.player in places] if rules.losers_score else []
    )
    return Paid.of(
        places[hand.winner_id],
        final,
        dealer=state.dealer,
        discarder=places.get(hand.discarder_id),
        liable=places.get(liable),
        losers={
            places[one.player]: _loser_final(one, state.seat_wind(places[one.player]), state, rules)
            for one in losers
        },
        table=state,
        calls=calls,
    )


def _liable(hand: Hand, seat: Wind, prevailing: Wind, rules: TableRules) -> int | None:
    """The id of who pays for everybody by the other ``rules``: nobody with a hand that they cannot read."""
    if hand.liable_id is None:
        return None
    try:
        return hand.liable_id if rules.may_be_liable(hand, seat, prevailing) else None
    except HandError:
        return None


def _loser_final(entry: LoserEntry, seat: Wind, state: TableState, rules: TableRules) -> int:
    try:
        return loser_worth(entry, seat, state.prevailing_wind, rules).final
    except HandError:
        return 0  # with what these rules do not know


def _final(
    hand: Hand, state: TableState, winner: int, rules: TableRules
) -> tuple[int | None, bool]:
    """The score of a hand, None if it does not win, and whether the ``rules`` can say that."""
    if not (hand.tiles or hand.claimed_limit):
        return hand.final or 0, False
    try:
        result = worth(hand, state.seat_wind(winner), state.prevailing_wind, rules)
    except HandError:
        return hand.final or 0, False
    if result.card is not None:
        return (result.final if result.card.winning else None), True
    return result.final or 0, True


def _again(data: GameData, rules: TableRules) -> Iterator[RescoredHand]:
    """The hands of a game; as they are, if people who do not sit there are said to have won them."""
    seats = [seat.player_id for seat in data.game.table]
    current = data.current
    named = {pk for hand in current for pk in (hand.winner_id, hand.discarder_id) if pk}
    if len(seats) == 4 and named <= set(seats):
        yield from again_by(rules, seats, current)
    else:
        for hand in current:
            yield RescoredHand(hand, hand.final, data.payments[hand.pk], read=False)


def _rows(
    league: League, now: _Points, by_rules: _Points
) -> tuple[list[WhatIfRow], ranking.LeagueTable]:
    """The table as it would be, of those who are in the table now: its rows, and the table itself."""
    rules, day = main_rules([league]).get(league.pk), club_day()
    players = Player.objects.in_bulk({*now.booked, *now.results})
    points = {pk: now.figures(player) for pk, player in players.items()}
    table = ranking.league_table(league, points.values(), rules, day)
    lines = {line.row.player: line for line in table.lines}
    points_by_rules = {pk: by_rules.figures(players[pk]) for pk in lines}
    table_by_rules = ranking.league_table(league, points_by_rules.values(), rules, day)
    rows = [
        _row(players[line.row.player], lines[line.row.player], line)
        for line in table_by_rules.lines
    ]
    return rows, table_by_rules if rows else table


def _row(player: Player, now: ranking.TableLine, by_rules: ranking.TableLine) -> WhatIfRow:
    return WhatIfRow(
        player,
        now.row.points,
        by_rules.row.points,
        now.rank,
        by_rules.rank,
        now.standing,
        by_rules.standing,
    )
