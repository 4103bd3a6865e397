"""The club's own settings. What its page leaves open, the environment of the server says."""

from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DatabaseError, models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.site.club_time import is_time_zone

from .names import clean_name_of
from .remembered import REMEMBERED_FOR, Remembered


def require_time_zone(name: str) -> None:
    """:raises ValidationError: if no clock runs by that name."""
    if not is_time_zone(name):
        raise ValidationError(_("Name a time zone such as Europe/Amsterdam."), code="time_zone")


class Club(models.Model):
    """One row, with the key 1. It may be missing: then everything is as the environment says."""

    class Colour(models.TextChoices):
        """The accent of the club's sheet; each is legible on paper and at night."""

        JADE = "jade", _("jade")
        INK = "ink", _("ink blue")
        PLUM = "plum", _("plum")
        LACQUER = "lacquer", _("lacquer red")

    name = models.CharField(_("name of the club"), max_length=60, blank=True)
    language = models.CharField(
        _("language"),
        max_length=12,
        blank=True,
        choices=settings.LANGUAGES,
        help_text=_("For whoever has chosen none, and whose browser asks for none that there is."),
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=60,
        blank=True,
        validators=[require_time_zone],
        help_text=_("Such as Europe/Amsterdam."),
    )
    colour = models.CharField(
        _("colour of its sheet"), max_length=12, choices=Colour.choices, default=Colour.JADE
    )
    hides_names = models.BooleanField(
        _("hide names from visitors"),
        default=False,
        help_text=_(
            "Whoever is not signed in sees initials instead of names. First names that somebody types "
            "in a reason stay."
        ),
    )
    owners_need_second_factor = models.BooleanField(
        _("owners need a second factor"),
        default=False,
        help_text=_("Owners sign in with a passkey, or with a code besides their password."),
    )

    rates_across_leagues = models.BooleanField(
        _("ratings across leagues"),
        default=False,
        help_text=_(
            "One more rating for each player, over all games of all leagues. Members see it; each league "
            "keeps its own."
        ),
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        permissions = [("own_club", "Can own the club: its settings, owners, the audit")]
        constraints = [
            models.CheckConstraint(
                condition=Q(pk=1),
                name="club_is_one",
                violation_error_message=_("This site is for one club."),
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(settings.SITE_NAME)

    def clean(self) -> None:
        self.name = clean_name_of(self)

    @property
    def language_code(self) -> str:
        """The language of the club: its own, else the environment's."""
        return self.language or str(settings.LANGUAGE_CODE)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the club: its own, else the environment's."""
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)


def rates_across_leagues() -> bool:
    """Whether the club wishes ratings across leagues, as the database says now."""
    return Club.objects.filter(pk=1, rates_across_leagues=True).exists()


_remembered = Remembered(lambda: Club.objects.first() or Club())


def current_club() -> Club:
    """The settings of the club, read at most every ``REMEMBERED_FOR`` seconds by each worker."""
    return _remembered.get()


def known_club() -> Club:
    """:func:`current_club`; where the database cannot answer, what was known before."""
    try:
        return current_club()
    except DatabaseError:
        return _remembered.latest(otherwise=Club())


def club_zone() -> ZoneInfo:
    """The time zone of the club: what :func:`current_club` says, else the environment."""
    return current_club().zone


def remember(club: Club, seconds: float = REMEMBERED_FOR) -> Club:
    """Let :func:`current_club` answer ``club`` for that time."""
    return _remembered.remember(club, seconds)


def forget() -> None:
    """Let :func:`current_club` read the settings of the club anew."""
    _remembered.forget()
