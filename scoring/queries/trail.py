"""Tell in words who changed what, and when: the audit, for owners."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model, QuerySet
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext

from scoring.evaluator.tiles import WINDS
from scoring.models import (
    AuditEntry,
    Club,
    EveningClosure,
    FirstRun,
    Game,
    Hand,
    Player,
    SeasonClosure,
    StandingRules,
    day_begins,
    day_ends,
)
from scoring.models.people import person_name
from scoring.models.permissions import User as Reader
from scoring.models.standing_rules import names_of_people
from scoring.translation import comma, listed, translate

from .trail_words import (
    ACCOUNT,
    ACTIONS,
    DETAILS,
    FIRST_RUN,
    NAMED,
    ONE_ACT,
    ONLY_IF_SO,
    PARTS,
    SEATED,
    SEATS,
    WITHOUT_ACCOUNT,
    WORDS,
)

# How the details write a day.
DAY = re.compile(r"\d{4}-\d\d-\d\d")
# Kinds of rows that the site keeps for itself: nobody looks for what became of them.
INTERNAL = {"idempotencykey", "trycount", "signincount", "transfer", "waitingseat"}
# The details of an entry that tell a change; the others are told as they are.
CHANGE = ("before", "after")
# Details that other words tell already.
IN_THE_SENTENCE = (*CHANGE, "account", "by_link", "by_pin", "seated")
# Details whose value no word and no row tells.
SHOWN_BY: Mapping[str, Callable[[Any], str]] = {
    "place": lambda place: translate(WINDS[place].label),
}


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
    rules = _standing_rules(entries)
    return [_in_words(entry, doers, names, rules.get(entry.pk, "")) for entry in entries]


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
        kind = _kind_of(name)
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


def _standing_rules(entries: Sequence[AuditEntry]) -> dict[int, str]:
    """The standing rules that ``entries`` tell of, by the entry's id, in the language that is active.

    The audit keeps them in the language of who changed them. Those of a league that was deleted stay so.
    """
    asked = {
        entry.pk: (entry.subject_id, entry.details.get("version"))
        for entry in entries
        if "sentences" in entry.details
    }
    if not asked:
        return {}
    of_leagues = StandingRules.objects.filter(
        league__in={league for league, _number in asked.values()}
    )
    versions = {(version.league_id, version.number): version for version in of_leagues}
    found = {pk: versions[key] for pk, key in asked.items() if key in versions}
    people = names_of_people(table for version in found.values() for table in version.rules)
    return {pk: version.in_one_text(people) for pk, version in found.items()}


def _in_words(entry: AuditEntry, doers: Doers, names: Names, rules: str) -> TrailEntry:
    """:param rules: the standing rules that it tells of, if there still are any."""
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
        changes=list(_changes(entry, model, names, rules)),
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
    """``row`` as people call it: what has a day by that, in the language that is active, a game by its four, too."""
    if isinstance(row, Game):
        return f"{row.league}{comma()}{row.day_and_players}"
    if isinstance(row, EveningClosure | SeasonClosure):
        return f"{row.league}{comma()}{date_format(row.day)}"
    return str(row)


def _changes(
    entry: AuditEntry, model: type[Model] | None, names: Names, rules: str
) -> Iterator[Change]:
    yield from _changed_fields(entry, model, names)
    details = {**entry.details, "sentences": rules} if rules else entry.details
    if entry.action == "reopen_season" and "reason" not in details:
        # Entries of before the audit had it: the closure keeps it.
        closure = names.get((SeasonClosure, entry.subject_id))
        details = {**details, "reason": getattr(closure, "reason", "")}
    for name, value in details.items():
        if not _goes_without_saying(name, value, entry, model):
            yield from _detail(name, value, names)


def _changed_fields(entry: AuditEntry, model: type[Model] | None, names: Names) -> Iterator[Change]:
    """The fields of the row that differ between the details ``before`` and ``after``."""
    before, after = (entry.details.get(name) for name in CHANGE)
    if not isinstance(before, dict):
        return
    # Entries of before the site noted both tell only what was there.
    now = after if isinstance(after, dict) else {}
    for name, value in before.items():
        if name in now and now[name] == value:
            continue
        field = _field(model, name)
        label = capfirst(str(field.verbose_name)) if field else name
        shown = _value(field, now[name], names) if name in now else "…"
        yield Change(label, _value(field, value, names), shown)


def _goes_without_saying(
    name: str, value: Any, entry: AuditEntry, model: type[Model] | None
) -> bool:
    """Whether other words of ``entry`` tell the detail ``name`` already."""
    if name in IN_THE_SENTENCE or (not value and name in ONLY_IF_SO):
        return True
    kind = _kind_of(name)
    is_the_row = kind is not None and (kind, value) == (model, entry.subject_id)
    return is_the_row or (name == "by_code" and value == entry.details.get("table"))


def _detail(name: str, value: Any, names: Names) -> Iterator[Change]:
    label, kind = DETAILS.get(name, (name.replace("_", " "), None))
    if name in SHOWN_BY:
        yield Change(str(label), "", SHOWN_BY[name](value))
    elif isinstance(value, str | int):
        row = names.get((kind, value)) if kind else None
        shown = str(WORDS.get(name, {}).get(str(value)) or _value(None, value, names))
        yield Change(str(label), "", _named(row) if row else shown)
    elif kind is not None and isinstance(value, list) and value:
        # Those who are on the list no more have no name here.
        rows = [str(names[kind, pk]) for pk in value if (kind, pk) in names]
        # One is named at once, several open.
        many = 0 if len(value) == len(rows) == 1 else len(value)
        yield Change(str(label), "", listed(rows), many=many)


def _kind_of(detail: str) -> type[Model] | None:
    """The kind of row whose number ``detail`` tells."""
    _label, kind = DETAILS.get(detail, ("", None))
    return kind


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
    return listed(value) if isinstance(value, list) else str(value)


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value) if DAY.fullmatch(value) else None
    except ValueError:
        return None


def _names(entries: Iterable[AuditEntry]) -> Names:
    """The rows that ``entries`` are about or refer to, as far as they are named and still there."""
    wanted: defaultdict[type[Model], set[Any]] = defaultdict(set)
    for entry in entries:
        for kind, pk in _rows_to_name(entry):
            wanted[kind].add(pk)
    names = {
        (model, pk): row
        for model, pks in wanted.items()
        for pk, row in _rows(model).in_bulk(pks).items()
    }
    gone = {pk for pk in wanted[Player] if (Player, pk) not in names}
    return {**names, **_merged(gone)} if gone else names


def _rows_to_name(entry: AuditEntry) -> Iterator[tuple[type[Model], Any]]:
    """Kind and number of each row whose name the words of ``entry`` need."""
    model = _model(entry.subject)
    if model is not None and model in NAMED:
        yield model, entry.subject_id
    for name, value in entry.details.items():
        kind = _kind_of(name)
        if kind is not None and isinstance(value, int | list):
            yield from ((kind, pk) for pk in (value if isinstance(value, list) else [value]))
    for values in (entry.details.get(name) for name in CHANGE):
        for name, value in values.items() if isinstance(values, dict) else ():
            other = _related(model, name)
            if other in NAMED and isinstance(value, int):
                yield other, value


def _related(model: type[Model] | None, name: str) -> Any:
    """The kind of row to which the field ``name`` of ``model`` leads; None for one that holds a value."""
    field = _field(model, name)
    return field.related_model if field is not None else None


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
