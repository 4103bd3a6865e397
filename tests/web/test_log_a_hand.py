"""Logging a hand in the browser's form: saved once, or refused in words with nothing lost."""

import re

import pytest
from django.urls import reverse

from scoring.models import Game, Hand
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.merging import merge_players
from scoring.services.seats import change_seats
from scoring.services.withdrawals import withdraw_game
from scoring.web.table import log_hand, outcomes, refused_hand, views
from tests.factories import (
    BOOK_HAND,
    make_hand,
    make_member,
    make_organiser,
    make_player,
    make_ruleset_version,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
SCRIPT = {"Accept": "application/json"}


@pytest.fixture
def scorer(client, game):
    """One of the four, signed in."""
    scorer = make_member(player=game.players[0])
    client.force_login(scorer)
    return scorer


@pytest.fixture
def entry(game):
    """What South's win off East sends; change what a test is about."""

    def entry(**changes):
        east, south = game.players[:2]
        sent = {"number": 1, "key": "k1", "winner": south.pk, "discarder": east.pk}
        return {**sent, "tiles": BOOK_HAND, "claimed_final": "", **changes}

    return entry


@pytest.fixture
def log(client, game, scorer):
    def log(sent, **kwargs):
        return client.post(reverse("log_hand", args=[game.pk]), sent, **kwargs)

    return log


@pytest.fixture
def preview(client, game, scorer):
    def preview(sent, headers=HTMX):
        response = client.post(reverse("preview_hand", args=[game.pk]), sent, headers=headers)
        assert response.status_code == 200
        return text(response)

    return preview


def amounts():
    return [payment.amount for payment in Hand.objects.get().payments.order_by("pk")]


class TestSaving:
    def test_a_win_stores_the_hand(self, log, entry, game, scorer):
        response = log(entry(), follow=True)
        assert response.redirect_chain == [(reverse("game", args=[game.pk]), 302)]
        assert f"Hand 1: {game.players[1]} wins 70." in text(response)
        assert "East round, hand 2" in text(response)
        hand = Hand.objects.get()
        assert (hand.final, hand.logged_by, hand.discarder) == (70, scorer, game.players[0])
        assert amounts() == [-140, 280, -70, -70]

    def test_a_self_drawn_win_stores_the_hand(self, log, entry):
        log(entry(discarder="self"))
        hand = Hand.objects.get()
        assert hand.self_drawn
        assert hand.discarder is None

    def test_a_win_without_a_known_discarder_stores_the_hand(self, log, entry):
        log(entry(discarder="unknown"))
        hand = Hand.objects.get()
        assert (hand.self_drawn, hand.discarder) == (False, None)

    def test_a_win_without_a_word_about_the_discard_is_asked_about(self, log, entry):
        response = log(entry(discarder=""))
        assert response.status_code == 422
        assert "Choose the discarder" in text(response)
        assert not Hand.objects.exists()

    def test_nobody_remembers_is_no_answer_where_the_discarder_pays_more(self, log, entry, game):
        version = make_ruleset_version(discarder="double")
        Game.objects.filter(pk=game.pk).update(ruleset_version=version)
        response = log(entry(discarder="unknown"))
        assert response.status_code == 422
        assert "Nobody remembers" not in text(response)
        assert not Hand.objects.exists()

    def test_saving_open_sets_stores_them_as_open(self, log, entry):
        log(entry(tiles=BOOK_HAND.replace("222B", "222B*")))
        assert not Hand.objects.get().concealed

    def test_a_draw_stores_the_hand(self, log, entry):
        response = log(entry(winner="draw", discarder="", tiles=""), follow=True)
        assert "Hand 1: drawn, nobody pays." in text(response)
        assert amounts() == [0, 0, 0, 0]

    def test_a_score_without_tiles_stores_it_as_not_checked(self, log, entry):
        log(entry(tiles="", claimed_final="120"))
        hand = Hand.objects.get()
        assert (hand.final, hand.checked) == (120, False)
        assert amounts() == [-240, 480, -120, -120]

    def test_a_script_is_told_what_the_site_has_and_where_the_game_stands(self, log, entry, game):
        response = log(entry(), headers=SCRIPT)
        answer = response.json()
        hand = Hand.objects.get()
        assert response.status_code == 201
        assert (answer["outcome"], answer["hand"], answer["number"]) == ("taken", hand.pk, 1)
        assert answer["sentence"] == f"Hand 1: {game.players[1]} wins 70."
        assert reverse("undo_hand", args=[hand.pk]) in answer["html"]
        assert answer["word"]["number"] == 2
        assert answer["word"].keys() == {"at", "round", "dealer", "number", "finished"}

    @pytest.mark.parametrize("headers", [{}, SCRIPT], ids=["page", "script"])
    def test_a_double_tap_counts_once(self, log, entry, headers):
        for _tap in range(2):
            response = log(entry(), headers=headers, follow=True)
            assert response.status_code in {200, 201}
            assert "Hand 1:" in text(response)
        assert Hand.objects.count() == 1

    def test_the_last_hand_ends_the_game(self, log, entry, game):
        for number in range(1, 17):
            game.refresh_from_db()
            winner = game.players[(game.dealer_place + 1) % 4]
            response = log(
                entry(number=number, key=f"k{number}", winner=winner.pk, discarder="self"),
                headers=SCRIPT,
            )
        assert response.json()["word"]["finished"]


class TestPreview:
    def test_the_preview_asks_who_discarded(self, preview, entry):
        assert "Choose the discarder" in preview(entry(discarder=""))

    def test_the_preview_of_a_score_that_is_being_typed_is_no_mistake(self, preview, entry):
        shown = preview(entry(tiles="", claimed_final="3"))
        assert "A score lies between 20 and 500." in shown
        assert "preview__problem" not in shown

    def test_the_preview_of_a_score_past_the_limit_says_so(self, preview, entry):
        shown = preview(entry(tiles="", claimed_final="5000"))
        assert "A score lies between 20 and 500." in shown
        assert "preview__problem" in shown

    def test_the_preview_at_a_taken_position_is_that_of_the_next_hand(
        self, preview, log, entry, game
    ):
        make_hand(game, winner=1)
        shown = preview(entry(number=1))
        assert "Hand 1 is already logged" in shown
        assert "As hand 2 yours is:" in shown
        final = re.search(r"preview__final.*</span>(\d+)<", shown)[1]
        log(entry(number=2))
        assert int(final) == game.hands.get(number=2).final

    def test_the_preview_at_a_taken_position_says_what_is_missing(self, preview, entry, game):
        make_hand(game, winner=1)
        shown = preview(entry(number=1, tiles="222B"))
        assert "Hand 1 is already logged" in shown
        assert "Still needed: three more sets and a pair." in shown
        assert "yours is" not in shown

    def test_the_preview_is_the_hand_that_will_be_saved(self, preview, log, entry, game):
        shown = preview(entry())
        assert "70</p>" in shown
        for amount in ("−140", "+280", "−70"):
            assert amount in shown
        assert f"{game.players[1]} deals next." in shown
        assert not Hand.objects.exists()

    @pytest.mark.parametrize(
        ("tiles", "words"),
        [
            ("", "Still needed: four sets and a pair, or the final score alone."),
            ("222B", "Still needed: three more sets and a pair."),
            ("222B 345B RRRR", "Still needed: one more set and a pair."),
            ("222B 345B 222D GGG", "Still needed: a pair."),
            ("222B 345B 55B GGG", "Still needed: one more set."),
            ("2B 2B 3B 7C", "Still needed: 10 more tiles."),
        ],
    )
    def test_the_preview_says_what_is_still_to_come(self, preview, entry, tiles, words):
        assert words in preview(entry(tiles=tiles))

    def test_the_preview_asks_for_the_winner_first(self, preview, entry):
        assert "Tap who won." in preview(entry(winner="", discarder="", tiles=""))

    def test_the_preview_of_a_draw_says_who_deals(self, preview, entry, game):
        shown = preview(entry(winner="draw", discarder="", tiles=""))
        assert f"{game.players[0]} deals again." in shown

    def test_the_preview_of_a_hand_that_does_not_win_says_why(self, preview, entry):
        shown = preview(entry(tiles="222B 345B 55B 222D GG 9C"))
        assert "9" in shown
        assert "preview__problem" in shown

    def test_the_preview_names_what_cannot_be(self, preview, entry):
        assert "preview__problem" in preview(entry(tiles="22222B 345B 55B 222D GG"))

    def test_the_preview_tells_that_another_scorer_was_first(self, preview, entry, game):
        make_hand(game)
        assert "Hand 1 is already logged" in preview(entry())

    def test_the_preview_without_scripts_is_the_page_with_everything_kept(self, preview, entry):
        shown = preview(entry(), headers={})
        assert "<html" in shown
        assert f'value="{BOOK_HAND}"' in shown
        assert "+280" in shown


class TestRefusals:
    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"winner": ""}, "Say who won, or log the hand as a draw."),
            ({"winner": "999999"}, "This player does not sit at the table."),
            ({"discarder": "x"}, "This player does not sit at the table."),
            ({"tiles": "222B 345B 5X 222D GGG"}, "5X"),
            ({"tiles": "22222B 345B 55B 222D GG"}, "a wall has four"),
            ({"tiles": "222B"}, "3 tiles"),
            ({"claimed_final": "120"}, "Enter the tiles or the score"),
            ({"tiles": "", "claimed_final": "73"}, "Scores are rounded to 10 here."),
            ({"tiles": "", "claimed_final": "9000"}, "A score lies between 20 and 500."),
            ({"tiles": "", "claimed_final": "lots"}, "Enter a whole number."),
            ({"winner": "draw"}, "A drawn hand has none"),
            ({"number": "x"}, "Enter a whole number."),
        ],
    )
    def test_refusals_of_a_hand_are_sentences_and_keep_what_was_entered(
        self, log, entry, changes, sentence
    ):
        sent = entry(**changes)
        answer = log(sent, headers=SCRIPT)
        assert (answer.status_code, answer.json()["outcome"]) == (422, "refused")
        assert any(sentence in reason for reason in answer.json()["reasons"])
        assert sentence in answer.json()["html"]
        response = log(sent)
        assert response.status_code == 422
        assert sentence in text(response)
        assert f'value="{sent["tiles"]}"' in text(response) or not sent["tiles"]
        assert response.context["form"]["winner"].value() == str(sent["winner"])
        assert not Hand.objects.exists()

    @pytest.mark.parametrize("address", ["log_hand", "preview_hand"])
    def test_a_hand_of_a_closed_evening_is_in_the_form_again(
        self, client, scorer, entry, game, organiser, address
    ):
        close_evening(game.league, game.evening, by=organiser)
        response = client.post(reverse(address, args=[game.pk]), entry())
        assert response.status_code == 403
        assert "is closed: ask an organiser" in text(response)
        assert entry()["tiles"] in response.content.decode()

    @pytest.mark.each_case
    @pytest.mark.parametrize("address", ["log_hand", "preview_hand"])
    def test_a_hand_of_another_in_a_closed_evening_is_said_to_be_so(
        self, client, scorer, entry, game, organiser, address
    ):
        close_evening(game.league, game.evening, by=organiser)
        response = client.post(reverse(address, args=[game.pk]), entry(user=organiser.pk))
        assert response.status_code == 403
        assert text(response).count("Somebody else was signed in when this was entered.") == 1

    def test_who_may_log_no_hand_is_not_asked_to_save_one_of_another(
        self, client, log, entry, scorer
    ):
        client.force_login(make_member())
        response = log(entry(user=scorer.pk))
        assert response.status_code == 403
        assert "Save it again" not in text(response)

    def test_a_hand_of_a_withdrawn_game_is_in_the_form_again_for_its_four_alone(
        self, log, client, entry, game, organiser
    ):
        withdraw_game(game, by=organiser, reason="Wrong table")
        response = log(entry())
        assert response.status_code == 403
        assert "This game was withdrawn" in text(response)
        assert entry()["tiles"] in response.content.decode()
        client.force_login(make_member())
        response = log(entry())
        assert response.status_code == 403
        assert "This game was withdrawn" in text(response)
        assert entry()["tiles"] not in response.content.decode()

    def test_a_faulty_hand_of_who_may_log_none_here_is_refused_as_such(self, client, log, entry):
        client.force_login(make_member())
        response = log(entry(tiles="222B"))
        assert response.status_code == 403
        assert "Only the four players of this table" in text(response)

    def test_an_organiser_is_told_what_helps_in_a_closed_evening(
        self, client, log, entry, game, organiser
    ):
        close_evening(game.league, game.evening, by=organiser)
        client.force_login(organiser)
        response = log(entry())
        assert response.status_code == 409
        assert "Open it again to log this hand" in text(response)

    @pytest.mark.parametrize("role", ["winner", "discarder"])
    def test_who_was_replaced_since_the_hand_was_entered_is_named(self, log, entry, game, role):
        """The phone held the hand, or Undo gave it back."""
        left, ann = game.players[2], game.players[1]
        sent = entry(**{"discarder": ann.pk, "winner": ann.pk, role: left.pk})
        for name in ("Carl Baker", "Dora Smith"):
            sitting = Game.objects.get(pk=game.pk).players
            came = [*sitting[:2], make_player(name), sitting[3]]
            change_seats(game, came, by=make_organiser(), reason="Went home")
        names = ", ".join(player.name for player in Game.objects.get(pk=game.pk).players)
        sentence = (
            f"{left.name} does not play at this table any more: Dora Smith plays instead. "
            f"Choose one of {names}."
        )
        answer = log(sent, headers=SCRIPT)
        assert answer.status_code == 422
        assert answer.json()["reasons"] == [sentence]
        assert sentence in answer.json()["html"]

    def test_a_hand_that_pays_more_than_can_be_kept_is_refused(self, log, entry, monkeypatch):
        """A club's own table of faan and its base can multiply to more than an integer of PostgreSQL."""
        monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 1_000)
        sent = entry(tiles="", claimed_final=100)
        assert log(sent, headers=SCRIPT).json()["outcome"] == "taken"
        sent = entry(tiles="", claimed_final=500, number=2, key="k2")
        answer = log(sent, headers=SCRIPT)
        assert answer.status_code == 422
        assert answer.json()["reasons"] == [
            "By these rules this hand pays more than 1,000 points: nobody can keep that. Change the rules."
        ]

    def test_a_limit_hand_of_other_rules_is_refused_without_identifiers(self, log, preview, entry):
        """The game was moved to a league with other rules while the hand waited."""
        sent = entry(tiles="", claimed_limit="seven_twins")
        refusal = "The rules of this table do not have this limit hand. Choose another one, or enter the tiles."
        assert log(sent, headers=SCRIPT).json()["reasons"] == [refusal]
        shown = preview(sent)
        assert refusal in shown
        assert "big_three_dragons" not in shown

    def test_the_winner_is_not_the_discarder(self, log, entry, game):
        response = log(entry(discarder=game.players[1].pk))
        assert "The winner did not discard the winning tile" in text(response)


