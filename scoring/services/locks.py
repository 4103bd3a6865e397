"""Lock rows of people and read them anew, so that saving them does not undo another change.

Whoever locks several rows locks them in this order, so that two never wait for each other; of one kind, by
their ids. A step may be left out.

1. The group of owners (:func:`lock_owners`): who stops being one first looks whether another one is left.
2. Accounts (:func:`lock_account`, :func:`lock_accounts_of`): whether somebody may act, and for whom, is
   decided by them before anything else is touched. Whatever names an account comes later.
3. Tables of the room (``seating``): a scan begins there, before it is known which game or league it is about.
4. Leagues (``counting.lock_leagues``, ``lock_season``): who holds one lets no game be opened and no evening
   or season be closed there, so that the games below are all there are.
5. The closure of an evening (``evenings``): it names the games that are opened again.
6. Games (``hands.record.lock_game``), all that are needed before one of them ends: that takes tallies, for
   which a hand at another of them may be waiting. Who holds a game holds its late hands.
7. Players (:func:`lock_players`, :func:`lock_to_seat`): who merges has found their games before.
8. An adjustment that is reversed (``adjustments``), after the game or the league it is booked in.
9. The ratings across leagues (``rating_scopes.lock_club_ratings``), then the tallies of leagues, one league
   after the other (``tallies.lock`` does both): whatever starts, ends or opens a game again moves the ratings
   of those after it, in any number of games, so it comes when nobody can ask for one of these any more. Who
   needs the tallies of a second league would without the first lock wait in a circle.
10. Invitations (:func:`lock_invitations`).
11. What was said by those who joined (``invitations``) or asked for a guest's games (``guests``): it is about
    an account and a player, and read anew once nobody changes these.
12. Sign-in names (:func:`lock_sign_in_names`): they are chosen last, and everybody who chooses one waits.

Rows that one service alone locks (a rule set, a payment after an evening, a first run, a count of tries) are
not listed: no other service waits for them.

Who leaves locks their account a second time, against rows that name it, after their player: whoever holds
the player, to seat them, stores a row that names the account at last.
"""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from scoring.models import Club, Invitation, Player
from scoring.models.people import OWNERS_GROUP
from scoring.models.permissions import Account, PermissionDenied
from scoring.models.refusals import STAYS_ANONYMOUS


def lock_player(player: Player, *, field: str = "name") -> Player:
    """``player`` as it is in the database, locked until the transaction ends.

    :raises ValidationError: at ``field``, if it was merged or deleted meanwhile.
    """
    return lock_all_players([player], field=field)[0]


def lock_all_players(players: Sequence[Player], *, field: str = "name") -> list[Player]:
    """``players`` as they are in the database, locked.

    :raises ValidationError: at ``field``, if one of them was merged or deleted meanwhile.
    """
    return _all_of(players, lock_players(*players), field)


def lock_to_seat(players: Sequence[Player], *, field: str = "players") -> list[Player]:
    """``players`` as they are in the database, locked: nobody merges them, and nobody leaves.

    Unlike the other locks of players it lets hands be logged where they sit.

    :raises ValidationError: at ``field``, if one of them was merged or deleted meanwhile.
    """
    rows = Player.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    locked = {row.pk: row for row in rows.filter(pk__in=[player.pk for player in players])}
    return _all_of(players, locked, field)


def _all_of(players: Sequence[Player], locked: dict[int, Player], field: str) -> list[Player]:
    if any(player.pk not in locked for player in players):
        message = _("This player is not on the list any more.")
        raise ValidationError({field: ValidationError(message, code="gone")})
    return [locked[player.pk] for player in players]


def lock_players(*players: Player) -> dict[int, Player]:
    """Those of ``players`` that are still there, as they are in the database, locked; by id."""
    rows = Player.objects.select_for_update(of=("self",)).select_related("user").order_by("pk")
    return {row.pk: row for row in rows.filter(pk__in=[player.pk for player in players])}


