"""Hands as a sheet: out of a club, into another, and out again as the same sheet."""

import csv
from datetime import date
from io import StringIO

import pytest
from django.utils import timezone

from scoring.models import AuditEntry, Game, Hand, League, Payment, Player, RuleSetVersion
from scoring.operations.csv import SheetRefused, log_hands, read_rows, write_hands
from scoring.operations.csv.columns import COLUMNS, safe, unquoted
from scoring.operations.verify import verify
from scoring.services.evenings import close_evening
from scoring.services.seats import change_seats
from tests.factories import BOOK_HAND, make_league, make_organiser, make_player, ruleset_version
from tests.operations.storied import NAMES, make_storied_club

pytestmark = pytest.mark.django_db

FOUR = {"east": "Ann", "south": "Bob", "west": "Cy", "north": "Di"}


def quietly(_total):
    return lambda _more: None


def sheet(league=None):
    out = StringIO(newline="")
    write_hands(out, quietly, league)
    return out.getvalue()


def rows(text):
    return list(csv.DictReader(StringIO(text, newline="")))


def logged(text, **options):
    options.setdefault("by", make_organiser())
    return log_hands(read_rows(StringIO(text, newline="")), quietly, **options)


def refused(text, **options):
    before = Hand.objects.count(), Game.objects.count(), Player.objects.count()
    with pytest.raises(SheetRefused) as refusal:
        logged(text, **options)
    assert (Hand.objects.count(), Game.objects.count(), Player.objects.count()) == before
    return refusal.value.sentences


def written(*hands):
    """A sheet with these rows; what they leave out is a drawn hand of the first game."""
    out = StringIO(newline="")
    table = csv.DictWriter(out, COLUMNS)
    table.writeheader()
    for number, hand in enumerate(hands, start=1):
        row = {"date": "2026-03-31 19:30", "league": "winter", "game": 1, "number": number}
        table.writerow({**row, **FOUR, "outcome": "draw", **hand})
    return out.getvalue()


def win(winner="Bob", tiles=BOOK_HAND, **cells):
    return {"outcome": "win", "winner": winner, "tiles": tiles, **cells}


@pytest.fixture
def winter():
    return make_league("Winter", slug="winter", starts_on=date(2026, 1, 1))


@pytest.fixture
def four(winter):
    return [make_player(name) for name in FOUR.values()]


class TestCells:
    @pytest.mark.parametrize(
        ("text", "cell"),
        [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"),
            ("\rx", "'\rx"),
            ("'=1", "''=1"),
            ("'t Hart", "'t Hart"),
            ("Ann", "Ann"),
            ("", ""),
        ],
    )
    def test_no_name_in_csv_is_a_formula_and_each_comes_back(self, text, cell):
        assert safe(text) == cell
        assert unquoted(cell) == text


class TestADisputedRow:
    def test_a_disputed_row_is_still_disputed(self, winter, four):
        logged(written(win(status="disputed", disputed_by="Cy"), win()))
        first, second = Hand.objects.order_by("number")
        assert (first.status, second.status) == ("disputed", "live")
        assert first.events.get().player == four[2]
        assert list(verify()) == []

    @pytest.mark.parametrize(
        ("cells", "sentence"),
        [
            ({"status": "disputed"}, "disputed_by: name the player who disputes this hand"),
            (
                {"status": "disputed", "disputed_by": "Eve"},
                "disputed_by: there is no player “Eve”.",
            ),
            ({"status": "perhaps"}, "status: write live or disputed, or nothing."),
        ],
    )
    def test_a_disputed_row_that_cannot_be_says_why(self, winter, four, cells, sentence):
        [problem] = refused(written(win(**cells)))
        assert problem.startswith(f"Row 2: {sentence}")

    def test_a_disputed_row_is_disputed_by_somebody_who_sits_there(self, winter, four):
        make_player("Eve")
        [problem] = refused(written(win(status="disputed", disputed_by="Eve")))
        assert "Only the players of this table" in problem


