"""What axe-core finds on a page, short enough to read in a failed test."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Only what a test reads crosses over from the browser: the whole report takes four times as long.
BROKEN_RULES = """
([options, where]) => axe.run(where ?? document, {resultTypes: ["violations"], ...options}).then(
  ({violations}) => violations.map((rule) => [rule.id, rule.nodes.map((node) => node.target)]))
"""
# Marks the elements that are to be seen and look another way than when this was last asked, or were not
# to be seen then; says how many they are.
CHANGED = """
() => {
  const before = window.looks ?? new Map();
  window.looks = new Map();
  let changed = 0;
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility({visibilityProperty: true})) continue;
    const {color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity} = getComputedStyle(element);
    const scrolls = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    const look = [color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity, scrolls].join();
    window.looks.set(element, look);
    if (before.get(element) !== look) changed += Boolean(element.dataset.changed = "yes");
    else delete element.dataset.changed;
  }
  return changed;
}
"""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
ALL_BUT_COLOURS = {"rules": {rule: {"enabled": False} for rule in COLOURS["runOnly"]}}


def violations(
    page: Page, *, in_the_dark: bool = True, colours: bool = True
) -> list[tuple[str, list]]:
    """The rules that the page breaks as it stands, each with the elements that break it.

    Seen in light; of the dark only the colours are asked, the rest is the same page. Without ``colours``,
    which take most of the time, only the rest is asked.
    """
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    asked = {} if colours else ALL_BUT_COLOURS
    return broken_rules(page, None, asked, in_the_dark=in_the_dark and colours)


def violations_at(page: Page, width: int) -> list[tuple[str, list]]:
    """What the page breaks at another ``width``, after ``violations`` has found nothing.

    Only those elements are asked that were not to be seen before, or that look another way; what is
    about the page as a whole is not asked again.
    """
    page.evaluate(CHANGED)
    page.set_viewport_size({"width": width, "height": 800})
    return broken_rules(page, [["[data-changed]"]]) if page.evaluate(CHANGED) else []


def broken_rules(
    page: Page, where: list | None, asked: dict | None = None, *, in_the_dark: bool = True
) -> list[tuple[str, list]]:
    light = [(rule, targets) for rule, targets in page.evaluate(BROKEN_RULES, [asked or {}, where])]
    if not in_the_dark:
        return light
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(BROKEN_RULES, [COLOURS, where])
    page.emulate_media(color_scheme="light")
    return light + [(f"{rule} in the dark", targets) for rule, targets in dark]
