"""People who have sat down at a table and wait for the others, and counts of wrong guesses."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.tiles import WINDS
from scoring.evaluator.tiles import Wind as TileWind

from .days import club_day, day_begins
from .people import Player
from .permissions import PersonName
from .table_codes import ClubTable


class WaitingSeatQuerySet(models.QuerySet["WaitingSeat"]):
    def waiting(self) -> "WaitingSeatQuerySet":
        """The seats that were taken this evening: those of another evening are free."""
        return self.filter(taken_at__gte=day_begins(club_day()))

    def stale(self) -> "WaitingSeatQuerySet":
        """The seats of another evening, at which no game began."""
        return self.filter(taken_at__lt=day_begins(club_day()))


class WaitingSeat(models.Model):
    """A seat that was taken at a table where no game has begun yet; it goes when one begins.

    A guest who is new here has a name only: the player is added when the game begins.

    :ivar by: the account that was signed in on the phone; None for a PIN, or a guest's own phone.
    """

    # Who waits has not played yet: nothing is lost if the row goes with its table, player or account.
    table = models.ForeignKey(ClubTable, on_delete=models.CASCADE, related_name="waiting_seats")
    place = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    guest_name = PersonName(max_length=80, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    taken_at = models.DateTimeField(default=timezone.now)

    objects = WaitingSeatQuerySet.as_manager()

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "place"], name="waiting_seat_taken_once"),
            # At all tables together. Guests have no player, and NULL is equal to no other NULL.
            models.UniqueConstraint(fields=["player"], name="player_waits_once"),
            models.UniqueConstraint(
                Lower("guest_name"), condition=~Q(guest_name=""), name="guest_waits_once"
            ),
            models.CheckConstraint(condition=Q(place__lte=3), name="waiting_seat_is_one_of_four"),
            models.CheckConstraint(
                condition=Q(player__isnull=False, guest_name="")
                | (Q(player__isnull=True) & ~Q(guest_name="")),
                name="waiting_seat_is_a_players_or_a_guests",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.place}: {self.name}"

    @property
    def name(self) -> str:
        """Who sits here."""
        return str(self.player) if self.player else self.guest_name

    @property
    def wind(self) -> TileWind:
        """The seat's wind in the first hand."""
        return WINDS[self.place]


class TryCount(models.Model):
    """How many wrong passwords, codes or PINs came under one key lately.

    :ivar digest: of the key, so that nobody reads here who was guessed at.
    """

    digest = models.CharField(max_length=64, unique=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failed_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("count of wrong tries")
        verbose_name_plural = _("counts of wrong tries")

    def __str__(self) -> str:
        return self.digest
