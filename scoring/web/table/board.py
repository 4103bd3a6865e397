"""Gather what a table page shows: who sits where, how they stand, the hands so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.http import HttpRequest
from django.utils import timezone

from scoring.circumstances import briefly_how_won
from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import Wind
from scoring.models import (
    Adjustment,
    Game,
    GameEvent,
    Hand,
    HandEvent,
    LateHand,
    League,
    Player,
    Seat,
)
from scoring.models.game_tables import EVENING_CLOSED
from scoring.models.hands import current_hand, disputed_hand, undisputed_hand
from scoring.models.hidden_names import hiding_etag
from scoring.models.permissions import Permission, User, can, is_own_player
from scoring.models.roles import organisers
from scoring.models.totals import game_totals
from scoring.queries.games import game_scores
from scoring.services.hands.correct import UNDO_FOR, why_not_undone

from ..shared.names import short_names
from ..shared.requests import visible_game
from ..shared.sentences import in_a_sentence, on_the_table
from .view_only import ViewOnly, why_view_only

# Play goes round to the right, so South sits to the right of East.
SIDES = ("near", "right", "far", "left")
LONG_FIGURE = 10_000


@dataclass(frozen=True, slots=True)
class Place:
    """One of the four seats as it stands now; ``seat`` 0 to 3, ``total`` in whole points.

    ``short`` is the player's name for narrow places, another one for each of the four.
    """

    seat: int
    player: Player
    short: str
    wind: Wind
    deals: bool
    total: int
    rank: int
    side: str
    own: bool


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """A hand in the list: ``shares`` are (place, whole points) in the order of the seats."""

    hand: Hand
    shares: list[tuple[Place, int]]
    how: str

    @property
    def sentence(self) -> str:
        return in_a_sentence(self.hand)


@dataclass(frozen=True, slots=True)
class Undo:
    """The hand that this person has just logged and can take back for ``seconds`` more."""

    hand: Hand
    seconds: int

    @property
    def sentence(self) -> str:
        return in_a_sentence(self.hand)


@dataclass(frozen=True, slots=True)
class TablePage:
    """A game as its page shows it. ``version`` (:func:`table_version`) changes whenever anything else here does.

    :ivar view_only: why the reader enters no hands; None if they may.
    :ivar void: the hands that were taken back, where nothing stands in their place, if the reader may
        restore them.
    """

    game: Game
    places: list[Place]
    lines: list[LoggedHand]
    view_only: ViewOnly | None
    version: str
    undo: Undo | None
    bookings: list[Adjustment]
    void: list[Hand]

    @property
    def has_long_figures(self) -> bool:
        """Whether one in the table of hands has five digits, which takes smaller letters on a phone."""
        figures = [place.total for place in self.places]
        figures += [amount for line in self.lines for _place, amount in line.shares]
        return any(abs(figure) >= LONG_FIGURE for figure in figures)

    @property
    def dealer(self) -> Place:
        return next(place for place in self.places if place.deals)

    @property
    def disputed(self) -> int:
        """How many hands the totals leave out, because somebody disputes them."""
        return sum(line.hand.disputed for line in self.lines)

    @property
    def may_log(self) -> bool:
        return self.view_only is None

    @property
    def mode(self) -> str:
        """What the page offers: to "log" a hand, to "watch", or what it came to: "over"."""
        if self.game.finished:
            return "over"
        return "log" if self.may_log else "watch"

    @property
    def own_name(self) -> str:
        """The reader, if one of the four."""
        return next((place.player.name for place in self.places if place.own), "")

    @property
    def player_ids(self) -> str:
        """Who sits at the four places, for the scripts: "12 15 16 19"."""
        return " ".join(str(place.player.pk) for place in self.places)

    @property
    def replaced(self) -> str:
        """The versions (their ids) that the hands here have replaced, for the scripts: "41 57"."""
        return " ".join(str(pk) for line in self.lines if (pk := line.hand.supersedes_id))

    @property
    def stays(self) -> str:
        """After which outcomes the dealer stays, for the scripts: "win draw", or "win calling"."""
        rules = self.game.ruleset_version.table_rules
        stays = {
            "win": rules.dealer_stays_on_win,
            "draw": rules.dealer_stays_on_draw and not rules.keeps_table,
            "calling": rules.keeps_table,
        }
        return " ".join(outcome for outcome, on in stays.items() if on)

    @property
    def rounds(self) -> int | None:
        """How many rounds the game has, for the scripts, where these are not four."""
        rounds = self.game.ruleset_version.table_rules.rounds
        return None if rounds == TableState.ROUNDS else rounds

    @property
    def lies_there(self) -> list[str]:
        """Which counters and sticks lie on the table, in words."""
        return on_the_table(self.game.counters, self.game.sticks)

    @property
    def ranking(self) -> list[Place]:
        return sorted(self.places, key=lambda place: place.rank)


def table_of(request: HttpRequest, pk: int) -> TablePage:
    """Everything about the game ``pk`` for its page, as ``request.user`` sees it.

    :raises Http404: if there is none that this person may see.
    """
    user = request.user
    # The version is read before all that it stands for. If the game is changed in between, the page
    # asks once more than it must; read later, the page would take what it shows for the newest.
    version = table_version(Game.objects.filter(pk=pk), user) or ""
    game = visible_game(request, pk)
    places = _places(game, game_totals(game), user)
    by_player = {place.player.pk: place for place in places}
    hands, void = _hands(game)
    return TablePage(
        game=game,
        places=places,
        lines=[_line(hand, by_player) for hand in hands],
        view_only=None if can(user, Permission.LOG_A_HAND, game) else why_view_only(user, game),
        version=version,
        undo=_undo(hands[0], user) if hands else None,
        bookings=list(game.adjustments.with_people()),
        void=void if can(user, Permission.CORRECT_A_HAND, game) else [],
    )


def _hands(game: Game) -> tuple[list[Hand], list[Hand]]:
    """Its current hands, the newest first; then the last void one of each number where none stands.

    A rule book is long: it is read once, not for each hand.
    """
    wide = ("card", "melds", "others", "ruleset_version__book")
    not_restored = Q(status=Hand.Status.VOID, superseded_by=None)
    found = game.hands.filter(current_hand() | not_restored).with_people().defer(*wide)
    hands, void = [], {}
    for hand in found.order_by("-number", "version"):
        if hand.ruleset_version_id == game.ruleset_version_id:
            hand.ruleset_version = game.ruleset_version
        if hand.current:
            hands.append(hand)
        else:
            void[hand.number] = hand
    taken = {hand.number for hand in hands}
    return hands, [void[number] for number in sorted(void.keys() - taken)]


def table_version(games: QuerySet[Game], reader: User) -> str | None:
    """A word that changes with all that the page of the table of ``games`` shows to ``reader``. One query.

    It is the ETag of that page: of what happened at the table, of who reads it and what they may do there, and
    of whose names are hidden from them. None without a game.
    """
    row = _at_the_table(games, reader).first()
    if row is None:
        return None
    number, finished_at, renamed, ends_on, closed_on, *others = row
    league = League(ends_on=ends_on, closed_on=closed_on)
    named = int(renamed.timestamp() * 1_000_000) if renamed else 0
    happened = (number, int(finished_at is not None), *others, named)
    parts = (*happened, int(league.over), int(league.closed), reader.pk)
    return "-".join(str(part or 0) for part in parts) + hiding_etag()


def _at_the_table(games: QuerySet[Game], reader: User) -> QuerySet[Game, tuple[Any, ...]]:
    """The row of :func:`table_version`. What ``reader`` may do depends on the last three of it, and the league."""
    own = reader.pk or 0
    seat = Seat.objects.filter(game=OuterRef("pk"), player__user=own)
    return games.annotate(
        **_what_happened(),
        # What decides what they may do; whether they may would take more queries.
        sits=Subquery(seat.values("player")[:1]),
        organises=Exists(organisers().filter(pk=own)),
    ).values_list(
        *("next_number", "finished_at", "renamed", "league__ends_on", "league__closed_on"),
        *("last", "undisputed", "disputed", "answered", "booked", "changed", "late", "waiting"),
        *("closed", "sits", "organises"),
    )


@cache
def _what_happened() -> dict[str, Combinable]:
    """What changes with what happens at a table, whoever reads. Made once: each page asks every few seconds."""
    at_it = {"game": OuterRef("pk")}
    answers = HandEvent.objects.filter(hand__game=OuterRef("pk")).order_by("-pk").values("pk")
    booked = Adjustment.objects.filter(**at_it).order_by("-pk").values("pk")
    changed = GameEvent.objects.filter(**at_it).order_by("-pk").values("pk")
    late = LateHand.objects.waiting().filter(**at_it)
    waiting = late.order_by().values("game").annotate(number=Count("pk")).values("number")
    seats = Seat.objects.filter(**at_it).order_by("-player__renamed_at")
    renamed = seats.filter(player__renamed_at__isnull=False).values("player__renamed_at")
    return {
        "answered": Subquery(answers[:1]),
        "booked": Subquery(booked[:1]),
        "changed": Subquery(changed[:1]),
        "late": Subquery(late.order_by("-pk").values("pk")[:1]),
        "waiting": Subquery(waiting),
        "renamed": Subquery(renamed[:1]),
        "last": Max("hands"),
        "undisputed": Count("hands", filter=undisputed_hand("hands__")),
        "disputed": Count("hands", filter=disputed_hand("hands__")),
        "closed": EVENING_CLOSED,
    }


def _places(game: Game, totals: Mapping[int, int], user: User) -> list[Place]:
    state = game.state
    own = next((seat.place for seat in game.table if is_own_player(seat.player, user)), None)
    short = short_names([seat.player.name for seat in game.table])
    scores = {score.player.pk: score for score in game_scores(game, totals)}
    return [
        Place(
            seat=seat.place,
            player=seat.player,
            short=short[seat.place],
            wind=state.seat_wind(seat.place),
            deals=seat.place == state.dealer,
            total=scores[seat.player_id].total,
            rank=scores[seat.player_id].rank,
            side=SIDES[(seat.place - (own or 0)) % 4],
            own=seat.place == own,
        )
        for seat in game.table
    ]


def _undo(hand: Hand, user: User) -> Undo | None:
    if hand.logged_by_id is None or hand.logged_by_id != user.pk:
        return None
    if not can(user, Permission.CORRECT_A_HAND, hand.game) or why_not_undone(hand):
        return None
    left = UNDO_FOR - (timezone.now() - hand.logged_at)
    return Undo(hand, max(0, int(left.total_seconds())))


def _line(hand: Hand, by_player: Mapping[int, Place]) -> LoggedHand:
    amounts = {payment.player_id: payment.amount for payment in hand.payments.all()}
    shares = [(place, amounts.get(pk, 0)) for pk, place in by_player.items()]
    discarder = by_player.get(hand.discarder_id or 0)
    briefly = briefly_how_won(hand, discarder.short if discarder else "")
    return LoggedHand(hand=hand, shares=shares, how=briefly)
