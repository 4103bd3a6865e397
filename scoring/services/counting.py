"""Take a whole game out of tallies and ratings and put it back; lock leagues and seasons.

Both run in the transaction that locked the game. Between the two a game may change its players, its
league or its day. So that nothing counts it on the way, it is then marked as withdrawn, also where it
is only moved: what looks up what counts, such as the best hand of a player, asks for that mark.
"""

from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import Game, League, Payment, Player, Seat, Tally, Transfer
from scoring.models.games import not_withdrawn

from . import tallies
from .errors import Conflict
from .hands.record import lock_game
from .ratings import rate, share_out_and_rate


def take_out(game: Game) -> None:
    """Mark ``game`` as withdrawn; nobody's tally or rating counts it any more."""
    tallies.lock(game.league_id)
    hands, booked = _counted(game), booked_in(game)
    game.withdrawn_at = timezone.now()
    game.save()
    tallies.change(game.league_id, removed=hands, games=-bool(hands))
    tallies.post(game.league_id, {player: -amount for player, amount in booked.items()}, game)
    if game.finished:
        rate(game)


def put_in(game: Game) -> None:
    """Mark ``game`` as played; tallies and ratings count it."""
    booked = booked_in(game)
    # Whoever was replaced has a booking and its way back.
    replaced = Player.objects.filter(pk__in=booked).exclude(pk__in=[one.pk for one in game.players])
    tallies.open_for(game.league, [*game.players, *replaced])
    tallies.lock(game.league_id)
    game.withdrawn_at = None
    game.save()
    hands = _counted(game)
    tallies.change(game.league_id, added=hands, games=int(bool(hands)))
    tallies.post(game.league_id, booked, game)
    if game.finished:
        share_out_and_rate(game)


def close_unused(league: int, players: Iterable[Player]) -> None:
    """Delete the tallies that ``players`` have in a league (its id) without a game or a booking.

    A withdrawn game needs none: it opens them anew when it is restored. The league must be locked: a game that is being opened there needs them.
    """
    for player in players:
        seated = Seat.objects.filter(not_withdrawn("game__"), game__league=league, player=player)
        paid = Transfer.objects.filter(adjustment__league=league)
        if not (
            seated.exists()
            or paid.filter(payer=player).exists()
            or paid.filter(payee=player).exists()
        ):
            Tally.objects.filter(league=league, player=player).delete()


def lock_leagues(*leagues: int) -> list[League]:
    """Let others who open games in ``leagues`` (ids) or close their evenings wait, always in one order.

    :returns: the leagues as they are now that nobody changes them, by id.
    """
    rows = League.objects.select_for_update(no_key=True).filter(pk__in=leagues)
    return list(rows.order_by("pk"))


def lock_league(league: League) -> League:
    """``league`` as it is now, locked as by :func:`lock_leagues`.

    :raises League.DoesNotExist: if it is gone.
    """
    locked = lock_leagues(league.pk)
    if not locked:
        raise League.DoesNotExist
    return locked[0]


def lock_season(league: League) -> League:
    """``league`` as it is now, locked, and with it all that is played there: nobody changes a hand.

    :raises League.DoesNotExist: if it is gone.
    """
    league = lock_league(league)
    games = Game.objects.select_for_update(of=("self",), no_key=True).filter(league=league.pk)
    list(games.order_by("pk").values_list("pk"))
    return league


def lock_game_and_league(game: Game, *others: int) -> Game:
    """``game`` fetched afresh and locked, and before it its league, and the leagues ``others`` (ids).

    Whoever opens a game there or closes an evening waits, and locks in the same order.

    :raises PermissionDenied: if the game is gone.
    :raises Conflict: if the game was moved to another league meanwhile.
    """
    lock_leagues(game.league_id, *others)
    locked = lock_game(game)
    if locked.league_id != game.league_id:
        message = _("The table has moved on: look at it again.")
        raise Conflict(message, code="moved_on", state=locked.state)
    return locked


def _counted(game: Game) -> list[tallies.Paid]:
    """The hands of ``game`` that count while it is not withdrawn, with what was paid for them."""
    hands = list(game.hands.counted().defer("card", "tiles", "melds"))
    paid = Payment.objects.by_hand(hand.pk for hand in hands)
    return [(hand, paid[hand.pk]) for hand in hands]


def booked_in(game: Game) -> dict[int, int]:
    """What the bookings in ``game`` brought each player, in whole points by id."""
    return Transfer.objects.filter(adjustment__game=game).points()
