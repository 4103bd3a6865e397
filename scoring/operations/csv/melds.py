"""A row whose tiles hold the declared sets already, and are no hand without them once more."""

from django.utils.translation import gettext as _

from scoring.evaluator.books.declared import too_few_with_melds

from .errors import RowRefused


def require_one_reading(tiles: str, melds: str) -> None:
    """The column ``melds`` names sets that are among the tiles. Who writes the hand's other tiles only is understood.

    What else is wrong with the row is for the rules to say.

    :raises RowRefused: for tiles that hold the melds and are too few.
    """
    number = too_few_with_melds(tiles, melds.split())
    if number is not None:
        sentence = _(
            "melds: the tiles %(tiles)s hold %(melds)s already, and they are too few for a hand "
            "(%(number)s). Write all its tiles in the column “tiles”, those of its melds as well."
        )
        raise RowRefused(sentence % {"tiles": tiles, "melds": melds, "number": number})
