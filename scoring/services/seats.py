"""Putting a game right that was opened wrongly: other seats or players, another league or day.

Each hand is played again from the first deal. What comes out differently is a new version of the hand;
the old one stays, as it was played. A preview makes the same plan and stores nothing.
"""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Max
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.evaluator.table import TableState
from scoring.models import (
    Adjustment,
    Confirmations,
    Game,
    GameEvent,
    Hand,
    HandEvent,
    League,
    Payment,
    Player,
    Seat,
    Transfer,
    club_day,
)
from scoring.models.evenings import is_evening_closed
from scoring.models.game_tables import with_table
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    User,
    can,
    check_permission,
    check_still_played,
)
from scoring.models.places import taking_places
from scoring.models.problems import at_no_field
from scoring.models.refusals import IMPOSSIBLE_HAND, OVER_BEFORE
from scoring.models.scorers import Versions

from . import reasons
from .audit import log_audit
from .counting import booked_in, close_unused, lock_game_and_league, put_in, take_out
from .errors import moved_on, require_etag
from .games import require_nowhere_else, seating_problems
from .hands.entry import DECIDED, HandEntry, deal_again, payable_amounts_again
from .hands.replay import HandChange, Replay, require_settled_stay
from .hands.revise import add_versions, events_by_hand, events_that_hold, supersede
from .locks import lock_to_seat

# What other seats, players or rules may change of a hand: what recording it decides, and who was who. It
# stays the same version while none of it changes.
FIGURES = (*DECIDED, "winner_id", "discarder_id", "liable_id")


@dataclass(frozen=True, slots=True)
class SeatPlan(Replay):
    """What a game becomes: ``game`` as it will be, and its hands that change.

    :ivar was: the game as it is.
    :ivar renamed: who takes whose place, by player id.
    """

    was: Game
    renamed: Mapping[int, int]

    @property
    def people(self) -> list[Player]:
        """The four who will sit here, then those who leave."""
        players = self.game.players
        return [*players, *(one for one in self.was.players if one not in players)]

    @property
    def other_points(self) -> Counter[int]:
        """What the game's adjustments move from who leaves to who comes, in whole points by id."""
        totals: Counter[int] = Counter()
        # What was taken back adds up to nothing.
        booked = booked_in(self.was) if self.renamed else {}
        for before, after in self.renamed.items():
            amount = booked.get(before, 0)
            totals[before] -= amount
            totals[after] += amount
        return totals


def preview_seats(
    game: Game, players: Sequence[Player], *, by: User, expected_seats: Sequence[int] = ()
) -> SeatPlan:
    """What :func:`change_seats` would change, without changing it.

    :raises PermissionDenied, Conflict, ValidationError: as it does, but it does not ask for a reason.
    """
    game = with_table(Game.objects).get(pk=game.pk)
    check_permission(by, Permission.CHANGE_A_GAME, game)
    _require_seats(game, expected_seats)
    return _reseated(game, players, by)


@transaction.atomic
def change_seats(
    game: Game,
    players: Sequence[Player],
    *,
    by: User,
    reason: str,
    expected_etag: str = "",
    expected_seats: Sequence[int] = (),
    anyway: bool = False,
) -> SeatPlan:
    """Seat ``players`` (East, South, West, North of the first hand) as the players of ``game``.

    Who changes places keeps the hands they won; who takes somebody's place takes their hands. Winds,
    deal, scores, payments, bookings, tallies and ratings follow.

    :param expected_etag: the ``etag`` of the preview that the person saw; empty asks for none.
    :param expected_seats: who sat there (ids, East first) when the person looked; empty asks for none.
    :param anyway: also seat who comes from another open table. It is asked about otherwise.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises Conflict: if the preview would be another now, or others sit there.
    :raises ValidationError: without a reason, for players who cannot sit there, and for the first
        hand that could not have been played like that, or would pay more than can be kept; with the
        code ``seated_elsewhere`` if somebody comes from another open table. Nothing is changed then.
    """
    game = lock_game_and_league(game)
    by = check_permission(by, Permission.CHANGE_A_GAME, game)
    reason = reasons.required(reason)
    _require_seats(game, expected_seats)
    players = lock_to_seat(players)
    plan = _reseated(game, players, by)
    require_etag(plan.etag, expected_etag, plan.was.state)
    if not (game.finished or anyway):
        coming = [player for player in players if player not in game.players]
        require_nowhere_else(coming, but=[game])
    _apply_plan(plan, GameEvent.Kind.SEATS, by=by, reason=reason)
    log_audit("change_seats", game, by=by, reason=reason, before=_ids(game), after=_ids(plan.game))
    return plan


