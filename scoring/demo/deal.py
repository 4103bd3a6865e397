"""One hand, played out: a wall is built, tiles are dealt, drawn, claimed and discarded."""

from collections.abc import Sequence
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
class Ending:
    """How a hand ended. Places 0 to 3; nobody won when the wall ran out.

    ``tiles`` are all of the winner's, by code; ``melds`` the declared sets among them.
    """

    winner: int | None = None
    discarder: int | None = None
    tiles: tuple[str, ...] = ()
    melds: tuple[dict[str, object], ...] = ()

    @property
    def win(self) -> Win:
        """How it was won; as usual if nobody won."""
        return Win(self_drawn=self.winner is not None and self.discarder is None)


def play_hand(state: TableState, strategies: Sequence[Strategy], rng: Random) -> Ending:
    """Deal a hand at a table that stands at ``state`` and play it to its end."""
    return _Deal(state, strategies, rng).play()


class _Deal:
    def __init__(self, state: TableState, strategies: Sequence[Strategy], rng: Random) -> None:
        self.rng = rng
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
        draws = True
        while True:
            if draws:
                if len(self.wall) <= DEAD_WALL:
                    return Ending()
                self.seat.take(self.wall.draw())
                if self.seat.mahjongg():
                    return self._won_by(self.turn)
                if self.seat.kong():
                    continue  # the replacement tile
            discard = self.seat.discard(self.rng.randrange(34))
            winner = self._winner_with(discard)
            if winner is not None:
                return self._won_by(winner, discarder=self.turn)
            meld = self._claim(discard)
            draws = meld is None or meld.kind == "kong"

    def _others(self) -> list[int]:
        """The places after the one whose turn it is, in the order of play."""
        return [(self.turn + step) % 4 for step in (1, 2, 3)]

    def _winner_with(self, discard: Tile) -> int | None:
        """Who calls mah jongg; of several, who is next in turn."""
        return next(
            (place for place in self._others() if self.seats[place].wins_with(discard)), None
        )

    def _claim(self, discard: Tile) -> Set | None:
        """A pung or kong by anybody, or a chow by who is next; the turn passes in any case."""
        following, *_rest = others = self._others()
        for place in others:
            if meld := self.seats[place].claim_pung(discard):
                self.turn = place
                return meld
        self.turn = following
        return self.seat.claim_chow(discard)

    def _won_by(self, winner: int, discarder: int | None = None) -> Ending:
        seat = self.seats[winner]
        return Ending(
            winner=winner,
            discarder=discarder,
            tiles=tuple(tile.code for tile in seat.tiles),
            melds=tuple(
                {"tiles": [tile.code for tile in meld.tiles], "concealed": meld.concealed}
                for meld in seat.melds
            ),
        )
