"""``manage.py whatif``: a league's table under other rules, in words and as JSON."""

import json

import pytest
from django.core.management import CommandError, call_command

from scoring.models import RuleSet
from scoring.models.days import club_day
from scoring.services.confirmations import dispute_hand
from scoring.services.standing_rules import change_standing_rules
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_ruleset_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    by = make_organiser()
    players = [make_player(name) for name in ("Ann", "Bob", "Cy", "Di")]
    game = make_game(league=make_league("Winter", slug="winter"), players=players, by=by)
    make_hand(game, winner=1, tiles="222B 333B 444B 555B 66B", by=by)
    make_hand(game, winner=2, by=by)
    make_hand(game, by=by)
    return game


@pytest.fixture
def limited(game):
    """Version 2 of the Club rules, where no hand scores more than 100."""
    make_ruleset_version(limit=100)


@pytest.fixture
def run_whatif(capsys):
    def run_whatif(*arguments):
        call_command("whatif", *arguments)
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run_whatif


def test_whatif_prints_no_rank_before_the_minimum(run_whatif, limited, game, organiser):
    few = [{"name": "Table", "minimum": {"count": 9}}]
    change_standing_rules(game.league, few, effective_from=club_day(), by=organiser)
    out = run_whatif("winter", "--ruleset", "club")
    assert "None" not in out
    assert [line.split()[:4] for line in out.splitlines()[3:5]] == [
        ["1", "of", "9", "Bob"],
        ["1", "of", "9", "Cy"],
    ]
    assert "\n“1 of 9”: no rank yet. A rank takes 9 games.\n" in out


def test_whatif_says_that_all_hands_are_disputed(run_whatif, limited, game):
    for hand in list(game.hands.all()):
        dispute_hand(hand, by=make_member(player=game.players[0]))
    assert run_whatif("winter", "--ruleset", "club").splitlines() == [
        "Winter by Club, version 2",
        "",
        "3 hands have been played. They are disputed, and count when that is settled.",
        "",
        "Hands that count: 0. With another score: 0.",
    ]


def test_whatif_prints_the_table_under_the_newest_version(run_whatif, limited):
    lines = run_whatif("winter", "--ruleset", "club").splitlines()
    assert lines[0] == "Winter by Club, version 2"
    assert [line.split() for line in lines[2:7]] == [
        ["rank", "player", "points", "now", "by", "the", "new", "rules", "difference"],
        ["1", "Bob", "1860", "260", "-1600"],
        ["2", "Cy", "-220", "180", "+400"],
        ["3", "Di", "-570", "-170", "+400"],
        ["4", "Ann", "-1070", "-270", "+800"],
    ]
    assert lines[8:] == ["Hands that count: 3. With another score: 1."]


@pytest.mark.parametrize("name", ["club@1", "club:1"])
def test_whatif_takes_a_version_by_its_number(run_whatif, limited, name):
    assert "With another score: 0." in run_whatif("winter", "--ruleset", name)


def test_whatif_lists_the_hands_whose_scores_differ(run_whatif, limited, game):
    hand = game.hands.get(number=1)
    last = run_whatif("winter", "--ruleset", "club", "--hands").splitlines()[-1]
    assert last == f"game {game.pk}, hand 1 (id {hand.pk}), Bob: 500 → 100"


def test_whatif_prints_json(run_whatif, limited, game):
    trial = json.loads(run_whatif("winter", "--ruleset", "club", "--json"))
    assert {key: trial[key] for key in ("league", "ruleset", "version", "hands", "not_played")} == {
        "league": "winter",
        "ruleset": "club",
        "version": 2,
        "hands": 3,
        "not_played": 0,
    }
    assert trial["rows"][0] == {
        "rank": 1,
        "rank_now": 1,
        "player": game.players[1].pk,
        "name": "Bob",
        "points": 260,
        "points_now": 1860,
        "difference": -1600,
    }
    [changed] = trial["changed"]
    assert (changed["final"], changed["final_now"], changed["played"]) == (100, 500, True)


def test_whatif_says_that_a_league_has_no_hands(run_whatif):
    make_league("Empty", slug="empty")
    out = run_whatif("empty", "--ruleset", "book")
    assert "No hand has been played yet." in out
    assert out.endswith("count: 0. With another score: 0.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("summer", "--ruleset", "book"), "There is no league “summer”. There are: winter."),
        (("winter", "--ruleset", "bok"), "--ruleset: There is no rule set bok. Choose one of"),
        (("winter", "--ruleset", "club@9"), "--ruleset: There is no rule set club:9."),
    ],
)
def test_whatif_names_a_league_or_rule_set_that_does_not_exist(game, arguments, sentence):
    with pytest.raises(CommandError) as refusal:
        call_command("whatif", *arguments)
    assert str(refusal.value).startswith(sentence)
    assert refusal.value.returncode == 2


def test_whatif_takes_a_book_that_ships_and_the_file_of_one(run_whatif, game, tmp_path):
    assert run_whatif("winter", "--ruleset", "dmjl").startswith("Winter by DMJL, version 1\n")
    file = tmp_path / "ours.toml"
    file.write_text('base = "dmjl"\nslug = "ours"\nname = "Ours"\n[counting]\nlimit = 50\n')
    out = run_whatif("winter", "--ruleset", str(file), "--hands")
    assert out.startswith("Winter by Ours, version 1\n")
    assert "→ 50" in out
    assert not RuleSet.objects.filter(slug__in=["dmjl", "ours"]).exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(None, "No such file"), ('base = "dmjl"\n[counting]\nlimit = -1', "Line 3: ")],
)  # fmt: skip
def test_whatif_refuses_a_bad_file(run_whatif, game, tmp_path, text, sentence):
    file = tmp_path / "ours.toml"
    if text:
        file.write_text(text)
    with pytest.raises(CommandError, match=sentence) as error:
        run_whatif("winter", "--ruleset", str(file))
    assert error.value.returncode == 2
