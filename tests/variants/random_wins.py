"""Random winning hands of any family, as codes: what a test gives to this project and to a library alike."""

from collections import Counter
from random import Random
from typing import NamedTuple

from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.vocabulary import Group
from scoring.evaluator.counts import counts_of
from scoring.evaluator.tiles import tile, wind

SUITS = "BCD"
WINDS = ["E", "S", "W", "N"]
HONORS = [*WINDS, "R", "G", "Wh"]
ALL = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + HONORS
ORPHANS = [f"{rank}{suit}" for suit in SUITS for rank in (1, 9)] + HONORS
POOLS = [
    ALL,
    ALL,
    [f"{rank}B" for rank in range(1, 10)],
    [f"{rank}C" for rank in range(1, 10)] + HONORS,
    [f"{rank}{suit}" for suit in SUITS for rank in (4, 5, 6, 7)],
    [f"{rank}{suit}" for suit in SUITS for rank in (1, 2, 3)],
    [f"{rank}{suit}" for suit in SUITS for rank in (7, 8, 9)],
    [f"{rank}{suit}" for suit in SUITS for rank in (2, 4, 6, 8)],
    [f"{rank}{suit}" for suit in SUITS for rank in (1, 9)],
    [f"{rank}D" for rank in (2, 3, 4)] + ["5D", "8D"],
    ORPHANS,
    HONORS,
    ["2B", "3B", "4B", "6B", "8B", "G"],
]
# Hands that chance does not deal: sets of suits a, b and c; those before the bar are declared.
PLANNED = [
    "| 1112345678999a",
    "| 123a 789a 123b 789b 55c",
    "123a | 789a 123a 789a 55a",
    "123a | 456b 789c 222c EE",
    "234a 678b 222c | 567c EE",
    "| 222a 444a 666b 888c 22b",
    "| 2233445566778a 8a",
]
OPENING = ("discard", "last_discard", "robbing_kong")


class Meld(NamedTuple):
    kind: str
    tiles: tuple[str, ...]
    concealed: bool


class Win(NamedTuple):
    """A winning hand: ``tiles`` are those not declared, the winning tile among them."""

    tiles: tuple[str, ...]
    melds: tuple[Meld, ...]
    last: str
    won_by: str
    seat: str
    prevailing: str
    bonus: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    indicators: tuple[str, ...] = ()

    @property
    def drawn(self) -> bool:
        return self.won_by not in OPENING

    @property
    def held(self) -> Counter[str]:
        return Counter(self.tiles) + Counter(code for meld in self.melds for code in meld.tiles)


def player_hand(win: Win) -> PlayerHand:
    return PlayerHand(
        counts_of(map(tile, win.tiles)),
        tuple(
            Group(meld.kind, tuple(tile(code).index for code in meld.tiles), meld.concealed)
            for meld in win.melds
        ),
        tile(win.last).index,
        win.won_by,
        wind(win.seat),
        wind(win.prevailing),
        win.bonus,
        win.flags,
        dora_indicators=tuple(tile(code).index for code in win.indicators),
    )


def random_win(rng: Random, circumstances: frozenset[str], *, bonus: bool, knitted: bool) -> Win:
    """A hand that wins, with circumstances of these that can be."""
    while True:
        tiles, melds = _tiles(rng, knitted=knitted)
        if max((Counter(tiles) + Counter(code for m in melds for code in m.tiles)).values()) <= 4:
            break
    win = Win(
        tuple(tiles),
        tuple(melds),
        rng.choice(tiles),
        rng.choice(("self_drawn", "discard")),
        rng.choice(WINDS),
        rng.choice(WINDS),
    )
    if bonus:
        eight = [f"{letter}{number}" for letter in "FY" for number in range(1, 5)]
        win = win._replace(bonus=tuple(rng.sample(eight, rng.randrange(9))))
    if rng.random() < 0.4:
        win = win._replace(won_by=rng.choice(_ways(win, circumstances)))
    return _with_flags(rng, win, circumstances)


