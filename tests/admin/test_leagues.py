"""Leagues at the organisers' desk."""

import pytest
from django.forms import modelform_factory

from scoring.models import AuditEntry, League
from tests.admin.addresses import address, words
from tests.factories import make_game, make_hand, make_league, make_member, ruleset_version
from tests.support.forms import as_shown

pytestmark = pytest.mark.django_db


def entered(**changes):
    return {
        **as_shown(modelform_factory(League, fields="__all__")()),
        "name": "Winter",
        "slug": "winter",
        "ruleset_version": ruleset_version().pk,
        "starts_on": "2026-01-01",
        "ends_on": "2026-03-31",
        "visibility": "members",
        **changes,
    }


def test_a_league_is_founded(desk):
    response = desk.post(address(League, "add"), entered())
    assert response.status_code == 302
    league = League.objects.get()
    assert (league.slug, league.visibility) == ("winter", "members")
    assert f"{league.ends_on}" == "2026-03-31"


def test_a_new_club_can_save_the_form_as_it_is(desk):
    form = desk.get(address(League, "add")).context["adminform"].form
    assert form["ruleset_version"].value() == ruleset_version("club").pk
    listed = desk.get(
        "/admin/autocomplete/",
        {"app_label": "scoring", "model_name": "league", "field_name": "ruleset_version"},
    )
    assert [row["text"][:4] for row in listed.json()["results"]] == ["Club", "Book"]
    given = {**as_shown(form), "name": "Winter", "slug": "winter"}
    desk.post(address(League, "add"), given)
    assert League.objects.get().ruleset_version == ruleset_version("club")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ends_on": "2025-12-31"}, "The last day of a league lies before its first day."),
        ({"slug": "Ü"}, "Enter a valid “slug”"),
        ({"name": ""}, "This field is required."),
        ({"ruleset_version": 999_999}, "Select a valid choice."),
        ({"visibility": "nobody"}, "Select a valid choice."),
        ({"hours_to_answer": "0"}, "greater than or equal to 1"),
        ({"starts_on": "soon"}, "Enter a valid date."),
        ({"starts_on": "0202-11-22"}, "Give a day from the year 1900 to the year 2999."),
        ({"ends_on": "9999-12-31"}, "Give a day from the year 1900 to the year 2999."),
    ],
)
def test_an_invalid_league_is_refused_in_words(desk, changes, sentence):
    response = desk.post(address(League, "add"), entered(**changes))
    assert response.status_code == 200
    assert sentence in words(response)
    assert not League.objects.exists()


def test_a_name_is_cleaned_like_a_player_s(desk):
    desk.post(address(League, "add"), entered(name="  Winter   evenings "))
    assert League.objects.get().name == "Winter evenings"


def test_changes_to_a_league_stand_in_the_audit(desk, organiser):
    desk.post(address(League, "add"), entered())
    league = League.objects.get()
    desk.post(address(League, "change", league.pk), entered(name="Summer", ends_on=""))
    desk.post(address(League, "delete", league.pk), {"post": "yes"})
    entries = AuditEntry.objects.filter(subject="league").order_by("pk")
    assert [(entry.action, entry.by, entry.subject_id, entry.details) for entry in entries] == [
        ("add_league", organiser, league.pk, {}),
        (
            "change_league",
            organiser,
            league.pk,
            {
                "before": {"name": "Winter", "ends_on": "2026-03-31"},
                "after": {"name": "Summer", "ends_on": None},
            },
        ),
        ("delete_at_desk", organiser, league.pk, {"was": "Summer"}),
    ]
    entry = address(AuditEntry, "change", entries[1].pk)
    assert "Winter" in words(desk.get(entry))


def test_accounts_are_noted_without_their_passwords(root):
    user = make_member("ann", password="a password")
    secret = "another long password"
    changed = {"password1": secret, "password2": secret, "usable_password": "true"}
    root.post(f"/admin/auth/user/{user.pk}/password/", changed)
    entries = AuditEntry.objects.filter(subject="user", subject_id=user.pk).order_by("pk")
    assert [(entry.action, entry.details) for entry in entries] == [
        ("change_account", {"before": {}, "after": {}}),
    ]


def test_a_short_name_is_taken_once_and_stays(desk):
    league = make_league(slug="winter")
    assert "already exists" in words(desk.post(address(League, "add"), entered()))
    desk.post(address(League, "change", league.pk), entered(slug="summer", name="Summer"))
    league.refresh_from_db()
    assert (league.slug, league.name) == ("winter", "Summer")


def test_another_rule_set_of_a_league_counts_for_the_games_to_come(desk):
    league, book = make_league(), ruleset_version("book")
    begun = make_game(league=league)
    sent = entered(ruleset_version=book.pk, ends_on="", starts_on=league.starts_on)
    assert desk.post(address(League, "change", league.pk), sent).status_code == 302
    league.refresh_from_db()
    assert league.ruleset_version == book
    assert make_hand(begun, winner=1).ruleset_version == ruleset_version("club")
    assert make_hand(make_game(league=league), winner=1).ruleset_version == book


def test_rule_sets_are_found_by_name(desk):
    ruleset_version()
    listed = desk.get(
        "/admin/autocomplete/",
        {
            "app_label": "scoring",
            "model_name": "league",
            "field_name": "ruleset_version",
            "term": "boo",
        },
    )
    assert [result["text"] for result in listed.json()["results"]] == ["Book, version 1"]


def test_a_league_without_games_can_be_deleted_and_one_with_games_cannot(desk):
    empty, played = make_league(), make_game().league
    desk.post(address(League, "delete", empty.pk), {"post": "yes"})
    desk.post(address(League, "delete", played.pk), {"post": "yes"})
    assert list(League.objects.all()) == [played]
