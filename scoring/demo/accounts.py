"""The accounts that one signs in with at a demo club.

Their passwords are derived from the site's secret key: they can be told again, and nobody can know
them from another demo or from this source.
"""

from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from scoring.models.permissions import Role
from scoring.services.roles import role_group

PREFIX = "demo-"
ORGANISER, OWNER = f"{PREFIX}organiser", f"{PREFIX}owner"
LEADING = {ORGANISER: _("The organiser"), OWNER: _("The owner")}
WORDS = (
    *("amber", "apple", "arrow", "aspen", "badge", "basil", "birch", "bloom"),
    *("brook", "cedar", "chalk", "cliff", "cloud", "clove", "coral", "crane"),
    *("crown", "daisy", "delta", "drift", "eagle", "ember", "fable", "ferry"),
    *("field", "finch", "flint", "flute", "frost", "ginger", "glade", "grove"),
    *("harbour", "hazel", "heron", "honey", "ivory", "jade", "juniper", "lake"),
    *("lantern", "laurel", "lemon", "lotus", "maple", "meadow", "mint", "olive"),
    *("orchid", "otter", "pearl", "pebble", "pine", "plum", "quill", "raven"),
    *("reed", "river", "saffron", "silver", "sparrow", "thistle", "willow", "wren"),
)


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """One account of the demo. ``password`` is None once somebody has changed it."""

    who: str
    username: str
    password: str | None


def organiser() -> User:
    """The demo's organiser, made if need be."""
    user = get_user_model().objects.filter(username=ORGANISER).first()
    if user is None:
        user = _account(ORGANISER, is_staff=True)
        user.groups.add(role_group(Role.ORGANISER))
    return user


def owner() -> User:
    """The demo's owner, made if need be: an organiser whose club it is."""
    user = get_user_model().objects.filter(username=OWNER).first()
    if user is None:
        user = _account(OWNER)
        user.groups.add(role_group(Role.ORGANISER), role_group(Role.OWNER))
    return user


def member(player: Player) -> User:
    """An account for ``player``, who signs in by the given name."""
    given = slugify(player.name.split()[0]) or "member"
    taken = set(
        get_user_model()
        .objects.filter(username__startswith=f"{PREFIX}{given}")
        .values_list("username", flat=True)
    )
    username, number = f"{PREFIX}{given}", 1
    while username in taken:
        number += 1
        username = f"{PREFIX}{given}-{number}"
    player.user = user = _account(username)
    player.save()
    return user


def sign_ins() -> list[DemoAccount]:
    """The demo's accounts, the organiser first; none at a club without a demo."""
    users = get_user_model().objects.filter(username__startswith=PREFIX, is_active=True)
    rows = []
    for user in users.select_related("player").order_by("pk"):
        known = password_of(user.username)
        player = getattr(user, "player", None)
        rows.append(
            DemoAccount(
                who=player.name if player else str(LEADING.get(user.username, "")),
                username=user.username,
                password=known if user.check_password(known) else None,
            )
        )
    return rows


# Part of every password that was ever made here: data, not the name of a module.
SALT = "scoring.club.demo"


def password_of(username: str) -> str:
    """Three words and a number that only this site comes to."""
    digest = salted_hmac(SALT, username, algorithm="sha256").digest()
    words = [WORDS[byte % len(WORDS)] for byte in digest[:3]]
    return "-".join([*words, str(10 + digest[3] % 90)])


def _account(username: str, *, is_staff: bool = False) -> User:
    return get_user_model().objects.create_user(
        username, password=password_of(username), is_staff=is_staff
    )
