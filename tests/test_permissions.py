"""Who may do what, through every address of pages, API and admin, as each role.

An address or a method without a row here fails: whoever adds one says who may call it.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.conf import settings
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import URLPattern, get_resolver, resolve, reverse
from django.utils import timezone

from scoring.models import Club as ClubSettings
from scoring.models import EveningPayment, Game, Hand, League, Player
from scoring.models import club as club_settings
from scoring.models.days import club_day
from scoring.models.permissions import PERMISSIONS, SCOPE_OF, Permission, Role, check_complete
from scoring.models.settlement import settlement_of
from scoring.queries.seasons import final_rows
from scoring.services.adjustments import TransferEntry, book_at_table, book_in_league
from scoring.services.confirmations import dispute_hand
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.seasons import close_season
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
    make_table,
)
from tests.support.effort import THOROUGH
from tests.support.savepoints import taken_back

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

ROLES = {
    "visitor": {Role.VISITOR},
    "member": {Role.VISITOR, Role.MEMBER},
    "player": {Role.VISITOR, Role.MEMBER, Role.PLAYER, Role.SEATED, Role.PARTY},
    "organiser": {Role.VISITOR, Role.MEMBER, Role.ORGANISER},
    "owner": {Role.VISITOR, Role.MEMBER, Role.ORGANISER, Role.OWNER},
    "admin": {Role.VISITOR, Role.MEMBER, Role.ORGANISER, Role.OWNER, Role.ADMIN},
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
SIGN_IN = "sign in first"  # a redirect to where one does
FOUND = 302
NOBODY = 999_999


class Row(NamedTuple):
    """What each role is answered, in the order of ``ROLES``.

    In an address "public" and "hidden" are a league of each visibility with a game and a hand;
    "player" sits at both tables.

    :ivar call: the permission that decides it; None for what everybody may.
    """

    call: Permission | None
    visitor: int | str
    member: int | str
    player: int | str
    organiser: int | str
    owner: int | str
    admin: int | str


def everybody(answer=200):
    return Row(None, *6 * [answer])


def members(visitor, answer=200, call=Permission.SEE_MEMBERS_LEAGUES):
    return Row(call, visitor, *5 * [answer])


def own(answer=200):
    return members(SIGN_IN, answer, Permission.CHANGE_OWN_ACCOUNT)


def table(visitor, answer=200, call=Permission.LOG_A_HAND):
    return Row(call, visitor, 403, *4 * [answer])


def organisers(visitor, answer=200, call=Permission.CLOSE_AN_EVENING):
    return Row(call, visitor, 403, 403, *3 * [answer])


def owners(answer=200, call=Permission.CHANGE_THE_CLUB):
    return Row(call, SIGN_IN, 403, 403, 403, answer, answer)


def scorer(visitor, answer=200):
    return Row(Permission.CORRECT_A_HAND, visitor, 403, answer, 403, 403, 403)


PAGES = {
    "GET /": everybody(),
    "GET /healthz": everybody(),
    "GET /leagues/": everybody(),
    # The club of this test has been set up.
    "GET /start/": everybody(404),
    "POST /start/": everybody(404),
    "GET /leagues/new/": organisers(SIGN_IN, 200, Permission.RUN_LEAGUES),
    "POST /leagues/new/": organisers(SIGN_IN, 422, Permission.RUN_LEAGUES),
    "GET /leagues/{public.league}/delete/": organisers(SIGN_IN, 200, Permission.RUN_LEAGUES),
    # Games were played in it.
    "POST /leagues/{public.league}/delete/": organisers(SIGN_IN, 422, Permission.RUN_LEAGUES),
    "GET /leagues/{public.league}/change/": organisers(SIGN_IN, 200, Permission.RUN_LEAGUES),
    "POST /leagues/{public.league}/change/": organisers(SIGN_IN, 422, Permission.RUN_LEAGUES),
    "GET /club/": owners(),
    "POST /club/": owners(422),
    "GET /trail/": owners(call=Permission.READ_THE_TRAIL),
    "GET /trail/trail.csv": owners(call=Permission.READ_THE_TRAIL),
    "GET /trail/trail.xlsx": owners(call=Permission.READ_THE_TRAIL),
    "GET /leagues/{public.league}/": everybody(),
    "GET /leagues/{hidden.league}/": members(404),
    "GET /leagues/{public.league}/adjustments/": everybody(),
    "GET /leagues/{hidden.league}/adjustments/": members(404),
    "POST /leagues/{public.league}/adjustments/": organisers(
        SIGN_IN, FOUND, Permission.BOOK_IN_A_LEAGUE
    ),
    "GET /leagues/{public.league}/players/{public.player}/": everybody(),
    "GET /leagues/{hidden.league}/players/{hidden.player}/": members(404),
    "GET /leagues/{public.league}/standing-rules/": everybody(),
    "GET /leagues/{hidden.league}/standing-rules/": members(404),
    "GET /leagues/{public.league}/standing-rules/change/": organisers(
        SIGN_IN, 200, Permission.RUN_LEAGUES
    ),
    "POST /leagues/{public.league}/standing-rules/change/": organisers(
        SIGN_IN, 422, Permission.RUN_LEAGUES
    ),
    "POST /leagues/{public.league}/standing-rules/take-back/": organisers(
        SIGN_IN, FOUND, Permission.RUN_LEAGUES
    ),
    "GET /hall/": everybody(),
    "GET /seasons/": everybody(),
    "GET /leagues/{public.league}/hall/": everybody(),
    "GET /leagues/{hidden.league}/hall/": members(404),
    "GET /leagues/{public.league}/awards/": everybody(),
    "GET /leagues/{hidden.league}/awards/": members(404),
    "GET /leagues/{public.league}/head-to-head/": everybody(),
    "GET /leagues/{hidden.league}/head-to-head/": members(404),
    "GET /leagues/{public.league}/statistics/": everybody(),
    "GET /leagues/{hidden.league}/statistics/": members(404),
    "GET /leagues/{public.league}/head-to-head.svg": everybody(),
    "GET /leagues/{hidden.league}/head-to-head.svg": members(404),
    "GET /leagues/{public.league}/pictures/": everybody(),
    "GET /leagues/{hidden.league}/pictures/": members(404),
    "GET /leagues/{public.league}.svg": everybody(),
    "GET /leagues/{hidden.league}.svg": members(404),
    "GET /leagues/{public.league}/evenings/{public.day}.svg": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}.svg": members(404),
    "GET /leagues/{public.league}/evenings/{public.day}/pictures/": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}/pictures/": members(404),
    "GET /players/{public.player}.svg": everybody(),
    "GET /players/{hidden.player}.svg": members(404),
    "GET /ratings/": everybody(),
    "GET /players/{public.player}/ratings/": everybody(),
    "GET /players/{hidden.player}/ratings/": members(404),
    "GET /games/{public.game}/chances/": members(SIGN_IN, call=Permission.SEE_CHANCES),
    "GET /games/{hidden.game}/chances/": members(SIGN_IN, call=Permission.SEE_CHANCES),
    "GET /players/{public.player}/against/": everybody(),
    "GET /players/{hidden.player}/against/": members(404),
    "GET /players/{public.player}/story/": everybody(),
    "GET /players/{hidden.player}/story/": members(404),
    "GET /leagues/{public.league}/seasons/": everybody(),
    "GET /leagues/{hidden.league}/seasons/": members(404),
    "GET /leagues/{public.season}/final/": everybody(),
    "GET /leagues/{hidden.season}/final/": members(404),
    "GET /leagues/{public.season}/final.svg": everybody(),
    "GET /leagues/{hidden.season}/final.svg": members(404),
    "GET /leagues/{public.season}/final.xlsx": everybody(),
    "GET /leagues/{hidden.season}/final.xlsx": members(404),
    "GET /leagues.atom": everybody(),
    "GET /hall.atom": everybody(),
    "GET /leagues/{public.league}.atom": everybody(),
    "GET /leagues/{hidden.league}.atom": members(404),
    "GET /leagues/{public.league}/hall.atom": everybody(),
    "GET /leagues/{hidden.league}/hall.atom": members(404),
    "GET /leagues/{public.league}.ics": everybody(),
    "GET /leagues/{hidden.league}.ics": members(404),
    # The club of this test lets no other site show its tables.
    "GET /leagues/{public.league}/embed/": everybody(404),
    "GET /leagues/{hidden.league}/embed/": everybody(404),
    # What messengers show: nothing of a members' league, whoever asks.
    "GET /leagues/{public.league}.png": everybody(),
    "GET /leagues/{hidden.league}.png": everybody(404),
    "GET /leagues/{public.league}/evenings/{public.day}.png": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}.png": everybody(404),
    "GET /players/{public.player}.png": everybody(),
    "GET /players/{hidden.player}.png": everybody(404),
    "GET /leagues/{public.league}.csv": everybody(),
    "GET /leagues/{hidden.league}.csv": members(404),
    "GET /leagues/{public.league}/evenings/{public.day}.csv": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}.csv": members(404),
    "GET /leagues/{public.league}/close/": organisers(SIGN_IN, 200, Permission.CLOSE_A_SEASON),
    "POST /leagues/{public.league}/close/": organisers(SIGN_IN, 422, Permission.CLOSE_A_SEASON),
    "POST /leagues/{public.season}/reopen/": organisers(SIGN_IN, FOUND, Permission.CLOSE_A_SEASON),
    "GET /leagues/{public.league}/seasons/next/": organisers(
        SIGN_IN, FOUND, Permission.RUN_LEAGUES
    ),
    "POST /leagues/{public.league}/seasons/next/": organisers(SIGN_IN, 422, Permission.RUN_LEAGUES),
    "GET /leagues/{public.league}/what-if/": members(SIGN_IN),
    "GET /leagues/{hidden.league}/what-if/": members(SIGN_IN),
    "GET /leagues/{public.league}/evenings/": everybody(),
    "GET /leagues/{hidden.league}/evenings/": members(404),
    "GET /leagues/{public.league}/evenings/{public.day}/": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}/": members(404),
    "GET /leagues/{public.league}/evenings/{public.day}/close/": organisers(SIGN_IN),
    "POST /leagues/{public.league}/evenings/{public.day}/close/": organisers(SIGN_IN, FOUND),
    "POST /leagues/{public.league}/evenings/{public.closed}/reopen/": organisers(SIGN_IN, FOUND),
    "GET /leagues/{public.league}/evenings/{public.day}/recap/": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}/recap/": members(404),
    "GET /leagues/{public.league}/evenings/{public.day}/recap.svg": everybody(),
    "GET /leagues/{hidden.league}/evenings/{hidden.day}/recap.svg": members(404),
    "GET /leagues/{public.league}/settlement/{public.day}/": members(
        SIGN_IN, call=Permission.SEE_WHO_PAYS
    ),
    "GET /leagues/{hidden.league}/settlement/{public.day}/": members(
        SIGN_IN, call=Permission.SEE_WHO_PAYS
    ),
    "GET /leagues/{public.league}/settlement/{public.day}.csv": members(
        SIGN_IN, call=Permission.SEE_WHO_PAYS
    ),
    "POST /leagues/{public.league}/settlement/{public.day}/paid/": table(
        SIGN_IN, FOUND, Permission.MARK_AS_PAID
    ),
    "POST /leagues/{hidden.league}/settlement/{public.day}/paid/": table(
        SIGN_IN, FOUND, Permission.MARK_AS_PAID
    ),
    "POST /leagues/{public.league}/settlement/{public.closed}/paid/{public.paid}/not-paid/": table(
        SIGN_IN, FOUND, Permission.MARK_AS_PAID
    ),
    "GET /leagues/{public.league}/stakes/": organisers(SIGN_IN, 200, Permission.RUN_LEAGUES),
    "POST /leagues/{public.league}/stakes/": organisers(SIGN_IN, 422, Permission.RUN_LEAGUES),
    "GET /club/stakes/": owners(),
    "POST /club/stakes/": owners(422),
    "GET /adjustments/{public.booked}/take-back/": table(SIGN_IN, 200, Permission.BOOK_AT_A_TABLE),
    "POST /adjustments/{public.booked}/take-back/": table(
        SIGN_IN, FOUND, Permission.BOOK_AT_A_TABLE
    ),
    "POST /adjustments/{public.wide}/take-back/": organisers(
        SIGN_IN, FOUND, Permission.BOOK_IN_A_LEAGUE
    ),
    "GET /players/": everybody(),
    "GET /players/me/": members(SIGN_IN, FOUND),
    "GET /players/me/pin/": members(SIGN_IN, call=Permission.SET_A_PIN),
    "POST /players/me/pin/": members(SIGN_IN, 422, Permission.SET_A_PIN),
    "GET /account/tokens/": members(SIGN_IN, call=Permission.HOLD_TOKENS),
    "POST /account/tokens/": members(SIGN_IN, 422, Permission.HOLD_TOKENS),
    "POST /account/tokens/end/": members(SIGN_IN, 404, Permission.HOLD_TOKENS),
    "GET /privacy/": everybody(),
    "GET /account/goodbye/": everybody(),
    "GET /account/data/": members(SIGN_IN, call=Permission.LEAVE),
    "POST /account/data/": members(SIGN_IN, call=Permission.LEAVE),
    "GET /account/leave/": members(SIGN_IN, call=Permission.LEAVE),
    "POST /account/leave/": members(SIGN_IN, 422, Permission.LEAVE),
    "GET /account/notices/": members(SIGN_IN, call=Permission.HEAR_OF_THINGS),
    "POST /account/notices/": members(SIGN_IN, FOUND, Permission.HEAR_OF_THINGS),
    "POST /account/notices/add-device/": members(SIGN_IN, 422, Permission.HEAR_OF_THINGS),
    "POST /account/notices/remove-device/": members(SIGN_IN, 404, Permission.HEAR_OF_THINGS),
    "GET /notices/": members(SIGN_IN, call=Permission.HEAR_OF_THINGS),
    "POST /notices/read/": members(SIGN_IN, FOUND, Permission.HEAR_OF_THINGS),
    f"POST /notices/{NOBODY}/": members(SIGN_IN, 404, Permission.HEAR_OF_THINGS),
    "GET /notices/undelivered/": Row(Permission.CHANGE_THE_CLUB, SIGN_IN, 403, 403, 403, 200, 200),
    "GET /notices/stop/a:b/": everybody(404),
    "POST /notices/stop/a:b/": everybody(404),
    "GET /players/{public.player}/": everybody(),
    "GET /players/{hidden.player}/": members(404),
    "GET /people/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "GET /people/add/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "POST /people/add/": organisers(SIGN_IN, 422, Permission.MANAGE_PEOPLE),
    "POST /people/claims/": organisers(SIGN_IN, 404, Permission.MANAGE_PEOPLE),
    "GET /people/invitations/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "POST /people/invitations/": organisers(SIGN_IN, 422, Permission.MANAGE_PEOPLE),
    "GET /people/invitations/cards/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "POST /people/invitations/cards/": organisers(SIGN_IN, 422, Permission.MANAGE_PEOPLE),
    "POST /people/invitations/revoke/": organisers(SIGN_IN, 404, Permission.MANAGE_PEOPLE),
    "GET /people/{public.player}/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "POST /people/{public.player}/": organisers(SIGN_IN, FOUND, Permission.MANAGE_PEOPLE),
    "GET /people/{public.player}/merge/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "POST /people/{public.player}/merge/": organisers(SIGN_IN, 422, Permission.MANAGE_PEOPLE),
    "GET /people/{public.player}/name/": owners(call=Permission.MAKE_ANONYMOUS),
    "POST /people/{public.player}/name/": owners(FOUND, Permission.MAKE_ANONYMOUS),
    "GET /people/accounts/{account}/": organisers(SIGN_IN, call=Permission.MANAGE_PEOPLE),
    "POST /people/accounts/{account}/": organisers(SIGN_IN, FOUND, Permission.MAKE_ORGANISERS),
    "POST /people/accounts/{second}/": owners(FOUND, Permission.MAKE_OWNERS),
    "POST /people/accounts/{third}/": owners(FOUND, Permission.TAKE_ROLES),
    # A code that nobody has; who is signed in has an account already.
    "GET /join/nothing/": Row(None, 404, *5 * [200]),
    "POST /join/nothing/": Row(None, 404, *5 * [200]),
    # Who has the PIN of today changes it; an organiser is not asked for it, a visitor for a table.
    "GET /players/{public.player}/pin/": members(SIGN_IN, call=Permission.SET_A_PIN),
    "POST /players/{public.player}/pin/": members(SIGN_IN, 422, Permission.SET_A_PIN),
    "POST /players/{public.player}/claim/": members(SIGN_IN, FOUND, Permission.TAKE_OVER_A_GUEST),
    "POST /players/{public.player}/withdraw-claim/": members(
        SIGN_IN, FOUND, Permission.TAKE_OVER_A_GUEST
    ),
    "POST /players/{public.player}/answer-claim/": members(
        SIGN_IN, FOUND, Permission.TAKE_OVER_A_GUEST
    ),
    "POST /players/{public.player}/member/": organisers(SIGN_IN, FOUND, Permission.CHANGE_A_PLAYER),
    "GET /tables/": organisers(SIGN_IN, 200, Permission.MANAGE_TABLE_CODES),
    "POST /tables/": organisers(SIGN_IN, 200, Permission.MANAGE_TABLE_CODES),
    "POST /tables/codes/": organisers(SIGN_IN, 409, Permission.MANAGE_TABLE_CODES),
    "GET /tables/{public.table}/": organisers(SIGN_IN, 200, Permission.MANAGE_TABLE_CODES),
    "POST /tables/{public.table}/": organisers(SIGN_IN, FOUND, Permission.MANAGE_TABLE_CODES),
    "GET /tables/{public.code}/": everybody(),
    "GET /tables/{public.code}/live/": everybody(),
    "GET /tables/{public.code}/sit/": everybody(FOUND),
    "POST /tables/{public.code}/sit/": everybody(FOUND),
    "POST /tables/{public.code}/leave/": everybody(FOUND),
    # Nobody sits there yet: no league was chosen.
    "POST /tables/{public.code}/start/": members(SIGN_IN, 422, Permission.OPEN_A_GAME),
    "GET /games/{public.ended}/again/": members(SIGN_IN, 200, Permission.OPEN_A_GAME),
    "POST /games/{public.ended}/again/": members(SIGN_IN, FOUND, Permission.OPEN_A_GAME),
    "POST /games/new/guest/": members(SIGN_IN, 200, Permission.SEAT_A_GUEST),
    "POST /games/new/find/": members(SIGN_IN, 200, Permission.OPEN_A_GAME),
    "GET /games/new/guest/": members(SIGN_IN, FOUND),
    "GET /games/new/find/": members(SIGN_IN, FOUND),
    "GET /games/new/": members(SIGN_IN, call=Permission.OPEN_A_GAME),
    "POST /games/new/": members(SIGN_IN, FOUND, Permission.OPEN_A_GAME),
    "GET /games/{public.game}/": everybody(),
    "GET /games/{hidden.game}/": members(404),
    "GET /games/{public.game}/live/": everybody(),
    "GET /games/{hidden.game}/live/": members(404),
    "POST /games/{public.game}/hands/": Row(
        Permission.LOG_A_HAND, SIGN_IN, 403, FOUND, FOUND, FOUND, FOUND
    ),
    "POST /games/{hidden.game}/hands/": Row(
        Permission.LOG_A_HAND, SIGN_IN, 403, FOUND, FOUND, FOUND, FOUND
    ),
    "POST /games/{public.game}/preview/": Row(
        Permission.LOG_A_HAND, SIGN_IN, 403, 200, 200, 200, 200
    ),
    "POST /games/{hidden.game}/preview/": Row(
        Permission.LOG_A_HAND, SIGN_IN, 403, 200, 200, 200, 200
    ),
    "GET /games/{public.game}/finish/": Row(
        Permission.FINISH_A_GAME, SIGN_IN, 403, 200, 200, 200, 200
    ),
    "POST /games/{public.game}/finish/": Row(
        Permission.FINISH_A_GAME, SIGN_IN, 403, FOUND, FOUND, FOUND, FOUND
    ),
    "GET /games/{public.ended}/reopen/": table(SIGN_IN, 200, Permission.REOPEN_A_GAME),
    "POST /games/{public.ended}/reopen/": table(SIGN_IN, FOUND, Permission.REOPEN_A_GAME),
    "GET /games/{public.game}/seats/": table(SIGN_IN, 200, Permission.CHANGE_A_GAME),
    "POST /games/{public.game}/seats/": table(SIGN_IN, FOUND, Permission.CHANGE_A_GAME),
    "GET /games/{public.game}/move/": table(SIGN_IN, 200, Permission.CHANGE_A_GAME),
    "POST /games/{public.game}/move/": table(SIGN_IN, FOUND, Permission.CHANGE_A_GAME),
    "GET /games/{public.game}/withdraw/": table(SIGN_IN, 200, Permission.WITHDRAW_A_GAME),
    "POST /games/{public.game}/withdraw/": table(SIGN_IN, FOUND, Permission.WITHDRAW_A_GAME),
    "GET /games/{public.withdrawn}/restore/": table(SIGN_IN, 200, Permission.WITHDRAW_A_GAME),
    "POST /games/{public.withdrawn}/restore/": table(SIGN_IN, FOUND, Permission.WITHDRAW_A_GAME),
    "GET /games/{public.ended}/late/": organisers(SIGN_IN, 200, Permission.DECIDE_A_LATE_HAND),
    # For phones, which are not led to a page: 401.
    "POST /games/{public.ended}/late/": table(401, 200, Permission.ASK_FOR_A_LATE_HAND),
    "POST /games/{public.ended}/late/{public.late}/": organisers(
        SIGN_IN, FOUND, Permission.DECIDE_A_LATE_HAND
    ),
    "GET /games/{public.game}/penalty/": table(SIGN_IN, 200, Permission.BOOK_AT_A_TABLE),
    "POST /games/{public.game}/penalty/": table(SIGN_IN, FOUND, Permission.BOOK_AT_A_TABLE),
    "GET /hands/{public.hand}/": everybody(),
    "GET /hands/{hidden.hand}/": members(404),
    "GET /hands/{public.hand}/picture.png": everybody(),
    "GET /hands/{hidden.hand}/picture.png": members(404),
    "GET /hands/{public.hand}/correct/": table(SIGN_IN, 200, Permission.CORRECT_A_HAND),
    "POST /hands/{public.hand}/correct/": table(SIGN_IN, 422, Permission.CORRECT_A_HAND),
    "POST /hands/{public.hand}/correct/preview/": table(SIGN_IN, 200, Permission.CORRECT_A_HAND),
    "GET /hands/{public.hand}/void/": table(SIGN_IN, 200, Permission.CORRECT_A_HAND),
    "POST /hands/{public.hand}/void/": table(SIGN_IN, FOUND, Permission.CORRECT_A_HAND),
    "GET /hands/{public.void}/restore/": table(SIGN_IN, 200, Permission.CORRECT_A_HAND),
    "POST /hands/{public.void}/restore/": table(SIGN_IN, FOUND, Permission.CORRECT_A_HAND),
    "GET /hands/{public.hand}/history/": members(SIGN_IN, call=Permission.READ_HISTORY),
    "GET /hands/{hidden.hand}/history/": members(SIGN_IN, call=Permission.READ_HISTORY),
    # Who has nothing to say is led back to the hand.
    "GET /hands/{public.hand}/pass-the-phone/": Row(
        Permission.SEE_MEMBERS_LEAGUES, SIGN_IN, FOUND, 200, 200, 200, 200
    ),
    "POST /hands/{public.hand}/answer/": table(SIGN_IN, FOUND, Permission.ANSWER_A_HAND),
    # Of one that nobody disputes, organisers are told so.
    "GET /hands/{public.hand}/settle/": organisers(SIGN_IN, FOUND, Permission.SETTLE_A_DISPUTE),
    "POST /hands/{public.hand}/settle/": organisers(SIGN_IN, FOUND, Permission.SETTLE_A_DISPUTE),
    "GET /hands/{public.disputed}/settle/": organisers(SIGN_IN, 200, Permission.SETTLE_A_DISPUTE),
    "POST /hands/{public.disputed}/settle/": organisers(
        SIGN_IN, FOUND, Permission.SETTLE_A_DISPUTE
    ),
    "POST /hands/{public.own}/undo/": scorer(SIGN_IN),
    "GET /calculator/": everybody(),
    "GET /calculator/result/": everybody(),
    "GET /calculator/think/": everybody(FOUND),
    "GET /rules/": everybody(),
    "GET /rules/compare/": everybody(),
    "GET /rules/new/": organisers(SIGN_IN, 200, Permission.CHANGE_THE_RULES),
    "POST /rules/new/": organisers(SIGN_IN, 422, Permission.CHANGE_THE_RULES),
    "GET /rules/club/change/": organisers(SIGN_IN, 200, Permission.CHANGE_THE_RULES),
    "POST /rules/club/change/": organisers(SIGN_IN, 422, Permission.CHANGE_THE_RULES),
    "GET /rules/club/delete/": organisers(SIGN_IN, 200, Permission.CHANGE_THE_RULES),
    "POST /rules/club/delete/": organisers(SIGN_IN, 422, Permission.CHANGE_THE_RULES),
    "GET /rules/club/new/": Row(Permission.CHANGE_THE_RULES, SIGN_IN, 403, 403, 200, 200, 200),
    "POST /rules/club/new/": Row(Permission.CHANGE_THE_RULES, SIGN_IN, 403, 403, 422, 422, 422),
    "GET /rules/club/": everybody(),
    "POST /rules/bmja/take/": organisers(SIGN_IN, FOUND, Permission.CHANGE_THE_RULES),
    # Rules of options are no book.
    "GET /rules/club/1.toml": everybody(404),
    "GET /rules/import/": organisers(SIGN_IN, 200, Permission.CHANGE_THE_RULES),
    "POST /rules/import/": organisers(SIGN_IN, 422, Permission.CHANGE_THE_RULES),
    "GET /rules/bmja/new/": organisers(SIGN_IN, 200, Permission.CHANGE_THE_RULES),
    "POST /rules/bmja/new/": organisers(SIGN_IN, 200, Permission.CHANGE_THE_RULES),
    "GET /manifest.webmanifest": everybody(),
    "GET /worker.js": everybody(),
    "GET /offline/": everybody(),
    "POST /language/": everybody(FOUND),
    "GET /account/": own(),
    "GET /account/sign-in/": everybody(),
    "POST /account/sign-in/": everybody(422),
    "GET /account/name/": own(),
    "POST /account/name/": own(422),
    "POST /account/hide-name/": own(FOUND),
    "GET /account/sessions/": own(),
    # None of theirs is named.
    "POST /account/sessions/": own(404),
    # Who is signed in is led home.
    "GET /account/sign-up/": Row(None, 200, *5 * [FOUND]),
    "POST /account/sign-up/": Row(None, 200, *5 * [FOUND]),
    "GET /account/closed/": everybody(),
    "GET /account/again/": own(),
    "POST /account/again/": own(422),
    # Nobody here has a second step: the password is asked for.
    "GET /account/again/code/": own(FOUND),
    "POST /account/again/code/": own(FOUND),
    "GET /account/again/key/": own(FOUND),
    "POST /account/again/key/": own(FOUND),
    "GET /account/mail/": own(),
    "POST /account/mail/": own(FOUND),
    "GET /account/mail/sent/": everybody(),
    "GET /account/mail/confirm/stale/": everybody(),
    "POST /account/mail/confirm/stale/": everybody(404),
    "GET /account/password/change/": own(),
    "POST /account/password/change/": own(422),
    "GET /account/password/set/": own(FOUND),
    "POST /account/password/set/": own(FOUND),
    "GET /account/password/reset/": everybody(),
    "POST /account/password/reset/": everybody(422),
    "GET /account/password/reset/sent/": everybody(),
    "GET /account/password/reset/done/": everybody(),
    "GET /account/password/reset/key/1-stale-key/": everybody(),
    "POST /account/password/reset/key/1-stale-key/": everybody(422),
    "GET /account/mfa/": own(),
    "GET /account/mfa/code/": everybody(FOUND),
    "POST /account/mfa/code/": everybody(FOUND),
    # The password comes first.
    "GET /account/mfa/app/": own(FOUND),
    "POST /account/mfa/app/": own(FOUND),
    "GET /account/mfa/app/remove/": own(404),
    "POST /account/mfa/app/remove/": own(404),
    "GET /account/mfa/recovery-codes/": own(404),
    "GET /account/mfa/recovery-codes/new/": own(FOUND),
    "POST /account/mfa/recovery-codes/new/": own(FOUND),
    "GET /account/mfa/keys/": own(),
    "GET /account/mfa/keys/add/": own(FOUND),
    "POST /account/mfa/keys/add/": own(FOUND),
    "GET /account/mfa/keys/sign-in/": everybody(FOUND),
    "POST /account/mfa/keys/sign-in/": everybody(FOUND),
    "GET /account/mfa/keys/1/edit/": own(FOUND),
    "POST /account/mfa/keys/1/edit/": own(FOUND),
    "GET /account/mfa/keys/1/remove/": own(FOUND),
    "POST /account/mfa/keys/1/remove/": own(FOUND),
    "GET /sign-in/": everybody(),
    "POST /sign-in/": everybody(422),
    "POST /sign-out/": everybody(FOUND),
}
API = {
    "GET /api/": everybody(FOUND),
    "GET /api/schema/": everybody(),
    "GET /api/docs/": everybody(),
    "POST /api/v1/token/": everybody(400),
    "GET /api/v1/me/": everybody(),
    "GET /api/v1/tokens/": members(401, call=Permission.HOLD_TOKENS),
    "POST /api/v1/tokens/": members(401, 201, Permission.HOLD_TOKENS),
    "DELETE /api/v1/tokens/{public.hand}/": members(401, 404, Permission.HOLD_TOKENS),
    "POST /api/v1/score/": everybody(),
    "POST /api/v1/score/advice/": everybody(),
    "GET /api/v1/rulesets/": everybody(),
    "POST /api/v1/rulesets/": organisers(401, 201, Permission.CHANGE_THE_RULES),
    "GET /api/v1/rulesets/club/": everybody(),
    "POST /api/v1/rulesets/preview/": everybody(),
    "GET /api/v1/players/": everybody(),
    "POST /api/v1/players/": Row(Permission.ADD_A_PLAYER, 401, 403, 403, 201, 201, 201),
    "POST /api/v1/people/": organisers(401, 201, Permission.MANAGE_PEOPLE),
    "GET /api/v1/invitations/": organisers(401, call=Permission.MANAGE_PEOPLE),
    "POST /api/v1/invitations/": organisers(401, 201, Permission.MANAGE_PEOPLE),
    "DELETE /api/v1/invitations/{public.hand}/": organisers(401, 404, Permission.MANAGE_PEOPLE),
    "GET /api/v1/players/{public.player}/": everybody(),
    "GET /api/v1/players/{hidden.player}/": members(404),
    "PATCH /api/v1/players/{public.player}/": Row(
        Permission.CHANGE_A_PLAYER, 401, 403, 403, 200, 200, 200
    ),
    "PATCH /api/v1/players/{hidden.player}/": Row(
        Permission.CHANGE_A_PLAYER, 401, 403, 403, 200, 200, 200
    ),
    "POST /api/v1/leagues/": organisers(401, 201, Permission.RUN_LEAGUES),
    "PATCH /api/v1/leagues/{public.league}/": organisers(401, 200, Permission.RUN_LEAGUES),
    "GET /api/v1/leagues/": everybody(),
    "GET /api/v1/leagues/{public.league}/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/": members(404),
    "GET /api/v1/leagues/{public.league}/standings/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/standings/": members(404),
    "GET /api/v1/hall-of-fame/": everybody(),
    "GET /api/v1/hall-of-fame/best/": everybody(),
    "GET /api/v1/leagues/{public.league}/hall-of-fame/best/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/hall-of-fame/best/": members(404),
    "GET /api/v1/leagues/{public.league}/hall-of-fame/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/hall-of-fame/": members(404),
    "GET /api/v1/leagues/{public.league}/awards/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/awards/": members(404),
    "GET /api/v1/leagues/{public.league}/head-to-head/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/head-to-head/": members(404),
    "GET /api/v1/ratings/": members(401),
    "GET /api/v1/ratings/chances/": members(401, 400, Permission.SEE_CHANCES),
    "GET /api/v1/players/{public.player}/ratings/": everybody(),
    "GET /api/v1/players/{hidden.player}/ratings/": members(404),
    "GET /api/v1/players/{public.player}/against/": everybody(),
    "GET /api/v1/players/{hidden.player}/against/": members(404),
    "GET /api/v1/leagues/{public.league}/seasons/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/seasons/": members(404),
    "GET /api/v1/leagues/{public.season}/final/": everybody(),
    "GET /api/v1/leagues/{hidden.season}/final/": members(404),
    "POST /api/v1/leagues/{public.league}/standings/preview/": organisers(
        401, 200, Permission.RUN_LEAGUES
    ),
    "GET /api/v1/games/": everybody(),
    "POST /api/v1/games/": members(401, 201, Permission.OPEN_A_GAME),
    "GET /api/v1/games/{public.game}/": everybody(),
    "GET /api/v1/games/{hidden.game}/": members(404),
    "GET /api/v1/games/{public.game}/hands/": everybody(),
    "GET /api/v1/games/{hidden.game}/hands/": members(404),
    "POST /api/v1/games/{public.game}/hands/": Row(
        Permission.LOG_A_HAND, 401, 403, 201, 201, 201, 201
    ),
    "POST /api/v1/games/{hidden.game}/hands/": Row(
        Permission.LOG_A_HAND, 401, 403, 201, 201, 201, 201
    ),
    "POST /api/v1/games/{public.game}/finish/": Row(
        Permission.FINISH_A_GAME, 401, 403, 200, 200, 200, 200
    ),
    "POST /api/v1/games/{hidden.game}/finish/": Row(
        Permission.FINISH_A_GAME, 401, 403, 200, 200, 200, 200
    ),
    "POST /api/v1/games/{public.ended}/reopen/": table(401, call=Permission.REOPEN_A_GAME),
    "POST /api/v1/games/{hidden.ended}/reopen/": table(401, call=Permission.REOPEN_A_GAME),
    "POST /api/v1/games/{public.game}/seats/": table(401, call=Permission.CHANGE_A_GAME),
    "POST /api/v1/games/{hidden.game}/seats/": table(401, call=Permission.CHANGE_A_GAME),
    "POST /api/v1/games/{public.game}/withdraw/": table(401, call=Permission.WITHDRAW_A_GAME),
    "POST /api/v1/games/{hidden.game}/withdraw/": table(401, call=Permission.WITHDRAW_A_GAME),
    "POST /api/v1/games/{public.withdrawn}/restore/": table(401, call=Permission.WITHDRAW_A_GAME),
    "POST /api/v1/games/{hidden.withdrawn}/restore/": table(401, call=Permission.WITHDRAW_A_GAME),
    "GET /api/v1/hands/{public.hand}/": everybody(),
    "GET /api/v1/hands/{hidden.hand}/": members(404),
    "GET /api/v1/hands/{public.hand}/history/": members(401, call=Permission.READ_HISTORY),
    "GET /api/v1/hands/{hidden.hand}/history/": members(401, call=Permission.READ_HISTORY),
    "POST /api/v1/hands/{public.hand}/correct/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{hidden.hand}/correct/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{public.hand}/correct/preview/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{hidden.hand}/correct/preview/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{public.hand}/void/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{hidden.hand}/void/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{public.hand}/void/preview/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{hidden.hand}/void/preview/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{public.void}/restore/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{hidden.void}/restore/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{public.void}/restore/preview/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{hidden.void}/restore/preview/": table(401, call=Permission.CORRECT_A_HAND),
    "POST /api/v1/hands/{public.own}/undo/": scorer(401, 200),
    "POST /api/v1/hands/{hidden.own}/undo/": scorer(401, 200),
    "POST /api/v1/hands/{public.hand}/confirm/": table(401, call=Permission.ANSWER_A_HAND),
    "POST /api/v1/hands/{hidden.hand}/confirm/": table(401, call=Permission.ANSWER_A_HAND),
    "POST /api/v1/hands/{public.hand}/dispute/": table(401, call=Permission.ANSWER_A_HAND),
    "POST /api/v1/hands/{hidden.hand}/dispute/": table(401, call=Permission.ANSWER_A_HAND),
    "POST /api/v1/hands/{public.disputed}/settle/": organisers(
        401, call=Permission.SETTLE_A_DISPUTE
    ),
    "POST /api/v1/hands/{hidden.disputed}/settle/": organisers(
        401, call=Permission.SETTLE_A_DISPUTE
    ),
    "GET /api/v1/adjustments/": everybody(),
    "POST /api/v1/adjustments/": table(401, 201, Permission.BOOK_AT_A_TABLE),
    "GET /api/v1/adjustments/{public.booked}/": everybody(),
    "GET /api/v1/adjustments/{hidden.booked}/": members(404),
    "POST /api/v1/adjustments/{public.booked}/reverse/": table(
        401, 201, Permission.BOOK_AT_A_TABLE
    ),
    "POST /api/v1/adjustments/{hidden.booked}/reverse/": table(
        401, 201, Permission.BOOK_AT_A_TABLE
    ),
    "POST /api/v1/adjustments/{public.wide}/reverse/": organisers(
        401, 201, Permission.BOOK_IN_A_LEAGUE
    ),
    "GET /api/v1/leagues/{public.league}/evenings/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/evenings/": members(404),
    "POST /api/v1/leagues/{public.league}/evenings/{public.day}/close/": organisers(
        401, call=Permission.CLOSE_AN_EVENING
    ),
    "POST /api/v1/leagues/{public.league}/evenings/{public.closed}/reopen/": organisers(
        401, call=Permission.CLOSE_AN_EVENING
    ),
    "GET /api/v1/leagues/{public.league}/evenings/{public.day}/": everybody(),
    "GET /api/v1/leagues/{hidden.league}/evenings/{hidden.day}/": members(404),
    "POST /api/v1/leagues/{public.league}/evenings/{public.day}/payments/": table(
        401, 201, Permission.MARK_AS_PAID
    ),
    "POST /api/v1/leagues/{public.league}/evenings/{public.closed}/payments/{public.paid}/not-paid/": (
        table(401, call=Permission.MARK_AS_PAID)
    ),
    "GET /api/nothing/": everybody(404),
}
TABLE = PAGES | API

# Of those who may correct a hand, only who logged it may undo it: in these rows, "player".
OF_THE_SCORER = {call for call in TABLE if call.endswith("/undo/")}

PASSWORD = "three green dragons"
# What is sent to an address that wants something; to the others, nothing is.
BODIES = {
    "POST /games/new/": "{table}",
    "POST /api/v1/games/": "{table}",
    "POST /api/v1/leagues/{public.league}/standings/preview/": {"tables": [{"name": "A"}]},
    "POST /api/v1/rulesets/": {"book": {"base": "dmjl"}},
    "POST /api/v1/rulesets/preview/": {"book": {"base": "dmjl"}, "hands": ["222B"]},
    "POST /api/v1/leagues/": {"name": "Spring", "slug": "spring"},
    "PATCH /api/v1/leagues/{public.league}/": {"name": "Autumn"},
    "POST /api/v1/score/": {"tiles": BOOK_HAND, "seat": "S", "prevailing": "E"},
    "POST /api/v1/score/advice/": {"tiles": BOOK_HAND, "seat": "S", "prevailing": "E"},
    "POST /api/v1/players/": {"name": "Zoe"},
    "POST /api/v1/people/": {"people": [{"name": "Zoe"}]},
    "POST /people/{public.player}/": {"do": "leave"},
    "POST /people/accounts/{account}/": {"do": "organiser"},
    "POST /people/accounts/{second}/": {"do": "owner"},
    "POST /people/accounts/{third}/": {"do": "take"},
    "POST /api/v1/tokens/": {"name": "Board", "scopes": ["read"], "password": PASSWORD},
    "POST /api/v1/adjustments/": "{penalty}",
}
# What is sent to whatever ends like this.
BODIES_BY_ENDING = {
    "/correct/": {"outcome": "draw", "reason": "Nobody won"},
    "/correct/preview/": {"outcome": "draw"},
    "/void/": {"reason": "Never happened"},
    "/void/preview/": {},
    "void}/restore/": {"reason": "It was played"},
    "/hands/": "{hand}",
    "game}/preview/": "{hand}",
    "/undo/": {},
    "/confirm/": "{answer}",
    "/dispute/": "{answer}",
    "/settle/": {"reason": "We looked at the tiles"},
    "/reverse/": {"reason": "It was right"},
    "/take-back/": {"reason": "It was right"},
    "/answer/": "{answer}",
    "/penalty/": "{one pays}",
    "league}/adjustments/": "{one pays}",
    "/close/": {},
    "/paid/": "{owed}",
    "/payments/": "{owed}",
    "/seats/": "{seats}",
    "/move/": "{where}",
    "/withdraw/": {"reason": "Opened twice"},
    "/restore/": {"reason": "It was real", "anyway": True, "elsewhere": "anyway"},
    "ended}/late/": "{hand}",
    "late}/": {"decision": "take"},
    "/tables/": {"names": "Window"},
    "table}/": {"name": "Door"},
    "/sit/": {"place": "0", "guest": "Zoë"},
    "/new/guest/": {"guest": "Zoë"},
    "/again/": {"elsewhere": "anyway"},
    "/reopen/": {"reason": "A table was forgotten", "anyway": True, "elsewhere": "anyway"},
}


# What no address is for: they say how much of it somebody may do, or for whom.
WITHIN_A_CALL = {Permission.SEE_EVERYBODY, Permission.OPEN_MANY_GAMES, Permission.MANAGE_SEATS}


@dataclass
class Side:
    """A league with a game of which one hand is played.

    ``own`` is a hand that "player" logged, ``void`` one that was declared void and ``disputed`` one that
    somebody disputes, each in a game of its own; ``paid`` is what "player" paid after the closed evening; ``booked`` is a penalty in the game and ``wide`` one in the league, ``day`` the evening
    of today and ``closed`` one that is closed. ``ended`` is a game that was ended early, with a
    ``late`` hand that waits; ``withdrawn`` one that was withdrawn. ``season`` is another league, which
    is closed. ``table`` has the ``code``.
    """

    league: str
    game: int
    hand: int
    player: int
    own: int
    void: int
    disputed: int
    booked: int
    wide: int
    day: date
    closed: date
    ended: int
    late: int
    withdrawn: int
    season: str
    table: int
    code: str
    paid: int


@dataclass
class Club:
    """Both leagues, a client for each role, and accounts that change theirs."""

    public: Side
    hidden: Side
    me: int
    account: int
    second: int
    third: int
    clients: dict[str, Client]

    def send(self, role, call, address=None, body=None):
        """Do ``call`` as ``role``; ``address`` and ``body`` are others than the row's."""
        method, shape = call.split(" ", 1)
        address = address or shape.format(**vars(self))
        send = getattr(self.clients[role], method.lower())
        if method == "GET":
            return send(address)
        body = body or self._body(call, role, api=address.startswith("/api/"))
        if address.startswith("/api/"):
            return send(address, body, content_type="application/json")
        return send(address, body)

    def _body(self, call, role, *, api):
        ends = (sent for end, sent in BODIES_BY_ENDING.items() if call.endswith(end))
        body = BODIES.get(call, next(ends, {}))
        made = {
            "{table}": self._table,
            "{penalty}": self._penalty,
            "{one pays}": self._one_pays,
            "{hand}": self._hand,
            "{seats}": self._seats,
            "{where}": self._where,
            "{owed}": self._owed,
        }
        if body == "{answer}":
            # The player's own answer; on an organiser's phone, that of a guest.
            guest = (self.hidden if "{hidden." in call else self.public).player
            sent = {"player": self.me if role == "player" else guest, "answer": "confirm"}
        else:
            sent = made[body](call, api) if isinstance(body, str) else body
        # The forms of pages have names that the API does not know.
        return {name: sent[name] for name in sent if not api or name not in ("answer", "elsewhere")}

    def _table(self, call, api):
        four = [make_player().pk for _seat in range(4)]
        league = self.public.league
        if api:
            return {"league": league, "players": four}
        seats = dict(zip(("east", "south", "west", "north"), four, strict=True))
        return {"league": League.objects.get(slug=league).pk, "key": call, **seats}

    def _penalty(self, _call, _api):
        line = {"payer": self.me, "payee": self.public.player, "amount": 5}
        return {"game": self.public.game, "reason": "Late", "transfers": [line]}

    def _one_pays(self, _call, _api):
        return {"payer": self.me, "payee": self.public.player, "amount": 5, "reason": "Late"}

    def _seats(self, call, api):
        side = self.hidden if "hidden" in call else self.public
        players = [player.pk for player in Game.objects.get(pk=side.game).players][::-1]
        seats = players if api else ",".join(map(str, players))
        return {"players": seats, "reason": "The other way round"}

    def _owed(self, call, _api):
        side = self.hidden if "hidden" in call else self.public
        owed = settlement_of(League.objects.get(slug=side.league), side.day).of("").left.transfers
        one = next(one for one in owed if self.me in (one.payer, one.payee))
        return {"payer": one.payer, "payee": one.payee, "amount": one.amount, "currency": ""}

    def _where(self, _call, _api):
        league = make_league()
        return {"league": league.pk, "day": league.starts_on.isoformat(), "reason": "Not here"}

    def _hand(self, _call, api):
        return {"number": 2, "outcome": "draw"} if api else {"number": 2, "winner": "draw"}


