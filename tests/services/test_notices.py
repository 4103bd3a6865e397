"""Who is told of what: on the site, and by which mails and devices."""

import base64

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.formats import date_format

from scoring.models import Channel, Delivery, Notice, NoticeKind, PushSubscription
from scoring.models.days import club_day
from scoring.models.permissions import PermissionDenied, Role
from scoring.queries.notices import in_words, notices_of
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.notices import (
    MOST_DEVICES,
    add_device,
    choose_notices,
    mark_read,
    notify,
    notify_guest,
    notify_invited,
    notify_reset,
    notify_role,
    remove_device,
)
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db

P256DH = base64.urlsafe_b64encode(b"\x04" + 64 * b"k").decode().rstrip("=")
AUTH = base64.urlsafe_b64encode(16 * b"a").decode().rstrip("=")


def device(user, number=1):
    endpoint = f"https://push.example.org/{user.pk}/{number}"
    add_device(endpoint, p256dh=P256DH, auth=AUTH, device="Firefox", by=user)
    return PushSubscription.objects.get(endpoint=endpoint)


@pytest.fixture(autouse=True)
def _mail_server(settings):
    settings.SENDS_MAIL = True


@pytest.fixture
def four():
    users = []
    for name in ("Ann", "Bob", "Cas", "Dee"):
        user = make_member(name.lower(), player=make_player(name))
        user.email = f"{name.lower()}@example.org"
        user.save()
        users.append(user)
    return users


@pytest.fixture
def game(four):
    return make_game(players=[user.player for user in four], by=four[0])


def recipients(kind):
    rows = Notice.objects.filter(kind=kind).select_related("recipient")
    return sorted(notice.recipient.username for notice in rows)


class TestAHand:
    def test_a_dispute_tells_the_others_and_the_organisers(self, four, game):
        organiser = make_organiser("olga")
        hand = make_hand(game, winner=0, by=four[0])
        dispute_hand(hand, by=four[1])
        assert recipients("disputed") == ["ann", "cas", "dee"]
        assert recipients("dispute") == ["olga"]
        notice = Notice.objects.get(recipient=organiser)
        assert notice.params == {
            "hand": hand.pk, "number": 1, "game": game.pk, "league": game.league_id,
            "player": four[1].player.pk, "day": game.evening.isoformat(),
        }  # fmt: skip
        day = date_format(game.evening)
        [row] = in_words(notices_of(organiser))
        assert f"disputes hand 1 of {game.league} ({day})." in row.text.body

    def test_an_organiser_at_the_table_is_told_once(self, four, game):
        make_organiser("olga", player=None)
        extra = make_organiser("otto", player=make_player("Otto"))
        players = [*(user.player for user in four[:3]), extra.player]
        hand = make_hand(make_game(players=players, by=extra), winner=0, by=four[0])
        dispute_hand(hand, by=four[1])
        assert recipients("disputed") == ["ann", "cas", "otto"]
        assert recipients("dispute") == ["olga"]

    def test_a_reason_that_is_added_tells_nobody_again(self, four, game):
        hand = make_hand(game, winner=0, by=four[0])
        dispute_hand(hand, by=four[1])
        dispute_hand(hand, by=four[1], reason="It was mine")
        assert Notice.objects.filter(kind="disputed").count() == 3

    def test_a_dispute_is_settled_or_withdrawn(self, four, game):
        hand = make_hand(game, winner=0, by=four[0])
        dispute_hand(hand, by=four[1])
        confirm_hand(hand, by=four[1])
        assert recipients("settled") == ["ann", "cas", "dee"]
        dispute_hand(hand, by=four[1])
        settle_hand(hand, by=make_organiser(), reason="It was right")
        settled = Notice.objects.filter(kind="settled", recipient=four[0]).order_by("pk")
        assert [one.params["withdrawn"] for one in settled] == [True, False]
        assert recipients("settled").count("bob") == 1

    @pytest.mark.parametrize("end", ["withdraw", "settle", "correct", "void"])
    def test_a_dispute_that_ended_waits_for_no_organiser(self, four, game, end):
        olga = make_organiser("olga")
        hand, other = make_hand(game, winner=0, by=four[0]), make_hand(game, winner=0, by=four[0])
        for one in (hand, other):
            dispute_hand(one, by=four[1])
        entry = HandEntry(1, "win", winner=four[2].player.pk, tiles=BOOK_HAND)
        {
            "withdraw": lambda: confirm_hand(hand, by=four[1]),
            "settle": lambda: settle_hand(hand, by=olga, reason="It was right"),
            "correct": lambda: correct_hand(hand, entry, by=olga, reason="Cas won"),
            "void": lambda: void_hand(hand, by=olga, reason="Not played"),
        }[end]()
        (left,) = Notice.objects.filter(kind="dispute")
        assert left.params["hand"] == other.pk

    def test_a_confirmation_alone_tells_nobody(self, four, game):
        confirm_hand(make_hand(game, winner=0, by=four[0]), by=four[1])
        assert not Notice.objects.exists()

    def test_a_correction_tells_the_other_players(self, four, game):
        hand = make_hand(game, winner=0, by=four[0])
        entry = HandEntry(1, "win", winner=four[2].player.pk, tiles=BOOK_HAND)
        new = correct_hand(hand, entry, by=four[0], reason="Cas won").hand
        assert recipients("corrected") == ["bob", "cas", "dee"]
        assert Notice.objects.filter(params__hand=new.pk).count() == 3
        void_hand(new, by=four[1], reason="Not played")
        assert Notice.objects.filter(params__void=True).count() == 3

    def test_late_hands_of_a_game_tell_the_organisers_once(self, four, game):
        make_organiser("olga")
        make_hand(game, winner=0, by=four[0])
        finish_game(game, by=four[0])
        for number in (2, 3):
            ask_for_late_hand(game, HandEntry(number, "draw"), by=four[0], key=str(number))
        assert recipients("late_hand") == ["olga"]

    def test_what_is_taken_back_tells_nobody(self, four, game):
        hand = make_hand(game, winner=0, by=four[0])
        with transaction.atomic():
            dispute_hand(hand, by=four[1])
            transaction.set_rollback(True)
        assert not Notice.objects.exists()
        assert not Delivery.objects.exists()


