"""List the players whom a table may expect, those who played lately first."""

from collections.abc import Collection
from datetime import date, timedelta

from django.db.models import Max, QuerySet

from scoring.models import Game, GuestClaim, Player, Seat, WaitingSeat, club_day
from scoring.models.games import not_withdrawn
from scoring.models.permissions import User

LATELY = timedelta(days=92)


def latest_evenings() -> dict[int, date]:
    """The last evening of each player who has played lately, by player id."""
    lately = Seat.objects.filter(not_withdrawn("game__"), game__evening__gte=club_day() - LATELY)
    return dict(lately.order_by().values_list("player").annotate(Max("game__evening")))


def playing_now() -> set[int]:
    """The ids of the players who sit at an open table of today."""
    today = Game.objects.open().filter(evening=club_day())
    return set(Seat.objects.filter(game__in=today).order_by().values_list("player", flat=True))


def first_expected(players: QuerySet[Player], most: int) -> list[Player]:
    """The first ``most`` of ``players``: those of the latest evening first, of one evening by name.

    Who sits at an open table of today stands last: they are not expected at another one. The others
    are not read.
    """
    evenings, playing = latest_evenings(), playing_now()
    lately = sorted(evenings.keys() - playing, key=evenings.__getitem__, reverse=True)[:most]
    expected = sorted(players.filter(pk__in=lately), key=lambda one: evenings[one.pk], reverse=True)
    others = players.exclude(pk__in=[*lately, *playing])
    for more in (others, players.filter(pk__in=playing)):
        expected += more[: max(0, most - len(expected))]
    return expected


def expected_players(
    most: int, *, but: Collection[int], search: str = "", with_pin: bool = False
) -> list[Player]:
    """The first ``most`` of the active players who may sit down, those who played lately first.

    :param but: the ids of who sits at the table already.
    :param search: a part of the name.
    :param with_pin: only those who can prove who they are by a PIN.
    """
    players = may_sit_down(with_pin=with_pin, search=search)
    return first_expected(players.exclude(pk__in=but), most)


def may_sit_down(*, with_pin: bool, search: str = "") -> QuerySet[Player]:
    """The players whom a scanned table offers a seat, by the settings of :func:`expected_players`."""
    players = Player.objects.active()
    if search:
        players = players.named(search)
    return players.exclude(pin="") if with_pin else players


def waiting_at(table_id: int) -> list[WaitingSeat]:
    """The seats of the table that are taken, from East on."""
    seats = WaitingSeat.objects.waiting().filter(table=table_id)
    return list(seats.select_related("player"))


def open_claims(player: Player, user: User) -> list[GuestClaim]:
    """The claims to the games of ``player`` that ``user`` may answer, or has made."""
    if not player.guest or not user.is_authenticated:
        return []
    claims = list(player.claims.filter(agreed=None).select_related("by"))
    return [claim for claim in claims if claim.by_id == user.pk or claim.may_be_answered_by(user)]
