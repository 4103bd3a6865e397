"""Read the story of a league and of a player, besides awards and head to head."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext_lazy as _

from scoring.models import League, Player
from scoring.models.letters import plain_letters
from scoring.models.permissions import User
from scoring.story.awards import AWARDS, Award
from scoring.story.evenings import HOW
from scoring.story.figures import At, Figure, Sums, add
from scoring.story.store import ByPlayer, sums_of
from scoring.translation import LazyText, translate

from .awards import HeldAward, held_awards
from .player_story import figures_by_league, streaks_over, sums_over

# What a page calls each of HOW.
WAYS: dict[str, LazyText] = {
    "drawn": _("Won with a drawn tile"),
    "claimed": _("Won on a discard"),
    "discarded": _("Discarded the winning tile"),
    "drawn_by_others": _("Others drew the winning tile"),
    "claimed_by_others": _("Others won on others’ discards"),
    "nobody": _("Nobody won"),
}
# How many patterns, and how many pairs of players, a page lists.
PATTERNS, PAIRS = 10, 10


@dataclass(frozen=True, slots=True)
class WindLine:
    """What was played with one wind, as seat or as round; ``points`` are whole points."""

    wind: str
    hands: int
    wins: int
    points: int

    @property
    def share(self) -> float:
        """The share of the hands that were won; luck alone gives about a quarter."""
        return self.wins / self.hands

    @property
    def average(self) -> Fraction:
        """Points a hand."""
        return Fraction(self.points, self.hands)


@dataclass(frozen=True, slots=True)
class PatternCount:
    """A double, faan or limit hand, in the reader's language, and in how many of the hands won it was."""

    name: str
    hands: int
    wins: int

    @property
    def share(self) -> float:
        return self.hands / self.wins


@dataclass(frozen=True, slots=True)
class Streak:
    """The hands in a row of an award: the longest, the hand at which it ended, and those by now."""

    id: str
    longest: int
    at: At
    now: int

    @property
    def award(self) -> Award:
        return AWARDS[self.id]


@dataclass(frozen=True, slots=True)
class Dealt:
    """``discarder`` discarded the winning tile of ``winner`` in so many hands, and paid so many whole points."""

    discarder: Player
    winner: Player
    hands: int
    points: int


@dataclass(frozen=True, slots=True)
class PointSource:
    """One of the ways in which points come about (``HOW``): in how many hands, how many whole points."""

    id: str
    hands: int
    points: int

    @property
    def name(self) -> str:
        return str(WAYS[self.id])


@dataclass(frozen=True, slots=True)
class Ways:
    """How the points of a player came about: each of ``HOW`` once, in that order."""

    ways: list[PointSource]

    @property
    def points(self) -> int:
        """All of them together: what the player won and lost with hands."""
        return sum(way.points for way in self.ways)

    @property
    def hands(self) -> int:
        return sum(way.hands for way in self.ways)


@dataclass(frozen=True, slots=True)
class PlayerStory:
    """What is told of one player, over all leagues that the reader may see."""

    seats: list[WindLine]
    rounds: list[WindLine]
    patterns: list[PatternCount]
    streaks: list[Streak]
    gave: list[Dealt]
    took: list[Dealt]
    ways: Ways


@dataclass(frozen=True, slots=True)
class LeagueStory:
    """What is told of a league.

    :ivar records: the awards for one hand, game or evening, over all seasons that the reader may see;
        none where only one was played.
    :ivar dealt: who discarded most often to whom, the most hands first.
    :ivar ways: each player, by name, with how the points came about.
    """

    records: list[HeldAward]
    seats: list[WindLine]
    patterns: list[PatternCount]
    dealt: list[Dealt]
    ways: list[tuple[Player, Ways]]


def player_story(player: Player, user: User) -> PlayerStory:
    """What the leagues that ``user`` may see tell of ``player``. Seven queries at most if nothing has changed."""
    by_league = figures_by_league(player, user)
    figures = sums_over(by_league)
    others = Player.objects.in_bulk([int(other) for other in figures["against"]])
    gave = _dealt((player, other, figures["against"][str(pk)][2:4]) for pk, other in others.items())
    took = _dealt((other, player, figures["against"][str(pk)][4:6]) for pk, other in others.items())
    return PlayerStory(
        seats=_winds(figures["seats"]),
        rounds=_winds(figures["rounds"]),
        patterns=_patterns(figures["patterns"], figures["seats"]),
        streaks=list(_streaks(streaks_over(player, by_league))),
        gave=gave,
        took=took,
        ways=_ways(figures["how"]),
    )


def league_story(league: League, user: User) -> LeagueStory:
    """What is told of ``league``. Four queries at most if nothing has changed."""
    seasons = {one.pk: one for one in League.objects.seasons_of(league).visible_to(user)}
    by_league = sums_of(list(seasons.values()))
    by_player = by_league.get(league.pk, {})
    people = Player.objects.in_bulk({player for every in by_league.values() for player in every})
    # The records of one season are its awards.
    seasons_played = {seasons[pk].slug: of_season for pk, of_season in by_league.items()}
    once = [one for one in AWARDS.values() if one.where] if len(seasons_played) > 1 else []
    seats, patterns = _all(by_player, "seats"), _all(by_player, "patterns")
    return LeagueStory(
        records=held_awards(once, seasons_played, people),
        seats=_winds(seats),
        patterns=_patterns(patterns, seats),
        dealt=_dealt(
            (people[player], people[int(other)], numbers[2:4])
            for player, own in by_player.items()
            for other, numbers in own["against"].items()
        ),
        ways=[
            (player, _ways(by_player[player.pk]["how"]))
            for player in sorted(people.values(), key=_by_name)
            if player.pk in by_player
        ],
    )


def _all(by_player: ByPlayer, part: str) -> Sums:
    """The sums of one part over all players."""
    sums: Sums = {}
    for own in by_player.values():
        add(sums, own[part])
    return sums


def _by_name(player: Player) -> tuple[str, int]:
    return plain_letters(player.name), player.pk


def _winds(sums: Sums) -> list[WindLine]:
    return [WindLine(wind, *sums[wind]) for wind in "ESWN" if wind in sums]


def _patterns(sums: Sums, seats: Sums) -> list[PatternCount]:
    """The most frequent patterns; of equally frequent ones those first in the alphabet."""
    wins = sum(won for _hands, won, _points in seats.values())
    counts = [PatternCount(translate(name), hands, wins) for name, (hands,) in sums.items()]
    return sorted(counts, key=lambda one: (-one.hands, plain_letters(one.name)))[:PATTERNS]


def _streaks(figures: Mapping[str, Figure]) -> Iterator[Streak]:
    for id in ("winning_streak", "careful_streak"):
        if figure := figures.get(id):
            _hands, _first, now, longest, *_at = figure
            yield Streak(id, longest, At.of(figure), now)


def _dealt(pairs: Iterable[tuple[Player, Player, Sequence[int]]]) -> list[Dealt]:
    """The most hands first; of as many hands the most points, then by name."""
    lines = [Dealt(one, other, *numbers) for one, other, numbers in pairs if numbers[0]]
    lines.sort(
        key=lambda line: (
            -line.hands,
            -line.points,
            *_by_name(line.discarder),
            *_by_name(line.winner),
        )
    )
    return lines[:PAIRS]


def _ways(sums: Mapping[str, Sequence[int]]) -> Ways:
    return Ways([PointSource(id, *sums.get(id, (0, 0))) for id in HOW])
