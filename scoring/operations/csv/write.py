"""Writing the hands of a club as a sheet."""

import csv
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import TextIO

from django.db.models import Min, QuerySet
from django.utils import timezone

from scoring.evaluator.table import Calls
from scoring.evaluator.win import Win
from scoring.models import Confirmations, Game, Hand, League
from scoring.models.game_tables import with_table
from scoring.models.places import plays_now

from ..snapshot import read_snapshot
from .columns import COLUMNS, SEATS, calls_of, melds, payments, safe, words_of
from .others import others

GAMES_AT_ONCE = 50


def write_hands(
    out: TextIO, begin: Callable[[int], Callable[[int], None]], league: League | None = None
) -> int:
    """Write the hands that stand, of ``league`` or of all, game by game; how many there are.

    :param begin: told how many hands there are; what it returns is told of each that is written.
    """
    table = csv.writer(out)
    table.writerow(COLUMNS)
    written = 0
    with read_snapshot():
        hands = Hand.objects.played().current()
        hands = hands.filter(game__league=league) if league else hands
        advance = begin(hands.count())
        for number, (game, of_game) in enumerate(_games(hands), start=1):
            for hand in of_game:
                table.writerow(_cells(number, game, hand))
            written += len(of_game)
            advance(len(of_game))
    return written


def _games(hands: QuerySet[Hand]) -> Iterator[tuple[Game, list[Hand]]]:
    """The games of ``hands`` by league and first hand, each with its hands."""
    first = (
        hands.order_by().values_list("game__league__slug", "game").annotate(first=Min("played_at"))
    )
    # To the second, as a sheet says it: taken in again, the games come in this order once more.
    order = sorted(first, key=lambda row: (row[0], row[2].replace(microsecond=0), row[1]))
    keys = [game for _league, game, _first in order]
    for at in range(0, len(keys), GAMES_AT_ONCE):
        some = keys[at : at + GAMES_AT_ONCE]
        games = with_table(Game.objects).in_bulk(some)
        rows = hands.filter(game__in=some).defer("card").order_by("game_id", "number")
        rows = rows.prefetch_related("payments", "events")
        by_game = groupby(rows, key=attrgetter("game_id"))
        current = {game: list(group) for game, group in by_game}
        for key in some:
            yield games[key], current[key]


def _cells(number: int, game: Game, hand: Hand) -> list[object]:
    names = {player.pk: safe(player.name) for player in game.players}
    paid = {payment.player_id: payment.amount for payment in hand.payments.all()}
    won, counts = hand.is_win, hand.undisputed
    # What is disputed counts for nobody: whoever adds up a column of points must not find it there.
    cells = {
        "date": _moment(hand.played_at),
        "league": game.league.slug,
        "game": number,
        "number": hand.number,
        **dict(zip(SEATS, names.values(), strict=True)),
        "outcome": hand.outcome,
        "winner": names.get(hand.winner_id or 0),
        "discarder": names.get(hand.discarder_id or 0),
        "tiles": hand.tiles,
        "melds": melds(hand.melds),
        **(words_of(hand.win) if won else dict.fromkeys(Win._fields, "")),
        "liable": names.get(hand.liable_id or 0),
        "others": others(hand.others, list(names)),
        "counters": hand.counters or "",
        "sticks": hand.sticks or "",
        **calls_of(Calls.of(hand.calls).placed(list(names))),
        "claimed_final": "" if hand.checked or hand.claimed_limit else hand.final,
        "claimed_limit": hand.claimed_limit,
        "final": hand.final if counts else "",
        "payments": payments([paid.get(player, 0) for player in names]) if counts else "",
        "status": hand.status,
        "disputed_by": "" if counts else names.get(_disputed_by(game, hand) or 0),
    }
    return [cells[column] for column in COLUMNS]


def _disputed_by(game: Game, hand: Hand) -> int | None:
    """Who disputes ``hand``, or has taken their place; of several, the one who spoke first."""
    disputes = sorted(Confirmations(hand, hand.events.all()).disputes, key=attrgetter("pk"))
    who = disputes[0].player_id if disputes else None
    if who is None or any(who == player.pk for player in game.players):
        return who
    return plays_now(game)(who)


def _moment(at: datetime) -> str:
    return timezone.localtime(at).isoformat(sep=" ", timespec="seconds")
