"""One hand, several entry points: whatever is refused is refused in the same words at each of them.

The table's form answers 422 (409 where the table has moved on), the API 400 (409), the commands with
an exit code of their own. Nothing is ever stored, and nothing is ever a 500.
"""

import json
import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from scoring.evaluator.scorecard import score
from scoring.models import Game, Hand, IdempotencyKey, Payment, Round, RuleSetVersion, Tally
from scoring.services.games import finish_game
from scoring.services.rulesets import install_rulesets
from tests.api.callers import caller
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
    ruleset_version,
)
from tests.support.savepoints import taken_back

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.slow]

LOSES = "222B 345B 55B 222D GG 9C"
KEPT = (Game, Hand, Payment, Round, Tally, IdempotencyKey)


def stored():
    return {model: list(model.objects.order_by("pk").values()) for model in KEPT}


def text_of(page):
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


@dataclass
class Table:
    """A game that waits for its first hand, with a player of it at each entry point."""

    game: Game
    form: Client = field(default_factory=Client)
    api: Any = None

    def __post_init__(self):
        scorer = make_member(player=self.game.players[0])
        self.form.force_login(scorer)
        self.api = caller(scorer)
        self.scorer = scorer

    def entry(self, **changes):
        """A win of South with the book's hand, as the API takes it; people are named by place."""
        sent = {"number": 1, "outcome": "win", "winner": 1, "tiles": BOOK_HAND, **changes}
        for role in ("winner", "discarder"):
            if sent.get(role) in range(4):
                sent[role] = self.game.players[sent[role]].pk
        return {name: value for name, value in sent.items() if value is not None}

    def by_form(self, entry, **headers):
        """The status and the words of the page."""
        drawn, by_winner = entry["outcome"] == "draw", entry.get("self_drawn")
        sent = {
            "number": entry["number"],
            "key": "a key",
            "winner": "draw" if drawn else entry.get("winner", ""),
            "discarder": "self" if by_winner else entry.get("discarder", ""),
            "tiles": entry.get("tiles", ""),
            "claimed_final": entry.get("claimed_final", ""),
        }
        answer = self.form.post(f"/games/{self.game.pk}/hands/", sent, headers=headers)
        return answer.status_code, text_of(answer.content.decode())

    def by_script(self, entry):
        """The status and the words of the form that the page's scripts put in its place."""
        return self.by_form(entry, **{"HX-Request": "true"})

    def by_api(self, entry):
        """The status, and every sentence of the problem document."""
        answer = self.api.post(
            f"/api/v1/games/{self.game.pk}/hands/", entry, headers={"Idempotency-Key": "a key"}
        )
        assert answer["Content-Type"] == "application/problem+json"
        problem = answer.json()
        assert problem["status"] == answer.status_code
        sentences = [problem["detail"], *(error["message"] for error in problem["errors"])]
        return answer.status_code, " ".join(sentences)


@pytest.fixture(autouse=True)
def _rule_sets():
    """Those that a new club has, also in a database that was flushed; nobody called before."""
    install_rulesets()
    cache.clear()


@pytest.fixture(scope="module")
def opened(shared):
    return shared(lambda: make_game().pk)


@pytest.fixture
def table(opened):
    return Table(Game.objects.get(pk=opened))


ENTRY_POINTS = {"form": Table.by_form, "script": Table.by_script, "api": Table.by_api}
WRONG = {"form": 422, "script": 422, "api": 400}


