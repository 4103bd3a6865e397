"""Tell in words who changed what, and when: the audit, for owners."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model, QuerySet
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.tiles import WINDS
from scoring.models import (
    AuditEntry,
    Club,
    ClubTable,
    FirstRun,
    Game,
    Hand,
    Invitation,
    League,
    Player,
    RuleSet,
    RuleSetVersion,
    day_begins,
    day_ends,
)
from scoring.models.people import person_name
from scoring.models.permissions import User as Reader
from scoring.translation import translate

ACTIONS: Mapping[str, str | Promise] = {
    "add_at_desk": _("added this in the administration"),
    "add_device": _("let a device show notices"),
    "add_guest": _("added a guest"),
    "add_league": _("started a league"),
    "add_mail": _("added an own mail address"),
    "add_names": _("added the first players"),
    "add_people": _("added people from a list"),
    "add_player": _("added a player"),
    "add_ruleset": _("added a rule set"),
    "add_season": _("started the next season"),
    "add_second_factor": _("set up an own second factor"),
    "add_tables": _("added tables"),
    "add_version": _("made a version of a rule set"),
    "answer_claim": _("answered who a guest was"),
    "ask_for_late_hand": _("asked for a late hand"),
    "book_at_table": _("booked a penalty at a table"),
    "book_in_league": _("booked points in a league"),
    "change_account": _("changed an account"),
    "change_at_desk": _("changed this in the administration"),
    "change_club": _("changed the settings of the club"),
    "change_league": _("changed a league"),
    "delete_account": _("deleted an account"),
    "delete_league": _("deleted a league"),
    "change_main_mail": _("chose another main mail address"),
    "change_name": _("changed their own name"),
    "change_password": _("changed their own password"),
    "change_pin": _("changed a PIN"),
    "change_player": _("changed a player"),
    "change_ruleset": _("changed a rule set"),
    "change_terms": _("changed stake and hall fee"),
    "change_standing_rules": _("changed the standing rules of a league"),
    "change_seats": _("changed the seats of a game"),
    "choose_language": _("chose a language"),
    "choose_notices": _("chose which notices to get"),
    "claim_guest": _("asked for the games of a guest"),
    "clear_table": _("cleared a table"),
    "close_account": _("closed an account"),
    "close_evening": _("closed an evening"),
    "close_season": _("closed a season"),
    "confirm_hand": _("confirmed a hand"),
    "confirm_mail": _("confirmed an own mail address"),
    "correct_hand": _("corrected a hand"),
    "create_account": _("made an account"),
    "decide_claim": _("decided who somebody is"),
    "decline_late_hand": _("declined a late hand"),
    "delete_at_desk": _("deleted this in the administration"),
    "dispute_hand": _("disputed a hand"),
    "end_own_sessions": _("signed out on other devices"),
    "end_sessions": _("signed somebody out everywhere"),
    "end_token": _("ended a token"),
    "finish_game": _("ended a game"),
    "give_account": _("gave a first password"),
    "invite": _("made an invitation"),
    "invite_each": _("made an invitation for each of several people"),
    "join": _("joined with an invitation"),
    "leave_club": _("left the club"),
    "leave_seat": _("left a seat"),
    "link_player": _("linked a player by an invitation"),
    "make_anonymous": _("took out a name"),
    "make_member": _("made a guest a member"),
    "make_organiser": _("made somebody an organiser"),
    "make_owner": _("made somebody an owner"),
    "hand_over": _("handed an account over"),
    "make_reset_link": _("made a link to a new password"),
    "make_token": _("made a token"),
    "mark_as_paid": _("marked a payment after an evening"),
    "mark_as_left": _("marked somebody as left"),
    "mend_game": _("repaired the figures of a game"),
    "mend_league": _("repaired the figures of a league"),
    "merge_players": _("merged two records of a person"),
    "move_game": _("moved a game"),
    "name_club": _("named the club"),
    "new_code": _("printed a code to set up the club"),
    "open_account": _("opened an account again"),
    "open_game": _("opened a game"),
    "play_again": _("opened another game of the same four"),
    "record_hand": _("logged a hand"),
    "remove_device": _("removed a device for notices"),
    "remove_mail": _("removed an own mail address"),
    "remove_second_factor": _("removed a second factor"),
    "connect_identity": _("connected an account of another site"),
    "disconnect_identity": _("disconnected an account of another site"),
    "rename_table": _("renamed a table"),
    "renew_codes": _("printed new codes for the tables"),
    "renew_recovery_codes": _("made new recovery codes"),
    "reopen_evening": _("opened an evening again"),
    "reopen_season": _("opened a season again"),
    "reopen_game": _("opened a game again"),
    "restore_game": _("restored a game"),
    "reset_password": _("set a new password by a link"),
    "reverse": _("reversed a booking"),
    "revoke_code": _("revoked the code of a table"),
    "revoke_invitation": _("revoked an invitation"),
    "revoke_invitations": _("revoked invitations"),
    "set_pin": _("set a PIN"),
    "settle_hand": _("settled a dispute: the hand stands"),
    "sit_down": _("sat down at a table"),
    "start_club": _("opened the club"),
    "start_game": _("began the game of a table"),
    "start_league": _("started the first league"),
    "take_in_late_hand": _("took in a late hand"),
    "take_over_dispute": _("took over a dispute"),
    "take_role": _("took a role away"),
    "turn_off_second_factor": _("turned off an own second factor"),
    "undo_hand": _("undid a hand"),
    "undo_payment": _("took back that something was paid"),
    "undo_standing_rules": _("took standing rules back"),
    "unsubscribe": _("ended mails of one kind"),
    "void_hand": _("cancelled a hand"),
    "withdraw_game": _("withdrew a game"),
}
# What was done for somebody else, by the detail ``seated``.
SEATED: Mapping[str, str | Promise] = {
    "guest": _("seated a guest at a table"),
    "other": _("seated somebody at a table"),
}
# What one act of somebody does besides, each with an entry of its own, written just before that of the act,
# and about a row that the act is about or refers to.
PARTS: Mapping[str, Collection[str]] = {
    "add_names": ("add_people",),
    "answer_claim": ("merge_players",),
    "decide_claim": ("change_player",),
    "give_account": ("create_account", "change_player"),
    "join": ("create_account", "connect_identity", "add_player", "link_player"),
    "leave_club": ("revoke_invitations",),
    "make_anonymous": ("revoke_invitations",),
    "mark_as_left": ("take_role", "close_account", "change_player", "revoke_invitations"),
    "merge_players": ("close_account",),
    "name_club": ("change_club",),
    "play_again": ("open_game",),
    "sit_down": ("add_guest",),
    "start_club": ("create_account", "add_player"),
    "start_game": ("open_game",),
    "start_league": ("add_league",),
}
# There is one club, and one first run of it: what is done in it is about nothing else.
FIRST_RUN, ACCOUNT = "firstrun", "user"
# Entries of one act stand no further apart.
ONE_ACT = timedelta(seconds=10)
# Rows that are named as people call them, with what their names need besides.
NAMED: Mapping[type[Model], Sequence[str]] = {
    Player: (),
    League: (),
    RuleSet: (),
    RuleSetVersion: ("ruleset",),
    User: (),
    Group: (),
    Club: (),
    FirstRun: (),
    ClubTable: (),
    Invitation: ("player",),
    Game: ("league",),
    Hand: ("game__league",),
}
# What their names need of other tables besides.
SEATS: Mapping[type[Model], str] = {Game: "seats__player", Hand: "game__seats__player"}
# Who did something without an account, by the detail that tells how.
WITHOUT_ACCOUNT: Mapping[str, str | Promise] = {
    "by_code": _("somebody with the code of a table"),
    "by_link": _("somebody with the link in a mail"),
    "by_pin": _("somebody with the PIN"),
}
# The other details of an entry: what they are, and the kind of row whose number they tell.
DETAILS: Mapping[str, tuple[str | Promise, type[Model] | None]] = {
    "account": ("", User),
    "amount": (_("amount"), None),
    "agree": (_("was that guest"), None),
    "anonymous": (_("the name was taken out"), None),
    "asker": (_("asked by"), User),
    "by_code": (_("table"), ClubTable),
    "closed": (_("second account, closed"), User),
    "closes": (_("the account was closed"), None),
    "confirmed": (_("is that player"), None),
    "currency": (_("currency"), None),
    "effective_from": (_("holds from"), None),
    "ended": (_("devices signed out"), None),
    "factor": (_("second factor"), None),
    "games": (_("games"), None),
    "into": (_("merged into"), Player),
    "invited": (_("invitations mailed"), None),
    "invitation": (_("invitation"), Invitation),
    "language": (_("language"), None),
    "late_hand": (_("number of the late hand"), None),
    "league": (_("league"), League),
    "name": (_("name"), None),
    "names": (_("names"), None),
    "once": (_("good once"), None),
    "number": (_("how many"), None),
    "payee": (_("payee"), Player),
    "payer": (_("payer"), Player),
    "payments": (_("payments between the two, deleted"), None),
    "people": (_("people"), Player),
    "place": (_("seat"), None),
    "player": (_("player"), Player),
    "reason": (_("reason"), None),
    "removed": (_("the PIN was removed"), None),
    "role": (_("role"), None),
    "sentences": (_("rules of the tables"), None),
    "server": (_("other site"), None),
    "table": (_("table"), ClubTable),
    "takes_role": (_("the role was taken away"), None),
    "version": (_("version"), None),
    "was": (_("was called"), None),
}
# Details that hold a word of the program, with what people read.
WORDS: Mapping[str, Mapping[str, str | Promise]] = {
    "factor": {
        "totp": _("a code from an app"),
        "webauthn": _("a passkey"),
        "recovery_codes": _("recovery codes"),
    },
    "language": dict(settings.LANGUAGES),
    "role": {"organiser": _("organiser"), "owner": _("owner")},
}
# What goes without saying unless it is so.
ONLY_IF_SO = {
    "anonymous",
    "closes",
    "currency",
    "ended",
    "invited",
    "once",
    "removed",
    "takes_role",
}
# How the details write a day.
DAY = re.compile(r"\d{4}-\d\d-\d\d")
# Kinds of rows that the site keeps for itself: nobody looks for what became of them.
INTERNAL = {"idempotencykey", "trycount", "signincount", "transfer", "waitingseat"}
# The details of an entry that tell a change; the others are told as they are.
CHANGE = ("before", "after")
# Details that other words tell already.
IN_THE_SENTENCE = (*CHANGE, "account", "by_link", "by_pin", "seated")


@dataclass(frozen=True, slots=True)
class Change:
    """What one field was, and is since.

    :ivar many: how many people ``after`` names; 0 if it names none.
    """

    field: str
    before: str
    after: str
    many: int = 0


@dataclass(frozen=True, slots=True)
class TrailEntry:
    """One entry of the audit, in words; ``parts``: what else was done with it."""

    at: datetime
    who: str
    what: str
    subject: str
    url: str
    changes: Sequence[Change]
    parts: Sequence["TrailEntry"] = ()


def trail(
    *, by: User | None = None, subject: str = "", day: date | None = None
) -> QuerySet[AuditEntry]:
    """The audit, newest first: of one account, of one kind of row, of one day of the club."""
    entries = AuditEntry.objects.all()
    if by is not None:
        entries = entries.filter(by=by)
    if subject:
        entries = entries.filter(subject=subject)
    if day is not None:
        entries = entries.filter(at__gte=day_begins(day), at__lt=day_ends(day))
    return entries


def subjects() -> list[tuple[str, str]]:
    """The kinds of rows that there are entries about: name in the audit, name in words."""
    kinds = AuditEntry.objects.order_by("subject").values_list("subject", flat=True).distinct()
    known = [kind for kind in kinds if kind not in INTERNAL]
    named = [(kind, _name_of(model)) for kind in known if (model := _model(kind))]
    return sorted(named, key=lambda pair: pair[1])


def in_words(entries: Iterable[AuditEntry], reader: Reader) -> list[TrailEntry]:
    """``entries`` as ``reader`` sees them: a query for the people, and one for each kind of row."""
    entries = list(entries)
    people = User.objects.select_related("player").in_bulk({entry.by_id for entry in entries})
    doers = Doers(people, _players_since(people.values()), reader)
    names = _names(entries)
    return [_in_words(entry, doers, names) for entry in entries]


def acts_in_words(entries: Sequence[AuditEntry], reader: Reader) -> list[TrailEntry]:
    """:func:`in_words`, newest first, with what was one act as one entry that has the others as parts."""
    acts: list[tuple[AuditEntry, TrailEntry, list[TrailEntry]]] = []
    for entry, sentence in zip(entries, in_words(entries, reader), strict=True):
        if acts and _is_part(entry, acts[-1][0]):
            acts[-1][2].append(sentence)
        else:
            acts.append((entry, sentence, []))
    return [replace(sentence, parts=parts) for _entry, sentence, parts in acts]


def _is_part(entry: AuditEntry, act: AuditEntry) -> bool:
    """Whether ``entry`` was written by what ``act`` tells of."""
    # What the server does for somebody who joins is nobody's.
    same = entry.by_id in (act.by_id, None)
    near = same and act.at - entry.at < ONE_ACT and entry.action in PARTS.get(act.action, ())
    return near and (act.subject == FIRST_RUN or bool(_rows_of(act) & _rows_of(entry, doer=True)))


def _rows_of(entry: AuditEntry, *, doer: bool = False) -> set[tuple[str, Any]]:
    """Kind and number of each row that ``entry`` is about or refers to.

    :param doer: also of the account that did it: whoever joins adds the player of that account.
    """
    rows: set[tuple[str, Any]] = {(entry.subject, entry.subject_id)}
    if doer:
        rows.add((ACCOUNT, entry.by_id))
    for name, value in entry.details.items():
        _label, kind = DETAILS.get(name, ("", None))
        if kind is not None:
            values = value if isinstance(value, list) else [value]
            rows |= {(kind._meta.model_name or "", one) for one in values}
    return rows


Names = Mapping[tuple[type[Model], Any], Model]


@dataclass(frozen=True, slots=True)
class Doers:
    """The accounts that did something, by id, and since when each is the player that it is now."""

    accounts: Mapping[int, User]
    since: Mapping[int, datetime]
    reader: Reader

    def name(self, entry: AuditEntry) -> str:
        """Who did ``entry``, by no name that was given to them later; empty for nobody's account."""
        if entry.by_id is None:
            return ""
        account = self.accounts.get(entry.by_id)
        if account is not None and entry.at < self.since.get(account.pk, entry.at):
            return gettext("account %(account)s") % {"account": account.get_username()}
        return person_name(account, reader=self.reader)


