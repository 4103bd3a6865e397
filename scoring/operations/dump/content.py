"""List the models of a dump, and write one row of them."""

from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import models

from scoring.models import (
    AccountSettings,
    Adjustment,
    AuditEntry,
    Club,
    ClubRating,
    ClubTable,
    ClubTally,
    EveningClosure,
    EveningPayment,
    EveningTerms,
    FinalRow,
    Game,
    GameEvent,
    GuestClaim,
    Hand,
    HandEvent,
    IdempotencyKey,
    InvitationUse,
    LateHand,
    League,
    Notice,
    NoticeChoice,
    Payment,
    Player,
    Rating,
    Round,
    RuleSet,
    RuleSetVersion,
    SeasonClosure,
    Seat,
    StandingRules,
    Tally,
    Transfer,
)

FORMAT = "mah jongg club"
# One more whenever a model gains, loses or renames a field, with a step in ``upgrade.py``: this site
# then reads the older files, and an older site says that it is too old for the new ones.
VERSION = 8

# Each after those that it refers to. The keys of calls travel, too: a phone that comes back to the new
# site with a hand whose answer was lost gets that answer, and the hand is not there twice. Second
# factors stay: who has the file could make their codes, and a passkey is for one address only. So do
# the passwords of their accounts, each of which would be enough by itself on the new site. So do
# connections with another server, which knows this site by its address. So does how far the first run
# has come: a club that travels has been opened. Notices travel, read or not; deliveries do not, or two
# sites would send them, and neither do devices, whose addresses are secrets that hold for one site.
# Invitations stay, whose links name this site; who has joined and waits to be confirmed goes along.
MODELS: tuple[type[models.Model], ...] = (
    *(Club, Group, get_user_model(), EmailAddress, AccountSettings),
    *(Player, GuestClaim, InvitationUse, RuleSet, RuleSetVersion, League),
    *(StandingRules, EveningClosure, EveningTerms, EveningPayment, SeasonClosure, FinalRow),
    *(Game, ClubTable, Seat, GameEvent, Round, Hand, LateHand, Payment, HandEvent),
    *(Adjustment, Transfer),
    *(Tally, Rating, ClubRating, ClubTally),
    *(AuditEntry, IdempotencyKey, LogEntry, Notice, NoticeChoice),
)
# What stays: who has the file could work out a PIN of a few digits. Its owner sets another one, and the
# tables of the new site get cards with its own address.
LEFT_OUT: dict[type[models.Model], tuple[str, ...]] = {
    Player: ("pin",),
    ClubTable: ("digest",),
    InvitationUse: ("invitation",),
}
# In place of a password that stays. Django puts more after it, where there was never one.
LEFT_PASSWORD = UNUSABLE_PASSWORD_PREFIX
# Every database numbers these in its own way, so they go by name.
NAMED = (ContentType, Permission)

ROWS_AT_ONCE = 500


def rows_of(model: type[models.Model]) -> models.QuerySet[Any]:
    """The rows of ``model`` in the order of their keys."""
    return model._base_manager.order_by("pk")


def columns(model: type[models.Model]) -> list["models.Field[Any, Any]"]:
    """The fields of ``model`` that have a column and travel, without its key."""
    left_out = LEFT_OUT.get(model, ())
    fields = model._meta.local_fields
    return [one for one in fields if not one.primary_key and one.name not in left_out]


def lists(model: type[models.Model]) -> list["models.ManyToManyField[Any, Any]"]:
    """The fields of ``model`` that list other rows."""
    return list(model._meta.local_many_to_many)


def written(model: type[models.Model]) -> Iterator[dict[str, Any]]:
    """The rows of ``model``, each as its line says it."""
    fields = columns(model)
    named = {
        field.name: names(field.related_model)
        for field in fields
        if field.related_model and is_named(field)
    }
    listed = {field.name: _listed(field) for field in lists(model)}
    without_password = _have_second_factor() if model is get_user_model() else set()
    rows = rows_of(model).values("pk", *(field.name for field in fields))
    for row in rows.iterator(chunk_size=ROWS_AT_ONCE):
        pk = row.pop("pk")
        if pk in without_password:
            row["password"] = LEFT_PASSWORD
        for column, name in named.items():
            row[column] = row[column] and name[row[column]]
        for column, others in listed.items():
            row[column] = others.get(pk, [])
        yield {"model": model._meta.label_lower, "pk": pk, "fields": row}


def _have_second_factor() -> set[int]:
    """The keys of the accounts that are asked for more than a password."""
    return set(Authenticator.objects.values_list("user", flat=True))


def is_named(field: "models.Field[Any, Any]") -> bool:
    """Whether what ``field`` refers to goes by name."""
    return field.related_model in NAMED


def names(model: type[models.Model]) -> dict[int, list[str]]:
    """What each row of ``model`` is called, by its key."""
    return {row.pk: list(row.natural_key()) for row in rows_of(model).select_related()}


def _listed(field: "models.ManyToManyField[Any, Any]") -> dict[int, list[Any]]:
    """What each row lists in ``field``, by its key, in an order that no database decides."""
    others, through = field.related_model, field.remote_field.through
    name = names(others) if is_named(field) else None
    assert through is not None  # Django made one where the model names none
    pairs = through._base_manager.values_list(
        field.m2m_field_name(), field.m2m_reverse_field_name()
    )
    others_by_owner: dict[int, list[Any]] = {}
    for owner, other in pairs:
        others_by_owner.setdefault(owner, []).append(name[other] if name else other)
    return {owner: sorted(others) for owner, others in others_by_owner.items()}
