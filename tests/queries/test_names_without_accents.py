"""Names are found and sorted without accents and capitals, on both databases alike."""

import pytest

from scoring.models import Player
from scoring.models.letters import PlainLetters, plain_letters
from tests.factories import make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

NAMES = [
    "José Ode",
    "Ján Peters",
    "jan Peters",
    "Zoë",
    "ÉMILE",
    "Søren",
    "王小明",
    "Ｗide",
    "O'Brien, Pat",
]


def test_the_database_reads_names_as_python_does():
    for name in NAMES:
        make_player(name)
    rows = Player.objects.annotate(letters=PlainLetters("name")).values_list("name", "letters")
    assert dict(rows) == {
        name: plain_letters(name) for name in Player.objects.values_list("name", flat=True)
    }


@pytest.mark.parametrize("part", ["jan", "JÁN", "Jän P"])
def test_a_name_is_found_with_and_without_accents(part):
    for name in NAMES:
        make_player(name)
    found = Player.objects.all().named(part).values_list("name", flat=True)
    assert set(found) == {"Ján Peters", "jan Peters"}


@pytest.mark.parametrize("part", ["O’Brien", "o'brien", "obrien"])
def test_a_name_is_found_with_any_apostrophe(part):
    make_player("O'Brien, Pat")
    assert Player.objects.all().named(part).exists()


def test_an_accent_does_not_change_the_place_in_the_list():
    for name in ("Zoë", "José", "Ján", "Émile", "Frits"):
        make_player(name)
    names = list(Player.objects.values_list("name", flat=True))
    assert names == ["Émile", "Frits", "Ján", "José", "Zoë"]
