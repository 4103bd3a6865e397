"""The sums of the story as they are kept: marked when something changes, worked out when somebody looks.

Whoever changes what counts marks the evening in the same transaction (:func:`evenings_changed`). Whoever reads
works out the evenings that are marked, and from them their months, years and league (:func:`sums_of`).
Where nothing can be written, a reader works them out and keeps nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import reduce
from operator import itemgetter

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Length

from scoring.models import Game, Hand, League, Player, StoryChange, StorySum
from scoring.site.read_only import refuses_writing

from .awards import AWARDS, award_figures, together
from .evenings import VERSION, PlayerFigures, evenings_of, merged
from .figures import ROW, Figure
from .hands import counted_hands

ALL = "all"

Leagues = QuerySet[League] | Collection[League]
# What is said about each player, by the player's id.
ByPlayer = dict[int, PlayerFigures]


def evenings_changed(league: int, evenings: Iterable[date]) -> None:
    """Mark ``evenings`` of ``league`` (its id). Call it in the transaction that changes what counts."""
    StoryChange.objects.bulk_create(
        StoryChange(league_id=league, evening=day) for day in sorted(set(evenings))
    )


def player_changed(player: Player) -> None:
    """Mark every evening on which ``player`` has played."""
    _mark(Game.objects.filter(hands__payments__player=player))


def all_changed(leagues: Leagues | None = None) -> None:
    """Mark every evening of ``leagues``, or of the club."""
    games = Game.objects.all()
    _mark(games if leagues is None else games.filter(league__in=leagues))


def _mark(games: QuerySet[Game]) -> None:
    days = games.order_by().values_list("league", "evening").distinct()
    StoryChange.objects.bulk_create(
        (StoryChange(league_id=league, evening=day) for league, day in days), batch_size=500
    )


def sums_of(leagues: Leagues, player: int | None = None) -> dict[int, ByPlayer]:
    """What is said about each player of ``leagues``, or only about ``player``; by the league's id,
    the league that began first before the others.

    Two queries, and a few more for each month in which something has changed.
    """
    try:
        return _kept(leagues, player)
    except DatabaseError as error:
        if not refuses_writing(error):
            raise
    return _not_kept(leagues, player)


def _kept(leagues: Leagues, player: int | None) -> dict[int, ByPlayer]:
    bring_up_to_date(leagues)
    rows = StorySum.objects.filter(league__in=leagues, span=ALL)
    rows = rows.order_by("league__starts_on", "league", "player")
    by_league: dict[int, ByPlayer] = {}
    for row in rows if player is None else rows.filter(player=player):
        if row.version != VERSION:
            all_changed(leagues)
            return _kept(leagues, player)
        by_league.setdefault(row.league_id, {})[row.player_id] = row.figures
    return by_league


def _not_kept(leagues: Leagues, player: int | None) -> dict[int, ByPlayer]:
    """The same where nothing can be written: worked out, and not kept."""
    found: dict[int, ByPlayer] = {}
    for league in sorted(leagues, key=lambda one: (one.starts_on, one.name, one.pk)):
        by_player = _as_it_would_be(league.pk)
        chosen = by_player if player is None else {player: by_player.get(player)}
        if own := {pk: figures for pk, figures in chosen.items() if figures}:
            found[league.pk] = own
    return found


def _as_it_would_be(league: int) -> ByPlayer:
    """What would be kept about each player of ``league`` (its id), once it is worked out."""
    days = _out_of_date([league])
    computed = evenings_of(league, days)
    instead = {day.isoformat(): computed.get(day, {}) for day in days}
    longer = {span[:length] for span in instead for length in (7, 4)}
    for span in (*sorted(longer, key=len, reverse=True), ALL):
        instead[span] = within(league, span, instead=instead)
    return instead[ALL]


def _out_of_date(leagues: Collection[int]) -> set[date]:
    """The evenings of ``leagues`` (ids) that are marked, or kept in another version. One query."""
    marked = StoryChange.objects.filter(league__in=leagues).order_by()
    kept = StorySum.objects.filter(league__in=leagues, span=ALL).exclude(version=VERSION).order_by()
    games = Game.objects.filter(league__in=kept.values("league")).order_by()
    evenings = marked.values_list("evening", flat=True)
    return set(evenings.union(games.values_list("evening", flat=True)))


def streaks_of(leagues: Collection[int], player: int) -> dict[str, Figure]:
    """The hands in a row of ``player`` over ``leagues`` (ids), whose evenings may take turns: by award.

    Two queries, and two for all evenings on which the player was in several leagues: there, each hand is
    asked for. So it is on evenings that :func:`sums_of`, which goes before, could not keep.
    """
    days = StorySum.objects.filter(league__in=leagues, player=player, version=VERSION)
    days = days.alias(length=Length("span")).filter(length=len("2026-03-31"))
    by_day: defaultdict[str, list[dict[str, Figure]]] = defaultdict(list)
    for span, awards in days.values_list("span", "figures__awards"):
        by_day[span].append(awards)
    shared = {date.fromisoformat(day) for day, parts in by_day.items() if len(parts) > 1}
    shared |= _out_of_date(leagues)
    if shared:
        hands = Hand.objects.filter(game__league__in=leagues, game__evening__in=shared)
        counted = counted_hands(hands.filter(payments__player=player))
        by_day |= {day.isoformat(): [] for day in shared}
        for hand in counted:
            by_day[hand.evening.isoformat()].append(award_figures([hand], {})[player])
    streaks: dict[str, Figure] = reduce(
        together, (one for day in sorted(by_day) for one in by_day[day]), {}
    )
    return {id: figure for id, figure in streaks.items() if AWARDS[id].kind is ROW}


def bring_up_to_date(leagues: Leagues) -> None:
    """Work out what has changed in ``leagues``."""
    for league, month in waiting(leagues):
        work_out(league, month)


def waiting(leagues: Leagues) -> list[tuple[int, str]]:
    """The months of ``leagues`` that have to be worked out: the league's id, and the month."""
    marked = StoryChange.objects.filter(league__in=leagues).order_by()
    evenings = marked.values_list("league", "evening").distinct()
    return sorted({(league, day.isoformat()[:7]) for league, day in evenings})


