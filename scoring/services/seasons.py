"""Closing a season, opening it again, and beginning the next one."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.models import (
    EveningTerms,
    FinalRow,
    League,
    Player,
    SeasonClosure,
    StandingRules,
    Tally,
    club_day,
    hidden_names,
)
from scoring.models.left_open import LeftOpen, left_open_in
from scoring.models.permissions import Account, Permission, User, check_permission
from scoring.models.refusals import NO_LAST_DAY, RUNS_UNTIL, SEASON_CHANGED
from scoring.models.standing_people import without_players
from scoring.models.standing_settings import TableSettings

from . import reasons
from .audit import log_audit
from .confirmations import settle_hand
from .counting import lock_leagues, lock_season
from .games import finish_game
from .late_hands import decline_late_hand
from .withdrawals import withdraw_game

# Works out the lines of the final tables, not saved yet: ``scoring.queries.seasons.final_rows``.
FinalRows = Callable[[League], Sequence[FinalRow]]


class Decision(StrEnum):
    """What is done about something open when a season is closed."""

    COUNT = "count"  # a game ends where it stands; a hand counts as it was entered
    LEAVE_OUT = "leave_out"  # it counts for nobody
    WAIT = "wait"  # the season stays open


@transaction.atomic
def close_season(
    league: League,
    *,
    by: User,
    final_rows: FinalRows,
    decisions: Mapping[str, str] | None = None,
    reason: str = "",
    expected_etag: str = "",
) -> SeasonClosure | None:
    """Decide what is open in ``league``, and make its table final; None while something waits.

    What is decided is carried out, also while something else waits. A game that is left out is
    withdrawn, a disputed hand stays disputed, and a late hand is declined.

    :param decisions: by :func:`key_of` of what is open, and by ``unchecked`` for all hands whose score a
        table worked out itself; what is not named waits.
    :param reason: why something is left out, or a dispute is settled.
    :param expected_etag: the ``etag`` of what was open when the person decided; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if the season has not ended or is closed already; without a reason where one
        is needed; with the code ``moved_on`` if other things are open now than were seen.
    :raises ValueError: if ``final_rows`` gives lines of others than the league's players and teams, or other points.
    """
    by = check_permission(by, Permission.CLOSE_A_SEASON)
    league = lock_season(league)
    if refusal := why_not_closed(league):
        raise _problem(*refusal)
    left = left_open_in(league)
    if expected_etag and expected_etag != left.etag:
        raise _problem("moved_on", str(SEASON_CHANGED))
    decided = _Decided(left, decisions or {})
    _carry_out(decided, by, reasons.required(reason) if decided.needs_reason else "")
    if decided.waits:
        return None
    closure = _freeze(league, final_rows, by)
    left_out = [hand.pk for hand in decided.disputed_left_out]
    log_audit(
        "close_season",
        closure,
        by=by,
        **({"left_out": left_out, "reason": reason} if left_out else {}),
    )
    return closure


def key_of(row: Any) -> str:
    """How a decision names something open: ``game-3``, ``hand-12``, ``latehand-5``."""
    return f"{row._meta.model_name}-{row.pk}"


def why_not_closed(league: League) -> tuple[str, str] | None:
    """Why the season of ``league`` cannot be closed (a code and a sentence); None if it can."""
    if league.closed:
        return "closed", _("This season is closed already.")
    if league.ends_on is None:
        return "no_last_day", _("This season has no last day yet: give it one first.")
    if league.ends_on > club_day():
        message = _("This season runs until %(day)s: it can be closed from that day on.")
        return "not_over", message % {"day": date_format(league.ends_on)}
    return None


def why_none_follows(league: League) -> tuple[str, str] | None:
    """Why no season can be added after ``league`` (a code and a sentence); None if one can."""
    if League.objects.seasons_of(league).filter(starts_on__gt=league.starts_on).exists():
        return "not_the_last", _("Another season follows this one already.")
    if league.ends_on is None:
        return "no_last_day", str(NO_LAST_DAY) % {"league": league.name}
    return None


@transaction.atomic
def reopen_season(league: League, *, by: User, reason: str) -> SeasonClosure:
    """Open a closed season again: organisers may change what was played, and close it anew.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: without a reason, or if the season is not closed.
    """
    by = check_permission(by, Permission.CLOSE_A_SEASON)
    reason = reasons.required(reason)
    league = lock_season(league)
    closure = SeasonClosure.objects.in_force().filter(league=league).first()
    if closure is None:
        raise _problem("open", _("This season is open."))
    closure.reopened_at, closure.reopened_by, closure.reason = timezone.now(), by, reason
    closure.save()
    closure.rows.all().delete()
    league.closed_on = None
    league.save(update_fields=["closed_on"])
    log_audit("reopen_season", closure, by=by, reason=reason)
    return closure


@transaction.atomic
def add_season(
    league: League, slug: str, *, name: str, starts_on: date, ends_on: date | None, by: User
) -> League:
    """The season after ``league``, with the address ``slug``: its rules and settings are copied.

    Standing rules, stake and hall fee are those of its last day; standing rules are copied without
    players who no longer play. Ratings are carried over when somebody first sits down
    (:func:`scoring.services.tallies.open_for`).

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with what is wrong, by field; if there is a later season already.
    """
    account = check_permission(by, Permission.RUN_LEAGUES)
    first = league.first_season_id or league.pk
    lock_leagues(*{first, league.pk})
    league = League.objects.get(pk=league.pk)
    last_day = _require_last(league, starts_on)
    new = League(
        slug=slug,
        name=name,
        starts_on=starts_on,
        ends_on=ends_on,
        first_season_id=first,
        **{column: getattr(league, column) for column in COPIED},
    )
    new.full_clean()
    new.save()
    _copy_rules(league, last_day, new, account)
    log_audit("add_season", new, by=account, after=league.pk)
    transaction.on_commit(hidden_names.forget)
    return new


# What a season has from the one before it.
COPIED = ("description", "ruleset_version", "visibility", "hides_names", "hours_to_answer")


class _Decided:
    """What is decided about everything that is open."""

    def __init__(self, left: LeftOpen, decisions: Mapping[str, str]) -> None:
        def those(rows: Sequence[Any], decision: Decision) -> list[Any]:
            return [row for row in rows if decisions.get(key_of(row), Decision.WAIT) == decision]

        self.games_ended = those(left.games, Decision.COUNT)
        self.games_left_out = those(left.games, Decision.LEAVE_OUT)
        self.settled = those(left.disputed, Decision.COUNT)
        self.disputed_left_out = those(left.disputed, Decision.LEAVE_OUT)
        self.declined = those(left.late, Decision.LEAVE_OUT)
        decided = (
            *(self.games_ended, self.games_left_out, self.settled),
            *(self.disputed_left_out, self.declined),
        )
        rows = len(left.games) + len(left.disputed) + len(left.late)
        unchecked = left.unchecked and decisions.get("unchecked") != Decision.COUNT
        self.waits = bool(unchecked) or sum(map(len, decided)) < rows
        self.needs_reason = any(
            (self.games_left_out, self.settled, self.disputed_left_out, self.declined)
        )


def _carry_out(decided: _Decided, by: Account, reason: str) -> None:
    for late in decided.declined:
        decline_late_hand(late, by=by, reason=reason)
    for hand in decided.settled:
        settle_hand(hand, by=by, reason=reason)
    for game in decided.games_ended:
        finish_game(game, by=by)
    for game in decided.games_left_out:
        withdraw_game(game, by=by, reason=reason)


def _freeze(league: League, final_rows: FinalRows, by: Account) -> SeasonClosure:
    league.closed_on = club_day()
    league.save(update_fields=["closed_on"])
    rules = StandingRules.objects.in_force([league], league.closed_on).get(league.pk)
    closure = SeasonClosure.objects.create(
        league=league, day=league.closed_on, standing_rules=rules, closed_by=by
    )
    rows = final_rows(league)
    _require_lines(league, rules.rules if rules else (), rows)
    for row in rows:
        row.closure = closure
    FinalRow.objects.bulk_create(rows, batch_size=500)
    return closure


def _require_lines(
    league: League, rules: Sequence[TableSettings], rows: Iterable[FinalRow]
) -> None:
    """Who is listed is decided by ``scoring.queries.ranking``; here only who can be, and with what.

    :raises ValueError: unless each of ``rows`` is of a player of ``league``, with the points of its tally,
        or of a team of its table, and none is there twice.
    """
    points = Tally.objects.filter(league=league).values_list("player", "points")
    possible = {
        line
        for number, table in enumerate(rules or (None,))
        for line in (
            *((number, player, "", whole) for player, whole in points),
            *((number, None, team.name, 0) for team in (table.teams if table else ())),
        )
    }
    lines = Counter((row.table, row.player_id, row.team, row.points) for row in rows)
    if not lines <= Counter(possible):
        raise ValueError(f"These are not the lines of the final tables of {league}.")


def _require_last(league: League, starts_on: date) -> date:
    """The last day of ``league``.

    :raises ValidationError: unless a season that starts on that day can follow ``league``.
    """
    if refusal := why_none_follows(league):
        raise _problem(*refusal)
    assert league.ends_on is not None
    if starts_on <= league.ends_on:
        params = {"league": league.name, "day": date_format(league.ends_on)}
        error = ValidationError(RUNS_UNTIL % params, code="overlaps")
        raise ValidationError({"starts_on": error})
    return league.ends_on


def _copy_rules(league: League, last_day: date, new: League, account: Account) -> None:
    """Let what holds in ``league`` on its last day hold in ``new`` from its first day on."""
    versions = StandingRules.objects.in_force([league], league.closed_on or last_day)
    if (rules := versions.get(league.pk)) and rules.tables:
        _copy_standing_rules(rules, new, account)
    terms = EveningTerms.objects.newest(league, last_day)
    if terms and not terms.as_club:
        terms.pk, terms.league, terms.effective_from = None, new, new.starts_on
        terms.made_by, terms.made_at = account, timezone.now()
        terms.full_clean()
        terms.save(force_insert=True)


def _copy_standing_rules(rules: StandingRules, new: League, account: Account) -> None:
    gone = Player.objects.filter(active=False).values_list("pk", flat=True)
    version = StandingRules(
        league=new,
        number=1,
        effective_from=new.starts_on,
        tables=without_players(rules.tables, frozenset(gone)),
        made_by=account,
    )
    version.full_clean()
    version.save(force_insert=True)
    new.standing_versions = version.number
    new.save(update_fields=["standing_versions"])


def _problem(code: str, message: str) -> ValidationError:
    return ValidationError({"season": ValidationError(message, code=code)})
