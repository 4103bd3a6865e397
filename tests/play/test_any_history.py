"""Whatever people do at a table, in any order: what is stored is what a replay from nothing makes.

The replay is this module's own: a list of who won what at which number, folded by the rules. The
standings are summed up anew from it, and ``verify`` finds no difference. ``HISTORIES`` in the
environment says how many histories are tried.
"""

import os
from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring.club.verify import verify
from scoring.evaluator.payments import settle
from scoring.evaluator.rulesets import CLUB
from scoring.evaluator.scorecard import score
from scoring.evaluator.table import TableState
from scoring.league.standings import standings
from scoring.models import Game, Hand
from scoring.play.adjustments import book_at_table, penalty, reverse
from scoring.play.confirm import confirm_hand, dispute_hand, settle_hand
from scoring.play.correct import correct_hand, preview_correction, undo_hand, void_hand
from scoring.play.entry import HandEntry
from scoring.play.errors import Conflict
from scoring.play.games import finish_game
from scoring.play.record import record_hand
from tests.factories import make_game, make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db

HISTORIES = int(os.environ.get("HISTORIES", "8"))
STEPS = int(os.environ.get("STEPS", "25"))

# Winds matter in some of these, so that a moved deal is another score.
HANDS = ("222B 345B 55B 222D GGG", "SSS 345B 55B 222D GGG", "EEE NNN WW 222D 789C", "")
PLACES = st.integers(0, 3)
OUTCOMES = st.one_of(
    st.none(), st.tuples(PLACES, st.integers(0, 3), st.sampled_from(range(len(HANDS))))
)
WHICH = st.integers(0, 30)


@dataclass
class Played:
    """One position as this module remembers it; ``said`` is who (places) disputes it."""

    outcome: tuple | None
    disputes: set[int] = field(default_factory=set)
    settled: bool = False

    @property
    def counts(self):
        return not self.disputes or self.settled