class TestWriting:
    def test_a_row_says_all_of_a_hand(self, winter, four):
        logged(written(win(discarder="Di", tiles="222B* 5555C# 34B 5B 66D GGG", final="100")))
        [row] = rows(sheet())
        assert row == {
            "date": "2026-03-31 19:30:00+00:00",
            "league": "winter",
            "game": "1",
            "number": "1",
            **FOUR,
            "outcome": "win",
            "winner": "Bob",
            "discarder": "Di",
            "tiles": "2B 2B 2B 5C 5C 5C 5C 3B 4B 5B 6D 6D G G G",
            "melds": "222B* 5555C#",
            "concealed": "no",
            "self_drawn": "no",
            **dict.fromkeys(("won_by", "winning_tile", "bonus", "flags", "value"), ""),
            **dict.fromkeys(("dora_indicators", "liable", "others", "counters", "sticks"), ""),
            **dict.fromkeys(("staked", "calling", "abortive"), ""),
            **dict.fromkeys(("claimed_final", "claimed_limit"), ""),
            "final": "100",
            "payments": "E -200 S 400 W -100 N -100",
            "status": "live",
            "disputed_by": "",
        }

    def test_a_disputed_hand_is_marked_and_adds_nothing_up(self):
        league = make_storied_club()
        disputed = Hand.objects.get(game__league=league, status="disputed")
        lines = [row for row in rows(sheet(league)) if row["status"] != "live"]
        [row] = lines
        assert (row["status"], row["number"]) == ("disputed", str(disputed.number))
        assert (row["final"], row["payments"]) == ("", "")
        assert unquoted(row["disputed_by"]) == disputed.events.last().player.name
        assert row["tiles"] == disputed.tiles

    def test_a_hand_disputed_by_somebody_who_is_gone_names_who_took_their_place(self, winter, four):
        boss, eve = make_organiser(), make_player("Eve")
        logged(written(win(status="disputed", disputed_by="Cy"), {}))
        disputed = Hand.objects.get(number=1)
        change_seats(
            disputed.game, [*four[:2], eve, four[3]], by=boss, reason="A slip", anyway=True
        )
        hand = Hand.objects.current().get(number=1)
        hand.events.create(kind="disputed", player=four[2], about="score")
        Hand.objects.filter(pk=hand.pk).update(status="disputed")
        assert rows(sheet())[0]["disputed_by"] == "Eve"

    def test_only_hands_that_stand_are_written(self):
        league = make_storied_club()
        lines = rows(sheet(league))
        current = Hand.objects.current().filter(game__league=league)
        assert len(lines) == current.count()
        assert Hand.objects.filter(game__league=league).count() > len(lines)
        assert {row["final"] for row in lines if row["outcome"] == "win"} == {
            str(hand.final) if hand.undisputed else "" for hand in current if hand.is_win
        }

    def test_no_cell_is_a_formula(self):
        make_storied_club()
        cells = [cell for row in rows(sheet()) for cell in row.values()]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert f"'{NAMES[0]}" in cells

    def test_the_hands_of_one_league(self, winter, four):
        make_storied_club()
        logged(written({}))
        assert [row["league"] for row in rows(sheet(winter))] == ["winter"]

    def test_writing_csv_takes_as_many_queries_for_many_games(
        self, winter, four, django_assert_num_queries
    ):
        logged(written({}))
        with django_assert_num_queries(7):
            sheet()
        logged(written({}, {"game": 2, "number": 1}, win(game=3)), league=make_league(
            starts_on=date(2026, 1, 1)))  # fmt: skip
        with django_assert_num_queries(7):
            sheet()


class TestThereAndBack:
    def test_a_sheet_comes_out_as_it_went_in(self, winter, four):
        text = written(
            win("Ann", self_drawn="yes"),
            {},
            win("Cy", "123B 456C 789D 234B 66C", discarder="Di"),
            win("Di", "", claimed_final="120"),
            {"game": 2, "number": 1, "date": "2026-03-30 20:00"},
        )
        logged(text)
        first = sheet()
        assert [row["game"] for row in rows(first)] == ["1", "2", "2", "2", "2"]
        other = make_league(slug="other", starts_on=date(2026, 1, 1))
        logged(first, league=other)
        assert sheet(other) == first.replace(",winter,", ",other,")
        assert list(verify()) == []

    def test_a_club_with_everything_goes_into_another_one(self):
        """Numbers that were left by hands taken back are closed; all else is as it was."""
        league = make_storied_club()
        first = rows(sheet(league))
        other = make_league(slug="other")
        logged(sheet(league), league=other)
        second = rows(sheet(other))
        for row in (*first, *second):
            del row["league"], row["number"]
        assert second == first
        assert list(verify()) == []

    def test_names_in_csv_may_hold_anything(self, winter):
        seats = dict(zip(FOUR, NAMES, strict=True))
        text = written({**seats, **win(winner=NAMES[0], discarder=NAMES[1])})
        quoted = text.replace("=SUM(A1)", "'=SUM(A1)")
        logged(quoted, create_players=True)
        assert list(Player.objects.order_by("pk").values_list("name", flat=True)) == list(NAMES)
        assert rows(sheet())[0]["winner"] == "'=SUM(A1)"