@pytest.fixture(scope="module")
def made(shared):
    """Two leagues with all that can be played, and an account of each role."""
    return shared(make_club)


def make_club():
    player = make_player()
    users = {
        "member": make_member(password=PASSWORD),
        "player": make_member(player=player, password=PASSWORD),
        "organiser": make_organiser(password=PASSWORD),
        "owner": make_owner(password=PASSWORD),
        "admin": admin(),
    }
    return {
        "public": side(League.Visibility.PUBLIC, player, place=0),
        "hidden": side(League.Visibility.MEMBERS, player, place=3),
        "me": player.pk,
        "account": make_member().pk,
        "second": make_member().pk,
        "third": make_organiser().pk,
        "users": {role: user.pk for role, user in users.items()},
        "sessions": {role: session_of(user) for role, user in users.items()},
    }


@pytest.fixture
def club(made, db):
    return club_of(made)


def club_of(made):
    # They can be undone for a minute, however long the tests before this one took.
    own = (made["public"].own, made["hidden"].own)
    now = timezone.now()
    assert Hand.objects.filter(pk__in=own).update(logged_at=now, played_at=now) == len(own)
    users = User.objects.in_bulk(made["users"].values())
    clients = {
        "visitor": Client(),
        **{
            role: client_of(users[pk], made["sessions"][role]) for role, pk in made["users"].items()
        },
    }
    known = {name: made[name] for name in ("public", "hidden", "me", "account", "second", "third")}
    return Club(**known, clients=clients)


