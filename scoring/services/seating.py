"""Sitting down at a table one after the other, each with a phone of their own, until four sit there.

The table is locked by each of these: of two phones that take one seat, the second reads who was first.
"""

from collections.abc import Collection, Sequence

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from scoring.models import ClubTable, Game, League, Player, WaitingSeat, club_day
from scoring.models.game_tables import with_table
from scoring.models.names import name_key
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    User,
    can,
    check_permission,
    full_names,
    is_own_player,
)
from scoring.models.problems import Refused
from scoring.models.refusals import PLAYS_NO_LONGER

from .audit import log_audit
from .counting import lock_game_and_league
from .errors import Conflict
from .games import open_game
from .guests import add_guest, known_guest
from .locks import lock_to_seat
from .pins import Proof, check_pin
from .tries import limited_tries

# Wrong PINs of whomever, at one table or from one address, until nobody can try there for a while.
MOST_WRONG_PINS = 20


class SeatRefused(Refused):
    """The seat or the table is not free any more; ``str()`` says who was first."""

    code = "seat_refused"


def prove_at_table(player: Player, pin: str, *, table: ClubTable, asker: str) -> Proof:
    """The proof that ``pin`` is that of ``player``. Call it outside a transaction: wrong ones count.

    :param asker: who asks, such as ``address:192.0.2.1``.
    :raises PermissionDenied: for a wrong PIN, or if the player has none.
    :raises TooManyAttempts: after a few wrong ones of the player, or many at the table or from there.
    """
    if not player.pin:
        message = _("%(name)s has no PIN: sign in, or let somebody who is signed in seat you.")
        raise PermissionDenied(message % {"name": player})
    with limited_tries({f"pin:table:{table.pk}": MOST_WRONG_PINS, f"pin:{asker}": MOST_WRONG_PINS}):
        return check_pin(player, pin)


@transaction.atomic
def sit_down(
    table: ClubTable,
    place: int,
    *,
    by: User,
    player: Player | None = None,
    guest: str = "",
    anyway: bool = False,
    proof: Proof | None = None,
) -> WaitingSeat:
    """Take the seat ``place`` (0 is East) for ``player``, or for a guest of that name.

    Who waits elsewhere leaves that seat for this one.

    :param by: who holds the phone. Members seat whom they like, as when they open a game.
    :param anyway: a guest also where the name looks like that of a player. It is asked about otherwise.
    :param proof: that the player holds a phone on which nobody is signed in.
    :raises PermissionDenied: for a player, without ``proof`` on such a phone.
    :raises ValidationError: at ``place``, at ``player`` if they left the club or were merged, or at
        ``guest`` for the name of a member, or of a guest who waits already; there with the code
        ``looks_like`` for a name that looks like that of a player.
    :raises SeatRefused: if somebody sits there, or a game is in play at the table.
    """
    if place not in range(4):
        raise ValidationError({"place": _("A table has the seats East, South, West and North.")})
    if player is None:
        player = _known_guest(guest, anyway=anyway, by=by)
    elif not can(by, Permission.OPEN_A_GAME) and proof != Proof(player.pk):
        raise PermissionDenied(_("Sign in to sit down, or type your PIN."))
    _lock_tables(table, player)
    _require_free(table)
    if player is not None:
        (player,) = lock_to_seat([player], field="player")
    _require_active(player)
    WaitingSeat.objects.stale().delete()
    if player is not None:
        WaitingSeat.objects.filter(player=player).exclude(table=table, place=place).delete()
    seat = WaitingSeat(
        table=table,
        place=place,
        player=player,
        guest_name="" if player else _cleaned(guest),
        by=_account(by),
    )
    return _taken(seat, by)


@transaction.atomic
def leave_seat(seat: WaitingSeat, *, by: User, holds: bool = False) -> None:
    """Free ``seat`` again.

    :param holds: whether it was taken on the phone that asks.
    :raises PermissionDenied: unless it is that of ``by``, was taken on their phone, or ``by`` is an
        organiser.
    """
    own = by.is_authenticated and by.pk in (seat.by_id, seat.player and seat.player.user_id)
    if not (own or holds or can(by, Permission.MANAGE_SEATS)):
        raise PermissionDenied(_("Who sat down leaves the seat, or an organiser clears the table."))
    _lock_tables(seat.table, None)
    who = _account(by) or seat.table
    log_audit("leave_seat", seat.table, by=who, place=seat.place, player=seat.player_id)
    seat.delete()


