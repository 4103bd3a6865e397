"""The scorer of a shipped book, or the name of the library that is missing here."""

from scoring.evaluator.books.loader import load
from scoring.variants import MissingLibrary, Scorer, scorer_for
from tests.support.skips import cannot_run


def scorer(slug: str) -> Scorer:
    try:
        return scorer_for(load(slug))
    except MissingLibrary as missing:
        return cannot_run(str(missing))
