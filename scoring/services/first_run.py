"""The first run: a club is set up by whoever has the code that its server printed.

The code opens the club until there is an account. From then on, who made that account goes on.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from hmac import compare_digest
from typing import Unpack

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction

from scoring.models import FirstRun, League, Player
from scoring.models.names import legible, name_key
from scoring.models.permissions import Account, Role, User

from .accounts import ask_to_confirm_mail, create_account
from .audit import log_audit
from .club import ClubSettings, set_up_club
from .digests import digest_of
from .leagues import LeagueSettings, add_league
from .people import add_player
from .people_lists import PersonEntry, RowsRefused, add_people
from .roles import role_group

Step = FirstRun.Step


class StartRefused(Exception):
    """The club is not to be set up by this code or account: it is open, or another code holds."""


@transaction.atomic
def new_code() -> str:
    """A code that sets the club up, kept as a digest; earlier ones end. Empty if it is open."""
    if Account.objects.exists():
        return ""
    code = secrets.token_urlsafe(16)
    row, _created = FirstRun.objects.get_or_create(pk=1, defaults={"digest": "-"})
    row.digest = digest_of(code)
    row.save()
    log_audit("new_code", row, by=None)
    return code


def was_current(digest: str) -> bool:
    """Whether the newest code has ``digest``, also once the club is open."""
    row = FirstRun.objects.filter(pk=1).first()
    return row is not None and compare_digest(row.digest, digest)


def is_current(digest: str) -> bool:
    """Whether the newest code has ``digest``, and the club is not open yet."""
    return was_current(digest) and not Account.objects.exists()


@transaction.atomic
def name_club(digest: str, **settings: Unpack[ClubSettings]) -> None:
    """The first step: the settings of the club.

    :raises StartRefused: unless the newest code has ``digest`` and there is no account.
    :raises ValidationError: with what is wrong, by field.
    """
    row = _locked_by_code(digest)
    set_up_club(by=None, **settings)
    log_audit("name_club", row, by=None)
    _go_on(row, Step.ACCOUNT)


def start_club(
    digest: str, username: str, *, name: str, password: str, email: str = "", language: str = ""
) -> Account:
    """The second step: the account of an owner, who plays as ``name``. Of two at once, one wins.

    :raises StartRefused: unless the newest code has ``digest`` and there is no account.
    :raises ValidationError: with what is wrong, by field.
    """
    if not is_current(digest):
        raise StartRefused
    asked = {
        "username": username,
        "password": password,
        "hashed": make_password(password),
        "email": email,
        "language": language,
    }
    return _start_club(digest, asked, name)


@transaction.atomic
def _start_club(digest: str, asked: dict[str, str], name: str) -> Account:
    row = _locked_by_code(digest)
    owner = create_account(**asked, by=None)
    owner.groups.add(role_group(Role.ORGANISER), role_group(Role.OWNER))
    owner = Account.objects.get(pk=owner.pk)
    add_player(name, user=owner, by=owner)
    row.owner = owner
    ask_to_confirm_mail(owner)
    log_audit("start_club", owner, by=owner)
    _go_on(row, Step.LEAGUE)
    return owner


@transaction.atomic
def start_league(slug: str, *, by: User, **settings: Unpack[LeagueSettings]) -> League:
    """The third step: the first league, by rules that were looked at.

    :raises StartRefused: unless ``by`` opened the club and has come to this step.
    :raises ValidationError: with what is wrong, by field.
    """
    row = _locked_by_owner(by, Step.LEAGUE)
    league = add_league(slug, by=by, **settings)
    log_audit("start_league", row, by=by)
    _go_on(row, Step.NAMES)
    return league


@transaction.atomic
def add_names(names: Iterable[str], *, anyway: bool = False, by: User) -> Sequence[Player]:
    """The last step: a player for each of ``names``; none is fine, too. That of ``by`` is there already.

    :param anyway: also names that look like another one. They are asked about otherwise.
    :raises StartRefused: unless ``by`` opened the club and has come to this step.
    :raises ValidationError: with each name that cannot be, at ``names``. None is added then.
    """
    row = _locked_by_owner(by, Step.NAMES)
    own = {name_key(player.name) for player in Player.objects.filter(user=by.pk)}
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(name_key(name), " ".join(name.split()))
    wanted = [PersonEntry(name) for plain, name in first.items() if plain not in own]
    numbers = range(1, len(wanted) + 1) if anyway else ()
    try:
        added = add_people(wanted, anyway=numbers, all_or_nothing=True, by=by) if wanted else []
    except RowsRefused as refusal:
        problems = [f"{legible(one.entry.name)}: {one.why}" for one in refusal.rows]
        raise ValidationError({"names": problems}) from refusal
    except ValidationError as error:
        raise ValidationError({"names": error.messages}) from error
    log_audit("add_names", row, by=by, names=len(added))
    _go_on(row, Step.DONE)
    return added


def repeated(names: Sequence[str]) -> list[str]:
    """Those of ``names`` that stand there more than once: :func:`add_names` adds one player for each."""
    times = Counter(map(name_key, names))
    return [" ".join(name.split()) for name in names if times.pop(name_key(name), 0) > 1]


def _locked_by_code(digest: str) -> FirstRun:
    row = FirstRun.objects.select_for_update().filter(pk=1).first()
    if row is None or not is_current(digest):
        raise StartRefused
    return row


def _locked_by_owner(by: User, step: Step) -> FirstRun:
    row = FirstRun.objects.select_for_update().filter(owner=by.pk, step=step).first()
    if row is None:
        raise StartRefused
    return row


def _go_on(row: FirstRun, step: Step) -> None:
    row.step = step
    row.save()
