"""The page of a scanned table: who may sit down, how it stays up to date, who is led where."""

import re

import pytest
from django.contrib.auth.hashers import check_password
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import SimpleRateThrottle

from scoring.models import AuditEntry, ClubTable, Game, League, Player, WaitingSeat, club_day
from scoring.queries.seating import expected_players
from scoring.queries.trail import in_words
from scoring.services import guests
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.pins import MOST_FAILURES, set_pin
from scoring.services.seating import MOST_WRONG_PINS, sit_down
from scoring.services.table_codes import (
    MOST_WRONG_CODES,
    code_proof,
    renew_codes,
    revoke_code,
)
from scoring.services.tries import count_wrong_try, require_tries_left
from tests.factories import (
    make_game,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
    make_table,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    make_league()
    return make_table("3")


@pytest.fixture
def address(table):
    return f"/tables/{table[1]}/"


@pytest.fixture
def cyrus():
    player = make_player("Cyrus")
    set_pin(player, "4711", by=make_organiser())
    return player


def three_sit(table):
    members = [make_member(player=make_player()) for _seat in range(3)]
    for place, member in enumerate(members):
        sit_down(table[0], place, by=member, player=member.player)
    return members


def test_a_free_seat_that_a_visitor_taps_is_the_one_that_is_asked_about(client, address):
    assert f'href="{address}?place=2#pick"' in client.get(address).content.decode()
    chosen = client.get(address, {"place": "2"}).content.decode()
    assert '<input type="radio" name="place" value="2" checked>' in chosen


def test_a_code_opens_its_own_table_alone(client, address):
    _other, code = make_table("4")
    assert "Table 3" in text(client.get(address))
    assert "Table 4" in text(client.get(f"/tables/{code}/"))


def test_who_is_in_play_at_another_table_reads_so(client, address):
    member = make_member(player=make_player("Ann"))
    client.force_login(member)
    assert "in play at another table" not in text(client.get(address))
    game = make_game(players=[member.player, *(make_player() for _seat in range(3))])
    other, _code = make_table("4")
    ClubTable.objects.filter(pk=other.pk).update(game=game)
    page = text(client.get(address))
    assert "You are in play at another table (Table 4)." in page
    assert f'href="{game.get_absolute_url()}"' in page


def test_a_revoked_code_says_what_to_do(client, table, address):
    revoke_code(table[0], by=make_organiser())
    response = client.get(address)
    assert response.status_code == 404
    assert "scan the one that lies on the table now" in text(response)


def test_who_guesses_codes_is_told_to_wait(client, address):
    for _try in range(MOST_WRONG_CODES):
        assert client.get(f"/tables/{'x' * 18}/").status_code == 404
    response = client.get(address)
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0
    client.force_login(make_member())
    assert client.get(address).status_code == 200


HTMX = {"HX-Request": "true"}


def test_pages_that_are_open_when_a_card_is_renewed_lock_nobody_out(client, table, address):
    page = client.get(address).content.decode()
    (proof,) = re.findall('"Table-Card": "([^"]+)"', page)
    ((_table, code),) = renew_codes([table[0]], by=make_organiser())
    for _page in range(MOST_WRONG_CODES + 1):
        answer = client.get(f"{address}live/", headers=HTMX | {"Table-Card": proof})
        assert answer.status_code == 286  # htmx stops asking
        assert "This card is no longer valid" in text(answer)
        assert "data-board" not in text(answer)
    assert client.get(f"/tables/{code}/").status_code == 200


def test_a_page_whose_card_is_renewed_is_told_so_where_others_have_guessed(client, table, address):
    (proof,) = re.findall('"Table-Card": "([^"]+)"', client.get(address).content.decode())
    renew_codes([table[0]], by=make_organiser())
    for _try in range(MOST_WRONG_CODES):
        client.get(f"/tables/{'x' * 18}/")
    answer = client.get(f"{address}live/", headers=HTMX | {"Table-Card": proof})
    assert answer.status_code == 286


@pytest.mark.parametrize("proof", [{}, {"Table-Card": "x"}, {"Table-Card": code_proof("y" * 18)}])
def test_codes_that_are_guessed_in_the_background_are_counted(client, address, proof):
    for _try in range(MOST_WRONG_CODES):
        answer = client.get(f"/tables/{'x' * 18}/live/", headers=HTMX | proof)
        assert "Table 3" not in text(answer)
    assert client.get(f"/tables/{'x' * 18}/live/", headers=HTMX | proof).status_code == 429
    assert client.get(address).status_code == 429


def test_a_visitor_sees_the_names_of_members_with_a_pin_alone(client, address, cyrus):
    make_player("Dirk")
    shown = text(client.get(address))
    assert "Cyrus" in shown
    assert "Dirk" not in shown
    client.force_login(make_member())
    assert "Dirk" in text(client.get(address))


def test_a_name_is_asked_for_its_pin_before_it_sits(client, address, cyrus):
    fields = {"player": cyrus.pk, "place": "1"}
    assert "PIN of Cyrus" in text(client.post(f"{address}sit/", fields))
    refused = client.post(f"{address}sit/", fields | {"pin": "0000"})
    assert refused.status_code == 422
    assert "This is not the PIN of Cyrus" in text(refused)
    assert not WaitingSeat.objects.exists()
    assert client.post(f"{address}sit/", fields | {"pin": "4711"}).status_code == 302
    assert WaitingSeat.objects.get().player == cyrus


@pytest.mark.parametrize("sent", [{}, {"pin": "1357"}])
def test_a_visitor_learns_no_name_by_guessing_whose_pin_is_asked_for(client, address, sent):
    without_pin, gone = make_player("Ngozi Okonkwo"), make_player("Ngozi Gone")
    set_pin(gone, "4711", by=make_organiser())
    Player.objects.filter(pk=gone.pk).update(active=False)
    for player in (without_pin.pk, gone.pk, 999_999, "x"):
        fields = {"player": player, "place": "0", **sent}
        for answer in (client.get(f"{address}sit/", fields), client.post(f"{address}sit/", fields)):
            assert answer.status_code == 404
            assert "Ngozi" not in text(answer)


@pytest.mark.parametrize("pin", ["", "0000", "4711"])
def test_who_sits_at_the_table_already_is_not_asked_for_a_pin(client, address, cyrus, pin):
    fields = {"player": cyrus.pk, "place": "1"}
    client.post(f"{address}sit/", fields | {"pin": "4711"})
    assert client.get(f"{address}sit/", fields).url == address
    assert client.post(f"{address}sit/", fields | {"pin": pin}).url == address
    assert WaitingSeat.objects.get().place == 1


def test_too_many_wrong_pins_say_whose_and_how_long(client, address, cyrus):
    fields = {"player": cyrus.pk, "place": "1", "pin": "0000"}
    answers = [client.post(f"{address}sit/", fields) for _try in range(MOST_FAILURES + 1)]
    assert answers[-1].status_code == 429
    assert "Too many wrong PINs for Cyrus" in text(answers[-1])
    assert "You can try again in 15 minutes" in text(answers[-1])
    assert "password" not in text(answers[-1])


def test_only_the_names_that_are_shown_are_read(client, address):
    client.force_login(make_member())
    for _player in range(60):
        make_player()
    page = text(client.get(address))
    assert "More names are found by searching" in page
    assert page.index("pick-search") < page.index("pick__names")
    with CaptureQueriesContext(connection) as queries:
        assert len(expected_players(25, but=[])) == 25
    of_players = [one["sql"] for one in queries if 'FROM "scoring_player"' in one["sql"]]
    assert of_players
    assert all("LIMIT 25" in sql for sql in of_players)


def test_three_play_on_with_somebody_else_when_one_has_gone(client, table, address):
    member = make_member(player=make_player("Ann"))
    organiser = make_organiser()
    game = make_game(players=[member.player, *(make_player() for _three in range(3))])
    ClubTable.objects.filter(pk=table[0].pk).update(game=finish_game(game, by=organiser))
    client.force_login(member)
    assert "The same four again" in text(client.get(address))
    Player.objects.filter(pk=game.players[1].pk).update(active=False)
    shown = text(client.get(address))
    assert "The same four again" not in shown
    assert "Play on with somebody else" in shown


def test_a_phone_of_nobody_leaves_only_the_seat_that_was_taken_on_it(client, table, address):
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "0"})
    zoe = WaitingSeat.objects.get()
    bo = sit_down(table[0], 1, by=make_member(), player=make_player("Bo"))
    assert client.post(f"{address}leave/", {"seat": bo.pk}).status_code == 403
    client.post(f"{address}leave/", {"seat": zoe.pk})
    assert WaitingSeat.objects.get() == bo


