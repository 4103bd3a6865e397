"""``/rules/<book>/new/``: a book changed by a form or as text, tried, and published as a version."""

import re
from html import unescape

import pytest
from django.utils.formats import date_format

from scoring.evaluator.books.loader import as_data, load, whole
from scoring.evaluator.books.writing import to_toml
from scoring.evaluator.problems import HandError, Problem
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.rulesets import add_book, delete_ruleset
from scoring.web.rules.workshop_form import WorkshopForm
from scoring.web.rules.workshop_words import counting_labels
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    ruleset_version,
)
from tests.support.pages import read

pytestmark = pytest.mark.django_db

SIMPLES = {
    "name": "Our rules",
    "own-0-name": "All simples",
    "own-0-when": "every(simple)",
    "own-0-value": "1",
    "own-0-unit": "doubles",
    "own-0-has": "234B 456B 777D 333C 55C; last=7D; won_by=discard",
    "own-0-nearly": "123B 456B 777D 333C 55C; last=7D; won_by=discard",
}


@pytest.fixture
def by(client):
    organiser = make_organiser()
    client.force_login(organiser)
    return organiser


def carried(page, name):
    """The value of a field of ``page`` that nobody sees."""
    value = re.search(
        rf'<input type="hidden" name="{name}" value="([^"]*)">', page.content.decode()
    )
    return unescape(value[1])


def sent(client, slug, **changed):
    """The form as its page shows it at first, with what is ``changed``."""
    return as_shown(client.get(f"/rules/{slug}/new/"), **changed)


def as_shown(page, **changed):
    """The form as ``page`` shows it, with what is ``changed``; None: a box that is not ticked."""
    form = page.context["form"]
    values = {name: one.value for name, one in form.inputs.items()}
    values |= {"whole": "1", "own-count": "1", **changed}
    return {
        name: "1" if value is True else value
        for name, value in values.items()
        if value is not None and value is not False
    }


def published(client, slug, **changed):
    response = client.post(f"/rules/{slug}/new/", sent(client, slug, publish="1", **changed))
    assert response.status_code == 302, response.context["summary"]
    return RuleSetVersion.objects.latest("pk")


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    "slug", ["dmjl", "bmja", "cc", "american-1922", "hk", "hk-spicy", "zung-jung", "card", "mcr"]
)
def test_a_form_that_nobody_touched_changes_nothing(client, slug):
    page = client.post(f"/rules/{slug}/new/", sent(client, slug, name="Ours"))
    if page.context.get("cannot"):
        pytest.skip("The library of this book is not installed.")
    same = {**whole(as_data(slug)), "slug": "ours", "name": "Ours", "origin": slug}
    if "edition" in same:
        same["edition"] = ""
    same["explanation"] = f"{page.context['book'].name}, with changes of our own."
    assert page.context["draft"].data == same


@pytest.mark.usefixtures("by")
def test_the_title_names_the_book(client):
    title = read(client.get("/rules/dmjl/new/")).partition("<title>")[2].partition("</title>")[0]
    assert title.startswith("Change DMJL")
    assert len(title) < 60


@pytest.mark.usefixtures("by")
def test_no_season_is_tried_by_a_card(client):
    make_league()
    page = client.post("/rules/card/new/", sent(client, "card", name="Ours", season="1"))
    assert "the tiles of a hand tell nothing" in page.content.decode()


@pytest.mark.usefixtures("by")
def test_club_and_book_are_changed_as_books(client):
    ruleset_version("club")
    assert "Make this version" in read(client.get("/rules/club/new/"))
    assert "What hands are worth" in read(client.get("/rules/club/new/?as=book"))


