"""Compare the stored sums of the story with what the hands of a league say."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from scoring.models import Game, League, StoryChange, StorySum
from scoring.story.evenings import VERSION, evenings_of
from scoring.story.store import ByPlayer, within

from .differences import Difference, deepest


def story_differences(league: League) -> Iterator[Difference]:
    """Where the sums of evenings, months, years and all of ``league`` are stored differently.

    Evenings that wait to be worked out are left out.
    """
    games = Game.objects.filter(league=league).order_by()
    there = StorySum.objects.filter(league=league, version=VERSION).order_by()
    marked = StoryChange.objects.filter(league=league).values("evening")
    days = defaultdict(set)
    for day in games.exclude(evening__in=marked).values_list("evening", flat=True).distinct():
        days[day.isoformat()[:7]].add(day)
    if not there.exists():
        return
    for month in sorted(days):
        computed = evenings_of(league.pk, days[month])
        for day in sorted(days[month]):
            yield from _of_span(league, day.isoformat(), computed.get(day, {}))
    for span in sorted(set(there.exclude(within="").values_list("within", flat=True))):
        yield from _of_span(league, span, within(league.pk, span))


def _of_span(league: League, span: str, computed: ByPlayer) -> Iterator[Difference]:
    rows = StorySum.objects.filter(league=league, span=span).select_related("player")
    stored = {row.player_id: row for row in rows}
    for pk in {**computed, **stored}:
        row, figures = stored.get(pk), computed.get(pk)
        before = row and row.figures
        if before != figures:
            differs = partial(Difference, league.slug, player=row.player.name if row else f"#{pk}")
            yield differs(*deepest(f"story.{span}", before, figures))