def test_a_guest_who_sits_at_this_table_is_not_looked_for_at_another(client, address):
    client.post(f"{address}sit/", {"guest": "Truus Tas", "place": "1"})
    refused = Client().post(f"{address}sit/", {"guest": "truus tas", "place": "2"})
    assert "sits at this table already" in text(refused)
    assert "another table" not in text(refused)


def test_the_cookie_of_another_table_is_worth_nothing(client, address):
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "0"})
    other, code = make_table("4")
    bo = sit_down(other, 1, by=make_member(), player=make_player("Bo"))
    assert client.post(f"/tables/{code}/leave/", {"seat": bo.pk}).status_code == 403


def test_a_guest_with_the_name_of_a_member_reads_so_at_the_field(client, address):
    make_player("Ann")
    response = client.post(f"{address}sit/", {"guest": "Ann", "place": "0"})
    assert response.status_code == 422
    assert "There is already a player of this name" in text(response)


def test_a_guest_at_a_scanned_table_may_have_nearly_the_name_of_a_player(client, address):
    make_player("Zoë Jansen")
    entry = {"guest": "Zoe Jansen", "place": "0"}
    response = client.post(f"{address}sit/", entry)
    assert response.status_code == 422
    assert "Zoë" not in text(response)
    assert 'name="anyway"' in text(response)
    assert client.post(f"{address}sit/", {**entry, "anyway": "on"}).status_code == 302
    assert WaitingSeat.objects.get().guest_name == "Zoe Jansen"


