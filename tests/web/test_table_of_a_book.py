"""A table whose league plays by a rule book, without scripts: what the form asks, and what is kept."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from scoring.models import Hand, LateHand
from scoring.services.evenings import close_evening
from scoring.services.late_hands import take_in_late_hand
from scoring.services.merging import merge_players
from scoring.services.rulesets import shipped_version
from tests.factories import make_game, make_league, make_member, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

PUNGS = "222B* 333B* 55B 222D* GGG"


@pytest.fixture
def table(organiser):
    """Makes a game of a league that plays by the book of a slug, and the client of its first player."""

    def table(slug):
        version = shipped_version(slug, by=organiser)
        game = make_game(league=make_league(ruleset_version=version))
        client = Client()
        client.force_login(make_member(player=game.players[0]))
        return game, client

    return table


def sent(game, place, **entered):
    return {"number": game.next_number, "winner": str(game.players[place].pk), **entered}


def logged(game, client, **entered):
    answer = client.post(f"/games/{game.pk}/hands/", sent(game, 1, **entered))
    assert answer.status_code == 302, answer.content.decode()
    return Hand.objects.latest("pk")


@pytest.mark.parametrize("slug", ["hk", "dmjl", "bmja", "zung-jung", "american-1922", "card"])
def test_the_pages_of_a_table_open(table, slug):
    game, client = table(slug)
    entered = {"discarder": "self", "tiles": "222B 333B 444B 55B GGG"}
    if slug == "card":
        entered = {"discarder": "self", "value": "25"}
    page = client.get(f"/games/{game.pk}/").content.decode()
    for name, asked in {
        "won_by": slug not in ("card",),
        "bonus-F1": slug not in ("zung-jung", "card"),
        "liable": slug in ("hk", "dmjl", "bmja"),
        "value": slug == "card",
        "flag-jokerless": slug == "card",
        "winning_tile": slug != "card",
        f"other-{game.players[0].pk}-tiles": slug in ("dmjl", "bmja", "american-1922"),
    }.items():
        assert (f'name="{name}"' in page) is asked, name
    hand = logged(game, client, **entered)
    paths = ["", "correct/", "void/", "history/", "pass-the-phone/", "picture.png"]
    own = [f"/hands/{hand.pk}/{path}" for path in paths]
    others = (game, game.league, game.players[1])
    for path in (*own, *(thing.get_absolute_url() for thing in others), "/"):
        expected = 404 if slug == "card" and path.endswith(".png") else 200
        assert client.get(path).status_code == expected, path


def test_all_that_a_table_enters_is_kept_and_given_back(table):
    game, client = table("dmjl")
    first, winner, third, fourth = (player.pk for player in game.players)
    entered = {
        "tiles": "2222B*# 222D* 345B 55B GGG",
        "discarder": str(first),
        "won_by": "robbing_kong",
        "winning_tile": "3B",
        "bonus-F1": "on",
        "bonus-Y2": "on",
        "flag-original_call": "on",
        f"other-{third}-tiles": "RRR* 9999D# 5C",
        f"other-{third}-bonus-F3": "on",
        f"other-{fourth}-claimed": "24",
    }
    hand = logged(game, client, **entered)
    assert (hand.won_by, hand.winning_tile, hand.bonus) == ("robbing_kong", "3B", "F1 Y2")
    assert hand.flags == "original_call"
    assert [meld for meld in hand.melds if meld.get("claimed")]
    page = client.get(f"/hands/{hand.pk}/").content.decode()
    for words in (
        "Robbing a kong",
        "Flower 1, Season 2",
        "Original call",
        "The hands of the others",
        "doubled for the dealer",
        f"/rules/dmjl/?version=1#{hand.card['double_report'][0]['rule']}",
    ):
        assert words in page, words
    history = client.get(f"/hands/{hand.pk}/history/").content.decode()
    assert "Bonus tiles: Flower 1, Season 2" in history
    scored = {other["player"]: other["final"] for other in hand.others}
    listed = ", ".join(f"{player} {scored[player.pk]}" for player in game.players[2:])
    assert f"The hands of the others: {listed}" in history
    undone = client.post(f"/hands/{hand.pk}/undo/", headers={"Accept": "application/json"})
    fields = dict(undone.json()["fields"])
    assert {name: fields.get(name) for name in entered} == entered
    again = logged(game, client, **{**fields, "winner": str(winner), "key": ""})
    for name in ("melds", "others", "bonus", "flags", "won_by", "winning_tile", "final"):
        assert getattr(again, name) == getattr(hand, name), name


def test_who_is_second_sees_the_hands_of_the_others_and_can_correct_the_hand_there(table):
    game, client = table("bmja")
    third = game.players[2]
    entered = {"tiles": PUNGS, "discarder": "self", "bonus-F1": "on"}
    hand = logged(game, client, **entered, **{f"other-{third.pk}-claimed": "24"})
    second = {**sent(game, 1, **entered), "number": 1, f"other-{third.pk}-claimed": "20"}
    refused = client.post(f"/games/{game.pk}/hands/", second)
    page = " ".join(refused.content.decode().split())
    assert refused.status_code == 409
    assert "Bonus tiles: Flower 1" in page
    assert f"The hands of the others: {third} 24" in page
    assert f'href="/hands/{hand.pk}/correct/">Correct hand 1</a>' in page


@pytest.mark.parametrize("slug", ["bmja", "hk", "riichi"])
def test_an_empty_form_leads_to_the_next_hand(table, slug):
    """Where somebody else was first: there is nothing to decide."""
    game, client = table(slug)
    logged(game, client, tiles="222B 333B 44D 222D GGG", discarder="self", winning_tile="G")
    page = client.get(f"/games/{game.pk}/")
    form = page.context["form"]
    empty = {name: form[name].value() or "" for name in form.fields} | {"number": 1}
    answer = client.post(f"/games/{game.pk}/hands/", empty, follow=True)
    assert answer.redirect_chain == [(f"/games/{game.pk}/", 302)]
    assert "Hand 1 is already logged. The next one is number 2." in answer.content.decode()


def test_a_correction_begins_with_all_that_was_told(table):
    game, client = table("dmjl")
    third = game.players[2].pk
    entered = {"bonus-F1": "on", f"other-{third}-tiles": "RRR*", "winning_tile": "G"}
    hand = logged(game, client, tiles=PUNGS, discarder="self", **entered)
    page = client.get(f"/hands/{hand.pk}/correct/")
    fields = {
        name: page.context["form"][name].value() or "" for name in page.context["form"].fields
    }
    assert {name: fields[name] for name in entered} == entered
    changed = {**fields, "tiles": PUNGS.replace("333B", "444B"), "reason": "Four", "step": "see"}
    looked = client.post(f"/hands/{hand.pk}/correct/", changed)
    assert looked.status_code == 200
    kept = dict(looked.context["kept"])
    applied = {**kept, "seen": looked.context["changes"].etag, "step": "apply"}
    client.post(f"/hands/{hand.pk}/correct/", applied)
    corrected = Hand.objects.get(supersedes=hand)
    assert (corrected.bonus, corrected.winning_tile) == ("F1", "G")
    assert corrected.others == hand.others


def test_what_the_rules_do_not_know_is_refused_at_its_place(table):
    game, client = table("hk")
    other = game.players[2].pk
    for entered, words in (
        ({"flag-original_call": "on"}, "does not know “original_call”"),
        ({f"other-{other}-claimed": "8"}, "only the winner’s hand scores"),
        ({"won_by": "robbing_kong"}, "contradicts"),
        ({"winning_tile": "9C"}, "not among the tiles"),
        ({"liable": str(game.players[1].pk)}, "does not pay for everybody"),
    ):
        body = sent(game, 1, tiles=PUNGS, discarder="self", **entered)
        answer = client.post(f"/games/{game.pk}/hands/", body)
        assert answer.status_code == 422
        assert words in answer.content.decode(), words
    assert not Hand.objects.exists()


def test_a_form_without_the_tile_that_opens_a_set_is_asked_for_it(table):
    game, client = table("dmjl")
    entered = {"discarder": str(game.players[0].pk), "tiles": "222B 345B 555D 222D NN"}
    for address, status in (("hands", 422), ("preview", 200)):
        answer = client.post(f"/games/{game.pk}/{address}/", sent(game, 1, **entered))
        assert answer.status_code == status
        assert "Tap the winning tile." in answer.content.decode()
    assert logged(game, client, **entered, winning_tile="N").final == 76


ODD_IDS = ["²", "9" * 19, "9" * 18, "-1", "draw", "null", "1e400", "🀄", "٣"]


def test_a_form_with_somebody_liable_from_elsewhere_is_refused(table):
    game, client = table("hk")
    elsewhere = str(make_player().pk)
    names = ", ".join(player.name for player in game.players)
    refusal = escape(f"This player does not sit at the table. Choose one of {names}.")
    addresses = [f"/games/{game.pk}/{path}/" for path in ("hands", "preview")]
    for liable in (elsewhere, *ODD_IDS):
        entered = {"discarder": str(game.players[0].pk), "tiles": PUNGS, "liable": liable}
        for address in addresses:
            answer = client.post(address, sent(game, 1, **entered))
            assert answer.status_code == (422 if "hands" in address else 200), liable
            assert refusal in answer.content.decode(), liable
    assert not Hand.objects.exists()


def test_a_correction_names_who_pays_for_everybody_at_the_table(table):
    game, client = table("hk")
    hand = logged(game, client, discarder=str(game.players[0].pk), tiles=PUNGS)
    entered = {"discarder": str(game.players[0].pk), "tiles": PUNGS, "reason": "A slip"}
    for liable in (str(make_player().pk), "²", "9" * 19):
        body = sent(game, 1, **entered, number=1, step="apply", liable=liable)
        answer = client.post(f"/hands/{hand.pk}/correct/", body)
        assert answer.status_code == 422, liable
        assert "does not sit at the table" in answer.content.decode()
    assert Hand.objects.get() == hand


@pytest.mark.parametrize("slug", ["hk", "zung-jung"])
def test_a_field_that_no_form_has_is_refused_by_its_name(table, slug):
    game, client = table(slug)
    others = {f"other-{10**6 + number}-claimed": "8" for number in range(9)}
    for name, entered in (
        ("bonus-F9", {"bonus-F9": "on"}),
        ("staked-²", {"staked-²": "on"}),
        ("calling-" + "9" * 19, {"calling-" + "9" * 19: "on"}),
        ("other-²-tiles", {"other-²-tiles": "222B"}),
        (f"other-{10**6 + 8}-claimed", others),
    ):
        body = sent(game, 1, tiles=PUNGS, discarder=str(game.players[0].pk), **entered)
        answer = client.post(f"/games/{game.pk}/hands/", body)
        assert answer.status_code == 422, name
        assert f"has no field “{name}”" in answer.content.decode(), name
    assert not Hand.objects.exists()


def test_the_preview_shows_the_scores_of_the_losers(table):
    game, client = table("dmjl")
    entered = {f"other-{game.players[2].pk}-tiles": "RRR*", "tiles": PUNGS, "discarder": "self"}
    answer = client.post(
        f"/games/{game.pk}/preview/", sent(game, 1, **entered), headers={"HX-Request": "true"}
    )
    assert "hand: 8" in answer.content.decode()


def test_a_score_alone_may_go_on_while_it_is_typed(table):
    game, client = table("hk")
    entered = sent(game, 1, discarder="self", claimed_final="3")
    answer = client.post(f"/games/{game.pk}/preview/", entered, headers={"HX-Request": "true"})
    assert "preview__todo" in answer.content.decode()


def test_what_was_typed_before_signing_in_is_kept(table):
    game, _client = table("dmjl")
    entered = {"tiles": PUNGS, f"other-{game.players[2].pk}-bonus-F1": "on", "won_by": "last_tile"}
    visitor = Client()
    visitor.post(f"/games/{game.pk}/hands/", sent(game, 1, **entered))
    [draft] = visitor.session["typed"].values()
    assert entered.items() <= draft.items()


def test_a_late_hand_waits_with_all_that_was_told(table, organiser):
    game, client = table("dmjl")
    close_evening(game.league, game.evening, by=organiser)
    entered = {
        "tiles": PUNGS,
        "discarder": "self",
        "key": "late",
        "won_by": "last_tile",
        "bonus-F1": "on",
        f"other-{game.players[2].pk}-tiles": "RRR*",
    }
    asked = client.post(f"/games/{game.pk}/late/", sent(game, 1, **entered))
    assert asked.json()["outcome"] == "asked", asked.json()
    take_in_late_hand(LateHand.objects.get(), by=organiser)
    hand = Hand.objects.get()
    assert (hand.won_by, hand.bonus, hand.others[0]["final"]) == ("last_tile", "F1", 8)


def test_a_table_costs_as_many_queries_for_one_hand_as_for_three(table, django_assert_num_queries):
    game, client = table("dmjl")
    logged(game, client, tiles=PUNGS, discarder="self")
    with CaptureQueriesContext(connection) as one:
        client.get(f"/games/{game.pk}/")
    queries = len(one)
    for _hand in range(2):
        game.refresh_from_db()
        logged(game, client, tiles="", discarder="self", claimed_limit="moon")
    with django_assert_num_queries(queries):
        client.get(f"/games/{game.pk}/")


def test_a_correction_keeps_what_it_says_of_a_player_who_was_merged_meanwhile(table, organiser):
    game, client = table("dmjl")
    hand = logged(game, client, discarder="self", tiles=PUNGS, winning_tile="5B")
    west = game.players[2]
    other = f"other-{west.pk}-claimed"
    entered = sent(game, 1, discarder="self", tiles=PUNGS, winning_tile="5B") | {other: "40"}
    kept = make_player("Kept")
    merge_players(kept, west, by=organiser)
    entered |= {"step": "edit", "reason": "West had a kong", "number": "1", "key": "k"}
    again = client.post(f"/hands/{hand.pk}/correct/", entered)
    assert again.context["form"][f"other-{kept.pk}-claimed"].value() == "40"
    assert f'name="other-{kept.pk}-claimed" value="40"' in again.content.decode()
    looked = client.post(f"/hands/{hand.pk}/correct/", {**entered, "step": "see"})
    assert looked.status_code == 200
    assert f'name="other-{kept.pk}-claimed" value="40"' in looked.content.decode()
