"""What axe-core finds on a page, short enough to read in a failed test."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Only what a test reads crosses over from the browser: the whole report takes four times as long.
BROKEN_RULES = """
(options) => axe.run({resultTypes: ["violations"], ...options}).then(({violations}) =>
  violations.map((rule) => [rule.id, rule.nodes.map((node) => node.target)]))
"""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


def violations(page: Page) -> list[tuple[str, list]]:
    """The rules that the page breaks as it stands, each with the elements that break it.

    Seen in light; of the dark only the colours are asked, the rest is the same page.
    """
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    light = page.evaluate(BROKEN_RULES)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(BROKEN_RULES, COLOURS)
    page.emulate_media(color_scheme="light")
    return [(rule, targets) for rule, targets in light] + [
        (f"{rule} in the dark", targets) for rule, targets in dark
    ]
