"""Leagues: organisers start and change them, on pages and at the desk."""

from datetime import date
from typing import TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Min
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.models import League, RuleSetVersion, hidden_names
from scoring.models.permissions import Permission, User, check_permission
from scoring.models.refusals import (
    CLOSED_SEASON_KEEPS_ITS_DAYS,
    CLOSED_SEASON_KEEPS_ITS_RULES,
    NO_LAST_DAY,
    RUNS_UNTIL,
)

from .audit import log_audit, log_change, values_of
from .counting import lock_leagues
from .standing_rules import require_seen_rules

PAGES = frozenset(["new"])  # addresses beside those of leagues


class LeagueSettings(TypedDict, total=False):
    """What can be changed about a league."""

    name: str
    description: str
    ruleset_version: RuleSetVersion
    starts_on: date
    ends_on: date | None
    visibility: str
    hides_names: bool
    hours_to_answer: int | None


@transaction.atomic
def add_league(slug: str, *, by: User, **settings: Unpack[LeagueSettings]) -> League:
    """A new league with the address ``slug``; what ``settings`` leave out is as usual.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with what is wrong, by field.
    """
    check_permission(by, Permission.RUN_LEAGUES)
    if slug in PAGES:
        message = _("“%(slug)s” is the address of a page: choose another short name.")
        raise ValidationError({"slug": ValidationError(message % {"slug": slug}, code="taken")})
    _keep(settings.get("ruleset_version"))
    league = League(slug=slug, **settings)
    league.full_clean()
    league.save()
    log_audit("add_league", league, by=by)
    transaction.on_commit(hidden_names.forget)
    return league


@transaction.atomic
def change_league(league: League, *, by: User, **settings: Unpack[LeagueSettings]) -> League:
    """``league`` with other ``settings``. Its address stays: people and programs have kept it.

    Games that have begun keep the rules that they began with.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with what is wrong, by field.
    """
    check_permission(by, Permission.RUN_LEAGUES)
    # With the first season of the series: two seasons that change at once would else not see each other.
    lock_leagues(*{league.first_season_id or league.pk, league.pk})
    league = League.objects.get(pk=league.pk)
    _keep(settings.get("ruleset_version"))
    before = values_of(league, settings)
    _require_as_closed(league, settings)
    days = (league.starts_on, league.ends_on)
    for name, value in settings.items():
        setattr(league, name, value)
    league.full_clean()
    if (league.starts_on, league.ends_on) != days:
        _require_own_days(league)
        _require_days_of_games(league, since=days)
    league.save()
    log_change("change_league", league, by=by, before=before, after=values_of(league, settings))
    transaction.on_commit(hidden_names.forget)
    return league


def _keep(version: RuleSetVersion | None) -> None:
    """Keep the rules that a league takes from being deleted meanwhile.

    :raises ValidationError: if they were.
    """
    if version is None:
        return
    if not RuleSetVersion.objects.select_for_update().filter(pk=version.pk).values_list("pk"):
        message = _("These rules were deleted meanwhile: choose others.")
        raise ValidationError({"ruleset_version": ValidationError(message, code="unknown_ruleset")})


# What of a closed season stays as it is, and why.
FIXED_ONCE_CLOSED = {
    "starts_on": CLOSED_SEASON_KEEPS_ITS_DAYS,
    "ends_on": CLOSED_SEASON_KEEPS_ITS_DAYS,
    "ruleset_version": CLOSED_SEASON_KEEPS_ITS_RULES,
    "hours_to_answer": CLOSED_SEASON_KEEPS_ITS_RULES,
}


def _require_as_closed(league: League, settings: LeagueSettings) -> None:
    """:raises ValidationError: if what a closed season was played by would change."""
    if not league.closed:
        return
    problems = {
        name: ValidationError(why, code="season_closed")
        for name, why in FIXED_ONCE_CLOSED.items()
        if name in settings and settings[name] != getattr(league, name)  # type: ignore[literal-required]
    }
    if problems:
        raise ValidationError(problems)


def _require_own_days(league: League) -> None:
    """:raises ValidationError: if ``league`` runs on days of another season of its series."""
    for other in League.objects.seasons_of(league).exclude(pk=league.pk):
        if league.starts_on < other.starts_on:
            if league.ends_on is None or league.ends_on >= other.starts_on:
                message = _("%(league)s begins on %(day)s: let this season end before that day.")
                raise _overlap("ends_on", message, other, other.starts_on)
        elif other.ends_on is None:
            message = str(NO_LAST_DAY)
            raise _overlap("starts_on", message, other)
        elif league.starts_on <= other.ends_on:
            raise _overlap("starts_on", str(RUNS_UNTIL), other, other.ends_on)


def _require_days_of_games(league: League, *, since: tuple[date, date | None]) -> None:
    """:raises ValidationError: if a game that was played would lie before or after the days of ``league``.

    :param since: the days that it had. The one that stays is not asked about.
    """
    days = league.games.played().aggregate(first=Min("evening"), last=Max("evening"))
    starts_on, ends_on = since
    problems = {}
    if days["first"] and league.starts_on != starts_on and league.starts_on > days["first"]:
        message = _("A game was played on %(day)s already: let it begin on that day or before.")
        problems["starts_on"] = message % {"day": date_format(days["first"])}
    if days["last"] and league.ends_on not in (None, ends_on) and league.ends_on < days["last"]:
        message = _("A game was played on %(day)s: let it end on that day or later.")
        problems["ends_on"] = message % {"day": date_format(days["last"])}
    if problems:
        raise ValidationError(
            {name: ValidationError(text, code="played") for name, text in problems.items()}
        )


def _overlap(field: str, message: str, other: League, day: date | None = None) -> ValidationError:
    params = {"league": other.name, "day": date_format(day) if day else ""}
    return ValidationError({field: ValidationError(message % params, code="overlaps")})


@transaction.atomic
def delete_league(league: League, *, by: User, seen: int | None = None) -> None:
    """Delete a ``league`` in which nothing was ever played or booked.

    :param seen: the number of the newest version of its standing rules that the person saw; None asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if there is a game in it, also a withdrawn one, a closed evening or points,
        or if it was closed or later seasons follow it; with the code ``moved_on``, if its standing rules are others
        than those that were seen.
    """
    check_permission(by, Permission.RUN_LEAGUES)
    league = League.objects.select_for_update().get(pk=league.pk)
    if reason := why_it_stays(league):
        raise ValidationError(reason, code="used")
    require_seen_rules(league, seen)
    log_audit("delete_league", league, by=by, name=league.name)
    league.delete()
    transaction.on_commit(hidden_names.forget)


def why_it_stays(league: League) -> str:
    """Why ``league`` cannot be deleted; empty if it can."""
    rows = (league.games, league.closures, league.adjustments, league.tallies)
    if any(some.exists() for some in (*rows, league.evening_payments)):
        return _("There are games or other points in this league: it stays, and can end on a day.")
    if league.later_seasons.exists():
        return _("Another season follows this one: it stays.")
    if league.season_closures.exists():
        return _("This season was closed, and its final table is kept: it stays.")
    return ""
