"""``manage.py verify``: says what differs and how much, rebuilds it if asked, and exits by it."""

from dataclasses import replace
from importlib import import_module

import pytest
from django.core.management import call_command

from scoring.models import Game, Hand, Tally
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.rulesets import shipped_version
from scoring.variants import scorer_for
from tests.factories import make_game, make_hand, make_league, make_organiser

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game, by = make_game(), make_organiser()
    make_hand(game, winner=1, by=by)
    make_hand(game, by=by)
    return game


@pytest.fixture
def run_verify(capsys):
    """``said(…)``: exit code and lines of the command; nothing stands on its standard error."""

    def run_verify(*arguments):
        try:
            call_command("verify", *arguments)
            code = 0
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        assert err == ""
        return code, out.splitlines()

    return run_verify


def test_an_empty_club_has_no_differences(run_verify):
    assert run_verify() == (0, ["0 differences, 0 hands checked."])


def test_a_club_as_it_was_played_has_no_differences(run_verify, game):
    assert run_verify() == (0, ["0 differences, 2 hands checked."])


def test_a_difference_is_told_with_what_is_stored_and_what_should_be(run_verify, game):
    hand = game.hands.get(number=1)
    Hand.objects.filter(pk=hand.pk).update(final=80)
    where = f"league {game.league.slug}, game {game.pk}, hand 1 (id {hand.pk})"
    assert run_verify() == (
        1,
        [f"{where}: final: stored 80, computed 70", "1 difference, 2 hands checked."],
    )


def test_only_the_first_of_many_differences_are_printed_and_all_are_counted(run_verify, game):
    Tally.objects.update(points=1, hands=77)
    code, lines = run_verify("--show", "3")
    assert code == 1
    assert [line.split(": ")[1] for line in lines[:3]] == [
        "tally.points",
        "tally.hands",
        "tally.points",
    ]
    assert lines[3:] == ["… and 5 more", "8 differences, 2 hands checked."]


def test_a_repair_rebuilds_and_says_whose_score_is_another(run_verify, game):
    hand = game.hands.get(number=1)
    Hand.objects.filter(pk=hand.pk).update(final=80)
    Game.objects.update(dealer_place=3)
    code, lines = run_verify("--repair")
    assert code == 0
    assert lines[2] == "2 differences, 2 hands checked."
    assert lines[3].startswith("Rebuilt 1 of the games and 1 of the leagues.")
    assert lines[4].endswith(f"hand 1 (id {hand.pk}): final: stored 80, computed 70")
    assert lines[5:] == ["0 differences, 2 hands checked."]
    assert Hand.objects.get(pk=hand.pk).final == 70
    assert run_verify()[0] == 0


def test_a_repair_of_tallies_changes_no_score(run_verify, game):
    Tally.objects.update(points=1)
    code, lines = run_verify("--repair")
    assert code == 0
    assert lines[-2:] == ["  none", "0 differences, 2 hands checked."]


def test_a_repair_leaves_what_only_a_person_can_repair(run_verify, game):
    tiles = "2B 2B 2B 3B 4B 5B 5B 5B 2D 2D 2D G G 9C"
    Hand.objects.filter(number=1).update(tiles=tiles)
    Tally.objects.update(points=1)
    code, lines = run_verify("--repair")
    assert code == 1
    assert f"tiles: stored {tiles}: This hand does not win." in lines[-3]
    assert lines[-2] == "1 difference, 2 hands checked."
    assert lines[-1].startswith("What is left cannot be rebuilt")
    assert Hand.objects.get(number=1).tiles == tiles


def test_verifying_alone_changes_nothing(run_verify, game):
    Tally.objects.update(points=1)
    assert run_verify()[0] == 1
    assert set(Tally.objects.values_list("points", flat=True)) == {1}


