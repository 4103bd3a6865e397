"""One hand, played out: a wall is built, tiles are dealt, drawn, claimed and discarded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from scoring.evaluator.sets import Set
from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import Tile, Wall
from scoring.evaluator.win import Win

from .seat import DemoSeat, Strategy

# Nobody draws the last tiles of a wall; a kong's replacement is made up from the tiles before them.
DEAD_WALL = 14


@dataclass(frozen=True, slots=True)
class Laid:
    """The tiles of one player after a hand, by code; ``melds`` are the declared sets among them."""

    tiles: tuple[str, ...] = ()
    melds: tuple[dict[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a hand ended. Places 0 to 3; nobody won when the wall ran out.

    ``tiles`` are all of the winner's, by code; ``melds`` the declared sets among them. ``won_by`` is a
    special way, empty for the usual ones; ``hands`` are what all four have.
    """

    winner: int | None = None
    discarder: int | None = None
    tiles: tuple[str, ...] = ()
    melds: tuple[dict[str, object], ...] = ()
    winning_tile: str = ""
    won_by: str = ""
    hands: tuple[Laid, ...] = ()

    @property
    def win(self) -> Win:
        """How it was won, as every rule set knows it; as usual if nobody won."""
        return Win(self_drawn=self.winner is not None and self.discarder is None)


# Whether an ending is a win by the rules of the table.
Accepts = Callable[[Ending], bool]


def play_hand(
    state: TableState,
    strategies: Sequence[Strategy],
    rng: Random,
    accepts: Accepts = lambda ending: True,
) -> Ending:
    """Deal a hand at a table that stands at ``state`` and play it to its end.

    :param accepts: asked before a player declares a win; what is refused is played on.
    """
    return _Deal(state, strategies, rng, accepts).play()


class _Deal:
    def __init__(
        self, state: TableState, strategies: Sequence[Strategy], rng: Random, accepts: Accepts
    ) -> None:
        self.rng = rng
        self.accepts = accepts
        self.turn = state.dealer
        self.wall = Wall()
        self.wall.shuffle(rng)
        self.seats = [
            DemoSeat(self.wall.deal(), strategy, (state.seat_wind(place), state.prevailing_wind))
            for place, strategy in enumerate(strategies)
        ]

    @property
    def seat(self) -> DemoSeat:
        return self.seats[self.turn]

    def play(self) -> Ending:
        draws, kongs = True, 0
        while True:
            if draws:
                if len(self.wall) <= DEAD_WALL:
                    return Ending()
                drawn = self.wall.draw()
                self.seat.take(drawn)
                if self.seat.mahjongg():
                    ending = self._drawn(drawn, kongs)
                    if self.accepts(ending):
                        return ending
                if self.seat.kong():
                    kongs += 1
                    continue  # the replacement tile
            discard = self.seat.discard(self.rng.randrange(34))
            if won := self._won_with(discard):
                return won
            meld = self._claim(discard)
            kongs = int(meld is not None and meld.kind == "kong")
            draws = meld is None or meld.kind == "kong"

    def _others(self) -> list[int]:
        """The places after the one whose turn it is, in the order of play."""
        return [(self.turn + step) % 4 for step in (1, 2, 3)]

    def _drawn(self, tile: Tile, kongs: int) -> Ending:
        """What it would be to win with the tile that was just drawn, after so many kongs in a row."""
        way = ("", "replacement", "kong_on_kong")[min(kongs, 2)]
        last = "last_tile" if len(self.wall) <= DEAD_WALL else ""
        return self._won_by(self.turn, tile, way or last)

    def _won_with(self, discard: Tile) -> Ending | None:
        """How somebody wins with ``discard``: of several, who is next in turn."""
        way = "last_discard" if len(self.wall) <= DEAD_WALL else ""
        for place in self._others():
            if not self.seats[place].wins_with(discard):
                continue
            ending = self._won_by(place, discard, way, discarder=self.turn)
            if self.accepts(ending):
                return ending
            self.seats[place].give_back(discard)
        return None

    def _claim(self, discard: Tile) -> Set | None:
        """A pung or kong by anybody, or a chow by who is next; the turn passes in any case."""
        following, *_rest = others = self._others()
        for place in others:
            if meld := self.seats[place].claim_pung(discard):
                self.turn = place
                return meld
        self.turn = following
        return self.seat.claim_chow(discard)

    def _won_by(self, winner: int, tile: Tile, way: str, discarder: int | None = None) -> Ending:
        hands = tuple(_laid(seat) for seat in self.seats)
        return Ending(
            winner=winner,
            discarder=discarder,
            tiles=hands[winner].tiles,
            melds=hands[winner].melds,
            winning_tile=tile.code,
            won_by=way,
            hands=hands,
        )


def _laid(seat: DemoSeat) -> Laid:
    return Laid(
        tuple(tile.code for tile in seat.tiles),
        tuple(
            {"tiles": [tile.code for tile in meld.tiles], "concealed": meld.concealed}
            for meld in seat.melds
        ),
    )