@transaction.atomic
def work_out(league: int, month: str) -> None:
    """Work out the evenings of ``month`` that are marked, and what they are a part of.

    Two who do it at once would leave what the slower one has read, so the second waits. The marks go
    before the hands are read: a change that comes later leaves its own.
    """
    held = League.objects.select_for_update(no_key=True).filter(pk=league)
    list(held.order_by().values_list("pk"))
    year, number = map(int, month.split("-"))
    marked = StoryChange.objects.filter(
        league=league, evening__year=year, evening__month=number
    ).order_by()
    days = set(marked.values_list("evening", flat=True).distinct())
    StoryChange.objects.filter(league=league, evening__in=days).delete()
    figures = evenings_of(league, days)
    touched: set[int] = set()
    for day in days:
        there = StorySum.objects.filter(league=league, span=day.isoformat())
        touched |= {*there.values_list("player", flat=True), *figures.get(day, {})}
    for day in days:
        _store(league, day.isoformat(), figures.get(day, {}), touched)
    for span in (month, month[:4], ALL):
        _store(league, span, within(league, span, touched), touched)


def within(
    league: int,
    span: str,
    players: Collection[int] | None = None,
    instead: Mapping[str, ByPlayer] | None = None,
) -> ByPlayer:
    """What the parts of ``span`` add up to about each of ``players``, or everybody.

    :param instead: what is said of some spans in the place of what is kept of them.
    """
    instead = instead or {}
    kept = StorySum.objects.filter(league=league, within=span).exclude(span__in=instead)
    if players is not None:
        kept = kept.filter(player__in=players)
    parts = list(kept.values_list("span", "player", "figures"))
    for part, by_player in instead.items():
        if _longer(part) == span:
            parts += [(part, player, figures) for player, figures in by_player.items()]
    found: ByPlayer = {}
    for _part, player, figures in sorted(parts, key=itemgetter(0)):
        own = found.get(player)
        found[player] = merged(own, figures) if own else figures
    return found


def _longer(span: str) -> str:
    """The next longer span: of a day the month, of that the year, of that all."""
    if span == ALL:
        return ""
    return span.rpartition("-")[0] or ALL


def _store(league: int, span: str, figures: ByPlayer, instead_of: Collection[int]) -> None:
    StorySum.objects.filter(league=league, span=span, player__in=instead_of).delete()
    StorySum.objects.bulk_create(
        StorySum(
            league_id=league,
            span=span,
            within=_longer(span),
            player_id=player,
            version=VERSION,
            figures=of_player,
        )
        for player, of_player in figures.items()
    )
