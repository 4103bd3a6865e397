"""What axe-core finds on a page, short enough to read in a failed test."""

from collections.abc import Callable

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
# Marks the elements to be seen that look another way than any that was asked about in this tab, with all
# around them; keeps how they look for the next page; says how many they are.
FRESH = """
([among]) => {
  const kept = location.protocol === "http:" ? sessionStorage : {};
  const known = new Set(JSON.parse(kept.looks ?? "[]"));
  const looks = new Map([[document.body, matchMedia("(prefers-color-scheme: dark)").matches]]);
  let fresh = 0;
  const digest = (text) => {
    let number = 0;
    for (let at = 0; at < text.length; at++) number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0;
    return number.toString(36) + text.length.toString(36);
  };
  for (const element of document.body.querySelectorAll("*")) {
    const {color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity} = getComputedStyle(element);
    const scrolls = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    const look = [
      looks.get(element.parentElement), element.tagName, element.className.baseVal ?? element.className,
      element.getAttributeNames().filter((name) => !name.startsWith("data-")).join(" "), element.role,
      !element.textContent.trim(), color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity, scrolls,
    ].join();
    looks.set(element, digest(look));
    delete element.dataset.fresh;
    if (!element.matches(among) || !element.checkVisibility({visibilityProperty: true})) continue;
    if (!known.has(looks.get(element))) fresh += Boolean(element.dataset.fresh = "yes");
  }
  document.querySelectorAll("[data-fresh]").forEach((element) => known.add(looks.get(element)));
  kept.looks = JSON.stringify([...known]);
  return fresh;
}
"""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


def violations(page: Page) -> list[tuple[str, list]]:
    """The rules that the page breaks as it stands, each with the elements that break it.

    Seen in light; of the dark only the colours are asked, the rest is the same page.
    """
    load_axe(page)
    light = page.evaluate(BROKEN_RULES, [{}, None])
    return told(light) + in_the_dark(page, lambda: page.evaluate(BROKEN_RULES, [COLOURS, None]))


def violations_of_one_page_more(page: Page) -> list[tuple[str, list]]:
    """The same for one of many pages in a tab: dark colours that an earlier page had, it does not ask again."""
    load_axe(page)
    light = page.evaluate(BROKEN_RULES, [{}, None])
    return told(light) + in_the_dark(page, lambda: broken_by_fresh(page, COLOURS))


def violations_at(page: Page, width: int) -> list[tuple[str, list]]:
    """What the page breaks at another ``width``, after ``violations_of_one_page_more`` has found nothing.

    Only those elements are asked that were not to be seen before, or that look another way, and that no
    earlier page in this tab had; what is about the page as a whole is not asked again.
    """
    page.evaluate(CHANGED)
    page.set_viewport_size({"width": width, "height": 800})
    if not page.evaluate(CHANGED):
        return []
    light = broken_by_fresh(page, {}, among="[data-changed]")
    return told(light) + in_the_dark(
        page, lambda: broken_by_fresh(page, COLOURS, among="[data-changed]")
    )


def load_axe(page: Page) -> None:
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)


def broken_by_fresh(page: Page, options: dict, among: str = "*") -> list:
    if not page.evaluate(FRESH, [among]):
        return []
    return page.evaluate(BROKEN_RULES, [options, [["[data-fresh]"]]])


def in_the_dark(page: Page, broken: Callable[[], list]) -> list[tuple[str, list]]:
    page.emulate_media(color_scheme="dark")
    dark = broken()
    page.emulate_media(color_scheme="light")
    return [(f"{rule} in the dark", targets) for rule, targets in dark]


def told(broken: list) -> list[tuple[str, list]]:
    return [(rule, targets) for rule, targets in broken]