def lock_player_of(account: Account) -> Player | None:
    """The player of ``account``, locked; None if it has none."""
    rows = Player.objects.select_for_update(of=("self",)).select_related("user")
    return rows.filter(user=account).first()


def require_not_anonymous(player: Player, *, field: str = "name") -> None:
    """:raises ValidationError: at ``field``, if the name of ``player`` was taken out, which stays so."""
    if player.anonymous_since is not None:
        message = STAYS_ANONYMOUS % {"name": player}
        raise ValidationError({field: ValidationError(message, code="anonymous")})


def lock_account(account: Account, *, to_delete: bool = False) -> Account:
    """``account`` as it is in the database, locked. Lock it before a player.

    :param to_delete: also against rows that name it, which would hold up the deletion.
    :raises ValidationError: if it was deleted meanwhile.
    """
    rows = Account.objects.select_for_update(no_key=not to_delete)
    locked = rows.filter(pk=account.pk).first()
    if locked is None:
        raise _account_is_gone()
    return locked


def keep_accounts(accounts: Collection[int]) -> None:
    """Let nobody delete the accounts with these ids, which rows will name, until the transaction ends.

    Others change them, and name them, meanwhile. On SQLite one writes at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            query = "SELECT id FROM auth_user WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
            cursor.execute(query, [list(accounts)])


def lock_own_account(account: Account) -> Account:
    """``account`` as it is in the database, locked, before its person adds a way into it.

    Whatever adds one calls this first: the request may be that of somebody from whom the account was
    taken meanwhile, whose ways in are gone.

    :param account: as it was when its person showed who they are.
    :raises PermissionDenied: if it has another password since, or was closed.
    :raises ValidationError: if it was deleted meanwhile.
    """
    locked = lock_account(account)
    if locked.password != account.password or not locked.is_active:
        raise PermissionDenied(_("Your account was changed meanwhile: sign in again."))
    return locked


def _account_is_gone() -> ValidationError:
    return ValidationError(ValidationError(_("This account is gone."), code="gone"))


def lock_accounts_of(*players: Player, besides: Account | None = None) -> frozenset[int]:
    """Lock the accounts of ``players``, before leagues, games and players; their ids.

    :param besides: one more account to lock.
    :raises ValidationError: if that was deleted meanwhile.
    """
    other = besides and besides.pk
    wanted = Account.objects.filter(Q(player__in=players) | Q(pk=other)).order_by("pk")
    locked = frozenset(row.pk for row in wanted.select_for_update(of=("self",), no_key=True))
    if other and other not in locked:
        raise _account_is_gone()
    return locked


def require_locked(players: Collection[Player], accounts: Collection[int]) -> None:
    """Refuse ``players`` of which one got an account after ``accounts``, theirs, were locked.

    Locking it now would be the wrong order: two who do it wait for each other.

    :raises ValidationError: if so.
    """
    if any(player.user_id is not None and player.user_id not in accounts for player in players):
        message = _("An account was linked just now: look again, and try once more.")
        raise ValidationError(ValidationError(message, code="moved_on"))


def lock_invitations(rows: QuerySet[Invitation]) -> list[Invitation]:
    """The invitations of ``rows``, locked. Whoever changes more than one locks them so: by their ids."""
    return list(rows.order_by("pk").select_for_update(of=("self",)))


def lock_sign_in_names() -> None:
    """Let others who choose a sign-in name or a mail address wait until the transaction ends.

    No constraint keeps two from having one: clubs of before may have such. On SQLite one writes at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('sign-in names', 0))")


def lock_club() -> Club:
    """The row of the club, which is made where nothing was set yet: else two could set something at once."""
    Club.objects.get_or_create(pk=1)
    return Club.objects.select_for_update().get(pk=1)


def lock_owners() -> None:
    """Of two who stop being an owner at once, the second waits here, and finds the first one gone."""
    list(Group.objects.select_for_update().filter(name=OWNERS_GROUP))
