"""The page's own idea of a hand and a game: text to sets and back, what may follow, who deals."""

import json
from itertools import takewhile
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles.finders import find

from scoring.evaluator.rules import RuleSet
from scoring.evaluator.table import TableState, replay
from scoring.evaluator.tiles import Wind
from tests.support.browser import Watch

pytestmark = pytest.mark.browser

SITE = "http://localhost/"
MODULES = "scoring/"


@pytest.fixture(scope="module")
def pure_modules(browser):
    """An empty page beside the pad's scripts: there is neither a site nor a database."""

    def answer(route):
        name = urlsplit(route.request.url).path.removeprefix("/")
        if name:
            route.fulfill(path=Path(find(name)))
        else:
            route.fulfill(
                content_type="text/html", body="<!doctype html><link rel=icon href=data:>"
            )

    watch = Watch()
    with browser.new_context() as context:
        watch.over(context)
        context.route(SITE + "**", answer)
        page = context.new_page()
        page.goto(SITE)
        yield page
    assert watch.trouble() == []


@pytest.fixture
def run(pure_modules):
    """Evaluate ``expression`` with the pad's pure modules in reach."""

    def run(expression, **values):
        modules = "".join(
            f"import('/{MODULES}{name}.js'),"
            for name in (
                "pad/notation",
                "pad/hand",
                "pad/limit_hands",
                "queue/table_state",
                "pad/slide",
                "pad/claim",
            )
        )
        return pure_modules.evaluate(
            f"""async (values) => {{
                const [notation, hand, limit_hands, table_state, slide, claim] = await Promise.all([{modules}]);
                return {expression};
            }}""",
            values,
        )

    return run


@pytest.mark.parametrize(
    ("text", "kinds", "written"),
    [
        ("222B 345B 55B 222D GGG", "pung chow pair pung pung", "222B 345B 55B 222D GGG"),
        ("222b* 543B,55b", "pung chow pair", "222B* 345B 55B"),
        ("2222b# GGGG* 222B#", "kong kong pung", "2222B# GGGG* 222B#"),
        ("222B345BGGG", "pung chow pung", "222B 345B GGG"),
        ("WhWhWh 2b2b2b", "pung pung", "WhWhWh 222B"),
        ("GreenGreen East", "pair tile", "GG E"),
        ("RRRR", "kong", "RRRR"),
        ("🀐🀐🀐 🀀🀁", "pung tile tile", "111B E S"),
        ("19B", "tile tile", "1B 9B"),
        ("0X 22B4* 2B 55C4#", "unknown unknown tile unknown", "0X 22B4* 2B 55C4#"),
        ("", "", ""),
    ],
)
def test_reads_text_as_groups_and_writes_it_back(run, text, kinds, written):
    found = run("notation.parse(values.text).map(group => group.kind)", text=text)
    assert found == kinds.split()
    assert run("notation.format(notation.parse(values.text))", text=text) == written


@pytest.mark.parametrize(
    ("held", "kind", "code", "possible"),
    [
        ("", "pung", "2B", True),
        ("222B", "pung", "2B", False),
        ("222B", "chow", "1B", True),
        ("222B 123B", "chow", "1B", False),
        ("", "chow", "8B", False),
        ("", "chow", "E", False),
        ("2B", "kong", "2B", False),
        ("222B", "pair", "2B", False),
        ("111B 222B 333B 444B", "pung", "5B", False),
        ("111B 222B 333B 444B", "pair", "5B", True),
        ("55B", "pair", "6B", False),
        ("1B 2B 3B 4B 5B 6B 7B 8B 9B 1C 2C 3C 4C", "tile", "5C", True),
        ("1B 2B 3B 4B 5B 6B 7B 8B 9B 1C 2C 3C 4C 5C", "tile", "6C", False),
        ("1B 1B 1B 4B 5B 6B 7B 8B 9B 1C 2C 3C 4C 5C", "tile", "1B", True),
    ],
)
def test_knows_what_can_be_added(run, held, kind, code, possible):
    found = run(
        "hand.canAdd(notation.parse(values.held), values.kind, values.code)",
        held=held,
        kind=kind,
        code=code,
    )
    assert found is possible


@pytest.mark.parametrize(
    ("held", "chosen", "following"),
    [
        ("", "pung", "pung"),
        ("111B 222B 333B 444B", "chow", "pair"),
        ("111B 222B 333B 444B 55B", "chow", "pair"),
        ("55B", "pair", "kong"),
        ("", "pair", "pair"),
        ("111B 222B 333B 444B", "tile", "tile"),
    ],
)
def test_knows_which_key_comes_next(run, held, chosen, following):
    found = run(
        "hand.nextKind(notation.parse(values.held), values.chosen, 'kong')",
        held=held,
        chosen=chosen,
    )
    assert found == following


