"""What axe-core finds on a page, short enough to read in a failed test."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> list[tuple[str, list]]:
    """The rules that the page breaks as it stands, each with the elements that break it."""
    found = Axe().run(page).response["violations"]
    return [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found]
