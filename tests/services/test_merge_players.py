"""Two records of one person become one: no total changes, and nothing is lost."""

import threading

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from scoring.models import (
    AuditEntry,
    EveningPayment,
    Game,
    GuestClaim,
    Hand,
    LateHand,
    NoticeKind,
    Player,
    Rating,
    Tally,
    WaitingSeat,
)
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.queries.notices import in_words, notices_of
from scoring.services.adjustments import TransferEntry, book_at_table, book_in_league, penalty
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.guests import claim_guest
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.leaving import make_anonymous
from scoring.services.merging import merge_players, merged_into, merged_records, preview_merge
from scoring.services.notices import notify
from scoring.services.pins import set_pin
from scoring.services.seating import sit_down
from scoring.services.seats import change_seats
from scoring.services.settlements import undo_payment
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
    make_table,
)

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

SUMS = ("points", "hands", "wins", "self_drawn", "discards", "games")


@pytest.fixture
def organiser():
    return make_organiser()


@pytest.fixture
def people():
    return [make_player(name) for name in ("Zoë", "Zoe", "Ann", "Bob", "Cas")]


def played(league, players, by, *winners):
    game = make_game(league=league, players=players, by=by)
    for winner in winners:
        make_hand(game, winner=winner, discarder=players[(winner + 1) % 4].pk, by=by)
    return game


@pytest.fixture
def club(people, organiser):
    """Both names played in turns in the first league; only the second one in the other."""
    zoe, other, *three = people
    league, second = make_league("First"), make_league("Second")
    for place, who in enumerate((zoe, other, zoe, other)):
        game = played(league, [who, *three], organiser, 0, place)
        book_at_table(game, penalty(game, who, 12), by=organiser, reason="Late")
        finish_game(game, by=organiser)
    played(second, [*three, other], organiser, 3)
    book_in_league(league, [TransferEntry(other, three[0], 30)], by=organiser, reason="Prize")
    return league, second


def sums():
    rows = Tally.objects.values("league").annotate(**{f"all_{c}": Sum(c) for c in SUMS})
    return list(rows.order_by("league"))


def test_the_sums_of_the_leagues_stay_and_two_tallies_become_one(club, people, organiser):
    kept, gone, *_three = people
    league, second = club
    before = sums()
    both = Tally.objects.filter(league=league, player__in=[kept, gone])
    expected = both.aggregate(**{column: Sum(column) for column in SUMS})
    plan = merge_players(kept, gone, by=organiser)
    assert sums() == before
    tally = Tally.objects.get(league=league, player=kept)
    assert {column: getattr(tally, column) for column in SUMS} == expected
    assert Tally.objects.get(league=second, player=kept).hands == 1
    assert not Player.objects.filter(pk=gone.pk).exists()
    assert list(verify()) == []
    assert next((one.league, one.points) for one in plan.leagues) == (league, expected["points"])


def test_the_ratings_are_those_of_one_person_who_played_it_all(club, people, organiser):
    before = dict(Rating.objects.values_list("pk", "mu"))
    merge_players(people[0], people[1], by=organiser)
    assert Rating.objects.filter(player=people[0]).count() == 4
    assert dict(Rating.objects.values_list("pk", "mu")) != before
    assert list(verify()) == []


def test_merging_the_other_way_round_keeps_every_figure_right(club, people, organiser):
    merge_players(people[1], people[0], by=organiser)
    assert list(verify()) == []


def test_what_is_disputed_late_withdrawn_or_was_reseated_moves_along(club, people, organiser):
    league, _second = club
    kept, gone, *three = people
    game = played(league, [gone, *three], organiser, 0, 1)
    dispute_hand(game.hands.first(), by=organiser, player=gone)
    withdrawn = played(league, [gone, *three], organiser, 0)
    withdraw_game(withdrawn, by=organiser, reason="Opened twice")
    dana = make_player("Dana")
    left = played(league, [gone, *three], organiser, 0)
    change_seats(left, [dana, *three], by=organiser, reason="It was Dana", anyway=True)
    finish_game(game, by=organiser)
    entry = HandEntry(number=3, outcome="win", winner=gone.pk, claimed_final=100)
    ask_for_late_hand(game, entry, by=organiser, key="late")
    before = sums()
    merge_players(kept, gone, by=organiser)
    assert sums() == before
    assert list(verify()) == []
    assert LateHand.objects.get().entry["winner"] == kept.pk
    assert kept.pk in left.events.get().before["seats"]
    assert Hand.objects.disputed().get().events.get().player == kept