class TestTiles:
    """``verify --tiles``: hands whose declared sets may have been counted twice."""

    INVENTED = "1B 2B 3B 4B 5B 6B 7B 8B 9B 5D 5D 1B 2B 3B"

    @pytest.fixture
    def invented(self, game):
        """A hand as it was stored when `123B* 456B 789B 55D` was typed."""
        return make_hand(game, winner=1, tiles=self.INVENTED.split(), melds=["123B"])

    def test_nothing_is_found_in_a_club_of_whole_hands(self, run_verify, game):
        for tiles in ("222B* 345B 55B 222D GGG", "123B* 456B 789B 55D EEE"):
            make_hand(game, winner=1, tiles=tiles)
        make_hand(game, winner=1, tiles="123B* 123B 456B 789B 55D")
        make_hand(game, winner=1, tiles="345B 55B 222D GGG", melds=["222B"])
        assert run_verify("--tiles") == (0, ["No hand has more tiles than were typed."])

    def test_a_set_that_was_counted_twice_is_listed_with_its_address(
        self, run_verify, game, invented
    ):
        code, lines = run_verify("--tiles")
        assert code == 1
        assert lines == [
            f"league {game.league.slug}, game {game.pk}, hand 3, version 1 (live): stored as "
            f"123456789B 55D 123B, typed perhaps as 123456789B 55D: /hands/{invented.pk}/",
            "1 hand may have more tiles than were typed: ask the players, and correct it.",
        ]

    @pytest.mark.parametrize("before", ["", "456B* "])
    def test_a_set_that_text_and_melds_named_is_listed(self, run_verify, game, before):
        """It was stored as two: among the typed tiles, and behind all of them."""
        make_hand(game, winner=1, tiles=f"{before}123B* {'' if before else '456B '}789B 55D 123B*")
        code, [line, _count] = run_verify("--tiles")
        typed = "123456789B 55D" if not before else "456123789B 55D"
        assert code == 1
        assert f"typed perhaps as {typed}:" in line

    def test_a_version_that_keeps_tiles_that_cannot_be_is_listed(self, run_verify, game, invented):
        other = game.players[2].pk
        entry = replace(
            HandEntry.from_hand(invented), tiles="123B* 123456789B 55D", melds=[], winner=other
        )
        again = correct_hand(invented, entry, by=make_organiser(), reason="Somebody else won.").hand
        assert again.tiles != invented.tiles
        code, lines = run_verify("--tiles")
        assert (code, len(lines)) == (1, 3)
        assert "version 1 (superseded)" in lines[0]
        assert "version 2 (live)" in lines[1]

    def test_tiles_that_cannot_be_read_are_shown_as_they_are(self, run_verify, invented):
        Hand.objects.filter(pk=invented.pk).update(
            tiles=self.INVENTED.replace("5D", "5X"),
        )
        assert "typed perhaps as 1B 2B 3B 4B 5B 6B 7B 8B 9B 5X 5X" in run_verify("--tiles")[1][0]


@pytest.fixture
def riichi(organiser):
    """A game of riichi with one hand of tiles and one without."""
    pytest.importorskip("mahjong")
    league = make_league(ruleset_version=shipped_version("riichi", by=organiser))
    game = make_game(league=league, by=organiser)
    tiles = {"tiles": "123B 456C 99D 234D 678B", "winning_tile": "8B", "flags": ["riichi"]}
    off = {"discarder": game.players[2].pk}
    make_hand(game, winner=1, by=organiser, **tiles, **off)
    make_hand(game, winner=1, tiles="", claimed_final=1000, by=organiser, **off)
    return game


@pytest.fixture
def _library_gone(riichi, monkeypatch):
    """Whoever asks from now on finds no library."""
    monkeypatch.setattr("scoring.variants.ENGINES", {"mahjong": "nothing"})
    scorer_for.cache_clear()
    yield
    scorer_for.cache_clear()


@pytest.mark.usefixtures("_library_gone")
def test_a_hand_whose_library_is_missing_is_counted_apart_and_not_called_wrong(run_verify):
    why = "Hands of Riichi are scored by mahjong, which is not installed here"
    how = "pip install -r requirements-variants.txt."
    lines = [
        "0 differences, 1 hand checked.",
        f"1 hand could not be checked. {why}: {how}",
    ]
    assert run_verify() == (0, lines)
    assert run_verify("--repair") == (0, lines)


@pytest.mark.usefixtures("_library_gone")
def test_an_import_says_what_it_could_not_check(capsys):
    import_module("scoring.management.commands.import").Command()._verify(2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 hand could not be checked. Hands of Riichi are scored by")
    assert lines[1:] == ["Every other figure comes out again."]


@pytest.mark.usefixtures("_library_gone")
def test_what_else_is_wrong_is_told_also_without_the_library(run_verify, riichi):
    Game.objects.filter(pk=riichi.pk).update(next_number=9)
    code, lines = run_verify()
    assert code == 1
    assert "next_number: stored 9, computed 3" in lines[0]
    assert lines[1:2] == ["1 difference, 1 hand checked."]
    code, lines = run_verify("--repair")
    assert (code, lines[-1].partition(".")[0]) == (0, "1 hand could not be checked")