@pytest.mark.parametrize("place", ["", "4", "x", "²"])
def test_a_seat_that_is_none_is_refused(client, address, place):
    response = client.post(f"{address}sit/", {"guest": "Zoë", "place": place})
    assert response.status_code == 422


def test_the_fourth_who_is_not_signed_in_begins_the_game_by_the_code_of_the_table(
    client, table, address
):
    three_sit(table)
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "3"})
    game = Game.objects.get()
    assert game.started_by is None
    done = AuditEntry.objects.filter(
        action__in=["open_game", "start_game", "add_guest", "sit_down"]
    )
    by_code = [entry for entry in done if entry.details.get("by_code") == table[0].pk]
    assert sorted(entry.action for entry in by_code) == [
        "add_guest",
        "open_game",
        "sit_down",
        "start_game",
    ]
    assert {entry.by for entry in by_code} == {None}
    began = next(entry for entry in by_code if entry.action == "start_game")
    (line,) = in_words([began], make_owner())
    assert [(one.field, one.after) for one in line.changes] == [("table", "Table 3")]
    lines = {(entry.who, entry.what) for entry in in_words(by_code, make_owner())}
    assert ("somebody with the code of a table", "opened a game") in lines
    assert client.get(address).url == game.get_absolute_url()
    assert (
        client.post(f"/games/{game.pk}/hands/", {"winner": "draw", "number": 1}).status_code == 302
    )
    assert not game.hands.exists()


def test_a_scanned_table_begins_no_game_in_an_evening_that_is_closed(client, table, address):
    three_sit(table)
    organiser = make_organiser(player=make_player())
    WaitingSeat.objects.filter(place=0).update(by=organiser, player=organiser.player)
    over = finish_game(make_game(league=League.objects.get()), by=organiser)
    close_evening(over.league, club_day(), by=organiser)
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "3"})
    assert Game.objects.get() == over


def test_a_scanned_table_adds_few_guests(client, table, address, monkeypatch):
    monkeypatch.setattr(guests, "MOST_ADDED", 1)
    three_sit(table)
    WaitingSeat.objects.get(place=2).delete()
    client.post(f"{address}sit/", {"guest": "Cas", "place": "2"})
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "3"})
    assert not Game.objects.exists()


def test_four_of_whom_none_is_signed_in_wait_for_somebody(client, address):
    for place in range(4):
        client.post(f"{address}sit/", {"guest": f"Guest {place}", "place": place})
    assert "none of them is signed in" in text(client.get(address))
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_a_scanned_table_asks_for_one_of_two_leagues(client, table, address):
    other = make_league("Winter")
    three_sit(table)
    client.force_login(make_member(player=make_player("Ann")))
    client.post(f"{address}sit/", {"player": Player.objects.get(name="Ann").pk, "place": "3"})
    assert "Start: Winter" in text(client.get(address))
    bystander = Client()
    bystander.force_login(make_member())
    assert "One of them who is signed in, whoever seated them" in text(bystander.get(address))
    client.post(f"{address}start/", {"league": other.pk})
    assert Game.objects.get().league == other


def test_a_guest_is_not_led_to_a_game_that_visitors_do_not_see(client, table, address):
    League.objects.update(visibility=League.Visibility.MEMBERS)
    three_sit(table)
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "3"})
    assert Game.objects.exists()
    shown = client.get(address)
    assert shown.status_code == 200
    assert "only members see" in text(shown)