def test_notices_of_before_name_the_record_that_is_kept(people, organiser):
    kept, gone, ann, *_others = people
    reader = make_member(player=ann)
    notify(NoticeKind.DISPUTED, [reader.pk], player=gone.pk, number=1, hand=1, league=1, game=1)
    merge_players(kept, gone, by=organiser)
    [row] = in_words(list(notices_of(reader)))
    assert row.text.body.startswith("Zoë says")


def test_the_audit_says_where_the_record_went(club, people, organiser):
    kept, gone, *_three = people
    pk = gone.pk
    merge_players(kept, gone, by=organiser)
    entry = AuditEntry.objects.get(action="merge_players")
    assert (entry.subject, entry.subject_id, entry.by) == ("player", pk, organiser)
    assert entry.details == {"into": kept.pk, "name": "Zoe", "games": 3}
    assert merged_into(pk) == kept
    assert merged_into(kept.pk) is None
    last = make_player("Zo")
    kept_pk = kept.pk
    merge_players(last, kept, by=organiser)
    assert merged_into(pk) == merged_into(kept_pk) == last


def test_who_becomes_anonymous_leaves_neither_name_in_the_audit(club, people, organiser):
    kept, gone, *_three = people
    merge_players(kept, gone, by=organiser)
    Game.objects.filter(finished_at=None).update(finished_at=timezone.now(), ended_early=True)
    make_anonymous(kept, by=make_owner())
    kept_details = str(list(AuditEntry.objects.values_list("details", flat=True)))
    assert "Zoe" not in kept_details
    assert "Zoë" not in kept_details


class TestRefusals:
    def refused(self, kept, gone, by):
        with pytest.raises(ValidationError) as refused:
            merge_players(kept, gone, by=by)
        assert preview_merge(kept, gone, by=by).problems == refused.value.messages
        assert Player.objects.filter(pk__in=[kept.pk, gone.pk]).exists()
        return refused.value.messages[0]

    def test_who_sat_at_one_table_are_two_people(self, people, organiser):
        played(make_league(), people[:4], organiser)
        assert "sat at one table" in self.refused(people[0], people[1], organiser)

    def test_two_of_whom_one_took_the_seat_of_the_other_are_not_merged(self, people, organiser):
        game = played(make_league(), [people[0], *people[2:]], organiser)
        change_seats(game, people[1:], by=organiser, reason="It was Zoe")
        assert "sat at one table" in self.refused(people[0], people[1], organiser)

    def test_who_paid_each_other_are_two_people(self, club, people, organiser):
        line = TransferEntry(people[0], people[1], 5)
        book_in_league(club[0], [line], by=organiser, reason="A bet")
        assert "adjustment" in self.refused(people[0], people[1], organiser)

    @pytest.mark.parametrize("which", [0, 1])
    def test_who_is_anonymous_is_not_merged(self, people, which):
        make_member(player=people[1 - which])
        make_anonymous(people[which], by=make_owner())
        for player in people[:2]:
            player.refresh_from_db()
        assert "stays so" in self.refused(people[0], people[1], make_owner())

    def test_one_record_is_not_merged_with_itself(self, people, organiser):
        assert "one record already" in preview_merge(people[0], people[0], by=organiser).problems[0]

    def test_a_record_that_is_gone_already_is_not_merged(self, people, organiser):
        merge_players(people[0], people[1], by=organiser)
        with pytest.raises(ValidationError):
            merge_players(people[0], Player(pk=people[1].pk, name="Zoe"), by=organiser)

    @pytest.mark.parametrize("by", [AnonymousUser, make_member])
    def test_members_merge_nobody(self, people, by):
        with pytest.raises(PermissionDenied):
            merge_players(people[0], people[1], by=by())