class TestLogging:
    def test_the_hands_are_scored_paid_and_counted_by_the_site(self, winter, four):
        logged_sheet = logged(written(win(), {}, win("Ann", discarder="Cy")))
        assert (logged_sheet.hands, logged_sheet.games, logged_sheet.players) == (3, 1, 0)
        hand = Hand.objects.get(number=1)
        assert (hand.final, hand.seat, hand.prevailing) == (70, "S", "E")
        assert hand.card["final"] == 70
        paid = Payment.objects.filter(hand=hand).order_by("pk").values_list("amount", flat=True)
        assert list(paid) == [-140, 280, -70, -70]
        assert list(verify()) == []
        assert AuditEntry.objects.filter(action="record_hand").count() == 3

    def test_hands_of_a_sheet_were_played_when_the_sheet_says(self, winter, four):
        logged(written({}, {"date": "2026-03-31T23:45:00+02:00"}))
        game = Game.objects.get()
        assert game.evening == date(2026, 3, 31)
        moments = list(game.hands.values_list("played_at", flat=True).order_by("number"))
        assert [timezone.localtime(at).isoformat() for at in moments] == [
            "2026-03-31T19:30:00+00:00",
            "2026-03-31T21:45:00+00:00",
        ]
        assert game.finished_at == moments[-1]

    def test_whoever_is_still_at_a_table_gets_up_in_their_order(self, winter, four):
        later = {"game": 2, "number": 1, "date": "2026-03-29"}
        logged(written(win("Ann"), {**later, **win("Cy")}))
        games = Game.objects.order_by("finished_at")
        assert [game.ended_early for game in games] == [True, True]
        assert [game.hands.get().winner.name for game in games] == ["Cy", "Ann"]
        assert list(verify()) == []

    def test_names_in_a_sheet_are_found_however_they_are_written(self, winter, four):
        logged(written({"east": " ANN", "winner": "bob ", **win(winner="bob ")}))
        assert Hand.objects.get().winner.name == "Bob"

    @pytest.mark.parametrize("create", [False, True])
    def test_a_name_that_a_spreadsheet_took_apart_is_the_same_player(self, winter, four, create):
        zoe = make_player("Zoë Ng")
        in_parts, wide = "Zoe\u0308 Ng", "Ｚｏë　Ｎｇ"
        text = written({"east": in_parts, **win(winner=wide)}, {"east": wide})
        assert logged(text, create_players=create).players == 0
        assert Hand.objects.get(number=1).winner == zoe

    def test_a_new_player_in_two_spellings_is_added_once(self, winter, four):
        text = written({"east": "Zoë Ng"}, {"east": "zoe\u0308  ng"})
        assert logged(text, create_players=True).players == 1
        assert Player.objects.get(name="Zoë Ng").seats.count() == 1

    def test_a_program_may_put_other_signs_between_the_cells(self, winter, four):
        for number, sign in enumerate((";", "\t"), start=1):
            text = written({"date": f"2026-03-0{number}"}).replace(",", sign)
            logged(text)
        assert Hand.objects.count() == 2

    def test_columns_of_a_sheet_may_be_left_out(self, winter, four):
        head = "outcome,date,game,number,east,south,west,north\n"
        logged(head + "DRAW,2026-03-31,a,5,Ann,Bob,Cy,Di\n,,,,,,,\n", league=winter)
        assert Hand.objects.get().number == 1

    def test_one_league_may_be_given_for_all_rows_of_a_sheet(self, winter, four):
        other = make_league(starts_on=date(2026, 1, 1))
        logged(written({}, {"league": "nowhere"}), league=other)
        assert [game.league for game in Game.objects.all()] == [other, other]

    def test_a_trial_stores_nothing(self, winter):
        logged_sheet = logged(written(win()), create_players=True, dry_run=True)
        assert (logged_sheet.hands, logged_sheet.games, logged_sheet.players) == (1, 1, 4)
        assert not Hand.objects.exists()
        assert not Player.objects.exists()

    def test_an_organiser_logs_in_an_evening_that_is_closed(self, winter, four):
        by = make_organiser()
        logged(written({}), by=by)
        close_evening(winter, date(2026, 3, 31), by=by)
        logged(written({"date": "2026-03-31 22:00"}), by=by)
        assert Hand.objects.count() == 2


