"""Riichi by the library `mahjong` (MIT)."""

from collections import Counter
from collections.abc import Iterable

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.hand_calculating.yaku_list import Dora
from mahjong.meld import Meld

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.counting import BookVerdict, Line
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.libraries import LIBRARIES
from scoring.evaluator.books.possible import melded
from scoring.evaluator.books.vocabulary import DRAWN, Group
from scoring.evaluator.counts import tiles_of

from .lines import pattern_of

# The library counts characters, dots, bamboo, winds, and white, green, red: the place of each tile of ours.
PLACES = (*range(18, 27), *range(9), *range(9, 18), *range(27, 31), 33, 32, 31)
EAST = 27
KINDS = {"chow": Meld.CHI, "pung": Meld.PON, "kong": Meld.KAN}
KAZOE = {
    "yakuman": HandConfig.KAZOE_LIMITED,
    "sanbaiman": HandConfig.KAZOE_SANBAIMAN,
    "unlimited": HandConfig.KAZOE_NO_LIMIT,
}
NO_YAKU = BookVerdict((), 0, 0, 0, 0, 0, 0, False)


def verdict(book: Book, hand: PlayerHand) -> BookVerdict | None:
    """What the library says of a checked hand; None if it does not win.

    ``points`` are the minipoints, ``total`` what the winner gets, without counters and sticks.
    """
    ids = _Ids()
    tiles = ids.numbers(tile.index for tile in tiles_of(hand.counts))
    last = PLACES[hand.last]
    win_tile = next(one for one in tiles if one // 4 == last)
    melds = [_meld(meld, ids) for meld in hand.melds]
    answer = HandCalculator.estimate_hand_value(
        tiles + [one for meld in melds for one in meld.tiles],
        win_tile,
        melds=melds,
        dora_indicators=[4 * PLACES[index] for index in hand.dora_indicators],
        config=_config(book, hand),
    )
    if answer.error == HandCalculator.ERR_HAND_NOT_WINNING:
        return None
    if answer.error == HandCalculator.ERR_NO_YAKU:
        return NO_YAKU
    return _read(book, answer)


class _Ids:
    """The library's numbers of tiles: four of a kind, one after the other."""

    def __init__(self) -> None:
        self._used: Counter[int] = Counter()

    def numbers(self, indexes: Iterable[int]) -> list[int]:
        return [self._next(PLACES[index]) for index in indexes]

    def _next(self, place: int) -> int:
        self._used[place] += 1
        return 4 * place + self._used[place] - 1


def _meld(meld: Group, ids: _Ids) -> Meld:
    return Meld(KINDS[meld.kind], tiles=ids.numbers(sorted(meld.tiles)), opened=melded(meld))


def _config(book: Book, hand: PlayerHand) -> HandConfig:
    seat, prevailing = hand.winds
    return HandConfig(
        is_tsumo=hand.won_by in DRAWN,
        is_riichi="riichi" in hand.flags,
        is_daburu_riichi="double_riichi" in hand.flags,
        is_ippatsu="ippatsu" in hand.flags,
        is_rinshan=hand.won_by == "replacement",
        is_chankan=hand.won_by == "robbing_kong",
        is_haitei=hand.won_by == "last_tile",
        is_houtei=hand.won_by == "last_discard",
        is_tenhou=hand.won_by == "heaven",
        is_chiihou=hand.won_by == "earth_draw",
        player_wind=EAST + seat,
        round_wind=EAST + prevailing,
        options=_options(book),
    )


def _options(book: Book) -> OptionalRules:
    chosen = {name: values[0] for name, values in LIBRARIES[book.engine].items()}
    chosen.update(book.options)
    return OptionalRules(
        has_open_tanyao=bool(chosen["open_tanyao"]),
        has_double_yakuman=bool(chosen["double_yakuman"]),
        kazoe_limit=KAZOE[str(chosen["kazoe"])],
        kiriage=bool(chosen["kiriage"]),
        fu_for_open_pinfu=bool(chosen["open_pinfu_fu"]),
        fu_for_pinfu_tsumo=bool(chosen["drawn_pinfu_fu"]),
    )


def _read(book: Book, answer: HandResponse) -> BookVerdict:
    lines = []
    for yaku in answer.yaku or ():
        han = (yaku.han_open if answer.is_open_hand else 0) or yaku.han_closed
        pattern = pattern_of(book, type(yaku).__name__.lower(), yaku.name)
        lines.append(Line(pattern, han if isinstance(yaku, Dora) else 1, han))
    cost = answer.cost
    assert cost is not None
    return BookVerdict(
        tuple(lines),
        points=answer.fu or 0,
        doubles=0,
        faan=answer.han or 0,
        limit=0,
        total=cost["total"],
        final=cost["total"],
        meets_minimum=True,
        shares=(cost["main"], cost["additional"]),
    )
