"""Hall of fame, awards and head to head after any corrections: as worked out hand by hand."""

import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from scoring.models import Hand
from scoring.queries.awards import AWARDS, awards_of
from scoring.queries.hall_of_fame import best_hands, limit_hands
from scoring.queries.head_to_head import against, head_to_head
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.rulesets import shipped_version
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player
from tests.support.effort import tries

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]

BOOK, ORPHANS = "222B 345B 55B 222D GGG", "19B 19C 19D ESWN RGWhWh"
CHANGES = tries(100, 1000)
VISITOR = AnonymousUser()


def counted(league):
    """The hands that count, read one by one: game, its people, what each got, and the hand."""
    found = []
    for game in league.games.order_by("started_at", "pk"):
        if game.withdrawn_at is None:
            for hand in game.hands.filter(status="live").order_by("number"):
                paid = {one.player_id: one.amount for one in hand.payments.all()}
                found.append((game, hand, paid))
    return found


def slow_awards(rows):
    """What each award is, as its sentence says: the figure, and who holds it."""
    figures: dict[str, Counter] = {one.id: Counter() for one in AWARDS}

    def most(award, player, figure):
        figures[award][player] = max(figures[award][player], figure)

    people = {player for _game, _hand, paid in rows for player in paid}
    for player in people:
        own = [(game, hand, paid) for game, hand, paid in rows if player in paid]
        won = [(game, hand, paid) for game, hand, paid in own if hand.winner_id == player]
        for _game, hand, _paid in won:
            most("best_hand", player, hand.final)
            most("most_doubles", player, hand.doubles or 0)
        most("limit_hands", player, sum(hand.limit for _game, hand, _paid in won))
        most("self_drawn", player, sum(hand.self_drawn for _game, hand, _paid in won))
        for day in {game.evening for game, _hand, _paid in own}:
            most("evening_wins", player, sum(game.evening == day for game, _hand, _paid in won))
            that = [paid[player] for game, _hand, paid in own if game.evening == day]
            most("evening_points", player, sum(that))
        for length in range(1, len(own) + 1):
            for first in range(len(own) - length + 1):
                part = [hand for _game, hand, _paid in own[first : first + length]]
                if all(hand.winner_id == player for hand in part):
                    most("winning_streak", player, length)
                if all(hand.discarder_id != player for hand in part):
                    most("careful_streak", player, length)
        for game in {game for game, _hand, _paid in own if game.finished_at}:
            paid = [paid for other, _hand, paid in rows if other == game]
            after = [
                {pk: sum(one[pk] for one in paid[: length + 1]) for pk in paid[0]}
                for length in range(len(paid))
            ]
            most("game_points", player, after[-1][player])
            if after[-1][player] == max(after[-1].values()):
                behind = max(max(total.values()) - total[player] for total in after)
                most("comeback", player, behind)
        lost = [hand for _game, hand, _paid in own if hand.winner_id != player]
        if len(own) >= 16 and lost:
            share = Fraction(sum(hand.discarder_id == player for hand in lost), len(lost))
            figures["best_discarder"][player] = share
    answer = {}
    for award, sums in figures.items():
        least = award == "best_discarder"
        done = {player: figure for player, figure in sums.items() if figure > 0 or least}
        if done:
            best = (min if least else max)(done.values())
            answer[award] = (best, {player for player, figure in done.items() if figure == best})
    return answer


def agree(league):
    rows = counted(league)
    held = {
        one.award.id: (one.value, {holder.player.pk for holder in one.holders})
        for one in awards_of(league)
    }
    assert held == slow_awards(rows)
    wins = [hand for _game, hand, _paid in rows if hand.final]
    limits = sorted((one for one in wins if one.limit), key=lambda one: (one.played_at, one.pk))
    assert [hand.pk for hand in limit_hands(VISITOR, league)] == [one.pk for one in limits][::-1]
    best = {span: one.hand.final for one in best_hands(VISITOR, league) for span in one.spans}
    assert best.get("season") == max((hand.final for hand in wins), default=None)
    points, met = Counter(), Counter()
    for _game, hand, paid in rows:
        met.update((one, other) for one in paid for other in paid if one != other)
        for player, amount in paid.items():
            if hand.winner_id and player != hand.winner_id:
                points[player, hand.winner_id] += amount
                points[hand.winner_id, player] -= amount
    lines = head_to_head(league)
    found = {
        (line.player.pk, one.player.pk): (one.points, one.hands)
        for line in lines
        for one in line.against
    }
    assert found == {pair: (points[pair], met[pair]) for pair in met}
    assert sum(line.points for line in lines) == 0
    if lines:
        assert against(lines[0].player, VISITOR) == lines[0]