def preview_move(game: Game, *, league: League, day: date, by: User) -> SeatPlan:
    """What :func:`move_game` would change, without changing it.

    :raises PermissionDenied, Conflict, ValidationError: as it does.
    """
    game = with_table(Game.objects).get(pk=game.pk)
    check_permission(by, Permission.CHANGE_A_GAME, game)
    return _moved(game, league, day, by)


@transaction.atomic
def move_game(
    game: Game, *, league: League, day: date, by: User, reason: str, expected_etag: str = ""
) -> SeatPlan:
    """Let ``game`` count in ``league`` and on the evening of ``day``.

    It is scored by the rules of the new league, as if it had been opened there.

    :param expected_etag: the ``etag`` of the preview that the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises Conflict: if the preview would be another now, or the game was moved meanwhile.
    :raises ValidationError: without a reason, for a league or a day that cannot be, and for the first
        hand that could not have been played by the rules of the new league, or would pay more than
        can be kept.
    """
    game = lock_game_and_league(game, league.pk)
    league = League.objects.get(pk=league.pk)  # as it is now that nobody changes it
    by = check_permission(by, Permission.CHANGE_A_GAME, game)
    reason = reasons.required(reason)
    plan = _moved(game, league, day, by)
    require_etag(plan.etag, expected_etag, plan.was.state)
    _apply_plan(plan, GameEvent.Kind.MOVED, by=by, reason=reason)
    before = {"league": game.league_id, "evening": game.evening.isoformat()}
    log_audit("move_game", game, by=by, reason=reason, before=before)
    return plan


# ----- what it becomes ----------------------------------------------------------------------------


def _reseated(game: Game, players: Sequence[Player], by: User) -> SeatPlan:
    if problems := seating_problems(players, at_the_table=game.players):
        raise ValidationError(problems)
    if list(players) == game.players:
        message = _("They sit like this already: change a seat or a player.")
        raise ValidationError({"players": ValidationError(message, code="nothing_changed")})
    new = _copy_of(game)
    new.table = [Seat(game=new, place=place, player=player) for place, player in enumerate(players)]
    plan = _plan(game, new, taking_places(_ids(game), [player.pk for player in players]))
    _require_settled(plan, by)
    require_settled_stay(plan.changes, by)
    return plan


def _moved(game: Game, league: League, day: date, by: User) -> SeatPlan:
    if problems := _move_problems(game, league, day, by) or _season_problems(league, by):
        raise ValidationError(problems)
    new = _copy_of(game)
    new.table = list(game.table)
    days = day - game.evening
    if league.pk != game.league_id:
        new.league, new.ruleset_version = league, league.ruleset_version
    new.evening, new.started_at = day, game.started_at + days
    new.finished_at = game.finished_at and game.finished_at + days
    plan = _plan(game, new, {})
    require_settled_stay(plan.changes, by)
    return plan


def _move_problems(
    game: Game, league: League, day: date, by: User
) -> dict[str, list[ValidationError]]:
    def problem(field: str, code: str, message: str) -> dict[str, list[ValidationError]]:
        params = {"league": league.name, "day": date_format(day)}
        return {field: [ValidationError(message % params, code=code)]}

    if league.pk == game.league_id and day == game.evening:
        return problem("league", "nothing_changed", _("It counts there already."))
    if day > club_day():
        return problem("day", "future", _("%(day)s is still to come."))
    if not league.runs_on(day):
        return problem("day", "not_running", _("%(league)s was not running on %(day)s."))
    if is_evening_closed(league, day) and not can(by, Permission.CLOSE_AN_EVENING):
        message = _("The evening of %(day)s is closed: ask an organiser to open it again.")
        return problem("day", "evening_closed", message)
    return {}


def _season_problems(league: League, by: User) -> dict[str, list[ValidationError]]:
    try:
        check_still_played(by, league)
    except PermissionDenied as refusal:
        return {"league": [ValidationError(str(refusal), code=refusal.code)]}
    return {}


