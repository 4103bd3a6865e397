"""How figures are rounded and written: one rule for pages, sheets and API."""

from fractions import Fraction
from pathlib import Path

import pytest

from scoring.api.leagues.serializers import FigureField
from scoring.figures import exact, mixed, percent, rounded, signed_exact, tenths
from scoring.models.tallies import average
from scoring.operations.sheets import Sheet, as_csv

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(15, 8), "1.875"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1, 16), "0.06"),
        (Fraction(2, 3), "0.67"),
        (Fraction(-1, 300), "0.00"),
        (Fraction(5, 2), "2.5"),
        (Fraction(40), "40"),
    ],
)
def test_a_figure_is_the_same_everywhere(value, shown):
    assert str(rounded(value)) == shown
    assert exact(value) == shown.replace("-", "−")
    assert as_csv(Sheet(["A"], [[value]])).decode("utf-8-sig").split() == ["A", shown]
    assert FigureField().to_representation(value) == float(shown)


@pytest.mark.parametrize(
    ("points", "hands", "shown"),
    [(10, 40, "0.3"), (-10, 40, "−0.3"), (-10, 300, "0.0"), (3, 0, "0.0"), (104, 10, "10.4")],
)
def test_an_average_is_rounded_from_half_and_never_less_than_nothing_by_a_hair(
    points, hands, shown
):
    assert tenths(average(points, hands)) == shown
    assert str(average(points, hands)) == shown.replace("−", "-")


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        (Fraction(1, 2), 0, "1"),
        (Fraction(-1, 2), 0, "-1"),
        (Fraction(-1, 4), 1, "-0.3"),
        (Fraction(-1, 20), 1, "-0.1"),
        (Fraction(-49, 100), 0, "0"),
    ],
)
def test_a_half_is_rounded_away_from_nothing_whatever_its_sign(value, decimals, shown):
    assert str(rounded(value, decimals)) == shown


@pytest.mark.parametrize(
    ("count", "of", "shown"),
    [(1, 8, "13%"), (3, 8, "38%"), (29, 200, "15%"), (1, 3, "33%"), (0, 7, "0%")],
)
def test_half_a_percent_is_rounded_up_as_every_half_is(count, of, shown):
    assert percent(count / of) == shown


def test_the_standing_rules_say_how_a_half_is_rounded():
    rules = (ROOT / "docs" / "standing-rules.md").read_text()
    assert "A half is rounded away from 0: 0.25 to 0.3, and −0.25 to −0.3." in rules
    assert [tenths(Fraction(sign, 4)) for sign in (1, -1)] == ["0.3", "−0.3"]


def test_what_is_shown_as_nothing_has_no_sign():
    assert signed_exact(Fraction(1, 300)) == "0.00"
    assert signed_exact(Fraction(1, 4)) == "+0.25"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(Fraction(-8, 3), "−2 2/3"), (Fraction(1, 3), "1/3"), (Fraction(1, 8), "0.125")],
)
def test_what_never_ends_is_written_as_a_fraction(value, shown):
    assert mixed(value) == shown