def refused(table, entry_point, entry, *sentences, status):
    """Through that entry point ``entry`` is refused with each of ``sentences``, and nothing is stored."""
    before = stored()
    answered, words = ENTRY_POINTS[entry_point](table, entry)
    assert answered == status
    for sentence in sentences:
        assert sentence in words
    assert stored() == before


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
class TestAHandThatCannotBe:
    @pytest.mark.parametrize(
        ("changes", "sentences"),
        [
            pytest.param(
                {"tiles": "222B 345B 55B 222D GGX"},
                ["There is no tile “X”. Write 1B to 9B, 1C to 9C, 1D to 9D, E S W N, R G or Wh."],
                id="an unknown tile",
            ),
            pytest.param(
                {"tiles": "22222B 345B 55B 222D G"},
                ["Five 2 of Bamboo: a wall has four."],
                id="a fifth copy",
            ),
            pytest.param(
                {"tiles": "222B"},
                ["3 tiles: a winning hand has 14, and one more for each kong (at most 18)."],
                id="too few tiles",
            ),
            pytest.param(
                {"tiles": "22222B 345B 55B 222D GGG RRR E"},
                [
                    "Five 2 of Bamboo: a wall has four.",
                    "20 tiles: a winning hand has 14, and one more for each kong (at most 18).",
                ],
                id="two things at once",
            ),
            pytest.param(
                {"tiles": ""},
                ["0 tiles: a winning hand has 14, and one more for each kong (at most 18)."],
                id="no tiles",
            ),
            pytest.param(
                {"tiles": "22B* 2B 345B 55B 222D GGG"},
                [
                    "A declared set is a pung, a kong or a chow: three or four alike, or three in "
                    "a row."
                ],
                id="an open set that is none",
            ),
            pytest.param(
                {"tiles": LOSES}, [str(score(LOSES, "S", "E").why)], id="tiles that do not win"
            ),
            pytest.param(
                {"winner": None}, ["Say who won, or log the hand as a draw."], id="no winner"
            ),
            pytest.param(
                {"winner": 999_999},
                ["This player does not sit at the table. Choose one of {names}."],
                id="a winner who is nobody",
            ),
            pytest.param(
                {"discarder": 999_999},
                ["This player does not sit at the table. Choose one of {names}."],
                id="a discarder who is nobody",
            ),
            pytest.param(
                {"discarder": 1},
                ["The winner did not discard the winning tile: choose another player."],
                id="the winner as discarder",
            ),
            pytest.param(
                {"tiles": LOSES, "discarder": 1},
                [
                    str(score(LOSES, "S", "E").why),
                    "The winner did not discard the winning tile: choose another player.",
                ],
                id="wrong tiles and the wrong discarder",
            ),
            pytest.param(
                {"outcome": "draw", "winner": None},
                ["A drawn hand has none: leave it out, or log a win."],
                id="tiles of a drawn hand",
            ),
            pytest.param(
                {"outcome": "draw", "winner": None, "tiles": None, "discarder": 2},
                ["A drawn hand has none: leave it out, or log a win."],
                id="a discarder of a drawn hand",
            ),
            pytest.param(
                {"outcome": "draw", "winner": None, "tiles": None, "self_drawn": True},
                ["A drawn hand has none: leave it out, or log a win."],
                id="a drawn hand that was self-drawn",
            ),
            pytest.param(
                {"claimed_final": 80},
                ["Enter the tiles or the score you worked out, not both."],
                id="tiles and a score",
            ),
            pytest.param(
                {"tiles": None, "claimed_final": 510},
                ["A score lies between 20 and 500."],
                id="a score above the limit",
            ),
            pytest.param(
                {"tiles": None, "claimed_final": -80},
                ["A score lies between 20 and 500."],
                id="a score below nothing",
            ),
            pytest.param(
                {"tiles": None, "claimed_final": 73},
                ["Scores are rounded to 10 here."],
                id="a score that is not rounded",
            ),
            pytest.param({"number": 0}, ["least", "1"], id="hand 0"),
            pytest.param(
                {"number": "x", "tiles": LOSES}, ["valid", "number"], id="a number that is none"
            ),
        ],
    )
    def test_a_hand_that_cannot_be_is_refused_in_the_same_words(
        self, table, entry_point, changes, sentences
    ):
        # Nobody types a number on the page: its form speaks as Django does.
        if changes.get("number") == "x":
            sentences = {"api": ["Give a whole number."]}.get(
                entry_point, ["Enter a whole number."]
            )
        if changes.get("number") == 0:
            sentences = {"api": ["Give 1 at least."]}.get(
                entry_point, ["Ensure this value is greater than or equal to 1."]
            )
        names = ", ".join(player.name for player in table.game.players)
        expected = [sentence.replace("{names}", names) for sentence in sentences]
        refused(table, entry_point, table.entry(**changes), *expected, status=WRONG[entry_point])

    @pytest.mark.parametrize("role", ["winner", "discarder"])
    def test_a_hand_of_a_player_of_another_table_is_refused(self, table, entry_point, role):
        names = ", ".join(player.name for player in table.game.players)
        sentence = f"This player does not sit at the table. Choose one of {names}."
        entry = table.entry(**{role: make_player().pk})
        refused(table, entry_point, entry, sentence, status=WRONG[entry_point])

    def test_a_hand_without_a_discarder_is_refused_where_that_matters(self, table, entry_point):
        ruleset = ruleset_version().ruleset
        pays = {"discarder": "pays_for_all"}
        version = RuleSetVersion.objects.create(ruleset=ruleset, number=2, options=pays)
        table = Table(make_game(league=make_league(ruleset_version=version)))
        sentence = "Say who discarded the winning tile, or that the winner drew it."
        refused(table, entry_point, table.entry(), sentence, status=WRONG[entry_point])


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
class TestAHandThatComesTooLate:
    def test_a_hand_that_comes_too_late_is_refused_at_a_position_that_is_taken(
        self, table, entry_point
    ):
        make_hand(table.game, winner=2, by=table.scorer)
        sentence = "Hand 1 is already logged. The next one is number 2."
        refused(table, entry_point, table.entry(), sentence, status=409)

    def test_a_hand_that_comes_too_late_is_refused_like_one_that_comes_too_early(
        self, table, entry_point
    ):
        sentence = "The next hand is number 1, not 3."
        refused(table, entry_point, table.entry(number=3), sentence, status=409)

    def test_a_hand_that_comes_too_late_is_refused_when_the_game_is_over(self, table, entry_point):
        finish_game(table.game, by=table.scorer)
        sentence = "This game was ended. Open it again to log this hand, or start a new game."
        refused(table, entry_point, table.entry(), sentence, status=409)

    @pytest.mark.parametrize("tiles", [BOOK_HAND, LOSES, "222B"])
    def test_a_hand_that_comes_too_late_says_so_whatever_its_tiles(self, table, entry_point, tiles):
        sentence = "The next hand is number 1, not 3."
        refused(table, entry_point, table.entry(number=3, tiles=tiles), sentence, status=409)


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_a_stranger_is_refused_at_every_entry_point(table, entry_point):
    stranger = make_member(player=make_player())
    table.form.force_login(stranger)
    table.api = caller(stranger)
    sentence = "Only the four players of this table and organisers may do this."
    refused(table, entry_point, table.entry(), sentence, status=403)


