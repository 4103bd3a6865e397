"""Reading a whole club from the database a few games at a time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import groupby, islice

from django.db.models import F

from scoring.evaluator.problems import HandError
from scoring.models import (
    Confirmations,
    Game,
    GameEvent,
    Hand,
    HandEvent,
    League,
    Payment,
    Player,
    Rating,
    Round,
    RuleSetVersion,
    Seat,
    Transfer,
)
from scoring.models.tallies import RatingValue

# A game is a few dozen hands, a hand with its scorecard some ten kilobytes.
GAMES_AT_ONCE = 50

Rated = dict[int, RatingValue]
# Every rule set version by id.
Versions = dict[int, RuleSetVersion]

# What nothing is worked out from, nor compared with.
UNREAD = (
    "id",
    "logged_by_id",
    "logged_at",
    "played_at",
    "entry_key",
    "entry_fingerprint",
    "reason",
)


@dataclass(slots=True)
class GameData:
    """A game and all that is stored about it.

    ``payments`` are whole points by hand and player, ``booked`` what adjustments in the game brought
    each player, ``left`` what of that lay on the table at the end, ``events`` what was said about each hand, ``versions`` every rule set version by id.
    ``changes`` are the changes to the game that changed its seats or rules, in their order.
    """

    game: Game
    hands: list[Hand] = field(default_factory=list)
    payments: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    rounds: dict[int, str] = field(default_factory=dict)
    ratings: Rated = field(default_factory=dict)
    booked: Counter[int] = field(default_factory=Counter)
    left: Counter[int] = field(default_factory=Counter)
    events: dict[int, list[HandEvent]] = field(default_factory=lambda: defaultdict(list))
    changes: list[GameEvent] = field(default_factory=list)
    players: dict[int, Player] = field(default_factory=dict)
    versions: Versions = field(default_factory=dict)

    def table_of(self, hand: Hand) -> Game:
        """The game as it was when ``hand`` was played: with the seats and the rules of then."""
        table = copy(self.game)
        before = next((one.before for one in self.changes if hand.pk <= one.last_hand), None)
        if before is not None:
            table.ruleset_version = self.versions[before["ruleset_version"]]
            table.table = [
                Seat(game=table, place=place, player=self.players[pk])
                for place, pk in enumerate(before["seats"])
            ]
        return table

    @property
    def current(self) -> list[Hand]:
        """The hands that stand at their position, in the order they were played."""
        # Rows of games_without_cards have the columns of a hand, not its properties.
        return [hand for hand in self.hands if hand.status in Hand.CURRENT]

    @property
    def undisputed(self) -> list[Hand]:
        """Those of the ``current`` hands whose points count in the game."""
        return [hand for hand in self.hands if hand.status == Hand.Status.COUNTED]

    @property
    def void(self) -> set[int]:
        """The numbers of hands that were taken back."""
        return {hand.number for hand in self.hands if hand.status == Hand.Status.VOID}

    def answers(self, hand: Hand) -> Confirmations:
        """What was said about ``hand``, one of this game."""
        return Confirmations(hand, self.events[hand.pk])


def all_versions() -> Versions:
    """Every rule set version by id: each reads its options once, however many games it scored."""
    return {version.pk: version for version in RuleSetVersion.objects.select_related("ruleset")}


def games_of(league: League, versions: Versions, *, cards: bool = True) -> Iterator[GameData]:
    """The games of ``league`` in the order they were finished, which is the order of the ratings.

    :param versions: every rule set version by id, shared by all that is read.
    :param cards: whether the hands are read with tiles, melds and scorecard.
    """
    for games in in_order(league):
        yield from whole(games, versions, cards=cards)


def in_order(league: League) -> Iterator[list[Game]]:
    """The games of ``league`` in the order they were finished, a few at a time."""
    games = Game.objects.filter(league=league).order_by(F("finished_at").asc(nulls_last=True), "pk")
    reader = games.iterator(chunk_size=GAMES_AT_ONCE)
    while chunk := list(islice(reader, GAMES_AT_ONCE)):
        for game in chunk:
            game.league = league
        yield chunk


def whole(games: Iterable[Game], versions: Versions, *, cards: bool = True) -> list[GameData]:
    """``games`` with all that is stored about them, for eight queries."""
    games_by_pk = _without_hands(games, versions)
    _read_hands(games_by_pk, cards=cards)
    events = HandEvent.objects.filter(hand__game__in=games_by_pk).annotate(game=F("hand__game"))
    for event in events:
        games_by_pk[event.game].events[event.hand_id].append(event)
    return list(games_by_pk.values())


def games_without_cards(
    games: Iterable[Game], versions: Versions, *, cards: bool = True
) -> list[GameData]:
    """``games`` with their hands as bare rows, which have the columns of a hand and nothing else.

    Of what was said about a hand they have what matters: whatever is more than a confirmation.

    :param cards: whether the hands are read with their scorecards.
    """
    games_by_pk = _without_hands(games, versions)
    hands = Hand.objects.filter(game__in=games_by_pk).order_by("game_id", "number", "version")
    unread = UNREAD if cards else (*UNREAD, "card")
    columns = [field.attname for field in Hand._meta.concrete_fields if field.attname not in unread]
    for hand in hands.values_list("pk", *columns, named=True).iterator(chunk_size=1000):
        games_by_pk[hand.game_id].hands.append(hand)
    events = HandEvent.objects.filter(hand__game__in=games_by_pk).exclude(
        kind=HandEvent.Kind.CONFIRMED
    )
    for event in events.annotate(game=F("hand__game")):
        games_by_pk[event.game].events[event.hand_id].append(event)
    return list(games_by_pk.values())


def _without_hands(games: Iterable[Game], versions: Versions) -> dict[int, GameData]:
    games_by_pk = {game.pk: GameData(game) for game in games}
    for data in games_by_pk.values():
        data.game.ruleset_version = versions[data.game.ruleset_version_id]
    _read_seats(games_by_pk)
    _read_changes(games_by_pk, versions)
    _read_payments(games_by_pk)
    rounds = Round.objects.filter(game__in=games_by_pk).order_by()
    for pk, game, wind in rounds.values_list("pk", "game", "wind"):
        games_by_pk[game].rounds[pk] = wind
    ratings = Rating.objects.filter(game__in=games_by_pk).order_by()
    for game, player, mu, sigma in ratings.values_list("game", "player", "mu", "sigma"):
        games_by_pk[game].ratings[player] = (mu, sigma)
    booked = Transfer.objects.filter(adjustment__game__in=games_by_pk)
    for game, points in booked.points_by_game().items():
        games_by_pk[game].booked = points
    _read_left(games_by_pk)
    return games_by_pk


def booked_in(league: League) -> Counter[int]:
    """What the adjustments of ``league`` outside its games brought each player, in whole points."""
    return Transfer.objects.filter(adjustment__league=league, adjustment__game=None).points()


def _read_seats(games_by_pk: dict[int, GameData]) -> None:
    seats = list(Seat.objects.filter(game__in=games_by_pk).order_by("game_id", "place"))
    # The same people sit at many tables: each is read once.
    players = Player.objects.in_bulk({seat.player_id for seat in seats})
    for seat in seats:
        seat.player = players[seat.player_id]
    tables = {pk: list(table) for pk, table in groupby(seats, key=lambda seat: seat.game_id)}
    for pk, data in games_by_pk.items():
        # As prefetched: the game asks nobody else who sits at it.
        data.game.table = tables.get(pk, [])


def _read_changes(games_by_pk: dict[int, GameData], versions: Versions) -> None:
    changes = GameEvent.objects.filter(game__in=games_by_pk).exclude(before={}).order_by("pk")
    for event in changes:
        games_by_pk[event.game_id].changes.append(event)
    named = {
        pk for data in games_by_pk.values() for one in data.changes for pk in one.before["seats"]
    }
    players = Player.objects.in_bulk(named) if named else {}
    for data in games_by_pk.values():
        data.players, data.versions = players, versions


def _read_left(games_by_pk: dict[int, GameData]) -> None:
    """Only of games whose rules give what is left on the table to somebody: there are few."""
    asked = [pk for pk, data in games_by_pk.items() if _shares_out(data.game)]
    if not asked:
        return
    left = Transfer.objects.from_tables().filter(adjustment__game__in=asked)
    for game, points in left.points_by_game().items():
        games_by_pk[game].left = points


def _shares_out(game: Game) -> bool:
    try:
        return game.ruleset_version.table_rules.left_to_first
    except HandError:
        return False  # the replay tells


def _read_hands(games_by_pk: dict[int, GameData], *, cards: bool) -> None:
    hands = Hand.objects.filter(game__in=games_by_pk).order_by("game_id", "number", "version")
    if not cards:
        hands = hands.defer("tiles", "melds", "card")
    for hand in hands.iterator(chunk_size=1000):
        games_by_pk[hand.game_id].hands.append(hand)


def _read_payments(games_by_pk: dict[int, GameData]) -> None:
    payments = Payment.objects.filter(hand__game__in=games_by_pk).order_by()
    rows = payments.values_list("hand__game", "hand", "player", "amount")
    for game, hand, player, amount in rows.iterator(chunk_size=5000):
        games_by_pk[game].payments[hand][player] = amount