class TestAccounts:
    def test_who_was_no_guest_in_one_of_the_records_is_none(self, people, organiser):
        guest, member = (make_player(guest=one) for one in (True, False))
        merge_players(guest, member, by=organiser)
        guest.refresh_from_db()
        assert not guest.guest

    def test_the_account_of_the_record_that_goes_moves_along_without_its_pin(
        self, people, organiser
    ):
        kept, gone, *_three = people
        member = make_member(player=gone)
        set_pin(gone, "4711", by=member)
        merge_players(kept, gone, by=organiser)
        kept.refresh_from_db()
        assert (kept.user, kept.pin) == (member, "")

    def test_a_second_account_is_closed_and_signed_out(self, people, organiser, client):
        kept, gone, *_three = people
        first, second = make_member(player=kept), make_member(player=gone)
        client.force_login(second)
        assert preview_merge(kept, gone, by=organiser).closed == second
        merge_players(kept, gone, by=organiser)
        kept.refresh_from_db()
        second.refresh_from_db()
        assert kept.user == first
        assert not second.is_active
        assert client.get("/players/me/").status_code == 302
        assert not client.session.get("_auth_user_id")

    @pytest.mark.parametrize("higher", [make_owner, make_organiser])
    def test_an_account_that_may_as_much_is_not_merged_away(self, people, organiser, higher):
        kept, gone, *_three = people
        account = higher(player=gone)
        make_member(player=kept)
        for pair in ((kept, gone), (gone, kept)):
            with pytest.raises(PermissionDenied):
                merge_players(*pair, by=organiser)
        account.refresh_from_db()
        assert account.is_active

    def test_nobody_closes_their_own_account(self, people):
        kept, gone, *_three = people
        make_member(player=kept)
        by = make_owner(player=gone)
        with pytest.raises(PermissionDenied):
            merge_players(kept, gone, by=by)
        merge_players(gone, kept, by=by)

    def test_whoever_plays_under_one_name_is_offered_a_seat(self, people, organiser):
        kept, gone, *_three = people
        Player.objects.filter(pk=kept.pk).update(active=False)
        merge_players(kept, gone, by=organiser)
        kept.refresh_from_db()
        assert kept.active


def test_one_seat_stays_of_two_records_that_wait_at_tables():
    by, kept, gone = make_organiser(), make_player("Zoë"), make_player("Zoe")
    for player in (gone, kept):
        sit_down(make_table()[0], 0, by=by, player=player)
    own = WaitingSeat.objects.get(player=kept)
    merge_players(kept, gone, by=by)
    assert WaitingSeat.objects.get() == own


@pytest.mark.parametrize("undone", [False, True])
def test_what_one_record_paid_the_other_is_named_and_deleted(people, organiser, undone):
    kept, gone, *three = people
    league = make_league()
    for player in (kept, gone):
        game = played(league, [player, *three], organiser, 1)
    payment = EveningPayment.objects.create(
        league=league, day=game.evening, payer=gone, payee=kept, amount=1200
    )
    if undone:
        undo_payment(payment, by=organiser)
    plan = preview_merge(kept, gone, by=organiser)
    assert plan.problems == []
    assert plan.payments[0].startswith(f"Zoe paid Zoë 1,200 points ({league}, ")
    merge_players(kept, gone, by=organiser)
    assert not EveningPayment.objects.exists()
    assert AuditEntry.objects.get(action="merge_players").details["payments"] == 1
    assert list(verify()) == []


def test_whoever_asked_for_the_games_of_both_guests_asks_once():
    by, member = make_organiser(), make_member()
    kept, gone = (make_player(guest=True) for _ in range(2))
    for guest in (kept, gone):
        claim_guest(guest, by=member)
    merge_players(kept, gone, by=by)
    claim = GuestClaim.objects.get()
    assert claim.player == kept
    assert [row.params["claim"] for row in notices_of(by)] == [claim.pk]


@pytest.mark.django_db(transaction=True)
def test_hands_are_logged_while_two_records_are_merged():
    organiser = make_organiser()
    kept, gone, *three = [make_player(name) for name in ("Zoë", "Zoe", "Ann", "Bob", "Cas")]
    league = make_league()
    played(league, [kept, *three], organiser, 0)
    game = played(league, [gone, *three], organiser)
    failed, merged = [], threading.Event()

    def log():
        try:
            for number in range(1, 9):
                # The winner is who sits East, by whichever number the phone knows them.
                entry = HandEntry(number=number, outcome="draw")
                record_hand(Game.objects.get(pk=game.pk), entry, by=organiser)
                if number == 3:
                    merged.wait(0.2)
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    phone = threading.Thread(target=log)
    phone.start()
    merge_players(kept, gone, by=organiser)
    merged.set()
    phone.join()
    assert failed == []
    assert game.hands.count() == 8
    assert Tally.objects.get(league=league, player=kept).hands == 9
    assert list(verify()) == []


def test_records_that_were_merged_one_after_the_other_are_found(people, organiser):
    zoe, other, ann, bob, _cas = people
    ids = [other.pk, ann.pk]
    merge_players(ann, other, by=organiser)
    merge_players(zoe, ann, by=organiser)
    assert merged_records([zoe.pk, bob.pk]) == dict.fromkeys(ids, zoe.pk)