@transaction.atomic
def clear_table(table: ClubTable, *, by: User) -> None:
    """Free every seat at which somebody waits.

    :raises PermissionDenied: unless ``by`` is an organiser.
    """
    check_permission(by, Permission.MANAGE_SEATS)
    _lock_tables(table, None)
    table.waiting_seats.all().delete()
    log_audit("clear_table", table, by=by)


@transaction.atomic
def start_game(
    table: ClubTable,
    league: League,
    *,
    by: User,
    by_code: bool = False,
    anyway: bool = False,
    leaving: Sequence[Game] = (),
) -> Game:
    """Begin a game with the four who wait at ``table``; if one has begun meanwhile, return that one.

    :param by_code: whether somebody without an account asks, who has the code of the table: it begins
        because ``by`` sits there, and the audit does not say that ``by`` did it.
    :raises SeatRefused: unless four sit there.
    :raises PermissionDenied: unless :func:`may_start`.
    :raises PermissionDenied, TooManyAttempts, ValidationError: as :func:`open_game`, and as
        :func:`add_guest` for a guest who is new.
    """
    check_permission(by, Permission.OPEN_A_GAME)
    _lock_tables(table, None)
    if begun := _in_play(table):
        return begun
    seats = list(table.waiting_seats.waiting().select_related("player"))
    if len(seats) != 4:
        raise SeatRefused(_("A game begins when four sit at the table."))
    if not may_start(seats, by):
        raise PermissionDenied(_("One of the four begins the game, or an organiser."))
    code = table if by_code else None
    players = [
        seat.player or add_guest(seat.guest_name, anyway=True, by=by, by_code=code)
        for seat in seats
    ]
    game = open_game(league, players, by=by, by_code=code, anyway=anyway, leaving=leaving)
    _take_game(table, game)
    log_audit("start_game", game, by=code or by, table=table.pk)
    return game


def may_start(seats: Collection[WaitingSeat], by: User) -> bool:
    """Whether ``by`` waits at one of ``seats``, has seated somebody there, or is an organiser."""
    own = (by.pk in (seat.by_id, seat.player and seat.player.user_id) for seat in seats)
    return by.is_authenticated and (any(own) or can(by, Permission.MANAGE_SEATS))


@transaction.atomic
def play_again(
    over: Game,
    *,
    by: User,
    one_seat_on: bool = False,
    anyway: bool = False,
    leaving: Sequence[Game] = (),
) -> Game:
    """Begin another game with the four of ``over``; if they have begun one meanwhile, return that one.

    :param one_seat_on: whether each takes the seat before: South deals first, and East sits North.
    :raises Conflict: if ``over`` is not over, or was moved to another league meanwhile.
    :raises SeatRefused: if others wait at that table, or play there.
    :raises PermissionDenied, TooManyAttempts, ValidationError: as :func:`open_game`.
    """
    check_permission(by, Permission.OPEN_A_GAME)
    table = ClubTable.objects.select_for_update().filter(game=over).first()
    over = lock_game_and_league(over)
    if not over.finished:
        raise Conflict(_("This game is still in play."), code="not_finished", state=over.state)
    if begun := _begun_since(over):
        return begun
    if table is not None:
        _require_only(table, over.players)
    players = seats_again(over, one_seat_on=one_seat_on)
    game = open_game(over.league, players, by=by, anyway=anyway, leaving=leaving)
    if table is not None:
        _take_game(table, game)
    log_audit("play_again", game, by=by, after=over.pk)
    return game


def seats_again(over: Game, *, one_seat_on: bool) -> list[Player]:
    """The four of ``over`` from East on, in the same seats or each one seat on."""
    players = over.players
    return [*players[1:], players[0]] if one_seat_on else players


def _known_guest(name: str, *, anyway: bool, by: User) -> Player | None:
    """The guest of that name who played here before.

    :raises ValidationError: at ``guest``, as :func:`known_guest`. A visitor is not told whose name
        looks the same.
    """
    try:
        return known_guest(name, anyway=anyway)
    except ValidationError as error:
        problems = [one for errors in error.error_dict.values() for one in errors]
        if not by.is_authenticated and problems[0].code == "looks_like":
            message = _("Somebody here has a name that looks like this one: the same person?")
            problems = [ValidationError(message, code="looks_like")]
        raise ValidationError({"guest": problems}) from error


