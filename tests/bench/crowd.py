"""A club with very many hands: a demo that was played and recorded, and the same evenings again and again.

Playing and recording a hundred thousand hands would take most of an hour. So a few thousand are
recorded by the call that the pages use, and their rows are copied with earlier dates; the tallies are
what that many hands add up to.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import F

from scoring.demo.fill import fill
from scoring.demo.size import Size
from scoring.models import Game, Hand, League, Payment, Rating, Round, Seat, Tally
from scoring.story import store

RECORDED = 1000
PLAYERS = 40
ADDED_UP = ("points", "hands", "wins", "self_drawn", "discards", "games")
# What is copied, in the order of dependence, with the dates that move and the keys that follow.
COPIED: tuple[tuple[type[models.Model], tuple[str, ...], tuple[str, ...]], ...] = (
    (Game, ("started_at", "finished_at", "evening"), ()),
    (Seat, (), ("game_id",)),
    (Round, ("started_at",), ("game_id",)),
    (Hand, ("played_at", "logged_at"), ("game_id", "round_id")),
    (Payment, (), ("hand_id",)),
    (Rating, (), ("game_id",)),
)


def gather(hands: int) -> str:
    """Fill the empty database with about ``hands`` hands in one league; what it holds then."""
    recorded = min(hands, RECORDED)
    fill(Size(hands=recorded, players=PLAYERS, leagues=1))
    league = League.objects.get()
    first, last = (Hand.objects.order_by(order).first().played_at for order in ("pk", "-pk"))
    apart = timedelta(days=(last - first).days + 1)
    copies = hands // recorded
    with transaction.atomic():
        for copy in range(1, copies):
            _copy(copy, earlier=copy * apart)
        Tally.objects.update(**{field: F(field) * copies for field in ADDED_UP})
        league.starts_on -= copies * apart
        league.save()
    _catch_up()
    store.all_changed()
    return f"{Hand.objects.count()} hands in {Game.objects.count()} games of {PLAYERS} players"


def _copy(number: int, earlier: timedelta) -> None:
    for model, dates, keys in COPIED:
        # Far beyond the keys of what was recorded.
        step = number * 1_000_000
        originals = model.objects.filter(pk__lt=1_000_000).iterator()
        model.objects.bulk_create(_moved(originals, step, earlier, dates, keys), batch_size=500)


def _moved(
    originals: Iterator[models.Model],
    step: int,
    earlier: timedelta,
    dates: tuple[str, ...],
    keys: tuple[str, ...],
) -> Iterator[models.Model]:
    for row in originals:
        row.pk += step
        for key in keys:
            setattr(row, key, getattr(row, key) + step)
        if isinstance(row, Game):
            # Only the tables of tonight are still in play.
            row.ended_early = row.ended_early or not row.finished
            row.finished_at = row.finished_at or row.started_at + timedelta(hours=2)
        for date in dates:
            setattr(row, date, getattr(row, date) - earlier)
        yield row


def _catch_up() -> None:
    """Keys go on after the copies; PostgreSQL hears of its new size, as it soon would by itself."""
    tables = [model for model, _dates, _keys in COPIED]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE")
