"""A rule book in the club: it is taken in with one tap, and every page of the rules shows it."""

import tomllib

import pytest

from scoring.evaluator.books.loader import as_data, whole
from scoring.evaluator.books.writing import to_toml
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.rulesets import add_book, newest_edition, shipped_version
from scoring.variants import scorer_for
from tests.factories import make_league, make_member, make_organiser, ruleset_version
from tests.support.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def dmjl(by):
    ruleset_version("club")
    return shipped_version("dmjl", by=by)


def test_an_organiser_takes_a_book_in_with_one_tap(client, by):
    client.force_login(by)
    assert 'action="/rules/bmja/take/"' in read(client.get("/rules/bmja/"))
    page = read(client.post("/rules/bmja/take/", follow=True))
    assert "Leagues can now play by" in page
    assert "Version 1, of" in page
    version = RuleSet.objects.get(slug="bmja").latest
    assert f'<option value="{version.pk}"' in read(client.get("/leagues/new/"))
    assert client.post("/rules/bmja/take/").status_code == 302
    assert RuleSet.objects.get(slug="bmja").versions.count() == 1


def test_members_are_not_offered_to_take_it_in(client):
    client.force_login(make_member())
    assert "/take/" not in read(client.get("/rules/bmja/"))
    assert client.post("/rules/bmja/take/").status_code == 403
    assert not RuleSet.objects.filter(slug="bmja").exists()


def test_what_no_league_can_play_says_why(client, by, monkeypatch):
    monkeypatch.setattr("scoring.variants.ENGINES", {"mahjong": "nothing"})
    scorer_for.cache_clear()
    client.force_login(by)
    page = read(client.get("/rules/riichi/"))
    assert "/rules/riichi/take/" not in page
    refused = read(client.post("/rules/riichi/take/", follow=True))
    assert "not installed" in refused
    assert client.post("/rules/nothing/take/").status_code == 404


@pytest.mark.parametrize(
    "url",
    [
        "/rules/", "/rules/dmjl/", "/rules/dmjl/?version=1", "/rules/compare/?one=dmjl:1",
        "/rules/compare/?one=club:1&other=dmjl:1", "/rules/compare/?one=dmjl:1&other=dmjl:1",
        "/rules/dmjl/change/", "/rules/new/", "/leagues/new/", "/calculator/", "/calculator/?ruleset=dmjl",
        "/calculator/?ruleset=dmjl&tiles=222B+345B+55B+222D+GGG&winning_tile=G&won_by=discard",
        "/api/v1/rulesets/", "/api/v1/rulesets/dmjl/", "/rules/dmjl/1.toml",
        "/admin/scoring/ruleset/", "/admin/scoring/rulesetversion/",
        "/admin/scoring/ruleset/{set}/change/", "/admin/scoring/rulesetversion/{version}/change/",
        "/admin/scoring/rulesetversion/add/?ruleset={set}",
    ],
)  # fmt: skip
def test_every_page_works_with_a_book(client, by, dmjl, url):
    by.is_superuser = by.is_staff = True
    by.save()
    client.force_login(by)
    response = client.get(url.format(set=dmjl.ruleset_id, version=dmjl.pk))
    assert response.status_code == 200


def test_a_season_is_tried_under_a_book(client, by, dmjl):
    league = make_league()
    client.force_login(by)
    assert "The table by" in read(client.get(f"/leagues/{league.slug}/what-if/?ruleset=dmjl:1"))
    by_book = make_league(ruleset_version=dmjl)
    assert client.get(f"/leagues/{by_book.slug}/").status_code == 200
    assert client.get(f"/leagues/{by_book.slug}/change/").status_code == 200


def test_two_versions_are_compared_line_by_line(client, by, dmjl):
    changes = {
        "base": "dmjl",
        "counting": {"limit": 1000},
        "pattern": [{"id": "three_concealed", "doubles": 2}],
    }
    add_book(changes, by=by)
    page = read(client.get("/rules/compare/?one=dmjl:1&other=dmjl:2"))
    assert "Limit, in points" in page
    assert "1,000" in page
    assert "2 doubles" in page
    assert "Hands that score differently" in page
    assert "No differences." not in page
    assert "No differences." in read(client.get("/rules/compare/?one=dmjl:1&other=dmjl:1"))


def test_the_newer_edition_of_a_shipped_book_is_taken(client, by):
    older = whole({**as_data("dmjl"), "edition": "an older one"})
    add_book(older, by=by)
    client.force_login(by)
    assert "Take the newer edition" in read(client.get("/rules/dmjl/"))
    client.post("/rules/dmjl/take/")
    assert RuleSet.objects.get(slug="dmjl").latest.book == whole(as_data("dmjl"))
    page = read(client.get("/rules/dmjl/?version=1"))
    assert "Take the newer edition" not in page
    assert "This is an older version." in page
    assert newest_edition("dmjl", by=by).number == 2


def test_a_version_is_downloaded_as_the_file_of_its_book(client, dmjl):
    response = client.get("/rules/dmjl/1.toml")
    assert response["Content-Disposition"] == 'attachment; filename="dmjl-1.toml"'
    assert tomllib.loads(response.content.decode()) == dmjl.book
    assert client.get("/rules/club/1.toml").status_code == 404
    assert client.get("/rules/dmjl/2.toml").status_code == 404


def test_the_file_of_rules_of_ones_own_keeps_what_they_were_made_from(client, by):
    changes = {"slug": "ours", "name": "Ours", "counting": {"limit": 1000}}
    kept = add_book({"base": "dmjl", **changes}, by=by)
    assert tomllib.loads(client.get("/rules/ours/1.toml").content.decode()) == kept.book
    assert kept.book["origin"] == "dmjl"
    page = read(client.get("/rules/ours/"))
    assert 'Made from <a href="/rules/dmjl/">' in page
    assert "What differs from DMJL" in page
    assert "Limit, in points" in page


def test_another_club_sees_what_a_file_changes_of_its_origin(client, by):
    file = whole({"base": "dmjl", "slug": "ours", "name": "Ours", "counting": {"limit": 1000}})
    client.force_login(by)
    page = read(client.post("/rules/import/", {"mode": "text", "text": to_toml(file), "try": "1"}))
    assert "Limit, in points" in page
    older = {key: value for key, value in file.items() if key != "origin"}
    page = read(client.post("/rules/import/", {"mode": "text", "text": to_toml(older), "try": "1"}))
    assert "Limit, in points" not in page


def test_an_origin_that_this_site_does_not_know_is_kept(client, by):
    file = whole({**as_data("dmjl"), "slug": "ours", "name": "Ours", "origin": "of-another-site"})
    version = add_book(file, by=by)
    assert version.book["origin"] == "of-another-site"
    assert "Made from" not in read(client.get("/rules/ours/"))


def test_the_api_tells_a_stored_book(client, by, dmjl):
    add_book({"base": "dmjl", "counting": {"limit": 1000}}, by=by)
    answer = client.get("/api/v1/rulesets/dmjl/").json()
    assert answer["leagues"] is True
    assert (answer["options"], answer["version"]) == (None, 2)
    assert answer["book"]["counting"]["limit"] == 1000
    assert [version["options"] for version in answer["versions"]] == [None, None]
    assert RuleSetVersion.objects.filter(book__isnull=False).count() == 2
