"""The leagues of the demo club: a season that everybody may look at, a club night, and more."""

from dataclasses import dataclass
from datetime import date

from django.utils.text import slugify

from scoring.models import League, RuleSet, RuleSetVersion
from scoring.services.rulesets import install_rulesets

PUBLIC, MEMBERS = League.Visibility.PUBLIC, League.Visibility.MEMBERS


@dataclass(frozen=True, slots=True)
class Sort:
    """A league as the club would describe it."""

    name: str
    ruleset: str
    visibility: str
    description: str


SORTS = (
    Sort("Season {year}", "club", PUBLIC, "Every game of the year counts. Guests are welcome."),
    Sort("Club night", "book", MEMBERS, "Among ourselves, and by the book to the letter."),
    Sort("Beginners’ table", "club", PUBLIC, "Slow hands, open tiles, questions allowed."),
    Sort("Winter cup", "book", PUBLIC, "The long evenings, and a cup for whoever leads in spring."),
)
# Where every league plays by one book, none says that another does.
SORTS_BY_A_BOOK = tuple(sort for sort in SORTS if sort.ruleset == "club")


def open_leagues(
    count: int, first_day: date, version: RuleSetVersion | None = None
) -> list[League]:
    """``count`` leagues that run from ``first_day`` on; their names are new to the club.

    All of them play by ``version``, if one is given.
    """
    install_rulesets()
    sorts = SORTS if version is None else SORTS_BY_A_BOOK
    return [_open(sorts[turn % len(sorts)], first_day, version) for turn in range(count)]


def _open(sort: Sort, first_day: date, version: RuleSetVersion | None) -> League:
    name = _unused(sort.name.format(year=first_day.year))
    league = League(
        name=name,
        slug=slugify(name),
        description=sort.description,
        ruleset_version=version or RuleSet.objects.get(slug=sort.ruleset).latest,
        starts_on=first_day,
        visibility=sort.visibility,
    )
    league.full_clean()
    league.save()
    return league


def _unused(name: str) -> str:
    slugs = set(League.objects.values_list("slug", flat=True))
    numbered, number = name, 1
    while slugify(numbered) in slugs:
        number += 1
        numbered = f"{name} ({number})"
    return numbered
