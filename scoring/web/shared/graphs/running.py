"""Points that add up, step by step, as a picture of lines."""

from collections.abc import Iterable, Mapping
from datetime import date

from django.utils.translation import gettext as _

from scoring.figures import signed
from scoring.queries.graphs import Course

from ..names import short_names
from .drawing import thinned
from .graph import Graph, short_day
from .lines import MOST_PLACES, Series, lines


def running(name: str, title: str, course: Course, names: Mapping[int, str]) -> Graph | None:
    """The ``course`` of the players whose ``names`` are known (by id), in their order; None without a step."""
    if not course.steps or not names:
        return None
    short = dict(zip(names, short_names(list(names.values())), strict=True))
    places = thinned(len(course.steps) + 1, MOST_PLACES)
    by_day = isinstance(course.steps[0], date)
    below = ["", *map(_step, course.steps)]
    series = [Series(short[pk], [course.totals[pk][at] for at in places]) for pk in names]
    return Graph(
        name=name,
        title=title,
        described="; ".join(f"{names[pk]} {signed(course.totals[pk][-1])}" for pk in names),
        drawing=lines(series, [below[at] for at in places]),
        headings=[_("Day") if by_day else _("Hand"), *short.values()],
        rows=[[below[at], *(signed(course.totals[pk][at]) for pk in names)] for at in places if at],
        note=_left_out(len(course.steps), len(places) - 1, by_day=by_day),
    )


def most_first(course: Course) -> Iterable[int]:
    """The players (ids) of ``course``, who has most in the end first."""
    return sorted(course.totals, key=lambda pk: -course.totals[pk][-1])


def _step(step: date | int | None) -> str:
    if isinstance(step, date):
        return short_day(step)
    return str(step) if step is not None else _("Other points")


def _left_out(steps: int, shown: int, *, by_day: bool) -> str:
    if steps == shown:
        return ""
    counts = {"shown": shown, "steps": steps}
    if by_day:
        return _("%(shown)s of %(steps)s days are shown.") % counts
    return _("%(shown)s of %(steps)s hands are shown.") % counts
