"""``manage.py score --ruleset dmjl``: hands by the rule books that ship."""

import json

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db

HAND = "222B* 345B 55B 222D GGG"
CARD = """\
222B* 345B 55B 222D* GGG F1 Y2
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
    asked = ("--bonus", "F1,Y2", "--last", "2D", "--won", "robbing-kong")
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
        (("--ruleset", "dmjl", "--value", "5"), "value"),
        (("--ruleset", "dmjl", "--concealed"), "concealed"),
        (("--bonus", "F1"), "Club does not know"),
        (("--won", "robbing-kong"), "Club does not know"),
        (("--ruleset", "nothing"), "dmjl"),
    ],
)
def test_what_rules_do_not_know_is_refused_by_name(capsys, asked, field):
    assert field in run(capsys, HAND, *asked, code=2).err


def test_a_way_of_winning_that_nobody_knows_is_told_the_ways():
    with pytest.raises(CommandError, match="robbing_kong"):
        call_command("score", HAND, "--won", "luck", "--seat", "S", "--prevailing", "E")


def test_files_are_scored_by_the_clubs_own_rules(tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text(f"{HAND}\n")
    with pytest.raises(CommandError, match="DMJL"):
        call_command("score", "--file", str(path), "--ruleset", "dmjl")