def _players_since(accounts: Iterable[User]) -> dict[int, datetime]:
    """When each of ``accounts`` that had no player at first, or another one, got the player that it has."""
    players = {one.player.pk: one.pk for one in accounts if hasattr(one, "player")}
    linked = AuditEntry.objects.filter(subject="player", subject_id__in=players)
    linked = linked.filter(action__in=["change_player", "answer_claim", "claim_guest"]).order_by(
        "pk"
    )
    since: dict[int, datetime] = {}
    claimed: set[tuple[int, int | None]] = set()
    for at, action, pk, by, details in linked.values_list(
        "at", "action", "subject_id", "by", "details"
    ):
        account = players[pk]
        match action:
            case "claim_guest":
                claimed.add((pk, by))
            case "answer_claim":
                # Who played under a name of their own already keeps that one.
                if (
                    details.get("agree")
                    and details.get("asker") == account
                    and (pk, account) in claimed
                ):
                    since[account] = at
            case _:
                if (details.get("after") or {}).get("user") == account:
                    since[account] = at
    return since


def _in_words(entry: AuditEntry, doers: Doers, names: Names) -> TrailEntry:
    model = _model(entry.subject)
    row = names.get((model, entry.subject_id)) if model else None
    # There is one club, also where nobody has named it yet.
    row = Club() if row is None and model is Club else row
    who = doers.name(entry)
    how = next((str(text) for name, text in WITHOUT_ACCOUNT.items() if name in entry.details), "")
    kind = _name_of(model) if model else entry.subject
    number = entry.details.get("was") or entry.details.get("name")
    number = number or (gettext("a former member") if model is User else entry.subject_id)
    return TrailEntry(
        at=entry.at,
        who=who or how or gettext("the server"),
        what=_what(entry),
        subject=_subject(kind, row, number),
        url=_url(model, row, entry.subject_id),
        changes=list(_changes(entry, model, names)),
    )