def each_of(calls, made):
    """Each of the ``calls``, with a club in which none of the others was ever made."""
    for call in calls:
        with taken_back():
            yield call, club_of(made)


def admin():
    user = make_member(password=PASSWORD)
    user.is_staff = user.is_superuser = True
    user.save()
    return user


def session_of(user):
    client = Client()
    client.force_login(user)
    return client.session.session_key


def client_of(user, session):
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    client.user = user
    return client


def side(visibility, player, place):
    players = [make_player() for _seat in range(3)]
    players.insert(place, player)
    league, by = make_league(visibility=visibility), make_organiser()

    def game(day=None):
        game = make_game(league=league, players=players, by=by)
        Game.objects.filter(pk=game.pk).update(evening=day or game.evening)
        return game

    shown, first, second = game(), game(), game()
    ended, withdrawn = game(), game()
    for one in (ended, withdrawn):
        make_hand(one, winner=1, by=by)
    finish_game(ended, by=by)
    late = HandEntry(number=2, outcome="draw")
    ask_for_late_hand(ended, late, by=by, key="late")
    withdraw_game(withdrawn, by=by, reason="Opened twice")
    disputed = make_hand(second, winner=1, by=by)
    dispute_hand(disputed, by=by, player=players[2])
    closed = game(league.starts_on - timedelta(days=7))
    line = TransferEntry(players[1], players[2], 5)
    table, code = make_table()
    closed.refresh_from_db()
    close_evening(league, closed.evening, by=by)
    season = make_league(visibility=visibility, ends_on=club_day())
    close_season(season, by=by, final_rows=final_rows)
    return Side(
        league=league.slug,
        game=shown.pk,
        hand=make_hand(shown, winner=1, by=by).pk,
        player=players[2].pk,
        own=make_hand(first, winner=1, by=player.user).pk,
        void=void_hand(make_hand(game(), winner=1, by=by), by=by, reason="A slip").hand.pk,
        disputed=disputed.pk,
        booked=book_at_table(shown, [line], by=by, reason="Late").pk,
        wide=book_in_league(league, [line], by=by, reason="Late").pk,
        day=shown.evening,
        closed=closed.evening,
        ended=ended.pk,
        late=ended.late_hands.get().pk,
        withdrawn=withdrawn.pk,
        season=season.slug,
        table=table.pk,
        code=code,
        paid=EveningPayment.objects.create(
            league=league, day=closed.evening, payer=player, payee=players[1], amount=5
        ).pk,
    )


