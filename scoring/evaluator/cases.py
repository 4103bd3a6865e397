"""From an expression of a rule book to cases of packed traits, which a hand is compared with at once.

A rule book says what a pattern is in words (``scoring/evaluator/books``). Where those words are about
nothing but traits, they become cases here: the fast way to judge a hand that is read as five sets.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from .books.expressions import COMPARE
from .traits import SHIFTS, WIDTHS, Traits, mask_of


class Case(NamedTuple):
    """One way to have a rule: the packed traits in ``mask`` are exactly ``value``.

    A hand then has the rule ``times`` times. ``option`` switches the case on, as
    :meth:`scoring.evaluator.rulesets.RuleSet.plays` says; a case without one always counts.
    """

    mask: int
    value: int
    times: int = 1
    option: str = ""


def has(times: int = 1, **traits: int) -> Case:
    """The case of a hand whose ``traits`` are these; it may have any others.

    :raises ValueError: for a value that no hand can have.

    >>> one_suit, hand = has(suits=1, honors=0), Traits(sets=5, suits=1).pack()
    >>> hand & one_suit.mask == one_suit.value
    True
    """
    return Case(mask_of(*traits), Traits(**traits).pack(), times)


def in_three_suits(trait: str) -> tuple[Case, ...]:
    """The cases of ``chow_ranks`` or ``pung_ranks`` that have any rank in all three suits.

    >>> len(in_three_suits("chow_ranks"))
    7
    """
    place = Traits._fields.index(trait)
    ranks = [3 << SHIFTS[place] + shift for shift in range(0, WIDTHS[place], 2)]
    return tuple(Case(rank, rank) for rank in ranks)


# The words of rule books that are a trait, each with its largest value.
COUNTED = {
    "chows": ("chows", 4),
    "suits": ("suits", 3),
    "honors": ("honors", 1),  # whether there are any
    "simples": ("suits_with_simples", 3),
    "dragon_triplets": ("dragon_triplets", 4),
    "dragon_pairs": ("dragon_pairs", 1),
    "wind_triplets": ("wind_triplets", 4),
    "wind_pairs": ("wind_pairs", 1),
    "straights": ("straights", 1),
    "gates": ("gates", 1),
    "lucky": ("lucky", 5),  # pungs of all dragons, and of a wind that counts twice
}
HELD: dict[str, tuple[Case, ...]] = {
    "form(four_sets)": (has(sets=5),),
    "form(thirteen_orphans)": (has(orphans=1),),
    "concealed_hand": (has(concealed=1),),
    "drawn": (has(self_drawn=1),),
    "every(simple)": (has(suits_with_others=0),),
    "every(outside)": (has(all_simple_sets=0),),
    "every(green)": (has(suits_not_green=0),),
    "worthless": (has(points=0),),
    "similar_chows > 0": in_three_suits("chow_ranks"),
    "similar_triplets > 0": in_three_suits("pung_ranks"),
}
# Of these a trait tells only whether there are any.
ONLY_WHETHER = ("honors", "simples")


def cases_of(expression: str) -> tuple[Case, ...]:
    """The cases of a hand for which ``expression`` holds, or that has it so many times.

    :raises ValueError: if it is about more than traits.

    >>> cases_of("suits == 1 and honors == 0") == (has(suits=1, honors=0),)
    True
    >>> [case.times for case in cases_of("lucky")]
    [1, 2, 3, 4, 5]
    """
    node = ast.parse(expression.strip(), mode="eval").body
    if isinstance(node, ast.Name) and node.id in COUNTED:
        trait, most = COUNTED[node.id]
        return tuple(has(times, **{trait: times}) for times in range(1, most + 1))
    return tuple(_cases(node))


def _cases(node: ast.expr) -> Sequence[Case]:
    text = ast.unparse(node)
    if text in HELD:
        return HELD[text]
    if isinstance(node, ast.BoolOp):
        parts = [_cases(part) for part in node.values]
        if isinstance(node.op, ast.Or):
            return [case for part in parts for case in part]
        return [case for combined in product(*parts) for case in _all_of(combined)]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(node, text)
    if isinstance(node, ast.Call) and text.startswith("option("):
        return (Case(0, 0, option=ast.unparse(node.args[0])),)
    raise ValueError(f"No traits tell whether {text}.")


def _compared(node: ast.Compare, text: str) -> Sequence[Case]:
    """The cases of ``chows == 0`` and the like; of ``… != 0``, those of what stands before it."""
    compare, limit = COMPARE[type(node.ops[0])], node.comparators[0]
    if not isinstance(limit, ast.Constant) or not isinstance(limit.value, int):
        raise ValueError(f"No traits tell whether {text}.")
    known = COUNTED.get(ast.unparse(node.left))
    if known is None and compare is operator.ne and limit.value == 0:
        return _cases(node.left)
    if known is None or (ast.unparse(node.left) in ONLY_WHETHER and limit.value != 0):
        raise ValueError(f"No traits tell whether {text}.")
    trait, most = known
    return [has(**{trait: value}) for value in _values(compare, limit.value, most)]


def _values(compare: Callable[[int, int], bool], limit: int, most: int) -> Iterator[int]:
    return (value for value in range(most + 1) if compare(value, limit))


def _all_of(cases: Sequence[Case]) -> Iterator[Case]:
    """The case of a hand that has each of ``cases``, if one can."""
    mask = value = 0
    for case in cases:
        if case.value & mask != value & case.mask:
            return
        mask, value = mask | case.mask, value | case.value
    yield Case(mask, value, option="".join(case.option for case in cases))
