"""Tiles, laid-out hands and figures as pages show them."""

import re
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils.translation import override

from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import LIMIT_RULES
from scoring.evaluator.tiles import TILES
from scoring.templatetags.tiles import BACK, limit_name, tile_name, wind_name

SPRITE = Path(settings.BASE_DIR, "scoring", "static", "scoring", "tiles.svg")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def plain_static_files(settings):
    """Addresses without a hash, so that nothing has to be collected first."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


def rendered(source: str, **context: object) -> str:
    loads = "{% load figures tiles %}"
    return Template(loads + source).render(Context(context))


def spoken(html: str) -> list[str]:
    return re.findall(r'aria-label="([^"]*)"', html)


def test_every_tile_and_the_back_are_drawn_without_text_that_needs_a_font():
    sprite = ElementTree.parse(SPRITE)
    drawn = {symbol.get("id") for symbol in sprite.iter(f"{SVG}symbol")}
    assert drawn == {f"t-{tile.code}" for tile in TILES} | {f"t-{BACK}"}
    assert not list(sprite.iter(f"{SVG}text"))


def test_what_the_drawings_refer_to_is_in_the_sprite():
    sprite = ElementTree.parse(SPRITE)
    ids = {f"#{element.get('id')}" for element in sprite.iter() if element.get("id")}
    assert {use.get("href") for use in sprite.iter(f"{SVG}use")} <= ids


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.code)
def test_a_tile_is_called_what_the_evaluator_calls_it(tile):
    assert tile_name(tile) == tile_name(tile.code) == tile.name


@pytest.mark.parametrize("rule", LIMIT_RULES, ids=lambda rule: rule.id)
def test_a_limit_hand_is_called_what_the_registry_calls_it(rule):
    assert limit_name(rule.id) == str(rule.name)


def test_winds_have_words():
    assert [wind_name(code) for code in "ESWN"] == ["East", "South", "West", "North"]


def test_a_tile_says_its_name():
    html = rendered('{% tile "2B" size="lg" %}')
    assert 'class="tile tile--lg"' in html
    assert "scoring/tiles.svg#t-2B" in html
    assert 'role="img"' in html
    assert spoken(html) == ["2 of Bamboo"]


def test_a_tile_beside_its_name_is_silent():
    html = rendered('{% tile "E" decorative=True %}')
    assert 'aria-hidden="true"' in html
    assert spoken(html) == []


@pytest.mark.parametrize(("value", "code"), [("Green", "G"), (TILES[0], "1B"), ("back", "back")])
def test_a_tile_comes_from_a_name_a_tile_or_face_down(value, code):
    assert f"tiles.svg#t-{code}" in rendered("{% tile value %}", value=value)


def test_an_unknown_tile_is_refused():
    with pytest.raises(HandError):
        rendered('{% tile "10B" %}')


def test_a_row_of_tiles_is_one_picture():
    html = rendered('{% tiles "23B R" "sm" %}')
    assert spoken(html) == ["2 of Bamboo, 3 of Bamboo, Red dragon"]
    assert re.findall(r"#t-(\w+)", html) == ["2B", "3B", "R"]


def test_no_tiles_are_no_picture():
    assert rendered("{% tiles none %}", none=[]) == ""


def a_set(kind: str, tiles: str, points: int, concealed: bool = True) -> dict[str, object]:
    return {"kind": kind, "tiles": tiles.split(), "points": points, "concealed": concealed}


def test_a_hand_lies_in_its_sets():
    sets = [a_set("pung", "2B 2B 2B", 4), a_set("chow", "3B 4B 5B", 0), a_set("pair", "G G", 2)]
    html = rendered("{% hand_sets sets points=True %}", sets=sets)
    assert html.count("<li") == 3
    assert spoken(html) == ["2 of Bamboo", "3 of Bamboo, 4 of Bamboo, 5 of Bamboo", "Green dragon"]
    assert re.findall(r"(Pung|Chow|Pair) · (\d+)", html) == [
        ("Pung", "4"),
        ("Chow", "0"),
        ("Pair", "2"),
    ]


def test_an_open_set_is_marked_by_a_sign_and_a_word():
    sets = [a_set("pung", "2B 2B 2B", 4, concealed=False), a_set("kong", "R R R R", 32)]
    opened, closed = rendered("{% hand_sets sets %}", sets=sets).split("set--kong")
    assert "icons.svg#i-open" in opened
    assert "open</span>" in opened
    assert "open" not in closed


@pytest.mark.parametrize(
    ("value", "shown"),
    [(320, "+320"), (-160, "−160"), (0, "0"), (12480, "+12,480"), (-1000, "−1,000")],
)
def test_an_amount_has_its_sign(value, shown):
    assert rendered("{{ value|signed }}", value=value) == shown


# Heard from espeak-ng: scoring.figures. A narrow space was read as two numbers.
@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "+1,234,567 −1,040 1,040.5 50%"),
        ("nl", "+1.234.567 −1.040 1.040,5 50%"),
        ("zh-hant", "+1,234,567 −1,040 1,040.5 50%"),
    ],
)
def test_thousands_are_parted_as_a_screen_reader_reads_them(language, shown):
    with override(language):
        figures = "{{ 1234567|signed }} {{ loss|whole }} {{ 1040.46|tenths }} {{ 0.5|percent }}"
        assert rendered(figures, loss=-1040) == shown


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "4 November 2026, 19:00; 19:00; 4 Nov 2026, 19:00"),
        ("nl", "4 november 2026 19:00; 19:00; 4 nov 2026 19:00"),
        ("zh-hant", "2026年11月4日 19:00; 19:00; 2026年11月4日 19:00"),
    ],
)
def test_a_full_hour_is_written_like_any_other(language, shown):
    formats = ("DATETIME_FORMAT", "TIME_FORMAT", "SHORT_DATETIME_FORMAT")
    at = "; ".join(f'{{{{ at|date:"{name}" }}}}' for name in formats)
    with override(language):
        assert rendered(at, at=datetime(2026, 11, 4, 19)) == shown


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "a: b, c d, e f, g"), ("nl", "a: b, c d, e f, g"), ("zh-hant", "a：b，c d、e f、g")],
)
def test_signs_between_words_are_those_of_the_language(language, shown):
    with override(language):
        template = "{% load signs %}a{% colon %}b{% comma %}c d{% list_comma %}e {{ two|listed }}"
        assert rendered(template, two=["f", "g"]) == shown


def test_a_missing_figure_is_written_as_nothing():
    assert rendered("{{ none|signed }}{{ none|whole }}", none=None) == ""


@pytest.mark.parametrize(("value", "side"), [(80, "amount amount--plus"), (0, "amount")])
def test_an_amount_is_coloured_beside_its_sign(value, side):
    assert f'<span class="{side}">' in rendered("{% amount value %}", value=value)


@pytest.mark.parametrize(("value", "shown"), [(10.36, "10.4"), (-0.3, "−0.3"), (0.0, "0.0")])
def test_an_average_has_one_decimal(value, shown):
    assert rendered("{{ value|tenths }}", value=value) == shown


def test_three_doubles_multiply_by_eight():
    assert rendered("{{ 3|times }}") == "8"


CARD = {
    "winning": True,
    "points": 36,
    "doubles": 1,
    "total": 72,
    "final": 70,
    "limits": [],
    "sets": [a_set("pung", "G G G", 8)],
    "point_report": [{"rule": "winning", "label": "Winning", "points": 20}],
    "double_report": [{"rule": "lucky_sets", "label": "Lucky sets", "doubles": 1}],
}
SHOW = '{% include "components/scorecard.html" %}'


def test_a_scorecard_leads_to_its_rules():
    html = rendered(SHOW, card=CARD, rules_url="/rules/club/")
    assert '<a href="/rules/club/#lucky_sets">Lucky sets</a>' in html


def test_a_scorecard_names_its_limit_hands():
    html = rendered(SHOW, card={**CARD, "final": 500, "limits": ["all_honors", "big_four_winds"]})
    assert "All Honors" in html
    assert "Big Four Winds" in html


def test_a_shown_card_says_why_the_hand_does_not_win():
    html = rendered(SHOW, card={"winning": False, "why": "R is left over."})
    assert "R is left over." in html
    assert "Final score" not in html


def test_no_template_prints_a_comma_of_its_own_between_two_of_a_list():
    found = {
        path.name
        for path in (Path(__file__).parents[2] / "templates").rglob("*.html")
        if re.search(r'forloop\.last %},|\|join:", "', path.read_text())
    }
    assert found == set()
