"""The table: who sits where, how they stand, the hands so far, and the end of the game."""

import html
import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.models import League, Player, hidden_names
from scoring.models.days import club_day
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game, reopen_game
from scoring.web.table import board
from scoring.web.table.board import table_version
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db

OVER = 'data-next-number="over"'


def page(client, game):
    response = client.get(reverse("game", args=[game.pk]))
    assert response.status_code == 200
    return response


class TestNames:
    def test_two_of_the_same_first_name_differ_wherever_there_is_little_room(
        self, client, organiser
    ):
        names = ["Margaret Whitcombe", "José Luis Fernández", "Margaret Wells", "Ann Lee"]
        game = make_game(players=[make_player(name) for name in names])
        make_hand(game, winner=1, discarder=game.players[0].pk, by=organiser)
        client.force_login(organiser)
        shown = text(page(client, game))
        short = ["Margaret Wh.", "José", "Margaret We.", "Ann"]
        for name, label in zip(names, short, strict=True):
            assert f'<th scope="col" title="{name}">{label}</th>' in shown
            assert f'<span class="who__name" data-name>{label}</span>' in shown
        assert "discard: Margaret Wh." in shown


class TestWhoSitsNear:
    @pytest.mark.parametrize("own", [None, 1])
    def test_the_seat_of_the_reader_is_near_and_that_of_east_for_a_visitor(self, client, own):
        """West is a guest, who is no more a visitor than the others."""
        game = make_game()
        members = {place: make_member(player=game.players[place]) for place in (0, 1, 3)}
        if own is not None:
            client.force_login(members[own])
        places = page(client, game).context["table"].places
        near = [place.seat for place in places if place.side == "near"]
        assert near == [own or 0]
        assert [place.seat for place in places if place.own] == ([] if own is None else [own])


class TestWhoSeesIt:
    def test_everybody_sees_a_public_game(self, client, game):
        page(client, game)

    def test_whether_a_table_is_there_can_be_asked_without_its_text(self, client, game):
        """The page without a network asks so until it is back."""
        asked = client.head(reverse("game", args=[game.pk]))
        assert (asked.status_code, asked.content) == (200, b"")

    def test_a_table_of_a_members_league_is_not_found_for_a_visitor(self, client):
        game = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
        for name in ("game", "game_live"):
            assert client.get(reverse(name, args=[game.pk])).status_code == 404
        client.force_login(make_member())
        page(client, game)

    def test_who_signs_in_where_nothing_is_to_be_seen_is_led_back(self, client):
        game = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
        response = client.get(reverse("game", args=[game.pk]))
        sign_in = f"{reverse('sign_in')}?next={reverse('game', args=[game.pk])}"
        assert f'href="{sign_in}"' in response.content.decode()

    def test_a_game_that_never_was_is_not_found(self, client):
        assert client.get("/games/999999/").status_code == 404

    def test_a_visitor_is_told_that_the_players_log(self, client, game):
        shown = text(page(client, game))
        assert "View only." in shown
        assert "data-hand-form" not in shown

    def test_a_member_of_another_table_watches(self, client, game):
        client.force_login(make_member())
        shown = text(page(client, game))
        assert "The four players and organisers can enter hands" in shown
        assert "data-hand-form" not in shown

    def test_who_watches_a_closed_evening_is_told_who_may_log(self, client, game):
        organiser = make_organiser()
        close_evening(game.league, game.evening, by=organiser)
        reopen_game(game, by=organiser, reason="A hand is missing")
        assert "The evening is closed: only organisers can enter hands." in text(page(client, game))
        client.force_login(make_member(player=game.players[2]))
        assert "The evening is closed: ask an organiser" in text(page(client, game))

    def test_a_player_of_the_table_may_log_from_the_near_side(self, client, game):
        client.force_login(make_member(player=game.players[2]))
        response = page(client, game)
        assert "data-hand-form" in text(response)
        sides = [place.side for place in response.context["table"].places]
        assert sides == ["far", "left", "near", "right"]

    def test_an_organiser_may_log(self, client, game, organiser):
        client.force_login(organiser)
        assert "data-hand-form" in text(page(client, game))


