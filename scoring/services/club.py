"""The settings of the club."""

from typing import TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Club, club
from scoring.models.permissions import Account, Permission, User, check_permission

from .audit import log_change, values_of
from .locks import lock_club
from .ratings import rebuild_club_ratings
from .second_factor import has_second_factor


class ClubSettings(TypedDict, total=False):
    """What can be changed. Of name, language and time zone, "" is as the environment says."""

    name: str
    language: str
    time_zone: str
    colour: str
    hides_names: bool
    owners_need_second_factor: bool
    rates_across_leagues: bool
    embed_sites: str


@transaction.atomic
def change_club(*, by: User, **settings: Unpack[ClubSettings]) -> Club:
    """The club with other ``settings``. Other workers follow within seconds.

    :raises PermissionDenied: unless ``by`` is an owner.
    :raises ValidationError: with what is wrong, by field.
    """
    owner = check_permission(by, Permission.CHANGE_THE_CLUB)
    _require_own_second_factor(owner, settings)
    return set_up_club(by=by, **settings)


@transaction.atomic
def set_up_club(*, by: User | None, **settings: Unpack[ClubSettings]) -> Club:
    """:func:`change_club` for the first run, which has checked its code instead of an owner.

    :raises ValidationError: with what is wrong, by field.
    """
    changing = lock_club()
    before = values_of(changing, settings)
    for name, value in settings.items():
        setattr(changing, name, value)
    changing.full_clean()
    changing.save()
    if changing.rates_across_leagues != before.get(
        "rates_across_leagues", changing.rates_across_leagues
    ):
        rebuild_club_ratings()
    log_change("change_club", changing, by=by, before=before, after=values_of(changing, settings))
    transaction.on_commit(club.forget)
    return changing


def _require_own_second_factor(owner: Account, settings: ClubSettings) -> None:
    """:raises ValidationError: for who demands of all owners what they do not have themselves."""
    if not settings.get("owners_need_second_factor") or has_second_factor(owner):
        return
    if not Club.objects.filter(pk=1, owners_need_second_factor=True).exists():
        message = _("Set up a second step of your own first: you would be asked for it at once.")
        raise ValidationError({"owners_need_second_factor": message})
