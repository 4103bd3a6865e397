"""Many people at once: what a list of names would do, row by row, and doing it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from scoring.models import Club, Player
from scoring.models.names import Looks, check_not_reserved, clean_name, name_key
from scoring.models.permissions import Account, Permission, User, check_permission
from scoring.models.problems import Refused
from scoring.models.refusals import (
    LONG_LIST,
    MAIL_ADDRESS_TAKEN,
    NAME_IS_A_MAIL_ADDRESS,
    SAME_PERSON,
    SIGN_IN_NAME_TAKEN,
)

from .audit import log_audit
from .invitations import mail_each

MOST_ROWS = 2000
LONGEST_NAME = Player._meta.get_field("name").max_length or 0


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """One row of a list: a person's name, and maybe a mail address and a sign-in name.

    :ivar row: which row of the file or the pasted text it is, from 1; 0 if it comes from neither.
    """

    name: str
    email: str = ""
    username: str = ""
    row: int = field(default=0, compare=False)


class What(StrEnum):
    """What becomes of a row."""

    ADD = "add"
    KNOWN = "known"
    ASK = "ask"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of row ``number`` (from 1), and why it is not simply added.

    :ivar field: what of the entry is wrong: name, email or username; empty if nothing is.
    """

    number: int
    entry: PersonEntry
    what: What
    why: str = ""
    field: str = ""

    @property
    def shown_number(self) -> int:
        """The row as whoever made the list counts."""
        return self.entry.row or self.number


class RowsRefused(Refused):
    """Not all rows of a list can be added, and so none was.

    :ivar rows: those that cannot.
    """

    def __init__(self, rows: Sequence[Planned]) -> None:
        super().__init__(" ".join(f"{row.entry.name}: {row.why}" for row in rows))
        self.rows = rows


def plan_people(entries: Sequence[PersonEntry], *, strict: bool = False, by: User) -> list[Planned]:
    """What :func:`add_people` would do with each row, without doing it. Three queries.

    :param strict: refuse a wrong mail address or sign-in name also on a site without mail, which keeps none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: for a list without a row, or with more than ``MOST_ROWS``.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    if not entries:
        raise ValidationError(ValidationError(_("There is no name in this list."), code="empty"))
    if len(entries) > MOST_ROWS:
        message = LONG_LIST % {"most": MOST_ROWS}
        raise ValidationError(ValidationError(message, code="too_many"))
    return list(_planned(entries, checks_accounts=strict or settings.SENDS_MAIL))


@transaction.atomic
def add_people(
    entries: Sequence[PersonEntry],
    *,
    anyway: Collection[int] = (),
    invites: bool = False,
    all_or_nothing: bool = False,
    by: User,
) -> list[Player]:
    """Add the people of a list who are not there yet.

    :param anyway: the numbers of the rows that are added though their name looks like another one.
    :param invites: mail an invitation to whoever has an address.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises RowsRefused: if ``all_or_nothing``, and some would not be added.
    :raises ValidationError: for a list that cannot be, or if somebody else was faster with a name; at
        ``invite``, for invitations from a site that sends no mail.
    """
    if invites and not settings.SENDS_MAIL:
        message = _("This site sends no mail: hand out invitations as links or cards.")
        raise ValidationError({"invite": ValidationError(message, code="no_mail")})
    plan = plan_people(entries, strict=all_or_nothing, by=by)
    added = [
        row
        for row in plan
        if row.what == What.ADD or (row.what == What.ASK and row.number in anyway)
    ]
    if all_or_nothing and len(added) < len(plan):
        raise RowsRefused([row for row in plan if row not in added])
    players = [Player(name=_name(row.entry)) for row in added]
    try:
        with transaction.atomic():
            Player.objects.bulk_create(players)
    except IntegrityError as error:
        message = _("Somebody added one of these names just now: look at the list again.")
        raise ValidationError(ValidationError(message, code="moved_on")) from error
    with_mail = [
        (player, row.entry.email, row.entry.username)
        for row, player in zip(added, players, strict=True)
        if invites and row.entry.email
    ]
    mail_each(with_mail, by=by)
    people = [player.pk for player in players]
    log_audit("add_people", Club(pk=1), by=by, people=people, invited=len(with_mail))
    return players


def _planned(entries: Sequence[PersonEntry], *, checks_accounts: bool) -> Iterator[Planned]:
    players = list(Player.objects.order_by("pk").only("name"))
    # The row that says each name; 0 for who is on the list already.
    known: dict[str, int] = {name_key(player.name): 0 for player in players}
    looks = Looks(players)
    usernames = {name.casefold() for name in Account.objects.values_list("username", flat=True)}
    addresses = Account.objects.values_list("email").union(
        EmailAddress.objects.values_list("email")
    )
    emails = usernames | {email.casefold() for (email,) in addresses if email}
    for number, entry in enumerate(entries, 1):
        try:
            name = _name(entry)
            row = known.get(name_key(name))
            if row is not None:
                # What else the row says is theirs already.
                why = _("Stands in row %(row)s already.") % {"row": row}
                why = why if row else _("Is on the list already.")
                yield Planned(number, entry, What.KNOWN, why)
                continue
            if checks_accounts:
                _check_account(entry, usernames, emails)
        except ValidationError as error:
            ((field, errors),) = error.error_dict.items()
            why = " ".join(errors[0].messages)
            yield Planned(number, entry, What.REFUSED, why, field)
            continue
        known[name_key(name)] = entry.row or number
        alike = looks.find(name)
        looks.add(Player(name=name))
        usernames.add(entry.username.casefold())
        emails.add(entry.email.casefold())
        if alike is not None:
            why = SAME_PERSON % {"name": alike}
            yield Planned(number, entry, What.ASK, why, "name")
        else:
            yield Planned(number, entry, What.ADD)


def _name(entry: PersonEntry) -> str:
    name = clean_name(entry.name, longest=LONGEST_NAME)
    if not name:
        raise ValidationError({"name": _("A player needs a name.")})
    check_not_reserved(name)
    return name


def _check_account(entry: PersonEntry, usernames: Collection[str], emails: Collection[str]) -> None:
    """:raises ValidationError: at ``email`` or ``username``, for what an account could not have."""
    if entry.email:
        _check("email", entry.email)
        if entry.email.casefold() in emails:
            raise ValidationError({"email": MAIL_ADDRESS_TAKEN})
    if "@" in entry.username and entry.username.casefold() != entry.email.casefold():
        raise ValidationError({"username": NAME_IS_A_MAIL_ADDRESS})
    if entry.username:
        _check("username", entry.username)
        if entry.username.casefold() in usernames:
            raise ValidationError({"username": SIGN_IN_NAME_TAKEN})


def _check(field: str, value: str) -> None:
    """:raises ValidationError: at ``field``, for what that column of an account does not hold."""
    try:
        getattr(Account, field).field.run_validators(value)
    except ValidationError as error:
        raise ValidationError({field: error.error_list}) from error
