"""Whatever people do in a league, in any order: what is stored is what works out from nothing.

After every step the tables stand, and the league table says, what ``brute_force`` makes of all that was
said so far; at the end of each history ``verify`` finds no difference. ``HISTORIES`` in the environment
says how many histories are tried, and tries others each time.
"""

import os
from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring.evaluator.win import Win
from scoring.models import Game, Hand
from scoring.models.permissions import PermissionDenied
from scoring.models.problems import Refused
from scoring.operations.verify import verify
from scoring.queries.standings import standings
from scoring.services.adjustments import book_at_table, penalty, reverse
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game, reopen_game
from scoring.services.hands.correct import correct_hand, preview_correction, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.hands.restore import preview_restore, restore_hand
from scoring.services.seats import change_seats
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_league, make_member, make_organiser, make_player
from tests.services.brute_force import (
    CLAIMED,
    HANDS,
    LeagueLine,
    Outcome,
    Played,
    Sitting,
    league_table,
    paid_for,
    possible,
)
from tests.support.effort import tries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# What a history adds up to, Python says; the other database carries out a few of them.
FEWER = connection.vendor == "postgresql"
HISTORIES = int(os.environ.get("HISTORIES", tries(2, 6) if FEWER else tries(5, 24)))
STEPS = int(os.environ.get("STEPS", "25"))
MOST_TABLES = 3
# Hands before a table gets up, and before an evening is closed: nothing much could happen sooner.
SHORT, LONG = 3, 20

PLACES = st.integers(0, 3)
TILES = st.sampled_from(sorted(HANDS))
OUTCOMES = st.one_of(
    st.none(),
    st.builds(
        lambda winner, discarder, tiles: Outcome(
            winner, None if discarder == winner else discarder, tiles
        ),
        PLACES,
        PLACES,
        TILES,
    ),
)
WHICH = st.integers(0, 30)

# The scorer of a table, and the one who doubts, each with a phone.
SCORER, DOUBTER = 0, 2


