"""A club to which everything has happened that can: each model has rows, and some rows are gone."""

from datetime import timedelta

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from scoring.models import Channel, Club, NoticeKind, Player
from scoring.models.days import club_day
from scoring.models.settlement import settlement_of
from scoring.queries.seasons import final_rows
from scoring.services.accounts import create_account
from scoring.services.adjustments import book_at_table, book_in_league, penalty, reverse
from scoring.services.confirmations import confirm_hand, dispute_hand
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game, reopen_game
from scoring.services.guests import answer_claim, claim_guest
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.hands.restore import restore_hand
from scoring.services.idempotency import StoredResponse, idempotent
from scoring.services.invitations import invite, join
from scoring.services.late_hands import ask_for_late_hand, decline_late_hand, take_in_late_hand
from scoring.services.notices import choose_notices, mark_read
from scoring.services.people import give_account
from scoring.services.rulesets import shipped_version
from scoring.services.seasons import add_season, close_season, reopen_season
from scoring.services.seating import sit_down, start_game
from scoring.services.seats import change_seats
from scoring.services.settlements import change_terms, mark_as_paid, undo_payment
from scoring.services.standing_rules import change_standing_rules
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_ruleset_version,
    make_table,
)

NAMES = ("=SUM(A1)", "‘Żółć’ 麻雀", "'t Hart", 'Ann; "Annie", B.')


def make_storied_club():
    """Its league."""
    Club.objects.create(
        pk=1,
        name="The Four Winds",
        time_zone="Europe/Amsterdam",
        rates_across_leagues=True,
        embed_sites="https://club.example",
    )
    by = make_organiser("organiser", password="a password")
    by.user_permissions.add(Permission.objects.get(codename="view_session"))
    mail, password = "mailed@club.example", "tiles on the table"
    create_account("mailed", password=password, email=mail, language="nl", by=by)
    give_account(make_player("Told a password"), "told", password, by=by)
    league = make_league("Winter", description="Two\nlines")
    players = [make_player(name) for name in NAMES]
    members = [make_member(player=player) for player in players]
    _one_who_left(league, players)
    _corrected(make_game(league=league, players=players, by=by), by, members)
    _finished(make_game(league=league, players=players[::-1], by=by), by)
    _paid(league, by)
    today = club_day()
    close_evening(league, today, by=by)
    reopen_evening(league, today, by=by, reason="Too early", anyway=True)
    close_evening(make_game(by=by).league, today, by=by)
    _opened_wrongly(make_game(by=by), by)
    _late(make_game(league=league, players=players, by=by), by, members)
    _through_the_api(make_game(league=league, players=players, by=by), by)
    make_ruleset_version(limit=300, by=by)
    _scanned(league, players, by)
    _by_a_book(players, by)
    change_standing_rules(
        league, [{"name": "Games", "counts": "average_game"}], effective_from=today, by=by
    )
    _two_seasons(players, by)
    _says_who_it_is(by)
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(players[0].pk),
        object_repr=players[0].name,
        action_flag=CHANGE,
        change_message='[{"changed": {"fields": ["Name"]}}]',
    )
    return league


def _by_a_book(players, by):
    """A league that plays by a rule book: bonus tiles, a robbed kong, the hand of a loser."""
    version = shipped_version("dmjl", by=by)
    league = make_league("By a book", ruleset_version=version)
    game = make_game(league=league, players=players, by=by)
    entry = {
        "number": 1,
        "outcome": "win",
        "winner": game.players[1].pk,
        "tiles": BOOK_HAND,
        "won_by": "robbing_kong",
        "winning_tile": "3B",
        "bonus": ["F2"],
        "others": [{"player": game.players[2].pk, "tiles": "RRR* 5C", "bonus": "Y3"}],
    }
    record_hand(game, HandEntry.from_json(entry), by=by)
    finish_game(game, by=by)


def _two_seasons(players, by):
    """A season that was closed twice, with a team in its final table, and the one after it."""
    today, yesterday = club_day(), club_day() - timedelta(days=1)
    league = make_league("Season 1", starts_on=yesterday - timedelta(days=90), ends_on=yesterday)
    tables = [{"name": "Teams", "teams": [{"name": "Winds", "players": [players[0].pk]}]}]
    change_standing_rules(league, tables, effective_from=league.starts_on, by=by)
    played = timezone.now() - timedelta(days=2)
    game = open_game(league, players, by=by, at=played, anyway=True)
    make_hand(game, winner=0, by=by)
    finish_game(game, by=by, at=played)
    close_season(league, final_rows=final_rows, by=by)
    reopen_season(league, by=by, reason="Too early")
    close_season(league, final_rows=final_rows, by=by)
    later = add_season(league, "season-2", name="Season 2", starts_on=today, ends_on=None, by=by)
    game = make_game(league=later, players=players, by=by)
    make_hand(game, winner=1, by=by)
    finish_game(game, by=by)


