"""Read every version of the hand at one position of a game, and the events about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Prefetch, QuerySet

from scoring.models import Confirmations, Game, Hand, HandEvent
from scoring.models.game_tables import with_table

LOGGED, CORRECTED, RESTORED = "logged", "corrected", "restored"


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One thing that happened to what stands at the position.

    ``what`` is "logged", "corrected", "void", "undone" or "restored"; ``before`` and ``after`` are what
    stood there, None for nothing.
    """

    what: str
    version: int
    who: AbstractBaseUser | None
    when: datetime
    why: str
    before: Hand | None
    after: Hand | None


@dataclass(frozen=True, slots=True)
class History:
    """All that happened at one position, the first first, and how the newest version is answered.

    ``events`` are the answers and settlements about any version.
    """

    game: Game
    number: int
    steps: list[HistoryStep]
    events: list[HandEvent]
    answers: Confirmations


def history_of(hand: Hand, versions: QuerySet[Hand]) -> History:
    """What happened at the position of ``hand``; ``versions`` are hands with what an interface shows of them.

    Seven queries and those of ``versions``, however much has happened.
    """
    game = with_table(Game.objects).get(pk=hand.game_id)
    with_people = HandEvent.objects.select_related("player", "by__player")
    all_versions = list(
        versions.filter(game=game, number=hand.number)
        .prefetch_related(Prefetch("events", with_people))
        .order_by("version")
    )
    by_pk: dict[int | None, Hand] = {version.pk: version for version in all_versions}
    for version in all_versions:
        version.game = game
        version.supersedes = by_pk.get(version.supersedes_id)
    newest = all_versions[-1]
    events = [
        event for version in all_versions for event in version.events.all() if not _ends(event)
    ]
    return History(
        game=game,
        number=hand.number,
        steps=list(_steps(all_versions)),
        events=sorted(events, key=lambda event: (event.at, event.pk)),
        answers=Confirmations(newest, newest.events.all()),
    )


def _steps(versions: list[Hand]) -> Iterator[HistoryStep]:
    by_pk: dict[int | None, Hand] = {version.pk: version for version in versions}
    for version in versions:
        before = by_pk.get(version.supersedes_id)
        what = CORRECTED if before else LOGGED
        if before and before.status == Hand.Status.VOID:
            what, before = RESTORED, None
        who, when = version.logged_by, version.logged_at
        yield HistoryStep(what, version.version, who, when, version.why, before, version)
        for event in filter(_ends, version.events.all()):
            yield HistoryStep(
                event.kind, version.version, event.by, event.at, event.reason, version, None
            )


def _ends(event: HandEvent) -> bool:
    return event.kind in HandEvent.ENDINGS
