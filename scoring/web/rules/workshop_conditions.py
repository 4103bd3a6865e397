"""Read and write in the condition of a pattern whether it is for concealed hands only."""

from scoring.evaluator.books.expressions import Expression
from scoring.services.book_examples import CONCEALED


def shown_condition(when: str) -> str:
    """``when`` without what the box “only concealed” says; empty where nothing is asked."""
    if is_concealed(when):
        when = without_concealed(when)
    return "" if when == "1" else when


def is_concealed(when: str) -> bool:
    """Whether it asks for a concealed hand besides all else: ``a or b and concealed_hand`` does not.

    >>> is_concealed("(chows == 0 or suits == 1) and concealed_hand")
    True
    >>> is_concealed("chows == 0 or suits == 1 and concealed_hand")
    False
    """
    ends = when == CONCEALED or when.endswith(f" and {CONCEALED}")
    return ends and Expression(when).parts()[-1].text == CONCEALED


def with_concealed(when: str) -> str:
    return f"({when}) and {CONCEALED}" if when.strip() else CONCEALED


def without_concealed(when: str) -> str:
    """``when`` without asking for a concealed hand."""
    rest = when.removesuffix(CONCEALED).removesuffix(" and ")
    return rest or "1"
