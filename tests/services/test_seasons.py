"""A season ends, is closed with a final table, is opened again, and another one follows it."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from scoring.models import (
    AuditEntry,
    FinalRow,
    Game,
    Hand,
    LateHand,
    League,
    SeasonClosure,
    Tally,
    club_day,
)
from scoring.models.left_open import left_open_in
from scoring.models.permissions import Permission, PermissionDenied, can
from scoring.models.tallies import RATING_SIGMA, widened
from scoring.operations.verify import verify
from scoring.queries.seasons import final_rows, final_season, seasons_of
from scoring.queries.standings import standings
from scoring.services import (
    adjustments,
    confirmations,
    evenings,
    games,
    late_hands,
    leagues,
    settlements,
)
from scoring.services.adjustments import TransferEntry, penalty
from scoring.services.audit import values_of
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.merging import merge_players
from scoring.services.rulesets import shipped_version
from scoring.services.seasons import COPIED, add_season, close_season, key_of, reopen_season
from scoring.services.seats import change_seats, move_game
from scoring.services.standing_rules import change_standing_rules
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db

DRAW = {"outcome": "draw"}


def day(later=0):
    """Today on the clocks of the club, or so many days later."""
    return club_day() + timedelta(days=later)


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def four():
    return [make_player(name) for name in ("Ann", "Ben", "Cas", "Dot")]


@pytest.fixture
def scorer(four):
    return make_member(player=four[0])


@pytest.fixture
def season():
    """It began 30 days ago, and today is its last day."""
    return make_league("Winter 2026", starts_on=day(-30), ends_on=day(), hours_to_answer=24)


@pytest.fixture
def game(season, four, by):
    game = make_game(league=season, players=four, by=by)
    make_hand(game, winner=1, by=by)
    return game


def end(league):
    """Let the last day of ``league`` be yesterday."""
    League.objects.filter(pk=league.pk).update(ends_on=day(-1))
    league.refresh_from_db()


def finished(game, by):
    games.finish_game(game, by=by)
    return Game.objects.get(pk=game.pk)


def close(league, by, **more):
    return close_season(league, by=by, final_rows=final_rows, **more)


def code_of(refusal):
    error = refusal.value
    return error.code if hasattr(error, "code") else error.error_dict["season"][0].code


ACTS = {
    "log": lambda game, by: record_hand(game, HandEntry(number=2, **DRAW), by=by),
    "correct": lambda game, by: correct_hand(
        game.hands.get(), HandEntry(number=1, **DRAW), by=by, reason="No"
    ),
    "void": lambda game, by: void_hand(game.hands.get(), by=by, reason="No"),
    "finish": lambda game, by: games.finish_game(game, by=by),
    "withdraw": lambda game, by: withdraw_game(game, by=by, reason="No"),
    "swap": lambda game, by: change_seats(game, game.players[::-1], by=by, reason="No"),
    "dispute": lambda game, by: confirmations.dispute_hand(
        game.hands.get(), by=by, player=game.players[0]
    ),
    "penalty": lambda game, by: adjustments.book_at_table(
        game, penalty(game, game.players[0], 5), by=by, reason="No"
    ),
}


class TestAfterItsLastDay:
    @pytest.mark.parametrize("act", ACTS)
    def test_players_change_nothing_after_the_last_day_of_a_season(self, game, scorer, act):
        end(game.league)
        with pytest.raises(PermissionDenied) as refusal:
            ACTS[act](game, scorer)
        assert code_of(refusal) == "season_over"
        assert "ask an organiser" in str(refusal.value)

    @pytest.mark.parametrize("act", sorted(set(ACTS) - {"dispute"}))
    def test_organisers_change_a_season_after_its_last_day(self, game, by, act):
        end(game.league)
        ACTS[act](game, by)

    def test_a_game_is_moved_in_by_organisers_only(self, season, four, scorer, by):
        game = make_game(league=make_league(starts_on=season.starts_on), players=four, by=by)
        end(season)
        entry = {"league": season, "day": season.ends_on, "reason": "It was played there"}
        with pytest.raises(ValidationError) as refusal:
            move_game(game, by=scorer, **entry)
        assert refusal.value.error_dict["league"][0].code == "season_over"
        move_game(game, by=by, **entry)

    def test_a_hand_that_a_phone_still_holds_is_asked_for(self, game, scorer, by):
        end(game.league)
        late_hands.ask_for_late_hand(game, HandEntry(number=2, **DRAW), by=scorer, key="k")
        late_hands.take_in_late_hand(LateHand.objects.get(), by=by)
        assert game.hands.current().count() == 2


class TestClosing:
    def test_closing_a_season_stores_the_table_by_the_rules_of_the_day(self, game, by):
        change_standing_rules(
            game.league,
            [
                {"name": "Hands", "counts": "average_hand", "minimum": {"count": 1}},
                {"name": "Teams", "teams": [{"name": "Winds", "players": [game.players[1].pk]}]},
            ],
            effective_from=game.league.starts_on,
            by=by,
        )
        finished(game, by)
        closure = close(game.league, by)
        assert (closure.day, closure.standing_rules.number) == (day(), 1)
        final = final_season(game.league)
        assert [table.name for table in final.tables] == ["Hands", "Teams"]
        row = final.champions[0]
        assert (row.player.name, row.figure, row.points, row.wins) == ("Ben", 280, 280, 1)
        assert [(team.rank, team.team, team.value) for team in final.tables[1].teams] == [
            (1, "Winds", "280")
        ]
        assert final.tables[1].team_champions == ["Winds (Ben)"]
        assert list(verify()) == []

    def test_closing_a_season_names_a_tie(self, season, by):
        for _game in range(2):
            game = make_game(league=season, by=by)
            make_hand(game, winner=0, by=by)
            finished(game, by)
        close(season, by)
        assert [row.rank for row in final_season(season).champions] == [1, 1]

    @pytest.mark.parametrize(("ends_on", "code"), [(None, "no_last_day"), (1, "not_over")])
    def test_closing_a_season_waits_for_the_last_day(self, season, by, ends_on, code):
        season.ends_on = ends_on and day(ends_on)
        season.save()
        with pytest.raises(ValidationError) as refusal:
            close(season, by)
        assert code_of(refusal) == code

    def test_closing_a_season_is_for_organisers_and_happens_once(self, season, scorer, by):
        with pytest.raises(PermissionDenied):
            close(season, scorer)
        close(season, by)
        with pytest.raises(ValidationError) as refusal:
            close(season, by)
        assert code_of(refusal) == "closed"

    def test_closing_a_season_decides_each_thing_that_is_open(self, season, four, by):
        one, two, three = (make_game(league=season, players=four, by=by) for _ in range(3))
        hand = make_hand(one, winner=1, by=by)
        kept = make_hand(one, winner=2, by=by)
        for disputed in (hand, kept):
            confirmations.dispute_hand(disputed, by=by, player=four[0])
        finished(one, by)
        draw = HandEntry(number=3, **DRAW)
        late_hands.ask_for_late_hand(one, draw, by=by, key="late")
        make_hand(two, winner=3, tiles="", claimed_final=60, by=by)
        left = left_open_in(season)
        decisions = {
            key_of(hand): "leave_out",
            key_of(kept): "count",
            key_of(left.late[0]): "leave_out",
            key_of(two): "count",
            key_of(three): "wait",
            "unchecked": "count",
        }
        with pytest.raises(ValidationError) as refusal:
            close(season, by, decisions=decisions)
        assert refusal.value.error_dict["reason"][0].code == "required"
        seen = {"reason": "Nobody came back to it", "expected_etag": left.etag}
        assert close(season, by, decisions=decisions, **seen) is None
        # What was decided is carried out; one game waits.
        assert not left_open_in(season).late
        assert [game.pk for game in left_open_in(season).games] == [three.pk]
        with pytest.raises(ValidationError) as refusal:
            close(season, by, decisions=decisions, **seen)
        assert code_of(refusal) == "moved_on"
        rest = {key_of(three): "leave_out", key_of(hand): "leave_out", "unchecked": "count"}
        close(season, by, decisions=rest, reason="Nobody came back to it")
        assert Game.objects.get(pk=three.pk).withdrawn
        assert Hand.objects.get(pk=hand.pk).disputed
        ann = next(row for row in final_rows(season) if row.player == four[0])
        assert (ann.points, ann.hands) == (-70 - 2 * 60, 2)
        entry = AuditEntry.objects.get(action="close_season")
        assert entry.details["left_out"] == [hand.pk]
        assert list(verify()) == []


class TestOnceItIsClosed:
    @pytest.fixture
    def closed(self, game, by):
        finished(game, by)
        close(game.league, by)
        return Game.objects.get(pk=game.pk)

    @pytest.mark.parametrize("act", ACTS)
    def test_organisers_change_nothing_in_a_closed_season(self, closed, by, act):
        with pytest.raises(PermissionDenied) as refusal:
            ACTS[act](closed, by)
        assert code_of(refusal) == "season_closed"

    def test_a_withdrawn_game_is_not_restored_in_a_closed_season(self, game, by):
        withdraw_game(game, by=by, reason="Opened twice")
        close(game.league, by)
        south = make_member(player=game.players[1])
        for who in (by, south):
            with pytest.raises(PermissionDenied) as refusal:
                restore_game(Game.objects.get(pk=game.pk), by=who, reason="It counts")
            assert code_of(refusal) == "season_closed"
        with pytest.raises(PermissionDenied) as refusal:
            record_hand(Game.objects.get(pk=game.pk), HandEntry(number=1, **DRAW), by=by)
        assert code_of(refusal) == "withdrawn"

    def test_nothing_about_the_league_changes_its_table(self, closed, four, by):
        league = League.objects.get(pk=closed.league_id)
        line = TransferEntry(four[0], four[1], 5)
        acts = [
            lambda: adjustments.book_in_league(league, [line], by=by, reason="No"),
            lambda: change_standing_rules(league, [{"name": "A"}], effective_from=day(), by=by),
            lambda: games.open_game(league, [make_player() for _ in range(4)], by=by),
            lambda: evenings.close_evening(league, day(), by=by),
            lambda: evenings.reopen_evening(league, day(), by=by, reason="No"),
        ]
        for act in acts:
            with pytest.raises(PermissionDenied) as refusal:
                act()
            assert code_of(refusal) == "season_closed"
        dmjl = shipped_version("dmjl", by=by)
        for changes in ({"ends_on": None}, {"ruleset_version": dmjl}, {"hours_to_answer": None}):
            with pytest.raises(ValidationError) as wrong:
                leagues.change_league(league, **changes, by=by)
            assert list(wrong.value.error_dict) == list(changes)
        leagues.change_league(league, name="Winter", by=by)

    def test_a_late_hand_of_a_closed_season_waits_until_the_season_is_opened_again(
        self, closed, by
    ):
        late_hands.ask_for_late_hand(closed, HandEntry(number=2, **DRAW), by=by, key="k")
        late = LateHand.objects.get()
        with pytest.raises(PermissionDenied) as refusal:
            late_hands.take_in_late_hand(late, by=by)
        assert code_of(refusal) == "season_closed"
        reopen_season(closed.league, by=by, reason="A late hand")
        late_hands.take_in_late_hand(late, by=by)

    def test_two_in_its_final_table_are_not_merged(self, season, four, by):
        for players in (four, [make_player(f"{one.name} 2") for one in four]):
            game = make_game(league=season, players=players, by=by)
            make_hand(game, winner=1, by=by)
            finished(game, by)
        close(season, by)
        with pytest.raises(ValidationError, match="open that season again"):
            merge_players(four[1], players[1], by=by)
        reopen_season(season, by=by, reason="Ben is one person")
        merge_players(four[1], players[1], by=by)
        close(season, by)
        assert list(verify()) == []

    def test_a_rule_may_leave_a_player_out_of_its_final_table(self, season, game, by):
        finished(game, by)
        rows = final_rows(season)
        close_season(season, by=by, final_rows=lambda league: final_rows(league)[1:])
        stored = SeasonClosure.objects.get().rows.values_list("player", flat=True)
        assert set(stored) == {row.player_id for row in rows[1:]}

    def test_a_final_table_of_others_than_its_players_is_not_stored(self, season, game, by):
        finished(game, by)
        rows = final_rows(season)
        assert len(rows) == 4
        stranger = FinalRow(table=0, player=make_player("Somebody else"))
        wrong = (
            *([*rows, *rows], [*rows, FinalRow(table=1, team="Winds")]),
            *([*rows, FinalRow(table=0, team="Winds")], [*rows, stranger]),
        )
        for others in wrong:
            with pytest.raises(ValueError, match="final table"):
                close_season(season, by=by, final_rows=lambda _league, rows=others: rows)
        assert not SeasonClosure.objects.exists()

    def test_verify_names_what_differs(self, closed):
        FinalRow.objects.filter(rank=1).update(points=1)
        assert [str(one) for one in verify()] == [
            f"league {closed.league.slug}, player Ben: final_table.points: stored 1: computed 280"
        ]

    def test_a_reason_opens_a_closed_season_again(self, closed, by, scorer):
        with pytest.raises(ValidationError):
            reopen_season(closed.league, by=by, reason=" ")
        with pytest.raises(PermissionDenied):
            reopen_season(closed.league, by=scorer, reason="Mine")
        closure = reopen_season(closed.league, by=by, reason="The hand was another")
        assert not FinalRow.objects.exists()
        game = Game.objects.get(pk=closed.pk)
        assert can(by, Permission.CORRECT_A_HAND, game)
        ACTS["correct"](game, by)
        assert close(closed.league, by).pk != closure.pk
        with pytest.raises(ValidationError):
            close(closed.league, by)
        assert list(verify()) == []


class TestTheNextSeason:
    def test_the_next_season_has_the_settings_and_rules_but_nobody_who_left(self, season, four, by):
        gone = make_player("Eva", active=False)
        table = {
            "name": "Teams",
            "handicap": {"players": [{"player": gone.pk, "points": 5}], "per": "game"},
            "teams": [
                {"name": "Winds", "players": [four[0].pk, gone.pk]},
                {"name": "Dragons", "players": [four[1].pk]},
            ],
        }
        change_standing_rules(season, [table], effective_from=season.starts_on, by=by)
        leagues.change_league(season, hides_names=True, hours_to_answer=None, by=by)
        new = add_season(season, "next", name="Winter 2027", starts_on=day(1), ends_on=None, by=by)
        new.refresh_from_db()
        assert (new.first_season, new.hides_names, new.hours_to_answer) == (season, True, None)
        assert new.standing_rules.get().tables == [
            {
                "name": "Teams",
                "teams": [
                    {"name": "Winds", "players": [four[0].pk]},
                    {"name": "Dragons", "players": [four[1].pk]},
                ],
            }
        ]

    def test_the_next_season_has_the_rules_of_the_last_day_whatever_was_written_later(
        self, season, by
    ):
        for name, since in (("A", -2), ("B", -9), ("C", 9)):
            change_standing_rules(season, [{"name": name}], effective_from=day(since), by=by)
        new = add_season(season, "next", name="Winter 2027", starts_on=day(1), ends_on=None, by=by)
        [version] = new.standing_rules.all()
        assert (version.rules[0].name, version.effective_from) == ("A", new.starts_on)

    def test_the_next_season_has_stake_and_fee_of_the_last_day(self, season, by):
        for stake, since in ((100, -2), (200, -9), (300, 9)):
            settlements.change_terms(
                season, stake=stake, fee=200, currency="JPY", effective_from=day(since), by=by
            )
        new = add_season(season, "next", name="Winter 2027", starts_on=day(1), ends_on=None, by=by)
        [terms] = new.evening_terms.all()
        assert (terms.effective_from, terms.made_by) == (new.starts_on, by)
        assert values_of(terms, settlements.COMPARED) == {
            "currency": "JPY",
            "stake": 100,
            "stake_points": 100,
            "rounding": 1,
            "fee": 200,
            "fee_per": "person",
        }

    def test_each_column_and_relation_of_a_league_is_copied_or_is_not(self):
        """A new one has to be named: here, or in ``COPIED`` or ``_copy_rules``."""
        copied = {*COPIED, "standing_rules", "standing_versions", "evening_terms"}
        own = {"id", "name", "slug", "starts_on", "ends_on", "closed_on", "first_season"}
        played = {"games", "tallies", "adjustments", "closures", "evening_payments"}
        seasons = {"season_closures", "later_seasons"}
        fields = League._meta.get_fields(include_hidden=True)
        names = {field.name for field in fields if not field.hidden}
        assert names == copied | own | played | seasons
        hidden = {field.related_model._meta.label_lower for field in fields if field.hidden}
        assert hidden == {"scoring.storysum", "scoring.storychange"}

    def test_the_next_season_follows_the_last_one(self, season, by):
        entry = {"name": "Next", "ends_on": None, "by": by}
        with pytest.raises(ValidationError) as refusal:
            add_season(season, "next", starts_on=day(), **entry)
        assert "starts_on" in refusal.value.error_dict
        add_season(season, "next", starts_on=day(1), **entry)
        with pytest.raises(ValidationError) as refusal:
            add_season(season, "another", starts_on=day(9), **entry)
        assert code_of(refusal) == "not_the_last"
        with pytest.raises(ValidationError) as refusal:
            leagues.delete_league(season, by=by)
        assert refusal.value.messages == ["Another season follows this one: it stays."]

    def test_the_next_season_keeps_its_days_to_itself(self, season, by):
        entry = {"name": "Next", "ends_on": day(9), "by": by}
        new = add_season(season, "next", starts_on=day(2), **entry)
        for league, days, sentence in (
            (season, {"ends_on": day(2)}, "Next begins on"),
            (season, {"ends_on": None}, "Next begins on"),
            (new, {"starts_on": day()}, "Winter 2026 runs until"),
        ):
            with pytest.raises(ValidationError, match=sentence) as refusal:
                leagues.change_league(league, by=by, **days)
            assert refusal.value.error_dict.keys() == days.keys()
        leagues.change_league(season, by=by, ends_on=day(1))
        leagues.change_league(new, by=by, ends_on=None)

    def test_the_next_season_carries_ratings_over_with_a_wider_band(self, game, four, by):
        sure = {"mu": 30, "sigma": 4}
        columns = {f"{of}_{name}": sure[name] for of in ("start", "rating") for name in sure}
        Tally.objects.filter(player=four[1]).update(**columns)
        finished(game, by)
        before = Tally.objects.get(player=four[1])
        season = game.league
        end(season)
        new = add_season(season, "next", name="Next", starts_on=day(), ends_on=None, by=by)
        again = make_game(league=new, players=[*four[:3], make_player("Eva")], by=by)
        tally = Tally.objects.get(player=four[1], league=new)
        assert tally.start == (before.rating_mu, widened(before.rating_sigma))
        assert before.rating_sigma < tally.rating_sigma < RATING_SIGMA
        hand = make_hand(again, winner=1, by=by)
        finished(again, by)
        assert Tally.objects.get(pk=tally.pk).rating_mu > tally.rating_mu
        assert list(verify()) == []
        # What is rated again begins where it began, and so does the table of a day.
        correct_hand(hand, HandEntry(number=1, **DRAW), by=by, reason="It was drawn")
        assert list(verify()) == []
        void_hand(again.hands.current().get(), by=by, reason="Not played")
        assert Tally.objects.get(pk=tally.pk).rating_mu == tally.rating_mu
        assert list(verify()) == []

    def test_the_next_season_shows_the_rating_of_a_day_before_any_game_was_rated(
        self, season, four, by
    ):
        end(season)
        new = add_season(season, "next", name="Next", starts_on=day(), ends_on=None, by=by)
        game = make_game(league=new, players=four, by=by)
        make_hand(game, winner=1, by=by)
        Tally.objects.filter(player=four[1]).update(start_mu=30, start_sigma=4)
        rows = {row.player.name: row.rating for row in standings(new, day())}
        assert (rows["Ben"], rows["Ann"]) == (1000 + 24 * 5, 1000)


def test_champions_of_all_seasons_are_listed(season, four, by):
    league = season
    for number, winner in enumerate((1, 2, 1)):
        game = make_game(league=league, players=four, by=by)
        make_hand(game, winner=winner, by=by)
        finished(game, by)
        days = 10 * (3 - number)
        League.objects.filter(pk=league.pk).update(starts_on=day(-days), ends_on=day(5 - days))
        close(league, by)
        if number < 2:
            start = day(10 - days)
            league.refresh_from_db()
            league = add_season(
                league, f"s{number}", name=f"S{number}", starts_on=start, ends_on=None, by=by
            )
            league.starts_on = start
            league.save()
    shown = seasons_of(season, by)
    assert [one.champions[0].name for one in shown.seasons] == ["Ben", "Cas", "Ben"]
    ranked = [(place, one.player.name, len(one.seasons)) for place, one in shown.champions]
    assert ranked == [(1, "Ben", 2), (2, "Cas", 1)]


class TestTheDatabase:
    def refuses(self, change):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()

    @pytest.mark.each_database
    def test_the_database_keeps_what_a_season_is(self, season, four, by):
        closure = SeasonClosure.objects.create(league=season, day=day(), closed_by=by)
        self.refuses(lambda: SeasonClosure.objects.create(league=season, day=day()))
        self.refuses(lambda: SeasonClosure.objects.update(reopened_at="2026-01-01T00:00Z"))
        row = {"closure": closure, "table": 0, "value": "1"}
        FinalRow.objects.create(position=1, player=four[0], **row)
        self.refuses(lambda: FinalRow.objects.create(position=2, player=four[0], **row))
        self.refuses(lambda: FinalRow.objects.create(position=1, player=four[1], **row))
        self.refuses(lambda: FinalRow.objects.create(position=2, **row))
        self.refuses(lambda: FinalRow.objects.create(position=2, team="A", rank=0, **row))
        same = League.objects.filter(pk=season.pk)
        self.refuses(lambda: same.update(first_season=season.pk))
        self.refuses(lambda: same.update(closed_on=day(-1)))