def answered(response):
    """The status of ``response``, or that one has to sign in."""
    signs_in = [reverse(settings.LOGIN_URL), reverse("admin:login")]
    if response.status_code == FOUND and response.url.partition("?")[0] in signs_in:
        return SIGN_IN
    return response.status_code


def asked(call):
    """Its answer to the roles on both sides of each line that the row draws; in ``make thorough`` to all."""
    row = {role: getattr(TABLE[call], role) for role in ROLES}
    if THOROUGH:
        return row
    sides = [pair for pair in pairwise(row) if row[pair[0]] != row[pair[1]]]
    return {role: row[role] for pair in sides or [("visitor", "admin")] for role in pair}


# So that no process is left alone with hundreds of calls.
PARTS = 6


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_call_answers_each_role_as_its_row_says(made, part):
    wrong = {}
    for call, club in each_of(list(TABLE)[part::PARTS], made):
        answers = {}
        for role in asked(call):
            with taken_back():
                answers[role] = answered(club.send(role, call))
        if answers != asked(call):
            wrong[call] = answers
    assert wrong == {}


def test_every_row_agrees_with_the_table_of_permissions():
    wrong = []
    for call, row in TABLE.items():
        if call in OF_THE_SCORER:
            assert row == scorer(row.visitor, row.player)
            continue
        allowed = PERMISSIONS[row.call] if row.call else {Role.VISITOR}
        for role, roles in ROLES.items():
            refused = getattr(row, role) in (SIGN_IN, 401, 403)
            hidden = getattr(row, role) == 404 and row.call == Permission.SEE_MEMBERS_LEAGUES
            if bool(allowed & roles) == (refused or hidden):
                wrong.append((call, role))
    assert wrong == []


