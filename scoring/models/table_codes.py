"""The tables in the room, each with a printed code that is scanned to sit down."""

from django.db import models
from django.db.models.functions import Length, Lower, Trim
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .days import club_day
from .games import Game


class ClubTable(models.Model):
    """A table that people sit down at, and the digest of the code that lies on it.

    Only the digest is kept: whoever reads the database cannot print a card. A table whose code was
    revoked has none.

    :ivar game: the last game that was opened by the code.
    """

    name = models.CharField(_("name"), max_length=30)
    # NULL, and not an empty text, without a code: several tables may have none.
    digest = models.CharField(
        _("digest"), max_length=64, unique=True, null=True, blank=True, editable=False
    )
    game = models.ForeignKey(
        Game,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("last game"),
    )

    class Meta:
        # The shorter name first: table 9 stands before table 10.
        ordering = [Length("name"), Lower("name"), "pk"]
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [
            # Two cards that read alike would send people to each other's table.
            models.UniqueConstraint(
                Lower(Trim("name")),
                name="club_table_name_unique",
                violation_error_message=_("There is already a table of this name."),
            ),
            models.CheckConstraint(
                condition=~models.Q(name=""),
                name="club_table_has_a_name",
                violation_error_message=_("Give the table a number or a name."),
            ),
        ]

    def __str__(self) -> str:
        """The name; of a table that has a number, "Table 3"."""
        if self.name.isdecimal():
            return gettext("Table %(number)s") % {"number": self.name}
        return self.name

    def clean(self) -> None:
        self.name = " ".join(self.name.split())

    @property
    def game_in_play(self) -> Game | None:
        """The game of this evening that goes on at it."""
        game = self.game_of_this_evening
        return None if game is None or game.finished else game

    @property
    def game_just_over(self) -> Game | None:
        """The game of this evening that is over."""
        game = self.game_of_this_evening
        return game if game is not None and game.finished else None

    @property
    def game_of_this_evening(self) -> Game | None:
        """The last game opened by the code, if that was this evening and it counts."""
        if self.game is None or self.game.withdrawn or self.game.evening != club_day():
            return None
        return self.game
