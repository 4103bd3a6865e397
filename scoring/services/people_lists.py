"""Many people at once: what a list of names would do, row by row, and doing it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    SAME_PERSON_LISTED,
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
    :ivar left_out: which mail address or sign-in name ``entry`` does without, and why; empty if none.
    """

    number: int
    entry: PersonEntry
    what: What
    why: str = ""
    field: str = ""
    left_out: str = ""

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

    :param strict: refuse a row for a mail address or sign-in name that no account could have. Otherwise
        the row is added without it.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: for a list without a row, or with more than ``MOST_ROWS``.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    if not entries:
        raise ValidationError(ValidationError(_("There is no name in this list."), code="empty"))
    if len(entries) > MOST_ROWS:
        message = LONG_LIST % {"most": MOST_ROWS}
        raise ValidationError(ValidationError(message, code="too_many"))
    return list(_planned(entries, strict=strict))


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


def _planned(entries: Sequence[PersonEntry], *, strict: bool) -> Iterator[Planned]:
    players = list(Player.objects.order_by("pk").only("name"))
    # The row that says each name; 0 for who is on the list already.
    known: dict[str, int] = {name_key(player.name): 0 for player in players}
    looks = Looks(players)
    taken = _Taken.by_accounts()
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
            kept, left_out = entry, ""
            if strict:
                for check in CHECKS.values():
                    check(entry, taken)
            elif settings.SENDS_MAIL:
                kept, left_out = _usable(entry, taken)
        except ValidationError as error:
            ((wrong, errors),) = error.error_dict.items()
            why = " ".join(errors[0].messages)
            yield Planned(number, entry, What.REFUSED, why, wrong)
            continue
        known[name_key(name)] = entry.row or number
        alike = looks.find(name)
        looks.add(Player(name=name))
        taken.add(kept, entry.row or number)
        if alike is not None:
            # Who has no row yet stands in this list.
            why = (SAME_PERSON if alike.pk else SAME_PERSON_LISTED) % {"name": alike}
            yield Planned(number, kept, What.ASK, why, "name", left_out)
        else:
            yield Planned(number, kept, What.ADD, left_out=left_out)


def _name(entry: PersonEntry) -> str:
    name = clean_name(entry.name, longest=LONGEST_NAME)
    if not name:
        raise ValidationError({"name": _("A player needs a name.")})
    check_not_reserved(name)
    return name


def _usable(entry: PersonEntry, taken: "_Taken") -> tuple[PersonEntry, str]:
    """``entry`` without what an account could not have, and the sentences about that."""
    left_out = []
    for column, check in CHECKS.items():
        value = getattr(entry, column)
        try:
            check(entry, taken)
        except ValidationError as error:
            why = " ".join(error.messages)
            left_out.append(_("Without %(value)s: %(why)s") % {"value": value, "why": why})
            entry = _without(entry, column)
    return entry, " ".join(left_out)


def _without(entry: PersonEntry, column: str) -> PersonEntry:
    return replace(entry, email="") if column == "email" else replace(entry, username="")


@dataclass(frozen=True, slots=True)
class _Taken:
    """Sign-in names and mail addresses, in small letters, with the row that has each; 0 for an account."""

    usernames: dict[str, int]
    emails: dict[str, int]

    @classmethod
    def by_accounts(cls) -> "_Taken":
        usernames = {name.casefold() for name in Account.objects.values_list("username", flat=True)}
        addresses = Account.objects.values_list("email").union(
            EmailAddress.objects.values_list("email")
        )
        emails = usernames | {email.casefold() for (email,) in addresses if email}
        return cls(dict.fromkeys(usernames, 0), dict.fromkeys(emails, 0))

    def add(self, entry: PersonEntry, row: int) -> None:
        self.usernames.setdefault(entry.username.casefold(), row)
        self.emails.setdefault(entry.email.casefold(), row)


def _check_email(entry: PersonEntry, taken: _Taken) -> None:
    """:raises ValidationError: at ``email``, for one that an account could not have."""
    if not entry.email:
        return
    _check("email", entry.email)
    row = taken.emails.get(entry.email.casefold())
    if row is not None:
        by_row = _("Row %(row)s has this mail address already.") % {"row": row}
        raise ValidationError({"email": by_row if row else MAIL_ADDRESS_TAKEN})


def _check_username(entry: PersonEntry, taken: _Taken) -> None:
    """:raises ValidationError: at ``username``, for one that an account could not have."""
    if not entry.username:
        return
    if "@" in entry.username and entry.username.casefold() != entry.email.casefold():
        raise ValidationError({"username": NAME_IS_A_MAIL_ADDRESS})
    _check("username", entry.username)
    row = taken.usernames.get(entry.username.casefold())
    if row is not None:
        by_row = _("Row %(row)s has this sign-in name already.") % {"row": row}
        raise ValidationError({"username": by_row if row else SIGN_IN_NAME_TAKEN})


CHECKS: Mapping[str, Callable[[PersonEntry, _Taken], None]] = {
    "email": _check_email,
    "username": _check_username,
}


def _check(field: str, value: str) -> None:
    """:raises ValidationError: at ``field``, for what that column of an account does not hold."""
    try:
        getattr(Account, field).field.run_validators(value)
    except ValidationError as error:
        raise ValidationError({field: error.error_list}) from error
