"""The people at the tables. A player is not a user: most clubs have guests who never sign in."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Trim
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .hidden_names import hiding
from .letters import PlainLetters, plain_letters
from .names import check_not_reserved, clean_name_of
from .permissions import Permission, PersonName, User, can, in_visible_league, is_organiser

# The groups of the roles that are given to members. Who owns the club is in both.
ORGANISERS_GROUP = "Organisers"
OWNERS_GROUP = "Owners"


class PlayerQuerySet(models.QuerySet["Player"]):
    def visible_to(self, user: User) -> "PlayerQuerySet":
        """Members see everybody; a visitor sees who plays in a public league."""
        if can(user, Permission.SEE_EVERYBODY):
            return self
        visible = in_visible_league(user, "tallies__league__")
        plays_there = self.model.objects.filter(visible, pk=models.OuterRef("pk"))
        return self.filter(models.Exists(plays_there))

    def named(self, part: str) -> "PlayerQuerySet":
        """Those with ``part`` in their name. A visitor finds nobody whose name is hidden.

        Accents and capitals do not matter: "zoe" finds Zoë, and "ZOË" finds Zoe.
        """
        players = self.alias(letters=PlainLetters("name")).filter(
            letters__contains=plain_letters(part)
        )
        return players.exclude(now.players) if (now := hiding()) else players

    def active(self) -> "PlayerQuerySet":
        return self.filter(active=True)


class Player(models.Model):
    """A person who sits down at a table."""

    name = PersonName(
        _("name"),
        max_length=80,
        help_text=_("As it should appear in the league table. Two players never share a name."),
    )
    # Whoever leaves takes the account along; what was played stays that of the player.
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="player",
        verbose_name=_("account"),
        help_text=_("The account this player signs in with. A guest has none."),
    )
    active = models.BooleanField(
        _("active"),
        default=True,
        help_text=_("Players who left keep their hands; they are no longer offered a seat."),
    )
    guest = models.BooleanField(
        _("guest"),
        default=False,
        help_text=_(
            "Added at a table; a member from the day an organiser says so, or with an account."
        ),
    )
    hides_name = models.BooleanField(
        _("hide the name from visitors"),
        default=False,
        help_text=_("Whoever is not signed in sees initials instead of the name, in every league."),
    )
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)
    # A page that shows the name before is not the newest any more.
    renamed_at = models.DateTimeField(_("renamed"), null=True, blank=True, editable=False)
    anonymous_since = models.DateTimeField(
        _("anonymous since"), null=True, blank=True, editable=False
    )
    # Only its hash. It is checked and counted in scoring.services.pins, and never leaves the database.
    pin = models.CharField(_("PIN"), max_length=128, blank=True, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = [PlainLetters("name"), "pk"]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [("organise_club", "Can run the club: leagues, players, every table")]
        constraints = [
            models.UniqueConstraint(
                Lower(Trim("name")),
                name="player_name_unique",
                violation_error_message=_(
                    "There is already a player of this name: add an initial to tell them apart."
                ),
            ),
            models.CheckConstraint(
                condition=~Q(name=""),
                name="player_has_a_name",
                violation_error_message=_("A player needs a name."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])

    @property
    def plain_name(self) -> str:
        """The name in small letters without accents, as somebody may type it who looks for it."""
        return plain_letters(self.name)

    def clean(self) -> None:
        self.name = clean_name_of(self)
        if not (self.pk and Player._base_manager.filter(pk=self.pk, name=self.name).exists()):
            check_not_reserved(self.name)

    @property
    def anonymous_name(self) -> str:
        """What stands in place of the name of somebody who is anonymous: N. N., in every language."""
        return f"N. N. {self.pk}"


def person_name(user: User | None, *, reader: User | None = None) -> str:
    """How pages and answers name ``user``: by the name at the table, not by the account.

    Who has no player is "a member"; to an organiser who reads, the account. Select ``player``
    along with ``user`` in lists.
    """
    if user is None:
        return gettext("a former member")
    if player := getattr(user, "player", None):
        return str(player.name)
    if reader is not None and is_organiser(reader):
        return gettext("account %(account)s") % {"account": user.get_username()}
    return gettext("a member")