@pytest.mark.usefixtures("by")
def test_the_workshop_changes_values_and_drops_patterns(client):
    version = published(
        client, "dmjl", name="Our rules", **{
            "p-three_concealed-value": "2", "p-round_wind-on": None, "p-own_wind-who": "winner",
            "p-dragons-concealed": "1", "s-pung_simple-open": "3", "counting-limit": "1000",
            "settlement-discarder": "double", "book-bonus": None, "deal-stays_on_draw": None,
        },
    )  # fmt: skip
    book = version.table_rules.book
    assert version.ruleset.slug == "our-rules"
    assert (book.name, book.counting.limit, book.bonus) == ("Our rules", 1000, False)
    assert book.by_id["three_concealed"].value.text == "2"
    assert "round_wind" not in book.by_id
    assert book.by_id["pung_simple_open"].value.text == "3"
    assert (book.settlement.discarder, book.deal.stays_on_draw) == ("double", False)


@pytest.mark.usefixtures("by")
def test_the_workshop_takes_a_pattern_of_ones_own(client):
    version = published(client, "dmjl", **SIMPLES)
    assert version.table_rules.book.by_id["all_simples"].unit == "doubles"
    page = read(client.get(version.ruleset.get_absolute_url()))
    assert "Condition: <code>every(simple)</code>" in page
    assert "DMJL, with changes of our own." in page
    assert "The rules of the German league" not in page


@pytest.mark.usefixtures("by")
def test_a_hand_of_certain_tiles(client):
    tiles = {
        "name": "Ours", "own-0-name": "Wind run", "own-0-kind": "tiles", "own-0-when": "",
        "own-0-tiles": "123456789C ESWN", "own-0-again": "1", "own-0-concealed": "1",
        "own-0-value": "100", "own-0-unit": "limit",
        "own-0-has": "123456789C E S W N N; last=N; won_by=self_drawn",
        "own-0-nearly": "123456789C E E E N N; last=N; won_by=self_drawn",
    }  # fmt: skip
    [form] = [form for form in published(client, "dmjl", **tiles).book["form"] if "tiles" in form]
    assert form["tiles"] == "123456789a E S W N"
    assert form["concealed"] is form["again"] is True


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    ("changed", "name", "sentence"),
    [
        ({"own-0-has": ""}, "own-0-has", "“All simples” needs a hand that has it."),
        ({"own-0-nearly": " "}, "own-0-nearly", "needs a hand that nearly has it"),
        ({"own-0-has": SIMPLES["own-0-nearly"]}, "own-0-has", "does not have “All simples”"),
        ({"own-0-nearly": SIMPLES["own-0-has"]}, "own-0-nearly", "it must lack something"),
        ({"own-0-has": "Q"}, "own-0-has", "cannot be:"),
        ({"own-0-when": "every(simpel)"}, "own-0-when", "Character 7: “simpel” is not known here: choose from simple"),
        ({"own-0-when": "every(simple"}, "own-0-when", "cannot be read"),
        ({"own-0-when": "honors == 0 and honors == 14"}, "own-0-has", "does not have"),
        ({"own-0-when": "+".join(["1"] * 190)}, "own-0-when", "at most"),
        ({"own-0-value": "1000000"}, "own-0-value", "0 to 100000"),
        ({"counting-limit": "x"}, "counting-limit", "“Limit, in points (0: none)” is a whole number from 0"),
        ({"counting-rounding": "0"}, "counting-rounding", "is a whole number from 1 to"),
        ({"own-0-value": "ten"}, "own-0-value", "“Value” is a whole number"),
        ({"p-round_wind-value": "luck + 1"}, "p-round_wind-value", "“luck” is not known"),
        ({"f-four_sets-when": "chows <"}, "f-four_sets-when", "cannot be read"),
        ({"p-three_concealed-when": "every(simpel)"}, "p-three_concealed-when", "Character 7: “simpel”"),
        ({"p-three_concealed-when": "chows == 4"}, "p-three_concealed-has", "does not have"),
        ({"p-three_concealed-has": ""}, "p-three_concealed-has", "needs a hand that has it"),
        ({"name": " "}, "name", "Give your rules a name."),
        ({"name": "bmja "}, "name", "There are rules called “bmja” already"),
        ({"own-0-kind": "tiles", "own-0-tiles": "123B"}, "own-0-tiles", "A winning form has 14 tiles"),
        ({"own-0-kind": "tiles", "own-0-tiles": "1Q"}, "own-0-tiles", "is no tile of a form"),
        ({"own-0-kind": "tiles", "own-0-tiles": ""}, "own-0-tiles", "14 tiles"),
    ],
)  # fmt: skip
def test_the_workshop_refuses_bad_values_at_their_field(client, changed, name, sentence):
    before = RuleSetVersion.objects.count()
    form = sent(client, "dmjl", publish="1", **{**SIMPLES, **changed})
    response = client.post("/rules/dmjl/new/", form)
    page = read(response, 422)
    errors = " ".join(response.context["form"].inputs[name].errors)
    assert sentence in errors
    assert f'href="#id_{name}"' in page
    assert page.count(f'id="id_{name}"') == 1
    assert RuleSetVersion.objects.count() == before


