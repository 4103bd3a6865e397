"""Everything that the site keeps about one account and its player, as one document."""

from collections.abc import Iterator
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.db.models import Q, QuerySet

from scoring.models import (
    Adjustment,
    ApiToken,
    AuditEntry,
    Game,
    Hand,
    HandEvent,
    Payment,
    Player,
    Rating,
    Tally,
)
from scoring.models.permissions import Account

VERSION = 1


def my_data(account: Account) -> dict[str, Any]:
    """What is kept about ``account``: times in UTC, amounts in whole points, others by their names.

    About a dozen queries, however much there is. Secrets (passwords, PINs, codes) are kept as
    digests only, and stand in no file.
    """
    player = Player.objects.filter(user=account).first()
    return {
        "format": "mah jongg member",
        "version": VERSION,
        "account": _account(account),
        "tokens": list(
            ApiToken.objects.filter(user=account).values(
                "name", "made_at", "ends_at", "last_used_on"
            )
        ),
        "player": _player(player) if player else None,
        "logged_hands": [_logged(hand) for hand in _hands(Q(logged_by=account))],
        "answers": [_answer(event) for event in _answers(account, player)],
        "actions": list(
            AuditEntry.objects.filter(by=account)
            .order_by("pk")
            .values("at", "action", "subject", "subject_id", "details")
        ),
    }


def _account(account: Account) -> dict[str, Any]:
    return {
        "username": account.username,
        "first_name": account.first_name,
        "last_name": account.last_name,
        "email": account.email,
        "joined": account.date_joined,
        "last_sign_in": account.last_login,
        "roles": sorted(group.name for group in account.groups.all()),
        "signs_in_by": list(
            SocialAccount.objects.filter(user=account).values("provider", "uid", "date_joined")
        ),
    }


def _player(player: Player) -> dict[str, Any]:
    tallies = Tally.objects.filter(player=player).select_related("league").order_by("league")
    ratings = Rating.objects.filter(player=player).order_by("pk")
    return {
        "id": player.pk,
        "name": player.name,
        "active": player.active,
        "joined": player.joined_at,
        "has_pin": bool(player.pin),
        "leagues": [
            {
                "league": tally.league.name,
                "points": tally.points,
                "hands": tally.hands,
                "games": tally.games,
            }
            for tally in tallies
        ],
        "games": [_game(game, player) for game in _games(player)],
        "hands": list(_played(player)),
        "adjustments": list(_adjustments(player)),
        "ratings": [{"game": rating.game_id, "rating": rating.shown} for rating in ratings],
    }


def _games(player: Player) -> QuerySet[Game]:
    games = Game.objects.filter(seats__player=player).select_related("league")
    return games.prefetch_related("seats__player").order_by("pk")


def _game(game: Game, player: Player) -> dict[str, Any]:
    return {
        "id": game.pk,
        "league": game.league.name,
        "evening": game.evening,
        "players": [seat.player.name for seat in game.seats.all()],
        "withdrawn": game.withdrawn,
    }


def _played(player: Player) -> Iterator[dict[str, Any]]:
    """What each hand at the player's tables brought, every version of it."""
    payments = Payment.objects.filter(player=player).select_related("hand__winner")
    for payment in payments.order_by("hand__game", "hand__number", "hand__version").iterator():
        yield {**_hand(payment.hand), "amount": payment.amount}


def _hand(hand: Hand) -> dict[str, Any]:
    return {
        "id": hand.pk,
        "game": hand.game_id,
        "number": hand.number,
        "version": hand.version,
        "status": hand.status,
        "outcome": hand.outcome,
        "winner": hand.winner.name if hand.winner else None,
        "final": hand.final,
        "tiles": hand.tiles,
        "played": hand.played_at,
    }


def _hands(which: Q) -> Iterator[Hand]:
    hands = Hand.objects.filter(which).select_related("winner").defer("card", "melds")
    return hands.order_by("pk").iterator()


def _logged(hand: Hand) -> dict[str, Any]:
    return {**_hand(hand), "logged": hand.logged_at, "reason": hand.reason}


def _answers(account: Account, player: Player | None) -> QuerySet[HandEvent]:
    mine = Q(by=account) | (Q(player=player) if player else Q(pk__in=[]))
    return HandEvent.objects.filter(mine).order_by("pk")


def _answer(event: HandEvent) -> dict[str, Any]:
    return {
        "hand": event.hand_id,
        "kind": event.kind,
        "about": event.about,
        "reason": event.reason,
        "at": event.at,
    }


def _adjustments(player: Player) -> Iterator[dict[str, Any]]:
    booked = Q(transfers__payer=player) | Q(transfers__payee=player)
    for adjustment in Adjustment.objects.filter(booked).distinct().with_people():
        yield {
            "league": adjustment.league_id,
            "game": adjustment.game_id,
            "reason": adjustment.reason,
            "made": adjustment.made_at,
            "amount": adjustment.amounts().get(player.pk, 0),
        }