class TestMelds:
    """The column names sets among the tiles; a hand that was written without them is understood."""

    @pytest.mark.parametrize(
        ("tiles", "melds"),
        [
            ("123B 456B 789B 55D", "123B*"),
            ("222B 345B 678C 77D", "345B*"),
            ("222B* 345B 678C 77D", "345B"),
            ("123B 789B 55D", "123B* 789B*"),
            ("2222B 345B 678C 77D", "2222B#"),
        ],
    )
    def test_melds_that_too_few_tiles_hold_already_are_refused(self, winter, four, tiles, melds):
        """Nobody can tell whether a set was left out or is there twice: no tiles are made up."""
        [problem] = refused(written(win(tiles=tiles, melds=melds)))
        assert problem.startswith(f"Row 2: melds: the tiles {tiles} hold {melds} already")
        assert "too few for a hand" in problem

    @pytest.mark.parametrize(
        ("tiles", "melds", "stored"),
        [
            ("123B 123B 456B 789B 55D", "123B*", "123B*"),
            ("456B 789B 999C 55D", "123B*", "123B*"),
            ("456B 55D", "123B* 789B* 1111C#", "123B* 789B* 1111C#"),
            ("123B 456B 55D", "123B* 789B*", "123B* 789B*"),
            ("2222B 345B 678C 999C 77D", "2222B#", "2222B#"),
            ("222B* 345B 678C 999C 77D", "222B*", "222B*"),
            ("222B* 345B 678C 77D", "999C*", "222B* 999C*"),
        ],
    )
    def test_melds_lie_among_the_tiles_or_beside_them(self, winter, four, tiles, melds, stored):
        logged(written(win(tiles=tiles, melds=melds)))
        [row] = rows(sheet())
        assert sorted(row["melds"].split()) == sorted(stored.split())
        kongs = sum(len(meld.rstrip("*#")) == 5 for meld in stored.split())
        assert len(row["tiles"].split()) == 14 + kongs
        logged(sheet(), league=make_league(slug="other", starts_on=date(2026, 1, 1)))


