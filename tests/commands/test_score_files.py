"""``manage.py score --file`` and ``--trace``: many hands at once, and one watched."""

import csv
import gzip
import io
import json
import re
import tracemalloc

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_game, make_hand, make_organiser

pytestmark = pytest.mark.django_db

HANDS = """\
# Tuesday's hands
222B 345B 55B 222D GGG

222B 345B 55B 222D GG9C
"""
SHEET = """\
Tiles,seat,prevailing,self_drawn
222B 345B 55B 222D GGG,South,East,
EEE 123B 456C 789D 55B,E,E,yes
22222B,S,E,no
"=1+1",S,E,
222B 345B 55B 222D GGG,X,E,
222B 345B 55B 222D GGG,S,E,perhaps
"""


class NotKept(io.StringIO):
    """Output of which only the number of lines is known."""

    lines = 0

    def write(self, text):
        self.lines += text.count("\n")
        return len(text)


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    def run(text, *arguments, name="hands.txt"):
        file = tmp_path / name
        file.write_text(text)
        try:
            call_command("score", "--file", str(file), *arguments)
            code = 0
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    return run


def test_a_file_holds_a_hand_a_line_and_the_winds_are_given_once(run):
    code, out, _err = run(HANDS, "--seat", "S", "--prevailing", "E")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["line"], row["winning"], row["final"]) for row in rows] == [
        ("2", "yes", "70"),
        ("4", "no", ""),
    ]
    assert rows[1]["problem"].startswith("This hand does not win.")
    assert code == 1


def test_a_csv_file_has_a_column_for_each_part_of_a_hand(run):
    code, out, _err = run(SHEET)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["final"] for row in rows] == ["70", "110", "", "", "", ""]
    assert "Five 2 of Bamboo" in rows[2]["problem"]
    assert rows[3]["tiles"] == "'=1+1"
    assert "A wind is E, S, W or N" in rows[4]["problem"]
    assert "is yes or no" in rows[5]["problem"]
    assert code == 2


@pytest.mark.parametrize(
    "sheet",
    ["Tiles,seat\n222B 345B 55B 222D GGG,S", "tiles,seat,prevailing\n222B 345B 55B 222D GGG,S,"],
)
def test_a_wind_that_nothing_gives_is_asked_for_by_its_column(run, sheet):
    code, out, _err = run(sheet)
    [row] = csv.DictReader(io.StringIO(out))
    wanted = "No prevailing wind: fill in the column “prevailing”, or give --prevailing."
    assert (code, row["problem"]) == (2, wanted)
    code, out, _err = run(sheet, "--prevailing", "E")
    assert (code, "70" in out) == (0, True)


def test_json_is_the_card_of_the_api_a_line(run):
    code, out, _err = run(HANDS.splitlines()[1], "--json", "--seat", "S", "--prevailing", "E")
    [line] = map(json.loads, out.splitlines())
    assert (line["line"], line["points"], line["final"], line["ruleset"]) == (1, 36, 70, "club")
    assert code == 0


def test_hands_are_read_from_standard_input(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("222B 345B 55B 222D GGG\n"))
    with pytest.raises(SystemExit) as end:
        call_command("score", "--file", "-", "--seat", "S", "--prevailing", "E")
    assert end.value.code == 0
    assert ",70," in capsys.readouterr().out


def test_an_empty_file_has_only_a_heading(run):
    code, out, _err = run("\n\n")
    assert (code, len(out.splitlines())) == (0, 1)


def test_a_missing_file_is_named():
    with pytest.raises(CommandError, match="cannot be read") as error:
        call_command("score", "--file", "/nowhere/hands.txt")
    assert error.value.returncode == 2


def test_a_hand_and_a_file_at_once_are_refused():
    with pytest.raises(CommandError):
        call_command("score")
    with pytest.raises(CommandError):
        call_command("score", "222B", "--file", "hands.txt")


def test_the_procedure_is_printed_before_the_card(capsys):
    call_command("score", "223344B 55B 222D GGG", "--seat", "S", "--prevailing", "E", "--trace")
    out = capsys.readouterr().out
    assert "   1  The tiles are sorted; they are the stack." in out
    assert "! The next tile is 2B, but 3B lies further on" in out
    assert "The book’s own procedure would miss this hand" in out
    assert out.index("would miss") < out.index("Final score")


