"""Gather what the page of a scanned table shows: the four seats, who waits, and what can be done next."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from django.http import HttpRequest

from scoring.evaluator.tiles import WINDS, Wind
from scoring.models import ClubTable, Game, League, Player, WaitingSeat
from scoring.models.hidden_names import Hiding, VisitorNames
from scoring.models.permissions import Permission, Reader, User, can, read_for
from scoring.queries.seating import waiting_at
from scoring.services.games import tables_elsewhere
from scoring.services.seating import may_start
from scoring.services.table_codes import code_proof, find_table

from .phone import asker_of, kept_seat


@dataclass(frozen=True, slots=True)
class SeatingPlace:
    """One of the four seats; ``taken`` by whom. ``own``: it is the reader's, or was taken on this phone."""

    place: int
    wind: Wind
    taken: WaitingSeat | None
    own: bool
    may_leave: bool


@dataclass(frozen=True)
class Board:
    """A table as one reader sees it.

    :ivar seats: who waits, by the names that the reader may see.
    :ivar own_seat: the id of the seat that was taken on this phone without an account.
    """

    table: ClubTable
    code: str
    user: User
    seats: list[WaitingSeat]
    own_seat: int | None
    reader: Reader | None

    @cached_property
    def player(self) -> Player | None:
        """Who the reader is at the table, if they are signed in."""
        if not self.user.is_authenticated:
            return None
        return Player.objects.active().filter(user=self.user.pk).first()

    @property
    def places(self) -> list[SeatingPlace]:
        by_place = {seat.place: seat for seat in self.seats}
        return [self._place(place, by_place.get(place)) for place in range(4)]

    def _place(self, place: int, taken: WaitingSeat | None) -> SeatingPlace:
        signed_in = self.user.is_authenticated and taken is not None
        own = taken is not None and (
            taken.pk == self.own_seat
            or (self.player is not None and taken.player_id == self.player.pk)
        )
        by_me = signed_in and taken is not None and taken.by_id == self.user.pk
        return SeatingPlace(place, WINDS[place], taken, own, own or by_me or self.may_clear)

    @property
    def free(self) -> list[SeatingPlace]:
        return [place for place in self.places if place.taken is None]

    @property
    def seated(self) -> bool:
        """Whether the reader has a seat here."""
        return any(place.own for place in self.places)

    def has_seated(self, player: Player) -> bool:
        return any(seat.player_id == player.pk for seat in self.seats)

    @cached_property
    def may_clear(self) -> bool:
        return can(self.user, Permission.MANAGE_SEATS)

    @cached_property
    def may_start(self) -> bool:
        return may_start(self.seats, self.user)

    @property
    def anybody_signed_in(self) -> bool:
        return any(seat.by_id is not None for seat in self.seats)

    @cached_property
    def leagues(self) -> list[League]:
        """For which the four can play now."""
        return list(League.objects.visible_to(self.user).running())

    @property
    def game(self) -> Game | None:
        """The game in play, if the reader may see it."""
        return self._seen(self.table.game_in_play)

    @cached_property
    def elsewhere(self) -> Game | None:
        """The open game at another table at which the reader sits."""
        return next(iter(tables_elsewhere([self.player])), None) if self.player else None

    @property
    def elsewhere_name(self) -> str:
        """What the table of :attr:`elsewhere` is called; the league if it was opened without a code."""
        table = ClubTable.objects.filter(game=self.elsewhere).first()
        return str(table or (self.elsewhere and self.elsewhere.league))

    @property
    def over(self) -> Game | None:
        """The game that is just over, of which the same four may play another one."""
        return None if self.seats else self._seen(self.table.game_just_over)

    @property
    def gone(self) -> list[Player]:
        """Who of the four of the game that is over plays here no more."""
        return [player for player in self.over.players if not player.active] if self.over else []

    @property
    def leads_to(self) -> Game | None:
        """The game that the reader sat down for, once it is in play."""
        game = self.game
        if game is None:
            return None
        is_player = self.player is not None and self.player in game.players
        return game if is_player or self.own_seat else None

    def shown(self, sentence: str) -> str:
        """``sentence`` with the names that the reader may see."""
        return self.reader.reason(sentence) if self.reader else sentence

    @property
    def proof(self) -> str:
        """What the page sends along when it asks again: it was opened by the code of the table."""
        return code_proof(self.code)

    @property
    def version(self) -> str:
        """Changes whenever anything else here does."""
        game = self.table.game
        parts = [
            *(f"{seat.pk}:{seat.place}" for seat in self.seats),
            f"{self.user.pk} {game and (game.pk, game.finished_at, game.withdrawn_at)}",
        ]
        return sha256(" ".join(parts).encode()).hexdigest()[:16]

    def _seen(self, game: Game | None) -> Game | None:
        if game is None or can(self.user, Permission.SEE_MEMBERS_LEAGUES):
            return game
        return game if game.league.is_public else None


def board_of(request: HttpRequest, code: str, reader: Reader | None) -> Board:
    """The table that ``code`` lies on; ``reader``: who reads the names of those who wait there.

    :raises UnknownCode, TooManyAttempts: as ``find_table``.
    """
    proof = request.headers.get("Table-Card", "")
    table = find_table(code, asker=asker_of(request), proof=proof)
    reader = _of_who_waits(reader)
    with read_for(reader):
        seats = waiting_at(table.pk)
    return Board(table, code, request.user, seats, kept_seat(request, table), reader)


def _of_who_waits(reader: Reader | None) -> Reader | None:
    """``reader``; everybody is hidden while the game that is waited for may count for a league that hides."""
    if not isinstance(reader, VisitorNames) or reader.hiding.everybody or not reader.is_visitor():
        return reader
    hides = League.objects.running().filter(pk__in=reader.hiding.leagues).exists()
    return VisitorNames(Hiding(everybody=True), reader.is_visitor) if hides else reader
