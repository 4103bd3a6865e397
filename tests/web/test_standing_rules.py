"""Standing rules on pages: the tables of a league, the written sum, and the form with its preview."""

import re

import pytest

from scoring.models import Game, League, StandingRules, club_day
from scoring.queries.standings import standings
from scoring.services.games import finish_game
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


def take(game, tables, by):
    return change_standing_rules(game.league, tables, effective_from=club_day(), by=by)


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


def test_without_standing_rules_the_page_says_nothing_of_them(game, url, client, by):
    page = text_of(client.get(url))
    assert "standing-rules" not in page
    assert f"{url}players/" not in page


def test_each_table_stands_below_its_rules(game, url, client, by):
    take(game, [EVENINGS, PLACES], by)
    page = text_of(client.get(url))
    assert page.index(">Evenings</h2>") < page.index(">Places</h2>")
    assert "Attendance: +10 for each evening." in page
    assert re.search(r"0 of 2|1 of 2", page)
    assert f'{url}players/{game.players[1].pk}/?table=Evenings"' in page


def test_a_rank_opens_the_sum_and_its_games_which_open_their_hands(game, url, client, by):
    take(game, [EVENINGS, PLACES], by)
    bob = game.players[1]
    page = text_of(client.get(f"{url}players/{bob.pk}/?table=Evenings"))
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


def test_a_sum_of_nobody_is_not_there(game, url, client):
    assert text_of(client.get(f"{url}players/{make_player().pk}/"), 404)
    assert text_of(client.get(f"{url}players/{game.players[1].pk}/?table=Luck"), 404)


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
        return f"{url}standing-rules/change/?table=new"

    @pytest.fixture
    def organiser(self, client, by):
        client.force_login(by)
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

    def test_it_is_taken_from_a_day_once_it_was_seen(self, organiser, address, game):
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
            ({"counts": "places", "places": "4 2"}, "Give a list of 4 to 4 values."),
            ({"counts": "places", "places": "4,2,1,0,5"}, "Give a list of 4 to 4 values."),
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
            ({"name": ""}, "This field is required."),
            ({"effective_from": "soon"}, "Enter a valid date."),
        ],
    )
    def test_what_cannot_be_is_refused_at_its_field(
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
            "tie_breaks": ["wins", "best_game"],
            "inactive_weeks": 8,
            "teams": [{"name": "Winds", "players": people[:2]}],
        }
        version = take(game, [EVENINGS, table], by)
        address = f"{url}standing-rules/change/?table=1"
        page = organiser.get(address)
        form = page.context["form"]
        sent = {name: form.get_initial_for_field(form.fields[name], name) for name in form.fields}
        sent = {name: "" if value is None else value for name, value in sent.items()}
        _page, etag = self.preview(organiser, address, **sent)
        organiser.post(address, filled(**sent) | {"take": "1", "etag": etag})
        # It says what held already, so there is no new version.
        assert StandingRules.objects.get() == version

    def test_a_table_can_be_removed(self, organiser, url, game, by):
        take(game, [EVENINGS, PLACES], by)
        organiser.post(f"{url}standing-rules/change/?table=0", {"remove": "1"})
        assert [table["name"] for table in StandingRules.objects.latest("pk").tables] == ["Places"]

    def test_the_newest_version_is_taken_back(self, organiser, url, game, by):
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
    assert "2 of 3 to be ranked" in page


def test_leaders_show_what_is_ranked(game, client, by):
    take(game, [{"name": "A", "counts": "average_game"}], by)
    assert '<span class="amount">280</span>' in text_of(client.get("/"))
