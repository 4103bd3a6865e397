"""The evenings of a league after which somebody paid: what was won there was lost there."""

from collections.abc import Iterator

from scoring.models import EveningPayment, Game, League
from scoring.models.settlement import settlement_of

from .differences import Difference


def settlement_differences(league: League) -> Iterator[Difference]:
    """The settled evenings whose points do not add up to 0 though all games are over."""
    paid = EveningPayment.objects.filter(league=league).order_by("day")
    for day in paid.values_list("day", flat=True).distinct():
        going_on = Game.objects.open().filter(league=league, evening=day)
        missing = settlement_of(league, day).on_the_table
        if missing and not going_on.exists():
            why = "what is won and lost adds up to 0: see which hand does not."
            yield Difference(league.slug, f"points of {day}", -missing, why, repairable=False)