def _what(entry: AuditEntry) -> str:
    """What was done, as the words between who did it and the row."""
    done = SEATED.get(entry.details.get("seated", "")) or ACTIONS.get(entry.action)
    return str(done or entry.action.replace("_", " "))


def _subject(kind: str, row: Model | None, number: Any) -> str:
    if isinstance(row, Hand):
        # A hand says of itself that it is one.
        words = {"number": row.number, "game": _named(row.game)}
        return gettext("Hand %(number)s of %(game)s") % words
    # There is one first run, and the name of its row is the step at which it is now.
    return kind if isinstance(row, FirstRun) else f"{kind}: {_named(row) if row else number}"


def _named(row: Model) -> str:
    """``row`` as people call it: a game by its day, in the language that is active, and by its four."""
    if not isinstance(row, Game):
        return str(row)
    return f"{row.league}, {date_format(row.evening)}: {', '.join(map(str, row.players))}"


def _changes(entry: AuditEntry, model: type[Model] | None, names: Names) -> Iterable[Change]:
    before, after = (entry.details.get(name) for name in CHANGE)
    if isinstance(before, dict):
        # Entries of before the site noted both tell only what was there.
        now = after if isinstance(after, dict) else {}
        for name, value in before.items():
            if name not in now or now[name] != value:
                field = _field(model, name)
                label = capfirst(str(field.verbose_name)) if field else name
                shown = _value(field, now[name], names) if name in now else "…"
                yield Change(label, _value(field, value, names), shown)
    for name, value in entry.details.items():
        label, kind = DETAILS.get(name, (name.replace("_", " "), None))
        if name in IN_THE_SENTENCE or (not value and name in ONLY_IF_SO):
            continue
        if kind is not None and (kind, value) == (model, entry.subject_id):
            continue
        if name == "by_code" and value == entry.details.get("table"):
            continue
        if name == "place":
            yield Change(str(label), "", translate(WINDS[value].label))
        elif isinstance(value, str | int):
            row = names.get((kind, value)) if kind else None
            shown = str(WORDS.get(name, {}).get(str(value)) or _value(None, value, names))
            yield Change(str(label), "", _named(row) if row else shown)
        elif kind is not None and isinstance(value, list) and value:
            # Those who are on the list no more have no name here.
            rows = [str(names[kind, pk]) for pk in value if (kind, pk) in names]
            # One is named at once, several open.
            many = 0 if len(value) == len(rows) == 1 else len(value)
            yield Change(str(label), "", ", ".join(rows), many=many)