def _copy_of(game: Game) -> Game:
    new = copy(game)
    new._state = copy(game._state)
    new._state.fields_cache = dict(game._state.fields_cache)
    return new


def _plan(was: Game, game: Game, renamed: Mapping[int, int]) -> SeatPlan:
    """The hands of ``was`` played again at ``game``, from the first deal on.

    :raises ValidationError: for the first hand that could not have been played, or that would pay
        otherwise than now and more than can be kept.
    """
    state, changes = TableState.start(), []
    hands = list(was.hands.current().order_by("number"))
    paid = Payment.objects.by_hand(hand.pk for hand in hands)
    events = events_by_hand(hand.pk for hand in hands)
    for hand in hands:
        if state.finished:
            raise at_no_field(OVER_BEFORE % {"number": hand.number}, code="game_over_before")
        hand.game, hand.ruleset_version = game, was.ruleset_version
        again = _dealt_again(hand, dataclasses.replace(state, number=hand.number), renamed)
        amounts = dict(zip(_ids(game), again.amounts(), strict=True))
        if _differs(hand, again) or amounts != paid[hand.pk]:
            payable_amounts_again(again)  # a hand that comes out as it was is stored already
            again.status = _status(hand, events[hand.pk], renamed)
            before = {**dict.fromkeys(amounts, 0), **paid[hand.pk]}
            changes.append(HandChange(hand, again, before, amounts))
        state = again.state_after
    played = hands[-1].played_at if hands else was.started_at
    untouched = len(hands) - len(changes)
    return SeatPlan(game, changes, state, played, was, renamed, untouched=untouched)


def _dealt_again(hand: Hand, state: TableState, renamed: Mapping[int, int]) -> Hand:
    try:
        return deal_again(hand, state, renamed)
    except ValidationError as error:
        params = {"number": hand.number, "why": " ".join(error.messages)}
        raise at_no_field(IMPOSSIBLE_HAND % params, code="impossible_hand") from error


def _differs(hand: Hand, again: Hand) -> bool:
    return any(getattr(hand, column) != getattr(again, column) for column in FIGURES)


def _status(hand: Hand, events: Sequence[HandEvent], renamed: Mapping[int, int]) -> str:
    """Whether the new version is disputed: by somebody who still sits at the table."""
    disputed = hand.disputed and any(
        event.player_id not in renamed for event in _disputes(hand, events)
    )
    return Hand.status_for(disputed=disputed)


def _disputes(hand: Hand, events: Sequence[HandEvent]) -> list[HandEvent]:
    return Confirmations(hand, events).disputes


def _bookings(game: Game) -> list[Adjustment]:
    """What was booked in ``game`` and not taken back."""
    booked = game.adjustments.filter(reverses=None, reversed_by=None)
    return list(booked.prefetch_related("transfers").order_by("pk"))


# ----- applying a plan ----------------------------------------------------------------------------


def _apply_plan(plan: SeatPlan, kind: GameEvent.Kind, *, by: Account, reason: str) -> None:
    was, game = plan.was, plan.game
    _log_event(was, kind, by, reason)
    take_out(was)
    _store_game(plan)
    _store_hands(plan, by, reason)
    _shift(was, game)
    _rebook(plan, by, reason)
    put_in(game)
    _rename_late_hands(plan)
    close_unused(was.league_id, was.players)


def _log_event(game: Game, kind: GameEvent.Kind, by: Account, reason: str) -> None:
    before = {
        "seats": _ids(game),
        "league": game.league_id,
        "ruleset_version": game.ruleset_version_id,
        "evening": game.evening.isoformat(),
    }
    last = game.hands.aggregate(last=Max("pk"))["last"] or 0
    GameEvent.objects.create(
        game=game, kind=kind, by=by, reason=reason, before=before, last_hand=last
    )


def _store_game(plan: SeatPlan) -> None:
    was, game = plan.was, plan.game
    # ``take_out`` has marked ``was`` as withdrawn, so that nothing counts it on the way. The game is saved like
    # that; ``put_in`` takes the mark off again.
    game.withdrawn_at = was.withdrawn_at
    game.forget_closure()
    game.apply_state(plan.state, at=plan.last_played + (game.evening - was.evening))
    if game.league_id != was.league_id or game.evening != was.evening:
        game.ended_by = None
    game.save()
    if _ids(was) != _ids(game):
        Seat.objects.filter(game=game).delete()
        Seat.objects.bulk_create(game.table)


