"""Explain why a hand does not win: what fits, what is left over, and which exchange would help."""

from collections.abc import Iterator
from functools import lru_cache

from .counts import tiles_of
from .exchanges import EXCHANGES, exchange_numbers
from .fit import fits_of, sets_of
from .notation import FEWEST_TILES, format_tiles
from .search import Sets
from .text import Text

NAMED = 6  # exchanges in a sentence
EXCHANGE_WORDS = tuple(map(str, EXCHANGES))

DOES_NOT_WIN = Text("This hand does not win.")


def why_not(counts: int, melds: Sets) -> Text:
    """A few sentences about a hand that does not win.

    >>> from scoring.evaluator.notation import parse_hand
    >>> why_not(parse_hand("222B 345B 55B 222D GG9C").counts, ())
    'This hand does not win. These sets fit: 222B 345B 55B 222D. Left over: 9C GG. One exchange \
would make it win: 9C → 2B, 9C → 5B, 9C → G.'
    """
    fits = fits_of(counts, melds)
    words = [_word(meld.counts) for meld in melds]
    left: list[str] = []
    size = sum([len(meld.tiles) for meld in melds])
    for fit in fits:
        words += fit.words
        left += fit.left_words
        size += fit.size
    sentences = [DOES_NOT_WIN]
    if size > FEWEST_TILES:
        sentences += _kongs(size, sum(tile_set.kind == "kong" for tile_set in sets_of(fits, melds)))
    if words:
        sentences.append(Text.of("These sets fit: {sets}.", sets=" ".join(words)))
    if left:
        sentences.append(Text.of("Left over: {tiles}.", tiles=" ".join(left)))
    if numbers := exchange_numbers(counts, melds):
        sentences.append(_helped(numbers))
    return Text.joined(sentences)


@lru_cache(maxsize=512)
def _word(meld: int) -> str:
    """The set with these counts, as one writes it."""
    return format_tiles(tiles_of(meld))


def _kongs(size: int, kongs: int) -> Iterator[Text]:
    wanted = size - FEWEST_TILES
    if kongs < wanted:
        template = (
            "{size} tiles take a kong." if wanted == 1 else "{size} tiles take {kongs} kongs."
        )
        yield Text.of(template, size=size, kongs=wanted)


def _helped(numbers: list[int]) -> Text:
    if len(numbers) <= NAMED + 1:  # "or one of 1 more" would be longer than that one
        named = ", ".join([EXCHANGE_WORDS[number] for number in numbers])
        return Text.of("One exchange would make it win: {named}.", named=named)
    named = ", ".join([EXCHANGE_WORDS[number] for number in numbers[:NAMED]])
    template = "One exchange would make it win: {named}, or one of {more} more."
    return Text.of(template, named=named, more=len(numbers) - NAMED)