class TestWhatItShows:
    def test_the_table_of_a_fresh_game_shows_the_first_hand(self, client, game):
        shown = text(page(client, game))
        assert "East round, hand 1" in shown
        assert f"{game.players[0]} deals." in shown
        assert "No hands yet." in shown

    def test_the_deal_the_winds_and_the_totals_move_on(self, client, game):
        make_hand(game, winner=1)
        response = page(client, game)
        assert "East round, hand 2" in text(response)
        places = response.context["table"].places
        assert [place.wind.value for place in places] == list("NESW")
        assert [place.total for place in places] == [-140, 280, -70, -70]
        assert [place.deals for place in places] == [False, True, False, False]
        assert "+280" in text(response)

    def test_the_table_page_shows_when_the_next_round_begins(self, client, game):
        for dealer in range(4):
            make_hand(game, winner=(dealer + 1) % 4)
        assert "South round, hand 5" in text(page(client, game))

    def test_the_hands_newest_first_each_with_its_scorecard(self, client, game):
        first = make_hand(game, winner=1, discarder=game.players[0].pk)
        make_hand(game)
        third = make_hand(game, winner=0, tiles="", claimed_final=120)
        response = page(client, game)
        lines = response.context["table"].lines
        assert [line.hand.number for line in lines] == [3, 2, 1]
        shown = text(response)
        assert f"discard: {game.players[0].name.split()[0]}" in shown
        for hand in (first, third):
            assert f'href="{reverse("hand", args=[hand.pk])}"' in shown
        assert "not checked" in shown

    def test_the_end_with_ranks(self, client, game, organiser):
        make_hand(game, winner=3)
        finish_game(game, by=organiser)
        client.force_login(organiser)
        response = page(client, game)
        shown = text(response)
        assert "The game is over" in shown
        assert "data-hand-form" not in shown
        ranking = [(place.rank, place.player) for place in response.context["table"].ranking]
        assert ranking[0] == (1, game.players[3])
        assert [rank for rank, _player in ranking] == [1, 2, 2, 4]


class TestQueries:
    """The same number of queries, however many hands there are."""

    @pytest.mark.parametrize("hands", [1, 3])
    def test_queries_of_the_table_page_for_a_watcher_are_few(
        self, client, game, hands, django_assert_num_queries
    ):
        for _hand in range(hands):
            make_hand(game, winner=1)
        with django_assert_num_queries(8):
            page(client, game)

    @pytest.mark.parametrize("hands", [1, 3])
    def test_queries_of_the_table_page_for_a_player_are_few(
        self, client, game, hands, django_assert_num_queries
    ):
        for _hand in range(hands):
            make_hand(game, winner=1)
        client.force_login(make_member(player=game.players[0]))
        with django_assert_num_queries(10):
            page(client, game)

    def test_queries_of_asking_whether_a_table_changed_are_few(
        self, client, game, django_assert_num_queries
    ):
        etag = client.get(reverse("game_live", args=[game.pk]))["ETag"]
        with django_assert_num_queries(1):
            client.get(reverse("game_live", args=[game.pk]), headers={"If-None-Match": etag})

    def test_a_member_is_asked_about_in_the_same_query(
        self, client, game, django_assert_num_queries
    ):
        client.force_login(make_member())
        etag = client.get(reverse("game_live", args=[game.pk]))["ETag"]
        with django_assert_num_queries(3) as queries:  # the session, the account, and this
            client.get(reverse("game_live", args=[game.pk]), headers={"If-None-Match": etag})
        assert "scoring_game" in queries[-1]["sql"]


class TestLive:
    def test_the_live_table_answers_304_while_nothing_is_new(self, client, game):
        version = page(client, game).context["table"].version
        headers = {"If-None-Match": f'"{version}"'}
        assert client.get(reverse("game_live", args=[game.pk]), headers=headers).status_code == 304

    def test_a_new_hand_is_told(self, client, game):
        version = page(client, game).context["table"].version
        hand = make_hand(game, winner=1)
        headers = {"If-None-Match": f'"{version}"'}
        response = client.get(reverse("game_live", args=[game.pk]), headers=headers)
        assert response.status_code == 200
        shown = text(response)
        assert reverse("hand", args=[hand.pk]) in shown
        assert "East round, hand 2" in shown
        assert 'data-next-number="2"' in shown

    @pytest.mark.parametrize("name", ["game", "game_live"])
    @pytest.mark.parametrize("when", ["before", "after"])
    def test_a_page_that_is_read_while_the_game_ends_is_not_taken_for_the_newest(
        self, client, game, organiser, monkeypatch, name, when
    ):
        """The game ends while its version is read: the page shows that, or its next question does."""

        def version_meanwhile(games, reader):
            monkeypatch.setattr(board, "table_version", table_version)
            if when == "before":
                finish_game(game, by=organiser)
            version = table_version(games, reader)
            if when == "after":
                finish_game(game, by=organiser)
            return version

        monkeypatch.setattr(board, "table_version", version_meanwhile)
        response = client.get(reverse(name, args=[game.pk]))
        if OVER not in text(response):
            headers = {"If-None-Match": f'"{response.context["table"].version}"'}
            response = client.get(reverse("game_live", args=[game.pk]), headers=headers)
            assert OVER in text(response)

    def test_the_end_of_the_game_is_told(self, client, game, organiser):
        version = page(client, game).context["table"].version
        finish_game(game, by=organiser)
        headers = {"If-None-Match": f'"{version}"'}
        shown = text(client.get(reverse("game_live", args=[game.pk]), headers=headers))
        assert "The game is over" in shown
        assert 'data-live="over"' in shown


