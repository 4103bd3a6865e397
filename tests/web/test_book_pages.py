"""``/rules/<book>/``: a rule book that ships, in words, with an anchor for every line of a scorecard."""

import pytest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from scoring.evaluator.books.loader import from_data, load, shipped
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.book_scores import card_by_book
from scoring.services.rulesets import add_book
from scoring.translation import card_in_words, label_in_book, translate
from scoring.web.rules.books import page_of
from tests.factories import make_organiser, ruleset_version

pytestmark = pytest.mark.django_db

BOOKS = [slug for slug in shipped() if slug not in ("club", "book")]


def shown(client, url):
    response = client.get(url)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture(autouse=True)
def _club():
    ruleset_version("club")


@pytest.mark.parametrize("slug", BOOKS)
def test_every_pattern_has_its_place_on_the_page_once(client, slug):
    page = shown(client, reverse("rules", args=[slug]))
    for pattern in load(slug).patterns:
        assert page.count(f'id="{pattern.id}"') == 1, pattern.id
        assert page.count(f'id="{pattern.line}"') == 1, pattern.line


@pytest.mark.parametrize("slug", BOOKS)
def test_every_condition_of_what_wins_is_on_the_page(client, slug):
    page = shown(client, reverse("rules", args=[slug]))
    assert "<code></code>" not in page
    for form in load(slug).forms:
        condition = form.explanation or f"<code>{escape(form.when.text)}</code>"
        assert form.unconditional or condition in page, form.id


def test_the_example_stands_before_the_hand_that_nearly_has_it(client):
    page = shown(client, "/rules/dmjl/")
    entry = page.partition('id="three_concealed"')[2].partition("</article>")[0]
    assert 0 < entry.index("For example:") < entry.index("A hand that nearly has it")


def test_the_conditions_of_a_clubs_own_forms_are_on_its_page(client):
    forms = [{"id": "four_sets", "when": "chows <= 1", "concealed": True}]
    data = {"base": "dmjl", "slug": "ours", "name": "Ours", "form": forms}
    add_book(data, by=make_organiser())
    page = shown(client, "/rules/ours/")
    assert "<code>chows &lt;= 1</code>" in page
    assert "(only concealed)" in page
    assert "<code></code>" not in page


def changed(base, **changes):
    return page_of(from_data({"base": base, "slug": "ours", "name": "Ours", **changes}))


def entries(page):
    return {entry.id: entry for section in page.sections for entry in section.entries}


def test_a_changed_condition_is_shown_instead_of_the_old_sentence():
    pattern = {"id": "plum_blossom", "when": "won and drawn and kongs == 3"}
    entry = entries(changed("dmjl", pattern=[pattern]))["plum_blossom"]
    assert entry.explanation == ""
    assert entry.conditions == [("Condition", "won and drawn and kongs == 3")]


def test_all_that_a_pattern_of_ones_own_asks_is_shown():
    sets = {"each": "pung and dots", "when": "concealed_hand and drawn"}
    often = {"times": "lucky", "when": "drawn"}
    own = [
        {"id": "a", "name": "A", "points": 3, **sets},
        {"id": "b", "name": "B", "points": 3, **often},
    ]
    page = entries(changed("dmjl", pattern=own))
    assert page["a"].conditions == [
        ("For each set that is", "pung and dots"),
        ("Condition", "concealed_hand and drawn"),
    ]
    assert page["b"].conditions == [("How often", "lucky"), ("Condition", "drawn")]


def test_what_is_not_played_is_not_listed():
    whole, without = (
        entries(page_of(load("dmjl"))),
        changed("dmjl", bonus=False, losers_score=False, settlement={"losers_settle": False}),
    )
    gone = whole.keys() - entries(without).keys()
    assert gone == {"flower", "season", "own_flower_and_season", "all_flowers", "all_seasons"}
    assert not any(entry.notes for entry in entries(without).values())
    assert not any("losers" in sentence for sentence in without.settlement)
    assert "seven_bonus_tiles" not in {form.id for form in changed("hk", bonus=False).forms}
    assert "no_bonus_tiles" in entries(changed("hk", bonus=False))


