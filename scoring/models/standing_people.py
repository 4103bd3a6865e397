"""Who is named in stored standing rules; replace a player in them, or leave players out."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any


def named_in(tables: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """The players (ids) with a handicap or in a team of stored ``tables``; some more than once."""
    for table in tables:
        handicap = table.get("handicap") or {}
        yield from (one["player"] for one in handicap.get("players", ()))
        for team in table.get("teams") or ():
            yield from team["players"]


def with_player(tables: Sequence[Mapping[str, Any]], gone: int, kept: int) -> list[dict[str, Any]]:
    """Stored ``tables`` with the player ``kept`` wherever ``gone`` is named (ids); nobody twice."""
    return [_rename(table, gone, kept) for table in tables]


def _rename(table: Mapping[str, Any], gone: int, kept: int) -> dict[str, Any]:
    def swap(pk: int) -> int:
        return kept if pk == gone else pk

    changed = dict(table)
    if handicap := table.get("handicap"):
        by_player = {swap(one["player"]): one for one in handicap["players"]}
        own = {one["player"]: one for one in handicap["players"] if one["player"] == kept}
        rows = [{**one, "player": pk} for pk, one in {**by_player, **own}.items()]
        changed["handicap"] = {**handicap, "players": rows}
    if teams := table.get("teams"):
        seen: set[int] = set()
        renamed = []
        for team in teams:
            members = [pk for pk in dict.fromkeys(map(swap, team["players"])) if pk not in seen]
            seen.update(members)
            renamed.append({**team, "players": members})
        changed["teams"] = [team for team in renamed if team["players"]]
    return changed


def without_players(
    tables: Sequence[Mapping[str, Any]], gone: Collection[int]
) -> list[dict[str, Any]]:
    """Stored ``tables`` in which the players ``gone`` (ids) have no handicap and are in no team."""
    return [_without(table, gone) for table in tables]


def _without(table: Mapping[str, Any], gone: Collection[int]) -> dict[str, Any]:
    changed = dict(table)
    if handicap := changed.pop("handicap", None):
        stay = [one for one in handicap["players"] if one["player"] not in gone]
        if stay:
            changed["handicap"] = {**handicap, "players": stay}
    if teams := changed.pop("teams", None):
        smaller = [
            {**team, "players": [pk for pk in team["players"] if pk not in gone]} for team in teams
        ]
        if left := [team for team in smaller if team["players"]]:
            changed["teams"] = left
    return changed
