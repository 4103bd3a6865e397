"""``manage.py score --ruleset dmjl``: hands by the rule books that ship."""

import csv
import io
import json
import re

import pytest
from django.core.management import CommandError, call_command

from scoring.services.book_scores import score_by
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.rulesets import shipped_version
from tests.factories import make_game, make_league

pytestmark = pytest.mark.django_db

HAND = "222B* 345B 55B 222D GGG"
CARD = """\
222B* 345B* 55B 222D GGG F1 Y2
South in the East round. DMJL.
"""


def run(capsys, *args, code=0):
    arguments = ("score", *args, "--seat", "S", "--prevailing", "E")
    if code:
        with pytest.raises(SystemExit) as ended:
            call_command(*arguments)
        assert ended.value.code == code
    else:
        call_command(*arguments)
    return capsys.readouterr()


def test_a_card_with_bonus_tiles_and_the_way_of_winning_is_printed(capsys):
    asked = ("--bonus", "F1,Y2", "--last", "3B", "--won", "robbing-kong")
    printed = run(capsys, HAND, "--ruleset", "dmjl", *asked).out
    assert printed.startswith(CARD)
    assert "Robbing" in printed
    assert printed.rstrip().splitlines()[-1].split()[:2] == ["Final", "score"]


def test_the_card_as_json_is_that_of_the_api(capsys, client):
    printed = run(capsys, HAND, "--ruleset", "dmjl", "--json", "--flags", "original-call").out
    card = json.loads(printed)
    assert (card["ruleset"], card["winning"]) == ("dmjl", True)
    assert "original_call" in [line["rule"] for line in card["double_report"]]


def test_a_loser_has_a_card_and_does_not_win(capsys):
    printed = run(capsys, "222B* 345B 55B", "--ruleset", "dmjl", "--loser", code=1).out
    assert "Final score" in printed


def test_no_hand_is_told_what_wins(capsys):
    printed = run(capsys, "222B* 345B 55B 222D GG R", "--ruleset", "dmjl", code=1).out
    assert "Thirteen orphans" in printed


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (("--ruleset", "dmjl", "--bonus", "F9"), "bonus"),
        (("--ruleset", "dmjl", "--flags", "goulash"), "flags"),
        (("--ruleset", "dmjl", "--value", "5"), "does not ask for the value of a line"),
        (("--ruleset", "dmjl", "--concealed"), "concealed"),
        (("--bonus", "F1"), "Club does not know"),
        (("--won", "robbing-kong"), "Club does not know"),
        (("--last", "5B"), "Club does not ask for the winning tile: leave it out."),
        (("--loser",), "By Club only the winner’s hand scores."),
        (("--self-drawn", "--won", "discard"), "--self-drawn contradicts --won: leave one out."),
        (("--self-drawn", "--loser"), "--self-drawn contradicts --loser: leave one out."),
        (
            ("--ruleset", "dmjl", "--self-drawn", "--won", "discard"),
            "--self-drawn contradicts --won",
        ),
        (("--ruleset", "nothing"), "dmjl"),
    ],
)
def test_what_rules_do_not_know_is_refused_by_name(capsys, asked, field):
    assert field in run(capsys, HAND, *asked, code=2).err


def test_a_way_of_winning_that_nobody_knows_is_told_the_ways():
    with pytest.raises(CommandError, match="robbing_kong"):
        call_command("score", HAND, "--won", "luck", "--seat", "S", "--prevailing", "E")


def scored_file(capsys, path, *arguments):
    """The exit code, and the rows that are written for a file."""
    with pytest.raises(SystemExit) as end:
        call_command("score", "--file", str(path), *arguments)
    return end.value.code, list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_line_of_a_file_says_what_the_book_asks(capsys, tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text(
        "tiles,won_by,winning_tile,bonus,flags,value\n"
        f'{HAND},robbing_kong,3B,"F1,Y2",original_call,\n'
        "222B* 345B 55B,loser,,,,\n"
        f"{HAND},discard,,F9,,\n"
        f"{HAND},,,,,25\n"
        f"{HAND},,,,,many\n"
    )
    winds = ("--seat", "S", "--prevailing", "E")
    code, [won, lost, *wrong] = scored_file(capsys, path, "--ruleset", "dmjl", *winds)
    assert (code, won["winning"], lost["winning"], lost["doubles"]) == (2, "yes", "no", "0")
    asked = {"winning_tile": "3B", "won_by": "robbing_kong", "bonus": ["F1", "Y2"]}
    card = score_by("dmjl", HAND, "S", "E", flags=["original_call"], **asked)
    assert (won["doubles"], won["final"]) == (str(card["doubles"]), str(card["final"]))
    assert [row["problem"].split(":")[0] for row in wrong] == [
        "“F9” is not known",
        "DMJL does not ask for the value of a line",
        "“value” is a whole number, or left out.",
    ]


def test_the_sheet_of_a_league_by_a_book_scores_as_it_is_stored(capsys, tmp_path, organiser):
    version = shipped_version("dmjl", by=organiser)
    game = make_game(league=make_league(ruleset_version=version))
    east, south, *_ = (player.pk for player in game.players)
    hands = [
        {
            "winner": south,
            "tiles": "2222B*# 345B 55B 222D GGG",
            "winning_tile": "3B",
            "won_by": "robbing_kong",
            "bonus": "F1 Y2",
            "flags": "original_call",
            "others": [{"player": east, "tiles": "RRR* 7777C*# 5C", "bonus": "Y3"}],
        },
        {"winner": east, "tiles": "222B 345B 55B 222D* GGG", "self_drawn": True},
    ]
    for number, hand in enumerate(hands, start=1):
        entry = HandEntry.from_json({"number": number, "outcome": "win", **hand})
        record_hand(game, entry, by=organiser)
    path = tmp_path / "hands.csv"
    call_command("export", str(path))
    capsys.readouterr()
    code, rows = scored_file(capsys, path, "--ruleset", "dmjl")
    first, second = game.hands.order_by("number")
    assert code == 0
    assert [(row["seat"], row["winning"], row["final"]) for row in rows] == [
        ("S", "yes", str(first.final)),
        ("E", "no", str(first.others[0]["card"]["final"])),
        (second.seat, "yes", str(second.final)),
    ]
    assert {"2222B*#", "7777C*#"} <= set(re.split(r"[ ,;]+", path.read_text()))
