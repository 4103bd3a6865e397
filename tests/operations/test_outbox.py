"""What waits is sent: in its reader's language, at least once, and again after trouble."""

import base64
import json
from datetime import timedelta
from types import SimpleNamespace

import http_ece
import pytest
import requests
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.sessions.models import Session
from django.core import mail
from django.db.models import F
from django.utils import timezone

from scoring.models import Channel, Club, Delivery, Notice, NoticeKind, PushSubscription, club
from scoring.models.notices import KEPT_FOR
from scoring.operations.outbox import mail as mails
from scoring.operations.outbox import prune, push, send_due
from scoring.operations.outbox.push_session import push_session
from scoring.operations.outbox.sending import GIVE_UP_AFTER, LEASE, _take
from scoring.services.invitations import invite, mail_invitation, revoke_invitation
from scoring.services.notices import (
    add_device,
    choose_notices,
    notify,
    notify_reset,
)
from tests.factories import make_league, make_member, make_organiser, make_player
from tests.support.mail_server import mail_server

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _site(settings, tmp_path):
    settings.SENDS_MAIL = True
    settings.SITE_URL = "https://club.example"
    settings.VAPID_KEY = tmp_path / "push_key.pem"


@pytest.fixture
def ann():
    return with_mail("ann")


def with_mail(name):
    user = make_member(name, player=make_player(name.title()))
    user.email = f"{name}@example.org"
    user.save()
    return user


def tell(*users, kind=NoticeKind.DISPUTED):
    about = {"hand": 3, "number": 7, "game": 2, "league": make_league("Winter").pk}
    notify(kind, [user.pk for user in users], player=make_player().pk, **about)


def make_due(**fields):
    Delivery.objects.update(next_try_at=timezone.now(), **fields)


