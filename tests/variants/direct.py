"""The two libraries called as their own documentation says, from codes: nothing of this project is between."""

from collections import Counter
from typing import Any

from tests.variants.random_wins import Win

GB_SUITS = {"B": "T", "C": "W", "D": "B"}
GB_HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "R": "J1", "G": "J2", "Wh": "J3"}
GB_KINDS = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}
RIICHI_SUITS = {"B": "sou", "C": "man", "D": "pin"}
RIICHI_HONORS = {"E": "1", "S": "2", "W": "3", "N": "4", "Wh": "5", "G": "6", "R": "7"}


def mcr(win: Win) -> Counter[tuple[str, int, int]] | None:
    """What PyMahjongGB finds: names, values and how many times; None if it says that this is no win."""
    from MahjongGB import MahjongFanCalculator

    def code(one: str) -> str:
        return GB_HONORS.get(one) or GB_SUITS[one[1]] + one[0]

    rest = list(win.tiles)
    rest.remove(win.last)
    packs = []
    for meld in win.melds:
        middle = sorted(meld.tiles)[1] if meld.kind == "chow" else meld.tiles[0]
        packs.append((GB_KINDS[meld.kind], code(middle), 0 if meld.concealed else 1))
    try:
        found = MahjongFanCalculator(
            tuple(packs),
            tuple(map(code, rest)),
            code(win.last),
            len(win.bonus),
            win.drawn,
            "last_of_kind" in win.flags,
            win.won_by in ("replacement", "robbing_kong"),
            win.won_by in ("last_tile", "last_discard"),
            "ESWN".index(win.seat),
            "ESWN".index(win.prevailing),
            True,
        )
    except TypeError as error:
        if str(error) == "ERROR_NOT_WIN":
            return None
        raise
    return Counter((english, value, times) for value, times, _chinese, english in found)


def riichi(win: Win, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """What `mahjong` answers: han, fu, the cost, the yaku by the names of their classes; or an error."""
    from mahjong.constants import EAST
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld
    from mahjong.tile import TilesConverter

    def numbers(codes: list[str]) -> list[int]:
        given = {"man": "", "pin": "", "sou": "", "honors": ""}
        for one in codes:
            if one in RIICHI_HONORS:
                given["honors"] += RIICHI_HONORS[one]
            else:
                given[RIICHI_SUITS[one[1]]] += one[0]
        return TilesConverter.string_to_136_array(**given)

    kinds = {"chow": Meld.CHI, "pung": Meld.PON, "kong": Meld.KAN}
    [last] = numbers([win.last])
    answer = HandCalculator.estimate_hand_value(
        numbers([*win.tiles, *(code for meld in win.melds for code in meld.tiles)]),
        last,
        melds=[
            Meld(kinds[meld.kind], numbers(sorted(meld.tiles)), opened=not meld.concealed)
            for meld in win.melds
        ],
        dora_indicators=[number for code in win.indicators for number in numbers([code])],
        config=HandConfig(
            is_tsumo=win.drawn,
            is_riichi="riichi" in win.flags,
            is_daburu_riichi="double_riichi" in win.flags,
            is_ippatsu="ippatsu" in win.flags,
            is_rinshan=win.won_by == "replacement",
            is_chankan=win.won_by == "robbing_kong",
            is_haitei=win.won_by == "last_tile",
            is_houtei=win.won_by == "last_discard",
            is_tenhou=win.won_by == "heaven",
            is_chiihou=win.won_by == "earth_draw",
            player_wind=EAST + "ESWN".index(win.seat),
            round_wind=EAST + "ESWN".index(win.prevailing),
            options=OptionalRules(**{"has_open_tanyao": True, **(options or {})}),
        ),
    )
    if answer.error:
        return {"error": answer.error}
    return {
        "han": answer.han,
        "fu": answer.fu,
        "cost": (answer.cost["main"], answer.cost["additional"], answer.cost["total"]),
        "yaku": Counter(
            (
                type(yaku).__name__,
                (yaku.han_open if answer.is_open_hand else 0) or yaku.han_closed,
            )
            for yaku in answer.yaku
        ),
    }
