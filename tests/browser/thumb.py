"""Which taps lay out a hand: what a thumb that knows the pad does."""

from dataclasses import dataclass

from scoring.evaluator.rules import LIMIT_RULES
from tests.evaluator.random_hands import Tiles

KINDS = {2: "pair", 3: "pung", 4: "kong"}
KEYS = ("pung", "chow", "kong")


@dataclass(frozen=True)
class Step:
    """A tap: on the element ``selector``; ``asks`` says whether a preview follows."""

    selector: str
    asks: bool = True


def tile(code: str) -> Step:
    return Step(f'[data-tile="{code}"]')


def key(kind: str) -> Step:
    return Step(f".tilepad__key:has([value={kind}])", asks=False)


def seats(winner: int, discarder: int) -> list[Step]:
    """The winner, then who discarded: the winner again if self-drawn."""
    return [Step(f"[data-seat] >> nth={place}") for place in (winner, discarder)]


def draw() -> list[Step]:
    return [Step("[data-seat=draw]")]


def score(final: int, step: int = 10) -> list[Step]:
    """The final score alone, on the ten keys."""
    digits = [Step(f'[data-digit="{digit}"]') for digit in str(final // step)]
    return [Step("[data-opens=score]", asks=False), *digits]


def kind_of(group: Tiles) -> str:
    return "chow" if len(set(group)) == 3 else KINDS[len(group)]


def sets(groups: list[Tiles]) -> list[Step]:
    """Four sets and a pair: pungs first, because that key is down; the pair needs none."""
    steps = []
    for kind in KEYS:
        taps = [tile(min(group)) for group in groups if kind_of(group) == kind]
        steps += [key(kind)] * bool(taps and kind != "pung") + taps
    return steps + [tile(group[0]) for group in groups if kind_of(group) == "pair"]


def limit(rule: str, rest: list[str]) -> list[Step]:
    """A limit hand by its name, with the tiles that it leaves open."""
    picked = [Step("[data-opens=limits]", asks=False), Step(f'button[data-limit="{rule}"]')]
    return picked + [tile(code) for code in rest]


LIMITS = tuple(rule.id for rule in LIMIT_RULES)
