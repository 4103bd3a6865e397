"""How many taps a hand takes, from the table page to saved, and how soon each is answered.

A few hands in the suite. For the whole count:

    COUNTED_HANDS=200 .venv/bin/python -m pytest tests/browser/test_count_taps.py
"""

import os
from dataclasses import dataclass, field
from random import Random
from statistics import median, quantiles

import pytest

from scoring.evaluator.hand import Hand as TileHand
from scoring.models import Hand
from tests.browser import thumb
from tests.browser.table_page import TablePage
from tests.evaluator.random_hands import built
from tests.factories import make_game, make_organiser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANDS = int(os.environ.get("COUNTED_HANDS", "10"))
COUNTED = HANDS >= 200  # two cores that run the rest of the suite besides are no measure of time
LATEST = 100  # milliseconds from a tap to its preview, for 95 of 100 taps

# From the click to the frame that shows the preview.
STOPWATCH = """
() => {
    window.answered = [];
    let tapped;
    document.addEventListener("click", (event) => { tapped = event.timeStamp; }, {capture: true});
    new MutationObserver((changes) => {
        if (tapped && changes.some(({target}) => target.id === "preview")) {
            const since = tapped;
            tapped = undefined;
            requestAnimationFrame(() => window.answered.push(performance.now() - since));
        }
    }).observe(document, {childList: true, subtree: true});
}
"""


@dataclass
class Count:
    """Taps by what was logged, and milliseconds until each tap was answered."""

    taps: dict[str, list[int]] = field(default_factory=dict)
    answered: list[float] = field(default_factory=list)

    @property
    def late(self) -> float:
        """95 of 100 taps were answered by then, in milliseconds."""
        return quantiles(self.answered, n=20)[-1]

    def report(self) -> str:
        lines = [
            f"{name}: {len(taps)} hands, median {median(taps):g} taps, at most {max(taps)}"
            for name, taps in sorted(self.taps.items())
        ]
        early = median(self.answered)
        return "\n".join([*lines, f"preview: median {early:.0f} ms, p95 {self.late:.0f} ms"])


class Counter:
    """Logs hands at one table after another, on one phone."""

    def __init__(self, phone, live_server):
        self.phone, self.live_server = phone, live_server
        self.count = Count()
        self.by = make_organiser()
        self.page = phone(user=self.by, width=360)
        self.page.set_viewport_size({"width": 360, "height": 640})
        self.visits = []
        self.page.on("framenavigated", lambda frame: self.visits.append(frame.url))
        self.sit_down()

    def sit_down(self):
        self.keep_times()
        self.game = make_game(by=self.by)
        self.table = TablePage(self.page, self.live_server.url, self.game).open()
        self.page.evaluate(STOPWATCH)

    def keep_times(self):
        self.count.answered += self.page.evaluate("window.answered?.splice(0) ?? []")

    def log(self, name, steps):
        """Log a hand by ``steps`` and save; what was previewed must be what is saved."""
        self.game.refresh_from_db()
        if self.game.finished:
            self.sit_down()
        number, self.visits[:] = self.game.next_number, []
        for step in steps:
            before = len(self.page.evaluate("window.answered"))
            self.page.locator(step.selector).click()
            if step.asks:
                self.page.wait_for_function("n => window.answered.length > n", arg=before)
        shown = self.table.preview.locator(".preview__final").text_content().split(":")[-1].strip()
        amounts = self.table.preview.locator(".amount").all_inner_texts()
        self.page.locator("[data-save]").click()
        self.table.saved(f"Hand {number}")
        assert self.visits == []

        hand = Hand.objects.get(game=self.game, number=number)
        assert shown == ("Draw" if hand.final is None else str(hand.final))
        paid = hand.payments.order_by("pk").values_list("amount", flat=True)
        assert [int(text.replace("−", "-").replace("\u202f", "")) for text in amounts] == list(paid)
        self.count.taps.setdefault(name, []).append(len(steps) + 1)
        return hand


@pytest.fixture
def counter(phone, live_server, request):
    counter = Counter(phone, live_server)
    yield counter
    counter.keep_times()
    if COUNTED:
        request.config.get_terminal_writer().line("\n" + counter.count.report())


def winning_hands(number):
    """``number`` hands of four sets and a pair with who won and who discarded; always the same."""
    rng = Random(2026)
    return [(built(rng), rng.randrange(4), rng.randrange(4)) for _hand in range(number)]


def limits_of(groups):
    tiles = " ".join("".join(group) for group in groups)
    return TileHand.from_notation(tiles, seat="S", prevailing="E").score_card().limits


def test_winning_hands(counter):
    for groups, winner, discarder in winning_hands(HANDS):
        limits = limits_of(groups)
        taps = thumb.limit(limits[0], []) if limits else thumb.sets(groups)
        counter.log("limit" if limits else "win", thumb.seats(winner, discarder) + taps)
    taps = counter.count.taps
    assert median(taps["win"]) <= 9
    assert max(taps["win"]) <= 10
    assert max(taps.get("limit", [0])) <= 6
    if COUNTED:
        counter.keep_times()
        assert counter.count.late <= LATEST


@pytest.mark.parametrize(
    ("rule", "rest"),
    [
        ("big_three_dragons", []),
        ("little_four_winds", []),
        ("big_four_winds", ["5C"]),
        ("all_honors", []),
        ("all_terminals", []),
        ("thirteen_orphans", ["R"]),
        ("nine_gates", ["5D"]),
    ],
)
def test_limit_hands(counter, rule, rest):
    hand = counter.log("limit", thumb.seats(2, 2) + thumb.limit(rule, rest))
    assert (hand.final, hand.checked) == (500, bool(rest))
    assert max(counter.count.taps["limit"]) <= 6


def test_draws_and_scores_of_cleared_tiles(counter):
    counter.log("draw", thumb.draw())
    for final in (20, 70, 120, 320, 500):
        counter.log("score", thumb.seats(1, 3) + thumb.score(final))
    assert counter.count.taps["draw"] == [2]
    assert max(counter.count.taps["score"]) <= 6
