"""A small evening on the production server: nothing is lost, doubled or left half, also when it dies.

``make load`` is the same with 2,000 hands.
"""

import pytest

from tests.load.club import Load, run, serving

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql]


@pytest.mark.each_case
@pytest.mark.thorough("postgresql")
@pytest.mark.parametrize(
    "kills",
    [pytest.param(0, id="alive", marks=pytest.mark.thorough), pytest.param(2, id="killed twice")],
)
def test_every_acknowledged_hand_is_stored_once(site, kills):
    outcome = run(site, Load(hands=72, tables=6, phones=8, kills=kills))
    assert outcome.problems == []
    assert outcome.hands == 72
    assert outcome.kills == kills
    assert outcome.figures.unanswered >= kills


@pytest.mark.thorough("postgresql")
def test_a_worker_that_dies_is_replaced(site):
    with serving(site) as server:
        server.wait_for_output("Started worker-1", times=1)
        server.kill_a_worker()
        server.wait_for_output("Started worker-1", times=2)
        server.wait_until_ready()
