"""How fast hands are scored by a rule book, beside the Club rules: different hands, each once.

As in ``different``: after as many other hands, in the processor's time, the best of the passes.
"""

from collections.abc import Callable
from random import Random

from scoring.evaluator.books.compiled import Compiled, compiled
from scoring.evaluator.books.counting import BookVerdict
from scoring.evaluator.books.forms import arrangements
from scoring.evaluator.books.hands import BONUS_TILES, PlayerHand
from scoring.evaluator.books.loader import load
from scoring.evaluator.counts import ONE, counts_of, tiles_of
from scoring.evaluator.tiles import wind

from . import different
from .hands import Typed, winning
from .report import Line, missed, printed
from .timing import collecting_no_garbage

HANDS = 20_000
BOOK = (
    "dmjl"  # four sets and a pair, open sets, a winning tile, the only possible tile, bonus tiles
)
WON_BY = ("self_drawn", "discard", "discard", "discard", "last_tile", "last_discard")


@collecting_no_garbage()
def run() -> str:
    rng = Random(2026)
    others, hands = winning(HANDS, rng), winning(HANDS, rng)
    final = different.whole(different.finals_one_by_one, others, hands)
    club = different.whole(different.cards, others, hands)
    book = different.whole(full_cards, others, hands)
    lines = [
        Line("Club, parsed: the final score", final, "µs", target=3),
        Line("Club, from text: every line, every reading", club, "µs", target=12),
        Line(
            f"{load(BOOK).name}, parsed: every line, every arrangement",
            book,
            "µs",
            target=25,
            beside=club,
        ),
    ]
    title = f"Rule books: {HANDS} different winning hands, each once, after as many others"
    return f"{printed(title, lines, ('mean', 'worst'))}\n  {missed(lines)}"


def full_cards(hands: list[Typed]) -> Callable[[], object]:
    """Scores each of ``hands``, as it lies on a table, by the book."""
    rng = Random(len(hands))
    laid = [laid_out(hand, rng) for hand in hands]

    def act() -> None:
        engine = compiled(load(BOOK))  # what it remembers goes with it when all is forgotten
        for hand in laid:
            best(engine, hand)

    return act


def best(engine: Compiled, hand: PlayerHand) -> BookVerdict:
    """The whole card of the best arrangement."""
    return engine.judged(hand)[0].verdict


def laid_out(hand: Typed, rng: Random) -> PlayerHand:
    """``hand`` with some of its sets declared, bonus tiles, and a winning tile."""
    counts = counts_of(hand.tiles)
    groups = list(next(arrangements(load(BOOK).forms[0], PlayerHand(counts))))
    rng.shuffle(groups)
    declared = [group for group in groups[: rng.randrange(4)] if group.kind != "pair"]
    counts -= sum(ONE[index] for group in declared for index in group.tiles)
    return PlayerHand(
        counts,
        tuple(group._replace(concealed=False) for group in declared),
        rng.choice(tiles_of(counts)).index,
        rng.choice(WON_BY),
        wind(hand.seat),
        wind(hand.prevailing),
        tuple(rng.sample(BONUS_TILES, rng.randrange(4))),
    )
