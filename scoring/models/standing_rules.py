"""The standing rules of a league, as versions: each holds from a day until another one does."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .days import club_day
from .leagues import FIRST_DAY, LAST_DAY, League
from .people import Player
from .permissions import current_reader
from .refusals import DAY_OUT_OF_RANGE
from .standing_settings import Names, TableSettings, read_tables
from .standing_values import SettingsError

# Once a season is closed, no version of a later day holds for it.
IN_SEASON = Q(league__closed_on=None) | Q(effective_from__lte=F("league__closed_on"))


class StandingRulesQuerySet(models.QuerySet["StandingRules"]):
    def in_force(self, leagues: Iterable[League], day: date) -> "dict[int, StandingRules]":
        """The version by which each of ``leagues`` is ranked on ``day``, by the league's id.

        One query; none where no league has ever had standing rules. After the day on which a season
        was closed no other version holds.
        """
        with_rules = [league for league in leagues if league.standing_versions]
        if not with_rules:
            return {}
        versions = self.filter(IN_SEASON, league__in=with_rules, effective_from__lte=day)
        # The last one that is written for a league is the one that holds.
        return {row.league_id: row for row in versions.order_by("effective_from", "number")}

    def next_after(self, league: League, day: date) -> "StandingRules | None":
        """The version that holds next in ``league``, in the place of the one that holds on ``day``."""
        later = self.filter(IN_SEASON, league=league, effective_from__gt=day)
        return later.order_by("effective_from", "-number").first()


class StandingRules(models.Model):
    """One version of how the tables of a league are worked out, from the day ``effective_from`` on.

    The table of a day is worked out by the version that holds on that day, with all that was played
    until then. A version without tables means: as usual, by the sum of the points. A version never
    changes, but for the ids of players whose records are merged.
    """

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="standing_rules", verbose_name=_("league")
    )
    number = models.PositiveIntegerField(_("version"))
    effective_from = models.DateField(_("holds from"), default=club_day)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )

    objects = StandingRulesQuerySet.as_manager()

    class Meta:
        ordering = ["league", "-number"]
        verbose_name = _("standing rules")
        verbose_name_plural = _("standing rules")
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="standing_rules_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="standing_rules_count_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"

    def clean(self) -> None:
        """Keep ``tables`` in their shortest form.

        :raises ValidationError: every problem, at the way to it, such as ``tables.0.minimum.count``.
        """
        if not FIRST_DAY <= self.effective_from <= LAST_DAY:
            raise ValidationError(
                {"effective_from": ValidationError(DAY_OUT_OF_RANGE, code="invalid")}
            )
        try:
            rules = read_tables(self.tables)
        except SettingsError as error:
            raise as_validation_error(error) from error
        people = {pk for table in rules for pk in table.people}
        missing = people.difference(
            Player.objects.filter(pk__in=people).values_list("pk", flat=True)
        )
        if missing:
            message = _("There is no player with the id %(id)s.") % {"id": min(missing)}
            raise ValidationError({"tables": ValidationError(message, code="does_not_exist")})
        self.tables = [table.as_data() for table in rules]
        self.__dict__.pop("rules", None)

    @cached_property
    def rules(self) -> tuple[TableSettings, ...]:
        """The rules of each table, with its name and those of its teams as the reader may read them.

        :raises SettingsError: if what is stored is none.
        """
        return tuple(map(_as_read, read_tables(self.tables)))

    @property
    def shown_tables(self) -> list[dict[str, Any]]:
        """``tables`` as the reader may read them."""
        return [table.as_data() for table in self.rules]

    def in_words(self) -> list[list[str]]:
        """The sentences of each table, with the names of players. One query, or none."""
        names = names_of_people(self.rules)
        return [table.in_words(names) for table in self.rules]

    def in_one_text(self, names: Names) -> str:
        """The sentences of all tables, each after the name of its table, as the audit tells them."""
        return " ".join(f"{table.name}: {' '.join(table.in_words(names))}" for table in self.rules)


def _as_read(table: TableSettings) -> TableSettings:
    """``table`` without the names of people that are hidden from whoever reads."""
    reader = current_reader()
    if reader is None:
        return table
    teams = tuple(replace(team, name=reader.reason(team.name)) for team in table.teams)
    return replace(table, name=reader.reason(table.name), teams=teams)


def names_of_people(tables: Iterable[TableSettings]) -> dict[int, str]:
    """The name of each player whom ``tables`` name, by id. One query; none if they name nobody."""
    people = {pk for table in tables for pk in table.people}
    players = Player.objects.filter(pk__in=people).values_list("pk", "name") if people else ()
    return dict.fromkeys(people, "…") | dict(players)


def as_validation_error(error: SettingsError) -> ValidationError:
    """Every problem of ``error`` at the way to it, with its code."""
    by_field: dict[str, list[ValidationError]] = {}
    for problem in error.problems:
        field = ".".join(map(str, problem.path))
        by_field.setdefault(field, []).append(
            ValidationError(str(problem.message), code=problem.code)
        )
    return ValidationError(by_field)