def test_every_permission_has_a_row_roles_and_scopes():
    asked = {row.call for row in TABLE.values()} - {None}
    assert asked | WITHIN_A_CALL == set(Permission) == set(PERMISSIONS) == set(SCOPE_OF)


def test_every_permission_is_asked_for_in_code():
    modules = [*Path("scoring").rglob("*.py"), *Path("mahjong_site").rglob("*.py")]
    source = "".join(path.read_text() for path in modules if path.name != "permissions.py")
    assert [one for one in Permission if f"Permission.{one.name}" not in source] == []


def routes(patterns, before=""):
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif getattr(pattern, "namespace", None) != "admin":
            yield from routes(pattern.url_patterns, route)


def test_every_address_has_a_row(club):
    rows = {resolve(call.split(" ", 1)[1].format(**vars(club))).route for call in TABLE}
    outside = {route for route in routes(get_resolver().url_patterns) if "admin/" not in route}
    assert rows == outside


@pytest.fixture(scope="module")
def methods(made):
    """The methods that have a row, by route; found once: there are hundreds of rows."""
    known = defaultdict(set)
    for call in TABLE:
        method, shape = call.split(" ", 1)
        known[resolve(shape.format(**made)).route].add(method)
    return known


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_method_without_a_row_is_for_nobody(club, methods, part):
    for shape in sorted({call.split(" ", 1)[1] for call in TABLE})[part::PARTS]:
        route = resolve(shape.format(**vars(club))).route
        for method in set(METHODS) - methods[route]:
            with taken_back():
                response = club.send("admin", f"{method} {shape}")
            # Under api/ there may be nothing at all, which is no method's fault.
            assert response.status_code in (405, 404), (method, shape)
            assert response.status_code == 405 or route == "api/", (method, shape)