class Table(RuleBasedStateMachine):
    """One table of a league, two of whose players have phones of their own."""

    @initialize()
    def sit_down(self):
        self.savepoint = transaction.savepoint()
        self.players = [make_player() for _place in range(4)]
        self.scorer = make_member(player=self.players[0])
        self.doubter = make_member(player=self.players[2])
        self.organiser = make_organiser()
        self.game = make_game(players=self.players, by=self.scorer)
        self.played: dict[int, Played] = {}
        self.booked: list = []
        self.early = False

    def teardown(self):
        if hasattr(self, "savepoint"):
            transaction.savepoint_rollback(self.savepoint)

    # ----- what people do -------------------------------------------------------------------------

    @precondition(lambda self: not self.over)
    @rule(outcome=OUTCOMES)
    def log(self, outcome):
        record_hand(self.game, self.entry(self.next_number, outcome), by=self.scorer)
        self.played[self.next_number] = Played(outcome)

    @precondition(lambda self: self.played)
    @rule(outcome=OUTCOMES, which=WHICH)
    def correct(self, outcome, which):
        number = self.pick(which)
        hand, entry = self.hand(number), self.entry(number, outcome)
        after = {**self.played, number: Played(outcome)}
        if outcome == self.played[number].outcome:
            self.refused(lambda: correct_hand(hand, entry, by=self.scorer, reason="No change"))
        elif not self.possible(after):
            self.refused(lambda: correct_hand(hand, entry, by=self.scorer, reason="Too late"))
        else:
            seen = preview_correction(hand, entry, by=self.scorer)
            correct_hand(hand, entry, by=self.scorer, reason="Mended", seen=seen.mark)
            self.played = after

    @precondition(lambda self: self.played)
    @rule(which=WHICH)
    def void(self, which):
        number = self.pick(which)
        hand = self.hand(number)
        after = {other: played for other, played in self.played.items() if other != number}
        if self.possible(after):
            void_hand(hand, by=self.organiser, reason="Never happened")
            self.played = after
        else:
            self.refused(lambda: void_hand(hand, by=self.organiser, reason="Never happened"))

    @precondition(lambda self: self.played)
    @rule()
    def undo(self):
        number = max(self.played)
        hand = self.hand(number)
        if hand.supersedes_id:
            with pytest.raises(Conflict, match="was corrected"):
                undo_hand(hand, by=hand.logged_by)
        elif hand.logged_by == self.scorer:
            undo_hand(hand, by=self.scorer)
            del self.played[number]

    @precondition(lambda self: self.open_hands)
    @rule(which=WHICH)
    def dispute(self, which):
        number = self.open_hands[which % len(self.open_hands)]
        dispute_hand(self.hand(number), by=self.doubter)
        self.played[number].disputes.add(2)

    @precondition(lambda self: self.open_hands)
    @rule(which=WHICH, place=st.integers(1, 3))
    def confirm_on_the_scorers_phone(self, which, place):
        number = self.open_hands[which % len(self.open_hands)]
        hand = self.hand(number)
        confirm_hand(hand, by=hand.logged_by, player=self.players[place])
        self.played[number].disputes.discard(place)

    @precondition(lambda self: any(not played.counts for played in self.played.values()))
    @rule()
    def settle(self):
        number = min(number for number, played in self.played.items() if not played.counts)
        settle_hand(self.hand(number), by=self.organiser, reason="It was right")
        self.played[number].settled = True

    @rule(place=PLACES, each=st.integers(1, 200))
    def penalty(self, place, each):
        lines = penalty(self.game, self.players[place], each)
        self.booked.append(book_at_table(self.game, lines, by=self.scorer, reason="False"))

    @precondition(lambda self: self.booked)
    @rule(which=WHICH)
    def take_a_penalty_back(self, which):
        back = self.booked.pop(which % len(self.booked))
        reverse(back, by=self.scorer, reason="It was right")

    @precondition(lambda self: not self.over and len(self.played) > 4)
    @rule()
    def get_up(self):
        finish_game(self.game, by=self.scorer)
        self.early = True

    # ----- what is true then ----------------------------------------------------------------------

    @invariant()
    def the_table_stands_where_a_replay_stands(self):
        if not hasattr(self, "game"):
            return
        game = Game.objects.get(pk=self.game.pk)
        state = self.fold(self.played)
        assert (game.round, game.dealer_place, game.next_number) == (
            state.round.value,
            state.dealer,
            self.next_number,
        )
        assert game.finished == (self.early or state.finished)

    @invariant()
    def the_standings_are_what_they_add_up_to(self):
        if not hasattr(self, "game"):
            return
        rows = {row.player: row for row in standings(self.game.league)}
        points, wins = self.added_up()
        counting = sum(played.counts for played in self.played.values())
        for place, player in enumerate(self.players):
            row = rows.get(player)
            found = (row.points, row.hands, row.wins, row.games) if row else (0, 0, 0, 0)
            assert found == (points[place], counting, wins[place], int(counting > 0))

    @invariant()
    def nothing_differs(self):
        if hasattr(self, "game"):
            assert list(verify()) == []

    # ----- this module's own bookkeeping ----------------------------------------------------------

    @property
    def next_number(self):
        return max(self.played, default=0) + 1

    @property
    def over(self):
        return self.early or self.fold(self.played).finished

    @property
    def open_hands(self):
        """The hands that may still be answered: not settled, and not confirmed by all."""
        return [
            number
            for number, played in self.played.items()
            if not played.settled and self.confirmed(number) < {1, 2, 3}
        ]

    def confirmed(self, number):
        said = {event.player_id: event.kind for event in self.hand(number).events.all()}
        return {place for place in (1, 2, 3) if said.get(self.players[place].pk) == "confirmed"}

    def pick(self, which):
        return sorted(self.played)[which % len(self.played)]

    def hand(self, number):
        return Hand.objects.live().get(game=self.game, number=number)

    def entry(self, number, outcome):
        if outcome is None:
            return HandEntry(number=number, outcome="draw")
        winner, discarder, which = outcome
        return HandEntry(
            number=number,
            outcome="win",
            winner=self.players[winner].pk,
            discarder=None if discarder == winner else self.players[discarder].pk,
            self_drawn=discarder == winner,
            tiles=HANDS[which],
            claimed_final=None if HANDS[which] else 120,
        )

    def refused(self, act):
        with pytest.raises(ValidationError), transaction.atomic():
            act()

    @staticmethod
    def fold(played):
        state = TableState.start()
        for _number, one in sorted(played.items()):
            state = state.after(one.outcome and one.outcome[0], CLUB)
        return state

    @staticmethod
    def possible(played):
        """Whether no hand lies beyond the end."""
        state = TableState.start()
        for _number, one in sorted(played.items()):
            if state.finished:
                return False
            state = state.after(one.outcome and one.outcome[0], CLUB)
        return True

    def added_up(self):
        points, wins, state = Counter(), Counter(), TableState.start()
        for _number, one in sorted(self.played.items()):
            if one.outcome and one.counts:
                winner, discarder, which = one.outcome
                final = 120
                if HANDS[which]:
                    seat = state.seat_wind(winner).value
                    drawn = discarder == winner
                    final = score(HANDS[which], seat, state.round.value, self_drawn=drawn).final
                off = None if discarder == winner else discarder
                paid = settle(final, winner=winner, dealer=state.dealer, discarder=off, rules=CLUB)
                points.update(dict(enumerate(paid)))
                wins[winner] += 1
            state = state.after(one.outcome and one.outcome[0], CLUB)
        for booked in self.booked:
            for player, amount in booked.amounts().items():
                points[[one.pk for one in self.players].index(player)] += amount
        return points, wins


def test_any_history():
    run_state_machine_as_test(
        Table,
        settings=settings(
            max_examples=HISTORIES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize="HISTORIES" not in os.environ,
            suppress_health_check=list(HealthCheck),
        ),
    )