@pytest.mark.slow
def test_all_of_it_is_right_after_any_corrections():
    chance, by, league = random.Random(21), make_organiser(), make_league()
    people = [make_player() for _one in range(6)]
    games = []
    for _game in range(5):
        four = chance.sample(people, 4)
        games.append(make_game(league=league, players=four, by=by))
        for _hand in range(chance.randint(5, 9)):
            make_hand(games[-1], by=by, **random_entry(chance, four))
        if chance.random() < 0.6:
            finish_game(games[-1], by=by)
    agree(league)
    for change in range(CHANGES):
        game = chance.choice(games)
        game.refresh_from_db()
        what = chance.random()
        if game.withdrawn_at:
            restore_game(game, by=by, reason="It was played")
        elif what < 0.04:
            withdraw_game(game, by=by, reason="Opened by mistake")
        else:
            hand = chance.choice([*game.hands.current()] or [None])
            alter(hand, what, chance, by) if hand else None
        if change % 20 == 19:
            agree(league)
    assert Hand.objects.exclude(status="live").count() > CHANGES / 3


def random_entry(chance, four):
    place = chance.choice([None, 0, 1, 2, 3, 3])
    if place is None:
        return {}
    discarder = chance.choice([one.pk for one in four if one != four[place]] + [None])
    how = {"discarder": discarder} if discarder else {"self_drawn": True}
    what = chance.choice([BOOK, BOOK, ORPHANS, 120, 90, "nine_gates"])
    if isinstance(what, int):
        return {"winner": place, **how, "tiles": "", "claimed_final": what}
    tiles = {"tiles": "", "claimed_limit": what} if what == "nine_gates" else {"tiles": what}
    return {"winner": place, **how, **tiles}


def alter(hand, what, chance, by):
    """Correct ``hand`` to something else, dispute it, or, of those near the end, declare it void."""
    players = [seat.player for seat in hand.game.table]
    if what < 0.2:
        void_hand(hand, by=by, reason="Not played")
    elif what < 0.3 and not hand.disputed:
        dispute_hand(hand, by=by, player=chance.choice(players))
    else:
        entry = random_entry(chance, players)
        if not entry:
            entry = HandEntry(number=hand.number, outcome="draw")
        else:
            place = entry.pop("winner")
            data = {**entry, "number": hand.number, "outcome": "win", "winner": players[place].pk}
            entry = HandEntry.from_json(data)
        with suppress(ValidationError):  # it says the same as before
            correct_hand(hand, entry, by=by, reason="It was another")


@pytest.mark.postgresql
def test_losers_who_settle_pay_each_other():
    """By a book in which losers settle, each pair is what their two scores make, and all sum to 0."""
    by = make_organiser()
    league = make_league(ruleset_version=shipped_version("bmja", by=by))
    game = make_game(league=league, by=by)
    east, south, west, north = (player.pk for player in game.players)
    others = [{"player": south, "claimed": 30}, {"player": west, "claimed": 10}]
    make_hand(game, winner=0, tiles="", claimed_final=100, self_drawn=True, others=others, by=by)
    lines = {
        line.player.pk: {one.player.pk: one.points for one in line.against}
        for line in head_to_head(league)
    }
    assert (lines[south][west], lines[south][north], lines[west][north]) == (20, 30, 10)
    assert lines[east] == {south: 200, west: 200, north: 200}
    assert all(lines[one][other] == -lines[other][one] for one in lines for other in lines[one])
    paid = {one.player_id: one.amount for one in Hand.objects.get().payments.all()}
    assert paid == {player: sum(line.values()) for player, line in lines.items()}


@pytest.mark.postgresql
@pytest.mark.parametrize("ask", [awards_of, head_to_head])
def test_many_hands_cost_as_many_queries_as_one(ask, django_assert_num_queries):
    league, by = make_league(), make_organiser()
    for _more in range(2):
        make_hand(make_game(league=league, by=by), winner=1, by=by)
        with django_assert_num_queries(3 if ask is awards_of else 4):
            ask(league)
