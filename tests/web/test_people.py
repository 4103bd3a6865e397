"""The pages on which organisers look after the people of the club."""

import re
from io import BytesIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from openpyxl import Workbook

from scoring.models import AuditEntry, Delivery, Invitation, Notice, Player
from scoring.models.permissions import Role, is_owner
from scoring.models.roles import role_of
from scoring.queries import leading
from scoring.queries.notices import in_words, text_of_delivery
from scoring.services.invitations import invite, mail_invitation
from scoring.web.people.person import ACTIONS
from tests.factories import (
    make_game,
    make_hand,
    make_member,
    make_organiser,
    make_owner,
    make_player,
    make_token,
)
from tests.support.pages import words

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def organiser():
    return make_organiser("olga")


@pytest.fixture
def as_organiser(client, organiser):
    client.force_login(organiser)
    return client


@pytest.fixture
def as_owner(client):
    client.force_login(make_owner("otto"))
    return client


def do(as_organiser, player, what, **fields):
    return as_organiser.post(f"/people/{player.pk}/", {"do": what, **fields})


def link_in(response):
    return re.search(r"http://testserver(/account/password/[^<\s]+)", response.content.decode())[1]


def do_account(as_organiser, account, what, **fields):
    return as_organiser.post(f"/people/accounts/{account.pk}/", {"do": what, **fields})


class TestRevokingAllInvitations:
    def test_revoking_all_invitations_ends_those_that_still_hold_and_is_one_entry(
        self, as_organiser, organiser
    ):
        players = [make_player(name) for name in ("Ann", "Bo")]
        for player in players:
            invite(player, by=organiser)
        invite(once=False, by=organiser)
        page = as_organiser.get("/people/invitations/").content.decode()
        assert 'value="all"' in page
        answer = as_organiser.post(
            "/people/invitations/revoke/", {"invitation": "all"}, follow=True
        )
        assert "3 invitations are revoked." in words(answer)
        assert not Invitation.objects.running().exists()
        assert 'value="all"' not in answer.content.decode()
        noted = AuditEntry.objects.get(action="revoke_invitations")
        assert set(noted.details["people"]) == {player.pk for player in players}
        assert noted.details["number"] == 3


class TestTakingOutAName:
    def test_taking_out_a_name_asks_first_and_says_that_it_stays_so(self, as_owner):
        guest = make_player("Gwen Guest")
        page = f"/people/{guest.pk}/name/"
        assert page in as_owner.get(f"/people/{guest.pk}/").content.decode()
        assert "cannot be taken back" in words(as_owner.get(page))
        assert as_owner.post(page, {}).status_code == 422
        assert Player.objects.get().name == "Gwen Guest"
        assert as_owner.post(page, {"sure": "on"}).url == f"/people/{guest.pk}/"
        assert Player.objects.get().name == f"N. N. {guest.pk}"
        assert page not in as_owner.get(f"/people/{guest.pk}/").content.decode()
        assert as_owner.get(page).status_code == 404

    def test_who_has_an_account_leaves_by_themselves(self, as_owner):
        member = make_player("Mia Member")
        make_member("mia", player=member)
        refused = as_owner.post(f"/people/{member.pk}/name/", {"sure": "on"})
        assert refused.status_code == 422
        assert "has an account" in words(refused)
        assert "/name/" not in as_owner.get(f"/people/{member.pk}/").content.decode()


