"""Evening after evening, table after table: the hands are played here and recorded by the book."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.scorecard import score
from scoring.evaluator.table import TableState
from scoring.models import Game, Hand, League, Player
from scoring.models.permissions import User
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand

from .by_book import accepted_by, adapted, drawn_by_book, entry_by_book
from .deal import Ending, play_hand
from .evenings import A_FEW, Sitting
from .seat import Strategy

# Now and then the tiles are gone before anybody has entered them.
UNCHECKED = 0.03


@dataclass(frozen=True, slots=True)
class Regular:
    """Somebody of the club, how they play, and the account they sign in with, if any."""

    player: Player
    strategy: Strategy
    user: User | None = None


@dataclass(slots=True)
class Filled:
    """What was added to the club."""

    players: int
    leagues: int
    games: int = 0
    open: int = 0
    hands: int = 0
    drawn: int = 0


class DemoSeason:
    """The games of ``club`` in its ``leagues``; ``filled`` counts them."""

    def __init__(
        self,
        leagues: Sequence[League],
        club: Sequence[Regular],
        organiser: User,
        rng: Random,
        on_hand: Callable[[], None],
    ) -> None:
        self.leagues, self.club, self.organiser = leagues, club, organiser
        self.rng, self.on_hand = rng, on_hand
        self.filled = Filled(players=len(club), leagues=len(leagues))

    def play(self, sittings: Iterable[Sitting]) -> None:
        # A game that is over before the evening is leaves its last few hands to the next table.
        left = 0
        for sitting in sittings:
            left = self._sit(sitting, sitting.hands + left)

    def _sit(self, sitting: Sitting, hands: int) -> int:
        """``hands`` hands at one table, in a second game if need be; how many were not played."""
        moments = sitting.moments(hands, self.rng)
        left = self._game(sitting, hands, moments)
        while left >= A_FEW:
            left = self._game(sitting, left, moments)
        return left

    def _game(self, sitting: Sitting, hands: int, moments: Iterator[datetime]) -> int:
        """A game of at most ``hands`` hands; how many were left when it was over."""
        four = [self.club[number] for number in sitting.players]
        by = next((regular.user for regular in four if regular.user), self.organiser)
        players = [regular.player for regular in four]
        league = self.leagues[sitting.league]
        rules = league.ruleset_version.table_rules
        strategies = [adapted(regular.strategy, rules) for regular in four]
        game = open_game(league, players, by=by, at=next(moments), anyway=True)
        state = game.state
        self.filled.games += 1
        while hands and not state.finished:
            ending, entry = self._hand(game, state, strategies)
            state = record_hand(game, entry, by=by, at=next(moments)).state
            hands -= 1
            self._count(ending)
        if sitting.stay:
            self.filled.open += not state.finished
        elif not state.finished:
            finish_game(game, by=by, at=next(moments))
        return hands

    def _hand(
        self, game: Game, state: TableState, strategies: Sequence[Strategy]
    ) -> tuple[Ending, HandEntry]:
        """A hand that is played out, and what the table types of it."""
        rules = game.ruleset_version.table_rules
        if isinstance(rules, OptionTableRules):
            ending = play_hand(state, strategies, self.rng)
            return ending, self._entry(game, state, ending)
        ending = play_hand(state, strategies, self.rng, accepted_by(rules, state))
        if ending.winner is None:
            return ending, drawn_by_book(game, state, self.rng)
        return ending, entry_by_book(game, state, ending, self.rng)

    def _count(self, ending: Ending) -> None:
        self.filled.hands += 1
        self.filled.drawn += ending.winner is None
        self.on_hand()

    def _entry(self, game: Game, state: TableState, ending: Ending) -> HandEntry:
        """What the table types of a hand that ended so."""
        if ending.winner is None:
            return HandEntry(number=state.number, outcome=Hand.Outcome.DRAW)
        checked = self.rng.random() >= UNCHECKED
        discarder = ending.discarder
        return HandEntry(
            number=state.number,
            outcome=Hand.Outcome.WIN,
            winner=game.players[ending.winner].pk,
            discarder=None if discarder is None else game.players[discarder].pk,
            win=ending.win,
            tiles=ending.tiles if checked else "",
            melds=ending.melds if checked else (),
            claimed_final=None if checked else _worth(game, state, ending, ending.winner),
        )


def _worth(game: Game, state: TableState, ending: Ending, winner: int) -> int | None:
    """What the table works out for itself, and rightly."""
    card = score(
        list(ending.tiles),
        state.seat_wind(winner).value,
        state.prevailing_wind.value,
        melds=list(ending.melds),
        win=ending.win,
        rules=game.ruleset_version.rules,
    )
    return card.final
