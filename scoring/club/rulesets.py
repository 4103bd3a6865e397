"""The two rule sets that come with the project."""

from scoring.evaluator.rules import BOOK, CLUB
from scoring.models import RuleSet, RuleSetVersion

DESCRIPTIONS = {
    "club": "The default: every reading of the book decided, the best interpretation counts.",
    "book": "The book to the letter, wherever the letter can work.",
}


def install_rulesets() -> None:
    """Make sure that Club and Book are there with a first version. Changes nothing that exists."""
    for rules in (CLUB, BOOK):
        ruleset, _created = RuleSet.objects.get_or_create(
            slug=rules.slug,
            defaults={"name": rules.name, "description": DESCRIPTIONS[rules.slug]},
        )
        if not ruleset.versions.exists():
            RuleSetVersion.objects.create(ruleset=ruleset, number=1, options=rules.options())