@pytest.mark.usefixtures("by")
def test_the_condition_of_a_pattern_is_changed_with_its_examples(client):
    two = {
        "p-three_concealed-when": "count(triplet and concealed) >= 2",
        "p-three_concealed-has": "222B 444B 789D 123D RR; last=R; won_by=discard",
        "p-three_concealed-nearly": "222B 444B* 789D 123D RR; last=R; won_by=discard",
    }
    published_book = published(client, "dmjl", name="Ours", **two).book
    [pattern] = [one for one in published_book["pattern"] if one["id"] == "three_concealed"]
    assert pattern["when"] == two["p-three_concealed-when"]
    assert pattern["has"] == [two["p-three_concealed-has"]]


@pytest.mark.usefixtures("by")
def test_a_preview_says_which_examples_change_and_why(client):
    form = sent(client, "dmjl", **SIMPLES)
    response = client.post("/rules/dmjl/new/", form, headers={"HX-Request": "true"})
    page = read(response)
    assert "<html" not in page
    assert "scores differently" in page
    assert 'All simples: <span lang="en">–</span>' in page
    assert "The book" not in page
    assert not RuleSetVersion.objects.filter(book__isnull=False).exists()


@pytest.mark.usefixtures("by")
def test_what_differs_from_the_base_stands_above_publish(client):
    changed = {
        "p-three_concealed-value": "2", "p-round_wind-on": None, "s-pung_simple-open": "3",
        "f-four_sets-when": "chows <= 1", "f-thirteen_orphans-concealed": None,
        "p-dragons-who": "winner", "counting-minimum": "9", "settlement-discarder": "double",
        "settlement-losers_settle": None, "deal-stays_on_draw": None, "book-bonus": None,
        "book-losers_score": None, "know-goulash": "1", **SIMPLES,
    }  # fmt: skip
    page = client.post("/rules/dmjl/new/", sent(client, "dmjl", **changed))
    assert "What differs from DMJL" in read(page)
    changes = {one.name: one[1:] for one in page.context["changes"]}
    assert changes["All simples"] == ("–", "1 double (every(simple))")
    assert changes["Three concealed pungs"] == ("1 double", "2 doubles")
    assert changes["Four sets and a pair – Condition"] == ("–", "chows <= 1")
    assert changes["A hand needs at least so many doubles to win"] == ("0", "9")
    assert changes["The losers settle among themselves, too"] == ("yes", "no")
    # Who has the dragons is another, and so are the hands that show them.
    assert len(changes) == len(changed) - len(SIMPLES) + 2


@pytest.mark.usefixtures("by")
def test_hands_that_no_longer_win_say_so_in_the_workshop(client):
    form = sent(client, "dmjl", **{"f-four_sets-when": "chows <= 1"})
    page = read(client.post("/rules/dmjl/new/", form))
    assert "no win" in page