class League(RuleBasedStateMachine):
    """An evening of five people at up to three tables."""

    @initialize(passes=st.sampled_from((0, 15, 16)))
    def begin(self, passes):
        """A table at which the deal has passed so often already: after sixteen the game is over."""
        self.savepoint = transaction.savepoint()
        self.people = [make_player() for _one in range(5)]
        self.members = {player: make_member(player=player) for player in self.people}
        self.organiser = make_organiser()
        self.league = make_league()
        self.games: list[Game] = []
        self.sittings: list[Sitting] = []
        self.bookings: list[tuple] = []
        # What was disputed at a position where no hand stands now.
        self.doubted: dict[tuple[int, int], frozenset[Outcome | None]] = {}
        # What was taken back: the hand, what it was, who sat there and what it paid.
        self.void_hands: list[tuple[int, Hand, Played, list[str], list[int]]] = []
        self.closed = False
        # The tables that closing the evening ended.
        self.given_back: list[int] = []
        self.clock = count(1)
        self.sit_down()
        for number in range(passes):
            self.pass_on(0, number)

    def teardown(self):
        if not hasattr(self, "savepoint"):
            return
        try:
            tomorrow = self.games[0].evening + timedelta(days=1)
            assert lines(standings(self.league, tomorrow)) == league_table(self.sittings)
            assert list(verify()) == []
        finally:
            transaction.savepoint_rollback(self.savepoint)

    # ----- what people do -------------------------------------------------------------------------

    @precondition(lambda self: not self.closed and len(self.games) < MOST_TABLES)
    @rule()
    def sit_down(self):
        first = len(self.games)
        players = [self.people[(first + place) % 5] for place in range(4)]
        by = self.members[players[0]]
        self.games.append(open_game(self.league, players, by=by, anyway=True))
        self.sittings.append(Sitting([player.name for player in players]))

    @precondition(lambda self: self.unfinished)
    @rule(which=WHICH, outcomes=st.lists(OUTCOMES, min_size=1, max_size=5))
    def log(self, which, outcomes):
        at = self.pick(which, self.unfinished)
        for outcome in outcomes:
            if self.sittings[at].finished_at is None:
                self.log_one(at, outcome)

    @precondition(lambda self: self.unfinished)
    @rule(which=WHICH)
    def pass_the_deal(self, which):
        self.pass_on(self.pick(which, self.unfinished), which)

    @precondition(lambda self: self.finished)
    @rule(which=WHICH)
    def log_too_late(self, which):
        at = self.pick(which, self.finished)
        entry = self.entry(at, self.sittings[at].next_number, None)
        self.refused(Conflict, lambda: record_hand(self.games[at], entry, by=self.organiser))

    @precondition(lambda self: self.played)
    @rule(which=WHICH, outcome=OUTCOMES)
    def correct(self, which, outcome):
        at, number = self.pick(which, self.played)
        sitting = self.sittings[at]
        hand, entry, before = self.hand(at, number), self.entry(at, number, outcome), sitting.played
        # What an organiser settled, only organisers change, be it by a hand before it.
        any_settled = any(played.settled for played in before.values())
        by = self.organiser if any_settled else self.who(at)
        one, answers, doubted = before[number], {}, before[number].doubted
        if outcome in doubted and by == self.organiser:
            doubted -= {outcome}
        elif outcome in doubted:
            answers = {DOUBTER: False}
        corrected = Played(outcome, one.at, answers, one.settled, doubted)
        after = {**before, number: corrected}

        def act(etag=""):
            return correct_hand(hand, entry, by=by, reason="Corrected", expected_etag=etag)

        if outcome == sitting.played[number].outcome or not possible(after):
            self.refused(ValidationError, act)
        else:
            act(preview_correction(hand, entry, by=by).etag)
            self.take(at, number, after)

    @precondition(lambda self: self.played)
    @rule(which=WHICH, last=st.booleans(), by_organiser=st.booleans())
    def void(self, which, last, by_organiser):
        at, number = self.pick(which, self.played)
        number = self.sittings[at].next_number - 1 if last else number
        hand, before = self.hand(at, number), self.sittings[at].played
        after = {**before}
        one = after.pop(number)
        any_settled = any(played.settled for played in before.values())
        by = self.organiser if by_organiser or any_settled or not one.counts else self.who(at)

        def act():
            return void_hand(hand, by=by, reason="Never happened")

        if possible(after):
            self.note_void(at, hand)
            act()
            # What is logged there next may be what was disputed, unless an organiser has looked at it.
            self.doubted[at, number] = frozenset() if by == self.organiser else one.doubted
            self.take(at, number, after)
        else:
            self.refused(ValidationError, act)

    @precondition(lambda self: self.played)
    @rule(which=WHICH)
    def undo(self, which):
        at, _number = self.pick(which, self.played)
        number = max(self.sittings[at].played)
        hand = self.hand(at, number)
        by = self.members[self.games[at].players[SCORER]]
        one = self.sittings[at].played[number]
        refused = hand.supersedes_id or one.settled or not one.counts
        if self.closed or hand.logged_by != by or refused:
            self.refused(Refused, lambda: undo_hand(hand, by=by))
            return
        self.note_void(at, hand)
        undo_hand(hand, by=by)
        self.doubted[at, number] = one.doubted
        after = {**self.sittings[at].played}
        del after[number]
        self.take(at, number, after)

    @precondition(lambda self: self.void_hands)
    @rule(which=WHICH)
    def restore(self, which):
        at, hand, one, players, paid = self.pick(which, self.void_hands)
        sitting, number = self.sittings[at], hand.number
        before = sitting.played
        alike = [(later.outcome, one.outcome) for later in before.values()]
        if any(a == b or (a and b and a[2] and a[::2] == b[::2]) for a, b in alike):
            # Perhaps it was logged again: tests of that are elsewhere.
            return

        def act(etag=""):
            return restore_hand(hand, by=self.organiser, reason="It was", expected_etag=etag)

        played_since = any(
            earlier < number and other.at > one.at for earlier, other in before.items()
        )
        after = {**before, number: one}
        if number in before or played_since:
            self.refused(Conflict, act)
        elif players != sitting.players or not possible(after):
            self.refused(ValidationError, act)
        else:
            act(preview_restore(hand, by=self.organiser).etag)
            self.void_hands = [void for void in self.void_hands if void[1] != hand]
            same = paid_for(one, replace(sitting, played=after).dealt()[number]) == paid
            answers = {place: yes for place, yes in one.answers.items() if same or not yes}
            meanwhile = self.doubted.get((at, number), frozenset()) - {one.outcome}
            doubted = one.doubted | meanwhile
            after[number] = Played(one.outcome, one.at, answers, one.settled, doubted)
            self.take(at, number, after)

    @precondition(lambda self: self.answerable)
    @rule(which=WHICH)
    def dispute(self, which):
        at, number = self.pick(which, self.answerable)
        dispute_hand(self.hand(at, number), by=self.members[self.games[at].players[DOUBTER]])
        one = self.sittings[at].played[number]
        one.answers[DOUBTER] = False
        one.doubted |= {one.outcome}

    @precondition(lambda self: self.answerable)
    @rule(which=WHICH, place=st.integers(1, 3))
    def confirm(self, which, place):
        at, number = self.pick(which, self.answerable)
        hand = self.hand(at, number)
        player = self.games[at].players[place]
        confirm_hand(hand, by=self.members[player], player=player)
        one = self.sittings[at].played[number]
        one.answers[place] = True
        if place == DOUBTER:
            one.doubted -= {one.outcome}

    @precondition(lambda self: self.disputed)
    @rule(which=WHICH)
    def settle(self, which):
        at, number = self.pick(which, self.disputed)
        settle_hand(self.hand(at, number), by=self.organiser, reason="It was right")
        one = self.sittings[at].played[number]
        one.settled, one.doubted = True, frozenset()

    @rule(which=WHICH, place=PLACES, amount=st.integers(1, 200))
    def penalty(self, which, place, amount):
        at = self.pick(which, range(len(self.games)))
        game = self.games[at]
        lines = penalty(game, game.players[place], amount)
        booked = book_at_table(
            game, lines, by=self.who(at), reason="False mah jongg", once_more=True
        )
        transfers = [(place, other, amount) for other in range(4) if other != place]
        self.bookings.append((at, booked, transfers))
        self.sittings[at].booked += transfers

    @precondition(lambda self: self.bookings)
    @rule(which=WHICH)
    def take_a_penalty_back(self, which):
        at, booked, transfers = self.bookings.pop(which % len(self.bookings))
        reverse(booked, by=self.who(at), reason="It was none")
        self.refused(
            ValidationError, lambda: reverse(booked, by=self.organiser, reason="Once more")
        )
        self.sittings[at].booked += [(payee, payer, amount) for payer, payee, amount in transfers]

    @precondition(lambda self: self.long_enough)
    @rule(which=WHICH)
    def get_up(self, which):
        at = self.pick(which, self.long_enough)
        finish_game(self.games[at], by=self.who(at))
        self.sittings[at].got_up_at = next(self.clock)

    @precondition(lambda self: not self.closed and len(self.played) > LONG)
    @rule()
    def close_the_evening(self):
        close_evening(self.league, self.games[0].evening, by=self.organiser)
        for at, sitting in enumerate(self.sittings):
            if sitting.finished_at is None:
                sitting.got_up_at = next(self.clock)
                self.given_back.append(at)
        self.closed = True

    @precondition(lambda self: self.closed and self.played)
    @rule(which=WHICH)
    def correct_after_closing(self, which):
        at, number = self.pick(which, self.played)
        scorer = self.members[self.games[at].players[SCORER]]
        self.refused(
            PermissionDenied, lambda: void_hand(self.hand(at, number), by=scorer, reason="Too late")
        )

    @precondition(lambda self: self.closed)
    @rule()
    def reopen_the_evening(self):
        day = self.games[0].evening
        reopen_evening(self.league, day, by=self.organiser, reason="A slip", anyway=True)
        for at in self.given_back:
            if self.sittings[at].table.round is not None:
                self.sittings[at].got_up_at = None
        self.closed, self.given_back = False, []

    @precondition(lambda self: self.finished)
    @rule(which=WHICH)
    def sit_down_again(self, which):
        at = self.pick(which, self.finished)
        sitting = self.sittings[at]

        def act():
            return reopen_game(self.games[at], by=self.organiser, reason="A slip", anyway=True)

        if sitting.table.round is None:
            self.refused(Conflict, act)
            return
        act()
        sitting.got_up_at = None
        self.given_back = [other for other in self.given_back if other != at]

    @rule(which=WHICH)
    def withdraw_and_restore(self, which):
        game = self.pick(which, self.games)
        withdraw_game(game, by=self.organiser, reason="Opened twice")
        others = [one for at, one in enumerate(self.sittings) if self.games[at] != game]
        assert lines(standings(self.league)) == league_table(others)
        assert list(verify()) == []
        restore_game(game, by=self.organiser, reason="It was not", anyway=True)

    @precondition(lambda self: self.played)
    @rule(which=WHICH)
    def somebody_else_sat_there(self, which):
        at, _number = self.pick(which, self.played)
        game, sitting = self.games[at], self.sittings[at]
        fifth = next(one for one in self.people if one not in game.players)
        players = [fifth, *game.players[1:]]
        why = "It was somebody else"
        change_seats(game, players, by=self.organiser, reason=why, anyway=True)
        self.games[at] = Game.objects.get(pk=game.pk)
        sitting.players = [player.name for player in players]
        sitting.asked_again(SCORER)
        # What was booked was taken back, and booked anew.
        self.bookings = [booking for booking in self.bookings if booking[0] != at]

    # ----- what is true then ----------------------------------------------------------------------

    @invariant()
    def the_tables_stand_where_a_replay_stands(self):
        for game, sitting in zip(getattr(self, "games", ()), self.sittings_so_far, strict=True):
            stored = Game.objects.get(pk=game.pk)
            table = sitting.table
            stands = ("N", 3) if table.round is None else (table.round, table.dealer)
            assert (stored.round, stored.dealer_place) == stands
            assert stored.next_number == sitting.next_number
            assert stored.finished == (sitting.finished_at is not None)

    @invariant()
    def the_league_table_is_what_it_adds_up_to(self):
        if hasattr(self, "league"):
            assert lines(standings(self.league)) == league_table(self.sittings)

    # ----- this module's own bookkeeping ----------------------------------------------------------

    @property
    def sittings_so_far(self):
        return getattr(self, "sittings", ())

    @property
    def unfinished(self):
        return [at for at, sitting in enumerate(self.sittings) if sitting.finished_at is None]

    @property
    def finished(self):
        return [at for at, sitting in enumerate(self.sittings) if sitting.finished_at is not None]

    @property
    def long_enough(self):
        return [at for at in self.unfinished if len(self.sittings[at].played) >= SHORT]

    @property
    def played(self):
        """The hands that stand: their table and their number."""
        return [
            (at, number)
            for at, sitting in enumerate(self.sittings)
            for number in sorted(sitting.played)
        ]

    @property
    def answerable(self):
        """The hands that people may still answer: not settled, and not confirmed by all."""
        if self.closed:
            return []
        hands = {
            position: self.sittings[position[0]].played[position[1]] for position in self.played
        }
        return [
            position
            for position, one in hands.items()
            if not one.settled and not all(one.answers.get(place) for place in (1, 2, 3))
        ]

    @property
    def disputed(self):
        return [
            position
            for position in self.played
            if not self.sittings[position[0]].played[position[1]].counts
        ]

    def pick(self, which, among):
        return among[which % len(among)]

    def who(self, at):
        """Who runs the table: its scorer, and an organiser when the evening is closed."""
        if self.closed:
            return self.organiser
        return self.members[self.games[at].players[SCORER]]

    def hand(self, at, number):
        return Hand.objects.current().get(game=self.games[at], number=number)

    def note_void(self, at, hand):
        """Keep what is taken back, for somebody who restores it."""
        sitting = self.sittings[at]
        one = sitting.played[hand.number]
        paid = paid_for(one, sitting.dealt()[hand.number])
        self.void_hands.append((at, hand, one, sitting.players, paid))

    def log_one(self, at, outcome):
        sitting = self.sittings[at]
        number = sitting.next_number
        record_hand(self.games[at], self.entry(at, number, outcome), by=self.who(at))
        doubted = self.doubted.get((at, number), frozenset())
        answers = {DOUBTER: False} if outcome in doubted else {}
        sitting.played[number] = Played(outcome, next(self.clock), answers, doubted=doubted)

    def pass_on(self, at, which):
        """The next hand of table ``at`` is won by somebody who does not deal."""
        winner = (self.sittings[at].table.dealer + 1 + which % 3) % 4
        self.log_one(at, Outcome(winner, None, self.pick(which, sorted(HANDS))))

    def entry(self, at, number, outcome):
        if outcome is None:
            return HandEntry(number=number, outcome="draw")
        winner, discarder, tiles = outcome
        players = self.games[at].players
        return HandEntry(
            number=number,
            outcome="win",
            winner=players[winner].pk,
            discarder=None if discarder is None else players[discarder].pk,
            win=Win(self_drawn=discarder is None),
            tiles=tiles,
            claimed_final=None if tiles else CLAIMED,
        )

    def take(self, at, number, after):
        """``after`` stands at table ``at``, for a change to hand ``number``.

        A later hand whose winds have changed is another version of itself: where others pay it is
        asked about again, except that who disputes it still does, and what is settled is settled.
        """
        sitting = self.sittings[at]
        before, ended_at = sitting.dealt(), sitting.finished_at
        paid = {number: paid_for(one, before[number]) for number, one in sitting.played.items()}
        sitting.played = after
        for later, dealt in sitting.dealt().items():
            if later > number and dealt[:2] != before[later][:2]:
                one = after[later]
                same = paid_for(one, dealt) == paid[later]
                kept = {place: yes for place, yes in one.answers.items() if same or not yes}
                after[later] = Played(one.outcome, one.at, kept, one.settled, one.doubted)
        if self.closed and sitting.finished_at is None:
            # Nobody sits down again: it ended when it ended.
            sitting.got_up_at = ended_at

    def refused(self, error, act):
        with pytest.raises(error), transaction.atomic():
            act()


def lines(rows):
    """Rows of the site's league table, as ``brute_force`` says them."""
    return [
        LeagueLine(
            rank=row.rank,
            name=row.player.name,
            points=row.points,
            hands=row.hands,
            wins=row.wins,
            games=row.games,
            average=row.average,
            best_hand=row.best_hand,
            rating=row.rating,
        )
        for row in rows
    ]


@pytest.mark.each_database
def test_any_history_of_a_club_keeps_every_total_right():
    run_state_machine_as_test(
        League,
        settings=settings(
            max_examples=HISTORIES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize="HISTORIES" not in os.environ,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )
