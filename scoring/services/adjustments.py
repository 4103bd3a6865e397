"""Booking points without a hand: penalties and other adjustments, and taking them back.

A booking is a list of transfers, so it sums to zero by its form. It is never changed or deleted:
reversing it books the same transfers the other way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import Adjustment, Game, League, Player, Tally, Transfer
from scoring.models.adjustments import AdjustmentQuerySet
from scoring.models.people import person_name
from scoring.models.permissions import Account, Permission, User, check_not_closed, check_permission
from scoring.models.refusals import PAYS_THEMSELVES, TWO_LINES_OF_TWO

from . import reasons, tallies
from .audit import log_audit
from .counting import lock_league
from .hands.record import lock_game
from .hands.revise import recount

MOST_TRANSFERS = 12
# As long as a hurried tap, or the way back to a form, may take.
SAME_FOR = timedelta(seconds=60)
# As long as two people at a table may take to enter what was decided there, each for all.
LATELY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class TransferEntry:
    """``amount`` whole points, 1 or more, from ``payer`` to ``payee``."""

    payer: Player
    payee: Player
    amount: int


def penalty(game: Game, payer: Player, each: int) -> list[TransferEntry]:
    """``each`` whole points from ``payer`` to each of the other three of ``game``."""
    return [TransferEntry(payer, other, each) for other in game.players if other != payer]


@transaction.atomic
def book_at_table(
    game: Game, lines: Sequence[TransferEntry], *, by: User, reason: str, once_more: bool = False
) -> Adjustment:
    """Book ``lines`` between players of ``game``; they count in its totals and in its league.

    The same booking by the same person within a minute is the same one, and is returned: it was sent
    twice, or the form was found again by the way back. One that somebody else made in the last five
    minutes, for whatever reason, is asked about.

    :param once_more: book it even so; the caller knows that it is another one.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises ValidationError: without a reason, or for lines that cannot be; with the code
        ``entered_by_another`` where somebody else has just booked the same.
    """
    game = lock_game(game)
    by = check_permission(by, Permission.BOOK_AT_A_TABLE, game)
    if not once_more:
        if there := _same(game.league, game, lines, by, reason):
            return there
        _ask_about_others(game, lines, by)
    booked = _post(game.league, lines, by=by, reason=reason, game=game)
    log_audit("book_at_table", booked, by=by)
    return booked


@transaction.atomic
def book_in_league(
    league: League,
    lines: Sequence[TransferEntry],
    *,
    by: User,
    reason: str,
    once_more: bool = False,
) -> Adjustment:
    """Book ``lines`` between players of ``league``, outside any game.

    The same booking within a minute is the same one, as in :func:`book_at_table`.

    :raises PermissionDenied: unless ``by`` is an organiser; if the season is closed.
    :raises ValidationError: without a reason, or for lines that cannot be.
    """
    by = check_permission(by, Permission.BOOK_IN_A_LEAGUE)
    league = lock_league(league)
    check_not_closed(league)
    if not once_more and (there := _same(league, None, lines, by, reason)):
        return there
    booked = _post(league, lines, by=by, reason=reason)
    log_audit("book_in_league", booked, by=by)
    return booked


@transaction.atomic
def reverse(adjustment: Adjustment, *, by: User, reason: str) -> Adjustment:
    """Book ``adjustment`` the other way round. Both stay.

    :raises PermissionDenied: unless ``by`` may book where it was booked; if the season is closed.
    :raises ValidationError: without a reason, or if it was reversed already.
    """
    game = lock_game(adjustment.game_id) if adjustment.game_id else None
    permission = Permission.BOOK_AT_A_TABLE if game else Permission.BOOK_IN_A_LEAGUE
    by = check_permission(by, permission, game)
    league = game.league if game else lock_league(adjustment.league)
    check_not_closed(league)
    adjustment = Adjustment.objects.select_for_update(of=("self",)).get(pk=adjustment.pk)
    if refusal := why_not_reversed(adjustment):
        code, message = refusal
        raise ValidationError({"adjustment": ValidationError(message, code=code)})
    transfers = adjustment.transfers.select_related("payer", "payee")
    lines = [
        TransferEntry(line.payee, line.payer, line.amount)
        for line in transfers
        if line.payer and line.payee
    ]
    booked = _post(league, lines, by=by, reason=reason, game=game, reverses=adjustment)
    log_audit("reverse", booked, by=by)
    return booked


def why_not_reversed(adjustment: Adjustment) -> tuple[str, str] | None:
    """Why ``adjustment`` cannot be reversed (a code and a sentence); None if it can."""
    if adjustment.reverses_id:
        message = _("This entry reverses another one. Enter that one again instead.")
        return "is_a_reversal", message
    if adjustment.from_table:
        message = _("Sticks that were left go to the first player: correct the hands instead.")
        return "from_the_table", message
    if Adjustment.objects.filter(reverses=adjustment).exists():
        return "reversed_already", _("This entry was reversed already.")
    return None


def _same(
    league: League, game: Game | None, lines: Sequence[TransferEntry], by: User, reason: str
) -> Adjustment | None:
    """What ``by`` booked here just now with the same lines and the same reason."""
    own = _standing_since(SAME_FOR, league, game)
    return _with_lines(own.filter(made_by_id=by.pk, reason=reasons.optional(reason)), lines)


def _ask_about_others(game: Game, lines: Sequence[TransferEntry], by: User) -> None:
    """:raises ValidationError: if somebody else has just booked ``lines`` at this table."""
    by_others = _standing_since(LATELY, game.league, game).exclude(made_by_id=by.pk)
    if there := _with_lines(by_others.with_people(), lines):
        who = person_name(there.made_by, reader=by)
        message = _(
            "The same points were entered just now by %(who)s, for “%(reason)s”. Save them only if they "
            "are owed a second time."
        ) % {"who": who, "reason": there.reason}
        raise ValidationError({"transfers": ValidationError(message, code="entered_by_another")})


def _standing_since(time: timedelta, league: League, game: Game | None) -> AdjustmentQuerySet:
    """What was booked here in the last ``time`` and not reversed."""
    return Adjustment.objects.filter(
        league=league,
        game=game,
        made_at__gt=timezone.now() - time,
        reverses=None,
        reversed_by=None,
    )


def _with_lines(
    adjustments: AdjustmentQuerySet, lines: Sequence[TransferEntry]
) -> Adjustment | None:
    """The first of ``adjustments`` that moves exactly what ``lines`` say."""
    wanted = {(line.payer.pk, line.payee.pk, line.amount) for line in lines}
    for booked in adjustments.prefetch_related("transfers"):
        transfers = booked.transfers.all()
        if {(one.payer_id, one.payee_id, one.amount) for one in transfers} == wanted:
            return booked
    return None


def _post(
    league: League,
    lines: Sequence[TransferEntry],
    *,
    by: Account,
    reason: str,
    game: Game | None = None,
    reverses: Adjustment | None = None,
) -> Adjustment:
    reason = reasons.required(reason)
    _require_lines(lines, _people(league, game))
    if game and game.finished:
        tallies.lock(league.pk)
    booked = Adjustment.objects.create(
        league=league, game=game, reason=reason, made_by=by, reverses=reverses
    )
    Transfer.objects.bulk_create(
        Transfer(adjustment=booked, payer=line.payer, payee=line.payee, amount=line.amount)
        for line in lines
    )
    tallies.post(league.pk, booked.amounts(), game)
    if game and game.finished:
        recount(game, had_finished_at=game.finished_at)
    return booked


def _people(league: League, game: Game | None) -> set[int]:
    """Who may pay and be paid: the four of the table, or whoever has sat down in the league."""
    if game:
        return {player.pk for player in game.players}
    return set(Tally.objects.filter(league=league).values_list("player_id", flat=True))


def _require_lines(lines: Sequence[TransferEntry], people: set[int]) -> None:
    """:raises ValidationError: naming each line that cannot be."""
    if not 1 <= len(lines) <= MOST_TRANSFERS:
        message = _("Say who pays whom, in at most %(most)s lines.") % {"most": MOST_TRANSFERS}
        raise ValidationError({"transfers": ValidationError(message, code="no_lines")})
    problems: list[ValidationError] = []
    for line in lines:
        problems += _line_problems(line, people)
    pairs = [(line.payer.pk, line.payee.pk) for line in lines]
    if len(set(pairs)) < len(pairs):
        message = str(TWO_LINES_OF_TWO)
        problems.append(ValidationError(message, code="transfer_once"))
    if problems:
        raise ValidationError({"transfers": problems})


def _line_problems(line: TransferEntry, people: set[int]) -> list[ValidationError]:
    problems = []
    if line.payer == line.payee:
        message = str(PAYS_THEMSELVES)
        problems.append(ValidationError(message, code="pays_themselves"))
    for player in (line.payer, line.payee):
        if player.pk not in people:
            message = _("%(name)s does not play here: choose somebody who does.")
            problems.append(ValidationError(message % {"name": player}, code="not_here"))
    try:
        Transfer(amount=line.amount).clean_fields(exclude=["adjustment", "payer", "payee"])
    except ValidationError as error:
        problems += error.error_dict["amount"]
    return problems
