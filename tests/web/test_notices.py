"""The bell, the list of notices, and what somebody chooses to hear of."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Channel, Delivery, Notice, NoticeChoice, NoticeKind, PushSubscription
from scoring.services.notices import notify
from scoring.services.unsubscribing import unsubscribe_token
from tests.factories import make_league, make_member, make_organiser, make_owner, make_player
from tests.services.test_notices import AUTH, P256DH

pytestmark = pytest.mark.django_db

URL, CHOICES = "/notices/", "/account/notices/"


@pytest.fixture
def ann(client):
    user = make_member("ann", player=make_player("Ann"))
    client.force_login(user)
    return user


def tell(user, **more):
    about = {"hand": 3, "number": 7, "game": 2, "league": make_league("Winter").pk}
    notify(NoticeKind.DISPUTED, [user.pk], player=make_player().pk, **about, **more)


class TestTheBell:
    def test_the_bell_has_the_number_of_what_is_unread(self, client, ann):
        assert "unread notice" not in page(client, "/rules/")
        tell(ann)
        assert "1 unread notice<" in page(client, "/rules/")
        tell(ann)
        assert "2 unread notices<" in page(client, "/rules/")

    def test_the_bell_is_not_shown_to_visitors(self, client, ann):
        tell(ann)
        client.logout()
        assert URL not in page(client, "/rules/")

    def test_the_bell_costs_no_query_of_its_own(self, client, ann):
        tell(ann)
        with CaptureQueriesContext(connection) as queries:
            client.get("/rules/")
        about = [query["sql"] for query in queries if "scoring_notice" in query["sql"]]
        assert len(about) == 1
        assert "auth_user" in about[0]

    def test_the_bell_counts_by_itself_where_the_account_came_without_the_number(self, client, ann):
        tell(ann)
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert "1 unread notice<" in page(client, "/rules/")


def page(client, url):
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


class TestTheList:
    def test_the_list_of_notices_says_what_happened_and_opening_marks_as_read(self, client, ann):
        tell(ann)
        assert "says that hand 7 of Winter is wrong" in page(client, URL)
        notice = Notice.objects.get()
        opened = client.post(f"{URL}{notice.pk}/")
        assert (opened.status_code, opened["Location"]) == (302, "/hands/3/")
        assert "1 unread notice<" not in page(client, URL)

    def test_all_are_marked_at_once(self, client, ann):
        tell(ann)
        tell(ann)
        client.post(f"{URL}read/")
        assert not Notice.objects.filter(read_at=None).exists()

    def test_people_open_only_their_own(self, client, ann):
        tell(make_member())
        assert client.post(f"{URL}{Notice.objects.get().pk}/").status_code == 404
        assert "No notices" in page(client, URL)

    def test_the_list_of_notices_asks_the_same_queries_for_one_and_three(
        self, client, ann, django_assert_num_queries
    ):
        for _time in (1, 2):
            tell(ann)
            with django_assert_num_queries(8):
                client.get(URL)
            tell(ann)

    @pytest.mark.parametrize("kind", NoticeKind)
    def test_every_kind_has_a_text_and_a_link(self, client, ann, kind):
        about = {
            "hand": 3, "number": 7, "game": 2, "league": 999, "player": 999, "void": True,
            "withdrawn": True, "day": "2026-11-20", "games": 2, "points": -30, "best": 120,
            "role": "owner", "given": False, "about": "mail",
        }  # fmt: skip
        notify(kind, [ann.pk], **about)
        assert "%(" not in page(client, URL)
        opened = client.post(f"{URL}{Notice.objects.get().pk}/")
        assert opened["Location"].startswith("/")


class TestWhatWasNotSent:
    def test_owners_read_why_a_notice_was_not_sent(self, client, ann):
        tell(ann)
        Delivery.objects.create(
            notice=Notice.objects.get(), channel=Channel.MAIL, state="given_up", reason="550 nobody"
        )
        client.force_login(make_owner())
        text = page(client, f"{URL}undelivered/")
        assert "550 nobody" in text
        assert "Ann" in text
        assert f"{URL}undelivered/" in page(client, URL)

    def test_organisers_do_not_read_why_a_notice_was_not_sent(self, client):
        client.force_login(make_organiser())
        assert client.get(f"{URL}undelivered/").status_code == 403
        assert "undelivered" not in page(client, URL)


class TestChoices:
    def test_what_is_ticked_is_sent(self, client, ann):
        assert "Disputed" not in page(client, CHOICES)
        assert client.post(CHOICES, {"recap": ["mail"], "disputed": ["push"]}).status_code == 302
        chosen = NoticeChoice.objects.filter(user=ann, wanted=True)
        assert set(chosen.values_list("kind", "channel")) == {
            ("recap", "mail"),
            ("disputed", "push"),
        }

    def test_a_wrong_form_changes_nothing(self, client, ann):
        assert client.post(CHOICES, {"recap": ["pigeon"]}).status_code == 422
        assert not NoticeChoice.objects.exists()

    def test_organisers_choose_about_their_own_kinds(self, client, ann):
        assert 'name="late_hand"' not in page(client, CHOICES)
        client.force_login(make_organiser())
        assert 'name="late_hand"' in page(client, CHOICES)

    def test_the_page_says_whether_mails_are_sent(self, client, ann, settings):
        assert "no mail server" in page(client, CHOICES)
        settings.SENDS_MAIL = True
        assert "no mail address" in page(client, CHOICES)
        ann.email = "ann@example.org"
        ann.save()
        assert "Mails go to ann@example.org." in page(client, CHOICES)

    def test_the_page_opens_where_no_key_can_be_kept(self, client, ann, settings, tmp_path):
        settings.VAPID_KEY = tmp_path / "missing" / "key"
        assert "push.js" not in page(client, CHOICES)


class TestDevices:
    def test_a_browser_is_added_and_removed(self, client, ann):
        sent = {"endpoint": "https://push.example.org/1", "p256dh": P256DH, "auth": AUTH}
        added = client.post(f"{CHOICES}add-device/", {**sent, "device": "Firefox, Android"})
        assert added.status_code == 204
        assert "Firefox, Android" in page(client, CHOICES)
        own = PushSubscription.objects.get()
        assert client.post(f"{CHOICES}remove-device/", {"device": own.pk}).status_code == 302
        assert not PushSubscription.objects.exists()

    def test_an_address_inside_the_network_is_refused(self, client, ann):
        sent = {"endpoint": "https://10.0.0.1/1", "p256dh": P256DH, "auth": AUTH}
        refused = client.post(f"{CHOICES}add-device/", sent)
        assert refused.status_code == 422
        assert refused.content == b"This is no address of a push service."

    @pytest.mark.parametrize("pk", ["", "x", "9" * 30])
    def test_what_is_no_device_is_not_found(self, client, ann, pk):
        assert client.post(f"{CHOICES}remove-device/", {"device": pk}).status_code == 404


class TestStop:
    def test_a_link_asks_first(self, client, ann):
        client.logout()
        url = f"{URL}stop/{unsubscribe_token(ann.pk, NoticeKind.RECAP)}/"
        assert "Send no more of these" in page(client, url)
        assert not NoticeChoice.objects.exists()
        assert "You get no more of these mails" in client.post(url).content.decode()
        assert not NoticeChoice.objects.get(user=ann, kind="recap", channel="mail").wanted

    @pytest.mark.parametrize("change", [lambda token: token[:-1], lambda token: "9" + token])
    def test_a_link_of_nobody_is_not_found(self, client, ann, change):
        url = f"{URL}stop/{change(unsubscribe_token(ann.pk, NoticeKind.RECAP))}/"
        assert client.post(url).status_code == 404

    def test_a_reset_cannot_be_stopped(self, client, ann):
        url = f"{URL}stop/{unsubscribe_token(ann.pk, NoticeKind.RESET)}/"
        assert client.post(url).status_code == 404
