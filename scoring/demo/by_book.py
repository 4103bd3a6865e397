"""Add to a hand what a rule book asks besides: bonus tiles, how it was won, the others' hands."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from random import Random
from types import SimpleNamespace

from scoring.evaluator.books.hands import BONUS_TILES
from scoring.evaluator.counts import COPIES
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.problems import HandError
from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import LoserEntry, TableRules
from scoring.evaluator.tiles import TILES
from scoring.evaluator.win import Win
from scoring.models import Game, Hand
from scoring.services.hands.entry import HandEntry

from .deal import Ending
from .seat import Strategy

# How often a bonus tile is drawn, a table asks nobody but the winner, and a player called from the first
# draw on.
DRAWN, ONLY_WINNER, CALLED = 0.55, 0.2, 0.01
CALL, RIICHI = "original_call", "riichi"
# How often somebody declares riichi who does not win; is calling when the wall runs out, and has declared
# riichi; and how often a hand is broken off.
STAKED, CALLING, WAITED, BROKEN_OFF = 0.2, 0.4, 0.6, 0.04
# Hands without anything that counts, and with one chow at most.
MIXED = ("234B", "678C", "345D", "555B", "99C")
ONE_CHOW = ("222B", "777C", "345D", "555B", "99C")
# So few tiles of one suit, and honors, make somebody go for it where such hands alone are worth enough;
# so many, nobody has. Where few hands win, whoever claims more wins more often.
ONE_SUIT, NO_SUIT, EAGER = 6, 15, 2
# The lines of a card are worth so much.
LINES = (25, 25, 25, 30, 30, 35, 40, 50)


def accepted_by(rules: TableRules, state: TableState) -> Callable[[Ending], bool]:
    """Whether an ending at a table that stands at ``state`` is a win by the book ``rules``."""

    def accepts(ending: Ending) -> bool:
        if rules.reads_card or ending.winner is None:
            return True
        row = SimpleNamespace(
            tiles=list(ending.tiles), melds=list(ending.melds), **_win(rules, ending)._asdict()
        )
        try:
            rules.read(row, state.seat_wind(ending.winner), state.prevailing_wind)
        except HandError:
            return False
        return True

    return accepts


def adapted(strategy: Strategy, rules: TableRules) -> Strategy:
    """How somebody plays who wants to win by ``rules``: fewer chows, or one suit, where others do not."""
    if isinstance(rules, OptionTableRules) or rules.reads_card or _wins(rules, *MIXED):
        return strategy
    if _wins(rules, *ONE_CHOW):
        return replace(strategy, chows=1, ambition=NO_SUIT, patience=EAGER)
    return replace(strategy, ambition=ONE_SUIT, patience=EAGER)


def _wins(rules: TableRules, *sets: str) -> bool:
    """Whether these sets, all but the last two of them open, win by ``rules``; the winning tile was discarded."""
    tiles = [tile.code for tile in parse_tiles(" ".join(sets))]
    melds = [{"tiles": one, "concealed": False} for one in sets[:-2]]
    ending = Ending(1, 0, tuple(tiles), tuple(melds), winning_tile=tiles[-1])
    return accepted_by(rules, TableState.start())(ending)


def entry_by_book(game: Game, state: TableState, ending: Ending, rng: Random) -> HandEntry:
    """What the table types of a hand that somebody won, with what the book asks for."""
    assert ending.winner is not None
    rules = game.ruleset_version.table_rules
    bonus = _bonus(rng) if rules.bonus else [""] * 4
    win = _win(rules, ending)._replace(bonus=bonus[ending.winner])
    if CALL in rules.flags and not ending.melds and rng.random() < CALLED:
        win = win._replace(flags=CALL)
    if rules.reads_card:
        win = win._replace(value=rng.choice(LINES))
    if rules.reads_dora:
        win = win._replace(dora_indicators=_indicator(ending, rng))
    return HandEntry(
        number=state.number,
        outcome=Hand.Outcome.WIN,
        winner=game.players[ending.winner].pk,
        discarder=None if ending.discarder is None else game.players[ending.discarder].pk,
        win=win,
        tiles="" if rules.reads_card else ending.tiles,
        melds=() if rules.reads_card else ending.melds,
        others=_others(game, ending, bonus, rng) if rules.losers_score else (),
        calls=_calls(game, ending, rng) if rules.stick else SILENT,
    )


def drawn_by_book(game: Game, state: TableState, rng: Random) -> HandEntry:
    """What the table types of a hand that nobody won."""
    calls = SILENT
    if game.ruleset_version.table_rules.keeps_table:
        calling = tuple(player.pk for player in game.players if rng.random() < CALLING)
        staked = tuple(player for player in calling if rng.random() < WAITED)
        calls = Calls(staked, calling)
        if rng.random() < BROKEN_OFF:
            calls = Calls(staked, abortive=True)
    return HandEntry(number=state.number, outcome=Hand.Outcome.DRAW, calls=calls)


def _win(rules: TableRules, ending: Ending) -> Win:
    """How it was won, as far as the book knows it."""
    if rules.reads_card:
        return ending.win
    way = ending.won_by if ending.won_by in rules.won_by else ""
    # Whoever has claimed nothing has declared riichi.
    flags = RIICHI if rules.stick and _closed(ending.melds) else ""
    return ending.win._replace(won_by=way, winning_tile=ending.winning_tile, flags=flags)


def _closed(melds: Iterable[Mapping[str, object]]) -> bool:
    return all(meld["concealed"] for meld in melds)


def _calls(game: Game, ending: Ending, rng: Random) -> Calls:
    """Who declared riichi besides the winner: of those who have claimed nothing."""
    return Calls(
        tuple(
            game.players[place].pk
            for place, laid in enumerate(ending.hands)
            if place != ending.winner and _closed(laid.melds) and rng.random() < STAKED
        )
    )


def _indicator(ending: Ending, rng: Random) -> str:
    """A tile of the dead wall that nobody can have four of."""
    held = Counter(ending.tiles)
    return rng.choice([tile.code for tile in TILES if held[tile.code] < COPIES])


def _bonus(rng: Random) -> list[str]:
    """Who drew which flowers and seasons, by place."""
    held: list[list[str]] = [[] for _place in range(4)]
    for code in BONUS_TILES:
        if rng.random() < DRAWN:
            held[rng.randrange(4)].append(code)
    return [" ".join(codes) for codes in held]


def _others(game: Game, ending: Ending, bonus: list[str], rng: Random) -> list[LoserEntry]:
    """The hands of those who did not win, unless the table did not look at them."""
    if rng.random() < ONLY_WINNER:
        return []
    return [
        LoserEntry(game.players[place].pk, laid.tiles, laid.melds, bonus[place])
        for place, laid in enumerate(ending.hands)
        if place != ending.winner
    ]
