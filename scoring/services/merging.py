"""Two records of one person become one. Hands, points and ratings stay what they are, under one name.

The record that goes is deleted. Its last entry in the audit says which one took its place.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.table import Calls
from scoring.models import (
    AuditEntry,
    EveningPayment,
    Game,
    GameEvent,
    GuestClaim,
    Hand,
    Invitation,
    LateHand,
    League,
    Notice,
    Payment,
    Player,
    SeasonClosure,
    StorySum,
    Tally,
    Transfer,
    WaitingSeat,
    hidden_names,
)
from scoring.models.evening_money import in_figures
from scoring.models.permissions import Account, Permission, PermissionDenied, User
from scoring.models.texts import naming_values
from scoring.story import store

from . import tallies
from .audit import log_audit
from .counting import lock_leagues
from .hands.record import lock_game
from .locks import (
    lock_accounts_of,
    lock_invitations,
    lock_owners,
    lock_players,
    require_locked,
    require_not_anonymous,
)
from .merged_ratings import rate_as_one, two_ratings
from .notices import withdraw_question
from .pins import forget_pin
from .rating_scopes import lock_club_ratings
from .ratings import forget_club_ratings, rate_club_anew
from .roles import check_handles, check_still
from .sessions import close_account
from .standing_rules import rename_in_standing_rules

SUMS = ("points", "hands", "wins", "self_drawn", "discards", "games")


@dataclass(frozen=True, slots=True)
class LeagueSum:
    """What both records have in one league, in whole points, and what their sum is."""

    league: League
    kept: int
    gone: int

    @property
    def points(self) -> int:
        return self.kept + self.gone


@dataclass(frozen=True, slots=True)
class Merge:
    """What merging ``gone`` into ``kept`` does.

    :ivar leagues: those in which ``gone`` has played.
    :ivar games: how many games ``gone`` has sat down for.
    :ivar payments: those after evenings that one marked as paid to the other, also undone, in sentences: they
        are deleted.
    :ivar closed: the account of ``gone`` that is closed, because ``kept`` has one.
    :ivar moved: the account of ``gone`` that becomes that of ``kept``.
    :ivar problems: why it cannot be done, in sentences; empty if it can.
    """

    kept: Player
    gone: Player
    leagues: list[LeagueSum]
    games: int
    payments: list[str]
    closed: Account | None
    moved: Account | None
    problems: list[str]


def preview_merge(kept: Player, gone: Player, *, by: User) -> Merge:
    """What :func:`merge_players` would do, or why it would not.

    :raises PermissionDenied: as it does.
    """
    _check(kept, gone, by=by)
    return _plan(kept, gone)


@transaction.atomic
def merge_players(kept: Player, gone: Player, *, by: User) -> Merge:
    """Give ``kept`` all that ``gone`` has played and was booked, and delete ``gone``.

    In each league the tally of ``kept`` becomes the sum of both; its ratings are worked out again from
    where the two histories meet, also from season to season. The sum of a league stays what it was.

    :raises PermissionDenied: unless ``by`` is an organiser, and may handle the accounts of both.
    :raises ValidationError: if both sat at one table, a booking moves points between them, or one of
        them is anonymous: that cannot be taken back; if the account that would be closed is that of
        the last owner.
    """
    _check(kept, gone, by=by)
    lock_owners()
    accounts = lock_accounts_of(kept, gone)
    kept, gone = _lock(kept, gone)
    require_locked((kept, gone), accounts)
    _check(kept, gone, by=by)
    return _merge(kept, gone, by=by)


@transaction.atomic
def merge_guest(kept: Player, guest: Player, *, by: User) -> Merge:
    """Give ``kept`` all that ``guest`` has played, for a service that has asked for the permission.

    :raises ValidationError: as :func:`merge_players`, and if ``guest`` has an account or is none.
    """
    kept, guest = _lock(kept, guest)
    if not guest.guest or guest.user is not None:
        raise _refused(_("%(name)s is not a guest.") % {"name": guest}, "no_guest")
    return _merge(kept, guest, by=by)


def _lock(kept: Player, gone: Player) -> tuple[Player, Player]:
    """Both as they are now: nobody opens a game or books, and no hand is logged where either sits.

    :raises ValidationError: if one of them is gone.
    """
    lock_leagues(*League.objects.values_list("pk", flat=True))
    for pk in sorted(_games_of(kept) | _games_of(gone)):
        lock_game(pk)
    rows = lock_players(kept, gone)
    if len(rows) != 2:
        raise _refused(_("One of the two is not on the list any more."), "gone")
    return rows[kept.pk], rows[gone.pk]


def _merge(kept: Player, gone: Player, *, by: User) -> Merge:
    plan = _plan(kept, gone)
    if plan.problems:
        raise ValidationError([ValidationError(one, code="apart") for one in plan.problems])
    across = lock_club_ratings()
    if across:
        # Worked out anew below; each player has one.
        forget_club_ratings()
    leagues = [one.league.pk for one in plan.leagues]
    rated = two_ratings(kept, gone)
    for league in sorted({*leagues, *(two.league.pk for two in rated)}):
        tallies.lock(league)
    lock_invitations(Invitation.objects.filter(player=gone))
    _add_up(kept, gone, leagues)
    _drop_what_one_has_once(kept, gone)
    try:
        with transaction.atomic():
            _rename(kept, gone)
            store.player_changed(kept)
    except IntegrityError as error:
        message = _("Both have something that one person has once only: they cannot be merged.")
        raise _refused(message, "apart") from error
    rate_as_one(kept, rated)
    if across:
        rate_club_anew()
    was = naming_values(kept)
    _join_accounts(plan, by=by)
    # Before the row goes: the entry is about it, and says where it went. What either of the two records was
    # called, and is called no more, is known by it alone.
    besides: dict[str, Any] = {"closed": plan.closed.pk} if plan.closed else {}
    if dropped := {name: value for name, value in was.items() if value != getattr(kept, name)}:
        besides["before"] = dropped
    if plan.payments:
        besides["payments"] = len(plan.payments)
    besides |= naming_values(gone)
    log_audit("merge_players", gone, by=by, into=kept.pk, games=plan.games, **besides)
    gone.delete()
    return plan


def merged_records(players: Iterable[int]) -> dict[int, int]:
    """By the id of each record that was merged with one of ``players`` (ids), who it is by now."""
    entries = AuditEntry.objects.filter(subject="player", action="merge_players")
    now = {pk: pk for pk in players}
    found = list(now)
    while found:
        rows = entries.filter(details__into__in=found).values_list("subject_id", "details__into")
        became = {gone: now[into] for gone, into in rows if gone not in now}
        now |= became
        found = list(became)
    return {gone: kept for gone, kept in now.items() if gone != kept}


def merged_into(pk: int) -> Player | None:
    """The player that took the place of the record ``pk``, which was merged; None if it was not."""
    seen = {pk}
    entries = AuditEntry.objects.filter(subject="player", action="merge_players")
    while entry := entries.filter(subject_id=pk).first():
        pk = entry.details["into"]
        if pk in seen:
            return None
        seen.add(pk)
    return Player.objects.filter(pk=pk).first() if len(seen) > 1 else None


def _check(kept: Player, gone: Player, *, by: User) -> None:
    own = check_still(by, Permission.MANAGE_PEOPLE)
    for player in (kept, gone):
        if player.user is not None:
            check_handles(player.user, by=by)
    if kept.user is not None and gone.user == own:
        raise PermissionDenied(str(_("This would close your own account: merge the other way.")))


def _plan(kept: Player, gone: Player) -> Merge:
    both = kept.user is not None
    return Merge(
        kept=kept,
        gone=gone,
        leagues=list(_sums(kept, gone)),
        games=gone.seats.count(),
        payments=[_in_words(payment) for payment in _paid_between(kept, gone)],
        closed=gone.user if both else None,
        moved=None if both else gone.user,
        problems=[str(problem) for problem in _problems(kept, gone)],
    )


def _sums(kept: Player, gone: Player) -> Iterator[LeagueSum]:
    own = dict(Tally.objects.filter(player=kept).values_list("league", "points"))
    for tally in Tally.objects.filter(player=gone).select_related("league").order_by("league"):
        yield LeagueSum(tally.league, own.get(tally.league_id, 0), tally.points)


def _problems(kept: Player, gone: Player) -> Iterator[str | Promise]:
    if kept.pk == gone.pk:
        yield _("This is one record already: choose two.")
        return
    for player in (kept, gone):
        try:
            require_not_anonymous(player)
        except ValidationError as refusal:
            yield refusal.messages[0]
    shared = _games_of(kept) & _games_of(gone)
    if shared:
        game = Game.objects.filter(pk__in=shared).latest("evening", "pk")
        named = f"{game.league}, {date_format(game.evening)}"
        params = {"kept": kept.name, "gone": gone.name, "game": named}
        yield (
            _("%(kept)s and %(gone)s sat at one table (%(game)s): they are two people.") % params
        )
        return
    if both := _both_final(kept, gone):
        message = _("Both stand in the final table of %(league)s: open that season again first.")
        yield message % {"league": both.league}
    if _booked_between(kept, gone):
        params = {"kept": kept.name, "gone": gone.name}
        yield _("An adjustment is about both %(kept)s and %(gone)s: they are two people.") % params


def _both_final(kept: Player, gone: Player) -> SeasonClosure | None:
    """A closed season in whose final table both stand."""
    closures = SeasonClosure.objects.filter(rows__player=kept).select_related("league")
    return closures.filter(pk__in=SeasonClosure.objects.filter(rows__player=gone)).first()


def _booked_between(kept: Player, gone: Player) -> bool:
    def booked(player: Player) -> QuerySet[Transfer]:
        return Transfer.objects.filter(Q(payer=player) | Q(payee=player))

    return booked(kept).filter(adjustment__in=booked(gone).values("adjustment")).exists()


def _games_of(player: Player) -> set[int]:
    """The games at which ``player`` has a seat, or had one."""
    paid = Payment.objects.filter(player=player).order_by()
    games = set(paid.values_list("hand__game", flat=True).distinct())
    games |= set(player.seats.values_list("game", flat=True))
    return games | {event.game_id for event in _seatings(player)}


def _seatings(player: Player) -> list[GameEvent]:
    """The changes of games before which ``player`` sat there."""
    changes = GameEvent.objects.exclude(before={})
    return [event for event in changes if player.pk in event.before.get("seats", ())]


def _add_up(kept: Player, gone: Player, leagues: list[int]) -> None:
    """One tally in each league: the sum of both."""
    own = {tally.league_id: tally for tally in Tally.objects.filter(player=kept)}
    for tally in Tally.objects.filter(player=gone, league__in=leagues):
        into = own.get(tally.league_id)
        if into is None:
            Tally.objects.filter(pk=tally.pk).update(player=kept)
            continue
        for column in SUMS:
            setattr(into, column, getattr(into, column) + getattr(tally, column))
        into.best_hand = max(into.best_hand, tally.best_hand)
        into.save()
        tally.delete()


def _drop_what_one_has_once(kept: Player, gone: Player) -> None:
    """Delete what was between the two, and what both have of which one person has one."""
    _paid_between(kept, gone).delete()
    if WaitingSeat.objects.filter(player=kept).exists():
        WaitingSeat.objects.filter(player=gone).delete()
    waiting = GuestClaim.objects.filter(agreed=None)
    # That to ``gone`` stays: it may be the one that is being answered.
    for claim in waiting.filter(player=kept, by__in=waiting.filter(player=gone).values("by")):
        withdraw_question(claim=claim.pk)
        claim.delete()


def _paid_between(kept: Player, gone: Player) -> QuerySet[EveningPayment]:
    """The payments after evenings of which one was the payer and the other the payee."""
    both = [kept, gone]
    payments = EveningPayment.objects.filter(payer__in=both, payee__in=both)
    return payments.select_related("league", "payer", "payee")


def _in_words(payment: EveningPayment) -> str:
    """Who paid whom after which evening, and that it is deleted."""
    figure = in_figures(payment.amount, payment.currency)
    if not payment.currency:
        figure = gettext("%(points)s points") % {"points": figure}
    message = gettext(
        "%(payer)s paid %(payee)s %(figure)s (%(league)s, %(day)s). "
        "Nobody pays themselves, so this is deleted."
    )
    names = {"payer": payment.payer, "payee": payment.payee, "league": payment.league}
    return message % {**names, "figure": figure, "day": date_format(payment.day)}


def _rename(kept: Player, gone: Player) -> None:
    """Write ``kept`` wherever ``gone`` stands."""
    StorySum.objects.filter(player=gone).delete()
    # Also those that a player cannot be asked for.
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel):
            rows, column = relation.related_model._base_manager, relation.field.name
            rows.filter(**{column: gone}).update(**{column: kept})
    for event in _seatings(gone):
        seats = [kept.pk if pk == gone.pk else pk for pk in event.before["seats"]]
        GameEvent.objects.filter(pk=event.pk).update(before={**event.before, "seats": seats})
    hands = Hand.objects.filter(others__isnull=False, payments__player=kept)
    for hand in hands.only("others").iterator(chunk_size=500):
        others = _others_renamed(hand.others or (), gone.pk, kept.pk)
        if others != hand.others:
            Hand.objects.filter(pk=hand.pk).update(others=others)
    called = Hand.objects.filter(calls__isnull=False, payments__player=kept)
    for hand in called.only("calls").iterator(chunk_size=500):
        calls = _calls_renamed(hand.calls or {}, gone.pk, kept.pk)
        if calls != hand.calls:
            Hand.objects.filter(pk=hand.pk).update(calls=calls)
    for late in LateHand.objects.filter(game__seats__player=kept):
        entry = _renamed(late.entry, gone.pk, kept.pk)
        if entry != late.entry:
            LateHand.objects.filter(pk=late.pk).update(entry=entry)
    rename_in_standing_rules(gone, kept)
    for notice in Notice.objects.filter(params__player=gone.pk):
        Notice.objects.filter(pk=notice.pk).update(params={**notice.params, "player": kept.pk})


def _renamed(entry: Mapping[str, object], gone: int, kept: int) -> dict[str, object]:
    people: dict[str, object] = {
        name: kept for name in ("winner", "discarder", "liable") if entry.get(name) == gone
    }
    others = entry.get("others")
    if isinstance(others, list):
        people["others"] = _others_renamed(others, gone, kept)
    return {**entry, **people, **(_calls_renamed(entry, gone, kept) or {})}


def _calls_renamed(
    calls: Mapping[str, object] | None, gone: int, kept: int
) -> dict[str, object] | None:
    """Who staked and who was calling, by ``calls``, with ``kept`` in the place of ``gone``."""
    return Calls.of(calls).renamed(lambda pk: kept if pk == gone else pk).as_json


def _others_renamed(
    others: Iterable[Mapping[str, object]], gone: int, kept: int
) -> list[Mapping[str, object]]:
    """The hands of players who did not win, with ``kept`` in the place of ``gone``."""
    return [{**other, "player": kept} if other["player"] == gone else other for other in others]


def _join_accounts(plan: Merge, *, by: User) -> None:
    """``kept`` signs in as before, or as ``gone`` did; a second account is closed.

    Whoever plays under one of the two records is offered a seat, and is a guest only if both are. A name that one
    of them hides is hidden.
    """
    kept, gone = plan.kept, plan.gone
    gone.user = None
    gone.save(update_fields=["user"])
    if plan.closed is not None:
        close_account(plan.closed, by=by)
    if plan.moved is not None:
        kept.user = plan.moved
        forget_pin(kept)
    kept.guest = kept.guest and gone.guest and kept.user is None
    kept.active = kept.active or gone.active
    kept.hides_name = kept.hides_name or gone.hides_name
    kept.joined_at = min(kept.joined_at, gone.joined_at)
    kept.save()
    transaction.on_commit(hidden_names.forget)


def _refused(message: str | Promise, code: str) -> ValidationError:
    return ValidationError(ValidationError(str(message), code=code))
