"""Hands whose declared sets may have been counted twice.

Marked sets of a text with too few tiles were once added to it: `123B* 456B 789B 55D` was taken for 14
tiles; later only those that a client named once more beside the text. What was stored of such a hand
ends with its declared sets, or with the last of them, and holds them before that already. A hand that
really had two like chows, and in which the declared one was typed last, looks the same: so these are
suspects, and people who remember the hand decide.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.evaluator.notation import FEWEST_TILES, format_tiles, parse_tiles
from scoring.evaluator.problems import HandError
from scoring.models import Hand

from ..snapshot import read_snapshot


@dataclass(frozen=True, slots=True)
class Suspect:
    """A version of a hand with more tiles, perhaps, than were typed.

    :ivar typed: the tiles that may have been typed, without marks.
    """

    hand: Hand
    typed: str

    def __str__(self) -> str:
        sentence = _(
            "league %(league)s, game %(game)s, hand %(number)s, version %(version)s (%(status)s): "
            "stored as %(tiles)s, typed perhaps as %(typed)s: %(address)s"
        )
        hand = self.hand
        return sentence % {
            "league": hand.game.league.slug,
            "game": hand.game_id,
            "number": hand.number,
            "version": hand.version,
            "status": hand.status,
            "tiles": _short(hand.tiles.split()),
            "typed": self.typed,
            "address": hand.get_absolute_url(),
        }


def suspects(advance: Callable[[int], None] = lambda hands: None) -> Iterator[Suspect]:
    """Every version of a hand whose declared sets may have been counted twice, the oldest first.

    A version that corrects a suspect and keeps its tiles is one, too, in whichever order they stand.

    :param advance: told how many more hands have been looked at, as it goes on.
    """
    typed_tiles: dict[int, tuple[list[str], str]] = {}
    with read_snapshot():
        hands = Hand.objects.select_related("game__league").defer("card").order_by("pk")
        for hand in hands.iterator(chunk_size=1000):
            codes = sorted(hand.tiles.split())
            typed = _typed(hand)
            if typed is None and hand.supersedes_id in typed_tiles:
                before, perhaps = typed_tiles[hand.supersedes_id]
                typed = perhaps if before == codes else None
            if typed is not None:
                typed_tiles[hand.pk] = codes, typed
                yield Suspect(hand, typed)
            advance(1)


def _typed(hand: Hand) -> str | None:
    """What may have been typed, if declared sets may stand in the tiles twice."""
    declared = [meld["tiles"] for meld in hand.melds]
    codes = hand.tiles.split()
    # Those that the text marked come first among them, and were not added.
    for marked in range(len(declared)):
        added = declared[marked:]
        laid = [code for tiles in added for code in tiles]
        typed = codes[: len(codes) - len(laid)]
        if codes[len(typed) :] != laid or len(typed) >= FEWEST_TILES:
            continue
        if any(Counter(tiles) <= Counter(typed) for tiles in added):
            return _short(typed)
    return None


def _short(codes: Sequence[str]) -> str:
    try:
        return format_tiles(parse_tiles(codes))
    except HandError:
        return " ".join(codes)