def _cleaned(name: str) -> str:
    typed = Player(name=name)
    typed.clean()
    return typed.name


def _account(user: User) -> Account | None:
    """The account on the phone, if somebody is signed in on it."""
    return user if user.is_authenticated else None


def _lock_tables(table: ClubTable, player: Player | None) -> None:
    """Lock ``table``, and the one at which ``player`` waits, always in the same order."""
    wanted = {table.pk}
    if player is not None:
        wanted.update(WaitingSeat.objects.filter(player=player).values_list("table", flat=True))
    list(ClubTable.objects.select_for_update().filter(pk__in=wanted).order_by("pk"))


def _in_play(table: ClubTable) -> Game | None:
    """The game that goes on at ``table`` (locked), as it is now."""
    now = ClubTable.objects.select_related("game").get(pk=table.pk)
    game = now.game_in_play
    return game and with_table(Game.objects).get(pk=game.pk)


def _require_free(table: ClubTable) -> None:
    if _in_play(table):
        raise SeatRefused(_("A game is in play at this table."))


def _require_active(player: Player | None) -> None:
    if player is not None and not player.active:
        raise ValidationError({"player": PLAYS_NO_LONGER % {"names": player}})


def _taken(seat: WaitingSeat, by: User) -> WaitingSeat:
    """``seat``, stored.

    :raises SeatRefused: if somebody sits there.
    :raises ValidationError: for a guest whose name waits already.
    """
    there = WaitingSeat.objects.filter(table=seat.table, place=seat.place).first()
    if there is not None:
        if there.player_id == seat.player_id and there.name == seat.name:
            return there
        message = _("%(name)s was faster: choose another seat.")
        raise SeatRefused(message % {"name": there.name})
    if seat.guest_name and name_key(seat.guest_name) in _guests_at(seat.table):
        message = _("A guest called %(name)s sits at this table already. Add an initial.")
        raise ValidationError({"guest": message % {"name": seat.name}})
    try:
        with transaction.atomic():
            seat.save(force_insert=True)
    except IntegrityError as error:
        # The seats of this table are locked: the same person sits down elsewhere at this moment.
        message = _("%(name)s is sitting down at another table. Add an initial to a guest’s name.")
        raise ValidationError({"guest": message % {"name": seat.name}}) from error
    details = {"place": seat.place, "player": seat.player_id, "seated": _seated(seat, by)}
    log_audit("sit_down", seat.table, by=_account(by) or seat.table, **details)
    return seat


def _guests_at(table: ClubTable) -> set[str]:
    """The :func:`name_key` of each guest who waits at ``table``."""
    waiting = WaitingSeat.objects.filter(table=table).exclude(guest_name="")
    with full_names():
        return {name_key(name) for name in waiting.values_list("guest_name", flat=True)}


def _seated(seat: WaitingSeat, by: User) -> str:
    """Whom ``by`` seated, for the trail: ``guest``, ``other``, or empty for who sat down themselves."""
    if seat.player is None or seat.player.guest:
        return "guest"
    # On a phone without an account the player has typed their PIN.
    return "other" if by.is_authenticated and not is_own_player(seat.player, by) else ""


def _begun_since(over: Game) -> Game | None:
    """The open game that the same four have begun after ``over``, this evening and in its league."""
    later = Game.objects.open().filter(pk__gt=over.pk, seats__player=over.players[0])
    later = later.filter(league=over.league_id, evening=club_day())
    four = {player.pk for player in over.players}
    for game in with_table(later):
        if {player.pk for player in game.players} == four:
            return game
    return None


def _require_only(table: ClubTable, players: Sequence[Player]) -> None:
    """:raises SeatRefused: if anybody but ``players`` waits at ``table`` (locked)."""
    for seat in table.waiting_seats.waiting().select_related("player"):
        if seat.player not in players:
            message = _("%(name)s has sat down at this table: the others join, or clear the table.")
            raise SeatRefused(message % {"name": seat.name})


def _take_game(table: ClubTable, game: Game) -> None:
    """Let ``game`` be the one that is played at ``table`` (locked); nobody waits there any more."""
    table.waiting_seats.all().delete()
    WaitingSeat.objects.filter(player__in=game.players).delete()
    ClubTable.objects.filter(pk=table.pk).update(game=game)
