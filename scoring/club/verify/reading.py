"""Reading a whole club from the database a few games at a time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice

from django.db.models import F

from scoring.models import (
    Answers,
    Game,
    Hand,
    HandEvent,
    League,
    Payment,
    Rating,
    Round,
    RuleSetVersion,
    Seat,
    Transfer,
)

# A game is a few dozen hands, a hand with its scorecard some ten kilobytes.
GAMES_AT_ONCE = 50

Rated = dict[int, tuple[float, float]]


@dataclass(slots=True)
class Played:
    """A game and all that is stored about it.

    ``payments`` are whole points by hand and player, ``booked`` what adjustments in the game brought
    each player, ``events`` what was said about each hand.
    """

    game: Game
    hands: list[Hand] = field(default_factory=list)
    payments: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    rounds: dict[int, str] = field(default_factory=dict)
    ratings: Rated = field(default_factory=dict)
    booked: Counter[int] = field(default_factory=Counter)
    events: dict[int, list[HandEvent]] = field(default_factory=lambda: defaultdict(list))

    @property
    def standing(self) -> list[Hand]:
        """The hands that stand, in the order they were played."""
        return [hand for hand in self.hands if hand.live]

    @property
    def void(self) -> set[int]:
        """The numbers of hands that were taken back."""
        return {hand.number for hand in self.hands if hand.status == Hand.Status.VOID}

    def answers(self, hand: Hand) -> Answers:
        """What was said about ``hand``, one of this game."""
        return Answers(hand, self.events[hand.pk])


def all_versions() -> dict[int, RuleSetVersion]:
    """Every rule set version by id: each reads its options once, however many games it scored."""
    return {each.pk: each for each in RuleSetVersion.objects.select_related("ruleset")}


def games_of(
    league: League, versions: dict[int, RuleSetVersion], *, cards: bool = True
) -> Iterator[Played]:
    """The games of ``league`` in the order they were finished, which is the order of the ratings.

    :param versions: every rule set version by id, shared by all that is read.
    :param cards: whether the hands are read with tiles, melds and scorecard.
    """
    games = Game.objects.filter(league=league).order_by(F("finished_at").asc(nulls_last=True), "pk")
    reader = games.iterator(chunk_size=GAMES_AT_ONCE)
    while chunk := list(islice(reader, GAMES_AT_ONCE)):
        for game in chunk:
            game.league = league
        yield from whole(chunk, versions, cards=cards)


def whole(
    games: Iterable[Game], versions: dict[int, RuleSetVersion], *, cards: bool = True
) -> list[Played]:
    """``games`` with all that is stored about them, for seven queries."""
    found = {game.pk: Played(game) for game in games}
    for played in found.values():
        played.game.ruleset_version = versions[played.game.ruleset_version_id]
    _read_seats(found)
    _read_hands(found, cards=cards)
    rounds = Round.objects.filter(game__in=found).order_by()
    for pk, game, wind in rounds.values_list("pk", "game", "wind"):
        found[game].rounds[pk] = wind
    ratings = Rating.objects.filter(game__in=found).order_by()
    for game, player, mu, sigma in ratings.values_list("game", "player", "mu", "sigma"):
        found[game].ratings[player] = (mu, sigma)
    events = HandEvent.objects.filter(hand__game__in=found).annotate(game=F("hand__game"))
    for event in events:
        found[event.game].events[event.hand_id].append(event)
    booked = Transfer.objects.filter(adjustment__game__in=found).order_by()
    for game, *transfer in booked.values_list("adjustment__game", "payer", "payee", "amount"):
        _book(found[game].booked, *transfer)
    return list(found.values())


def booked_in(league: League) -> Counter[int]:
    """What the adjustments of ``league`` outside its games brought each player, in whole points."""
    won: Counter[int] = Counter()
    booked = Transfer.objects.filter(adjustment__league=league, adjustment__game=None)
    for transfer in booked.values_list("payer", "payee", "amount"):
        _book(won, *transfer)
    return won


def _book(won: Counter[int], payer: int, payee: int, amount: int) -> None:
    won[payer] -= amount
    won[payee] += amount


def _read_seats(found: dict[int, Played]) -> None:
    seats = Seat.objects.filter(game__in=found).select_related("player")
    seats = seats.order_by("game_id", "place")
    tables = {pk: list(table) for pk, table in groupby(seats, key=lambda seat: seat.game_id)}
    for pk, played in found.items():
        # As prefetched: the game asks nobody else who sits at it.
        played.game.table = tables.get(pk, [])


def _read_hands(found: dict[int, Played], *, cards: bool) -> None:
    hands = Hand.objects.filter(game__in=found).order_by("game_id", "number", "version")
    if not cards:
        hands = hands.defer("tiles", "melds", "card")
    for hand in hands.iterator(chunk_size=1000):
        found[hand.game_id].hands.append(hand)
    payments = Payment.objects.filter(hand__game__in=found).order_by()
    rows = payments.values_list("hand__game", "hand", "player", "amount")
    for game, hand, player, amount in rows.iterator(chunk_size=5000):
        found[game].payments[hand][player] = amount
