"""One spelling for what is typed: plain characters, and codes for the names on a scorecard.

Phones, keyboards for Chinese and copied text write the same tile in many ways. All of them are made
alike here, once; whatever reads the text after that knows ASCII and the tiles of Unicode only.
"""

import re
import unicodedata

# Characters that show nothing: soft hyphens, joiners, spaces without width, marks of direction,
# variation selectors (a phone puts one after the red dragon).
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0001-\U000e01ef]"
)
NAMES = "East|South|West|North|Red|Green|White"
# Where a name ends. A letter that follows would be read as a tile of its own: "Northern" is not four tiles.
END = rf"(?:(?![a-z])|(?={NAMES}|Wh))"
NAME = re.compile(
    r"(?:([1-9]+)\s*of\s+(?:(Bamboos?)|(Characters?)|(Dots?))"
    r"|(East|South|West|North)\s+winds?|(Red|Green|White)\s+dragons?)" + END,
    re.I | re.A,
)
SUITS = (None, None, "B", "C", "D")


def normalise(text: str) -> str:
    """``text`` in plain characters: full-width ones become ASCII, and unseen ones go.

    The comma of a Chinese list is one that NFKC leaves alone.

    >>> normalise("２２２Ｂ＊"), normalise("🀄\ufe0f") == "🀄"
    ('222B*', True)
    """
    if text.isascii():
        return text
    return UNSEEN.sub("", unicodedata.normalize("NFKC", text)).replace("、", ",")


def names_to_codes(text: str) -> str:
    """``text`` with the names of tiles that a scorecard prints in the spelling of a hand.

    >>> names_to_codes("2 of Bamboo, Green dragon, East wind*")
    '2B, Green, East*'
    """
    return NAME.sub(_code, text)


def _code(name: re.Match[str]) -> str:
    if name[1]:
        return name[1] + (SUITS[name.lastindex or 0] or "")
    return name[name.lastindex or 0]
