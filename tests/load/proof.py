"""What must be true when the load is over, asked of the database and of the log in plain words."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support.sites import Site

from .phones import Table

Rows = Callable[[str], list[tuple]]


def broken(site: Site, league: int, tables: list[Table], log: Path) -> Iterator[str]:
    """A sentence for everything that was lost, doubled, left half, miscounted or refused wrongly.

    To be told to come back in a moment (503) is no refusal: a busy machine may need that moment.
    """
    for table in tables:
        yield from _table(site.ask, table)
    yield from _keys(site.ask, tables)
    yield from _ledger(site.ask, league)
    checked = site.manage("verify")
    if checked.returncode or not checked.stdout.startswith("0 differences"):
        yield f"verify: {checked.stdout} {checked.stderr}"
    output = log.read_text()
    if locked := output.count("database is locked"):
        yield f"The log says {locked} times that the database is locked."
    if errors := len(re.findall(r'"status": 50[0-2]|Traceback', output)):
        yield f"The log tells of {errors} errors."


def _table(ask: Rows, table: Table) -> Iterator[str]:
    """Every acknowledged hand is there as it was acknowledged, in its place, and no other."""
    stored = {
        row[0]: row[1:]
        for row in ask(
            "SELECT id, number, version, status, entry_key, final FROM scoring_hand"
            f" WHERE game_id = {table.game}"
        )
    }
    paid: dict[int, list[tuple[int, int]]] = {}
    for hand, player, amount in ask(
        "SELECT hand_id, player_id, amount FROM scoring_payment JOIN scoring_hand"
        f" ON scoring_hand.id = hand_id WHERE game_id = {table.game} ORDER BY scoring_payment.id"
    ):
        paid.setdefault(hand, []).append((player, amount))
    acknowledged = {}
    for number, logged in enumerate(table.logged, start=1):
        answer = logged.answer
        hand = answer["id"]
        acknowledged[hand] = (number, 1, "live", logged.key, answer["final"])
        answered = [(payment["player"], payment["amount"]) for payment in answer["payments"]]
        if (
            paid.get(hand) != answered
            or len(answered) != 4
            or sum(amount for _one, amount in answered)
        ):
            yield f"{logged.key} was paid {paid.get(hand)} instead of {answered}."
        if answer["number"] != number or answer["state"]["next_number"] != number + 1:
            yield f"{logged.key} was answered as hand {answer['number']}."
    if stored != acknowledged:
        lost = acknowledged.items() - stored.items()
        more = stored.items() - acknowledged.items()
        yield f"Game {table.game}: lost {sorted(lost)}, and nobody was told of {sorted(more)}."
    ((following,),) = ask(f"SELECT next_number FROM scoring_game WHERE id = {table.game}")
    if following != table.hands + 1:
        yield f"Game {table.game} waits for hand {following}, not {table.hands + 1}."


def _keys(ask: Rows, tables: list[Table]) -> Iterator[str]:
    """Each key is stored once, with its answer; each hand was written down once in the audit."""
    sent = Counter(logged.key for table in tables for logged in table.logged)
    kept = ask("SELECT key, status FROM scoring_idempotencykey")
    if Counter(key for key, _status in kept) != sent or {status for _key, status in kept} != {201}:
        yield f"{len(sent)} keys were sent, these are kept: {sorted(kept)}."
    games = ", ".join(str(table.game) for table in tables)
    noted = ask(
        "SELECT subject_id, count(*) FROM scoring_auditentry JOIN scoring_hand ON subject_id ="
        f" scoring_hand.id WHERE action = 'record_hand' AND game_id IN ({games}) GROUP BY subject_id"
    )
    if dict(noted) != {logged.answer["id"]: 1 for table in tables for logged in table.logged}:
        yield "The audit has not each hand once."


def _ledger(ask: Rows, league: int) -> Iterator[str]:
    """What was paid sums to zero, and each tally to what was paid to its player."""
    tallies = ask(
        f"SELECT player_id, points, hands FROM scoring_tally WHERE league_id = {league}"
        " ORDER BY player_id"
    )
    summed = ask(
        "SELECT player_id, sum(amount), count(*) FROM scoring_payment"
        " JOIN scoring_hand ON scoring_hand.id = hand_id"
        f" JOIN scoring_game ON scoring_game.id = game_id WHERE league_id = {league}"
        " GROUP BY player_id ORDER BY player_id"
    )
    if sum(points for _player, points, _hands in tallies):
        yield "The tallies do not sum to zero."
    if [row for row in tallies if row[2]] != [tuple(map(int, row)) for row in summed]:
        yield f"The tallies {tallies} are not what was paid: {summed}."
