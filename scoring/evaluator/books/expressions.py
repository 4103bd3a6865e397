"""The language of rule books: small, total and safe.

An expression is written as in Python, but none is ever run: it is parsed, every part of it is looked up
in what this module knows, and what remains is a tree of functions over whole numbers. There are no loops
but those over the at most seven sets and 18 tiles of a hand, and no division; so each has an end.

``count(pung and dragon) >= 2 and any(pair and dragon)`` is Little Three Dragons.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from scoring.evaluator.text import Text

from .vocabulary import HAND_FACTS, NAMED, SET_FACTS, SHAPES, TILE_FACTS, SetFact, TileFact

LONGEST = 400  # characters
MOST_PARTS = 120
LARGEST = 100_000
UNREADABLE = (
    "This cannot be read: write a condition such as chows == 2, every(simple) or count(pung) >= 1."
)
ALIKE = 5  # words that are offered for one that nobody knows; all, if none is like it

Values = Sequence[int]
Evaluate = Callable[[Values], int]
Ask = Callable[..., int]


class Slot(NamedTuple):
    """One number that an expression reads of a hand, before anything is worked out with it.

    ``kind``: the "count" of sets, or of "tiles", that meet the condition ``name``; whether "any" set, or
    "any_tile", or the "last" tile does; a fact of the whole "hand"; a "shape" of several sets; the "form"
    in which it wins; an "option" of the rule set.
    """

    kind: str
    name: str


class ExpressionError(ValueError):
    """What is wrong with an expression, in words, and the character at which it is wrong, from 0."""

    def __init__(self, message: Text, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.column = message, column


class Expression:
    """A parsed expression: what it reads (``slots``), and what it makes of that.

    >>> little = Expression("count(pung and dragon) == 2 and any(pair and dragon)")
    >>> [slot.name for slot in little.slots]
    ['pung and dragon', 'pair and dragon']
    >>> little([2, 1]), little([2, 0])
    (1, 0)
    """

    def __init__(self, text: str) -> None:
        """:raises ExpressionError: if it is too large, or says what nobody knows."""
        self.text = text
        slots: dict[Slot, int] = {}
        self._evaluate = _compile(_parsed(text), slots)
        self.slots = tuple(slots)

    def __call__(self, values: Values) -> int:
        """The value for a hand whose slots have these ``values``; what holds is 1."""
        return int(self._evaluate(values))

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def parts(self) -> "list[Expression]":
        """The conditions that must all hold, one by one.

        >>> Expression("chows <= 1 and any(dragon)").parts()
        [Expression('chows <= 1'), Expression('any(dragon)')]
        """
        tree = _parsed(self.text)
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return [Expression(ast.unparse(node)) for node in tree.values]
        return [self]

    def at(self, places: Mapping[Slot, int]) -> Evaluate:
        """The same over the values of a whole book, where each slot has its place in ``places``."""
        return _compile(_parsed(self.text), dict(places))


def predicate_of_sets(text: str) -> Callable[[SetFact], int]:
    """Whether a set meets ``text``, such as ``pung and (terminal or honor) and concealed``.

    :raises ExpressionError: as :class:`Expression`.
    """
    return _predicate(_parsed(text), SET_FACTS)


def predicate_of_tiles(text: str) -> Callable[[TileFact], int]:
    """Whether a tile meets ``text``, such as ``bamboo and rank == 1``.

    :raises ExpressionError: as :class:`Expression`.
    """
    return _predicate(_parsed(text), TILE_FACTS)


# --- reading ------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST:
        message = Text.of("An expression has at most {most} characters.", most=LONGEST)
        raise ExpressionError(message, LONGEST)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = (getattr(error, "offset", None) or 1) - 1
        raise ExpressionError(Text(UNREADABLE), column) from None
    if sum(1 for _part in ast.walk(tree)) > MOST_PARTS:
        raise ExpressionError(Text.of("An expression has at most {most} parts.", most=MOST_PARTS))
    return tree


class _Zero(ast.NodeTransformer):
    """Where a number of sets or tiles is compared with 0, ask whether there is any.

    What is only asked so takes one bit of a hand, and many hands are equal in it.
    """

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        number, zero = node.left, node.comparators[0]
        if isinstance(number, ast.Name) and number.id in NAMED:
            number = _parsed(NAMED[number.id])
        if (
            isinstance(number, ast.Call)
            and isinstance(number.func, ast.Name)
            and number.func.id in ANY
            and len(node.ops) == 1
            and isinstance(node.ops[0], ast.Gt | ast.Eq | ast.NotEq)
            and isinstance(zero, ast.Constant)
            and zero.value == 0
        ):
            name = ast.copy_location(ast.Name(ANY[number.func.id]), number)
            there = ast.copy_location(ast.Call(name, number.args, number.keywords), number)
            if isinstance(node.ops[0], ast.Eq):
                return ast.copy_location(ast.UnaryOp(ast.Not(), there), node)
            return there
        self.generic_visit(node)
        return node


ANY = {"count": "any", "tiles": "any_tile"}
COMPARE: dict[type, Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
UNARY: dict[type, Callable[[int], int]] = {ast.Not: operator.not_, ast.USub: operator.neg}
ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def _compile(node: ast.expr, places: dict[Slot, int]) -> Evaluate:
    """The function of ``node``; what it reads is given a place in ``places``."""
    node = _Zero().visit(deepcopy(node))

    def leaf(node: ast.expr) -> Evaluate:
        if isinstance(node, ast.Name):
            return _name(node, places)
        if isinstance(node, ast.Call):
            return _call(node, places)
        raise _not_known(node)

    return _tree(node, leaf)


def _predicate(node: ast.expr, facts: Mapping[str, Ask]) -> Ask:
    """The function of ``node`` over one set or tile, whose ``facts`` it may name."""

    def leaf(node: ast.expr) -> Ask:
        if isinstance(node, ast.Name) and node.id in facts:
            return facts[node.id]
        raise _not_known(node, facts)

    return _tree(node, leaf)


def _tree(node: ast.expr, leaf: Callable[[ast.expr], Ask]) -> Ask:
    """What both kinds of expression share: numbers, not, and, or, comparing, plus, minus, times."""
    if isinstance(node, ast.Constant):
        return _constant(node)
    if isinstance(node, ast.BoolOp):
        parts, every = [_tree(part, leaf) for part in node.values], isinstance(node.op, ast.And)
        return lambda given: (all if every else any)(part(given) for part in parts)
    if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        work_one, inner = UNARY[type(node.op)], _tree(node.operand, leaf)
        return lambda given: work_one(inner(given))
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        work, left, right = (
            ARITHMETIC[type(node.op)],
            _tree(node.left, leaf),
            _tree(node.right, leaf),
        )
        return lambda given: work(left(given), right(given))
    if isinstance(node, ast.Compare):
        return _comparison(node, leaf)
    return leaf(node)


def _constant(node: ast.Constant) -> Ask:
    value = node.value
    if not isinstance(value, int) or not -LARGEST <= value <= LARGEST:
        message = Text.of("Numbers are whole, and at most {most}.", most=LARGEST)
        raise ExpressionError(message, node.col_offset)
    return lambda _given: value


def _comparison(node: ast.Compare, leaf: Callable[[ast.expr], Ask]) -> Ask:
    """``a < b``, and chains such as ``2 <= a <= 8``."""
    parts = [_tree(part, leaf) for part in (node.left, *node.comparators)]
    if any(type(op) not in COMPARE for op in node.ops):
        raise _not_known(node)
    steps = [(COMPARE[type(op)], *pair) for op, pair in zip(node.ops, pairwise(parts), strict=True)]
    return lambda given: all(holds(left(given), right(given)) for holds, left, right in steps)


def _name(node: ast.Name, places: dict[Slot, int]) -> Evaluate:
    if node.id in NAMED:
        return _compile(_parsed(NAMED[node.id]), places)
    if node.id in SHAPES:
        return _read(Slot("shape", node.id), places)
    if node.id in HAND_FACTS:
        return _read(Slot("hand", node.id), places)
    raise _not_known(node, {**NAMED, **SHAPES, **HAND_FACTS})


CALLS = {
    "count": "how many sets are such",
    "any": "whether a set is such",
    "every": "whether each set is such",
    "tiles": "how many tiles are such",
    "any_tile": "whether a tile is such",
    "last": "whether the winning tile is such",
    "option": "whether the rule set switches this option on",
    "form": "whether the hand wins in this form",
}


def _call(node: ast.Call, places: dict[Slot, int]) -> Evaluate:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in CALLS or node.keywords:
        raise _not_known(node)
    if len(node.args) != 1:
        message = Text.of("“{name}” takes one condition in its parentheses.", name=name)
        raise ExpressionError(message, node.col_offset)
    inner = ast.unparse(node.args[0])
    if name in ("form", "option"):
        if not isinstance(node.args[0], ast.Name):
            raise _not_known(node.args[0])
        return _read(Slot(name, inner), places)
    of_tiles = name in ("tiles", "any_tile", "last")
    _predicate(node.args[0], TILE_FACTS if of_tiles else SET_FACTS)
    if of_tiles:
        return _read(Slot(name, inner), places)
    if name == "every":
        other = _read(Slot("any", f"not ({inner})"), places)
        return lambda values: not other(values)
    return _read(Slot(name, inner), places)


def _read(slot: Slot, places: dict[Slot, int]) -> Evaluate:
    return operator.itemgetter(places.setdefault(slot, len(places)))


def _not_known(node: ast.expr, known: Mapping[str, object] | None = None) -> ExpressionError:
    text = ast.unparse(node)[:40]
    if known is not None and isinstance(node, ast.Name):
        names = ", ".join(get_close_matches(node.id, known, ALIKE) or sorted(known))
        message = Text.of(
            "“{said}” is not known here: choose from {names}.", said=text, names=names
        )
    else:
        message = Text.of("“{said}” cannot stand here.", said=text)
    return ExpressionError(message, node.col_offset)


ALWAYS = Expression("1")  # of a form without conditions
