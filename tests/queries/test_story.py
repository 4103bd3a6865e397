"""The story of a league after any corrections: as worked out hand by hand."""

import random
from collections import Counter, defaultdict
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from scoring.models import Game, Hand
from scoring.models.totals import game_totals
from scoring.operations.verify import verify
from scoring.queries.awards import awards_of
from scoring.queries.hall_of_fame import best_hands, limit_hands
from scoring.queries.head_to_head import against, head_to_head
from scoring.queries.story import player_story
from scoring.services.adjustments import book_at_table, penalty, reverse
from scoring.services.confirmations import dispute_hand
from scoring.services.errors import Conflict
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.rulesets import shipped_version
from scoring.services.withdrawals import restore_game, withdraw_game
from scoring.story.awards import AWARDS
from scoring.story.evenings import PARTS, VERSION
from scoring.story.store import sums_of
from scoring.translation import limit_name
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player
from tests.support.effort import tries

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]

BOOK, ORPHANS = "222B 345B 55B 222D GGG", "19B 19C 19D ESWN RGWhWh"
CHANGES = tries(60, 1000)
# Two games on one evening, evenings of one month, of one year, and of others.
DAYS = [date(2024, 12, 30), date(2025, 1, 2), date(2025, 1, 2), date(2025, 1, 9), date(2026, 2, 1)]
VISITOR = AnonymousUser()


def counted(league):
    """The hands that count, read one by one: game, its people, what each got, and the hand."""
    found = []
    for game in league.games.order_by("evening", "started_at", "pk"):
        if game.withdrawn_at is None:
            for hand in game.hands.filter(status="live").order_by("number"):
                paid = {one.player_id: one.amount for one in hand.payments.all()}
                found.append((game, hand, paid))
    return found


def slow_streaks(player, *leagues):
    """The longest row and the one by now, of all hands of ``player`` in the order of play."""
    rows = [row for league in leagues for row in counted(league) if player.pk in row[2]]
    rows.sort(key=lambda row: (row[0].evening, row[0].started_at, row[0].pk, row[1].number))
    streaks = {}
    for id, good in (
        ("winning_streak", lambda hand: hand.winner_id == player.pk),
        ("careful_streak", lambda hand: hand.discarder_id != player.pk),
    ):
        longest = now = 0
        ended = None
        for _game, hand, _paid in rows:
            now = now + 1 if good(hand) else 0
            if now > longest:
                longest, ended = now, hand.pk
        streaks[id] = (longest, now, ended)
    return streaks


def slow_bookings(league):
    """What was booked in games that are not withdrawn, read one by one: game, player, and points."""
    return [
        (game, player, points)
        for game in league.games.filter(withdrawn_at=None)
        for adjustment in game.adjustments.all()
        for transfer in adjustment.transfers.all()
        for player, points in (
            (transfer.payer_id, -transfer.amount),
            (transfer.payee_id, transfer.amount),
        )
    ]


def with_bookings(totals, bookings, game):
    final = Counter(totals)
    for other, player, points in bookings:
        final[player] += points if other == game else 0
    return final


def slow_awards(rows, bookings):
    """What each award is, as its sentence says: the figure, and who holds it."""
    figures: dict[str, Counter] = {one: Counter() for one in AWARDS}

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
            booked = [n for game, pk, n in bookings if pk == player and game.evening == day]
            most("evening_points", player, sum(that) + sum(booked))
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
            final = with_bookings(after[-1], bookings, game)
            most("game_points", player, final[player])
            if final[player] == max(final.values()):
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


def slow_sums(rows):
    """The sums of each part, by player: who sat where, what was won how, with which patterns."""
    sums = defaultdict(Counter)
    for game, hand, paid in rows:
        places = [seat.player_id for seat in game.table]
        card = hand.card or {"double_report": [], "limits": []}
        named = {line["label"].partition(":")[0] for line in card["double_report"]}
        for player, amount in paid.items():
            won, threw = hand.winner_id == player, hand.discarder_id == player
            wind = "ESWN"[(places.index(player) - places.index(hand.dealer_id)) % 4]
            assert not won or wind == hand.seat
            for part, name in (("seats", wind), ("rounds", hand.prevailing)):
                sums[player, part, name].update({0: 1, 1: won, 2: amount})
            if not hand.winner_id:
                how = "nobody"
            elif won:
                how = "drawn" if hand.self_drawn else "claimed"
            elif threw:
                how = "discarded"
            else:
                how = "drawn_by_others" if hand.self_drawn else "claimed_by_others"
            sums[player, "how", how].update({0: 1, 1: amount})
            if won:
                limits = card["limits"] or [hand.claimed_limit] * bool(hand.claimed_limit)
                for name in {*named, *map(limit_name, limits)}:
                    sums[player, "patterns", name].update({0: 1})
            if threw:
                sums[player, "against", str(hand.winner_id)].update({2: 1, 3: -amount})
                sums[hand.winner_id, "against", str(player)].update({4: 1, 5: -amount})
    return {key: without_zeros(numbers) for key, numbers in sums.items()}