class TestTheList:
    @pytest.fixture
    def club(self, organiser):
        make_player("Gwen Guest")
        make_player("Zoë Ode")
        make_player("Lea Left", active=False)
        make_member("mia", player=make_player("Mia Member"))
        return make_member("nobody")

    def test_the_list_of_people_has_one_row_a_person(self, as_organiser, club):
        shown = words(as_organiser.get("/people/"))
        for name in ("Gwen Guest", "Lea Left", "Mia Member", "mia", "nobody", "olga", "organiser"):
            assert name in shown
        assert shown.count("never signed in") >= 2

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("q=gwen", {"Gwen Guest"}),
            ("q=MIA", {"Mia Member"}),
            ("q=zoe", {"Zoë Ode"}),
            ("q=ZOË O", {"Zoë Ode"}),
            ("show=never", {"Mia Member", "nobody"}),
            ("show=no-account", {"Gwen Guest", "Zoë Ode"}),
            ("show=left", {"Lea Left"}),
            ("show=organisers", {"olga"}),
            ("show=nonsense&q=lea", {"Lea Left"}),
            ("q=zzz", set()),
        ],
    )
    def test_the_list_of_people_is_searched_and_narrowed(self, as_organiser, club, query, names):
        response = as_organiser.get(f"/people/?{query}")
        assert {row.name for row in response.context["rows"]} == names

    def test_the_list_of_people_costs_the_same_for_three_people_and_for_thirty(
        self, as_organiser, club, django_assert_max_num_queries
    ):
        def queries():
            with django_assert_max_num_queries(40) as counted:
                as_organiser.get("/people/")
            return len(counted)

        few = queries()
        for number in range(30):
            make_member(player=make_player(f"Player {number}"))
        assert queries() == few


class TestCardsForMany:
    PATH = "/people/invitations/cards/"

    def ticked(self, client, query=""):
        form = client.get(f"{self.PATH}{query}").context["form"]
        return {form.fields["players"].coerce(pk).name for pk in form["players"].initial}

    def test_each_person_gets_a_link_of_their_own_that_is_shown_once(self, as_organiser):
        players = [make_player(name) for name in ("Ann", "Bo")]
        sent = {"players": [player.pk for player in players], "days": "7"}
        page = as_organiser.post(self.PATH, sent).content.decode()
        codes = re.findall(r"http://testserver/join/([\w-]{20,})/<", page)
        assert page.count("<svg") >= 2
        for player, code in zip(players, codes, strict=True):
            joined = Client().post(f"/join/{code}/", {"password": "tiles on the table"})
            assert joined.status_code == 302
            player.refresh_from_db()
            assert player.user is not None
        assert codes[0] not in as_organiser.get(self.PATH).content.decode()
        noted = AuditEntry.objects.get(action="invite_each")
        assert noted.details["people"] == [player.pk for player in players]

    def test_making_cards_again_asks_first_and_ends_those_of_before(self, as_organiser):
        sent = {"players": [make_player("Ann").pk], "days": "7"}
        as_organiser.post(self.PATH, sent)
        asked = as_organiser.post(self.PATH, sent)
        assert asked.status_code == 422
        assert "1 of them has an invitation that still holds." in words(asked)
        first = Invitation.objects.get()
        assert first.revoked_at is None
        assert as_organiser.post(self.PATH, {**sent, "again": "on"}).status_code == 200
        first.refresh_from_db()
        assert first.revoked_at is not None
        assert Invitation.objects.running().count() == 1

    def test_who_has_no_account_and_no_invitation_is_ticked(self, as_organiser):
        invited, other = make_player("Ann"), make_player("Bo")
        make_player("Guest", guest=True)
        make_player("Left", active=False)
        make_member(player=make_player("Mia"))
        as_organiser.post(self.PATH, {"players": [invited.pk], "days": "7"})
        shown = words(as_organiser.get(self.PATH))
        assert "Ann (invited already)" in shown
        assert "Guest (guest)" in shown
        assert not {"Left", "Mia"} & set(shown.split())
        assert self.ticked(as_organiser) == {other.name}
        assert self.ticked(as_organiser, "?tick=none") == set()

    @pytest.mark.parametrize("players", [[], ["0"], ["nobody"]])
    def test_nobody_is_refused_at_the_field(self, as_organiser, players):
        make_player("Ann")
        refused = as_organiser.post(self.PATH, {"players": players, "days": "7"})
        assert refused.status_code == 422
        assert refused.context["form"].errors["players"]
        assert not Invitation.objects.exists()

    def test_making_cards_for_many_costs_the_same_for_three_people_and_for_thirty(
        self, as_organiser, django_assert_max_num_queries
    ):
        def queries(number):
            players = [make_player() for _one in range(number)]
            sent = {"players": [player.pk for player in players], "days": "7"}
            with django_assert_max_num_queries(40) as counted:
                assert as_organiser.post(self.PATH, sent).status_code == 200
            return len(counted)

        assert queries(3) == queries(30)

    def test_the_page_of_cards_says_that_everybody_has_an_account(self, as_organiser):
        assert "Everybody has an account" in words(as_organiser.get(self.PATH))


