"""A game that people play on its pages, and what each of them must have in the end, worked out beside it.

The other half of this module, `Expected`, takes scores, payments and the deal from the reference of the
evaluator's tests; it knows nothing of how the site works them out.
"""

import csv
import re
from dataclasses import dataclass, field, replace
from io import StringIO
from random import Random

from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from scoring.models import Game, Hand
from scoring.operations.csv import write_hands
from scoring.operations.verify import verify
from tests.api.callers import caller
from tests.browser.table_page import TablePage
from tests.evaluator import reference
from tests.evaluator.reference_table import payments, play, seat_wind
from tests.factories import make_game, make_member, make_organiser
from tests.services.brute_force import HANDS

STEPS = 12
MOST_HANDS = 12  # a game lasts sixteen at least: none comes to its end by itself
CLUB = reference.House()
TILES = sorted(text for text in HANDS if text)
LIMIT_HANDS = ("all_honors", "thirteen_orphans", "big_four_winds")


@dataclass
class Entered:
    """One hand that stands: who won off whom (by id; the winner again is self-drawn) with what.

    :ivar winner: None for a drawn hand.
    :ivar what: tiles, a final score, or the name of a limit hand.
    """

    winner: int | None = None
    discarder: int | None = None
    what: str | int = ""
    disputed: bool = False
    settled: bool = False

    @property
    def how_won(self):
        """What somebody disputes who disputes the discarder: a draw, a self-drawn win, or who discarded."""
        drawn, self_drawn = self.winner is None, self.discarder == self.winner
        return drawn, self_drawn, None if self_drawn else self.discarder

    def is_same(self, other):
        """Whether both are the same tiles, of the same player in the same way."""
        mine = self.winner, self.discarder, self.what
        return self.what in TILES and mine == (other.winner, other.discarder, other.what)


@dataclass
class Expected:
    """What the four of a game must have: ``seats`` are their ids, East first."""

    seats: list[int]
    hands: dict[int, Entered] = field(default_factory=dict)
    booked: list[tuple[int, int, int]] = field(default_factory=list)
    doubts: dict[int, list[Entered]] = field(default_factory=dict)  # what was disputed, by number

    def enter(self, number, hand):
        """``hand`` stands at ``number``. It is disputed again if it says again what was disputed."""
        here = self.doubts.get(number, [])
        elsewhere = [one for at, hands in self.doubts.items() if at != number for one in hands]
        hand.disputed = any(one.how_won == hand.how_won for one in here) or any(
            one.is_same(hand) for one in elsewhere
        )
        self.hands[number] = hand

    def dispute(self, number):
        hand = self.hands[number]
        hand.disputed = True
        self.doubts.setdefault(number, []).append(replace(hand))

    def end_dispute(self, number):
        """Whoever disputes it agrees, or an organiser settles it or declares it void."""
        self.hands[number].disputed = False
        self.doubts.pop(number, None)

    @property
    def next_number(self):
        return max(self.hands, default=0) + 1

    def by_hands(self):
        """Points of the hands that count, by id."""
        total = dict.fromkeys(self.seats, 0)
        winners = []
        for _number, hand in sorted(self.hands.items()):
            table = play(winners, CLUB)
            winner = None if hand.winner is None else self.seats.index(hand.winner)
            winners.append(winner)
            if winner is None or hand.disputed:
                continue
            off = None if hand.discarder == hand.winner else self.seats.index(hand.discarder)
            final = self.score(hand.what, seat_wind(table, winner), table.round)
            received = payments(final, winner, table.dealer, off, CLUB)
            for player, amount in zip(self.seats, received, strict=True):
                total[player] += amount
        return total

    def totals(self):
        total = self.by_hands()
        for payer, payee, amount in self.booked:
            total[payer] -= amount
            total[payee] += amount
        return total

    @staticmethod
    def score(what, seat, prevailing):
        if isinstance(what, int):
            return what
        if what in LIMIT_HANDS:
            return CLUB.limit
        return reference.score(
            reference.Hand(tuple(HANDS[what].split()), seat, prevailing), CLUB
        ).final


