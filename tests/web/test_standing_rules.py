"""Standing rules on pages: the tables of a league, the written sum, and the form with its preview."""

import re
from datetime import timedelta

import pytest
from django.utils.formats import date_format
from django.utils.translation import override

from scoring.models import Game, League, StandingRules, club_day
from scoring.models.standing_choices import TIE_BREAKS
from scoring.models.standing_settings import read_tables
from scoring.queries import leading
from scoring.queries.seasons import final_rows
from scoring.queries.standings import standings, version_in_force
from scoring.services.games import finish_game
from scoring.services.seasons import close_season
from scoring.services.standing_rules import change_standing_rules
from scoring.web.league.standing_form import StandingForm
from tests.factories import make_game, make_hand, make_organiser, make_player

pytestmark = pytest.mark.django_db

EVENINGS = {"name": "Evenings", "attendance": {"points": 10}, "minimum": {"count": 2}}
PLACES = {"name": "Places", "counts": "table_points", "places": [4, 2, 1, 0.5]}


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    """Two finished games of the same four, and one hand of four others."""
    four = [make_player(name) for name in ("Ann", "Bob", "Cho", "Dee")]
    game = make_game(players=four, by=by)
    for played in (game, make_game(league=game.league, players=four, by=by)):
        make_hand(played, winner=1, by=by)
        finish_game(Game.objects.get(pk=played.pk), by=by)
    make_hand(make_game(league=game.league, by=by), by=by)
    return game


@pytest.fixture
def url(game):
    return game.league.get_absolute_url()


def take(game, tables, by, day=None):
    return change_standing_rules(game.league, tables, effective_from=day or club_day(), by=by)


def text_of(response, status=200):
    assert response.status_code == status, response.content.decode()
    return response.content.decode()


def filled(**fields):
    """What a browser sends of a form in which nothing but ``fields`` was touched."""
    form = StandingForm()
    sent = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    for name, field in form.fields.items():
        if hasattr(field, "choices"):
            sent[name] = sent[name] or field.choices[0][0]
    given = {name: value for name, value in sent.items() if value is not None}
    return {**given, "name": "Evenings", **fields}


def test_the_page_of_a_league_without_standing_rules_says_nothing_of_them(game, url, client, by):
    page = text_of(client.get(url))
    assert "standing-rules" not in page


def test_each_table_stands_below_its_rules(game, url, client, by):
    take(game, [EVENINGS, PLACES], by)
    page = text_of(client.get(url))
    assert page.index(">Evenings</h2>") < page.index(">Places</h2>")
    assert "Attendance: +10 for each evening." in page
    assert re.search(r"“(0|1) of 2”: no rank yet. A rank takes 2 games.", page)
    assert f'{url}players/{game.players[1].pk}/?table=Evenings"' in page


def test_versions_of_other_handicaps_and_teams_read_differently(
    game, url, client, by, django_assert_max_num_queries
):
    ann, bob = (player.pk for player in game.players[:2])
    for points, members in ((20, [ann]), (2000, [bob])):
        handicap = {"players": [{"player": bob, "points": points}], "per": "evening"}
        teams = [{"name": "East", "players": members}]
        take(game, [{"name": "A", "handicap": handicap, "teams": teams}], by)
    with django_assert_max_num_queries(9):
        page = text_of(client.get(f"{url}standing-rules/"))
    assert page.count("Handicap for each evening: Bob +2,000.") == 2
    assert page.count("Handicap for each evening: Bob +20.") == 1
    assert page.count("members: East (Ann).") == 1