@pytest.fixture
def server(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with mail_server() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        yield server


class TestMail:
    def test_a_mail_says_what_happened_and_how_to_end_it(self, ann, client):
        tell(ann)
        assert send_due() == 1
        (sent,) = mail.outbox
        delivery = Delivery.objects.get()
        assert sent.to == ["ann@example.org"]
        assert sent.subject == "Hand 7 is disputed"
        assert "says that hand 7 of Winter is wrong" in sent.body
        assert "https://club.example/hands/3/" in sent.body
        assert "https://club.example/account/notices/" in sent.body
        assert sent.extra_headers["Message-ID"].startswith(f"<{delivery.key}@")
        assert (delivery.state, delivery.sent_at is None) == ("sent", False)
        stop = sent.extra_headers["List-Unsubscribe"][1:-1].removeprefix("https://club.example")
        assert client.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
        tell(ann)
        assert send_due() == 0

    @pytest.mark.parametrize(
        ("chosen", "clubs", "words"),
        [("nl", "", "betwist"), ("", "nl", "betwist"), ("en", "nl", "disputed")],
    )
    def test_a_mail_is_in_the_readers_language_or_the_clubs(
        self, ann, monkeypatch, chosen, clubs, words
    ):
        monkeypatch.setattr(
            type(ann), "own_settings", SimpleNamespace(language=chosen), raising=False
        )
        club.remember(Club(language=clubs), seconds=3600)
        monkeypatch.setattr(
            "scoring.queries.notice_texts._",
            lambda text: text.replace("disputed", {"nl": "betwist"}.get(active(), "disputed")),
        )
        tell(ann)
        send_due()
        assert words in mail.outbox[0].subject

    def test_an_invitation_goes_to_its_address_and_its_link_is_forgotten(self):
        code = self.invited()[1]
        send_due()
        assert mail.outbox[0].to == ["new@example.org"]
        assert f"https://club.example/join/{code}/" in mail.outbox[0].body
        assert Delivery.objects.get().link == ""

    def test_an_invitation_that_was_revoked_is_not_sent(self):
        revoke_invitation(self.invited()[0], by=make_organiser())
        send_due()
        delivery = Delivery.objects.get()
        assert (mail.outbox, delivery.state, delivery.link) == ([], "given_up", "")
        assert "revoked" in delivery.reason

    def invited(self):
        invitation, code = invite(email="new@example.org", by=make_organiser())
        mail_invitation(invitation, code)
        return invitation, code

    def test_a_reset_cannot_be_unsubscribed_from(self, ann):
        notify_reset(ann, "/account/reset/key/")
        send_due()
        assert "/account/reset/key/" in mail.outbox[0].body
        assert "List-Unsubscribe" not in mail.outbox[0].extra_headers

    def test_a_mail_without_an_address_is_given_up_with_the_reason(self, ann):
        tell(ann)
        ann.email = ""
        ann.save()
        send_due()
        delivery = Delivery.objects.get()
        assert (delivery.state, delivery.reason) == ("given_up", "The account has no mail address.")

    def test_what_is_urgent_goes_first(self, ann):
        tell(ann, kind=NoticeKind.LATE_HAND)
        tell(ann)
        send_due()
        assert [sent.subject for sent in mail.outbox] == [
            "Hand 7 is disputed",
            "A late hand waits for you",
        ]


def active():
    from django.utils.translation import get_language

    return get_language()


class TestTrouble:
    def test_a_refused_recipient_does_not_hold_up_other_mails(self, ann, server):
        bob, cas = with_mail("bob"), with_mail("cas")
        server.refused = {"ann@example.org": "550 nobody here", "bob@example.org": "451 later"}
        tell(ann, bob, cas)
        assert send_due() == 3
        assert [mail["To"] for mail in server.mails] == ["cas@example.org"]
        states = dict(Delivery.objects.values_list("notice__recipient__username", "state"))
        assert states == {"ann": "given_up", "bob": "waiting", "cas": "sent"}
        reasons = (
            Delivery.objects.exclude(reason="").order_by("pk").values_list("reason", flat=True)
        )
        assert list(reasons) == ["550 nobody here", "451 later"]
        server.refused = {}
        make_due()
        assert send_due() == 1
        assert server.mails[-1]["To"] == "bob@example.org"

    @pytest.mark.parametrize("trouble", ["down", "hangs"])
    def test_a_mail_server_that_is_away_is_asked_once_and_again_later(
        self, ann, server, settings, monkeypatch, trouble
    ):
        monkeypatch.setattr(mails, "TIMEOUT", 0.2)
        if trouble == "hangs":
            server.hangs = True
        else:
            port, settings.EMAIL_PORT = settings.EMAIL_PORT, 9
        tell(ann, with_mail("bob"))
        assert send_due() == 1
        tried = Delivery.objects.get(tries=1)
        assert tried.reason
        assert tried.next_try_at > timezone.now()
        server.hangs = False
        if trouble == "down":
            settings.EMAIL_PORT = port
        make_due()
        assert send_due() == 2
        assert len(server.mails) == 2

    def test_a_mail_in_trouble_waits_longer_each_time_and_is_given_up_after_a_day(
        self, ann, settings
    ):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
        tell(ann)
        pauses = []
        for _try in range(3):
            make_due()
            send_due()
            pauses.append((Delivery.objects.get().next_try_at - timezone.now()).total_seconds())
        assert [round(pause, -1) for pause in pauses] in ([10, 30, 60], [20, 30, 60])
        Notice.objects.update(made_at=timezone.now() - GIVE_UP_AFTER)
        make_due()
        send_due()
        delivery = Delivery.objects.get()
        assert delivery.state == "given_up"
        assert "refused" in delivery.reason

    def test_a_text_that_cannot_be_made_does_not_hold_up_other_mails(self, ann):
        notify(NoticeKind.DISPUTED, [ann.pk])
        tell(with_mail("bob"))
        send_due()
        assert [sent.to for sent in mail.outbox] == [["bob@example.org"]]
        assert "KeyError" in Delivery.objects.get(state="waiting").reason

    def test_what_a_worker_took_is_due_again_when_it_died(self, ann):
        tell(ann)
        key = _take(()).key
        assert _take(()) is None
        Delivery.objects.update(next_try_at=F("next_try_at") - timedelta(seconds=15))
        assert _take(()).key == key

    def test_what_workers_die_of_is_not_due_again_every_time_at_once(self, ann):
        tell(ann)
        waits = []
        for _worker in range(8):
            _take(())
            waits.append(Delivery.objects.get().next_try_at - timezone.now())
            Delivery.objects.update(next_try_at=timezone.now())
        assert waits[0] < timedelta(seconds=20)
        assert waits[-1] > LEASE / 2


class FakeService:
    """A push service: it answers ``status``, and keeps what was posted."""

    def __init__(self, status=201):
        self.status, self.posted = status, []

    def post(self, endpoint, **request):
        self.posted.append((endpoint, request))
        response = requests.Response()
        response.status_code, response._content = self.status, b""
        return response


@pytest.fixture
def service(monkeypatch):
    service = FakeService()
    monkeypatch.setattr(push, "push_session", lambda: service)
    return service


@pytest.fixture
def browser(ann):
    """The secret key of a browser that shows Ann's notices."""
    key = generate_private_key(SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    add_device(
        "https://push.example.org/ann",
        p256dh=base64.urlsafe_b64encode(point).decode(),
        auth=base64.urlsafe_b64encode(b"0123456789abcdef").decode(),
        by=ann,
    )
    choose_notices(
        [(NoticeKind.DISPUTED, Channel.PUSH)],
        [(NoticeKind.DISPUTED, channel) for channel in Channel],
        by=ann,
    )
    return key


class TestPush:
    @pytest.mark.thorough("postgresql")
    def test_only_the_browser_can_read_a_push_message(self, ann, browser, service):
        tell(ann)
        send_due()
        ((endpoint, request),) = service.posted
        text = http_ece.decrypt(
            request["data"], private_key=browser, auth_secret=b"0123456789abcdef"
        )
        message, delivery = json.loads(text), Delivery.objects.get()
        assert endpoint == "https://push.example.org/ann"
        assert (message["title"], message["url"]) == ("Hand 7 is disputed", "/hands/3/")
        assert message["tag"] == request["headers"]["topic"] == delivery.key
        assert request["headers"]["authorization"].startswith("vapid t=")
        assert delivery.state == "sent"

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_is_gone_is_removed(self, ann, browser, service, status):
        service.status = status
        tell(ann)
        send_due()
        assert not PushSubscription.objects.exists()
        assert not Delivery.objects.exists()
        assert Notice.objects.exists()

    def test_a_push_message_in_trouble_is_tried_again(self, ann, browser, service):
        service.status = 503
        tell(ann)
        send_due()
        assert (Delivery.objects.get().state, Delivery.objects.get().tries) == ("waiting", 1)
        service.status = 201
        make_due()
        send_due()
        topics = {request["headers"]["topic"] for _endpoint, request in service.posted}
        assert (len(service.posted), len(topics)) == (2, 1)

    def test_a_key_that_is_no_point_is_given_up(self, ann, browser, service):
        PushSubscription.objects.update(p256dh=base64.urlsafe_b64encode(65 * b"x").decode())
        tell(ann)
        send_due()
        assert Delivery.objects.get().state == "given_up"

    def test_nothing_inside_the_network_is_reached(self):
        with mail_server() as inside:
            port = inside.server_address[1]
            with pytest.raises(requests.ConnectionError, match="no address of the internet"):
                push_session().post(f"https://localhost:{port}/", timeout=5)
            with pytest.raises(requests.exceptions.InvalidSchema):
                push_session().post(f"http://localhost:{port}/", timeout=5)


def test_old_notices_are_deleted_a_few_at_a_time(ann, monkeypatch):
    monkeypatch.setattr("scoring.operations.outbox.pruning.AT_ONCE", 2)
    tell(*(with_mail(name) for name in ("bob", "cas", "dee")))
    Notice.objects.update(made_at=timezone.now() - KEPT_FOR - timedelta(hours=1))
    tell(ann)
    assert [prune(), prune(), prune()] == [2, 1, 0]
    assert Notice.objects.get().recipient == ann
    assert Delivery.objects.count() == 1


def test_a_session_that_has_ended_leaves_no_row(client, ann):
    now = timezone.now()
    client.force_login(ann)
    running = client.session.session_key
    ended = Session.objects.create(session_key="ended", expire_date=now - timedelta(minutes=1))
    for key in (running, ended.session_key):
        UserSession.objects.update_or_create(
            session_key=key,
            defaults={"user": ann, "ip": "192.0.2.1", "last_seen_at": now - timedelta(days=91)},
        )
    assert prune() == 2
    assert Session.objects.get().session_key == UserSession.objects.get().session_key == running
    assert prune() == 0