def test_a_refusal_says_for_which_next_number_its_words_are(log, entry, game, monkeypatch):
    """The table is read after the hand was refused: another hand may have come in between."""

    def read_late(request, pk, *args, **more):
        make_hand(game)
        return views.table_context(request, pk, *args, **more)

    monkeypatch.setattr(log_hand, "table_context", read_late)
    answer = log(entry(number=2), headers=SCRIPT).json()
    assert answer["reasons"] == ["The next hand is number 1, not 2."]
    assert answer["word"]["number"] == 2
    assert 'data-answered="1"' in answer["html"]


class TestTheSameHandUnderAnotherNumber:
    """Somebody took the hand before it back, and logged this one in its place."""

    @pytest.fixture
    def same(self, log, entry, game):
        log(entry(key="of another phone"))
        return game.hands.get()

    @pytest.fixture
    def refused_anew(self, client, game):
        """The answer to a preview whose page shows that the hand was refused."""
        address = reverse("preview_hand", args=[game.pk])
        headers = {**HTMX, **SCRIPT}
        return lambda sent, there="": client.post(
            address, {**sent, "refused": there}, headers=headers
        ).json()

    def test_a_hand_that_came_early_hears_what_became_of_the_one_before(
        self, log, entry, game, scorer
    ):
        log(entry())
        undo_hand(game.hands.get(), by=scorer)
        answer = log(entry(key="k2", number=2), headers=SCRIPT).json()
        assert answer["reasons"] == [
            "Hand 1 was taken back or declared void: the next hand is number 1, not 2."
        ]

    def test_a_hand_whose_number_is_right_by_now_is_said_to_be_logged(
        self, refused_anew, entry, same
    ):
        refusal = refused_anew(entry(number=2, key="k2"))["refusal"]
        assert refusal["reasons"] == [
            "Hand 1 has the same winner and tiles. The next one is number 2."
        ]
        assert (refusal["position_taken"], refusal["next"]) == (False, 2)
        assert f"{same.winner} wins" in refusal["html"]
        assert "Same hand – discard mine" in refusal["html"]
        assert "save mine as hand 2" in refusal["html"]

    def test_another_hand_whose_number_is_right_by_now_is_refused_no_more(
        self, refused_anew, entry, same
    ):
        assert "refusal" not in refused_anew(entry(number=2, tiles="123B 456B 789B 111D 22D"))

    def test_a_hand_that_is_the_same_no_longer_stands_against_nothing(
        self, refused_anew, entry, same, scorer, game
    ):
        other = HandEntry(number=1, outcome="win", winner=game.players[2].pk, claimed_final=120)
        correct_hand(same, other, by=scorer, reason="It was another one")
        refusal = refused_anew(entry(number=2, key="k2"), "1")["refusal"]
        assert refusal["reasons"] == [
            "Hand 1 no longer has the same winner and tiles. The next one is number 2."
        ]
        assert "Same hand" not in refusal["html"]
        assert "Save it as hand 2" in refusal["html"]

    def test_a_hand_in_a_gap_is_not_said_to_be_early(self, log, entry, game, scorer):
        for key in "abc":
            log(entry(key=key, number=game.next_number, tiles="", claimed_final="100"))
            game.refresh_from_db()
        first, _second, third = game.hands.order_by("number")
        void_hand(first, by=scorer, reason="A slip")
        undo_hand(third, by=scorer)
        answer = log(entry(key="k2", number=1), headers=SCRIPT).json()
        assert answer["reasons"] == ["The next hand is number 3, not 1."]

    def test_of_two_that_say_the_same_the_one_at_its_place_is_shown(self, log, entry, game, same):
        log(entry(number=2, key="k2"))
        answer = log(entry(number=2, key="k3"), headers=SCRIPT).json()
        assert answer["reasons"] == ["Hand 2 is already logged. The next one is number 3."]

    def test_the_same_hand_is_shown_instead_of_another_one_at_its_place(
        self, log, entry, game, same
    ):
        make_hand(game, winner=2, tiles="", claimed_final=120)
        answer = log(entry(number=2, key="k2"), headers=SCRIPT).json()
        assert answer["reasons"] == [
            "Hand 1 has the same winner and tiles. The next one is number 3."
        ]
        assert answer["position_taken"]
        assert reverse("hand", args=[same.pk]) in answer["html"]


