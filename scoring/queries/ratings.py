"""How ratings came about: after each evening, after each game."""

from dataclasses import dataclass
from datetime import date

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from scoring.models import League, Player, Rating
from scoring.models.tallies import RatingBand

# How many evenings a picture shows.
EVENINGS = 200


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating at the end of an evening, in whole points, between ``low`` and ``high`` most probably."""

    day: date
    band: RatingBand

    @property
    def rating(self) -> int:
        return self.band.rating

    @property
    def low(self) -> int:
        return self.band.low

    @property
    def high(self) -> int:
        return self.band.high


def rating_points(player: Player, league: League, *, last: int = EVENINGS) -> list[RatingPoint]:
    """The ratings of ``player`` in ``league``, one an evening, the oldest first; the ``last`` of them.

    One query. Who has finished no game has none.
    """
    newest = Window(
        RowNumber(),
        partition_by="game__evening",
        order_by=[F("game__finished_at").desc(), F("game_id").desc()],
    )
    rows = Rating.objects.filter(player=player, game__league=league).annotate(line=newest)
    evenings = rows.filter(line=1).order_by("-game__evening").annotate(day=F("game__evening"))
    points = [
        RatingPoint(day, RatingBand.of(mu, sigma))
        for day, mu, sigma in evenings.values_list("day", "mu", "sigma")[:last]
    ]
    return points[::-1]