@pytest.mark.usefixtures("by")
def test_a_condition_is_told_in_the_clubs_own_sentence(client):
    sentences = {
        "f-four_sets-explanation": "At most one chow.",
        "own-0-explanation": "No 1, 9 or honor.",
    }
    form = sent(client, "dmjl", **SIMPLES, **{"f-four_sets-when": "chows <= 1"}, **sentences)
    response = client.post("/rules/dmjl/new/", form)
    book = response.context["draft"].book
    assert book.forms[0].explanation == "At most one chow."
    assert book.by_id["all_simples"].explanation == "No 1, 9 or honor."
    assert "but Our rules asks more of them: At most one chow." in read(response)


def test_the_last_evening_and_a_season_are_tried(client, by):
    game = make_game(by=by)
    make_hand(game, winner=1, tiles="222B* 345B 55B 222D GGG", by=by)
    form = sent(client, "dmjl", **{"p-dragons-value": "3"})
    page = read(client.post("/rules/dmjl/new/", form))
    assert f"{game.league}: the hands of {date_format(game.evening)}" in page
    tried = {**form, "season": "1", "league": game.league.slug}
    season = read(client.post("/rules/dmjl/new/", tried, headers={"HX-Request": "true"}))
    assert game.players[1].name in season
    assert "Hands that count: 1. With another score: 1." in season
    assert "Play it again by these rules" in read(client.post("/rules/dmjl/new/", tried))


def test_the_evening_is_of_the_league_that_is_chosen(client, by):
    add_book(as_data("dmjl"), by=by)
    version = ruleset_version("dmjl")
    older, newer, other = (
        make_game(by=by, league=make_league(name, **rules))
        for name, rules in (
            ("older", {}), ("newer", {"ruleset_version": version}), ("other", {}),
        )
    )  # fmt: skip
    assert other.league != newer.league
    make_hand(older, winner=1, tiles="222B* 345B 55B 222D GGG", by=by)
    form = sent(client, "dmjl", name="Ours", **{"settlement-discarder": "pays_for_all"})
    page = client.post("/rules/dmjl/new/", form)
    assert page.context["evening"].league == newer.league
    assert "South wins 80, on West’s discard" in read(page)
    page = client.post("/rules/dmjl/new/", {**form, "league": older.league.slug})
    assert page.context["evening"].league == older.league
    assert page.context["evening"].hands == 1
    assert f'value="{older.league.slug}" selected' in read(page)


@pytest.mark.usefixtures("by")
def test_a_book_of_ones_own_gets_its_next_version(client):
    first = published(client, "dmjl", **SIMPLES)
    slug = first.ruleset.slug
    assert "the next version of Our rules" in read(client.get(f"/rules/{slug}/new/"))
    second = published(client, slug, **{"p-all_simples-value": "2"})
    assert (second.ruleset, second.number) == (first.ruleset, 2)
    other = published(client, slug, name="Others", become="new")
    assert (other.ruleset.slug, other.number) == ("others", 1)
    again = client.post(f"/rules/{slug}/new/", sent(client, slug, publish="1"))
    assert "Nothing is changed" in read(again, 422)


def test_a_version_that_came_in_between_is_not_passed_over(client, by):
    slug = published(client, "dmjl", **SIMPLES).ruleset.slug
    began = client.get(f"/rules/{slug}/new/").context["seen"]
    assert began == f"{slug}:1"
    published(client, slug, **{"counting-limit": "700"})
    mine = sent(client, slug, publish="1", seen=began, **{"counting-limit": "800"})
    page = client.post(f"/rules/{slug}/new/", mine)
    shown = read(page, 409)
    assert f"Version 2 of Our rules came in between: account {by.username} published it on" in shown
    assert f"/rules/compare/?one={slug}%3A1&amp;other={slug}%3A2" in shown
    assert page.context["form"].inputs["counting-limit"].value == "800"
    assert RuleSetVersion.objects.filter(ruleset__slug=slug).count() == 2
    page = client.post(f"/rules/{slug}/new/", {**mine, "seen": page.context["seen"]})
    assert page.status_code == 302
    assert RuleSetVersion.objects.latest("pk").book["counting"]["limit"] == 800