class TestOnePerson:
    @pytest.fixture
    def player(self):
        return make_player("Zoe")

    def test_a_person_is_renamed_and_a_look_alike_needs_a_second_yes(self, as_organiser, player):
        make_player("Ann Lee")
        refused = do(as_organiser, player, "rename", name="Ánn Lee")
        assert refused.status_code == 422
        assert "There is already Ann Lee: the same person?" in words(refused)
        assert 'name="anyway"' in refused.content.decode()
        assert do(as_organiser, player, "rename", name="Ánn Lee", anyway="on").status_code == 302
        player.refresh_from_db()
        assert player.name == "Ánn Lee"

    def test_a_person_leaves_and_comes_back(self, as_organiser, player):
        for what, active in (("leave", False), ("back", True)):
            do(as_organiser, player, what)
            player.refresh_from_db()
            assert player.active == active

    def test_who_has_left_is_asked_about_account_and_role(self, as_owner, player):
        member = make_organiser(player=player)
        page = as_owner.get(f"/people/{player.pk}/").content.decode()
        assert 'name="closes"' in page
        assert 'name="takes_role"' in page
        do(as_owner, player, "leave", closes="on", takes_role="on")
        gone = User.objects.get(pk=member.pk)
        assert (gone.is_active, role_of(gone), gone.player.active) == (False, Role.MEMBER, False)

    def test_an_organiser_who_may_not_close_an_account_is_told_so(self, as_organiser, player):
        make_organiser(player=player)
        page = as_organiser.get(f"/people/{player.pk}/").content.decode()
        assert 'name="closes"' not in page
        assert "Account and role stay" in page
        assert do(as_organiser, player, "leave", closes="on").status_code == 403
        assert do(as_organiser, player, "leave").status_code == 302
        kept = User.objects.get(player=player)
        assert (kept.is_active, role_of(kept)) == (True, Role.ORGANISER)

    @pytest.mark.parametrize("what", ["leave", "close", "end", "unlink", "organiser", "owner"])
    def test_a_person_in_play_is_not_signed_out_unawares(self, as_owner, what):
        game = make_game()
        member = game.players[0]
        make_member(player=member)
        page = as_owner.get(f"/people/{member.pk}/").content.decode()
        [asked] = [one for one in page.split("<details")[1:] if f'value="{what}"' in one]
        assert f'href="{game.get_absolute_url()}"' in asked.split("</details>")[0]

    def test_an_organiser_is_asked_about_the_end_of_every_sign_in_before_a_new_role(
        self, as_owner, player
    ):
        make_member(player=player)
        page = words(as_owner.get(f"/people/{player.pk}/"))
        assert page.count("The new role ends every sign-in") == 2
        answer = words(as_owner.post(f"/people/{player.pk}/", {"do": "organiser"}, follow=True))
        assert "sign in anew" in answer
        (row,) = in_words(list(Notice.objects.filter(recipient=player.user)))
        assert "signed you out on every device" in row.text.body

    def test_a_person_who_is_back_is_still_shut_out_and_the_page_says_so(
        self, as_organiser, player
    ):
        member = make_member(player=player)
        do(as_organiser, player, "leave", closes="on")
        do(as_organiser, player, "back")
        page = as_organiser.get(f"/people/{player.pk}/").content.decode()
        assert '<a href="#account-title">The account is still closed.</a>' in page
        do(as_organiser, player, "open")
        assert "still closed" not in words(as_organiser.get(f"/people/{player.pk}/"))
        (row,) = in_words(list(Notice.objects.filter(recipient=member)))
        assert row.text.title == "Your account is open again"

    def test_the_account_of_a_person_is_closed_and_opened(self, as_organiser, player):
        member = make_member(player=player)
        for what, is_open in (("close", False), ("open", True)):
            assert f'value="{what}"' in as_organiser.get(f"/people/{player.pk}/").content.decode()
            do(as_organiser, player, what)
            assert User.objects.get(pk=member.pk).is_active == is_open

    def test_the_account_of_a_person_is_deleted_once_it_is_closed_and_unlinked(
        self, as_owner, player
    ):
        member = make_member(player=player)
        do(as_owner, player, "close")
        assert 'value="delete"' not in as_owner.get(f"/people/{player.pk}/").content.decode()
        do(as_owner, player, "unlink")
        page = as_owner.get(f"/people/accounts/{member.pk}/").content.decode()
        assert 'value="delete"' in page
        assert do_account(as_owner, member, "delete").url == "/people/"
        assert not User.objects.filter(pk=member.pk).exists()

    def test_a_person_is_offered_the_accounts_that_the_organiser_may_give(
        self, as_organiser, player
    ):
        make_owner("otto")
        make_member("mia")
        page = words(as_organiser.get(f"/people/{player.pk}/"))
        assert "mia" in page
        assert "otto" not in page

    @pytest.mark.parametrize("what", ["second_factor", "end", "unlink", "close"])
    def test_an_organiser_is_asked_before_something_is_taken_from_a_person(
        self, as_organiser, player, what
    ):
        TOTP.activate(make_member(player=player), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
        page = as_organiser.get(f"/people/{player.pk}/").content.decode()
        [asked] = [
            one
            for one in re.findall(r"<details.*?</details>", page, re.DOTALL)
            if f'value="{what}"' in one
        ]
        assert "<summary" in asked

    def test_a_person_gets_an_account_with_a_first_password(self, as_organiser, player, client):
        assert do(as_organiser, player, "password", username="zoe", password="x").status_code == 422
        password = "tiles on the table"
        assert (
            do(as_organiser, player, "password", username="zoe", password=password).status_code
            == 302
        )
        player.refresh_from_db()
        assert player.user.check_password(password)
        (row,) = in_words(list(Notice.objects.filter(recipient=player.user)))
        assert row.text.title == "Somebody else knows your password"

    def test_a_person_is_linked_and_unlinked(self, as_organiser, player):
        member = make_member("mia")
        do(as_organiser, player, "link", account=member.pk)
        player.refresh_from_db()
        assert player.user == member
        assert as_organiser.get(f"/people/accounts/{member.pk}/").url == f"/people/{player.pk}/"
        do(as_organiser, player, "unlink")
        player.refresh_from_db()
        assert player.user is None
        assert as_organiser.get(f"/people/accounts/{member.pk}/").status_code == 200
        do_account(as_organiser, member, "link_player", player=player.pk)
        player.refresh_from_db()
        assert player.user == member

    def test_a_person_gets_an_invitation_whose_link_is_shown_once(self, as_organiser, player):
        response = do(as_organiser, player, "invite", days="7")
        link = re.search(r"http://testserver/join/[\w-]{20,}/", response.content.decode())[0]
        assert "<svg" in response.content.decode()
        assert "style=" not in response.content.decode()
        assert link not in as_organiser.get(f"/people/{player.pk}/").content.decode()
        assert Invitation.objects.get().digest not in link

    def test_a_person_is_made_organiser_and_by_an_owner_owner_and_member_again(
        self, as_owner, player
    ):
        member = make_member(player=player)
        for what, role in (
            ("organiser", Role.ORGANISER),
            ("owner", Role.OWNER),
            ("take", Role.ORGANISER),
            ("take", Role.MEMBER),
        ):
            assert do(as_owner, player, what).status_code == 302
            assert role_of(User.objects.get(pk=member.pk)) == role

    def test_the_last_owner_stays_an_owner(self, as_owner):
        owner = User.objects.get(username="otto")
        refused = do_account(as_owner, owner, "take")
        assert refused.status_code == 422
        assert "The club needs an owner" in words(refused)

    def test_a_person_is_signed_out_everywhere(self, as_organiser, player):
        member = make_member(player=player)
        make_token(member)
        do(as_organiser, player, "end")
        assert not member.api_tokens.exists()

    def test_a_person_gets_a_link_to_a_new_password(self, as_organiser, player, client):
        member = make_member(player=player, password="what was it")
        assert "Remove the second step" not in words(as_organiser.get(f"/people/{player.pk}/"))
        link = link_in(do(as_organiser, player, "reset"))
        assert Client().get(link, follow=True).status_code == 200
        assert AuditEntry.objects.get(action="make_reset_link").subject_id == member.pk

    def test_an_owner_hands_an_account_over(self, as_organiser, player):
        member = make_member(player=player, password="what was it")
        as_owner = Client()
        as_owner.force_login(make_owner("otto"))
        path = f"/people/{player.pk}/"
        older = link_in(do(as_organiser, player, "reset"))
        assert "Hand the account over" not in words(as_organiser.get(path))
        assert "Hand the account over" in words(as_owner.get(path))
        refused = do(as_owner, player, "owner")
        assert refused.status_code == 422
        assert "hands the account over first" in words(refused)
        newer = link_in(do(as_owner, player, "hand_over"))
        assert "was used before" in words(Client().get(older, follow=True))
        new = Client()
        page = new.get(newer, follow=True).request["PATH_INFO"]
        chosen = {"password1": "wind from the east", "password2": "wind from the east"}
        assert new.post(page, chosen).status_code == 302
        assert do(as_owner, player, "owner").status_code == 302
        assert is_owner(User.objects.get(pk=member.pk))

    def test_who_lost_the_second_factor_signs_in_with_the_password(self, as_organiser, player):
        member = make_member(player=player)
        Authenticator.objects.create(user=member, type=Authenticator.Type.TOTP, data={})
        assert "Remove the second step" in words(as_organiser.get(f"/people/{player.pk}/"))
        do(as_organiser, player, "second_factor")
        assert not Authenticator.objects.exists()

    @pytest.mark.parametrize("what", ["reset", "second_factor", "organiser"])
    def test_an_account_is_opened_to_nobody_who_found_an_organiser_s_phone(
        self, client, player, what
    ):
        make_member("zoe", player=player)
        TOTP.activate(player.user, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
        make_organiser("olga", password="tiles on the table")
        client.post("/sign-in/", {"username": "olga", "password": "tiles on the table"})
        asked = do(client, player, what)
        assert asked.url.startswith("/account/again/")
        assert not Notice.objects.exists()
        done = client.post(asked.url, {"password": "tiles on the table"})
        assert done.status_code in (200, 302)
        assert Notice.objects.get().recipient == player.user

    def test_a_person_loses_nothing_to_who_found_an_owner_s_phone(self, client, player):
        make_member("zoe", player=player)
        make_owner("otto", password="tiles on the table")
        client.post("/sign-in/", {"username": "otto", "password": "tiles on the table"})
        asked = {
            what
            for what in ACTIONS
            if "/again/" in do(client, player, what).headers.get("Location", "")
        }
        assert ACTIONS.keys() - asked == {
            *("rename", "hide", "show", "leave", "back", "invite", "end")
        }
        place = f"/people/{player.pk}/"
        for path, sent in (
            (place, {"do": "leave", "takes_role": "on"}),
            (place, {"do": "leave", "closes": "on"}),
            (f"{place}merge/", {"other": make_player("Zo").pk}),
            (f"{place}name/", {"sure": "on"}),
        ):
            assert client.post(path, sent).url.startswith("/account/again/")

    def test_the_first_password_of_a_person_is_kept_in_no_session(self, client, player):
        make_organiser("olga", password="tiles on the table")
        client.post("/sign-in/", {"username": "olga", "password": "tiles on the table"})
        asked = do(client, player, "password", username="zoe", password="wind from the east")
        assert "wind" not in str(dict(client.session))
        again = client.post(asked.url, {"password": "tiles on the table"})
        assert again.status_code == 422
        page = again.content.decode()
        assert 'value="zoe"' in page
        assert "Type the first password once more" in page
        main = page[page.index("<main") :]
        astray = [form for form in re.findall(r"<form[^>]*>", main) if "action=" not in form]
        assert astray == []

    @pytest.mark.parametrize(
        ("what", "sentence"),
        [
            ("reset", "An organiser made a link to a new password for you"),
            ("second_factor", "An organiser removed your second step"),
        ],
    )
    def test_a_person_is_told_who_opened_the_account(self, as_organiser, player, what, sentence):
        user = make_member("zoe", player=player)
        for _time in range(2):
            do(as_organiser, player, what)
        row = in_words(list(Notice.objects.filter(recipient=user)))[0]
        assert row.text.title == sentence
        assert Notice.objects.filter(params__about="reset_link").count() <= 1

    def test_a_person_who_was_merged_leads_to_the_one_who_stayed(self, as_organiser, player):
        other = make_player("Zo")
        gone = other.pk
        assert as_organiser.post(f"/people/{player.pk}/merge/", {"other": gone}).status_code == 302
        assert as_organiser.get(f"/players/{gone}/").url == f"/players/{player.pk}/"
        # A visitor does not see somebody who has not played.
        assert Client().get(f"/players/{gone}/").status_code == 404
        assert as_organiser.get(f"/people/{gone}/").url == f"/people/{player.pk}/"

    def test_merging_two_people_shows_first_what_happens(self, as_organiser, player):
        game = make_game()
        make_hand(game, winner=0)
        other = game.players[0]
        shown = as_organiser.get(f"/people/{player.pk}/merge/?other={other.pk}")
        assert "One game moves along." in words(shown)
        assert Player.objects.filter(pk=other.pk).exists()
        both = as_organiser.post(f"/people/{game.players[1].pk}/merge/", {"other": other.pk})
        assert both.status_code == 422
        assert "sat at one table" in words(both)

    def test_what_nobody_does_is_not_found(self, as_organiser, player):
        assert do(as_organiser, player, "nonsense").status_code == 404
        assert do(as_organiser, player, "organiser").status_code == 404
        assert as_organiser.get("/people/999999/").status_code == 404


class TestAdding:
    def look(self, as_organiser, **fields):
        return as_organiser.post("/people/add/", {"do": "look", **fields})

    def store(self, as_organiser, looked, **fields):
        entries = looked.context["entries"]
        return as_organiser.post("/people/add/", {"do": "store", "entries": entries, **fields})

    def test_one_player_is_added_by_name(self, as_organiser):
        assert as_organiser.get("/people/add/").status_code == 200
        as_organiser.post("/people/add/", {"do": "one", "name": " Ann  Lee "})
        assert Player.objects.get().name == "Ann Lee"
        refused = as_organiser.post("/people/add/", {"do": "one", "name": "ann lee"})
        assert refused.status_code == 422

    def test_a_pasted_list_is_shown_before_it_is_stored(self, as_organiser):
        make_player("Ann Lee")
        names = "Bob Ode\nann lee\nÁnn Lee\nA\u202enn\n\nCas, cas@club.example, cas\nBob  Ode\n"
        looked = self.look(as_organiser, names=names)
        found = [(row.entry.name, row.what, row.field) for row in looked.context["plan"]]
        assert found == [
            ("A\u202enn", "refused", "name"),
            ("Ánn Lee", "ask", "name"),
            ("ann lee", "known", ""),
            ("Bob  Ode", "known", ""),
            ("Bob Ode", "add", ""),
            ("Cas", "add", ""),
        ]
        assert Player.objects.count() == 1
        self.store(as_organiser, looked)
        assert set(Player.objects.values_list("name", flat=True)) == {"Ann Lee", "Bob Ode", "Cas"}
        self.store(as_organiser, looked, anyway="3")
        assert Player.objects.filter(name="Ánn Lee").exists()
        added = AuditEntry.objects.filter(action="add_people").order_by("pk")
        assert [len(entry.details["people"]) for entry in added] == [2, 1]

    def test_one_workbook_adds_300_members_in_two_clicks(self, as_organiser):
        book = Workbook()
        book.active.append(["Naam", "E-mail"])
        for number in range(300):
            book.active.append([f"Lid {number} van de club", f"lid{number}@club.example"])
        file = BytesIO()
        book.save(file)
        file.seek(0)
        file.name = "leden.xlsx"
        looked = self.look(as_organiser, file=file)
        assert looked.context["adds"] == 300
        self.store(as_organiser, looked)
        assert Player.objects.count() == 300

    def test_a_sign_in_name_is_called_that_and_is_not_kept(self, as_organiser, settings):
        settings.SENDS_MAIL = False
        looked = words(self.look(as_organiser, names="Cas, cas@club.example, cas"))
        assert "sign-in name: cas" in looked
        assert "they are not kept" in looked
        assert "are not kept" not in words(self.look(as_organiser, names="Bob"))

    def test_whoever_has_a_mail_address_is_invited(self, as_organiser, settings):
        settings.SENDS_MAIL = True
        looked = self.look(as_organiser, names="Cas, cas@club.example\nBob")
        self.store_with_mail(as_organiser, looked)
        invitation = Invitation.objects.get()
        assert (invitation.player.name, invitation.email) == ("Cas", "cas@club.example")

    def test_nobody_is_invited_by_a_tick_that_was_set_beforehand(self, as_organiser, settings):
        settings.SENDS_MAIL = True
        page = self.look(as_organiser, names="Cas, cas@club.example").content.decode()
        (tick,) = re.findall(r'<input[^>]*name="invite"[^>]*>', page)
        assert "checked" not in tick

    def test_what_is_refused_stands_first_and_is_named_afterwards(self, as_organiser, settings):
        settings.SENDS_MAIL = True
        names = "Cas, cas@club.example\nBob\nD\u202eee\nEve, no address"
        looked = self.look(as_organiser, names=names)
        assert [row.entry.name for row in looked.context["plan"]] == [
            *("D\u202eee", "Eve", "Cas", "Bob")
        ]
        assert "Without no address: Enter a valid username." in words(looked)
        self.store(as_organiser, looked, invite="yes")
        page = words(as_organiser.get("/people/"))
        assert "3 people were added." in page
        assert "1 invitation is mailed." in page
        assert "Not added: D\u202eee. This name has a character that nobody can see" in page

    def store_with_mail(self, as_organiser, looked):
        assert looked.context["mails"]
        self.store(as_organiser, looked, invite="yes")

    @pytest.mark.parametrize(
        "entries",
        [
            *("", "{}", "[1]", '[["a","b","c","d"]]', "[[1]]", '["abcd"]', '[{"name":"x"}]'),
            *("[" * 100_000, "[[" + "1" * 5000 + "]]"),
        ],
        ids=lambda entries: entries[:20],
    )
    def test_a_list_that_was_tampered_with_is_asked_for_again(self, as_organiser, entries):
        response = as_organiser.post("/people/add/", {"do": "store", "entries": entries})
        assert response.status_code == 302
        assert not Player.objects.exists()

    def test_a_number_that_no_row_has_adds_nobody(self, as_organiser):
        make_player("Ann Lee")
        looked = self.look(as_organiser, names="Ánn Lee")
        stored = self.store(as_organiser, looked, anyway=["9" * 5000, "²", "-1"])
        assert (stored.status_code, Player.objects.count()) == (302, 1)

    @pytest.mark.parametrize("name", ["a\\u0000b", "\\ud800"])
    def test_a_name_that_cannot_be_kept_adds_nobody(self, as_organiser, name):
        sent = {"do": "store", "entries": f'[["{name}"]]'}
        assert as_organiser.post("/people/add/", sent).status_code in {302, 422}
        assert as_organiser.get("/people/").status_code == 200
        assert not Player.objects.exists()

    def test_adding_many_without_a_list_asks_for_one(self, as_organiser):
        assert self.look(as_organiser).status_code == 422
        assert (
            as_organiser.post("/people/add/", {"do": "store", "entries": "[]"}).status_code == 302
        )


class TestInvitations:
    def test_invitations_are_made_listed_and_revoked(self, as_organiser):
        made = as_organiser.post("/people/invitations/", {"once": "many", "days": "7"})
        assert "/join/" in words(made)
        invitation = Invitation.objects.get()
        assert (invitation.once, invitation.player) == (False, None)
        assert "whoever has the link" in words(as_organiser.get("/people/invitations/"))
        as_organiser.post("/people/invitations/revoke/", {"invitation": invitation.pk})
        assert "revoked" in words(as_organiser.get("/people/invitations/"))
        assert (
            as_organiser.post("/people/invitations/revoke/", {"invitation": "x"}).status_code == 404
        )

    def test_invitations_for_a_player_are_good_once(self, as_organiser):
        player = make_player("Zoe")
        as_organiser.post(
            "/people/invitations/", {"player": player.pk, "once": "many", "days": "7"}
        )
        assert Invitation.objects.get().once

    def test_invitations_go_by_mail(self, as_organiser, settings):
        settings.SENDS_MAIL = True
        sent = {"once": "once", "days": "7", "email": "zoe@club.example"}
        made = as_organiser.post("/people/invitations/", sent)
        delivery = Delivery.objects.get()
        assert delivery.address == "zoe@club.example"
        body = text_of_delivery(delivery).body
        assert body.startswith("An organiser invites you to the site of")
        assert f"http://testserver{delivery.link}" in made.content.decode()

    def test_invitations_say_in_the_mail_who_is_invited_by_whom_and_until_when(self, settings):
        settings.SENDS_MAIL = True
        organiser = make_organiser(player=make_player("Olga"))
        invitation, code = invite(make_player("Zoë"), email="zoe@club.example", by=organiser)
        mail_invitation(invitation, code)
        body = text_of_delivery(Delivery.objects.get()).body
        day = date_format(timezone.localtime(invitation.ends_at).date())
        assert body.startswith("Hello Zoë. Olga invites you to the site of")
        assert f"until {day}." in body

    def test_nobody_is_promised_a_mail_where_none_is_sent(self, as_organiser, settings):
        settings.SENDS_MAIL = False
        assert 'name="email"' not in as_organiser.get("/people/invitations/").content.decode()


@pytest.mark.parametrize("path", ["", "add/", "invitations/"])
def test_members_see_no_page_of_people(client, path):
    client.force_login(make_member())
    assert client.get(f"/people/{path}").status_code == 403


def test_organisers_find_it_in_the_menu(as_organiser, client):
    make_hand(make_game())
    leading.forget()
    for path in ("/", "/rules/"):
        assert 'href="/people/"' in as_organiser.get(path).content.decode()
    client.force_login(make_member())
    assert 'href="/people/"' not in client.get("/").content.decode()


def test_a_club_without_an_owner_says_that_it_has_none(client):
    client.force_login(make_organiser())
    assert "Nobody owns this club yet" in client.get("/people/").content.decode()
    make_owner()
    leading.forget()
    assert "Nobody owns this club yet" not in client.get("/people/").content.decode()


class TestWhatIsOffered:
    """What would be refused is not offered."""

    def test_who_is_anonymous_is_not_renamed_merged_or_invited(self, as_owner):
        player = make_player()
        as_owner.post(f"/people/{player.pk}/name/", {"sure": "yes"})
        player.refresh_from_db()
        assert player.anonymous_since
        shown = words(as_owner.get(f"/people/{player.pk}/"))
        assert "The name was taken out." in shown
        for label in ("Save the name", "Back again", "Merge with", "Make the invitation"):
            assert label not in shown
        other = as_owner.get(f"/people/{make_player().pk}/merge/")
        assert f'value="{player.pk}"' not in other.content.decode()
        account = as_owner.get(f"/people/accounts/{make_member().pk}/")
        assert f'value="{player.pk}"' not in account.content.decode()

    def test_who_sits_at_a_game_is_not_made_anonymous_and_the_page_leads_there(self, as_owner):
        game = make_game()
        player = game.players[0]
        url = f"/people/{player.pk}/name/"
        page = as_owner.get(url)
        assert "end that game first" in words(page)
        assert game.get_absolute_url() in page.content.decode()
        assert 'name="sure"' not in page.content.decode()
        assert as_owner.post(url, {"sure": "yes"}).status_code == 422

    def test_no_account_is_chosen_where_there_is_none(self, as_organiser, organiser):
        player = make_player()
        make_player(user=organiser)
        assert "There is no account without a player." in words(
            as_organiser.get(f"/people/{player.pk}/")
        )
        make_member("ann")
        assert "Link the account" in words(as_organiser.get(f"/people/{player.pk}/"))

    def test_one_button_at_most_is_louder_than_the_others(self, as_organiser):
        page = as_organiser.get(f"/people/{make_player().pk}/").content.decode()
        assert page.count('<button class="button" ') <= 1

    def test_a_role_that_is_gone_is_not_taken_again(self, as_owner):
        player = make_player(user=make_member("ann"))
        refused = do(as_owner, player, "take")
        assert refused.status_code == 422
        assert "This account does not have that role, or not any more." in words(refused)
        assert not AuditEntry.objects.filter(action="take_role").exists()
        assert not Notice.objects.exists()
