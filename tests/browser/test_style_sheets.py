"""What production sends of our style sheets is what was written, read by a browser."""

from pathlib import Path

import pytest

from mahjong_site.static_files import shorter_style

pytestmark = pytest.mark.browser

STYLES = Path(__file__).parents[2] / "scoring" / "static" / "scoring"
# The rules that a browser reads in a text, and no rule of none. Values of custom properties keep their spaces.
RULES = r"""texts => texts.map(text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map(rule => rule.cssText.replace(/\s+/g, " "));
})"""


def test_our_styles_mean_the_same_without_comments(page):
    for path in sorted(STYLES.rglob("*.css")):
        written = path.read_text()
        sent = shorter_style(written)
        assert len(sent) < len(written)
        as_written, as_sent = page.evaluate(RULES, [written, sent])
        assert as_written
        assert as_written == as_sent, path.name
