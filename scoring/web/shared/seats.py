"""The four seats of a table, for ``components/seats.html``."""

from dataclasses import dataclass

from django.http import HttpRequest

from scoring.queries.games import GameResult


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Who sits under ``wind`` now; ``total`` in whole points, None before the first hand."""

    wind: str
    name: str
    url: str
    total: int | None
    dealer: bool


def seats_of(result: GameResult) -> list[SeatResult]:
    """The seats of a game in play, from its East of this hand on."""
    state, players = result.game.state, result.game.players
    places = [(state.dealer + turn) % 4 for turn in range(4)]
    return [
        SeatResult(
            wind=state.seat_wind(place).value,
            name=players[place].name,
            url=players[place].get_absolute_url(),
            total=result.score_of(players[place]).total if result.hands else None,
            dealer=place == state.dealer,
        )
        for place in places
    ]


def seats_anyway(request: HttpRequest) -> bool:
    """Whether the person was asked about another open table, and answered "anyway"."""
    return request.POST.get("elsewhere") == "anyway"
