"""The tables of the club and their codes: organisers make them, print them, and take them back.

A code is shown once, on the page with the cards. It says which table it lies on, and nothing else.
"""

import re
import secrets
from collections.abc import Iterable, Sequence

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.signing import Signer
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from scoring.models import ClubTable, Game
from scoring.models.game_tables import with_table
from scoring.models.permissions import Permission, User, check_permission

from .audit import log_audit
from .digests import digest_of
from .tries import count_wrong_try, require_tries_left

# No letter that looks like another or like a digit: who cannot scan types the code. 90 bits.
ALPHABET, LENGTH = "0123456789abcdefghjkmnpqrstvwxyz", 18
MOST_AT_ONCE = 60
MOST_WRONG_CODES = 20
RANGE = re.compile(r"(\d{1,4})[^\d\r\n]{1,7}(\d{1,4})")


class UnknownCode(Exception):
    """No table has this code, or no longer."""


class CodesChanged(Exception):
    """Somebody has made new cards since, perhaps by the same button."""


def code_proof(code: str) -> str:
    """What a page has to show that it was opened by ``code`` while a table had it."""
    return Signer(salt="scoring.table_code").signature(code.lower())


def find_table(code: str, *, asker: str, proof: str = "") -> ClubTable:
    """The table that ``code`` lies on. Call it outside a transaction: a wrong code is counted.

    :param asker: who asks, such as ``account:7`` or ``address:192.0.2.1``.
    :param proof: the :func:`code_proof` of ``code``: a code that was right once is no guess.
    :raises UnknownCode: if no table has it.
    :raises TooManyAttempts: after many wrong ones, also for a right one.
    """
    key = f"code:{asker}"
    guesses = not constant_time_compare(proof, code_proof(code))
    if guesses:
        # Of many at once each may be looked up before any is counted: at 90 bits nobody gains by that.
        require_tries_left(key, MOST_WRONG_CODES)
    table = ClubTable.objects.filter(digest=digest_of(code.lower())).first()
    if table is None:
        if guesses:
            count_wrong_try(key)
        raise UnknownCode
    if table.game_id is not None:
        table.game = with_table(Game.objects).get(pk=table.game_id)
    return table


@transaction.atomic
def add_tables(text: str, *, by: User) -> list[tuple[ClubTable, str]]:
    """The tables that ``text`` names, one a line or "1 to 6", each with its code.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: without a name, for a name that is taken, or for more than 60 at once.
    """
    check_permission(by, Permission.MANAGE_TABLE_CODES)
    names = _names(text)
    if not names:
        _refuse(_("Give the table a number or a name."), "required")
    if len(names) > MOST_AT_ONCE:
        _refuse(_("At most %(most)s tables at once.") % {"most": MOST_AT_ONCE}, "too_many")
    return [_with_new_code("add_tables", ClubTable(name=name), by) for name in names]


@transaction.atomic
def rename_table(table: ClubTable, name: str, *, by: User) -> ClubTable:
    """``table`` with another name; its code stays.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: for a name that is taken, or none.
    """
    check_permission(by, Permission.MANAGE_TABLE_CODES)
    table = _locked(table)
    before, table.name = table.name, name
    _check(table)
    table.save(update_fields=["name"])
    if name != before:
        log_audit("rename_table", table, by=by, before={"name": before})
    return table


@transaction.atomic
def renew_codes(
    tables: Sequence[ClubTable], *, by: User, expected_etag: str | None = None
) -> list[tuple[ClubTable, str]]:
    """A new code for each of ``tables``; the cards of before are worth nothing from now on.

    :param expected_etag: the :func:`codes_etag` that somebody has seen. None looks at nothing.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises CodesChanged: if a table has another code by now.
    """
    check_permission(by, Permission.MANAGE_TABLE_CODES)
    locked = [_locked(table) for table in tables]
    if expected_etag is not None and expected_etag != codes_etag(locked):
        raise CodesChanged
    return [_with_new_code("renew_codes", table, by) for table in locked]


def codes_etag(tables: Iterable[ClubTable]) -> str:
    """Changes with each new code of ``tables``, and with a table more or less."""
    return digest_of(" ".join(sorted(f"{table.pk}:{table.digest}" for table in tables)))[:16]


@transaction.atomic
def revoke_code(table: ClubTable, *, by: User) -> None:
    """Let the card of ``table`` be worth nothing; who waits at it keeps no seat.

    :raises PermissionDenied: unless ``by`` is an organiser.
    """
    check_permission(by, Permission.MANAGE_TABLE_CODES)
    table = _locked(table)
    if table.digest is None:
        return
    table.digest = None
    table.save(update_fields=["digest"])
    table.waiting_seats.all().delete()
    log_audit("revoke_code", table, by=by)


def _locked(table: ClubTable) -> ClubTable:
    return ClubTable.objects.select_for_update().get(pk=table.pk)


def _with_new_code(action: str, table: ClubTable, by: User) -> tuple[ClubTable, str]:
    code = "".join(secrets.choice(ALPHABET) for _letter in range(LENGTH))
    table.digest = digest_of(code.lower())
    _check(table)
    table.save()
    log_audit(action, table, by=by)
    return table, code


def _check(table: ClubTable) -> None:
    """:raises ValidationError: at the name, which is what every constraint is about."""
    try:
        table.full_clean()
    except ValidationError as error:
        errors = error.error_dict
        raise ValidationError(
            {"name": [*errors.get("name", []), *errors.get(NON_FIELD_ERRORS, [])]}
        ) from error


def _names(text: str) -> list[str]:
    """The names that ``text`` lists: lines, or the numbers of a range such as "1 to 6".

    >>> _names("1–3")
    ['1', '2', '3']
    >>> _names("Window\\n\\n1-2, Door")
    ['Window', '1', '2', 'Door']
    """
    return [name for line in text.splitlines() if line.strip() for name in _names_in(line)]


def _names_in(line: str) -> list[str]:
    parts = [part.strip() for part in line.split(",")]
    ranges = [RANGE.fullmatch(part) for part in parts]
    if not any(ranges) and not all(part.isdecimal() for part in parts):
        return [line.strip()]
    names: list[str] = []
    for part, number_range in zip(parts, ranges, strict=True):
        if number_range:
            first, last = map(int, number_range.groups())
            names += map(str, range(first, min(last, first + MOST_AT_ONCE) + 1))
        elif part:
            names.append(part)
    return names


def _refuse(message: str, code: str) -> None:
    raise ValidationError({"name": ValidationError(message, code=code)})