class TestAnotherScorerWasFirst:
    @pytest.fixture(autouse=True)
    def there(self, game):
        return make_hand(game, winner=2, tiles="", claimed_final=120)

    def test_a_script_is_told_that_the_position_is_taken(self, log, entry, there):
        answer = log(entry(), headers=SCRIPT).json()
        assert (answer["code"], answer["position_taken"]) == ("not_the_next_hand", True)
        assert f"{there.winner} wins 120" in answer["html"]
        assert answer["word"]["number"] == 2

    @pytest.mark.parametrize(("number", "taken"), [(1, True), (2, False)])
    def test_a_script_reads_whether_the_position_is_taken_where_the_game_is_over(
        self, log, entry, game, there, number, taken
    ):
        finish_game(game, by=make_organiser())
        answer = log(entry(number=number), headers=SCRIPT).json()
        assert (answer["code"], answer["position_taken"]) == ("finished", taken)
        assert (reverse("hand", args=[there.pk]) in answer["html"]) is taken

    def test_a_second_scorer_sees_the_first_hand_beside_what_was_entered(self, log, entry, there):
        response = log(entry())
        shown = text(response)
        assert response.status_code == 409
        assert "Hand 1 is already logged" in shown
        assert f"{there.winner} wins 120" in shown
        assert f'href="{reverse("hand", args=[there.pk])}"' in shown
        assert f'value="{BOOK_HAND}"' in shown
        assert Hand.objects.get() == there

    def test_a_second_scorer_may_save_as_the_next_hand(self, log, entry):
        log(entry(as_number=2))
        assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2]

    def test_a_hand_of_a_second_scorer_that_is_sent_twice_counts_once(self, log, entry):
        log(entry(as_number=2))
        assert log(entry(as_number=2)).status_code == 302
        assert Hand.objects.count() == 2

    def test_a_form_that_was_saved_before_is_not_saved_changed(self, log, entry, game):
        log(entry(number=2, key="k2"))
        response = log(entry(number=2, key="k2", discarder="self"))
        assert response.status_code == 409
        assert Hand.objects.count() == 2


