"""The colours that a club may choose are legible: 4.5 to 1 on paper, on the sheet, and at night."""

import re
from pathlib import Path

import pytest

import scoring
from scoring.models import Club

TOKENS = (Path(scoring.__file__).parent / "static/scoring/shared/tokens.css").read_text()
LIGHT, _media, DARK = TOKENS.partition("@media (prefers-color-scheme: dark)")
LEAST = 4.5


def colours(text, selector):
    block = text[text.index(f"{selector} {{") :].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): (#\w{6});", block))


def palette(colour, *, dark):
    """What the style sheet says of the ``colour``, in the light or at night."""
    base = colours(DARK if dark else LIGHT, ":root")
    if colour == "jade":
        return base
    nights = TOKENS.split("@media (prefers-color-scheme: dark)")
    return base | colours(nights[2] if dark else nights[1], f':root[data-colour="{colour}"]')


def brightness(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, brighter = sorted((brightness(one), brightness(other)))
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("colour", Club.Colour.values)
def test_every_colour_of_a_club_is_legible(colour, dark):
    found = palette(colour, dark=dark)
    grounds = [found[name] for name in ("paper", "sheet", "well", "jade-wash", "on-jade")]
    assert min(contrast(found["jade"], ground) for ground in grounds) >= LEAST
    assert contrast(found["ink-soft"], found["jade-wash"]) >= LEAST
