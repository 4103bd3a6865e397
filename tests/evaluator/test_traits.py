"""Traits are packed side by side, and none runs over into the next."""

import pytest

from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_hand
from scoring.evaluator.readings import only_traits, winds_key
from scoring.evaluator.tiles import Wind
from scoring.evaluator.traits import MASKS, Traits, traits_of_win
from scoring.evaluator.win import Win

KONGS = "EEEE RRRR GGGG WhWhWhWh SS"
# The most of each trait that any hand has, and a hand that has it, of East in the east round.
MOST = [
    ("sets", 5, KONGS),
    ("pairs", 1, KONGS),
    ("points", 4 * 32 + 4, "EE RRRR GGGG WhWhWhWh 1111B"),
    ("lucky", 2 + 3, KONGS),
    ("chows", 4, "123B 123C 123D 456D 55B"),
    ("all_simple_sets", 5, "222B 345C 678D 22D 888C"),
    ("suits_with_simples", 3, "222B 345C 678D 22D 888C"),
    ("suits_with_others", 4, "111B 999C 123D 99D EEE"),
    ("suits", 3, "111B 999C 123D 99D EEE"),
    ("honors", 1, KONGS),
    ("dragon_triplets", 3, KONGS),
    ("dragon_pairs", 1, "RRR GGG WhWh 123B 456B"),
    ("wind_triplets", 4, "EEEE SSSS WWWW NNNN RR"),
    ("wind_pairs", 1, "EEE SSS WWW NN 123B"),
    ("straights", 1, "123456789B 55B 999D"),
    ("gates", 1, "11123456789995B"),
    ("concealed", 1, KONGS),
    ("self_drawn", 1, KONGS),
    ("orphans", 1, "19B 19C 19D ESWN RGWh R"),
    ("suits_not_green", 4, "111B 999C 123D 99D EEE"),
    ("chow_ranks", 0b11_01 << 2 * 5, "789B 789C 789D 678B 55B"),
    ("pung_ranks", 0b11_01 << 2 * 7, "999B 999C 999D 888B 55B"),
]


def test_every_trait_has_its_most():
    assert [name for name, _most, _text in MOST] == list(Traits._fields)


@pytest.mark.parametrize(("name", "most", "text"), MOST)
def test_the_most_of_a_trait_stays_in_its_field(name, most, text):
    hand = Hand.from_notation(text, "E", "E", self_drawn=True)
    all_traits = [Traits.unpack(reading.traits) for reading in hand.readings]
    assert max(getattr(traits, name) for traits in all_traits) == most
    for traits, reading in zip(all_traits, hand.readings, strict=True):
        packed = [*(part.traits for part in reading.parts), traits_of_win(hand.win)]
        orphans = not reading.sets
        by_field = [sum(values) for values in zip(*map(Traits.unpack, packed), strict=True)]
        assert traits == Traits(*by_field)._replace(orphans=int(orphans))


def test_more_pairs_than_win_stay_in_their_field():
    counts = parse_hand("22B 22C 22D SS 444B 555C").counts
    traits = only_traits(counts, winds_key(Wind.EAST, Wind.EAST))
    assert Traits.unpack(traits)[:3] == (6, 4, 4 + 4)


@pytest.mark.parametrize("name", Traits._fields)
def test_what_does_not_fit_its_field_is_refused(name):
    most = MASKS[Traits._fields.index(name)]
    assert Traits.unpack(Traits(**{name: most}).pack()) == Traits(**{name: most})
    for value in (most + 1, -1):
        sentence = rf"^{name} is from 0 to {most} where traits are packed, not {value}\.$"
        with pytest.raises(ValueError, match=sentence):
            Traits(**{name: value}).pack()


def test_how_a_hand_was_won_has_to_fit_its_integer():
    with pytest.raises(ValueError, match=r"^self_drawn is from 0 to 1 .* not 2\.$"):
        traits_of_win(Win(self_drawn=2))