class TestWhoMayLog:
    @pytest.mark.parametrize("name", ["log_hand", "preview_hand"])
    def test_a_visitor_who_logs_a_hand_signs_in_first(self, client, game, entry, name):
        response = client.post(reverse(name, args=[game.pk]), entry())
        assert response.status_code == 302
        assert response.url.startswith(reverse("sign_in"))

    @pytest.mark.parametrize("name", ["log_hand", "preview_hand"])
    def test_a_member_from_another_table_may_not(self, client, game, entry, name):
        client.force_login(make_member())
        assert client.post(reverse(name, args=[game.pk]), entry()).status_code == 403
        assert not Hand.objects.exists()

    def test_a_preview_of_a_visitor_costs_no_try_to_sign_in(self, client, game, entry):
        """Two phones that tap at a lost session must not lock the club's address out."""
        address = reverse("preview_hand", args=[game.pk])
        for _tap in range(40):
            assert client.post(address, entry(), headers=HTMX).status_code == 401
        assert not client.session.get("typed")

    def test_a_preview_of_who_no_longer_plays_at_the_table_says_so(self, client, game, entry):
        client.force_login(make_member())
        response = client.post(reverse("preview_hand", args=[game.pk]), entry(), headers=HTMX)
        assert response.status_code == 403
        assert "Only the four players" in response.json()["reasons"][0]

    def test_a_script_of_a_visitor_is_told_to_sign_in(self, client, game, entry):
        response = client.post(reverse("log_hand", args=[game.pk]), entry(), headers=SCRIPT)
        assert (response.status_code, response.json()["outcome"]) == (401, "signedOut")

    def test_a_script_of_somebody_else_logs_nothing(self, log, entry, game):
        """A page that stayed open belongs to the member who opened it."""
        other = make_member(player=game.players[2])
        response = log(entry(user=other.pk), headers=SCRIPT)
        assert (response.status_code, response.json()["outcome"]) == (401, "signedOut")
        assert not Hand.objects.exists()

    def test_a_closed_evening_is_said_by_its_code(self, log, entry, game):
        close_evening(game.league, game.evening, by=make_organiser())
        response = log(entry(), headers=SCRIPT)
        assert (response.status_code, response.json()["code"]) == (403, "evening_closed")
        assert "is closed" in response.json()["reasons"][0]

    def test_the_address_of_logging_cannot_be_read(self, client, game, scorer):
        assert client.get(reverse("log_hand", args=[game.pk])).status_code == 405

    def test_nobody_logs_after_the_end(self, log, entry, game):
        finish_game(game, by=make_organiser())
        response = log(entry())
        assert response.status_code == 409
        assert "This game was ended." in text(response)