def test_a_closed_evening_tells_each_player_their_own_result(four, game):
    make_hand(game, winner=0, by=four[0])
    make_hand(game, winner=0, by=four[0])
    close_evening(game.league, club_day(), by=make_organiser())
    recaps = {one.recipient.username: one.params for one in Notice.objects.filter(kind="recap")}
    assert set(recaps) == {"ann", "bob", "cas", "dee"}
    assert sum(recap["points"] for recap in recaps.values()) == 0
    assert recaps["ann"]["points"] > 0
    assert (recaps["ann"]["best"], recaps["bob"]["best"]) == (70, None)
    assert recaps["ann"]["games"] == 1


class TestChannels:
    def test_notices_go_by_mail_and_to_devices_as_chosen(self, four):
        ann, bob = four[:2]
        device(ann, 1), device(ann, 2)
        both = {(NoticeKind.DISPUTED, channel) for channel in Channel}
        choose_notices([], both, by=bob)
        choose_notices(
            [(NoticeKind.RECAP, Channel.MAIL)], {(NoticeKind.RECAP, Channel.MAIL)}, by=bob
        )
        notify(NoticeKind.DISPUTED, [ann.pk, bob.pk], hand=1)
        notify(NoticeKind.RECAP, [bob.pk])
        sent = Delivery.objects.order_by("pk").values_list("notice__recipient", "channel")
        assert list(sent) == [
            (ann.pk, "mail"),
            (ann.pk, "push"),
            (ann.pk, "push"),
            (bob.pk, "mail"),
        ]
        assert Notice.objects.count() == 3

    def test_a_choice_of_channels_can_be_taken_back(self, four):
        among = [(NoticeKind.DISPUTED, Channel.MAIL)]
        choose_notices([], among, by=four[0])
        choose_notices(among, among, by=four[0])
        notify(NoticeKind.DISPUTED, [four[0].pk])
        assert Delivery.objects.count() == 1

    def test_nothing_is_mailed_without_a_mail_server_or_an_address(self, four, settings):
        notify(NoticeKind.DISPUTED, [make_member().pk])
        settings.SENDS_MAIL = False
        notify(NoticeKind.DISPUTED, [four[0].pk])
        notify_reset(four[0], "/account/reset/key/")
        assert not Delivery.objects.exists()
        assert Notice.objects.count() == 3

    def test_closed_accounts_are_told_nothing(self, four):
        four[0].is_active = False
        four[0].save()
        notify(NoticeKind.DISPUTED, [four[0].pk])
        assert not Notice.objects.exists()

    def test_a_secret_link_stands_in_the_delivery_alone(self, four):
        notify_reset(four[0], "/account/reset/key/")
        notify_invited([("new@example.org", "/join/secret/", {})])
        reset, invitation = Delivery.objects.order_by("pk")
        assert (reset.link, reset.address) == ("/account/reset/key/", "")
        assert (invitation.link, invitation.address) == ("/join/secret/", "new@example.org")
        assert "secret" not in str([one.params for one in Notice.objects.all()])

    def test_notices_of_roles_and_guests_reach_whom_they_are_about(self, four):
        notify_role(four[0], Role.ORGANISER, given=True)
        notify_guest(four[1], make_player("Guest"))
        assert (recipients("role"), recipients("guest")) == (["ann"], ["bob"])