@pytest.mark.usefixtures("by")
def test_a_line_that_came_in_between_is_not_switched_off(client):
    slug = published(client, "dmjl", name="Our rules").ruleset.slug
    opened = client.get(f"/rules/{slug}/new/")
    mine = as_shown(opened, publish="1", seen=opened.context["seen"], **{"counting-limit": "800"})
    published(client, slug, **SIMPLES)
    page = client.post(f"/rules/{slug}/new/", mine)
    assert page.status_code == 409
    assert page.context["form"].inputs["p-all_simples-on"].value
    mine = as_shown(page, publish="1", seen=page.context["seen"])
    assert client.post(f"/rules/{slug}/new/", mine).status_code == 302
    book = RuleSetVersion.objects.latest("pk").book
    assert book["counting"]["limit"] == 800
    assert "all_simples" in {one["id"] for one in book["pattern"]}


def test_a_text_passes_over_no_version_that_came_in_between(client, by):
    slug = published(client, "dmjl", **SIMPLES).ruleset.slug
    page = client.get(f"/rules/{slug}/new/?mode=text").context
    began, toml = page["seen"], page["form"].initial["text"]
    published(client, slug, **{"counting-limit": "700"})
    mine = {"mode": "text", "text": toml.replace("limit = 500", "limit = 800"), "publish": "1"}
    page = client.post(f"/rules/{slug}/new/", {**mine, "seen": began})
    assert "came in between" in read(page, 409)
    page = client.post(f"/rules/{slug}/new/", {**mine, "seen": page.context["seen"]})
    assert page.status_code == 302


class TestDeletedMeanwhile:
    """Rules that somebody deletes while another one changes them."""

    @pytest.fixture
    def page(self, client, by):
        ruleset = published(client, "dmjl", **SIMPLES).ruleset
        page = client.get(f"/rules/{ruleset.slug}/new/")
        text_page = client.get(f"/rules/{ruleset.slug}/new/?mode=text")
        page.toml = text_page.context["form"].initial["text"]
        delete_ruleset(ruleset, by=by)
        return page

    def typed(self, page, **changed):
        values = {name: one.value for name, one in page.context["form"].inputs.items()}
        values |= {name: carried(page, name) for name in ("seen", "book", "whole", "own-count")}
        values |= changed
        return {
            name: "1" if one is True else one for name, one in values.items() if one is not False
        }

    def test_a_preview_says_that_the_rules_were_deleted_meanwhile(self, client, page):
        mine = self.typed(page, **{"counting-limit": "800"})
        shown = client.post("/rules/our-rules/new/", mine, headers={"HX-Request": "true"})
        assert "These rules were deleted meanwhile." in read(shown)
        assert shown.context["draft"].book.counting.limit == 800

    def test_what_was_typed_comes_back_and_is_published_as_new_rules(self, client, page):
        mine = self.typed(page, **{"counting-limit": "800", "p-all_simples-value": "2"})
        refused = client.post("/rules/our-rules/new/", {**mine, "publish": "1"})
        assert "These rules were deleted meanwhile." in read(refused, 409)
        assert refused.context["form"].inputs["counting-limit"].value == "800"
        assert not RuleSet.objects.filter(slug="our-rules").exists()
        again = client.post("/rules/our-rules/new/", {**self.typed(refused), "publish": "1"})
        assert again.status_code == 302
        version = RuleSetVersion.objects.latest("pk")
        assert (version.ruleset.slug, version.ruleset.name) == ("our-rules", "Our rules")
        assert (version.number, version.book["counting"]["limit"]) == (1, 800)
        assert version.table_rules.book.by_id["all_simples"].value.text == "2"

    def test_what_was_to_be_new_rules_is_published_at_once(self, client, page):
        mine = self.typed(page, name="Others", become="new", publish="1")
        assert client.post("/rules/our-rules/new/", mine).status_code == 302
        assert RuleSetVersion.objects.latest("pk").ruleset.slug == "others"

    def test_a_text_comes_back_and_is_published_as_new_rules(self, client, page):
        mine = {"mode": "text", "text": page.toml.replace("limit = 500", "limit = 800")}
        mine["seen"] = carried(page, "seen")
        shown = client.post("/rules/our-rules/new/", mine, headers={"HX-Request": "true"})
        assert "These rules were deleted meanwhile." in read(shown)
        refused = client.post("/rules/our-rules/new/", {**mine, "publish": "1"})
        assert "These rules were deleted meanwhile." in read(refused, 409)
        assert "limit = 800" in refused.context["form"].initial["text"]
        again = {**mine, "seen": carried(refused, "seen"), "publish": "1"}
        assert client.post(refused.context["action"], again).status_code == 302
        assert RuleSetVersion.objects.latest("pk").book["counting"]["limit"] == 800

    def test_a_form_that_carries_no_whole_book_has_no_workshop(self, client, page):
        for book in ("", "slug =", 'base = "dmjl"\nslug = "ours"', 'slug = "ours"'):
            answer = client.post("/rules/our-rules/new/", self.typed(page, book=book))
            assert answer.status_code == 404


