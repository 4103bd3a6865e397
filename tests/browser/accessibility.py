"""What axe-core finds on a page, short enough to read in a failed test."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Only what a test reads crosses over from the browser: the whole report takes four times as long.
BROKEN_RULES = """
axe.run({resultTypes: ["violations"]}).then(({violations}) =>
  violations.map((rule) => [rule.id, rule.nodes.map((node) => node.target)]))
"""


def violations(page: Page) -> list[tuple[str, list]]:
    """The rules that the page breaks as it stands, each with the elements that break it."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    return [(rule, targets) for rule, targets in page.evaluate(BROKEN_RULES)]
