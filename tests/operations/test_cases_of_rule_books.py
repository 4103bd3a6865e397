"""``manage.py cases``: each kind of file, what agrees, what differs, and what a published rule excuses."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.operations.cases import CaseDifference, CaseReport, report, run
from scoring.operations.cases.classical import player_hand, second_source

WORKED = Path(__file__).parents[1] / "evaluator/cases"
NOBODY = {"winning_tile": None, "winning_tile_from": None, "winning_set": None, "win_source": None}


def case(tiles: str, melds=(), **changed):
    kinds = [{"kind": kind, "state": state, "tiles": meld.split()} for kind, state, meld in melds]
    head = {"id": "A", "own_wind": "East", "round_wind": "East", "bonus": [], "announcements": []}
    return {
        **head,
        **NOBODY,
        "concealed_tiles": tiles.split(),
        "exposed_melds": kinds,
        **changed,
    }


def figures(total, *, won=True, points=0, doubles=0, limits=0.0):
    return {"won": won, "points": points, "doubles": doubles, "limits": limits, "total": total}


CHOW_CLAIMED = case(
    "5B 5B 5B 7C 7C 7C 9D 9D 9D North",
    [("pair", "exposed", "North"), ("chow", "exposed", "1B 2B 3B")],
    winning_tile="1B",
    winning_tile_from="claimed",
    winning_set=["1B", "2B", "3B"],
)
LOSER = case("9D 9D", [("pung", "exposed", "Red Red Red"), ("kong", "claimed_kong", "2B 2B 2B 2B")])
SETS = "exposed chow 3B, concealed pung 4C, exposed kong Red, concealed kong 1D, pair 9D completed by the winning tile"


@pytest.fixture
def written(tmp_path):
    def written(data, name="cases.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return written


def classical(*cases, calling=(), second=()):
    return {"cases": cases, "calling_cases": calling, "second_source": {"cases": second}}


def test_classical_cases_are_compared_for_each_book_that_ships(written):
    won = CHOW_CLAIMED | {
        "expected": {
            "dmjl": figures(20 + 4 + 4 + 8, points=36),
            "bmja": figures(1000, limits=1.0),
            "unknown": figures(1),
        }
    }
    won["expected"]["dmjl"] |= {"total": 72, "doubles": 1}
    lost = LOSER | {"id": "B", "expected": {"dmjl": figures(24, won=False, points=12, doubles=1)}}
    calling = case("1B 2B 3B 4B 5B 6B 7C 7C 9D 9D 9D Red Red") | {
        "completing": {"dmjl": ["Red", "7C"], "bmja": []}
    }
    second = [
        {"bonus": ["F1"], "own_wind": "East", "round_wind": "East", "won": False, "points": 4}
        | {"doubles": 0},
        {"pair": "Red", "own_wind": "East", "round_wind": "East", "won": False, "points": 2}
        | {"doubles": 0},
        {"sets": SETS, "own_wind": "East", "round_wind": "East", "won": True, "points": 78}
        | {"doubles": 1},
        {"sets": "same with pair 7D; bonus Y3; winning tile self-drawn", "own_wind": "East"}
        | {"round_wind": "East", "won": True, "points": 78, "doubles": 2},
    ]
    found = run(written(classical(won, lost, calling=[calling], second=second)))
    assert [str(difference) for difference in found.differ] == [
        "A bmja: limits, total: expected 100, 1000, got 0, 36"
    ]
    assert found.agree == 8


PURITY = [
    case(
        "3B 3B 3B 6B 6B 6B 8B 8B 2B 2B 2B",
        [("pung", "exposed", "1B 1B 1B")],
        id="K028",
        bonus=["F1", "F2", "F3", "F4"],
        winning_tile="3B",
        winning_tile_from="self_drawn",
        expected={"bmja": figures(1000, points=54, doubles=7)},
    ),
    case(
        "",
        [
            ("kong", "exposed", "1D 1D 1D 1D"),
            *(("pung", "exposed", f"{tile} {tile} {tile}") for tile in ("2D", "3D", "4D")),
            ("pair", "exposed", "5D 5D"),
        ],
        id="K103",
        winning_tile="3D",
        winning_tile_from="claimed",
        winning_set=["3D", "3D", "3D"],
        expected={"bmja": figures(672, points=42, doubles=4)},
    ),
]


def test_purity_whose_doubles_are_all_added_up_is_excused_by_the_published_rule(written):
    found = run(written(classical(*PURITY), name="classical.json"))
    assert [difference.id for difference in found.differ] == ["K028 bmja", "K103 bmja"]
    assert found.unexcused == []
    assert all("BMJA, special hands" in difference.excused for difference in found.differ)


@pytest.mark.parametrize(
    ("changed", "won_by"),
    [
        ({"win_source": "dealt_hand"}, "heaven"),
        ({"win_source": "dealt_hand", "own_wind": "West"}, "earth_discard"),
        ({"win_source": "dead_wall", "winning_tile_from": "self_drawn"}, "replacement"),
        ({"win_source": "dead_wall", "winning_tile_from": "claimed"}, "discard"),
        ({"win_source": "last_tile_of_wall", "winning_tile_from": "claimed"}, "last_discard"),
        ({"win_source": "robbed_kong", "winning_tile_from": "claimed"}, "robbing_kong"),
        ({"win_source": "unknown", "winning_tile_from": "self_drawn"}, "self_drawn"),
        ({"announcements": ["twofold_fortune"]}, "kong_on_kong"),
        ({"announcements": ["original_call"]}, "discard"),
    ],
)
def test_a_classical_case_names_in_one_word_how_it_was_won(changed, won_by):
    hand = player_hand(CHOW_CLAIMED | changed, won=True)
    assert hand.won_by == won_by
    assert ("original_call" in hand.flags) == (changed.get("announcements") == ["original_call"])
    assert not player_hand(CHOW_CLAIMED | changed, won=False).flags


def test_declared_sets_keep_how_they_lie():
    melds = [
        ("knitted", "exposed", "4D 4B 4C"),
        ("knitted", "exposed", "8D 8B"),
        ("kong", "concealed_kong", "1D 1D 1D 1D"),
        ("kong", "claimed_kong", "2D 2D 2D 2D"),
    ]
    hand = player_hand(case("", melds), won=False)
    assert [(meld.kind, meld.concealed, meld.claimed) for meld in hand.melds] == [
        ("knitted", False, False),
        ("knitted_pair", False, False),
        ("kong", True, False),
        ("kong", False, True),
    ]


def test_the_second_source_says_its_sets_in_words():
    *_first, last = second_source([{"sets": SETS}, {"sets": "same with pair 7D; bonus Y3"}])
    assert last["bonus"] == ["Y3"]
    assert last["concealed_tiles"] == ["4C", "4C", "4C", "7D", "7D"]
    assert len(last["exposed_melds"]) == 3


def test_settlements_are_compared_seat_by_seat(written):
    scores = {"East": 100, "South": 200, "West": 50, "North": 20}
    paid = {"East": -140, "South": 800, "West": -270, "North": -390}
    one = {"id": "S", "scores": scores, "winner": "South", "pays_for_all": None, "payments": paid}
    all_paid = {"East": 0, "South": 800, "West": -800, "North": 0}
    liable = one | {"id": "L", "pays_for_all": "West", "payments": all_paid}
    found = run(written({"meta": {}, "cases": [one, liable, one | {"winner": None}]}))
    assert (found.agree, [difference.id for difference in found.differ]) == (2, ["S"])


@pytest.mark.parametrize("name", ["hands", "payments"])
def test_worked_cases_of_the_club_agree(name):
    path = WORKED / f"{name}.json"
    report = run(path)
    assert (report.agree, report.differ) == (len(json.loads(path.read_text())), [])


def test_a_club_hand_that_is_no_hand_differs_where_a_score_is_expected(written):
    hand = {"id": "x", "tiles": "222B", "seat": "E", "prevailing": "E"}
    expect = {"winning": False, "interpretations": 0}
    [difference] = run(written([hand | {"expect": expect}])).differ
    assert difference.what == "refused, winning, interpretations"


def test_an_excuse_holds_only_for_the_figures_that_it_names(monkeypatch):
    monkeypatch.setattr(report, "excuses", lambda: {("f.json", "A", "2"): "The rule (its source)"})
    found = CaseReport()
    found.compare(Path("f.json"), "A", {"points": 1}, {"points": 2})
    found.compare(Path("f.json"), "A", {"points": 1}, {"points": 3})
    assert [difference.excused for difference in found.differ] == ["The rule (its source)", ""]
    assert found.unexcused == [CaseDifference("A", "points", "1", "3")]
    assert str(found.differ[0]) == "A: points: expected 1, got 2 (excused: The rule (its source))"


def test_every_excuse_ends_with_its_source_in_brackets():
    assert all(reason.endswith(")") and "(" in reason for reason in report.excuses().values())


def test_the_command_prints_each_difference_and_fails(written, capsys):
    wrong = LOSER | {"expected": {"dmjl": figures(25, won=False, points=12, doubles=1)}}
    with pytest.raises(SystemExit) as stopped:
        call_command("cases", str(written(classical(wrong))), str(WORKED / "payments.json"))
    assert stopped.value.code == 1
    assert capsys.readouterr().out.splitlines() == [
        "cases.json: A dmjl: total: expected 25, got 24",
        "cases.json: 0 agree, 1 differ, 0 of these by a published rule.",
        "payments.json: 20 agree, 0 differ, 0 of these by a published rule.",
    ]


def test_the_command_is_content_where_nothing_differs(capsys):
    call_command("cases", str(WORKED / "payments.json"))
    assert "20 agree, 0 differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("{", "“bad.json” cannot be read: "), ("[]", "“bad.json” is no file of cases.")],
)
def test_a_file_without_cases_is_refused(tmp_path, text, sentence):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(CommandError, match=sentence) as refused:
        call_command("cases", str(path))
    assert refused.value.returncode == 2