def test_a_visitor_is_asked_to_sign_in_at_every_entry_point(table):
    before, there = stored(), f"/games/{table.game.pk}/hands/"
    answer = Client().post(there, {"number": 1})
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"/sign-in/?next=/games/{table.game.pk}/")
    assert caller().post(f"/api/v1{there}", table.entry()).status_code == 401
    assert stored() == before


def test_the_admin_is_no_entry_point(table, admin_client):
    before = stored()
    assert admin_client.post("/admin/scoring/hand/add/", table.entry()).status_code == 403
    assert stored() == before


NASTY = [
    *("", " ", "x", "-1", "0", "1.5", "9" * 40, "nan", "null", "true", "é", "\x00", "🀀", "[]"),
    *("*", "* *", "2B*" * 100, "2B" * 500, "'; DROP TABLE scoring_hand; --", "<script>", "\u202e"),
]


NO_TEXTS = [None, True, 0, -1, 1.5, 10**40, [], [[]], [None], {}, {"tiles": []}]


class TestWhateverIsSent:
    """Refused or, if it makes sense after all, logged; never a 500."""

    @pytest.mark.parametrize(
        "name", ["number", "key", "winner", "discarder", "tiles", "claimed_final"]
    )
    def test_whatever_is_sent_through_the_form_is_answered_in_words(self, table, name):
        east, south = (str(player.pk) for player in table.game.players[:2])
        whole = {"number": "1", "winner": south, "discarder": east, "tiles": BOOK_HAND}
        for value in NASTY:
            with taken_back():
                answer = table.form.post(f"/games/{table.game.pk}/hands/", whole | {name: value})
                allowed = {302, 409, 400 if "\x00" in value else 422}
                assert answer.status_code in allowed, value
                assert Hand.objects.count() == (answer.status_code == 302), value

    @pytest.mark.parametrize(
        "name",
        [
            *("number", "outcome", "winner", "discarder", "tiles", "melds", "concealed"),
            *("self_drawn", "claimed_final"),
        ],
    )
    def test_whatever_is_sent_through_the_api_is_answered_in_words(self, table, name):
        whole = table.entry(discarder=0)
        for value in [*NASTY, *NO_TEXTS]:
            with taken_back():
                answer = table.api.post(
                    f"/api/v1/games/{table.game.pk}/hands/", whole | {name: value}
                )
                assert answer.status_code in {201, 400, 409}, value
                assert Hand.objects.count() == (answer.status_code == 201), value
                if answer.status_code != 201:
                    assert answer["Content-Type"] == "application/problem+json", value

    @pytest.mark.parametrize(
        "body", ["", "{", "[]", "null", "7", '"x"', "{}", '{"number": NaN}', "[" * 5000, "\xff"]
    )
    def test_whatever_is_sent_through_the_api_as_no_entry_is_answered_in_words(self, table, body):
        there = f"/api/v1/games/{table.game.pk}/hands/"
        before = stored()
        answer = table.api.post(there, body.encode("latin-1"), content_type="application/json")
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
        assert json.loads(answer.content)["detail"]
        assert stored() == before


