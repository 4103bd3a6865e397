"""Who added a way into an account that was handed over meanwhile is asked anew, and adds none."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client

from scoring.models import ApiToken, PushSubscription
from scoring.models.permissions import PermissionDenied, Scope
from scoring.services.accounts import hand_over
from scoring.services.identities import Identity, connect_identity
from scoring.services.notices import add_device
from scoring.services.tokens import make_token
from tests.factories import make_member, make_owner

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

PASSWORD = "zeppelin-4-moss"
WAYS_IN = (ApiToken, Authenticator, EmailAddress, PushSubscription, SocialAccount)
ADDS = {
    "token": lambda by: make_token("phone", [Scope.READ], by=by),
    "identity": lambda by: connect_identity(by, Identity("https://idp", "7"), by=by),
    "device": lambda by: add_device("https://push.example/1", p256dh="", auth="", by=by),
}
PAGES = ("mail/", "mfa/app/", "mfa/recovery-codes/new/", "mfa/keys/add/", "mfa/keys/1/edit/")


class HandsOver:
    """Hands the account over between the sign-in of a request and its view."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_view(self, request, *_view):
        assert request.user.username == "ann"
        hand_over(User.objects.get(username="ann"), by=make_owner())


@pytest.fixture
def ann():
    account = make_member("ann")
    account.set_password(PASSWORD)
    account.save()
    return account


def require_none():
    for ways_in in WAYS_IN:
        assert not ways_in.objects.exists()


@pytest.mark.parametrize("add", ADDS.values(), ids=list(ADDS))
def test_no_way_in_is_added_by_a_service_to_an_account_handed_over(add, ann):
    hand_over(User.objects.get(pk=ann.pk), by=make_owner())
    with pytest.raises(PermissionDenied):
        add(ann)
    require_none()


@pytest.mark.parametrize("path", PAGES)
def test_no_way_in_is_added_by_a_page_to_an_account_handed_over(path, ann, settings):
    before, client = Client(), Client()
    before.post("/sign-in/", {"username": "ann", "password": PASSWORD})
    before.post("/account/again/", {"password": PASSWORD})
    client.cookies = before.cookies
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.HandsOver"]
    sent = {"action_add": "", "email": "organiser@club.example"}
    assert client.post(f"/account/{path}", sent).status_code == 403
    require_none()


def test_a_link_in_a_mail_brings_no_address_back(ann, monkeypatch):
    address = EmailAddress.objects.create(user=ann, email="organiser@club.example")
    link = f"/account/mail/confirm/{EmailConfirmationHMAC(address).key}/"
    read = EmailConfirmationHMAC.from_key

    def read_before(key):
        found = read(key)
        if found and not EmailAddress.objects.filter(verified=True).exists():
            hand_over(User.objects.get(pk=ann.pk), by=make_owner())
        return found

    monkeypatch.setattr(EmailConfirmationHMAC, "from_key", read_before)
    assert Client().post(link).status_code == 404
    assert not EmailAddress.objects.filter(verified=True).exists()