def test_a_hand_on_a_phone_names_a_record_that_was_merged_meanwhile(client, game, scorer, entry):
    kept, gone = make_player("Zoë"), game.players[1].pk
    url = reverse("log_hand", args=[game.pk])
    assert client.post(url, entry(), headers=SCRIPT).status_code == 201
    merge_players(kept, game.players[1], by=make_organiser())
    assert client.post(url, entry(winner=gone), headers=SCRIPT).status_code < 300
    assert Hand.objects.get().winner == kept
    second = entry(number=2, key="k2", winner=gone)
    assert client.post(url, second, headers=SCRIPT).status_code == 201
    assert Hand.objects.get(number=2).winner == kept
    unknown = client.post(url, entry(number=3, key="k3", winner=999_999), headers=SCRIPT)
    assert unknown.status_code == 422
    assert "does not sit at the table" in unknown.content.decode()


@pytest.mark.parametrize("field", ["number", "claimed_final"])
def test_a_number_with_an_underscore_is_refused(log, entry, field):
    """Python reads 2_0 as 20."""
    sent = entry(tiles="", claimed_final="80") | {field: "2_0"}
    assert log(sent).status_code == 422
    assert not Hand.objects.exists()


class TestTheTimeOfAnAnswer:
    """Answers overtake each other: the phone takes the one whose time is the latest for where the table stands."""

    @pytest.fixture
    def polled(self, client, game, organiser):
        """The time and next number of a poll that has seen one more hand."""

        def polled():
            make_hand(game, by=organiser)
            page = client.get(reverse("game_live", args=[game.pk])).content.decode()
            return [
                int(re.search(rf'data-{name}="(\d+)"', page)[1]) for name in ("at", "next-number")
            ]

        return polled

    @pytest.mark.parametrize(
        ("changes", "after", "outcome"),
        [
            ({}, (outcomes, "render_to_string"), "taken"),
            ({"winner": ""}, (refused_hand, "render_to_string"), "refused"),
            ({"number": "7"}, (refused_hand, "render_to_string"), "refused"),
        ],
    )
    def test_a_poll_that_has_seen_more_is_the_later_one(
        self, log, entry, monkeypatch, polled, changes, after, outcome
    ):
        """Another hand is logged, and a poll sees it, once the answer knows where the table stands."""
        module, name = after
        polls, carry_on = [], getattr(module, name)

        def meanwhile(*args, **kwargs):
            polls.append(polled())
            return carry_on(*args, **kwargs)

        monkeypatch.setattr(module, name, meanwhile)
        answer = log(entry(**changes), headers=SCRIPT).json()
        assert answer["outcome"] == outcome
        ((at, number),) = polls
        assert answer["word"]["number"] < number
        assert answer["word"]["at"] < at