SENT = [call for call in TABLE if call.startswith("POST /") and "/api/" not in call]


def test_who_signs_in_after_sending_a_form_comes_to_a_page(made):
    """Those of allauth about a second step are there for who has one."""
    places = set()
    for call, club in each_of(SENT, made):
        if "{hidden." in call or "/mfa/" in call:
            continue
        away = club.send("visitor", call)
        place = parse_qs(urlsplit(away.headers.get("Location", "")).query).get("next", [""])[0]
        if away.status_code == FOUND and place:
            places.add(place)
            assert club.clients["admin"].get(place).status_code not in (404, 405), (call, place)
    assert len(places) > 20


HIDDEN = [call for call in TABLE if "{hidden." in call]


def test_a_visitor_cannot_tell_what_is_hidden_from_what_is_not_there(made):
    for call, club in each_of(HIDDEN, made):
        shape = call.split(" ", 1)[1]
        slug = "nothing" if ".league" in shape else str(NOBODY)
        nothing = re.sub(r"\{hidden\.\w+\}", slug, shape)
        hidden = club.send("visitor", call)
        missing = club.send("visitor", call, address=nothing.format(**vars(club)))
        assert hidden.status_code == missing.status_code, call
        assert as_read(hidden) == as_read(missing), call


def as_read(response):
    """What a stranger reads: all but the address they typed and the numbers of the request."""
    text = response.content.decode() + response.headers.get("Location", "")
    here = response.wsgi_request.path
    text = text.replace(here, "HERE")
    for page in ("..", "../final/", "../../.."):
        text = text.replace(f"next={urljoin(here, page)}", "next=ITS PAGE")
    text = re.sub(r"next=/games/\d+/", "next=THE TABLE", text)
    text = re.sub(r'"X-CSRFToken": "\w+"|name="csrfmiddlewaretoken" value="\w+"', "CSRF", text)
    return text.replace(response["X-Request-ID"], "NUMBER")


