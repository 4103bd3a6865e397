"""``manage.py export hands.csv`` and ``import hands.csv``."""

import gzip
import tracemalloc
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Hand, Player
from tests.factories import make_game, make_hand, make_league, make_organiser

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return make_organiser("organiser")


@pytest.fixture
def game(organiser):
    game = make_game(league=make_league(slug="winter"), by=organiser)
    make_hand(game, winner=1, by=organiser)
    make_hand(game, by=organiser)
    return game


@pytest.fixture
def sheet(game, tmp_path):
    path = tmp_path / "hands.csv"
    call_command("export", str(path))
    return path


@pytest.fixture
def refused():
    def refused(*arguments):
        with pytest.raises(CommandError) as refusal:
            call_command("import", *map(str, arguments))
        assert refusal.value.returncode == 2
        return str(refusal.value)

    return refused


def test_the_name_of_the_file_says_that_it_holds_hands(capsys, sheet):
    assert capsys.readouterr().out == f"{sheet}: Hands: 2.\n"
    assert sheet.read_text().startswith("date,league,game,number,east,")
    assert len(sheet.read_text().splitlines()) == 3


def test_the_hands_of_one_league_are_exported(game, tmp_path, capsys, organiser):
    make_hand(make_game(by=organiser), by=organiser)
    call_command("export", str(tmp_path / "hands.csv.gz"), "--league", "winter")
    assert "Hands: 2." in capsys.readouterr().out


def test_hands_come_into_another_league(game, sheet, organiser, capsys):
    other = make_league(slug="other", starts_on=date(2020, 1, 1))
    capsys.readouterr()
    call_command("import", str(sheet), "--league", "other", "--dry-run")
    summary = "Nothing is wrong, and nothing was stored. Games: 1. Hands: 2. New players: 0.\n"
    assert capsys.readouterr().out == summary
    call_command("import", str(sheet), "--league", "other", "--by", "organiser")
    assert capsys.readouterr().out == "Logged. Games: 1. Hands: 2. New players: 0.\n"
    hands = Hand.objects.filter(game__league=other)
    assert [(hand.final, hand.logged_by) for hand in hands] == [(70, organiser), (None, organiser)]


def test_new_players_of_a_sheet_are_created_only_when_asked(sheet, refused, game, capsys):
    sheet.write_text(sheet.read_text().replace(game.players[0].name, "Zoë"), encoding="utf-8")
    make_league(slug="other")
    problems = refused(sheet, "--league", "other")
    assert problems.startswith("These are no players of the club: Zoë.")
    assert problems.endswith("\nNothing was imported.")
    call_command("import", str(sheet), "--league", "other", "--create-players")
    assert Player.objects.filter(name="Zoë").exists()


def test_only_the_first_of_many_bad_rows_are_listed(sheet, refused):
    head, row, *_more = sheet.read_text().splitlines()
    rows = [row.replace("winter,1,1", f"winter,{game},x") for game in range(1, 31)]
    sheet.write_text("\n".join([head, *rows]))
    lines = refused(sheet).splitlines()
    assert lines[0].startswith("Row 2: This game is in the club already")
    assert lines[-2:] == ["… and 10 more", "Nothing was imported."]


def test_a_file_from_a_spreadsheet_may_begin_with_a_mark(sheet, game):
    make_league(slug="other")
    sheet.write_text("\ufeff" + sheet.read_text(), encoding="utf-8")
    call_command("import", str(sheet), "--league", "other")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_a_file_in_another_encoding_is_read_or_refused(sheet, game, refused, encoding):
    make_league(slug="other")
    name = game.players[0].name
    Player.objects.filter(name=name).update(name="Zoë")
    sheet.write_bytes(sheet.read_text().replace(name, "Zoë").encode(encoding))
    if encoding == "utf-16":
        call_command("import", str(sheet), "--league", "other")
        assert Hand.objects.filter(game__league__slug="other").count() == 2
    else:
        assert "cannot be read: save the file as CSV, in UTF-8" in refused(sheet)


def test_a_packed_line_without_end_is_not_unpacked_as_a_whole(sheet, refused):
    packed = sheet.with_name("hands.csv.gz")
    with gzip.open(packed, "wb", compresslevel=1) as file:
        file.write(sheet.read_bytes())
        for _megabyte in range(64):
            file.write(b"x" * 2**20)
    tracemalloc.start()
    try:
        assert "The line is longer than 131072 characters." in refused(packed)
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


def test_a_missing_file_league_or_organiser_is_named(sheet, refused, tmp_path):
    assert "nowhere.csv" in refused(tmp_path / "nowhere.csv")
    assert refused(sheet, "--league", "summer").endswith("There are: winter.")
    assert refused(sheet, "--by", "nobody") == "--by: there is no organiser “nobody”."
    sheet.write_bytes(b"\xff\xfe\x00")
    assert refused(sheet).startswith("This is no sheet of hands")


def test_a_league_of_a_whole_club_is_refused(game, tmp_path, refused):
    with pytest.raises(CommandError, match="--league is for hands as CSV"):
        call_command("export", str(tmp_path / "club.jsonl"), "--league", "winter")
    assert not list(tmp_path.iterdir())


def test_an_import_of_hands_needs_an_organiser(sheet, organiser, refused):
    organiser.groups.clear()
    assert refused(sheet).startswith("There is no organiser yet")
