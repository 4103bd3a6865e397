"""Everything that the site keeps about one account and its player, as one document."""

from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet

from scoring.models import (
    AccountSettings,
    Adjustment,
    ApiToken,
    AuditEntry,
    ClubRating,
    ClubTally,
    EveningPayment,
    Game,
    GuestClaim,
    Hand,
    HandEvent,
    Invitation,
    NoticeChoice,
    Payment,
    Player,
    Rating,
    StandingRules,
    Tally,
)
from scoring.models.evening_money import in_numbers
from scoring.models.permissions import Account

from .notices import devices_of, in_words, notices_of

VERSION = 2
# The columns of a player that are in the file as they are, by the key that each has there.
PLAYER_COLUMNS = {
    "id": "id",
    "name": "name",
    "active": "active",
    "guest": "guest",
    "hides_name": "hides_name",
    "joined": "joined_at",
    "renamed": "renamed_at",
}


def my_data(account: Account) -> dict[str, Any]:
    """What is kept about ``account``: times in UTC, amounts in whole points, others by their names.

    Some thirty queries, however much there is. Secrets (passwords, PINs, codes) are kept as
    digests only, and stand in no file.
    """
    player = Player.objects.filter(user=account).first()
    return {
        "format": "mah jongg member",
        "version": VERSION,
        "account": _account(account),
        "sessions": list(
            UserSession.objects.filter(user=account).values(
                "ip", "user_agent", "created_at", "last_seen_at"
            )
        ),
        "notices": _notices(account),
        "tokens": list(
            ApiToken.objects.filter(user=account).values(
                *("name", "made_at", "ends_at", "last_used_on"),
                *("may_read", "may_log", "may_organise"),
            )
        ),
        "player": _player(player) if player else None,
        "logged_hands": [_logged(hand) for hand in _hands(Q(logged_by=account))],
        "answers": [_answer(event) for event in _answers(account, player)],
        "guests": list(
            GuestClaim.objects.filter(by=account).values("player__name", "asked_at", "agreed")
        ),
        "invitations": _invitations(account, player),
        "actions": _entries(Q(by=account)),
        "done_to_you": _entries(_about(account, player) & ~Q(by=account)),
    }


def _account(account: Account) -> dict[str, Any]:
    return {
        "username": account.username,
        "first_name": account.first_name,
        "last_name": account.last_name,
        "email": account.email,
        "mails": list(
            EmailAddress.objects.filter(user=account).values("email", "verified", "primary")
        ),
        "language": AccountSettings.objects.filter(user=account)
        .values_list("language", flat=True)
        .first(),
        "second_factors": [
            {"type": one.type, "made": one.created_at, "last_used": one.last_used_at}
            for one in Authenticator.objects.filter(user=account)
        ],
        "joined": account.date_joined,
        "last_sign_in": account.last_login,
        "roles": sorted(group.name for group in account.groups.all()),
        "signs_in_by": list(
            SocialAccount.objects.filter(user=account).values("provider", "uid", "date_joined")
        ),
    }


def _notices(account: Account) -> dict[str, Any]:
    """What the account was told, what it wants to be told, and on which devices."""
    return {
        "told": [
            {"title": row.text.title, "text": row.text.body, "at": row.notice.made_at}
            for row in in_words(list(notices_of(account)))
        ],
        "choices": list(
            NoticeChoice.objects.filter(user=account).values("kind", "channel", "wanted")
        ),
        "devices": [
            {"device": str(device), "added": device.made_at} for device in devices_of(account)
        ],
    }


def _invitations(account: Account, player: Player | None) -> list[Any]:
    """Those that ``account`` joined with, or that were made for ``player``."""
    mine = Q(uses__account=account) | (Q(player=player) if player else Q(pk__in=[]))
    invitations = Invitation.objects.filter(mine).distinct().order_by("pk")
    return [
        dict(row)
        for row in invitations.values("email", "username", "made_at", "ends_at", "revoked_at")
    ]


def _about(account: Account, player: Player | None) -> Q:
    about = Q(subject="user", subject_id=account.pk)
    return about | Q(subject="player", subject_id=player.pk) if player else about


def _entries(which: Q) -> list[Any]:
    entries = AuditEntry.objects.filter(which).order_by("pk")
    return [dict(row) for row in entries.values("at", "action", "subject", "subject_id", "details")]


def _player(player: Player) -> dict[str, Any]:
    tallies = Tally.objects.filter(player=player).select_related("league").order_by("league")
    ratings = Rating.objects.filter(player=player).order_by("pk")
    return {
        **{key: getattr(player, column) for key, column in PLAYER_COLUMNS.items()},
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
        "games": [_game(game) for game in _games(player)],
        "hands": list(_played(player)),
        "adjustments": list(_adjustments(player)),
        "final_tables": [
            {"league": row.closure.league.name, "day": row.closure.day, "rank": row.rank}
            for row in player.final_rows.select_related("closure__league").order_by("pk")
        ],
        "evening_payments": [_evening_payment(one) for one in _evening_payments(player)],
        "ratings": [{"game": rating.game_id, "rating": rating.band.rating} for rating in ratings],
        "ratings_across_leagues": [
            {"game": rating.game_id, "rating": rating.band.rating}
            for rating in ClubRating.objects.filter(player=player).order_by("pk")
        ],
        "rating_across_leagues_now": [
            {"games": tally.games, "rating": tally.band.rating}
            for tally in ClubTally.objects.filter(player=player)
        ],
        "standing_rules": list(_standing_rules(player)),
    }


def _standing_rules(player: Player) -> Iterator[dict[str, Any]]:
    """Where rules of tables name the player: a handicap, or a team."""
    for version in StandingRules.objects.select_related("league").order_by("pk"):
        for table in version.rules:
            if player.pk in table.people:
                handicaps = table.handicap.players if table.handicap else ()
                yield {
                    "league": version.league.name,
                    "from": version.effective_from,
                    "table": table.name,
                    "handicap": [str(one.points) for one in handicaps if one.player == player.pk],
                    "teams": [team.name for team in table.teams if player.pk in team.players],
                }


def _games(player: Player) -> QuerySet[Game]:
    games = Game.objects.filter(seats__player=player).select_related("league")
    return games.prefetch_related("seats__player").order_by("pk")


def _game(game: Game) -> dict[str, Any]:
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


def _evening_payments(player: Player) -> QuerySet[EveningPayment]:
    paid = EveningPayment.objects.filter(Q(payer=player) | Q(payee=player))
    return paid.select_related("league", "payer", "payee").order_by("pk")


def _evening_payment(payment: EveningPayment) -> dict[str, Any]:
    """Without a payer or a payee it was the till of the club."""
    return {
        "league": payment.league.name,
        "evening": payment.day,
        "payer": payment.payer.name if payment.payer else None,
        "payee": payment.payee.name if payment.payee else None,
        "amount": in_numbers(payment.amount, payment.currency),
        "currency": payment.currency or "points",
        "marked": payment.marked_at,
        "undone": payment.undone_at,
    }