PRIVATE = ("username", "email", "first_name", "last_name")


@pytest.fixture
def accounts(club):
    """All accounts, with names and mails that stand nowhere else; organisers did what they can."""
    for user in User.objects.all():
        for field in PRIVATE:
            setattr(user, field, f"{field[0]}q{user.pk}zx@club.example")
        user.save()
    by = club.clients["organiser"].user
    for side in (club.public, club.hidden):
        league = League.objects.get(slug=side.league)
        reopen_evening(league, side.closed, by=by, reason="Too early", anyway=True)
        reopen_game(Game.objects.get(pk=side.ended), by=by, reason="Go on", anyway=True)
        correct_hand(
            Hand.objects.get(pk=side.own), HandEntry(1, "draw"), by=by, reason="Nobody won"
        )
    return User.objects.all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "role",
    # What a member reads, a player reads, too.
    ["visitor", pytest.param("member", marks=pytest.mark.thorough), "player"],
)
def test_nobody_reads_names_or_mails_of_other_accounts(club, accounts, role):
    me = getattr(club.clients[role], "user", None)
    secrets = {getattr(user, field) for user in accounts if user != me for field in PRIVATE}
    more = {
        "GET /hands/{public.own}/": {},
        "GET /hands/{public.own}/history/": {},
        "GET /hands/{public.disputed}/history/": {},
        "GET /api/v1/hands/{public.own}/history/": {},
        "GET /games/{public.ended}/": {},
        "GET /leagues/{public.league}/evenings/{public.closed}/": {},
        # Somebody else's hand stands there.
        "POST /games/{public.game}/hands/": {"winner": "draw", "number": 1, "key": "other"},
    }
    # What is sent is answered with a page that is read, too, or with what a form of it says.
    read = [call for call in TABLE if THOROUGH or call.startswith("GET ")]
    table = [call for call in read if call != "POST /sign-out/"]
    for call, body in [*((call, None) for call in table), *more.items()]:
        with taken_back():
            response = club.send(role, call, body=body)
        answer = f"{response.headers}{response.content.decode(errors='replace')}"
        assert [secret for secret in secrets if secret in answer] == [], call
    # The last one said who logged the hand that stands there.
    assert (role == "player") == (response.status_code == 409 and "by a member" in answer)


