"""The standing rules of a league: organisers make versions, each from a day on. None is changed."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import League, Player, StandingRules
from scoring.models.permissions import (
    Account,
    Permission,
    User,
    check_not_closed,
    check_permission,
)
from scoring.models.standing_people import with_player
from scoring.models.standing_rules import names_of_people

from .audit import log_audit


@transaction.atomic
def change_standing_rules(
    league: League,
    tables: Sequence[Any],
    *,
    effective_from: date,
    by: User,
    seen: int | None = None,
) -> StandingRules | None:
    """Let the ``tables`` of ``league`` be worked out so from the day ``effective_from`` on.

    They are until the day of the next version, if there is one of a later day. Tables of earlier days
    stay as they were. No tables at all: by the sum of the points again. What holds on that day already
    is not said again: None, if that is the sum of the points without any version.

    :param seen: the number of the newest version that the person saw; 0 before the first one.
    :raises PermissionDenied: unless ``by`` is an organiser; if the season is closed.
    :raises ValidationError: with what is wrong, by field; or if there is a newer version than the one
        that was seen.
    """
    account = check_permission(by, Permission.RUN_LEAGUES)
    league = _lock(league, seen)
    version = _version(league, tables, effective_from, account)
    held = StandingRules.objects.in_force([league], effective_from).get(league.pk)
    if version.tables == (held.tables if held else []):
        return held
    _save(version)
    log_audit("change_standing_rules", league, by=account, **_audit_details(version))
    return version


@transaction.atomic
def undo_standing_rules(league: League, *, by: User, seen: int) -> StandingRules:
    """Take the newest version back: a new one says, from the same day on, what held there before.

    :param seen: the number of the version that is taken back.
    :raises PermissionDenied: unless ``by`` is an organiser; if the season is closed.
    :raises ValidationError: if there is none, or a newer version.
    """
    account = check_permission(by, Permission.RUN_LEAGUES)
    league = _lock(league, seen)
    newest = league.standing_rules.order_by("number").last()
    if newest is None:
        raise ValidationError(_("This league has no standing rules."), code="none")
    held = league.standing_rules.filter(
        number__lt=newest.number, effective_from__lte=newest.effective_from
    )
    before = held.order_by("effective_from", "number").last()
    tables = before.tables if before else []
    version = _version(league, tables, newest.effective_from, account)
    _save(version)
    log_audit("undo_standing_rules", league, by=account, **_audit_details(version))
    return version


def rename_in_standing_rules(gone: Player, kept: Player) -> None:
    """Name ``kept`` wherever standing rules name ``gone``: they are one person."""
    for version in StandingRules.objects.exclude(tables=[]):
        tables = with_player(version.tables, gone.pk, kept.pk)
        if tables != version.tables:
            StandingRules.objects.filter(pk=version.pk).update(tables=tables)


def _lock(league: League, seen: int | None) -> League:
    """Lock ``league``.

    :raises PermissionDenied: if its season is closed.
    :raises ValidationError: if there is another version than the one ``seen``.
    """
    league = League.objects.select_for_update(no_key=True).get(pk=league.pk)
    check_not_closed(league)
    require_seen_rules(league, seen)
    return league


def require_seen_rules(league: League, seen: int | None) -> None:
    """:raises ValidationError: if ``league``, which is locked, has another version than the one ``seen``."""
    if seen is not None and league.standing_versions != seen:
        message = _("Somebody changed the standing rules meanwhile: look at them again.")
        raise ValidationError(message, code="moved_on")


def _version(league: League, tables: Any, effective_from: date, account: Account) -> StandingRules:
    """The next version of ``league``, not saved yet.

    :raises ValidationError: with what is wrong, by field.
    """
    version = StandingRules(
        league=league,
        number=league.standing_versions + 1,
        effective_from=effective_from,
        tables=tables,
        made_by=account,
    )
    version.full_clean()
    return version


def _save(version: StandingRules) -> None:
    version.save(force_insert=True)
    version.league.standing_versions = version.number
    version.league.save(update_fields=["standing_versions"])


def _audit_details(version: StandingRules) -> dict[str, Any]:
    """What the audit says of ``version``."""
    return {
        "version": version.number,
        "effective_from": version.effective_from.isoformat(),
        "sentences": version.in_one_text(names_of_people(version.rules)),
    }
