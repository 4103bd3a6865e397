"""The table of a league in a frame on another site: only where the club allows it."""

import re

import pytest

from scoring.models import Club, League, club, hidden_names
from scoring.queries import leading
from scoring.services.club import change_club
from scoring.services.standing_rules import change_standing_rules
from tests.factories import make_game, make_hand, make_league, make_organiser, make_owner

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]

URL = "/leagues/night/embed/"


@pytest.fixture
def league():
    league = make_league("Club & night", slug="night")
    make_hand(make_game(league=league), winner=1)
    return league


@pytest.fixture
def allowed(league):
    club.remember(Club(pk=1, embed_sites="https://www.example.org"), seconds=3600)
    return league


def test_a_table_is_not_embedded_before_an_owner_allows_it(client, league):
    assert client.get(URL).status_code == 404


def policy(answer):
    return {one.strip() for one in answer.headers["Content-Security-Policy"].split(";")}


def test_an_embedded_table_can_be_framed_by_named_sites_and_no_other_page_can(client, allowed):
    answer = client.get(URL)
    assert answer.status_code == 200
    assert {"frame-ancestors https://www.example.org", "default-src 'none'"} <= policy(answer)
    assert "X-Frame-Options" not in answer.headers
    page = client.get("/leagues/night/")
    assert "frame-ancestors 'none'" in policy(page)
    assert page.headers["X-Frame-Options"] == "DENY"


def test_an_embedded_table_needs_no_session_and_sets_no_cookie(
    client, allowed, django_assert_num_queries
):
    client.get(URL)
    # The league and its table. A frame on another site sends no cookie.
    with django_assert_num_queries(2):
        answer = client.get(URL)
    assert not answer.cookies
    page = answer.content.decode()
    assert "+280" in page
    assert page.count("<a ") == 1
    assert "<script" not in page


def test_an_embedded_table_shows_no_members_leagues_and_no_hidden_names(client, allowed):
    client.force_login(make_organiser())
    League.objects.update(hides_names=True)
    hidden_names.forget()
    page = client.get(URL).content.decode()
    assert re.search(r">P\. \d\.", page)
    assert "Player" not in page.partition("<tbody>")[2]
    League.objects.update(visibility=League.Visibility.MEMBERS)
    assert client.get(URL).status_code == 404


def test_who_has_no_rank_yet_is_said_as_on_the_page_of_the_league(client, allowed):
    tables = [{"name": "Winter", "minimum": {"count": 2, "of": "games"}}]
    start = allowed.starts_on
    change_standing_rules(allowed, tables, by=make_organiser(), effective_from=start)
    page = client.get(URL).content.decode()
    assert "1 of 2" in page
    assert "“1 of 2”: no rank yet. A rank takes 2 games." in page
    assert "–" not in page.partition("<tbody>")[2]


def test_organisers_find_the_code_to_copy(client, allowed):
    by = make_organiser()
    leading.forget()
    code = "&lt;iframe src=&quot;http://testserver/leagues/night/embed/&quot;"
    assert code not in client.get("/leagues/night/").content.decode()
    client.force_login(by)
    assert code in client.get("/leagues/night/").content.decode()
    club.remember(Club(pk=1), seconds=3600)
    assert "An owner of the club allows it first" in client.get("/leagues/night/").content.decode()


class TestTheSetting:
    def sent(self, client, sites):
        return client.post("/club/", {"colour": "jade", "embed_sites": sites})

    @pytest.mark.parametrize(
        ("typed", "kept"),
        [
            (
                " https://a.example  http://*.b.example:8080 ",
                "https://a.example http://*.b.example:8080",
            ),
            ("*", "*"),
            ("", ""),
        ],
    )
    def test_the_setting_of_who_may_embed_takes_addresses_of_sites(self, client, typed, kept):
        client.force_login(make_owner())
        assert self.sent(client, typed).status_code == 302
        assert Club.objects.get().embed_sites == kept

    @pytest.mark.parametrize(
        "wrong",
        ["example.org", "https://a.example/page", "* https://a.example", "'none'", "https://a;b"],
    )
    def test_the_setting_of_who_may_embed_refuses_what_is_no_site(self, client, wrong):
        client.force_login(make_owner())
        answer = self.sent(client, wrong)
        assert answer.status_code == 422
        assert "is no address of a site" in answer.content.decode()

    def test_the_setting_of_who_may_embed_is_in_the_audit(self):
        changed = change_club(embed_sites="*", by=make_owner())
        assert changed.embed_sites == "*"