@pytest.fixture
def hiding(club):
    """A club that hides names, which stand nowhere else; the seven people play in both leagues."""
    for player in Player.objects.all():
        player.name = f"Quirijn{player.pk} Xanthippe{player.pk}"
        player.save()
        Hand.objects.filter(winner=player).update(reason=f"Asked {player.name}.")
    club_settings.remember(ClubSettings(hides_names=True), seconds=3600)
    return {player.name for player in Player.objects.all()}


def names_read(club, role, calls, names):
    """The calls whose answers to ``role`` say one of ``names``."""
    found = set()
    for call in calls:
        with taken_back():
            response = club.send(role, call)
        answer = f"{response.headers}{as_text(response)}"
        if any(name in answer for name in names):
            found.add(call)
    return found


def as_text(response):
    return b"".join(response).decode(errors="replace")


# Whoever holds the code of a table stands in the room.
AT_A_TABLE = {call for call in TABLE if "{public.code}" in call or "{hidden.code}" in call}


@pytest.mark.slow
def test_no_visitor_reads_a_hidden_name(club, hiding):
    assert names_read(club, "visitor", TABLE.keys() - AT_A_TABLE, hiding) == set()


@pytest.mark.slow
@pytest.mark.parametrize("role", ["member", pytest.param("organiser", marks=pytest.mark.thorough)])
def test_who_is_signed_in_reads_hidden_names(club, hiding, role):
    shown = [call for call in TABLE if call.startswith("GET ") and "{public." in call]
    found = names_read(club, role, shown, hiding)
    assert {"GET /games/{public.game}/", "GET /api/v1/games/{public.game}/"} <= found


class TestTheAdmin:
    """Every page of it, found by itself: those who run the site, and nobody else."""

    @pytest.mark.parametrize("role", ["visitor", "member", "player"])
    def test_the_desk_turns_others_away(self, club, role):
        inside = set(routes(site.get_urls())) - {"login/", "logout/"}
        for route in inside:
            address = "/admin/" + re.sub(r"<[^>]+>|\(\?P.*?\)", "1", route).strip("^$")
            assert answered(club.send(role, f"GET {address}")) == SIGN_IN, address

    def test_the_desk_lets_in_who_runs_the_site(self, club):
        assert club.send("admin", "GET /admin/").status_code == 200


def test_roles_without_a_sentence_for_everybody_else_are_refused_at_once():
    only_players = {**PERMISSIONS, Permission.LOG_A_HAND: frozenset({Role.PLAYER})}
    with pytest.raises(
        ImproperlyConfigured, match=r"LOG_A_HAND is for the roles PLAYER: .*REFUSALS"
    ):
        check_complete(only_players, SCOPE_OF)


@pytest.mark.parametrize("name", ["PERMISSIONS", "SCOPE_OF"])
def test_a_permission_without_a_line_is_refused_at_once(name):
    tables = {"PERMISSIONS": dict(PERMISSIONS), "SCOPE_OF": dict(SCOPE_OF)}
    del tables[name][Permission.LEAVE]
    with pytest.raises(ImproperlyConfigured, match=f"{name} for: LEAVE"):
        check_complete(*tables.values())
