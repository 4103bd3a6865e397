"""``/api/docs/``: the API to read and to try, offline, under the strict policy of the site."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import expect

from scoring.api.problems import TITLES, problem_type
from scoring.services.rulesets import install_rulesets
from tests.browser.accessibility import violations
from tests.factories import BOOK_HAND

DOCS = "/api/docs/"


def policy(response):
    directives = response["Content-Security-Policy"].split(";")
    return {name: set(sources) for name, *sources in map(str.split, directives)}


def test_everybody_may_read_the_docs(visitor):
    assert visitor.get(DOCS).status_code == 200
    assert visitor.get("/api/").url == DOCS


def test_no_script_or_style_stands_in_the_page(visitor):
    page = visitor.get(DOCS).content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
    assert not re.search(r'(src|href)="(https?:)?//', page)


def test_pictures_from_data_are_all_they_are_allowed_beyond_the_site_s_policy(visitor):
    docs, site = policy(visitor.get(DOCS)), policy(visitor.get("/api/schema/"))
    assert docs.pop("img-src") - site.pop("img-src") == {"data:"}
    assert docs == site
    assert site["default-src"] == {"'none'"}


def test_the_types_of_problems_lead_to_where_they_are_explained(visitor):
    page = visitor.get(DOCS).content.decode()
    for code, title in TITLES.items():
        address, _hash, anchor = problem_type(code).partition("#")
        assert (address, f'<dt id="{anchor}">' in page) == (DOCS, True)
        assert str(title) in page


@pytest.mark.parametrize("language", ["en", "nl", "zh-hant"])
def test_the_docs_speak_one_language_and_have_the_name_of_the_site(visitor, language):
    page = visitor.get(DOCS, headers={"accept-language": language})
    html = page.content.decode()
    assert page["Content-Language"] == "en"
    assert re.findall(r'\blang="([^"]+)"', html) == ["en"]
    assert "Kinds of problems" in html
    assert "It is too late" in html
    assert f"<title>{settings.SITE_NAME}</title>" in html
    assert visitor.get("/api/schema/?format=json").json()["info"]["title"] == settings.SITE_NAME


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_call_can_be_tried_in_a_browser(phone, live_server):
    install_rulesets()
    page = phone()
    page.goto(f"{live_server.url}{DOCS}")
    expect(page.get_by_role("link", name="Mah Jongg Club")).to_have_attribute("href", "/")
    call = page.locator("#operations-score-score_create")
    expect(call).to_be_visible()
    # What is left is built into Swagger UI: links in what opens, headings that skip a level.
    left = {"nested-interactive", "heading-order", "region"}
    assert {rule for rule, _where in violations(page)} <= left
    call.locator(".opblock-summary").click()
    call.get_by_role("button", name="Try it out").click()
    call.locator("textarea").fill(f'{{"tiles": "{BOOK_HAND}", "seat": "S", "prevailing": "E"}}')
    call.get_by_role("button", name="Execute").click()
    answer = call.locator(".live-responses-table")
    expect(answer.locator(".response-col_status").last).to_contain_text("200")
    expect(answer).to_contain_text("lucky_sets")
    page.get_by_role("button", name="Authorize").first.click()
    expect(page.locator(".dialog-ux")).to_contain_text("tokenAuth")