class TestAScoreThatCannotBe:
    """The entry_points without a table: the calculator, the API's score and the command."""

    @pytest.mark.parametrize(
        "tiles",
        [
            "222B 345B 55B 222D GGX",
            "22222B 345B 55B 222D G",
            "222B",
            "22222B 345B 55B 222D GGG RRR E",
            "22B* 2B 345B 55B 222D GGG",
        ],
    )
    def test_a_score_that_cannot_be_is_refused_in_the_words_of_the_table(
        self, table, tiles, capsys
    ):
        before = stored()
        answer = caller().post("/api/v1/score/", {"tiles": tiles, "seat": "S", "prevailing": "E"})
        assert answer.status_code == 400
        sentences = [error["message"] for error in answer.json()["errors"]]
        with pytest.raises(SystemExit) as end:
            call_command("score", tiles, "--seat", "S", "--prevailing", "E")
        assert end.value.code == 2
        assert capsys.readouterr().err.splitlines() == sentences
        _status, at_the_table = table.by_api(table.entry(tiles=tiles))
        for sentence in sentences:
            assert sentence in at_the_table
        assert stored() == before

    def test_a_hand_that_does_not_win_has_the_same_reason_at_every_entry_point(self, table, capsys):
        hand = {"tiles": LOSES, "seat": "S", "prevailing": "E"}
        why = caller().post("/api/v1/score/", hand).json()["why"]
        with pytest.raises(SystemExit) as end:
            call_command("score", LOSES, "--seat", "S", "--prevailing", "E")
        assert end.value.code == 1
        assert capsys.readouterr().out.strip() == why
        assert why in table.by_form(table.entry(tiles=LOSES))[1]

    @pytest.mark.parametrize(("field", "value"), [("seat", "Sout"), ("prevailing", "X")])
    def test_a_score_by_a_wind_that_is_none_is_refused_in_the_same_words(
        self, field, value, capsys
    ):
        winds = {"seat": "S", "prevailing": "E", field: value}
        answer = caller().post("/api/v1/score/", {"tiles": BOOK_HAND, **winds})
        [error] = answer.json()["errors"]
        with pytest.raises(SystemExit) as end:
            call_command(
                "score", BOOK_HAND, "--seat", winds["seat"], "--prevailing", winds["prevailing"]
            )
        assert (answer.status_code, end.value.code) == (400, 2)
        assert error["field"] == field
        assert capsys.readouterr().err == f"--{field}: {error['message']}\n"

    @pytest.mark.parametrize("name", ["chess", "club:7", "club:" + "9" * 40, "club:x", ":1"])
    def test_a_score_by_a_rule_set_that_is_none_is_refused_in_the_same_words(self, name, capsys):
        ruleset_version()
        hand = {"tiles": BOOK_HAND, "seat": "S", "prevailing": "E", "ruleset": name}
        answer = caller().post("/api/v1/score/", hand)
        [error] = answer.json()["errors"]
        with pytest.raises(SystemExit) as end:
            call_command("score", BOOK_HAND, "--seat", "S", "--prevailing", "E", "--ruleset", name)
        assert (answer.status_code, end.value.code) == (400, 2)
        assert capsys.readouterr().err == f"--ruleset: {error['message']}\n"