@pytest.mark.usefixtures("by")
def test_a_draft_is_shown_as_text_and_published_from_the_text(client):
    page = client.post("/rules/dmjl/new/", sent(client, "dmjl", as_text="1", **SIMPLES))
    toml = page.context["form"].initial["text"]
    assert 'base = "dmjl"' in toml
    assert 'id = "all_simples"' in toml
    tried = client.post("/rules/import/", {"text": toml})
    assert "scores differently" in read(tried)
    assert client.post("/rules/import/", {"text": toml, "publish": "1"}).status_code == 302
    assert RuleSet.objects.get(slug="our-rules").latest.table_rules.book.by_id["all_simples"]


@pytest.mark.usefixtures("by")
def test_a_link_carries_a_draft(client):
    page = client.post("/rules/dmjl/new/", sent(client, "dmjl", **SIMPLES))
    link = page.context["link"]
    linked = read(client.get(link))
    assert "every(simple)" in linked
    assert "scores differently" in linked
    assert "What differs from DMJL" in linked


def test_another_club_takes_in_the_file_of_a_book(client, by, tmp_path):
    version = add_book(
        {"base": "dmjl", "slug": "theirs", "name": "Theirs",
         "form": [{"id": "four_sets", "when": "chows <= 1"}]},
        by=by,
    )  # fmt: skip
    file = tmp_path / "theirs.toml"
    file.write_bytes(client.get("/rules/theirs/1.toml").content)
    with file.open("rb") as opened:
        page = client.post("/rules/import/", {"file": opened})
    assert "and all score as before" in read(page)
    renamed = file.read_text().replace('"theirs"', '"ours"').replace('"Theirs"', '"Ours"')
    sent_text = {"text": renamed, "publish": "1"}
    assert client.post("/rules/import/", sent_text).status_code == 302
    ours = RuleSet.objects.get(slug="ours").latest.book
    assert {**ours, "slug": "theirs", "name": "Theirs"} == version.book


