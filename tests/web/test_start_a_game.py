"""Sitting down: a league, four players, one tap."""

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.urls import reverse

from scoring.models import Game, League, Player
from scoring.models.days import club_day
from scoring.services.games import finish_game
from tests.factories import make_game, make_league, make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db

URL = "/games/new/"


@pytest.fixture
def four():
    return [make_player() for _seat in range(4)]


@pytest.fixture
def member(client):
    member = make_member()
    client.force_login(member)
    return member


def entry(league, players, key="k1"):
    seats = zip(("east", "south", "west", "north"), players, strict=True)
    return {"league": league.pk, "key": key, **{seat: player.pk for seat, player in seats}}


def test_a_visitor_who_starts_a_game_signs_in_first(client):
    response = client.get(URL)
    assert response.status_code == 302
    assert response.url == f"{reverse('sign_in')}?next={URL}"


def test_starting_a_game_seats_four_players_and_shows_their_table(client, member, four):
    league = make_league()
    response = client.post(URL, entry(league, four))
    game = Game.objects.get()
    assert response.url == reverse("game", args=[game.pk])
    assert game.players == four
    assert (game.league, game.started_by) == (league, member)


def test_the_page_of_a_league_leads_to_a_game_in_that_league(client, member):
    make_league("Monday")
    league = make_league("Friday")
    page = client.get(league.get_absolute_url()).content.decode()
    (way,) = re.findall(r'href="(/games/new/[^"]*)"', page)
    chosen = rf'<option value="{league.pk}" selected>Friday</option>'
    assert re.search(chosen, client.get(way).content.decode())


@pytest.mark.parametrize("league", ["", "0", "999999", "x", "9" * 40])
def test_a_league_that_is_not_there_is_not_chosen(client, member, league):
    make_league()
    response = client.get(URL, {"league": league})
    assert response.status_code == 200
    assert " selected>League" not in response.content.decode()


def test_the_member_is_offered_the_first_seat(client):
    make_league()
    player = make_player()
    client.force_login(make_member(player=player))
    assert client.get(URL).context["form"]["east"].value() == player.pk


def test_who_sits_at_a_table_of_today_stands_last_and_is_offered_no_seat(client):
    league, own = make_league(), make_player("Ann")
    client.force_login(make_member(player=own))
    playing = [own, *(make_player(name) for name in ("Bo", "Cas", "Di"))]
    free = [make_player(name) for name in ("Xi", "Yara")]
    game = make_game(league=league, players=playing)
    form = client.get(URL).context["form"]
    assert form.people == [*free, *playing]
    assert form["east"].value() is None
    finish_game(game, by=own.user)
    form = client.get(URL).context["form"]
    assert form.people == [*playing, *free]
    assert form["east"].value() == own.pk


def test_the_form_offers_running_leagues_and_active_players(client, member):
    yesterday = club_day() - timedelta(days=1)
    running = make_league(visibility=League.Visibility.MEMBERS)
    make_league(starts_on=yesterday, ends_on=yesterday)
    here, gone = make_player(), make_player()
    gone.active = False
    gone.save()
    form = client.get(URL).context["form"]
    assert form.leagues == [running]
    assert here in form.people
    assert gone not in form.people


def test_the_form_says_when_no_league_is_running(client, member):
    League.objects.all().delete()
    assert "No league is running today" in client.get(URL).content.decode()


def test_nobody_sits_at_two_seats(client, member, four):
    response = client.post(URL, entry(make_league(), [four[0], four[0], *four[2:]]))
    assert response.status_code == 422
    assert f"{four[0].name} cannot sit at two seats" in response.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"west": ""}, "Choose who sits here."),
        ({"north": "999999"}, "This player is not in the club"),
        ({"league": ""}, "Choose the league"),
        ({"league": "x"}, "This league is not running today"),
    ],
)
def test_an_invalid_game_is_refused_in_words_and_keeps_what_was_chosen(
    client, member, four, changes, sentence
):
    response = client.post(URL, entry(make_league(), four) | changes)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert int(response.context["form"]["south"].value()) == four[1].pk
    assert not Game.objects.exists()


def test_a_double_tap_opens_one_game(client, member, four):
    league = make_league()
    first, second = (client.post(URL, entry(league, four)) for _tap in range(2))
    assert first.url == second.url
    assert Game.objects.count() == 1


def test_the_form_of_an_open_table_does_not_seat_other_players(client, member, four):
    league = make_league()
    client.post(URL, entry(league, four))
    response = client.post(URL, entry(league, four[::-1]), follow=True)
    assert "That table is open already" in response.content.decode()
    assert Game.objects.count() == 1


