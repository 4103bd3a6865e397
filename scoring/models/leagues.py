"""Leagues: a club night, a season, a tournament. Each has its rule set and its table."""

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .days import club_day
from .names import clean_name_of
from .permissions import PUBLIC, Description, User, in_visible_league
from .refusals import DAY_OUT_OF_RANGE
from .rulesets import RuleSetVersion


class LeagueQuerySet(models.QuerySet["League"]):
    def visible_to(self, user: User) -> "LeagueQuerySet":
        return self.filter(in_visible_league(user))

    def running(self) -> "LeagueQuerySet":
        """Leagues in which a game can be started today."""
        today = club_day()
        unended = Q(ends_on__isnull=True) | Q(ends_on__gte=today)
        return self.filter(unended, starts_on__lte=today, closed_on__isnull=True)

    def seasons_of(self, league: "League") -> "LeagueQuerySet":
        """All seasons of the series of ``league``, the newest first."""
        first = league.first_season_id or league.pk
        seasons = self.filter(Q(pk=first) | Q(first_season=first))
        return seasons.order_by("-starts_on", "-pk")


# Nobody plays outside of these days: they are slips of the pen.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)
# Who asks for a table as of a day that has not come yet.
TO_COME = _("This day is still to come: give today or an earlier one.")


class League(models.Model):
    """Games that are ranked together under one version of one rule set: one season of play.

    Seasons that follow each other are leagues of one series; ``first_season`` names its first one.
    """

    class Visibility(models.TextChoices):
        PUBLIC = PUBLIC, _("Everybody")
        MEMBERS = "members", _("Members only")

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("short name"), unique=True, max_length=60)
    description = Description(_("description"), blank=True)
    ruleset_version = models.ForeignKey(
        RuleSetVersion,
        on_delete=models.PROTECT,
        related_name="leagues",
        verbose_name=_("rule set"),
        help_text=_("New games are scored by it. Games already begun keep theirs."),
    )
    starts_on = models.DateField(_("first day"), default=club_day)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    visibility = models.CharField(
        _("visible to"), max_length=10, choices=Visibility, default=Visibility.PUBLIC
    )
    hides_names = models.BooleanField(
        _("hide names from visitors"),
        default=False,
        help_text=_(
            "Whoever is not signed in sees initials instead of the names of those who play here, on "
            "every page. First names that somebody types in a reason stay."
        ),
    )

    hours_to_answer = models.PositiveSmallIntegerField(
        _("hours to answer"),
        null=True,
        blank=True,
        default=24,
        validators=[MinValueValidator(1)],
        help_text=_(
            "How long the other three may confirm or dispute a hand; then it counts as accepted. "
            "Empty: nobody is asked."
        ),
    )

    # How many versions of standing rules there are: 0 spares every page the question.
    standing_versions = models.PositiveIntegerField(
        _("versions of standing rules"), default=0, editable=False
    )

    # The first of the series, and not the one before: all seasons of a series are read by one query.
    first_season = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="later_seasons",
        verbose_name=_("first season"),
        help_text=_("Empty for the first season of a series."),
    )
    # The closure in force says who closed it; this spares every page the question.
    closed_on = models.DateField(_("closed on"), null=True, blank=True, editable=False)

    objects = LeagueQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_on", "name", "pk"]
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="league_ends_after_it_starts",
                violation_error_message=_("The last day of a league lies before its first day."),
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=["public", "members"]), name="league_visibility_known"
            ),
            models.CheckConstraint(
                condition=Q(hours_to_answer__isnull=True) | Q(hours_to_answer__gte=1),
                name="league_leaves_time_to_answer",
            ),
            models.CheckConstraint(
                condition=Q(first_season__isnull=True) | ~Q(first_season=F("id")),
                name="season_follows_another",
            ),
            # A final table is of a season that is over, and its days stay what they were when it was closed.
            models.CheckConstraint(
                condition=Q(closed_on__isnull=True)
                | Q(ends_on__isnull=False, closed_on__gte=F("ends_on")),
                name="season_closed_at_its_end",
                violation_error_message=_(
                    "The season is closed: open it again to change its last day."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league", args=[self.slug])

    def clean(self) -> None:
        problems: dict[str, Any] = {}
        try:
            self.name = clean_name_of(self)
        except ValidationError as error:
            problems |= error.error_dict
        if not self.name.strip():
            problems["name"] = _("A league needs a name.")
        for field in ("starts_on", "ends_on"):
            day = getattr(self, field)
            if isinstance(day, date) and not FIRST_DAY <= day <= LAST_DAY:
                problems[field] = DAY_OUT_OF_RANGE
        if problems:
            raise ValidationError(problems)

    def runs_on(self, day: date) -> bool:
        """Whether ``day`` is one of its days, so that a game can be played in it."""
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)

    @property
    def is_public(self) -> bool:
        """Whether visitors see it, too."""
        return self.visibility == self.Visibility.PUBLIC

    @property
    def over(self) -> bool:
        """Whether its last day has passed: from then on only organisers change what was played."""
        return self.ends_on is not None and self.ends_on < club_day()

    @property
    def closed(self) -> bool:
        """Whether its table is final: until it is opened again, nobody changes what was played."""
        return self.closed_on is not None

    @property
    def running(self) -> bool:
        """Whether a game can be started in it today."""
        return self.runs_on(club_day()) and not self.closed