def test_a_file_replaces_no_rules_of_its_short_name_unasked(client, by):
    first = add_book({"base": "dmjl", "slug": "ours", "name": "Ours"}, by=by)
    other = {"text": 'base = "cc"\nslug = "ours"\nname = "Others"', "publish": "1"}
    asked = read(client.post("/rules/import/", other), 422)
    assert "the next version of Ours" in asked
    assert 'href="#id_become"' in asked
    assert RuleSetVersion.objects.filter(ruleset=first.ruleset).count() == 1
    assert client.post("/rules/import/", {**other, "become": "new"}).status_code == 302
    assert RuleSet.objects.get(slug="others").latest.number == 1
    taken = read(client.post("/rules/import/", {**other, "become": "next"}), 422)
    assert "There are rules called “Others” already" in taken
    other["text"] = other["text"].replace("Others", "Ours anew")
    assert client.post("/rules/import/", {**other, "become": "next"}).status_code == 302
    assert RuleSet.objects.get(slug="ours").latest.number == 2


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", "Choose the file of a book"),
        ("slug =", "Line 1: A value is missing here"),
        ('base = "dmjl"\n[counting]\nlimit = -1', "Line 3: "),
        ('base = "none"', "There is no book “none”"),
        ('base = "dmjl"\n[[pattern]]\nid = "x"\nname = "X"\nwhen = "pung"\ndoubles = 1',
         "Line 5, character 9: “pung” is not known here"),
        ('base = "dmjl"\n[[pattern]]\nid = "three_concealed"\nreplaces = ["three_concealed"]', "circle"),
        ('base = "dmjl"\nname = "Ours"', "is the short name of a book that ships"),
        ('base = "dmjl"\nslug = "club"\nname = "X"', "short name"),
        ("x" * 200_001, "at most"),
    ],
)  # fmt: skip
def test_a_bad_text_is_refused_with_the_line(client, given, sentence):
    ruleset_version("club")
    before = RuleSetVersion.objects.count()
    page = read(client.post("/rules/import/", {"text": given, "publish": "1"}), 422)
    assert sentence in page
    assert RuleSetVersion.objects.count() == before


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('slug = "new"', "Line 2: “new” is the address of another page"),
        ('slug = "preview"', "Line 2: “preview” is the address of another page"),
        ('slug = "club"', "Line 2: “club” is a rule set of options"),
        (f'slug = "{"s" * 50}"', "Line 2: “slug” has at most 40 characters."),
        (f'name = "{"n" * 5000}"', "Line 2: “name” has at most 80 characters."),
        (r'name = "a\u202eb"', "Line 2: There is a character that nobody can see (U+202E)"),
    ],
)
@pytest.mark.parametrize("sent", [{}, {"publish": "1"}])
def test_a_name_that_cannot_be_is_told_by_the_preview_once(client, line, sentence, sent):
    given = {"text": f'base = "dmjl"\n{line}\n', **sent}
    response = client.post("/rules/import/", given)
    assert response.status_code == 422
    [(_name, _label, message)] = response.context["summary"]
    assert message.startswith(sentence)
    assert not RuleSet.objects.filter(slug__startswith="s").exists()


@pytest.mark.usefixtures("by")
def test_rules_keep_an_address_that_was_reserved_later(client):
    given = {"base": "dmjl", "slug": "ours", "name": "Ours"}
    version = add_book(given, by=make_organiser())
    RuleSet.objects.filter(slug="ours").update(slug="preview")
    book = to_toml({**version.book, "slug": "preview", "edition": "2026"})
    sent = {"text": book, "publish": "1", "become": "next"}
    assert client.post("/rules/import/", sent).status_code == 302


def test_only_organisers_get_to_the_workshop(client):
    client.force_login(make_member())
    assert client.get("/rules/dmjl/new/").status_code == 403
    assert client.get("/rules/import/").status_code == 403
    assert client.get("/rules/nothing/new/").status_code == 403


@pytest.mark.usefixtures("by")
def test_an_unknown_book_has_no_workshop(client):
    assert client.get("/rules/nothing/new/").status_code == 404


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    ("slug", "asked", "not_asked"),
    [
        ("riichi", ["options-kazoe", "settlement-stick", "deal-rounds"], ["counting-minimum", "counting-table", "book-bonus", "book-losers_score", "deal-stays_on_draw"]),
        ("mcr", ["counting-minimum", "book-bonus"], ["counting-limit", "settlement-liability"]),
        ("hk", ["counting-maximum", "settlement-liability"], ["counting-limit", "book-losers_score"]),
        ("zung-jung", ["counting-least"], ["counting-limit", "settlement-liability"]),
        ("dmjl", ["counting-limit", "book-losers_score"], ["settlement-base", "options-kazoe"]),
    ],
)  # fmt: skip
def test_only_what_the_book_reads_is_asked(client, slug, asked, not_asked):
    inputs = client.get(f"/rules/{slug}/new/").context["form"].inputs
    assert [name for name in asked if name not in inputs] == []
    assert [name for name in not_asked if name in inputs] == []


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(("slug", "unit"), [("hk", "faan"), ("mcr", "fan"), ("riichi", "han")])
def test_faan_are_asked_for_by_the_name_that_the_book_has_for_them(client, slug, unit):
    page = client.get(f"/rules/{slug}/new/").content.decode()
    assert {"faan", "fan", "han"} & set(re.findall(r"\w+", page)) == {unit}
    form = client.get(f"/rules/{slug}/new/").context["form"]
    labels = counting_labels(form.book)
    assert labels["minimum"] == f"A hand needs at least so many {unit} to win"
    assert labels["table"] == f"Points for 0, 1, 2 … {unit}"