def _value(field: "Field[Any, Any] | None", value: Any, names: Names) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None or value in ("", []):
        return "–"
    if field is not None and field.related_model:
        return str(names.get((field.related_model, value), value))
    if field is not None and field.choices:
        return str(dict(field.flatchoices).get(value, value))
    if isinstance(value, str) and (day := _day(value)):
        return date_format(day)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value) if DAY.fullmatch(value) else None
    except ValueError:
        return None


def _names(entries: Iterable[AuditEntry]) -> Names:
    """The rows that ``entries`` are about or refer to, as far as they are named and still there."""
    wanted: defaultdict[type[Model], set[Any]] = defaultdict(set)
    for entry in entries:
        model = _model(entry.subject)
        if model is not None and model in NAMED:
            wanted[model].add(entry.subject_id)
        for name, value in entry.details.items():
            _label, kind = DETAILS.get(name, ("", None))
            if kind is not None and isinstance(value, int | list):
                wanted[kind].update(value if isinstance(value, list) else [value])
        for values in (entry.details.get(name) for name in CHANGE):
            for name, value in values.items() if isinstance(values, dict) else ():
                field = _field(model, name)
                other = field.related_model if field is not None else None
                if other is not None and other in NAMED and isinstance(value, int):
                    wanted[other].add(value)
    names = {
        (model, pk): row
        for model, pks in wanted.items()
        for pk, row in _rows(model).in_bulk(pks).items()
    }
    gone = {pk for pk in wanted[Player] if (Player, pk) not in names}
    return {**names, **_merged(gone)} if gone else names


