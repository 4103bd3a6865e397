"""Cases of the classical books in the notation of their own file (``meta.notation`` there explains it)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scoring.evaluator.books.compiled import Judged, compiled
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.vocabulary import Group
from scoring.evaluator.counts import counts_of
from scoring.evaluator.rounding import nearest
from scoring.evaluator.tiles import TILES, Wind, tile, wind

from .reading import read_data
from .report import CaseReport

Case = Mapping[str, Any]

# How a hand was won, by what the file says; a claimed tile and one from the wall may say it differently.
WON_BY = {
    "wall": "self_drawn",
    "discard": "discard",
    "dead_wall": "replacement",
    "last_tile_of_wall": "last_tile",
    "last_discard": "last_discard",
    "robbed_kong": "robbing_kong",
}
SECOND_SOURCE = "dmjl"  # the book whose sheet the second source cites
NOTHING_KNOWN: Case = {"winning_tile": None, "winning_set": None, "announcements": ()}
SIZES = {"pair": 2, "pung": 3, "kong": 4}
DESCRIBED_SET = re.compile(
    r"(exposed|concealed)? ?(chow|pung|kong|pair) (\w+)( completed by the winning tile)?"
)
BONUS = re.compile(r"\b[FY][1-4]\b")


def reads(data: Any) -> bool:
    """Whether ``data`` is in this notation."""
    return isinstance(data, Mapping) and "calling_cases" in data and "second_source" in data


def run(path: Path) -> CaseReport:
    """Compare every case, for each book that it has figures of."""
    data = read_data(path)
    report = CaseReport()
    for case in data["cases"]:
        for slug in sorted(set(case["expected"]) & set(shipped())):
            expected = case["expected"][slug]
            figures = _expected(expected)
            if expected["limits"]:
                figures = {name: figures[name] for name in ("won", "limits", "total")}
            report.compare(path, f"{case['id']} {slug}", figures, _got(slug, case))
    for case in data["calling_cases"]:
        for slug in sorted(set(case["completing"]) & set(shipped())):
            tiles = sorted(tile(name).code for name in case["completing"][slug])
            waits = compiled(load(slug)).completing(player_hand(case, won=False))
            codes = sorted(TILES[index].code for index in waits)
            report.compare(path, f"{case['id']} {slug}", {"waits": tiles}, {"waits": codes})
    for case in second_source(data["second_source"]["cases"]):
        figures = {name: case[name] for name in ("won", "points", "doubles")}
        report.compare(path, case["id"], figures, _got(SECOND_SOURCE, case))
    return report


def _expected(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "won": figures["won"],
        "points": figures["points"],
        "doubles": figures["doubles"],
        "limits": nearest(100 * figures["limits"]),
        "total": figures["total"],
    }


def _got(slug: str, case: Case) -> dict[str, Any]:
    """The figures of the best arrangement if the tiles win, else those of a loser."""
    engine = compiled(load(slug))
    judged = engine.judged(player_hand(case, won=True))
    best: Judged = judged[0] if judged else engine.loser(player_hand(case, won=False))
    verdict = best.verdict
    return {
        "won": bool(judged),
        "points": verdict.points,
        "doubles": verdict.doubles,
        "limits": verdict.limit,
        "total": verdict.final,
    }


# --- from a case to a hand ----------------------------------------------------------------------------


def player_hand(case: Case, *, won: bool) -> PlayerHand:
    """The hand of ``case``, as one that wins, or as a loser's.

    The set that a claimed tile completed lies among the declared ones in the file; of a winner its tiles
    go back to the others. So do pairs and single tiles, which nobody can lay down before winning.
    """
    loose = list(case["concealed_tiles"])
    completed = case["winning_set"] if won else None
    melds = []
    for meld in case["exposed_melds"]:
        if meld["kind"] in ("pair", "single"):
            loose += meld["tiles"]
        elif meld["tiles"] == completed and meld["kind"] != "kong":
            loose += meld["tiles"]
            completed = None
        else:
            melds.append(_group(meld))
    seat = wind(case.get("own_wind", "East"))
    original = "original_call" in case["announcements"]
    return PlayerHand(
        counts_of(tile(name) for name in loose),
        tuple(melds),
        _last(case, loose) if won else -1,
        _won_by(case, seat) if won else "",
        seat,
        wind(case.get("round_wind", "East")),
        tuple(case["bonus"]),
        frozenset({"original_call"} if original and won else ()),
    )


def _group(meld: Case) -> Group:
    indexes = tuple(sorted(tile(name).index for name in meld["tiles"]))
    kind = "knitted_pair" if meld["kind"] == "knitted" and len(indexes) == 2 else meld["kind"]
    return Group(kind, indexes, meld["state"] == "concealed_kong", meld["state"] == "claimed_kong")


def _last(case: Case, loose: list[str]) -> int:
    """The winning tile, where the case says it and it is no declared set's."""
    return tile(case["winning_tile"]).index if case["winning_tile"] in loose else -1


def _won_by(case: Case, seat: Wind) -> str:
    """How the case was won, by one word. A claimed tile is not from the wall, whatever the case says."""
    source, drawn = case["win_source"], case["winning_tile_from"] == "self_drawn"
    if "twofold_fortune" in case["announcements"]:
        return "kong_on_kong"
    if source == "dealt_hand":
        return "heaven" if seat is Wind.EAST else "earth_discard"
    if source == "last_tile_of_wall" and not drawn:
        return "last_discard"
    if source in (None, "unknown") or (source in ("wall", "dead_wall") and not drawn):
        return "self_drawn" if drawn else "discard"
    return WON_BY[source]


# --- the second source --------------------------------------------------------------------------------


def second_source(cases: Iterable[Case]) -> Iterator[dict[str, Any]]:
    """Its cases, which say their sets in words, as cases of the first kind."""
    sets = ""
    for number, case in enumerate(cases, 1):
        text = case.get("sets", "")
        sets = sets.rsplit(", ", 1)[0] + text.removeprefix("same with") if "same" in text else text
        parsed = _in_words(sets if text else f"pair {case['pair']}" if "pair" in case else "")
        yield {
            **NOTHING_KNOWN,
            **case,
            **parsed,
            "id": f"second {number} {SECOND_SOURCE}",
            "bonus": case.get("bonus", []) + BONUS.findall(text),
        }


def _in_words(text: str) -> dict[str, Any]:
    """The sets that ``text`` names, each by its lowest tile."""
    melds: list[Case] = []
    loose: list[str] = []
    circumstances: dict[str, Any] = {}
    for concealed, kind, code, completed in DESCRIBED_SET.findall(text):
        tiles = [tile(code).code] * SIZES.get(kind, 1)
        if kind == "chow":
            tiles = [TILES[tile(code).index + step].code for step in range(3)]
        if kind == "kong" or concealed == "exposed":
            state = "concealed_kong" if concealed == "concealed" else "exposed"
            melds.append({"kind": kind, "state": state, "tiles": tiles})
        else:
            loose += tiles
        if completed:
            circumstances |= {"winning_tile": tiles[0], "winning_set": tiles}
    drawn = "self-drawn" in text
    circumstances["win_source"] = "last_tile_of_wall" if drawn else "discard"
    circumstances["winning_tile_from"] = "self_drawn" if drawn else "claimed"
    return {"exposed_melds": melds, "concealed_tiles": loose, **circumstances}