def test_a_rank_opens_the_sum_and_its_games_which_open_their_hands(game, url, client, by):
    take(game, [EVENINGS, PLACES], by)
    bob = game.players[1]
    page = text_of(client.get(f"{url}players/{bob.pk}/?table=Evenings"))
    four = ", ".join(player.name for player in game.players)
    assert f'{date_format(game.evening)}<span class="visually-hidden">: {four}</span>' in page
    assert "560 + 10 attendance = 570" in page
    assert "Rank 1 of 4" in page
    assert page.count(f'href="{game.get_absolute_url()}"') == 1
    assert f'href="/hands/{game.hands.get().pk}/"' in text_of(client.get(game.get_absolute_url()))
    places = text_of(client.get(f"{url}players/{bob.pk}/?table=Places"))
    assert "8 table points" in places
    shared = text_of(client.get(f"{url}players/{game.players[2].pk}/?table=Places"))
    assert "2, shared" in shared


def test_the_sum_of_an_earlier_day_is_that_of_then(game, url, client, by):
    take(game, [EVENINGS], by)
    Game.objects.exclude(pk=game.pk).update(evening="2026-01-02")
    address = f"{url}players/{game.players[1].pk}/?as_of=2026-01-02"
    page = text_of(client.get(address))
    assert '<p class="written-sum">280</p>' in page
    assert text_of(client.get(f"{url}players/{game.players[1].pk}/?as_of=2026-01-01"), 404)


@pytest.mark.parametrize("day", ["soon", "2026-13-01", "3500-01-01"])
def test_a_day_that_is_none_is_refused(game, url, client, day):
    page = text_of(client.get(f"{url}players/{game.players[1].pk}/?as_of={day}"), 422)
    assert "This is no date" in page or "Give a day from the year 1900" in page


def test_a_sum_of_nobody_is_not_found(game, url, client):
    assert text_of(client.get(f"{url}players/{make_player().pk}/"), 404)
    renamed = text_of(client.get(f"{url}players/{game.players[1].pk}/?table=Luck"), 404)
    assert "No table of the league is named Luck." in renamed
    nobody = text_of(client.get(f"{url}players/{make_player().pk}/"), 404)
    assert "The player has no line" in nobody
    assert "On this day" not in renamed + nobody


@pytest.mark.parametrize("hands", [0, 4])
def test_the_queries_of_a_table_and_of_a_sum_are_few(
    game, url, client, by, hands, django_assert_max_num_queries
):
    take(game, [EVENINGS, PLACES], by)
    for _hand in range(hands):
        make_hand(make_game(league=game.league, players=game.players, by=by), winner=2, by=by)
    client.get(url)
    with django_assert_max_num_queries(12):
        client.get(url)
    with django_assert_max_num_queries(8):
        client.get(f"{url}players/{game.players[1].pk}/")