class TestRefusing:
    def test_refusing_unknown_players_names_them(self, winter):
        make_player("Ann")
        [problem] = refused(written({}, win()))
        assert problem.startswith("These are no players of the club: Bob, Cy, Di.")

    def test_rows_that_cannot_be_are_refused_and_only_those(self, winter, four):
        problems = refused(
            written(
                win(tiles="222B 345B 55B 222D GG"),
                {"number": 2},
                {"game": 2, "number": 1, **win(winner="Ann", tiles="2222222B")},
                {"game": 3, "number": 1, **win(winner="Eve")},
                {"game": 4, "number": 1},
                {"game": 4, "number": 2, **win(discarder="Bob")},
            )
        )
        beginnings = [sentence.split(": ")[:2] for sentence in problems]
        assert beginnings == [
            ["Row 2", "tiles"],
            ["Row 4", "tiles"],
            ["Row 5", "winner"],
            ["Row 7", "discarder"],
        ]

    def test_every_bad_row_is_told_also_of_one_game(self, winter, four):
        problems = refused(
            written(
                win(tiles="222B 345B 55B 222D GG"),
                {},
                win(tiles="2X"),
                {"date": "yesterday"},
                win(winner="Eve"),
                win(self_drawn="perhaps"),
            )
        )
        assert [sentence.split(": ")[:2] for sentence in problems] == [
            ["Row 2", "tiles"],
            ["Row 4", "tiles"],
            ["Row 5", "date"],
            ["Row 6", "winner"],
            ["Row 7", "self_drawn"],
        ]

    ALONE = (
        (win(discarder="Bob"), "discarder: The winner did not discard"),
        (win(tiles="", claimed_final=10**20), "claimed_final: "),
        (win(claimed_final=80), "claimed_final: Enter the tiles or the score"),
        ({"winner": "Bob"}, "winner: A drawn hand has none"),
        ({"tiles": BOOK_HAND}, "tiles: A drawn hand has none"),
        (win(tiles="", claimed_limit="all_pink"), "claimed_limit: There is no such limit hand"),
        (win(tiles="", claimed_limit="all_honors", claimed_final=80), "claimed_limit: Enter the"),
        (win(self_drawn="yes", discarder="Di"), "discarder: Nobody discards"),
        (win(winner=""), "winner: Say who won"),
        (win(winner="Eve"), "winner: "),
        ({"outcome": "lost"}, "outcome: "),
        ({"status": "perhaps"}, "status: write live"),
        ({"status": "disputed"}, "disputed_by: name the player"),
        (win(payments="E x S 1"), "payments: write what each"),
        ({"number": 10**30}, "number: no game has so many hands"),
        ({"number": ""}, "number: the hands of a game are counted up"),
    )

    @pytest.mark.parametrize(
        "first", [win(tiles="222B 345B 55B 222D GG"), None], ids=["bad", "unreadable"]
    )
    def test_every_row_that_is_wrong_by_itself_is_told(self, winter, four, first):
        """Also behind one that is refused, and where another one cannot be read."""
        make_player("Eve")
        text = written(first or {}, *[hand for hand, _problem in self.ALONE])
        problems = refused(text if first else text + "\0\r\n")
        expected = [f"Row {row}: {text}" for row, (_hand, text) in enumerate(self.ALONE, 3)]
        found = problems[1:] if first else problems[:-1]
        assert [one[: len(text)] for one, text in zip(found, expected, strict=True)] == expected

    def test_a_row_that_may_be_right_by_who_deals_is_not_told(self, winter, four):
        later = (win("Ann", final=100), win("Bob", "", claimed_final=30, self_drawn="yes"), {})
        [problem] = refused(written(win(tiles="2X"), *later))
        assert problem.startswith("Row 2: tiles: ")

    @pytest.mark.parametrize("number", [10**30, 10**6])
    def test_a_number_that_no_hand_has_is_refused(self, winter, four, number):
        [problem] = refused(written({"number": number}))
        assert problem.startswith("Row 2: number: no game has so many hands")

    def test_rows_that_cannot_be_read_are_listed_with_other_bad_rows(self, winter, four):
        text = written({}, win(tiles="2X"), {"number": 4})
        text += 40 * "x," + "\r\n" + 200_000 * "x" + "\r\n" + '"Ann\r\n' + "\0\r\n"
        problems = refused(text)
        assert [sentence[:24] for sentence in problems] == [
            "Row 3: tiles: There is n",
            "Row 5: more cells than c",
            "Row 6: The line is longe",
            "Row 7: A quotation mark ",
            "Row 8: The line cannot b",
        ]

    def test_unknown_players_and_bad_rows_are_listed_together(self, winter):
        problems = refused(written({}, {"date": "yesterday"}))
        assert problems[0].startswith("These are no players of the club: Ann")
        assert problems[1].startswith("Row 3: date: ")

    def test_a_row_after_line_breaks_is_named_with_its_line(self, winter, four):
        seats = {**FOUR, "east": "A\nnn"}
        [problem] = refused(written({**seats}) + 200_000 * "x", create_players=True)
        assert problem.startswith("Row 3: line 4: The line is longer")

    def test_a_sheet_with_too_many_rows_is_refused(self, winter, four, monkeypatch):
        monkeypatch.setattr("scoring.operations.csv.read.MOST_ROWS", 2)
        [problem] = refused(written({}, {}, {}))
        assert problem.startswith("There are more than 2 rows")

    @pytest.mark.parametrize(
        ("hand", "problem"),
        [
            ({"date": "yesterday"}, "Row 2: date: “yesterday” is no moment of the past."),
            ({"date": "2999-01-01"}, "Row 2: date: “2999-01-01” is no moment of the past."),
            ({"date": "0001-01-01"}, "Row 2: date: “0001-01-01” is no moment of the past."),
            ({"date": "2025-12-31"}, "Row 2: league: Winter was not running on "),
            ({"league": "summer"}, "Row 2: league: there is no league “summer”."),
            ({"number": "one"}, "Row 2: number: “one” is no whole number."),
            ({"number": "0"}, "Row 2: number: the hands of a game are counted up"),
            ({"number": ""}, "Row 2: number: the hands of a game are counted up"),
            ({"outcome": "loss"}, "Row 2: outcome: "),
            ({"north": ""}, "Row 2: players: A table needs four players"),
            ({"north": "Ann"}, "Row 2: players: Ann cannot sit at two seats"),
            ({"winner": "Ann"}, "Row 2: winner: A drawn hand has none"),
            ({"final": "70"}, "Row 2: final: the sheet says 70, by the rules"),
            (win(concealed="perhaps"), "Row 2: concealed: write yes or no, or nothing."),
            (win(claimed_final="70"), "Row 2: claimed_final: Enter the tiles or the score"),
            (win(claimed_final="7e1"), "Row 2: claimed_final: “7e1” is no whole number."),
            (win(final="80"), "Row 2: final: the sheet says 80, by the rules"),
            (win(payments="E 1"), "Row 2: payments: the sheet says E 1, by the rules"),
            (win(melds="222C*"), "Row 2: melds: "),
            (win(self_drawn="yes", discarder="Di"), "Row 2: discarder: Nobody discards"),
        ],
    )
    def test_refusing_a_sheet_names_the_row_and_the_column(self, winter, four, hand, problem):
        [sentence] = refused(written(hand))
        assert sentence.startswith(problem)

    def test_other_players_in_later_rows_of_a_game_are_refused(self, winter, four):
        [problem] = refused(written({}, {"south": "Cy", "west": "Bob"}))
        assert problem.startswith("Row 3: In row 2 others sit at this game")

    def test_hands_out_of_order(self, winter, four):
        [problem] = refused(written({"number": 2}, {"number": 2}))
        assert problem.startswith("Row 3: number: the hands of a game are counted up")

    def test_a_game_that_is_over(self, winter, four):
        # Whoever deals never wins, so the deal goes round in four hands.
        winners = [name for _round in range(4) for name in ("Bob", "Cy", "Di", "Ann")]
        hands = [win(winner, "", claimed_final="20") for winner in winners]
        [problem] = refused(written(*hands, {}))
        assert problem.startswith("Row 18: This game is over")

    def test_players_who_have_left(self, winter, four):
        Player.objects.filter(name="Cy").update(active=False)
        [problem] = refused(written({}))
        assert problem.startswith("Row 2: players: Cy no longer plays here")

    def test_a_sheet_that_was_taken_in_already(self, winter, four):
        text = written({}, win(), {"game": 2, "number": 1})
        logged(text)
        problems = refused(text)
        assert [sentence.split(" (")[0] for sentence in problems] == [
            "Row 2: This game is in the club already",
            "Row 4: This game is in the club already",
        ]
        assert ["Leave out the rows" in sentence for sentence in problems] == [True, False]

    def test_a_discarder_is_wanted_where_the_rules_say_so(self, winter, four):
        latest = ruleset_version()
        rules = RuleSetVersion(ruleset=latest.ruleset, number=9)
        rules.options = {**latest.options, "discarder": "pays_for_all"}
        rules.save()
        League.objects.update(ruleset_version=rules)
        [problem] = refused(written(win()))
        assert problem.startswith("Row 2: discarder: Say who discarded")

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "Columns are missing: date, game, number, east"),
            ("tiles\n222B\n", "Columns are missing: date, game, number, east"),
            (written().replace("final,pay", "finale,pay"), "There is no column “finale”."),
            (written().replace("final,pay", "date,pay"), "The column “date” is there twice."),
            (written() + 40 * "x," + "\r\n", "Row 2: more cells than columns"),
            (written() + '"' + 200_000 * "x", "Row 2: The line is longer than 131072"),
        ],
    )
    def test_a_file_that_is_no_sheet(self, winter, text, problem):
        [sentence] = refused(text)
        assert sentence.startswith(problem)

    def test_a_separator_that_is_none(self, winter):
        [sentence] = refused("sep=\r\n" + written())
        assert sentence.startswith("Columns are missing")

    def test_an_empty_sheet_holds_no_hands(self, winter):
        assert logged(written()).hands == 0