def _tiles(rng: Random, *, knitted: bool) -> tuple[list[str], list[Meld]]:
    form = rng.random()
    if form < 0.04:
        return [*ORPHANS, rng.choice(ORPHANS)], []
    if form < 0.08:
        return _planned(rng)
    pool = rng.choice(POOLS)
    if form < 0.16:
        kinds = pool if len(pool) >= 7 else ALL
        return sorted(2 * rng.sample(kinds, 7)), []
    if knitted and form < 0.24:
        runs = [
            f"{rank + 3 * step}{suit}"
            for rank, suit in zip((1, 2, 3), _shuffled(rng), strict=True)
            for step in range(3)
        ]
        if rng.random() < 0.5:
            return sorted(rng.sample(runs + HONORS, 14)), []
        tiles, melds = _sets(rng, ALL, 1)
        return runs + tiles, melds
    return _sets(rng, pool, 4)


def _planned(rng: Random) -> tuple[list[str], list[Meld]]:
    suits = dict(zip("abc", _shuffled(rng), strict=True))

    def codes(text: str) -> tuple[str, ...]:
        suit = suits.get(text[-1])
        return tuple(rank + suit for rank in text[:-1]) if suit else tuple(text)

    declared, _bar, rest = rng.choice(PLANNED).partition("|")
    kinds = {1: "pung", 3: "chow"}
    melds = [
        Meld(kinds[len(set(its))], its, concealed=False) for its in map(codes, declared.split())
    ]
    tiles = [code for part in rest.split() for code in codes(part)]
    if len(tiles) == 13:
        tiles.append(rng.choice(sorted(set(tiles))))
    return tiles, melds


def _shuffled(rng: Random) -> list[str]:
    return rng.sample(SUITS, 3)


def _sets(rng: Random, pool: list[str], many: int) -> tuple[list[str], list[Meld]]:
    """``many`` sets and a pair of ``pool``; some of the sets declared."""
    tiles, melds = 2 * [rng.choice(pool)], []
    chows, declared = rng.choice((0.2, 0.6, 0.95)), rng.choice((0, 0.3, 0.9))
    for _set in range(many):
        first = rng.choice(pool)
        chow = (
            [f"{int(first[0]) + step}{first[1]}" for step in range(3)] if first[0].isdigit() else []
        )
        if chow and rng.random() < chows and set(chow) <= set(ALL):
            kind, its = "chow", chow
        else:
            kind = "kong" if rng.random() < 0.25 else "pung"
            its = [first] * (4 if kind == "kong" else 3)
        if kind == "kong":
            melds.append(Meld(kind, tuple(its), rng.random() < 0.5))
        elif rng.random() < declared:
            melds.append(Meld(kind, tuple(its), concealed=False))
        else:
            tiles += its
    return tiles, melds


def _ways(win: Win, circumstances: frozenset[str]) -> list[str]:
    """How the hand can have been won."""
    possible = ["last_tile", "last_discard"]
    if any(meld.kind == "kong" for meld in win.melds):
        possible.append("replacement")
    if win.held[win.last] == 1:
        possible.append("robbing_kong")
    if not win.melds:
        possible.append("heaven" if win.seat == "E" else "earth_draw")
    return [way for way in possible if way in circumstances]


def _with_flags(rng: Random, win: Win, circumstances: frozenset[str]) -> Win:
    """``win`` with flags that a table could call besides."""
    flags: list[str] = []
    if "last_of_kind" in circumstances and win.tiles.count(win.last) == 1 and rng.random() < 0.2:
        flags.append("last_of_kind")
    concealed = all(meld.concealed for meld in win.melds)
    dealt = win.won_by in ("heaven", "earth_draw")
    if "riichi" in circumstances and concealed and not dealt and rng.random() < 0.5:
        flags.append(rng.choice(("riichi", "double_riichi")))
        if win.won_by != "replacement" and rng.random() < 0.4:
            flags.append("ippatsu")
    indicators: list[str] = []
    if "dora_indicators" in circumstances:
        held = win.held
        for _indicator in range(rng.randrange(5)):
            code = rng.choice(ALL)
            if held[code] < 4:
                held[code] += 1
                indicators.append(code)
    return win._replace(flags=frozenset(flags), indicators=tuple(indicators))