def _store_hands(plan: SeatPlan, by: Account, reason: str) -> None:
    supersede(change.before.pk for change in plan.changes)
    add_versions(plan.game, plan.changes, by=by, reason=reason, follows=Hand.THE_GAME)
    _keep_confirmations(plan)


def _keep_confirmations(plan: SeatPlan) -> None:
    """Keep confirmations and disputes, as after a correction, but for those who no longer sit here."""
    events = events_by_hand(change.before.pk for change in plan.changes)
    versions = Versions(plan.game.pk)
    HandEvent.objects.bulk_create(
        event.copied_to(change.after)
        for change in plan.changes
        for event in events_that_hold(change, events[change.before.pk], versions)
        if change.after and event.player_id not in plan.renamed
    )


def _rename_late_hands(plan: SeatPlan) -> None:
    """Late hands that wait are those of who sits here now."""
    for late in plan.game.late_hands.waiting() if plan.renamed else ():
        entry = HandEntry.from_json(late.entry)
        late.entry = entry.with_players(lambda pk: plan.renamed.get(pk, pk)).as_json
        late.save(update_fields=["entry"])


def _shift(was: Game, game: Game) -> None:
    """What was played on another day was played then: league tables as of a day say so.

    When adjustments were entered stays: those of a game count on its evening.
    """
    days = game.evening - was.evening
    if days:
        for rows, column in ((game.hands, "played_at"), (game.rounds, "started_at")):
            rows.update(**{column: F(column) + timedelta(days=days.days)})
    if game.league_id != was.league_id:
        game.adjustments.update(league=game.league)


def _rebook(plan: SeatPlan, by: Account, reason: str) -> None:
    """Book anew, to those who take a place, what was booked to those who had it. Both stay."""
    for booked in _bookings(plan.game):
        lines = list(booked.transfers.order_by("pk"))
        if not any({line.payer_id, line.payee_id} & set(plan.renamed) for line in lines):
            continue
        back = [(line.payee_id, line.payer_id, line.amount) for line in lines]
        _post_like(booked, back, by, reason, reverses=True)
        moved = [
            (_now(plan, line.payer_id), _now(plan, line.payee_id), line.amount) for line in lines
        ]
        _post_like(booked, moved, by, booked.reason)


def _now(plan: SeatPlan, player: int | None) -> int | None:
    return None if player is None else plan.renamed.get(player, player)


def _post_like(
    like: Adjustment,
    lines: Sequence[tuple[int | None, int | None, int]],
    by: Account,
    reason: str,
    *,
    reverses: bool = False,
) -> None:
    made = Adjustment.objects.create(
        league_id=like.league_id,
        game_id=like.game_id,
        reason=reason,
        made_by=by,
        # It counts on the day of what it stands for; when the seats were changed, the audit knows.
        made_at=like.made_at,
        reverses=like if reverses else None,
    )
    Transfer.objects.bulk_create(
        Transfer(adjustment=made, payer_id=payer, payee_id=payee, amount=amount)
        for payer, payee, amount in lines
    )


# ----- refusals -----------------------------------------------------------------------------------

_DISPUTED = gettext_lazy(
    "Hand %(number)s is disputed by a player who would be replaced: an organiser settles that first."
)


def _require_seats(game: Game, expected_seats: Sequence[int]) -> None:
    if expected_seats and list(expected_seats) != _ids(game):
        raise moved_on(game.state)


def _require_settled(plan: SeatPlan, by: User) -> None:
    """:raises ValidationError: if a dispute would go away with the player who raised it.

    Else whoever logged a hand could silence a dispute by replacing a player and taking that back.
    """
    if not plan.renamed or can(by, Permission.SETTLE_A_DISPUTE):
        return
    disputed = plan.was.hands.disputed().prefetch_related("events")
    for hand in disputed.order_by("number"):
        hand.game = plan.was
        if any(
            event.player_id in plan.renamed
            for event in Confirmations(hand, hand.events.all()).disputes
        ):
            raise at_no_field(_DISPUTED % {"number": hand.number}, code="disputed")


def _ids(game: Game) -> list[int]:
    return [player.pk for player in game.players]