def _says_who_it_is(by):
    """Somebody who joined with a link for everybody, and whom an organiser has not confirmed yet."""
    _invitation, code = invite(once=False, by=by)
    join(code, username="newcomer", password="tiles on the table", claim=make_player("Claimed"))


def _scanned(league, players, by):
    """A table with a game that was opened by its code, and a guest who comes back."""
    table, _code = make_table("Window")
    for place, player in enumerate(players[:3]):
        sit_down(table, place, by=by, player=player)
    sit_down(table, 3, by=by, guest="Guest of the house")
    game = start_game(table, league, by=by, anyway=True)
    claim = claim_guest(game.players[3], by=make_member("came-back"))
    answer_claim(claim, agree=True, by=by)
    finish_game(game, by=by)


def _one_who_left(league, players):
    """The audit keeps the number of an account that is gone."""
    guest = make_member()
    make_game(league=league, players=players, by=guest)
    guest.delete()


def _corrected(game, by, members):
    first = make_hand(game, winner=1, by=by)
    make_hand(game, winner=2, tiles="123B 456C 789D 234B 66C", by=by)
    other = HandEntry(1, "win", winner=game.players[0].pk, tiles=BOOK_HAND)
    correct_hand(first, other, by=by, reason="East won")
    third = make_hand(game, by=by)
    make_hand(game, winner=3, tiles="", claimed_final=120, by=by)
    for reason in ("The wall was short", "It was short, we counted"):
        void = void_hand(third, by=by, reason=reason).hand
        third = restore_hand(void, by=by, reason="It was not").hand
    void_hand(third, by=by, reason="It was short")
    last = make_hand(
        game, winner=0, tiles="222B* 5555C# 345B 66D GGG", discarder=game.players[1].pk, by=by
    )
    confirm_hand(last, by=members[2])
    dispute_hand(last, by=members[3], reason="It was 4 of Bamboo")
    mark_read(by=members[1])
    choose_notices([], [(NoticeKind.CORRECTED, Channel.PUSH)], by=members[1])


def _finished(game, by):
    make_hand(game, winner=1, self_drawn=True, by=by)
    booked = book_at_table(game, penalty(game, game.players[2], 20), by=by, reason="Came late")
    reverse(booked, by=by, reason="Was on time")
    book_in_league(game.league, penalty(game, game.players[0], 10), by=by, reason="Never came")
    finish_game(game, by=by)


def _paid(league, by):
    """One paid what is owed and one did not, after all; then a correction changes what is owed."""
    change_terms(league, stake=5, fee=200, effective_from=club_day(), by=by)
    first, second, *_rest = settlement_of(league, club_day()).of("EUR").left.transfers
    for one in (first, second):
        payment = mark_as_paid(league, club_day(), one.payer, one.payee, one.amount, "EUR", by=by)
    undo_payment(payment, by=by)


def _opened_wrongly(game, by):
    make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    reopen_game(game, by=by, reason="The wrong button")
    change_seats(game, [*game.players[:3], make_player()], by=by, reason="It was Zoë")
    withdraw_game(game, by=by, reason="It was never played")


def _late(game, by, members):
    make_hand(game, winner=1, by=by)
    finish_game(game, by=by)
    for number in (2, 3, 4):
        ask_for_late_hand(game, HandEntry(number, "draw"), by=members[0], key=f"late {number}")
    first, second, _third = game.late_hands.all()
    take_in_late_hand(first, by=by)
    decline_late_hand(second, by=by, reason="Nobody remembers it")


def _through_the_api(game, by):
    def act():
        entry = HandEntry(1, "win", winner=game.players[2].pk, tiles=BOOK_HAND)
        recorded = record_hand(game, entry, by=by, key="a key")
        return StoredResponse(201, {"id": recorded.hand.pk, "why": None, "points": [36, 1.5]})

    idempotent(act, by=by, key="a key", call="POST", body="{}")
