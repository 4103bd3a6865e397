"""Late hands: what a phone is answered, and what an organiser decides."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.html import escape

from scoring.models import Game, LateHand, League
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.hands.correct import undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.late_hands import decline_late_hand, take_in_late_hand
from scoring.services.rulesets import shipped_version
from scoring.services.seats import change_seats
from scoring.services.withdrawals import restore_game, withdraw_game
from scoring.web.table.board import table_version
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss():
    return make_organiser()


@pytest.fixture
def game(boss):
    game = make_game(by=boss)
    make_hand(game, winner=1, by=boss)
    close_evening(game.league, game.evening, by=boss)
    return game


@pytest.fixture
def phone(client, game):
    client.force_login(make_member(player=game.players[0]))
    return client


def ask(client, game, **changes):
    sent = {"number": 2, "key": "k2", "winner": game.players[2].pk, "tiles": BOOK_HAND}
    sent |= {"discarder": "self"}
    headers = {"Accept": "application/json"}
    return client.post(reverse("late_hands", args=[game.pk]), sent | changes, headers=headers)


def refused(client, game, **entered):
    """The page of its one late hand, which says ``entered``, too, and which the rules of ``game`` refuse."""
    late = game.late_hands.get()
    LateHand.objects.filter(pk=late.pk).update(entry={**late.entry, **entered})
    return text(client.get(reverse("late_hands", args=[game.pk])))


class TestAPhone:
    def test_a_phone_reads_that_an_organiser_will_look_at_a_late_hand(self, phone, game):
        for _time in range(2):
            response = ask(phone, game)
            assert response.status_code == 200
            assert response.json()["outcome"] == "asked"
            assert response.json()["hand"] is None
        assert LateHand.objects.count() == 1

    def test_a_phone_reads_where_the_game_stands_and_nothing_is_kept(self, phone, game):
        for response in (ask(phone, game), ask(phone, game, tiles="222B", key="another")):
            assert response["Cache-Control"] == "no-store"
            word = response.json()["word"]
            assert (word["number"], word["finished"]) == (2, True)

    def test_a_phone_reads_what_was_decided_about_a_late_hand(self, phone, game, boss, client):
        ask(phone, game)
        late = LateHand.objects.get()
        player = phone.session["_auth_user_id"]
        client.force_login(boss)
        decide(client, late, decision="take")
        client.force_login(LateHand.objects.get(pk=late.pk).by)
        assert player == str(late.by_id)
        answer = ask(client, game).json()
        assert (answer["outcome"], answer["hand"]) == ("taken", game.hands.get(number=2).pk)

    def test_a_phone_with_a_late_hand_that_cannot_be_reads_why(self, phone, game):
        response = ask(phone, game, tiles="222B")
        assert response.status_code == 422
        assert response.json()["outcome"] == "refused"
        assert response.json()["reasons"]

    @pytest.mark.parametrize("change", [{"number": "x"}, {"winner": "999999"}, {"number": "1"}])
    def test_a_phone_with_a_form_that_cannot_be_reads_why(self, phone, game, change):
        response = ask(phone, game, **change)
        assert response.status_code == 422
        assert response.json()["reasons"]

    def test_a_phone_sees_the_hand_that_stands_at_the_position_of_its_late_one(self, phone, game):
        answer = ask(phone, game, number="1").json()
        assert (answer["code"], answer["position_taken"]) == ("already_there", True)
        assert reverse("hand", args=[game.hands.get().pk]) in answer["html"]
        assert answer["reasons"] == ["Hand 1 is already logged. The next one is number 2."]

    def test_a_phone_sees_which_hand_was_logged_with_its_key(self, phone, game, boss):
        ask(phone, game)
        hand = take_in_late_hand(LateHand.objects.get(), by=boss)
        answer = ask(phone, game, winner="draw", tiles="", discarder="").json()
        assert (answer["code"], answer["position_taken"]) == ("key_reused", True)
        assert reverse("hand", args=[hand.pk]) in answer["html"]

    def test_a_phone_reads_that_an_organiser_looks_at_another_hand_with_its_key(self, phone, game):
        ask(phone, game)
        answer = ask(phone, game, winner="draw", tiles="", discarder="").json()
        assert (answer["code"], answer["position_taken"]) == ("key_reused", False)
        assert answer["reasons"][0] in answer["html"]

    @pytest.mark.parametrize("change", [{"number": "x"}, {"tiles": "222B"}])
    def test_a_phone_sees_what_is_wrong_with_a_late_hand(self, phone, game, change):
        answer = ask(phone, game, **change).json()
        assert (answer["code"], answer["position_taken"]) == ("invalid", False)
        assert all(escape(reason) in answer["html"] for reason in answer["reasons"])

    def test_a_phone_that_is_signed_out_reads_so(self, client, game):
        response = ask(client, game)
        assert (response.status_code, response.json()["outcome"]) == (401, "signedOut")

    def test_a_phone_of_another_account_reads_that_it_has_to_sign_in(self, phone, game):
        response = ask(phone, game, user="999999")
        assert (response.status_code, response.json()["outcome"]) == (401, "signedOut")

    def test_a_late_hand_of_somebody_who_sits_elsewhere_is_refused(self, client, game):
        client.force_login(make_member())
        response = ask(client, game)
        assert (response.status_code, response.json()["outcome"]) == (403, "refused")

    def test_a_phone_at_an_open_game_reads_to_send_the_hand_the_normal_way(self, phone, game, boss):
        reopen_evening(game.league, game.evening, by=boss, reason="A slip")
        response = ask(phone, game)
        assert (response.status_code, response.json()["outcome"]) == (409, "open")

    def test_a_late_hand_at_a_withdrawn_game_is_refused(self, phone, game, boss):
        withdraw_game(game, by=boss, reason="Opened twice")
        for late in (ask(phone, game), ask(phone, game, tiles="222B")):
            assert late.status_code == 403
            answer = late.json()
            assert (answer["outcome"], answer["code"]) == ("refused", "withdrawn")
            assert answer["reasons"] == ["This game was withdrawn: an organiser can restore it."]
        assert not LateHand.objects.exists()

    def test_a_late_hand_that_waits_is_shut_out_while_its_game_is_withdrawn(
        self, phone, game, boss
    ):
        ask(phone, game)
        withdraw_game(game, by=boss, reason="Opened twice")
        answer = ask(phone, game).json()
        assert (answer["outcome"], answer["code"]) == ("refused", "withdrawn")
        assert answer["reasons"] == ["This game was withdrawn: an organiser can restore it."]
        restore_game(game, by=boss, reason="It was played")
        assert ask(phone, game).json()["outcome"] == "asked"
        assert LateHand.objects.count() == 1

    def test_a_declined_hand_put_right_is_shut_out_while_its_game_is_withdrawn(
        self, phone, game, boss
    ):
        ask(phone, game)
        decline_late_hand(LateHand.objects.get(), by=boss, reason="Nobody remembers it")
        withdraw_game(game, by=boss, reason="Opened twice")
        assert ask(phone, game).json()["outcome"] == "declined"
        put_right = {"winner": "draw", "tiles": "", "discarder": ""}
        for once_more in (put_right, {"again": "yes"}):
            right = ask(phone, game, **once_more).json()
            assert (right["outcome"], right["code"]) == ("refused", "withdrawn")

    def test_a_declined_hand_that_a_phone_asks_for_again_waits_for_an_organiser(
        self, phone, game, boss
    ):
        ask(phone, game)
        decline_late_hand(LateHand.objects.get(), by=boss, reason="Nobody remembers it")
        assert ask(phone, game).json()["outcome"] == "declined"
        assert ask(phone, game, again="yes").json()["outcome"] == "asked"
        assert LateHand.objects.waiting().exists()

    def test_a_late_hand_of_who_was_replaced_at_a_withdrawn_game_is_refused(self, phone, boss):
        game = make_game(players=list(Game.objects.get().players), by=boss)
        seated = [make_player(), *game.players[1:]]
        change_seats(game, seated, by=boss, reason="Went home", anyway=True)
        withdraw_game(game, by=boss, reason="Opened twice")
        answer = ask(phone, game, number=1).json()
        assert (answer["outcome"], answer["code"]) == ("refused", "withdrawn")
        assert answer["reasons"] == [
            "This game was withdrawn: one of its four players or an organiser can restore it."
        ]

    @pytest.mark.parametrize("undone", [False, True])
    def test_a_phone_reads_what_became_of_the_hand_it_asks_for(self, client, boss, undone):
        """It was logged, and is not there now."""
        game = make_game(by=boss)
        scorer = make_member(player=game.players[0])
        entry = HandEntry(number=1, outcome="draw")
        hand = record_hand(game, entry, by=scorer, key="k1").hand
        if undone:
            undo_hand(hand, by=scorer)
        else:
            void_hand(hand, by=boss, reason="It never was")
        client.force_login(scorer)
        sent = {"number": 1, "key": "k1", "winner": "draw", "discarder": ""}
        response = client.post(reverse("late_hands", args=[game.pk]), sent)
        became = "It was taken back since." if undone else "It was declared void since."
        assert (response.status_code, response.json()["outcome"]) == (200, "taken")
        assert response.json()["sentence"] == f"Hand 1: drawn, nobody pays. {became}"


def decide(client, late, **fields):
    address = reverse("decide_late_hand", args=[late.game_id, late.pk])
    return client.post(address, fields, follow=True)


def test_a_page_asks_again_when_any_late_hand_was_decided(phone, game, boss):
    ask(phone, game)
    ask(phone, game, number="3", key="another")
    shown = Game.objects.filter(pk=game.pk)
    before = table_version(shown, boss)
    first = LateHand.objects.order_by("pk").first()
    decline_late_hand(first, by=boss, reason="Nobody remembers it")
    assert table_version(shown, boss) != before


class TestAnOrganiser:
    @pytest.fixture
    def late(self, phone, game):
        ask(phone, game)
        return LateHand.objects.get()

    @pytest.fixture
    def organiser(self, client, late, boss):
        client.force_login(boss)
        return client

    def test_an_organiser_sees_on_every_page_that_a_hand_waits(self, organiser, game):
        evening = reverse("evening", args=[game.league.slug, game.evening])
        for address in (reverse("home"), evening, game.get_absolute_url()):
            assert reverse("late_hands", args=[game.pk]) in text(organiser.get(address))

    def test_an_organiser_sees_score_and_payments_of_a_late_hand(self, organiser, game):
        shown = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert f"Hand 2: {game.players[2].name} wins 70." in shown
        assert "Take this hand in" in shown

    def test_an_organiser_reads_why_a_late_hand_waits(self, organiser, game, boss):
        assert "The game stays over" in text(organiser.get(reverse("late_hands", args=[game.pk])))
        reopen_evening(game.league, game.evening, by=boss, reason="Too early")
        page = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert "no longer plays here" in page
        League.objects.filter(pk=game.league_id).update(
            starts_on=game.evening - timedelta(days=9), ends_on=game.evening - timedelta(days=1)
        )
        page = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert "no longer plays here" not in page
        assert "after the season had ended" in page

    def test_an_organiser_reads_how_a_late_hand_was_won(self, organiser, game, phone):
        sent = {"discarder": game.players[0].pk, "tiles": "", "claimed_limit": "nine_gates"}
        assert ask(phone, game, number=3, key="k3", **sent).json()["outcome"] == "asked"
        shown = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert "<dt>How it was won</dt><dd>self-drawn</dd>" in shown
        assert f"<dd>on {escape(game.players[0].name)}’s discard</dd>" in shown
        assert "<dt>Limit hand</dt><dd>Nine Gates</dd>" in shown

    def test_an_organiser_reads_the_hands_of_the_others_in_a_late_hand(self, organiser, boss):
        game = make_game(
            by=boss, league=make_league(ruleset_version=shipped_version("dmjl", by=boss))
        )
        close_evening(game.league, game.evening, by=boss)
        south, west = game.players[1:3]
        others = {f"other-{west.pk}-tiles": "RRR", "bonus-F1": "on", "winning_tile": "5B"}
        answer = ask(organiser, game, number=1, winner=south.pk, **others)
        assert answer.json()["outcome"] == "asked"
        shown = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert "<dt>Bonus tiles</dt>" in shown
        assert f"<dt>The hand of {escape(west.name)}</dt>" in shown

    def test_an_organiser_reads_what_was_entered_of_a_late_hand_that_cannot_be(
        self, organiser, game, late, boss
    ):
        """The rules of its game are others by now."""
        LateHand.objects.filter(pk=late.pk).update(
            entry={**late.entry, "tiles": "123B 456B 789B 55D", "discarder": game.players[0].pk}
        )
        shown = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert f"<dt>Winner</dt><dd>{escape(game.players[2].name)}</dd>" in shown
        assert f"<dt>Discarder</dt><dd>{escape(game.players[0].name)}</dd>" in shown
        assert "<dt>Tiles</dt><dd>123B 456B 789B 55D</dd>" in shown
        assert "Take this hand in" not in shown

    def test_an_organiser_reads_that_a_late_hand_that_cannot_be_was_self_drawn(
        self, organiser, game, late
    ):
        shown = refused(organiser, game, tiles="222B")
        assert "<dt>How it was won</dt><dd>Self-drawn</dd>" in shown
        shown = refused(organiser, game, self_drawn=False, asks_discarder=False)
        assert "<dt>Discarder</dt><dd>Nobody remembers</dd>" in shown
        assert "<dt>How it was won</dt>" not in shown

    def test_an_organiser_reads_all_that_a_rule_book_asks_of_a_late_hand_that_cannot_be(
        self, organiser, game, late
    ):
        """Its game was moved to a league whose rules ask for nothing of it."""
        east, south, west, north = (player.pk for player in game.players)
        shown = refused(
            organiser,
            game,
            self_drawn=True,
            won_by="replacement",
            winning_tile="5B",
            bonus="F1 Y3",
            flags="original_call riichi",
            value=25,
            dora_indicators="4C 9B",
            liable=north,
            staked=[west, south],
            others=[
                {"player": east, "tiles": "RRR*", "bonus": "F2", "flags": "original_call"},
                {"player": south, "claimed": 1400},
            ],
        )
        names = [escape(player.name) for player in game.players]
        for label, words in {
            "Winner": names[2],
            "How it was won": "Self-drawn (replacement tile)",
            "Winning tile": "5 of Bamboo",
            "What else counts": "Original call, Riichi",
            "Bonus tiles": "Flower 1, Season 3",
            "Value of the line": "25",
            "Dora indicators": "4C 9B",
            "Pays for everybody": names[3],
            "Declared riichi": f"{names[2]}, {names[1]}",
            f"The hand of {names[0]}": "RRR*, Flower 2, Original call",
            f"The hand of {names[1]}": "Score alone: 1,400",
        }.items():
            assert f"<dt>{label}</dt><dd>{words}</dd>" in shown, label
        assert "Take this hand in" not in shown

    def test_an_organiser_reads_what_was_told_of_a_drawn_late_hand_that_cannot_be(
        self, organiser, game, late
    ):
        drawn = {"outcome": "draw", "winner": None, "tiles": "", "self_drawn": False}
        east, south = game.players[:2]
        shown = refused(organiser, game, **drawn, calling=[east.pk, south.pk], abortive=True)
        assert "<dt>Winner</dt><dd>No winner (draw)</dd>" in shown
        assert f"<dt>Calling</dt><dd>{escape(east.name)}, {escape(south.name)}</dd>" in shown
        assert "<dt>Outcome</dt><dd>Broken off</dd>" in shown
        assert "<dt>Discarder</dt>" not in shown

    def test_an_organiser_reads_what_no_rules_know_of_a_late_hand(self, organiser, game, late):
        gone = make_player("Hilde Roos")
        shown = refused(
            organiser, game, won_by="by_luck", winning_tile="7X", liable=gone.pk, discarder=0
        )
        assert "<dt>How it was won</dt><dd>Self-drawn (by_luck)</dd>" in shown
        assert "<dt>Winning tile</dt><dd>7X</dd>" in shown
        assert "<dt>Pays for everybody</dt><dd>Hilde Roos</dd>" in shown

    def test_an_organiser_reads_which_limit_hand_is_none_of_the_rules(self, organiser, game, late):
        LateHand.objects.filter(pk=late.pk).update(
            entry={**late.entry, "tiles": "", "claimed_limit": "seven_twins"}
        )
        shown = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert "<dt>Limit hand</dt><dd>seven_twins</dd>" in shown

    def test_an_organiser_of_a_closed_season_is_led_to_where_it_is_opened(
        self, organiser, late, game
    ):
        League.objects.filter(pk=game.league_id).update(
            ends_on=game.evening, closed_on=game.evening
        )
        shown = text(organiser.get(reverse("late_hands", args=[game.pk])))
        assert reverse("final", args=[game.league.slug]) + "#reopen-title" in shown
        assert "Take this hand in" not in shown

    def test_an_organiser_takes_a_late_hand_in(self, organiser, late, game):
        decide(organiser, late, decision="take")
        assert game.hands.count() == 2
        game.refresh_from_db()
        assert game.finished

    def test_an_organiser_reads_that_nothing_is_taken_in_at_a_withdrawn_game(
        self, organiser, late, game, boss
    ):
        withdraw_game(game, by=boss, reason="Opened twice")
        answer = decide(organiser, late, decision="take")
        assert answer.status_code == 200
        assert "This game was withdrawn: an organiser can restore it." in text(answer)
        assert reverse("restore_game", args=[game.pk]) in text(answer)

    def test_an_organiser_reads_that_nothing_is_taken_in_in_a_closed_season(
        self, organiser, late, game
    ):
        League.objects.filter(pk=game.league_id).update(
            ends_on=game.evening, closed_on=game.evening
        )
        answer = decide(organiser, late, decision="take")
        assert answer.status_code == 200
        assert "This season is closed: an organiser can open it again." in text(answer)

    def test_a_late_hand_is_with_the_organisers_of_a_closed_season(self, phone, late, game):
        """They see it, and take it in once they have opened the season again."""
        League.objects.filter(pk=game.league_id).update(
            ends_on=game.evening, closed_on=game.evening
        )
        assert ask(phone, game).json()["outcome"] == "asked"
        assert list(game.late_hands.waiting()) == [late]

    def test_an_organiser_declines_a_late_hand_with_a_reason(self, organiser, late, game):
        assert decide(organiser, late, decision="decline").status_code == 422
        decide(organiser, late, decision="decline", reason="Logged by another phone")
        late.refresh_from_db()
        assert late.status == "declined"

    def test_an_organiser_reads_that_a_late_hand_was_decided_already(self, organiser, late):
        decide(organiser, late, decision="take")
        assert "decided already" in text(decide(organiser, late, decision="take"))

    def test_an_organiser_reads_of_late_hands_before_closing_the_evening(
        self, organiser, game, boss
    ):
        reopen_evening(game.league, game.evening, by=boss, reason="A slip")
        close = reverse("close_evening", args=[game.league.slug, game.evening])
        assert "1 late hand waits for an organiser." in text(organiser.get(close))


def test_the_players_decide_nothing(phone, game):
    ask(phone, game)
    late = LateHand.objects.get()
    assert phone.get(reverse("late_hands", args=[game.pk])).status_code == 403
    assert decide(phone, late, decision="take").status_code == 403
    assert decide(phone, late, decision="decline").status_code == 403
    assert reverse("late_hands", args=[game.pk]) not in text(phone.get(reverse("home")))