def test_a_new_guest_of_a_game_may_have_nearly_the_name_of_a_player(client, member):
    make_league()
    make_player("Zoë Jansen")
    response = client.post(f"{URL}guest/", {"guest": "Zoe Jansen"})
    assert response.status_code == 422
    assert 'name="anyway"' in response.content.decode()
    response = client.post(f"{URL}guest/", {"guest": "Zoe Jansen", "anyway": "on"})
    assert response.status_code == 200
    assert 'name="anyway"' not in response.content.decode()
    assert Player.objects.get(name="Zoe Jansen").guest


class TestAClubOfThousands:
    @pytest.fixture
    def league(self):
        Player.objects.bulk_create(Player(name=f"Player {number:04}") for number in range(1000))
        return make_league()

    def test_a_club_of_thousands_lists_the_first_players(
        self, client, league, django_assert_max_num_queries
    ):
        lately = make_player("Zora")
        make_game(league=league, players=[lately, *(make_player() for _seat in range(3))])
        client.force_login(make_member())
        client.get(URL)
        with django_assert_max_num_queries(20):
            form = client.get(URL).context["form"]
        assert form.searches
        assert len(form.people) == 200

    def test_a_club_of_thousands_finds_players_by_a_part_of_the_name(self, client, member, league):
        one = Player.objects.get(name="Player 0007")
        typed = {"league": league.pk, "key": "k", "east": one.pk, "find": "er 099"}
        page = client.post(f"{URL}find/", typed)
        form = page.context["form"]
        assert [player.name for player in form.people[:10]] == [f"Player 099{n}" for n in range(10)]
        assert form.people[10:] == [one]
        assert f'<option value="{one.pk}" selected>' in page.content.decode()
        assert form["key"].value() == "k"

    def test_seats_who_is_not_listed(self, client, member, league):
        four = list(Player.objects.order_by("-name")[:4])
        assert client.post(URL, entry(league, four)).status_code == 302
        assert Game.objects.get().players == four

    def test_a_club_of_thousands_keeps_who_is_not_listed_when_the_form_is_refused(
        self, client, member, league
    ):
        four = list(Player.objects.order_by("-name")[:4])
        refused = client.post(URL, entry(league, four) | {"west": ""})
        assert f'<option value="{four[0].pk}" selected>' in refused.content.decode()

    def test_a_club_of_thousands_says_when_nobody_is_found(self, client, member, league):
        page = client.post(f"{URL}find/", {"find": "zzz"}).content.decode()
        assert "No player with that name." in page


def test_a_club_of_hundreds_needs_no_search(client, member, four):
    make_league()
    assert "games/new/find/" not in client.get(URL).content.decode()


def test_the_same_four_are_not_offered_once_one_has_left(client):
    players = [make_player() for _four in range(4)]
    game = make_game(players=players)
    finish_game(game, by=make_organiser())
    players[2].active = False
    players[2].save()
    client.force_login(make_organiser())
    for path in (game.get_absolute_url(), f"/games/{game.pk}/again/"):
        page = client.get(path).content.decode()
        assert "again-same" not in page
        assert "Play in the same seats" not in page
        assert f"{players[2]} plays here no more." in page
        found = re.findall(r'type="hidden" name="(east|south|west|north)" value="(\d+)"', page)
        assert found == [
            (seat, str(players[place].pk))
            for place, seat in [(0, "east"), (1, "south"), (3, "north")]
        ]
    sent = {"league": game.league_id, **dict(found)}
    form = client.post("/games/new/find/", sent).content.decode()
    assert re.search(r'name="key" value="\w{32}"', form)
    assert f'value="{players[0].pk}" selected' in form
    assert f'value="{game.league_id}"' in form


@pytest.mark.parametrize("address", ["seat_guest", "find_player"])
def test_the_form_of_a_new_game_starts_it_wherever_it_is_shown(client, member, four, address):
    """Adding a guest and searching answer at addresses of their own, which a phone may load again."""
    league = make_league()
    sent = {**entry(league, four), "guest": "Wen", "find": "W"}
    page = client.post(reverse(address), sent).content.decode()
    assert f'<form method="post" action="{URL}"' in page
    assert client.get(reverse(address)).url == URL


@pytest.mark.parametrize("address", ["new_game", "seat_guest", "find_player"])
def test_who_was_signed_out_finds_the_seats_of_a_new_game_as_they_were(client, address):
    league, seated = make_league(), make_player()
    sent = {"league": league.pk, "west": seated.pk, "east": "", "guest": "Wen", "key": "a key"}
    response = client.post(reverse(address), sent)
    sign_in, _question, place = response.url.partition("?next=")
    assert sign_in == reverse("sign_in")
    assert "Wen" not in place
    client.force_login(make_member(player=make_player()))
    form = client.get(unquote(place)).context["form"]
    entered = {name: form[name].value() for name in ("league", "west", "east")}
    assert entered == {"league": league.pk, "west": seated.pk, "east": None}
    assert form["key"].value() not in ("", "a key")
