"""The address of something, made from its name."""

from itertools import count

from django.db.models import QuerySet
from django.utils.text import slugify

from scoring.models.rulesets import RESERVED

LONGEST = 40


def free_slug(name: str, rows: QuerySet, otherwise: str) -> str:
    """``name`` in letters for an address that none of ``rows`` has; ``otherwise`` if it has none."""
    wanted = slugify(name)[:LONGEST].strip("-_") or otherwise
    used = {*rows.filter(slug__startswith=wanted).values_list("slug", flat=True), *RESERVED}
    if wanted not in used:
        return wanted
    return next(slug for n in count(2) if (slug := f"{wanted}-{n}") not in used)
