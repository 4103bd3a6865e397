"""``manage.py score``: a hand's scorecard in a terminal, and an exit code that says what it is."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from scoring.evaluator.books.loader import shipped
from scoring.evaluator.scorecard import score
from scoring.models import RuleSetVersion
from scoring.services.rulesets import built_in_rules, install_rulesets, named_version
from scoring.translation import card_in_words
from tests.factories import ruleset_version

pytestmark = pytest.mark.django_db

BOOK_HAND = "222B 345B 55B 222D GGG"
BOOK_CARD = """\
222B 345B 55B 222D GGG
South in the East round. Club, version 1.

  Winning                                      20
  Pung: 2 of Bamboo                             4
  Chow: 3-4-5 of Bamboo                         0
  Pair: 5 of Bamboo                             0
  Pung: 2 of Dots                               4
  Pung: Green dragon                            8
  Points                                       36

  Lucky sets                                    1
  Doubles                                       1

  Total: 36 × 2                                72
  Final score: rounded to the nearest 10       70

The tiles can be read in 2 ways; all score the same:
  222B 345B 55B 222D GGG    70  counts
  234B 22B 555B 222D GGG    70
"""


@pytest.fixture(autouse=True)
def _rule_sets(db):
    """Those that a new club has, also in a database that was flushed."""
    install_rulesets()


@pytest.fixture
def run_score(capsys):
    """``said(tiles, …)``: exit code, standard output, standard error of the command."""

    def run_score(tiles, *arguments, seat="South", prevailing="East"):
        try:
            call_command("score", tiles, "--seat", seat, "--prevailing", prevailing, *arguments)
            code = 0
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    return run_score


class TestAWinningHand:
    def test_a_winning_hand_is_printed_line_by_line(self, run_score):
        assert run_score(BOOK_HAND) == (0, BOOK_CARD, "")

    def test_a_winning_hand_shows_open_sets_with_a_star(self, run_score):
        _code, out, _err = run_score("222B* 345B 55B 222D GGG", "--self-drawn")
        assert out.startswith("222B* 345B 55B 222D GGG\nSouth in the East round, self-drawn.")
        assert "can be read in one way only" in out

    @pytest.mark.parametrize(
        ("tiles", "line"),
        [
            ("RRR GGG WhWhWh 789C EE", "the limit, for Big Three Dragons 500"),
            ("19B 19C 19D ESWN RGWh Wh", "the limit, for Thirteen Orphans 500"),
            ("1111B 9999B RRRR NNNN 11D", "no hand scores more than 500 500"),
            ("222333444B 55B 999D", "Total: 40 × 2 80"),
        ],
    )
    def test_a_winning_hand_says_how_the_final_score_comes_about(self, run_score, tiles, line):
        code, out, _err = run_score(tiles)
        assert code == 0
        assert line in re.sub(" +", " ", out)

    def test_a_winning_hand_shows_the_tiles_where_there_are_no_sets(self, run_score):
        assert run_score("19B 19C 19D ESWN RGWh Wh")[1].startswith("19B 19C 19D E S W N R G WhWh\n")

    def test_a_winning_hand_counts_as_concealed_if_one_says_so(self, run_score):
        gates = "1112345678999B 5B"
        assert "Nine Gates" in run_score(gates)[1]
        assert "Nine Gates" not in run_score(gates, "--no-concealed")[1]

    def test_a_winning_hand_is_scored_by_another_rule_set(self, run_score):
        suit = "222B 345B 666B 777B 88B"
        assert "Book, version 1" in run_score(suit, "--ruleset", "book")[1]
        assert run_score(suit, "--ruleset", "book")[1] != run_score(suit)[1]
        assert (
            "the first in the book’s order counts" in run_score(BOOK_HAND, "--ruleset", "book")[1]
        )

    def test_a_winning_hand_is_scored_by_the_newest_version_unless_another_is_named(
        self, run_score
    ):
        club = ruleset_version().ruleset
        RuleSetVersion.objects.create(ruleset=club, number=2, options={"rounding": 1})
        assert re.search("Final score +72", run_score(BOOK_HAND)[1])
        assert run_score(BOOK_HAND, "--ruleset", "club:1")[1] == BOOK_CARD


def test_a_hand_that_does_not_win_is_told_why(run_score):
    code, out, err = run_score("222B 345B 55B 222D GG 9C")
    assert (code, err) == (1, "")
    assert out.startswith("This hand does not win.")
    assert "9C → G" in out


class TestWhatCannotBe:
    @pytest.mark.parametrize(
        ("arguments", "sentences"),
        [
            (
                {"tiles": "22222B 345B 55B 222D"},
                [
                    "Five 2 of Bamboo: a wall has four.",
                    "13 tiles: a winning hand has 14, and one more for each kong (at most 18).",
                ],
            ),
            (
                {"tiles": "0X 345B"},
                [
                    "There is no tile “0X”. Write 1B to 9B, 1C to 9C, 1D to 9D, E S W N, R G or Wh.",
                ],
            ),
            (
                {"tiles": BOOK_HAND, "seat": "Sout"},
                ["--seat: A wind is E, S, W or N (East, South, West, North)."],
            ),
            (
                {"tiles": BOOK_HAND, "prevailing": ""},
                ["--prevailing: A wind is E, S, W or N (East, South, West, North)."],
            ),
        ],
    )
    def test_what_cannot_be_scored_is_refused_in_words_on_standard_error(
        self, run_score, arguments, sentences
    ):
        code, out, err = run_score(**arguments)
        assert (code, out) == (2, "")
        assert err.splitlines() == sentences

    @pytest.mark.parametrize("name", ["gin", "club:7", "club:x", ""])
    def test_scoring_by_a_rule_set_that_is_not_there_is_refused(self, run_score, name):
        code, out, err = run_score(BOOK_HAND, "--ruleset", name)
        assert (code, out) == (2, "")
        known = ", ".join(shipped())
        assert err == f"--ruleset: There is no rule set {name}. Choose one of {known}.\n"

    def test_scoring_an_open_hand_that_is_said_to_be_concealed_is_refused(self, run_score):
        code, _out, err = run_score("222B* 345B 55B 222D GGG", "--concealed")
        assert code == 2
        assert err.startswith("--concealed: ")

    def test_scoring_without_winds_is_refused(self):
        with pytest.raises(CommandError, match=r"required: --seat, --prevailing"):
            call_command("score", BOOK_HAND)

    def test_scoring_nothing_is_refused_in_one_sentence(self):
        with pytest.raises(CommandError, match=r"^Give a hand, such as .*--file\.$"):
            call_command("score")


class TestAsJson:
    def test_a_score_as_json_is_the_scorecard_of_the_api(self, run_score):
        code, out, _err = run_score(BOOK_HAND, "--json")
        assert code == 0
        assert json.loads(out) == card_in_words(score(BOOK_HAND, "S", "E").as_dict())
        assert "Chow: 3-4-5 of Bamboo" in out

    def test_the_command_says_why_a_hand_does_not_win(self, run_score):
        code, out, _err = run_score("222B 345B 55B 222D GG 9C", "--json")
        assert code == 1
        assert json.loads(out)["winning"] is False
        assert json.loads(out)["why"]

    def test_what_cannot_be_leaves_nothing_to_parse(self, run_score):
        code, out, err = run_score("2B", "--json")
        assert (code, out) == (2, "")
        assert err.startswith("1 tile:")


class TestWithoutADatabase:
    def score(self, folder, *arguments):
        environment = os.environ | {"DATABASE_URL": f"sqlite:///{folder}/empty.sqlite3"}
        winds = ("--seat", "South", "--prevailing", "East")
        return subprocess.run(
            [sys.executable, "manage.py", "score", BOOK_HAND, *winds, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def test_a_hand_is_scored_without_a_database(self, tmp_path):
        done = self.score(tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, BOOK_CARD, "")

    def test_whoever_reads_only_the_first_lines_ends_the_command_quietly(self, tmp_path):
        """As with ``| head -1``."""
        file = tmp_path / "hands.txt"
        file.write_text(3_000 * f"{BOOK_HAND}\n")
        command = [sys.executable, "manage.py", "score", "--file", str(file), "--seat", "S"]
        with subprocess.Popen(
            [*command, "--prevailing", "E"],
            env=os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdout.readline().startswith("line,tiles")
            running.stdout.close()
            assert running.stderr.read() == ""
            assert running.wait(timeout=60) == 128 + signal.SIGPIPE

    @pytest.mark.django_db
    def test_the_rule_sets_are_those_that_a_new_club_has(self):
        ruleset_version()
        for name in ("club", "book", "club:1"):
            assert built_in_rules(name) == named_version(name).rules

    def test_a_rule_set_of_the_club_is_not_there_without_a_database(self, tmp_path):
        done = self.score(tmp_path, "--ruleset", "chess")
        assert done.returncode == 2
        assert done.stderr.startswith("--ruleset: There is no rule set chess. Choose one of ")
