"""The site's scripts that need no page, run by Node: the pad's hand, and the queue in any order of events.

``SEQUENCES`` in the environment says how many orders are tried, ``FIRST`` the seed of the first one.
"""

import json
import os
import shutil
import subprocess
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest
from django.template.loader import render_to_string
from django.test import override_settings

from scoring.evaluator.rules import RuleSet
from scoring.evaluator.table import TableState, replay
from scoring.evaluator.tiles import Wind
from tests.support.effort import tries
from tests.support.skips import cannot_run

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "scoring" / "static" / "scoring"
TESTS = ROOT / "tests" / "scripts"
SECONDS = 500
# Prints the states of a game, by the winners of its hands.
STATES = """
import { after } from "./static/scoring/queue/table_state.js";
const { winners, stays } = JSON.parse(process.argv[1]);
const states = [{ round: "E", dealer: 0, number: 1, finished: false }];
for (const winner of winners) {
  states.push(after(states.at(-1), winner, stays));
}
console.log(JSON.stringify(states));
"""
# Prints the seat winds of the four places, for each dealer.
WINDS = """
import { seatWind } from "./static/scoring/queue/table_state.js";
const places = [0, 1, 2, 3];
console.log(JSON.stringify(places.map((dealer) => places.map((place) => seatWind({ dealer }, place)))));
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """Runs Node beside the scripts and their tests, which are modules to any release of it."""
    program = shutil.which("node")
    if program is None:
        cannot_run("Node runs the tests of the scripts. On Debian: apt install nodejs")
    folder = tmp_path_factory.mktemp("modules")
    shutil.copytree(SCRIPTS, folder / "static" / "scoring")
    shutil.copytree(TESTS, folder / "tests")
    with override_settings(ROOT_URLCONF="tests.support.oidc_urls"):
        worker = render_to_string("offline/worker.js", {"files": [], "version": "1"})
    (folder / "worker.js").write_text(worker)
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    environment = {"SEQUENCES": str(tries(300, 2000)), **os.environ}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [program, *arguments],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("name", sorted(path.name for path in TESTS.glob("*.test.mjs")))
def test_scripts_pass_their_own_tests(node, name):
    """Run as a program, without a runner that starts another process for the file."""
    node(f"tests/{name}")


@pytest.mark.parametrize("win", [True, False])
@pytest.mark.parametrize("draw", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_phone_predicts_the_state_of_a_game_as_the_evaluator_does(node, win, draw, seed):
    rules = RuleSet.from_options(
        {"dealer_stays_on_win": win, "dealer_stays_on_draw": draw},
        slug="house",
        name="House",
        version=1,
    )
    rng = Random(seed)
    winners = [rng.choice([None, 0, 1, 2, 3]) for _hand in range(80)]
    states = replay(winners, rules)
    played = len(list(takewhile(lambda state: not state.finished, states)))
    game = {"winners": winners[:played], "stays": {"win": win, "draw": draw}}
    predicted = json.loads(node("--input-type=module", "--eval", STATES, json.dumps(game)))
    fields = ("round", "dealer", "number", "finished")
    expected = [{name: getattr(state, name) for name in fields} for state in states[: played + 1]]
    assert predicted == [{**state, "round": state["round"].value} for state in expected]


def test_phone_seats_people_in_the_winds_as_the_evaluator_does(node):
    expected = [
        [TableState(Wind.EAST, dealer, 1).seat_wind(place).value for place in range(4)]
        for dealer in range(4)
    ]
    assert json.loads(node("--input-type=module", "--eval", WINDS)) == expected