def test_a_hand_that_the_book_finds_has_no_marks(capsys):
    call_command("score", "222B 345B 55B 222D GGG", "--seat", "S", "--prevailing", "E", "--trace")
    out = capsys.readouterr().out
    assert "would miss" not in out
    assert "!" not in out


def test_a_long_procedure_is_folded_unless_all_of_it_is_asked_for(capsys):
    asked = ("score", "22D 4D 5555D 6666D 777D GGG", "--seat", "S", "--prevailing", "E")
    with pytest.raises(SystemExit):
        call_command(*asked, "--trace")
    folded = capsys.readouterr().out
    with pytest.raises(SystemExit):
        call_command(*asked, "--whole-trace")
    whole = capsys.readouterr().out
    steps = [line for line in whole.splitlines() if re.match(r" *\d+[ !] ", line)]
    shown = [line for line in folded.splitlines() if re.match(r" *\d+[ !] ", line)]
    assert shown == steps[:24] + steps[-12:]
    between = f"… {len(steps) - 36:,} steps are not shown: --whole-trace shows them."
    assert between in folded
    assert between not in whole


class TestFilesOfOtherPrograms:
    WINDS = ("--seat", "S", "--prevailing", "E")

    @pytest.fixture
    def rows(self, capsys, tmp_path):
        """``rows(bytes, …)``: the exit code and the rows that are written for such a file."""

        def rows(content, *arguments, name="hands.csv"):
            file = tmp_path / name
            file.write_bytes(content)
            with pytest.raises(SystemExit) as end:
                call_command("score", "--file", str(file), *arguments)
            return end.value.code, list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

        return rows

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    @pytest.mark.parametrize("sign", [",", ";", "\t"])
    def test_files_of_other_programs_are_read_in_their_encoding_and_with_their_separators(
        self, rows, encoding, sign
    ):
        sheet = sign.join(["name", "tiles", "seat", "prevailing\n"])
        sheet += sign.join(["Zoë", "222B 345B 55B 222D GGG", "S", "E\n"])
        code, lines = rows(sheet.encode(encoding))
        assert (code, [row["final"] for row in lines]) == (0, ["70"])

    def test_files_of_other_programs_may_have_line_breaks_in_quotes(self, rows):
        sheet = b'tiles,note,seat,prevailing\n"222B 345B 55B\r\n222D GGG","a\nb",S,E\nEE,,S,E\n'
        _code, lines = rows(sheet)
        assert [(row["line"], row["final"]) for row in lines] == [("2", "70"), ("5", "")]

    def test_every_line_that_cannot_be_read_is_named_and_the_others_scored(self, rows):
        good = b"222B 345B 55B 222D GGG\n"
        sheet = b"tiles\n" + good + b"x" * 200_000 + b"\n" + b"\xe9t\xe9\n" + b'"222B\n' + good
        code, lines = rows(sheet, *self.WINDS)
        assert code == 2
        assert [(row["line"], row["final"], row["problem"][:20]) for row in lines] == [
            ("2", "70", ""),
            ("3", "", "The line is longer t"),
            ("4", "", "The line cannot be r"),
            ("5", "", "A quotation mark is "),
            ("6", "70", ""),
        ]

    @pytest.mark.parametrize("sign", [",", ";", "|"])
    def test_files_of_other_programs_may_name_their_separator_in_a_line_of_its_own(
        self, rows, sign
    ):
        """As Excel does: the header then names what counts, whatever stands in it."""
        sheet = f"sep={sign}\r\n" + sign.join(["tiles", "seat", "prevailing", "a,b;c\r\n"])
        sheet += sign.join(['"222B 345B 55B 222D GGG"', "S", "E", '"x,y;z"\r\n'])
        code, lines = rows(sheet.encode())
        assert (code, [(row["line"], row["final"]) for row in lines]) == (0, [("3", "70")])

    def test_files_of_other_programs_with_more_cells_than_columns_are_refused_by_line(self, rows):
        good = "222B 345B 55B 222D GGG"
        code, lines = rows(f"tiles,seat,prevailing\n{good},S,E,,\n{good},S,E,yes\n".encode())
        assert code == 2
        assert [row["final"] for row in lines] == ["70", ""]
        assert lines[1]["problem"] == "more cells than columns: put quotes around “yes”."

    def test_files_of_other_programs_with_a_column_that_is_there_twice_are_refused(self, rows):
        code, [row] = rows(b"note,note,Tiles,seat,tiles\na,b,222B,S,333B\n", *self.WINDS)
        assert (code, row["line"]) == (2, "1")
        assert row["problem"] == "The column “tiles” is there twice."

    def test_files_of_other_programs_may_be_packed(self, rows):
        code, lines = rows(
            gzip.compress(b"222B 345B 55B 222D GGG\n"), *self.WINDS, name="hands.txt.gz"
        )
        assert (code, [row["final"] for row in lines]) == (0, ["70"])

    @pytest.mark.parametrize("head", ["", "tiles\n"])
    def test_a_file_with_too_many_rows_is_refused_where_there_are_too_many(
        self, tmp_path, monkeypatch, capsys, head
    ):
        monkeypatch.setattr("scoring.management.hand_files.MOST_ROWS", 3)
        file = tmp_path / "hands.csv"
        file.write_text(head + 3 * "222B 345B 55B 222D GGG\n\n" + "# No hand\n")
        with pytest.raises(SystemExit) as end:
            call_command("score", "--file", str(file), *self.WINDS)
        assert end.value.code == 0
        file.write_text(head + 4 * "222B 345B 55B 222D GGG\n")
        with pytest.raises(CommandError, match="There are more than 3 rows") as error:
            call_command("score", "--file", str(file), *self.WINDS)
        assert error.value.returncode == 2

    @pytest.mark.parametrize("head", ["", "tiles\n"])
    def test_a_file_of_empty_lines_has_an_end(self, tmp_path, monkeypatch, head):
        """Three hundred kilobytes of a packed file may be three hundred million of them."""
        monkeypatch.setattr("scoring.operations.csv.source.MOST_LINES", 5)
        file = tmp_path / "hands.csv"
        file.write_text(head + 6 * "\n")
        with pytest.raises(CommandError, match="There are more than 5 lines") as error:
            call_command("score", "--file", str(file), *self.WINDS)
        assert error.value.returncode == 2

    @pytest.mark.parametrize("head", ["", "tiles\n"])
    @pytest.mark.parametrize("form", [[], ["--json"]])
    def test_a_long_file_is_not_kept_in_memory(self, tmp_path, capsys, head, form):
        """Half a megabyte of a packed file may be nine million hands."""
        path = tmp_path / "hands.csv.gz"

        def most_memory(hands):
            text = head.encode() + hands * b"222B 345B 55B 222D GGG\n"
            path.write_bytes(gzip.compress(text))
            out = NotKept()
            tracemalloc.start()
            try:
                with pytest.raises(SystemExit) as end:
                    call_command("score", "--file", str(path), *self.WINDS, *form, stdout=out)
                most = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            assert end.value.code == 0
            assert out.lines >= hands
            return most

        most_memory(100)  # what is read once is read now
        # Each row that is kept takes over half a kilobyte.
        assert most_memory(1_000) - most_memory(100) < 200_000

    def test_melds_that_too_few_tiles_hold_already_are_no_hand(self, rows):
        sheet = b"tiles,melds\n123B 456B 789B 55D,123B*\n456B 789B 999C 55D,123B*\n123B 456B 789B 999C 55D,123B*\n"
        code, lines = rows(sheet, *self.WINDS)
        assert (code, [bool(row["final"]) for row in lines]) == (2, [False, True, True])
        problem = lines[0]["problem"]
        assert problem.startswith("melds: the tiles 123B 456B 789B 55D hold 123B* already")

    def test_hands_as_they_are_exported_score_as_they_are_stored(self, rows, tmp_path, capsys):
        game, by = make_game(), make_organiser()
        make_hand(game, winner=1, tiles="222B* 345B 55B 2222D# GGG", by=by)
        make_hand(game, by=by)
        make_hand(game, winner=1, tiles="SSS 345B 55B 222D GGG", by=by)
        make_hand(game, winner=3, tiles="", claimed_final=120, by=by)
        make_hand(game, winner=0, tiles="EEE 123B 456B 789B 55D", by=by)
        path = tmp_path / "exported.csv"
        call_command("export", str(path))
        capsys.readouterr()
        code, lines = rows(path.read_bytes())
        stored = game.hands.filter(checked=True, outcome="win").order_by("number")
        assert code == 0
        assert [(row["seat"], row["prevailing"], row["final"]) for row in lines] == [
            (hand.seat, hand.prevailing, str(hand.final)) for hand in stored
        ]