@pytest.mark.usefixtures("by")
def test_no_maximum_is_offered_only_where_there_may_be_none(client):
    labels = {
        slug: client.get(f"/rules/{slug}/new/").context["form"].inputs["counting-maximum"].label
        for slug in ("hk", "mcr", "zung-jung")
    }
    assert labels.pop("hk") == "At most so many faan count (1 up to the last of the table)"
    assert set(labels.values()) == {"At most so much counts (0: no maximum)"}
    refused = client.post("/rules/hk/new/", sent(client, "hk", **{"counting-maximum": "0"}))
    assert refused.context["summary"][0][0] == "counting-maximum"


@pytest.mark.usefixtures("by")
def test_a_setting_of_a_stored_book_that_nothing_reads_can_be_removed(client):
    data = whole(as_data("zung-jung"))
    counting = {**data["counting"], "limit": 100}
    book = {**data, "slug": "ours", "name": "Ours", "counting": counting}
    ruleset = RuleSet.objects.create(slug="ours", name="Ours")
    RuleSetVersion.objects.create(ruleset=ruleset, number=1, book=book)
    refused = client.post("/rules/ours/new/", sent(client, "ours", **{"counting-least": "2"}))
    assert refused.context["summary"][0][0] == "counting-limit"
    page = client.post("/rules/ours/new/", sent(client, "ours", **{"counting-limit": "0"}))
    assert page.context["draft"].book.counting.limit == 0


@pytest.mark.usefixtures("by")
def test_what_a_library_is_asked_for_is_chosen(client):
    pytest.importorskip("mahjong")
    options = {"options-open_tanyao": None, "options-kazoe": "sanbaiman"}
    version = published(client, "riichi", name="Ours", **options)
    chosen = version.table_rules.book.options
    assert (chosen["open_tanyao"], chosen["kazoe"], chosen["kiriage"]) == (
        False,
        "sanbaiman",
        False,
    )


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"book-losers_score": None}, "settlement-losers_settle"),
        ({"settlement-losers_settle": None}, "book-losers_score"),
    ],
)
def test_losers_hands_score_where_losers_settle(client, changed, name):
    page = client.post("/rules/dmjl/new/", sent(client, "dmjl", name="Ours", **changed))
    assert page.context["summary"][0][0] == name


@pytest.mark.parametrize(
    ("slug", "name", "typed", "read"),
    [
        ("dmjl", "counting-limit", "1,000", 1000),
        ("hk", "counting-table", "1 2 4 8 16 24 32 48 64 96 1000", (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 1000)),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(slug, name, typed, read):
    table, key = name.split("-")
    form = WorkshopForm({name: typed}, whole(as_data(slug)), load(slug), may_follow=False)
    assert form.changes("ours")[table][key] == (read if isinstance(read, int) else list(read))


def test_a_problem_says_whose_condition_it_is():
    form = WorkshopForm(None, whole(as_data("dmjl")), load("dmjl"), may_follow=False)
    problem = Problem("pattern thirteen_orphans: when", "unknown_form", "There is no such form.")
    [(_name, label, _sentence)] = form.refuse(HandError([problem]))
    assert label == "Thirteen orphans – Condition"
