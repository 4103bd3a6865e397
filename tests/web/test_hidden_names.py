"""Names that the club or a league hides: visitors read initials, members read names."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from mahjong_site.names_for_readers import NamesForReaders
from scoring.models import AuditEntry, Club, Hand, League, Player, club, club_day, hidden_names
from scoring.models.hidden_names import (
    Hiding,
    VisitorNames,
    hiding_now,
    initials_of,
    names_to_share,
)
from scoring.models.permissions import Scope, read_for
from scoring.services.leagues import change_league
from scoring.services.merging import merge_players
from scoring.services.people import change_player
from scoring.services.seating import sit_down
from scoring.services.standing_rules import change_standing_rules
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_table,
    make_token,
)
from tests.web.every_page import every_address

pytestmark = pytest.mark.django_db

FOUR = ("Margaret Whitcombe", "Margaret Wells", "Ann", "Jan de Wit")
SHOWN = ("M. W.", "M. W. 2", "A.", "J. d. W.")


@pytest.fixture
def hides():
    club.remember(Club(hides_names=True), seconds=3600)


@pytest.fixture
def four(db):
    return [make_player(name) for name in FOUR]


def read_by_visitor():
    return read_for(VisitorNames(hiding_now(), lambda: True))


def text_of(response):
    return b"".join(response).decode(errors="replace")


class TestEveryPage:
    @pytest.mark.thorough
    def test_every_page_says_no_name_to_a_visitor(self, hides):
        paths = every_address(make_organiser(player=make_player("Olga Osterhout")))
        names = set(Player.objects.values_list("name", flat=True))
        initials = 0
        for path in paths:
            if path.startswith("/tables/") and "code" in resolve(path).kwargs:
                continue  # whoever stands in the room: see TestWhoReads
            page = text_of(Client().get(path))
            assert [name for name in names if name in page] == [], path
            initials += "O. O." in page
        assert initials > 10

    def test_every_page_says_names_to_a_member(self, hides, client):
        game = make_game(players=[make_player(name) for name in FOUR])
        client.force_login(make_member())
        for path in (game.get_absolute_url(), game.league.get_absolute_url(), "/players/"):
            page = client.get(path).content.decode()
            assert all(name in page for name in FOUR), path


class TestInitials:
    @pytest.mark.parametrize(
        ("name", "initials"),
        [
            ("Margaret Whitcombe", "M. W."),
            ("jan de wit", "J. d. w."),
            ("Ann", "A."),
            ("(the) other", "T. o."),
            ("王小明", "王."),
            ("☺", "N."),
        ],
    )
    def test_initials_are_the_first_letters(self, name, initials):
        assert initials_of(name) == initials

    def test_initials_are_numbered_in_the_order_of_the_players(self, hides, four):
        with read_by_visitor():
            assert [Player.objects.get(pk=player.pk).name for player in four] == [*SHOWN]
            rows = Player.objects.order_by("pk").values_list("name", flat=True)
            assert tuple(rows) == SHOWN

    def test_initials_stay_for_who_is_anonymous_already(self, hides):
        player = make_player("N. N. 7")
        Player.objects.filter(pk=player.pk).update(anonymous_since=player.joined_at)
        with read_by_visitor():
            assert Player.objects.get().name == "N. N. 7"

    def test_initials_are_never_stored(self, hides, four):
        with read_by_visitor():
            player = Player.objects.get(pk=four[1].pk)
            player.save()
            assert Player.objects.get(name=player.name).pk == player.pk
        assert Player.objects.get(pk=four[1].pk).name == "Margaret Wells"

    def test_initials_cost_one_query_however_many_names_there_are(self, hides, four):
        with read_by_visitor(), CaptureQueriesContext(connection) as queries:
            assert [player.name for player in Player.objects.order_by("pk")] == [*SHOWN]
        assert len(queries) == 2

    def test_initials_stand_for_no_name_where_none_is_hidden(self, client, four):
        page = client.get(make_game(players=four).get_absolute_url()).content.decode()
        assert all(name in page for name in FOUR)


class TestALeague:
    @pytest.fixture
    def open_game(self, four):
        """A game of the same four in a league that hides nothing, and one of four others."""
        return make_game(players=[make_player(f"Open {letter}") for letter in "ABCD"])

    @pytest.fixture
    def hidden_game(self, four):
        game = make_game(players=four, league=make_league(hides_names=True))
        hidden_names.remember(Hiding(leagues=frozenset({game.league_id})), seconds=3600)
        return game

    def test_a_league_that_hides_names_hides_its_players_on_every_page(
        self, client, four, hidden_game
    ):
        for path in (hidden_game.get_absolute_url(), "/players/", f"/players/{four[0].pk}/"):
            page = client.get(path).content.decode()
            assert "M. W." in page
            assert not any(name in page for name in FOUR if name != "Ann"), path

    def test_a_league_that_hides_names_hides_nobody_else(self, client, hidden_game, open_game):
        assert "Open A" in client.get(open_game.get_absolute_url()).content.decode()

    def test_who_is_named_in_standing_rules_alone_is_hidden_too(self, client, hidden_game):
        """With a handicap, or in a team, before they have sat down there."""
        handicapped, member = make_player("Hanna Hidden"), make_player("Theo Teamed")
        table = {
            "name": "Teams",
            "handicap": {"players": [{"player": handicapped.pk, "points": 5}], "per": "game"},
            "teams": [{"name": "Winds", "players": [member.pk]}],
        }
        league = hidden_game.league
        change_standing_rules(league, [table], effective_from=club_day(), by=make_organiser())
        for path in (
            f"/leagues/{league.slug}/",
            f"/leagues/{league.slug}/standing-rules/",
            f"/api/v1/leagues/{league.slug}/",
        ):
            page = client.get(path).content.decode()
            assert not any(name in page for name in ("Hanna Hidden", "Theo Teamed")), path
            if "standing-rules" in path:
                assert "H. H." in page
                assert "T. T." in page

    def test_everybody_is_hidden_while_the_database_does_not_answer(self, monkeypatch):
        hidden_names.forget()

        def gone(*_args, **_options):
            raise OperationalError

        monkeypatch.setattr(QuerySet, "values_list", gone)
        assert hiding_now().everybody

    def test_organisers_choose_whether_a_league_hides_names(
        self, django_capture_on_commit_callbacks
    ):
        league = make_league()
        with django_capture_on_commit_callbacks(execute=True):
            change_league(league, hides_names=True, by=make_organiser())
        assert hiding_now().leagues == {league.pk}
        after = AuditEntry.objects.get(action="change_league").details["after"]
        assert after == {"hides_names": True}


class TestAPerson:
    """Somebody hides their own name, in leagues and a club that hide none."""

    @pytest.fixture(autouse=True)
    def _read_anew(self, django_capture_on_commit_callbacks):
        with django_capture_on_commit_callbacks(execute=True):
            yield

    @pytest.fixture
    def game(self, four):
        return make_game(players=four)

    def shown_to_visitor(self, game):
        hidden_names.forget()
        addresses = (game.get_absolute_url(), game.league.get_absolute_url(), "/api/v1/players/")
        pages = [Client().get(path).content.decode() for path in addresses]
        return {name for name in FOUR if all(name in page for page in pages)}

    def test_a_member_hides_the_own_name_and_shows_it_again(self, client, game, four):
        member = make_member(player=four[1])
        client.force_login(member)
        assert self.shown_to_visitor(game) == set(FOUR)
        page = client.post("/account/hide-name/", {"hides": "yes"}, follow=True).content.decode()
        assert "reads your initials from now on" in page
        assert "Show my name" in page
        assert self.shown_to_visitor(game) == {*FOUR} - {"Margaret Wells"}
        entry = AuditEntry.objects.get(action="change_player")
        assert (entry.by_id, entry.subject_id) == (member.pk, four[1].pk)
        assert entry.details == {"before": {"hides_name": False}, "after": {"hides_name": True}}
        # Sent again, it is no other change.
        client.post("/account/hide-name/", {"hides": "yes"})
        assert AuditEntry.objects.filter(action="change_player").count() == 1
        assert "Margaret Wells" in client.get(game.get_absolute_url()).content.decode()
        client.post("/account/hide-name/", {"hides": "no"})
        assert self.shown_to_visitor(game) == set(FOUR)

    def test_an_organiser_hides_the_name_of_who_has_no_account(self, client, game, four):
        client.force_login(make_organiser())
        person = f"/people/{four[3].pk}/"
        assert "Show the name" in client.post(person, {"do": "hide"}, follow=True).content.decode()
        assert self.shown_to_visitor(game) == {*FOUR} - {"Jan de Wit"}
        client.post(person, {"do": "show"})
        assert self.shown_to_visitor(game) == set(FOUR)

    def test_a_program_of_an_organiser_hides_a_name(self, client, game, four):
        client.force_login(make_organiser())
        call = f"/api/v1/players/{four[0].pk}/"
        answer = client.patch(call, {"hides_name": True}, content_type="application/json")
        assert answer.json()["hides_name"] is True
        assert self.shown_to_visitor(game) == {*FOUR} - {"Margaret Whitcombe"}
        name = {"name": "Nora Nieuw", "hides_name": True}
        made = client.post("/api/v1/players/", name, content_type="application/json").json()
        assert Player.objects.get(pk=made["id"]).hides_name

    def test_who_has_no_player_has_no_name_to_hide(self, client, game):
        client.force_login(make_member())
        assert "Hide my name" not in client.get("/account/").content.decode()
        answer = client.post("/account/hide-name/", {"hides": "yes"}, follow=True)
        assert "Your account has no player" in answer.content.decode()

    def test_what_leaves_the_site_has_initials_of_who_hides_the_name(self, game, four):
        Player.objects.filter(pk=four[1].pk).update(hides_name=True)
        hidden_names.forget()
        named = names_to_share()
        assert [named(name) for name in FOUR] == [FOUR[0], "M. W. 2", *FOUR[2:]]

    def test_the_live_part_of_a_table_changes_with_what_a_person_hides(self, game, four):
        path = f"{game.get_absolute_url()}live/"
        before = Client().get(path)["ETag"]
        Player.objects.filter(pk=four[1].pk).update(hides_name=True)
        hidden_names.forget()
        assert Client().get(path)["ETag"] != before

    def test_a_name_stays_hidden_when_two_records_are_merged(self, four):
        Player.objects.filter(pk=four[1].pk).update(hides_name=True)
        merge_players(four[0], Player.objects.get(pk=four[1].pk), by=make_organiser())
        assert Player.objects.get(pk=four[0].pk).hides_name

    def test_what_people_hide_costs_no_query_of_its_own(self, game):
        hidden_names.forget()
        with CaptureQueriesContext(connection) as queries:
            hiding_now()
        assert len([one for one in queries if "hides_name" in one["sql"]]) == 1


class TestASearch:
    @pytest.mark.parametrize("path", ["/players/?q=", "/api/v1/players/?name="])
    @pytest.mark.parametrize("asked", ["Margaret Wells", "garet w", "M. W."])
    def test_a_search_by_a_visitor_finds_nobody_who_is_hidden(
        self, client, hides, four, path, asked
    ):
        make_game(players=four)
        page = client.get(path + asked).content.decode()
        assert not any(f"/players/{player.pk}/" in page for player in four)
        assert '"id"' not in page

    def test_a_search_by_a_member_finds_hidden_names(self, client, hides, four):
        client.force_login(make_member())
        found = client.get("/api/v1/players/?name=Wells").json()["results"]
        assert [row["name"] for row in found] == ["Margaret Wells"]


class TestAReason:
    def test_a_reason_has_initials_for_the_full_names_in_it(self, hides, four):
        hand = make_hand(make_game(players=four))
        typed = "margaret wells said so, Ann and Annabel too"
        Hand.objects.filter(pk=hand.pk).update(reason=typed)
        with read_by_visitor():
            assert Hand.objects.get().reason == "M. W. 2 said so, A. and Annabel too"
        assert Hand.objects.get().reason == typed

    def test_a_reason_has_initials_for_who_was_called_otherwise_then(self, client, four):
        wells, before = four[1], make_player("Maggie Wells")
        make_player("Meg Wells")
        hand = make_hand(make_game(players=four))
        Hand.objects.update(reason="Margaret Wells, Maggie Wells, Meg Wells")
        League.objects.update(description="The cup of Maggie Wells and Meg Wells.")
        organiser = make_organiser()
        merge_players(wells, before, by=organiser)
        change_player(Player.objects.get(pk=wells.pk), name="Nora Nieuw", by=organiser)
        Player.objects.filter(pk=wells.pk).update(hides_name=True)
        hidden_names.forget()
        with read_by_visitor():
            assert Hand.objects.get(pk=hand.pk).reason == "N. N., N. N., Meg Wells"
            league = League.objects.get()
            assert league.description == "The cup of N. N. and Meg Wells."
        league.save()
        assert League.objects.get().description.startswith("The cup of Maggie Wells")
        assert "Maggie Wells" not in client.get(league.get_absolute_url()).content.decode()

    def test_a_reason_has_initials_for_a_name_without_its_accents(self, hides):
        players = [make_player(name) for name in ("José Núñez", "Jose Nunes", "Ann", "Bob")]
        hand = make_hand(make_game(players=players))
        Hand.objects.filter(pk=hand.pk).update(reason="Jose Nunez saw it, JOSE NUNES did not")
        with read_by_visitor():
            assert Hand.objects.get().reason == "J. N. saw it, J. N. 2 did not"

    def test_a_longer_name_of_who_is_not_hidden_stays_in_a_reason(self):
        players = [make_player(name) for name in ("Ann Lee", "Ann Lee Jones", "Zoë", "Zoe")]
        hand = make_hand(make_game(players=players))
        typed = "Ann Lee Jones and ann-lee; Zoe, ZOË and zoe"
        Hand.objects.filter(pk=hand.pk).update(reason=typed)
        hidden = frozenset({players[0].pk, players[2].pk})
        hidden_names.remember(Hiding(people=hidden), seconds=3600)
        with read_by_visitor():
            reason = Hand.objects.get().reason
        assert reason == "Ann Lee Jones and A. L.; Zoe, Z. and zoe"


class TestTeamsAndTables:
    def test_teams_and_tables_have_initials_for_full_names_in_their_names(self, hides, four):
        league = make_game(players=four).league
        members = [player.pk for player in four[:2]]
        team = {"name": "Team Margaret Whitcombe", "players": members}
        two = [{"name": "All"}, {"name": "Table of Jan de Wit", "teams": [team]}]
        change_standing_rules(league, two, effective_from=club_day(), by=make_organiser())
        page = league.get_absolute_url()
        sent = f"/api/v1/leagues/{league.slug}/"
        rules = f"{page}standing-rules/"
        for path in (page, rules, sent, f"{sent}standings/?table=Table of J. d. W."):
            answer = Client().get(path)
            assert answer.status_code == 200
            text = answer.content.decode()
            assert [name for name in FOUR if name in text and name != "Ann"] == [], path
            assert "Table of J. d. W." in text, path
        assert "Team M. W." in Client().get(rules).content.decode()


class TestWhoReads:
    def test_a_token_to_read_reads_names_and_another_does_not(self, client, hides, four):
        game = make_game(players=four)
        user = make_member()
        for scope, names in ((Scope.READ, FOUR), (Scope.LOG, SHOWN)):
            token = {"Authorization": f"Token {make_token(user, scope)}"}
            answer = client.get(f"/api/v1/games/{game.pk}/", headers=token).json()
            assert [seat["name"] for seat in answer["seats"]] == [*names]

    def test_the_live_part_of_a_table_has_another_etag_for_each(self, client, hides, four):
        path = f"{make_game(players=four).get_absolute_url()}live/"
        visitor = client.get(path)
        client.force_login(make_member())
        etag = client.get(path)["ETag"]
        client.logout()
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 200
        again = client.get(path, headers={"If-None-Match": visitor["ETag"]})
        assert again.status_code == 304

    def test_what_is_sent_part_by_part_has_initials_to_its_end(self, hides, four):
        def view(_request):
            return StreamingHttpResponse(player.name for player in Player.objects.order_by("pk"))

        request = RequestFactory().get("/")
        request.user = make_member()
        assert text_of(NamesForReaders(view)(request)) == "".join(FOUR)
        request.user = AnonymousUser()
        response = NamesForReaders(view)(request)
        # Between the parts, the thread reads for nobody.
        assert Player.objects.first().name in FOUR
        assert text_of(response) == "".join(SHOWN)

    def test_whoever_holds_the_code_of_a_table_finds_their_name(self, client, hides, four):
        _table, code = make_table()
        Player.objects.update(pin="set")
        assert "Margaret Wells" in client.get(f"/tables/{code}/").content.decode()

    @pytest.mark.parametrize("who", ["club", "league"])
    def test_whoever_holds_the_code_reads_initials_of_those_who_wait(self, client, four, who):
        if who == "club":
            club.remember(Club(hides_names=True), seconds=3600)
        else:
            hidden = frozenset({make_league(hides_names=True).pk})
            hidden_names.remember(Hiding(leagues=hidden), seconds=3600)
        table, code = make_table()
        members = [make_member(player=player) for player in four[:3]]
        for place, member in enumerate(members):
            sit_down(table, place, by=member, player=member.player)
        sit_down(table, 3, by=members[0], guest="Gast Gerrit")
        for path in (f"/tables/{code}/", f"/tables/{code}/live/"):
            page = client.get(path).content.decode()
            assert [name for name in (*FOUR[:3], "Gerrit") if name in page] == []
            assert "M. W. 2" in page
        client.force_login(members[0])
        assert "Margaret Wells" in client.get(f"/tables/{code}/").content.decode()