class TestReading:
    def test_people_mark_only_their_own(self, four):
        notify(NoticeKind.DISPUTED, [four[0].pk, four[1].pk])
        mark_read(by=four[0], notice=Notice.objects.get(recipient=four[1]).pk)
        assert Notice.objects.filter(read_at=None).count() == 2
        mark_read(by=four[0])
        assert Notice.objects.get(read_at=None).recipient == four[1]


class TestDevices:
    @pytest.mark.parametrize(
        "endpoint",
        [
            "http://push.example.org/1",
            "https://127.0.0.1/1",
            "https://[::1]/1",
            "https://10.0.0.3/1",
            "https://localhost/1",
            "https://router.local/1",
            "https://push.example.org:8443/1",
            "https://ann:secret@push.example.org/1",
            "https://[/1",
            "",
        ],
    )
    def test_an_address_that_is_no_push_service_is_refused(self, four, endpoint):
        with pytest.raises(ValidationError):
            add_device(endpoint, p256dh=P256DH, auth=AUTH, by=four[0])

    @pytest.mark.parametrize(
        ("p256dh", "auth"), [("short", AUTH), (P256DH, "x"), (P256DH, "ü" * 22)]
    )
    def test_keys_that_are_none_are_refused(self, four, p256dh, auth):
        with pytest.raises(ValidationError):
            add_device("https://push.example.org/1", p256dh=p256dh, auth=auth, by=four[0])

    def test_a_browser_belongs_to_who_signed_in_last(self, four):
        for user in four[:2]:
            add_device("https://push.example.org/1", p256dh=P256DH, auth=AUTH, by=user)
        assert PushSubscription.objects.get().user == four[1]

    def test_the_oldest_makes_room(self, four):
        for number in range(MOST_DEVICES + 2):
            device(four[0], number)
        kept = PushSubscription.objects.values_list("endpoint", flat=True)
        assert len(kept) == MOST_DEVICES
        assert f"https://push.example.org/{four[0].pk}/0" not in kept

    def test_only_its_person_removes_a_device(self, four):
        own = device(four[0])
        remove_device(own.pk, by=four[1])
        assert PushSubscription.objects.exists()
        remove_device(own.pk, by=four[0])
        assert not PushSubscription.objects.exists()

    def test_a_visitor_has_none(self):
        with pytest.raises(PermissionDenied):
            mark_read(by=AnonymousUser())