@pytest.mark.parametrize(
    ("held", "index", "turned"),
    [
        ("222B 345B", 0, "222B* 345B"),
        ("222B* 345B", 0, "222B 345B"),
        ("2222B#", 0, "2222B*"),
        ("2222B*", 0, "2222B#"),
        ("55B", 0, "55B"),
        ("2B", 0, "2B"),
    ],
)
def test_turns_sets_open_and_back(run, held, index, turned):
    groups = "hand.toggleOpen(notation.parse(values.held), values.index)"
    assert run(f"notation.format({groups})", held=held, index=index) == turned


@pytest.mark.parametrize(
    ("held", "code", "grown"),
    [
        ("222B 345B", "2B", "2222B# 345B"),
        ("222B*", "2B", "2222B*"),
        ("222B 234B", "2B", "222B 234B"),
        ("345B", "3B", "345B"),
    ],
)
def test_fourth_tile_makes_a_pung_a_kong(run, held, code, grown):
    groups = "hand.extendPung(notation.parse(values.held), values.code)"
    assert run(f"notation.format({groups})", held=held, code=code) == grown


@pytest.mark.parametrize(
    ("way", "kind"),
    [((40, 5), "chow"), ((-40, 5), "kong"), ((10, 0), None), ((30, 60), None), ((-30, 60), None)],
)
def test_slide_that_is_long_and_level_names_a_kind(run, way, kind):
    assert run("slide.kindOfSlide(...values.way)", way=way) == kind


@pytest.mark.parametrize(
    ("taps", "text"),
    [
        ("3 0", "30"),
        ("1 2 0", "120"),
        ("1 20", "120"),
        ("0 7", "7"),
        ("5 00 0", "5000"),
        ("1 2 back", "1"),
    ],
)
def test_digits_that_are_tapped_are_what_stands_there(run, taps, text):
    expression = "values.taps.reduce((text, tap) => claim.afterDigits(text, tap), '')"
    assert run(expression, taps=taps.split()) == text


@pytest.mark.parametrize(
    ("held", "full"),
    [
        ("222B 345B 55B 222D GGG", True),
        ("222B 345B 55B 222D", False),
        ("2222B 345B 55B 222D GGG", True),
        ("1B 9B 1C 9C 1D 9D E S W N R G Wh Wh", True),
        ("1B 9B 1C 9C 1D 9D E S W N R G Wh", False),
        ("", False),
    ],
)
def test_knows_when_all_tiles_are_there(run, held, full):
    assert run("hand.isFull(notation.parse(values.held))", held=held) is full


@pytest.mark.parametrize(
    ("limit", "tap", "laid_out"),
    [
        ("big_three_dragons", None, "RRR GGG WhWhWh"),
        ("big_four_winds", None, "EEE SSS WWW NNN"),
        ("little_four_winds", "S", "EEE WWW NNN SS"),
        ("nine_gates", "5C", "1C 1C 1C 2C 3C 4C 5C 5C 6C 7C 8C 9C 9C 9C"),
        ("thirteen_orphans", None, "1B 9B 1C 9C 1D 9D E S W N R G Wh"),
    ],
)
def test_lays_out_limit_hands(run, limit, tap, laid_out):
    recipe = f"limit_hands.recipeOf({json.dumps(limit)})"
    groups = f"{recipe}.tap({json.dumps(tap)})" if tap else f"{recipe}.start"
    assert run(f"notation.format({groups})") == laid_out


@pytest.mark.parametrize("win", [True, False])
@pytest.mark.parametrize("draw", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_reckons_where_the_game_stands_as_the_evaluator_does(run, win, draw, seed):
    rules = RuleSet.from_options(
        {"dealer_stays_on_win": win, "dealer_stays_on_draw": draw},
        slug="house",
        name="House",
        version=1,
    )
    rng = Random(seed)
    winners = [rng.choice([None, 0, 1, 2, 3]) for _hand in range(80)]
    known = list(takewhile(lambda state: not state.finished, replay(winners, rules)))
    over = replay(winners, rules)[len(known)]
    found = run(
        """values.winners.reduce(
            (states, winner) => [...states, table_state.after(states.at(-1), winner, values.stays)],
            [{round: "E", dealer: 0, number: 1, finished: false}],
        )""",
        winners=winners[: len(known)],
        stays={"win": win, "draw": draw},
    )
    fields = ("round", "dealer", "number", "finished")
    expected = [{name: getattr(state, name) for name in fields} for state in [*known, over]]
    assert found == [{**each, "round": each["round"].value} for each in expected]


@pytest.mark.parametrize("dealer", range(4))
def test_seats_people_in_the_winds_as_the_evaluator_does(run, dealer):
    state = TableState(Wind.EAST, dealer, 1)
    found = run(
        "[0, 1, 2, 3].map(place => table_state.seatWind({dealer: values.dealer}, place))",
        dealer=dealer,
    )
    assert found == [state.seat_wind(place).value for place in range(4)]