class GameByTaps:
    """A game with the seed ``seed``: ``current`` plays it, ``told`` says what was done."""

    def __init__(self, seed, *, phone, base):
        self.random = Random(seed)
        self.base, self.phone = base, phone
        self.game = make_game()
        self.names = {player.pk: player.name for player in self.game.players}
        scorer, self.doubter = self.game.players[0], self.game.players[2]
        make_member(player=scorer), make_member(player=self.doubter)
        self.scorer, self.organiser = Client(), Client()
        self.scorer.force_login(scorer.user)
        self.organiser.force_login(make_organiser())
        self.table = TablePage(phone(player=scorer), base, self.game)
        self.doubters_page = None
        self.expected = Expected([player.pk for player in self.game.players])
        self.bookings, self.history = [], []

    def live(self):
        steps = self.steps()
        self.log()
        for _step in range(STEPS):
            name = self.random.choice(list(steps))
            self.history.append(name)
            steps[name]()
            self.look_at_the_api()
        self.look()

    def steps(self):
        return {
            **{f"log {time}": self.log for time in ("one", "another", "a third", "a fourth")},
            "log, undo and log again": self.undo,
            "correct": self.correct,
            "correct another": self.correct,
            "void": self.void,
            "dispute": self.dispute,
            "settle": self.settle,
            "confirm after all": self.confirm,
            "penalty": self.penalty,
            "take a penalty back": self.take_back,
            "swap seats": self.swap,
            "withdraw and restore": self.withdraw,
            "end and open again": self.finish,
            "close the evening and open it": self.close,
        }

    # ----- by taps --------------------------------------------------------------------------------

    def log(self):
        if self.expected.next_number > MOST_HANDS:
            return
        hand, number = self.any_hand(), self.expected.next_number
        self.table.open()
        self.enter(hand)
        self.history.append(f"  {number}: {hand}")
        self.table.save().saved(f"Hand {number}")
        self.expected.enter(number, hand)

    def any_hand(self):
        if self.random.random() < 0.2:
            return Entered()
        what = self.random.choice(
            [
                self.random.choice(TILES),
                self.random.randrange(20, 510, 10),
                self.random.choice(LIMIT_HANDS),
            ]
        )
        return Entered(self.random.choice(self.seats), self.random.choice(self.seats), what)

    def enter(self, hand):
        if hand.winner is None:
            self.table.draw().says("Draw")
            return
        self.table.won(self.seats.index(hand.winner), self.seats.index(hand.discarder))
        if isinstance(hand.what, int):
            hundreds, rest = divmod(hand.what, 100)
            self.table.tap("[data-opens=score]")
            self.table.digits([str(hundreds), f"{rest:02}"] if hundreds else [str(rest)])
        elif hand.what in LIMIT_HANDS:
            self.table.pick_limit(hand.what)
        else:
            self.lay(hand.what)
        self.table.says("points" if hand.what in TILES else "ot checked")

    def lay(self, tiles):
        """One tap a set: pungs as they are, chows by their key, the pair by its own."""
        for group in tiles.split():
            code = group[0] + group[-1] if group[0].isdigit() else group[0]
            kind = "pair" if len(group.rstrip("BCD")) == 2 else "pung"
            if group[0].isdigit() and len(set(group[:-1])) > 1:
                kind = "chow"
            self.table.key(kind).tiles(code)

    def undo(self):
        before = self.expected.next_number
        self.log()
        if self.expected.next_number == before:
            return
        self.table.page.locator("[data-undo]:visible").click()
        expect(self.table.page.locator("[data-notice]")).to_contain_text("was taken back")
        expect(self.table.page.locator("[data-save]")).to_be_enabled()
        self.table.save().saved(f"Hand {before}")

    def correct(self):
        number = self.one_of(lambda hand: not hand.settled)
        if number is None or self.any_settled:
            return
        was, page = self.expected.hands[number], self.table.page
        page.goto(self.base + reverse("correct_hand", args=[self.standing(number).pk]))
        expect(page.locator("[data-pad-taps]")).not_to_have_attribute("inert", "")
        if was.winner is None:
            now = Entered(*self.random.sample(self.seats, 2), self.random.choice(TILES))
            self.table.won(self.seats.index(now.winner), self.seats.index(now.discarder))
            page.locator("#id_tiles").fill(now.what)
        elif was.what in TILES and self.random.random() < 0.6:
            other = self.random.choice([text for text in TILES if text != was.what])
            now = Entered(was.winner, was.discarder, other)
            page.locator("#id_tiles").fill(other)
        else:
            now = Entered()
            self.table.draw()
        self.history.append(f"  {number}: {now}")
        page.get_by_label("Why?").fill("It was like this")
        page.get_by_role("button", name="See the changes").click()
        page.get_by_role("button", name="Correct the hand").click()
        expect(page.get_by_text(f"Hand {number} is corrected.")).to_be_visible()
        self.expected.enter(number, now)

    def dispute(self):
        number = self.one_of(lambda hand: not (hand.settled or hand.disputed))
        if number is None:
            return
        self.doubters_page = self.doubters_page or self.phone(player=self.doubter)
        page = self.doubters_page
        page.goto(self.base + self.standing(number).get_absolute_url())
        page.get_by_text("I disagree").click()
        page.get_by_label("Who discarded").check()
        page.get_by_role("button", name="Dispute the hand").click()
        expect(page.get_by_text(f"Hand {number} is disputed").first).to_be_visible()
        self.expected.dispute(number)

    def confirm(self):
        number = self.one_of(lambda hand: hand.disputed)
        if number is None:
            return
        page = self.doubters_page
        page.goto(self.base + self.standing(number).get_absolute_url())
        page.get_by_role("button", name="I agree").click()
        expect(page.get_by_text(f"Hand {number} is confirmed").first).to_be_visible()
        self.expected.end_dispute(number)

    # ----- by forms, where a browser adds nothing -------------------------------------------------

    def post(self, client, address, **fields):
        """Send the form at ``address`` as it stands there, filled in with ``said``."""
        shown = client.get(address)
        assert shown.status_code == 200, (address, shown.status_code)
        hidden = r'type="hidden" name="(\w+)" value="([^"]*)"'
        kept = dict(re.findall(hidden, shown.content.decode().split("<main")[-1]))
        answer = client.post(address.partition("?")[0], {**kept, **fields})
        assert answer.status_code == 302, (address, answer.status_code)

    def of_game(self, name):
        return reverse(name, args=[self.game.pk])

    @property
    def any_settled(self):
        """What an organiser settled, only organisers change, be it by a hand before it."""
        return any(hand.settled for hand in self.expected.hands.values())

    def void(self):
        number = self.one_of(lambda hand: not hand.settled)
        if number is None or len(self.expected.hands) < 2:
            return
        address = reverse("void_hand", args=[self.standing(number).pk])
        # A hand that somebody disputes is declared void by that player or an organiser.
        organised = self.any_settled or self.expected.hands[number].disputed
        by = self.organiser if organised else self.scorer
        self.post(by, address, reason="Never happened")
        if organised:
            self.expected.end_dispute(number)
        del self.expected.hands[number]

    def settle(self):
        number = self.one_of(lambda hand: hand.disputed)
        if number is None:
            return
        address = reverse("settle_hand", args=[self.standing(number).pk])
        self.post(self.organiser, address, reason="It was right")
        self.expected.end_dispute(number)
        self.expected.hands[number].settled = True

    def penalty(self):
        payer, amount = self.random.choice(self.seats), self.random.randrange(1, 200)
        reason = f"False mah jongg {len(self.expected.booked)}"
        self.post(self.scorer, self.of_game("penalty"), payer=payer, amount=amount, reason=reason)
        lines = [(payer, payee, amount) for payee in self.seats if payee != payer]
        self.expected.booked += lines
        self.bookings.append((self.game.adjustments.latest("pk"), lines))

    def take_back(self):
        if self.bookings:
            booked, lines = self.bookings.pop()
            address = reverse("take_back", args=[booked.pk])
            self.post(self.scorer, address, reason=f"It was none {booked.pk}")
            self.expected.booked += [(payee, payer, amount) for payer, payee, amount in lines]

    def swap(self):
        """Two change places, and keep what they won; who disputes still does."""
        if any(hand.disputed for hand in self.expected.hands.values()):
            return
        one, other = self.random.sample(range(4), 2)
        seats = [*self.seats]
        seats[one], seats[other] = seats[other], seats[one]
        address = f"{self.of_game('change_seats')}?players={','.join(map(str, seats))}"
        by = self.organiser
        self.post(by, address, reason="They sat the other way round")
        self.expected.seats = seats
        for hand in self.expected.hands.values():
            hand.settled = self.is_settled(hand)

    def is_settled(self, hand):
        """A hand that came out differently is another version, which nobody has settled."""
        number = next(at for at, one in self.expected.hands.items() if one is hand)
        return self.standing(number).events.filter(kind="settled").exists()

    def withdraw(self):
        # A game is withdrawn with its disputes by an organiser alone.
        disputed = any(hand.disputed for hand in self.expected.hands.values())
        by = self.organiser if self.any_settled or disputed else self.scorer
        self.post(by, self.of_game("withdraw_game"), reason="Opened twice")
        standings = caller().get(f"/api/v1/leagues/{self.game.league.slug}/standings/").json()
        assert standings["rows"] == []
        assert list(verify()) == []
        self.post(self.scorer, self.of_game("restore_game"), reason="It was not")

    def finish(self):
        self.post(self.scorer, self.of_game("finish_game"))
        self.look_at_the_api()
        assert list(verify()) == []
        self.post(self.scorer, self.of_game("reopen_game"), reason="A slip")

    def close(self):
        day = [self.game.league.slug, self.game.evening]
        self.post(self.organiser, reverse("close_evening", args=day))
        self.look_at_the_api()
        answer = self.organiser.post(reverse("reopen_evening", args=day), {"reason": "A slip"})
        assert answer.status_code == 302

    # ----- what is true then ----------------------------------------------------------------------

    def look(self):
        totals = self.expected.totals()
        assert self.on_the_page() == {self.names[pk]: total for pk, total in totals.items()}
        assert self.in_the_sheet() == {
            self.names[pk]: n for pk, n in self.expected.by_hands().items()
        }
        assert list(verify()) == []

    def look_at_the_api(self):
        totals = self.expected.totals()
        answer = caller().get(f"/api/v1/games/{self.game.pk}/").json()
        assert {row["player"]: row["total"] for row in answer["tally"]} == totals
        assert [hand["number"] for hand in answer["hands"]] == sorted(self.expected.hands)
        rows = caller().get(f"/api/v1/leagues/{self.game.league.slug}/standings/").json()["rows"]
        points = dict.fromkeys(totals, 0) | {row["player"]: row["points"] for row in rows}
        assert points == totals

    def on_the_page(self):
        page = self.table.open().page
        names = [one.get_attribute("title") for one in page.locator(".sheet thead th[title]").all()]
        cells = page.locator(".sheet__totals td").all_inner_texts()
        figures = [int(re.sub(r"[^\d−+]", "", cell).replace("−", "-")) for cell in cells]
        return dict(zip(names, figures, strict=True))

    def in_the_sheet(self):
        out = StringIO(newline="")
        write_hands(out, lambda _total: lambda _more: None, self.game.league)
        total = dict.fromkeys(self.names.values(), 0)
        for row in csv.DictReader(StringIO(out.getvalue(), newline="")):
            amounts = row["payments"].split()[1::2]
            seats = [row[wind] for wind in ("east", "south", "west", "north")]
            for name, amount in zip(seats, amounts, strict=bool(amounts)):
                total[name] += int(amount)
        return total

    # ----- odds and ends --------------------------------------------------------------------------

    @property
    def seats(self):
        return self.expected.seats

    def one_of(self, wanted):
        numbers = [number for number, hand in self.expected.hands.items() if wanted(hand)]
        return self.random.choice(numbers) if numbers else None

    def standing(self, number):
        return Hand.objects.current().get(game=Game.objects.get(pk=self.game.pk), number=number)
