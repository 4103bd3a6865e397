"""Why a table cannot have worked out a score: in the words of its rules, for the site and for the scripts."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.table_rules import Claims
from scoring.translation import LazyText


def claim_problem(claims: Claims, claim: int) -> LazyText | None:
    """Why ``claim``, in whole points, is none of ``claims``; None if it is one."""
    if claims.allow(claim):
        return None
    words = claim_words(claims)
    if claims.listed:
        return words["unlisted"]
    return words["outside" if not claims.least <= claim <= claims.most else "unrounded"]


def claim_words(claims: Claims) -> dict[str, LazyText]:
    """What is said of a score that is ``unlisted``, ``outside`` of the bounds, or ``unrounded``."""
    scores = ", ".join(map(str, claims.listed))
    bounds = {"least": claims.least, "limit": claims.most}
    return {
        "unlisted": format_lazy(_("By these rules a score is one of {scores}."), scores=scores),
        "outside": format_lazy(_("A score lies between {least} and {limit}."), **bounds),
        "unrounded": format_lazy(_("Scores are rounded to {step} here."), step=claims.step),
    }