def test_what_is_worth_less_when_open_says_both():
    (section, *_rest) = page_of(load("riichi")).sections
    worth = {entry.id: entry.worth for entry in section.entries}
    assert worth["honitsu"] == ["3 han", "open: 2 han"]
    assert not any("claimed" in line for lines in worth.values() for line in lines)


@pytest.mark.parametrize(
    ("base", "changes", "sentence"),
    [
        ("hk", {}, "No more than 10 faan count."),
        ("hk", {}, "Faan and points: 3: 8, 4: 16, 5: 24, 6: 32, 7: 48, 8: 64, 9: 96, 10: 128."),
        ("hk", {"settlement": {"base": 4}}, "A portion is 4 times the winner’s score."),
        ("hk", {}, "may have to pay for everybody."),
        ("hk", {}, "pays each of the others 3 times the highest score"),
        ("dmjl", {"counting": {"roof": False}}, "may score more than the limit."),
        ("dmjl", {"counting": {"best": False}}, "the first counts in the order of the book"),
        ("dmjl", {"counting": {"first_of_group": True}}, "the first in the book counts."),
        ("dmjl", {"deal": {"rounds": 1}}, "A game has 1 round."),
        ("dmjl", {"bonus": False}, "Flowers and seasons do not count."),
        ("american-1922", {}, "There is no limit."),
        ("zung-jung", {}, "The highest score of patterns that are added up is 320."),
        ("riichi", {"deal": {"stays_on_win": False}}, "deals again after a draw while calling"),
        ("riichi", {}, "Places worth 15,000 and 5,000, 30,000 points at the start"),
    ],
)  # fmt: skip
def test_the_page_says_what_the_book_decides(base, changes, sentence):
    page = changed(base, **changes)
    sentences = [*page.counting, *page.settlement, *page.deal, *page.left_to_leagues]
    assert any(sentence in one for one in sentences), sentences


@pytest.mark.parametrize("slug", BOOKS)
def test_the_list_shows_each_book(client, slug):
    page = shown(client, reverse("rules_index"))
    assert "More rule books" in page
    assert f'href="{reverse("rules", args=[slug])}"' in page


def test_no_two_books_have_one_name():
    names = [load(slug).name for slug in shipped()]
    assert len(set(names)) == len(names)


def test_the_page_of_a_stored_rule_set_goes_before_that_of_a_book(client):
    ours = RuleSet.objects.create(slug="dmjl", name="Ours")
    RuleSetVersion.objects.create(ruleset=ours, number=1, options={"limit": 50})
    assert "Rules: Ours" in shown(client, "/rules/dmjl/")


def test_an_unknown_book_has_no_page(client):
    assert client.get("/rules/nothing/").status_code == 404


def test_the_words_of_a_book_are_in_the_readers_language(client):
    with override("nl"):
        page = client.get("/rules/dmjl/", headers={"Accept-Language": "nl"}).content.decode()
        names = {pattern.name: translate(pattern.name) for pattern in load("dmjl").patterns}
    translated = {name: dutch for name, dutch in names.items() if name != dutch}
    assert translated
    for name, dutch in translated.items():
        assert f'<h3 class="entry__name">{dutch}</h3>' in page, name


def test_a_card_of_a_book_is_in_the_readers_language():
    dragons = "Three concealed pungs"
    line = {"label": f"Calling for {dragons}"}
    assert label_in_book(line) == line["label"]
    card = card_by_book(load("dmjl"), "222B 345B 55B 222D GGG", "S", "E").as_dict()
    with override("nl"):
        labels = [line["label"] for line in card_in_words(card)["point_report"]]
        assert labels == [translate(line["label"]) for line in card["point_report"]]
        assert label_in_book(line).endswith(translate(dragons))