class TestWhatAPollAsksAbout:
    """What the page sends with its poll is what the site answers 304 to, until the page would say something else."""

    def asked_again(self, client, game):
        """Send the poll of the page as it is now, as often as it is called."""
        shown = page(client, game).content.decode()
        asked = re.search(r"hx-headers='([^']*If-None-Match[^']*)'", shown)
        headers = json.loads(html.unescape(asked[1]))
        return lambda: client.get(reverse("game_live", args=[game.pk]), headers=headers)

    def modes(self, client, game, change):
        """What the page offers before and after ``change``, as the poll tells it; None for a 304."""
        poll = self.asked_again(client, game)
        assert poll().status_code == 304
        change()
        answer = poll()
        return answer.context["table"].mode if answer.status_code == 200 else None

    def test_a_season_that_ends_is_told(self, client, game):
        client.force_login(make_member(player=game.players[0]))
        yesterday = club_day() - timedelta(days=1)

        def end():
            League.objects.update(starts_on=yesterday, ends_on=yesterday)

        assert self.modes(client, game, end) == "watch"
        begin = lambda: League.objects.update(ends_on=None)  # noqa: E731
        assert self.modes(client, game, begin) == "log"

    def test_a_season_that_is_closed_or_opened_again_is_told(self, client, game, organiser):
        client.force_login(organiser)
        day = club_day()
        League.objects.update(ends_on=day)
        close = lambda: League.objects.update(closed_on=day)  # noqa: E731
        assert self.modes(client, game, close) == "watch"
        reopen = lambda: League.objects.update(closed_on=None)  # noqa: E731
        assert self.modes(client, game, reopen) == "log"

    def test_a_role_that_is_given_or_taken_is_told(self, client, game, organiser):
        member = make_member()
        client.force_login(member)
        groups = list(organiser.groups.all())
        assert self.modes(client, game, lambda: member.groups.set(groups)) == "log"
        assert self.modes(client, game, member.groups.clear) == "watch"

    def test_an_account_that_is_linked_to_a_player_is_told(self, client, game):
        member = make_member()
        client.force_login(member)
        seated = Player.objects.filter(pk=game.players[2].pk)
        assert self.modes(client, game, lambda: seated.update(user=member)) == "log"
        assert self.modes(client, game, lambda: seated.update(user=None)) == "watch"

    def test_another_reader_is_told(self, client, game):
        client.force_login(make_member())
        poll = self.asked_again(client, game)
        client.force_login(make_member())
        assert poll().status_code == 200

    def test_nothing_new_is_nothing_new_where_names_are_hidden(self, client):
        game = make_game(league=make_league(hides_names=True))
        hidden_names.remember(
            hidden_names.Hiding(leagues=frozenset({game.league_id})), seconds=3600
        )
        assert self.asked_again(client, game)().status_code == 304


class TestLiveEverywhere:
    """Not the board alone: what was saved, Undo, over and not over."""

    def current(self, client, game):
        return text(client.get(reverse("game_live", args=[game.pk])))

    def test_undo_is_offered_live_and_goes_with_another_hand(self, client, game):
        scorer = make_member(player=game.players[0])
        client.force_login(scorer)
        hand = make_hand(game, by=scorer)
        assert reverse("undo_hand", args=[hand.pk]) in self.current(client, game)
        make_hand(game)
        assert reverse("undo_hand", args=[hand.pk]) not in self.current(client, game)

    def test_the_live_table_says_who_may_log_now(self, client, game, organiser):
        assert 'data-mode="watch"' in self.current(client, game)
        client.force_login(organiser)
        assert 'data-mode="log"' in self.current(client, game)
        finish_game(game, by=organiser)
        assert 'data-mode="over"' in self.current(client, game)


class TestEndingTheGame:
    def test_ending_the_game_asks_first(self, client, game, organiser):
        client.force_login(organiser)
        assert "End the game?" in text(client.get(reverse("finish_game", args=[game.pk])))
        game.refresh_from_db()
        assert not game.finished

    def test_ending_the_game_ends_it_after_the_question(self, client, game, organiser):
        client.force_login(organiser)
        response = client.post(reverse("finish_game", args=[game.pk]), follow=True)
        assert response.redirect_chain[-1][0] == reverse("game", args=[game.pk])
        assert "The game is over" in text(response)

    def test_ending_the_game_twice_says_so(self, client, game, organiser):
        client.force_login(organiser)
        finish_game(game, by=organiser)
        response = client.post(reverse("finish_game", args=[game.pk]), follow=True)
        assert "This game is over already." in text(response)

    def test_a_game_that_is_over_is_not_asked_about(self, client, game, organiser):
        client.force_login(organiser)
        finish_game(game, by=organiser)
        assert client.get(reverse("finish_game", args=[game.pk])).status_code == 302

    @pytest.mark.parametrize("method", ["get", "post"])
    def test_ending_the_game_is_refused_to_a_stranger(self, client, game, method):
        client.force_login(make_member())
        response = getattr(client, method)(reverse("finish_game", args=[game.pk]))
        assert response.status_code == 403
        game.refresh_from_db()
        assert not game.finished