def _rows(model: type[Model]) -> QuerySet[Any]:
    rows: QuerySet[Any] = model._base_manager.select_related(*NAMED[model])
    return rows.prefetch_related(SEATS[model]) if model in SEATS else rows


def _merged(gone: Collection[int]) -> Names:
    """The records of players with these ids that were merged, as they were called."""
    merges = AuditEntry.objects.filter(
        subject="player", action="merge_players", subject_id__in=gone
    )
    named = merges.values_list("subject_id", "details__name")
    return {(Player, pk): Player(pk=pk, name=name) for pk, name in named if name}


def _url(model: type[Model] | None, row: Model | None, pk: int) -> str:
    if row is None and model is not None and model._meta.model_name in ("game", "hand"):
        row = model(pk=pk)
    address = getattr(row, "get_absolute_url", None)
    return address() if address and not isinstance(row, User | Group) else ""


def _model(name: str) -> type[Model] | None:
    for app in ("scoring", "auth"):
        try:
            return apps.get_model(app, name)
        except LookupError:
            continue
    return None


def _field(model: type[Model] | None, name: str) -> "Field[Any, Any] | None":
    try:
        field = model._meta.get_field(name) if model else None
    except FieldDoesNotExist:
        return None
    return field if isinstance(field, Field) else None


def _name_of(model: type[Model]) -> str:
    return str(capfirst(model._meta.verbose_name))