class TestTheForm:
    @pytest.fixture
    def address(self, url):
        return f"{url}standing-rules/change/"

    @pytest.fixture
    def organiser(self, client, by):
        client.force_login(by)
        leading.forget()
        return client

    def preview(self, client, address, **fields):
        page = text_of(client.post(address, filled(**fields) | {"try": "1"}))
        [etag] = re.findall(r'name="etag" value="(\w+)"', page)
        return page, etag

    def test_the_new_table_stands_beside_the_present_one_and_nothing_changes(
        self, organiser, address, game
    ):
        page, _etag = self.preview(
            organiser, address, handicap_players="bob: -1000", handicap_per="season"
        )
        assert "560 − 1,000 handicap = −440" in page
        assert "down " in page
        assert not StandingRules.objects.exists()

    def test_standing_rules_are_taken_from_a_day_once_they_were_seen(
        self, organiser, address, game
    ):
        fields = {"attendance_points": "10", "minimum_count": "2", "minimum_of": "games"}
        _page, etag = self.preview(organiser, address, **fields)
        response = organiser.post(address, filled(**fields) | {"take": "1", "etag": etag})
        assert response["Location"] == f"{game.league.get_absolute_url()}standing-rules/"
        version = StandingRules.objects.get()
        assert version.tables == [
            {
                "name": "Evenings",
                "attendance": {"points": 10, "per": "evening", "games": 1},
                "minimum": {"count": 2, "of": "games"},
            }
        ]
        assert "Ranked from 2 games on." in text_of(organiser.get(response["Location"]))

    @pytest.mark.parametrize("space", ["  ", "\xa0", "\t", " \n"])
    def test_a_name_with_other_spaces_is_stored_with_single_ones(self, organiser, address, space):
        fields = {"name": f"Average{space}per hand", "counts": "average_hand"}
        _page, etag = self.preview(organiser, address, **fields)
        organiser.post(address, filled(**fields) | {"take": "1", "etag": etag})
        assert StandingRules.objects.get().tables[0]["name"] == "Average per hand"

    def test_what_was_not_seen_is_shown_and_not_taken(self, organiser, address, game):
        _page, etag = self.preview(organiser, address)
        changed = filled(minimum_count="3", minimum_of="games") | {"take": "1", "etag": etag}
        assert "Something changed since you looked" in text_of(organiser.post(address, changed))
        assert not StandingRules.objects.exists()

    def test_somebody_elses_change_meanwhile_is_shown_first(self, organiser, address, game, by):
        _page, etag = self.preview(organiser, address)
        take(game, [PLACES], by)
        page = text_of(organiser.post(address, filled() | {"take": "1", "etag": etag}))
        assert "Something changed since you looked" in page
        assert StandingRules.objects.count() == 1

    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"counts": "places"}, "Say what 1st, 2nd, 3rd and 4th place bring."),
            ({"counts": "places", "places": "4 2"}, "Give four numbers"),
            ({"counts": "places", "places": "4,2,1,0,5"}, "Give four numbers"),
            ({"counts": "places", "places": "a b c d"}, "Give four numbers"),
            (
                {"best_count": "2", "best_of": "evenings", "best_per": "evening"},
                "An evening is one result",
            ),
            ({"tie_break_1": "wins", "tie_break_2": "wins"}, "Name each only once."),
            ({"handicap_players": "Zoe: 5"}, "There is no player named Zoe."),
            ({"handicap_players": "Ann"}, "Write a name, a colon and a number: Ann."),
            ({"teams": "Dragons"}, "Write the team, a colon and its members: Dragons."),
            ({"teams": "A: Ann\nB: Ann"}, "A player belongs to one team only."),
            ({"teams": "A:"}, "Write the team, a colon and its members: A:."),
            ({"teams": "A\u202e: Ann"}, r"a character that nobody can see \(U\+202E\)"),
            ({"name": ""}, "This field is required."),
            ({"effective_from": "soon"}, "Enter a valid date."),
            ({"effective_from": "9999-12-31"}, "Give a day from the year 1900 to the year 2999."),
        ],
    )
    def test_bad_standing_rules_are_refused_at_their_field(
        self, organiser, address, game, fields, sentence
    ):
        page = text_of(organiser.post(address, filled(**fields) | {"try": "1"}), 422)
        field = "places" if "counts" in fields else list(fields)[-1]
        assert re.search(rf'<a href="#id_{field[:9]}\w*">[^<]*</a>:? [^<]*{sentence}', page)

    def test_punctuation_of_other_keyboards_and_names_with_a_comma_are_understood(self):
        pat, wang, bob = (make_player(name).pk for name in ("O’Brien, Pat", "王小明", "Bob"))
        form = StandingForm(
            filled(
                teams="龍：王小明，Bob\nRood: O’Brien, Pat, Bob\n虎：O’Brien，Pat、王小明",
                handicap_players="王小明：20\nO’Brien, Pat: −5",
                places="4,2,1,0.5",
            )
        )
        assert form.is_valid(), form.errors
        assert form.cleaned_data["teams"] == [
            {"name": "龍", "players": [wang, bob]},
            {"name": "Rood", "players": [pat, bob]},
            {"name": "虎", "players": [pat, wang]},
        ]
        assert form.cleaned_data["handicap_players"] == [
            {"player": wang, "points": 20},
            {"player": pat, "points": -5},
        ]
        for places in ("4,2,1,0.5", "4, 2, 1, 0.5", "4 2 1 0,5", "4; 2; 1; 0,5"):
            form.cleaned_data["places"] = places
            assert form.clean_places() == [4, 2, 1, 0.5]

    def test_a_name_in_parts_or_full_width_is_the_player_of_that_name(self):
        zoe, bob = (make_player(name).pk for name in ("Zoë Ng", "Bob"))
        form = StandingForm(
            filled(teams="A: Zoe\u0308 Ng, Ｂｏｂ", handicap_players="ZOË  NG: 20"),
        )
        assert form.is_valid(), form.errors
        assert form.cleaned_data["teams"] == [{"name": "A", "players": [zoe, bob]}]
        assert form.cleaned_data["handicap_players"] == [{"player": zoe, "points": 20}]

    def test_of_two_names_that_differ_in_one_sign_the_typed_one_is_meant(self):
        first, second = (make_player(name).pk for name in ("Straße", "STRASSE"))
        form = StandingForm(filled(handicap_players="Straße: 1\nSTRASSE: 2"))
        assert form.is_valid(), form.errors
        assert [row["player"] for row in form.cleaned_data["handicap_players"]] == [first, second]

    @pytest.mark.parametrize("language", ["en", "nl", "zh-hant"])
    def test_thousands_that_the_form_shows_are_read_as_they_were(self, language):
        pk = make_player("Bo").pk
        table = {
            "name": "Uma",
            "counts": "places",
            "places": [15_000.5, 5000, -5000, -15_000],
            "attendance": {"points": 3000, "per": "evening", "games": 1},
            "handicap": {"players": [{"player": pk, "points": 2000}], "per": "game"},
        }
        [rules] = read_tables([table])
        with override(language):
            first = StandingForm(rules=rules)
            sent = {name: first[name].value() for name in first.fields}
            form = StandingForm(filled(**{name: one for name, one in sent.items() if one}))
            assert form.is_valid(), form.errors
            assert read_tables([form.data_of_table()]) == (rules,)

    @pytest.mark.parametrize(
        ("language", "places", "read"),
        [
            ("en", "+15,000, +5,000, −5,000, −15,000", [15000, 5000, -5000, -15000]),
            ("nl", "+15.000, +5.000, −5.000, −15.000", [15000, 5000, -5000, -15000]),
            ("nl", "1.000,5; 0.5; 0,5; 1000", [1000.5, 0.5, 0.5, 1000]),
            ("en", "15.000 5.000 -5.000 -15.000", None),
            ("nl", "15,000 5,000 -5,000 -15,000", None),
            ("en", "0,500 1 1 1", None),
        ],
    )
    def test_marks_between_thousands_are_those_of_the_language_or_refused(
        self, language, places, read
    ):
        with override(language):
            form = StandingForm(filled(counts="places", places=places))
            form.is_valid()
        assert form.cleaned_data.get("places") == read
        assert form.has_error("places", "unclear") == (read is None)

    def test_a_table_is_shown_as_it_was_written(self, organiser, url, game, by):
        people = [player.pk for player in game.players]
        table = {
            **PLACES,
            "divide_by": 1,
            "best": {"count": 5, "of": "evenings", "per": "season", "first": 7},
            "drop": {"count": 1, "of": "weeks"},
            "attendance": {"points": 0.5, "per": "evening", "games": 2},
            "handicap": {"players": [{"player": people[0], "points": -2.5}], "per": "game"},
            "minimum": {"count": 3, "of": "evenings"},
            "tie_breaks": list(TIE_BREAKS),
            "inactive_weeks": 8,
            "teams": [{"name": "Winds", "players": people[:2]}],
        }
        version = take(game, [EVENINGS, table], by)
        address = f"{url}standing-rules/change/?table=Places"
        page = organiser.get(address)
        form = page.context["form"]
        sent = {name: form.get_initial_for_field(form.fields[name], name) for name in form.fields}
        sent = {name: "" if value is None else value for name, value in sent.items()}
        _page, etag = self.preview(organiser, address, **sent)
        organiser.post(address, filled(**sent) | {"take": "1", "etag": etag})
        # It says what held already, so there is no new version.
        assert StandingRules.objects.get() == version

    def test_one_more_tie_break_is_asked_for_once_three_are_used(self, organiser, address, game):
        assert "tie_break_4" not in organiser.get(address).context["form"].fields
        used = {"tie_break_1": "wins", "tie_break_2": "points", "tie_break_3": "best_game"}
        response = organiser.post(address, filled(**used) | {"try": "1"})
        assert response.context["form"]["tie_break_4"].value() is None

    def test_a_table_is_removed_once_however_often_it_is_tapped(self, organiser, url, game, by):
        take(game, [EVENINGS, PLACES, {"name": "Third"}], by)
        address = f"{url}standing-rules/change/?table=Evenings"
        assert 'name="version" value="1"' in text_of(organiser.get(address))
        for _tap in range(2):
            answer = organiser.post(address, {"remove": "1", "version": "1"}, follow=True)
        assert "This table is gone already." in text_of(answer)
        assert self.names(game) == ["Places", "Third"]

    @pytest.mark.parametrize("tables", [[], [PLACES]])
    def test_removing_a_table_that_is_gone_writes_nothing(self, organiser, url, game, by, tables):
        if tables:
            take(game, tables, by)
        address = f"{url}standing-rules/change/?table=Evenings"
        sent = {"remove": "1", "version": str(len(tables))}
        page = text_of(organiser.post(address, sent, follow=True))
        assert "This table is gone already." in page
        assert "removed from today on" not in page
        assert StandingRules.objects.count() == len(tables)

    def test_the_table_that_was_shown_is_removed_or_none(self, organiser, url, game, by):
        take(game, [EVENINGS, PLACES], by)
        take(game, [PLACES, {"name": "Best hand"}], by)
        address = f"{url}standing-rules/change/?table=Places"
        for version in ("1", "", "2" * 5000):
            organiser.post(address, {"remove": "1", "version": version})
        assert self.names(game) == ["Places", "Best hand"]
        organiser.post(address, {"remove": "1", "version": "2"})
        assert self.names(game) == ["Best hand"]

    def test_what_is_removed_while_a_later_version_waits_is_said_to_return(
        self, organiser, url, game, by
    ):
        take(game, [EVENINGS, PLACES], by)
        later = club_day() + timedelta(days=30)
        take(game, [EVENINGS, PLACES, {"name": "Later"}], by, later)
        address = f"{url}standing-rules/change/?table=Evenings"
        sentence = f"From {date_format(later)} on, version 2 holds."
        assert sentence in text_of(organiser.get(address))
        answer = organiser.post(address, {"remove": "1", "version": "2"}, follow=True)
        assert f"removed from today on. {sentence}" in text_of(answer)
        assert self.names(game) == ["Places"]

    def test_rules_of_a_day_to_come_are_not_those_that_are_changed_today(
        self, organiser, url, game, by
    ):
        take(game, [EVENINGS], by)
        later = club_day() + timedelta(days=30)
        take(game, [PLACES, EVENINGS], by, later)
        [link] = re.findall(
            r'href="([^"]*change/[^"]+)"', text_of(organiser.get(f"{url}standing-rules/"))
        )
        assert organiser.get(link).context["form"]["name"].value() == "Evenings"
        fields = {"minimum_count": "9", "effective_from": later}
        page, etag = self.preview(organiser, link, **fields)
        assert f"Both tables are those of {date_format(later)}." in page
        organiser.post(link, filled(**fields) | {"take": "1", "etag": etag})
        newest = StandingRules.objects.latest("pk")
        assert [table["name"] for table in newest.tables] == ["Places", "Evenings"]
        assert newest.rules[1].minimum.count == 9

    def test_rules_from_a_day_before_other_rules_say_until_when_they_hold(
        self, organiser, address, game, by
    ):
        """The preview is of a day on which they hold, and begins with what holds then."""
        today = club_day()
        take(game, [PLACES], by, today - timedelta(days=5))
        Game.objects.filter(league=game.league).exclude(pk=game.pk).update(
            evening=today - timedelta(days=9)
        )
        fields = {"counts": "average_game", "effective_from": today - timedelta(days=15)}
        page, etag = self.preview(organiser, address, **fields)
        sentence = f"From {date_format(today - timedelta(days=5))} on, version 1 holds."
        assert sentence in page
        assert f"Both tables are those of {date_format(today - timedelta(days=6))}." in page
        assert not re.search(r"\b560\b", page)
        taken = organiser.post(address, filled(**fields) | {"take": "1", "etag": etag}, follow=True)
        assert sentence in text_of(taken)
        assert self.names(game) == ["Places"]
        [table] = StandingRules.objects.latest("pk").tables
        assert table["counts"] == "average_game"

    def test_a_table_of_another_name_on_the_chosen_day_gets_no_second_one(
        self, organiser, url, game, by
    ):
        later = club_day() + timedelta(days=9)
        take(game, [EVENINGS], by)
        take(game, [{**EVENINGS, "name": "Points"}], by, later)
        change = f"{url}standing-rules/change/?table=Evenings"
        sent = filled(effective_from=later + timedelta(days=4)) | {"try": "1"}
        page = text_of(organiser.post(change, sent), 422)
        assert "On this day there is no table named Evenings, but: Points." in page

    @pytest.mark.parametrize("what", ["change/", "change/?table=Evenings", "take-back/"])
    def test_a_closed_season_offers_no_change_and_says_where_to_open_it(
        self, organiser, url, game, by, what
    ):
        take(game, [EVENINGS], by)
        Game.objects.filter(finished_at=None).update(withdrawn_at=game.started_at)
        League.objects.update(ends_on=club_day())
        close_season(game.league, by=by, final_rows=final_rows)
        page = text_of(organiser.get(f"{url}standing-rules/"))
        assert "standing-rules/change/" not in page
        assert "standing-rules/take-back/" not in page
        assert f'href="{url}final/#reopen-title"' in page
        sent = filled() | {"take": "1", "version": "1", "remove": "1"}
        refused = text_of(organiser.post(f"{url}standing-rules/{what}", sent), 422)
        assert "This season is closed" in refused
        assert self.names(game) == ["Evenings"]

    def names(self, game):
        """Those of the tables that the league has today."""
        return [one.name for one in version_in_force(League.objects.get(pk=game.league.pk)).rules]

    def test_the_newest_version_of_standing_rules_is_taken_back(self, organiser, url, game, by):
        take(game, [EVENINGS], by)
        organiser.post(f"{url}standing-rules/take-back/", {"version": "1"})
        assert StandingRules.objects.count() == 2
        [first, *_others] = standings(League.objects.get(pk=game.league.pk))
        assert first.standing.explanation == "560"
        late = organiser.post(f"{url}standing-rules/take-back/", {"version": "1"}, follow=True)
        assert "Somebody changed the standing rules meanwhile" in text_of(late)


def test_a_profile_says_how_much_is_needed_for_a_rank(game, client, by):
    take(game, [{**EVENINGS, "minimum": {"count": 3}}], by)
    page = text_of(client.get(f"/players/{game.players[1].pk}/"))
    assert "No rank yet: 2 of 3 games" in page


def test_leaders_show_what_is_ranked(game, client, by):
    take(game, [{"name": "A", "counts": "average_game"}], by)
    assert '<span class="amount">280</span>' in text_of(client.get("/"))
