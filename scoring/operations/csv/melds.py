"""A row whose tiles hold the declared sets already, and are no hand without them once more."""

from django.utils.translation import gettext as _

from scoring.evaluator.books.declared import declared_sets, laid_out
from scoring.evaluator.counts import ONE, contains, tiles_of
from scoring.evaluator.notation import FEWEST_TILES
from scoring.evaluator.problems import HandError

from .errors import RowRefused


def require_one_reading(tiles: str, melds: str) -> None:
    """The column ``melds`` names sets that are among the tiles. Who writes the hand's other tiles only is understood.

    But of tiles that hold those sets and are too few, nobody can tell whether a set was left out or is there
    twice. What else is wrong with the row is for the rules to say.

    :raises RowRefused: for such tiles.
    """
    if not (tiles and melds):
        return
    try:
        kept, marked = laid_out(tiles)
        _kept, declared = declared_sets(tiles, melds.split())
    except HandError:
        return
    kongs = sum(meld.kind == "kong" for meld in declared)
    size = len(tiles_of(kept)) + sum(len(meld.tiles) for meld in marked)
    apart = declared[len(marked) :]
    laid = sum(ONE[index] for meld in apart for index in meld.tiles)
    if apart and size - kongs < FEWEST_TILES and contains(kept, laid):
        sentence = _(
            "melds: the tiles %(tiles)s hold %(melds)s already, and they are too few for a hand "
            "(%(number)s). Write all its tiles in the column “tiles”, those of its melds as well."
        )
        raise RowRefused(sentence % {"tiles": tiles, "melds": melds, "number": size})