def without_zeros(numbers):
    return {place: number for place, number in numbers.items() if number}


def kept_sums(league):
    by_player = sums_of([league]).get(league.pk, {})
    found = {}
    for player, figures in by_player.items():
        for part in PARTS:
            for name, numbers in figures[part].items():
                dealt = {n: one for n, one in enumerate(numbers) if part != "against" or n > 1}
                found[player, part, name] = without_zeros(dealt)
    return {key: numbers for key, numbers in found.items() if numbers or key[1] != "against"}


def agree(league):
    rows = counted(league)
    assert kept_sums(league) == slow_sums(rows)
    held = {
        one.award.id: (one.value, {holder.player.pk for holder in one.holders})
        for one in awards_of(league)
    }
    assert held == slow_awards(rows, slow_bookings(league))
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
    for day in DAYS:
        four = chance.sample(people, 4)
        games.append(make_game(league=league, players=four, by=by))
        before = games[-1].started_at - timedelta(days=(games[-1].evening - day).days)
        Game.objects.filter(pk=games[-1].pk).update(evening=day, started_at=before)
        for _hand in range(chance.randint(5, 9)):
            make_hand(games[-1], by=by, **random_entry(chance, four))
        if chance.random() < 0.6:
            finish_game(games[-1], by=by)
    agree(league)
    for change in range(CHANGES):
        game = chance.choice(games)
        game.refresh_from_db()
        what = chance.random()
        if what > 0.92 and not game.withdrawn_at:
            lines = penalty(game, chance.choice(game.players), chance.randint(1, 500))
            booked = book_at_table(game, lines, by=by, reason="False mah jongg", once_more=True)
            if what > 0.97:
                reverse(booked, by=by, reason="It was none")
        elif game.withdrawn_at:
            restore_game(game, by=by, reason="It was played", anyway=True)
        elif what < 0.04:
            withdraw_game(game, by=by, reason="Opened by mistake")
        elif what < 0.08 and not game.finished:
            finish_game(game, by=by)
        elif what < 0.1 and game.finished:
            with suppress(Conflict):
                reopen_game(game, by=by, reason="We go on", anyway=True)
        else:
            hand = chance.choice([*game.hands.current()] or [None])
            alter(hand, what, chance, by) if hand else None
        if change % 20 == 19:
            agree(league)
    assert Hand.objects.exclude(status="live").count() > CHANGES / 3


@pytest.mark.postgresql
def test_streaks_over_leagues_side_by_side():
    """Two leagues whose evenings take turns, now and then on one day, game after game."""
    chance, by = random.Random(23), make_organiser()
    leagues = [make_league(starts_on=DAYS[0]), make_league(starts_on=DAYS[1])]
    people = [make_player() for _one in range(4)]
    days = sorted(chance.choice(range(16)) for _game in range(14))
    for hour, day in enumerate(days):
        game = make_game(league=chance.choice(leagues), players=people, by=by)
        began = datetime(2025, 1, 1 + day, hour, tzinfo=UTC)
        Game.objects.filter(pk=game.pk).update(evening=began.date(), started_at=began)
        for _hand in range(chance.randint(1, 3)):
            make_hand(game, winner=(winner := chance.choice([0, 0, 1])), tiles="",
                      claimed_final=60, discarder=people[1 - winner].pk, by=by)  # fmt: skip
    assert len(set(days)) < len(days)
    for player in people[:2]:
        shown = {
            one.id: (one.longest, one.now, one.at.pk if one.longest else None)
            for one in player_story(player, by).streaks
        }
        assert shown == slow_streaks(player, *leagues)


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
        with suppress(Conflict):  # an organiser has settled it by a correction
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


def test_a_change_of_the_awards_needs_another_version_of_the_story():
    """Without one, what is stored of earlier evenings lacks the new award."""
    awards = (
        *("best_hand", "most_doubles", "limit_hands", "evening_wins", "evening_points"),
        *("game_points", "comeback", "winning_streak", "careful_streak", "self_drawn"),
        "best_discarder",
    )
    assert (VERSION, tuple(AWARDS)) == (2, awards)


def test_a_penalty_counts_in_best_evening_best_game_and_comeback():
    """South won the last hand and then paid for a mistake: nobody reads that South came first."""
    by, league = make_organiser(), make_league()
    game = make_game(league=league, by=by)
    east, south, *_others = game.players
    make_hand(game, winner=0, by=by)
    for _hand in range(2):
        make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    agree(league)
    awards_of(league)
    book_at_table(game, penalty(game, south, 2000), by=by, reason="False mah jongg")
    points = game_totals(game)
    shown = {one.award.id: one for one in awards_of(league)}
    for award in ("evening_points", "game_points"):
        assert [holder.player for holder in shown[award].holders] == [east]
        assert shown[award].value == points[east.pk] == max(points.values())
    agree(league)
    assert list(verify()) == []


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
        ask(league)
        with django_assert_num_queries(3):
            ask(league)
