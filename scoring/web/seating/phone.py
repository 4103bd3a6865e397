"""A phone on which nobody is signed in: where it comes from, and the seat that was taken on it."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.models import ClubTable, WaitingSeat, club_day, day_ends
from scoring.services.sign_in_rate import client_address

COOKIE, SALT = "seat", "scoring.seat"


def asker_of(request: HttpRequest) -> str:
    """Who is counted for what is guessed: the account, or the address of a phone without one."""
    if request.user.is_authenticated:
        return f"account:{request.user.pk}"
    return f"address:{client_address(request)}"


def keep_seat(response: HttpResponse, seat: WaitingSeat) -> None:
    """Let the phone that gets ``response`` know its seat until the evening ends."""
    left = day_ends(club_day()) - timezone.now()
    response.set_signed_cookie(
        COOKIE,
        f"{seat.table_id}:{seat.pk}",
        salt=SALT,
        max_age=max(int(left.total_seconds()), 1),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def kept_seat(request: HttpRequest, table: ClubTable) -> int | None:
    """The id of the seat that was taken on this phone at ``table`` this evening, which may be gone."""
    day = timedelta(days=1)
    kept = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=day) or ""
    at, _colon, seat = kept.partition(":")
    return int(seat) if at == str(table.pk) and seat else None