def test_the_waiting_page_asks_for_nothing_new_and_is_led_to_the_game(client, table, address):
    first = client.get(f"{address}live/")
    assert first.status_code == 200
    etag = first.headers["ETag"]
    unchanged = client.get(f"{address}live/", headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    client.post(f"{address}sit/", {"guest": "Zoë", "place": "3"})
    assert client.get(f"{address}live/", headers={"If-None-Match": etag}).status_code == 200
    members = three_sit(table)
    client.force_login(members[0])
    client.post(f"{address}start/", {"league": League.objects.get().pk})
    led = client.get(f"{address}live/")
    assert led.headers["HX-Redirect"] == Game.objects.get().get_absolute_url()


def test_asking_again_for_a_scanned_table_costs_few_queries(
    client, table, address, django_assert_num_queries
):
    three_sit(table)
    etag = client.get(f"{address}live/").headers["ETag"]
    with django_assert_num_queries(3):  # the tries of this address, the table, its seats
        client.get(f"{address}live/", headers={"If-None-Match": etag})


def test_the_page_costs_the_same_for_few_names_and_many(
    client, address, django_assert_max_num_queries
):
    client.force_login(make_member(player=make_player("Ann")))
    client.get(address)
    for _player in range(30):
        make_player()
    with django_assert_max_num_queries(12):
        client.get(address)


def test_the_code_stands_in_no_log(client, table, address, caplog):
    client.get(address)
    assert table[1] not in caplog.text


def test_a_phone_does_not_sit_down_and_leave_without_end(client, address, monkeypatch):
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "seats", "3/min")
    sat = [client.post(f"{address}sit/", {"guest": "Zoë", "place": "0"}) for _time in range(2)]
    left = [client.post(f"{address}leave/", {"seat": "0"}) for _time in range(2)]
    assert [answer.status_code for answer in (*sat, *left)] == [302, 302, 302, 429]
    assert client.get(address).status_code == 200


class TestChangingAPin:
    SENT = {"now": "4711", "pin": "5173"}

    @pytest.fixture
    def page(self, cyrus):
        return f"/players/{cyrus.pk}/pin/"

    def test_changing_a_pin_at_the_table_takes_the_code_of_the_table(
        self, client, address, table, page, cyrus
    ):
        asked = client.post(f"{address}sit/", {"player": cyrus.pk, "place": "1"})
        assert f"{page}?table={table[1]}" in text(asked)
        assert client.get(f"{page}?table={table[1]}").status_code == 200
        assert client.post(f"{page}?table={table[1]}", self.SENT).status_code == 302
        assert check_password("5173", Player.objects.get(pk=cyrus.pk).pin)

    def test_the_code_of_a_table_opens_the_pin_of_nobody_who_has_none(self, client, table):
        player = make_player("Dirk")
        answer = client.get(f"/players/{player.pk}/pin/?table={table[1]}")
        assert answer.status_code == 404
        assert "Dirk" not in text(answer)

    @pytest.mark.parametrize("query", ["", "?table=", "?table=nonsense"])
    def test_changing_a_pin_from_elsewhere_does_not_guess_or_lock_it(
        self, client, page, cyrus, query
    ):
        for _try in range(2 * MOST_FAILURES):
            answer = client.post(page + query, {"now": "0000", "pin": "5173"})
            assert answer.url.startswith("/sign-in/?next=")
        assert client.post(page + query, self.SENT).status_code == 302
        assert Player.objects.get(pk=cyrus.pk).pin == cyrus.pin
        require_tries_left(f"pin:player:{cyrus.pk}", 1)

    def test_changing_the_pin_of_a_member_at_home_locks_it_for_nobody_else(
        self, client, address, page, cyrus, monkeypatch
    ):
        monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "sign_in", "1000/min")
        home = Client()
        home.force_login(make_member())
        wrong = {"now": "0000", "pin": "5173"}
        answers = [home.post(page, wrong).status_code for _try in range(MOST_FAILURES + 1)]
        assert answers == [422] * MOST_FAILURES + [429]
        assert home.post(page, self.SENT).status_code == 429
        other = make_player("Other")
        set_pin(other, "4711", by=make_organiser())
        assert home.post(f"/players/{other.pk}/pin/", self.SENT).status_code == 429
        seated = client.post(f"{address}sit/", {"player": cyrus.pk, "place": "1", "pin": "4711"})
        assert seated.status_code == 302
        assert WaitingSeat.objects.filter(player=cyrus).exists()

    def test_changing_the_pin_of_a_member_at_home_works(self, page, cyrus):
        home = Client()
        home.force_login(make_member())
        for _time in range(2 * MOST_FAILURES):
            assert home.post(page, {"now": "4711", "pin": "4711"}).status_code == 302

    def test_wrong_tries_to_change_a_pin_are_counted_at_the_table(self, client, table, page):
        for _try in range(MOST_WRONG_PINS):
            count_wrong_try(f"pin:table:{table[0].pk}")
        assert client.post(f"{page}?table={table[1]}", self.SENT).status_code == 429
