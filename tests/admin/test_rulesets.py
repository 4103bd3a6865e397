"""Rule sets at the organisers' desk: options are chosen for a new version, and never changed."""

import pytest

from scoring.models import RuleSet, RuleSetVersion
from scoring.services.rulesets import install_rulesets
from tests.admin.addresses import address, words
from tests.factories import make_game, make_hand, make_league, ruleset_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_they_come():
    install_rulesets()


def chosen(**changes):
    """What a browser sends for the options of Club; an unticked box is not sent."""
    return {
        "limit": "500",
        "rounding": "10",
        "interpretation": "best",
        "consistency": "highest",
        "dealer_doubles": "on",
        "dealer_stays_on_win": "on",
        "dealer_stays_on_draw": "on",
        "discarder": "equal",
        **changes,
    }


class TestANewVersion:
    def test_a_new_version_is_the_next_of_its_rule_set(self, desk, organiser):
        club = RuleSet.objects.get(slug="club")
        sent = chosen(
            ruleset=club.pk, limit="300", rounding="1", straights=["same_rank_chows"], version="9"
        )
        del sent["dealer_doubles"]
        assert desk.post(address(RuleSetVersion, "add"), sent).status_code == 302
        version = club.latest
        assert (version.number, version.created_by) == (2, organiser)
        assert version.options == {
            "limit": 300,
            "rounding": 1,
            "interpretation": "best",
            "consistency": "highest",
            "straights": ["same_rank_chows"],
            "dealer_doubles": False,
            "dealer_stays_on_win": True,
            "dealer_stays_on_draw": True,
            "discarder": "equal",
            "all_green": False,
        }

    def test_a_new_version_scores_hands(self, desk):
        sent = chosen(ruleset=RuleSet.objects.get(slug="club").pk, rounding="1")
        desk.post(address(RuleSetVersion, "add"), sent)
        league = make_league(ruleset_version=ruleset_version("club"))
        assert make_hand(make_game(league=league), winner=1).final == 72

    def test_a_new_version_starts_from_the_one_before(self, desk):
        book = RuleSet.objects.get(slug="book")
        page = desk.get(address(RuleSetVersion, "add"), {"ruleset": book.pk})
        form = page.context["adminform"].form
        assert form["interpretation"].value() == "first"
        assert str(form["ruleset"].value()) == str(book.pk)

    @pytest.mark.parametrize("asked", ["x", "999999", "-1", "9" * 40, ""])
    def test_a_new_version_of_a_rule_set_that_is_not_there_starts_from_nothing(self, desk, asked):
        page = desk.get(address(RuleSetVersion, "add"), {"ruleset": asked})
        assert page.status_code == 200
        assert page.context["adminform"].form["limit"].value() == 500

    @pytest.mark.parametrize(
        ("changes", "field", "sentence"),
        [
            ({"limit": "7"}, "limit", "“Limit” lies between 20 and 100000."),
            ({"limit": ""}, "limit", "“Limit” lies between 20 and 100000."),
            ({"limit": "high"}, "limit", "Enter a whole number."),
            ({"rounding": "5"}, "rounding", "Select a valid choice."),
            ({"discarder": ""}, "discarder", "“Discarder” is one of equal, double"),
            ({"straights": ["all"]}, "straights", "Select a valid choice."),
            ({"ruleset": ""}, "ruleset", "This field is required."),
            ({"ruleset": "999999"}, "ruleset", "Select a valid choice."),
        ],
    )
    def test_a_new_version_that_cannot_be_is_refused_in_words(self, desk, changes, field, sentence):
        sent = chosen(**{"ruleset": RuleSet.objects.get(slug="club").pk, **changes})
        response = desk.post(address(RuleSetVersion, "add"), sent)
        assert response.status_code == 200
        assert sentence in " ".join(response.context["adminform"].form.errors[field])
        assert RuleSetVersion.objects.count() == 2


class TestAVersion:
    def test_a_version_shows_its_options_in_words(self, desk):
        page = words(desk.get(address(RuleSetVersion, "change", ruleset_version("book").pk)))
        assert "Interpretation: first" in page
        assert "Dealer doubles: yes" in page

    @pytest.mark.parametrize("who", ["desk", "root"])
    @pytest.mark.parametrize("page", ["change", "delete"])
    def test_a_version_cannot_be_changed_or_deleted(self, request, who, page):
        version = ruleset_version()
        sent = chosen(ruleset=version.ruleset_id, limit="300", post="yes")
        client = request.getfixturevalue(who)
        assert client.post(address(RuleSetVersion, page, version.pk), sent).status_code == 403
        version.refresh_from_db()
        assert version.options["limit"] == 500


class TestARuleSet:
    def test_a_rule_set_is_added_with_its_first_version(self, desk):
        sent = chosen(name="House", slug="house", description="Ours.", limit="1000")
        assert desk.post(address(RuleSet, "add"), sent).status_code == 302
        assert RuleSet.objects.get(slug="house").latest.options["limit"] == 1000

    @pytest.mark.parametrize("changes", [{"slug": "club"}, {"limit": "7"}, {"name": ""}])
    def test_a_rule_set_that_cannot_be_leaves_nothing(self, desk, changes):
        sent = chosen(**{"name": "House", "slug": "house", "description": "", **changes})
        assert desk.post(address(RuleSet, "add"), sent).status_code == 200
        assert RuleSet.objects.count() == 2
        assert RuleSetVersion.objects.count() == 2

    def test_a_rule_set_gets_another_name_but_keeps_its_address_and_options(self, desk):
        club = RuleSet.objects.get(slug="club")
        page = desk.get(address(RuleSet, "change", club.pk))
        assert f"/admin/scoring/rulesetversion/add/?ruleset={club.pk}" in page.content.decode()
        versions = {"versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
        sent = chosen(name="Our club", slug="ours", description="", limit="20", **versions)
        assert desk.post(address(RuleSet, "change", club.pk), sent).status_code == 302
        club.refresh_from_db()
        assert (club.name, club.slug) == ("Our club", "club")
        assert club.latest.options["limit"] == 500

    def test_a_rule_set_is_never_deleted(self, root):
        club = RuleSet.objects.get(slug="club")
        assert root.post(address(RuleSet, "delete", club.pk), {"post": "yes"}).status_code == 403
