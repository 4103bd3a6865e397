"""A hand on a phone names a player who was replaced or merged meanwhile: nothing of it goes silently."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from scoring.services.merging import merge_players
from scoring.services.rulesets import shipped_version
from scoring.services.seats import change_seats
from tests.browser.accessibility import violations
from tests.browser.table_page import TablePage
from tests.factories import make_game, make_league, make_organiser, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DORA = 3


@pytest.fixture
def table(phone, live_server, expect_status):
    """Makes the table of a league that plays by the book of a slug."""
    expect_status(0)
    expect_status(422)

    def table(slug):
        organiser = make_organiser()
        people = [make_player(name) for name in ("Ann", "Ben", "Cid", "Dora")]
        version = shipped_version(slug, by=organiser)
        game = make_game(league=make_league(ruleset_version=version), players=people)
        table = TablePage(phone(user=organiser, width=360), live_server.url, game).open()
        table.page.context.set_offline(True)
        return table

    return table


def refused_as_eve_plays(table):
    """Save without a network; Eve takes the place of Dora before it is sent. Returns the refusal."""
    table.save().waits("waits")
    eve = make_player("Eve")
    seats = [*table.game.players[:DORA], eve]
    change_seats(table.game, seats, by=make_organiser(), reason="It was Eve")
    table.page.context.set_offline(False)
    refusal = table.page.locator("[data-refusal]")
    expect(refusal).to_contain_text("Dora does not play at this table any more")
    expect(table.page.locator("[data-seats-row]")).to_contain_text("Eve")
    return refusal, eve


def with_her_hand(table):
    """South off East; Dora shows a pair of red dragons in a hand of her own."""
    dora = table.game.players[DORA].pk
    table.seed_hand().tap("[data-last-tile='5B']").tap("[data-opens=others]")
    table.tap(f"[data-loser='{dora}'] summary")
    table.page.locator(f"[name='other-{dora}-tiles']").fill("RRR")
    return table


def as_she_pays(table):
    """South draws the winning tile; Dora pays for everybody."""
    dora = table.game.players[DORA].pk
    table.won(1, 1).tiles("2B", "3B", "4B", "G", "5B").tap("[data-last-tile='5B']")
    table.tap("[data-opens=special]").tap(f"label:has([name=liable][value='{dora}'])")
    return table


def words_of_who_left(table):
    return table.page.get_by_text("plays here no longer").locator("visible=true")


@pytest.mark.thorough
def test_the_hand_of_somebody_who_was_replaced_is_not_dropped_by_save(table):
    table = with_her_hand(table("dmjl"))
    refusal, _eve = refused_as_eve_plays(table)
    table.save()
    expect(table.page.locator("[data-save]")).to_be_enabled()
    expect(refusal).to_contain_text("Dora does not play at this table any more")
    assert not Hand.objects.exists()


@pytest.mark.thorough
def test_the_hand_of_somebody_who_was_replaced_becomes_that_of_who_came(table):
    table = with_her_hand(table("dmjl"))
    refusal, eve = refused_as_eve_plays(table)
    refusal.get_by_role("link", name="Tiles").click()
    assert not violations(table.page)
    table.page.get_by_role("button", name="It is the hand of Eve").click()
    expect(table.page.locator(f"[name='other-{eve.pk}-tiles']")).to_have_value("RRR")
    expect(words_of_who_left(table)).to_be_hidden()
    table.save().saved("Hand 1")
    [other] = Hand.objects.get().others
    assert (other["player"], other["tiles"]) == (eve.pk, "R R R")


@pytest.mark.thorough
def test_who_pays_for_everybody_is_asked_again_when_they_were_replaced(table):
    table = as_she_pays(table("hk"))
    refusal, eve = refused_as_eve_plays(table)
    table.save()
    expect(table.page.locator("[data-save]")).to_be_enabled()
    expect(refusal).to_contain_text("Dora does not play at this table any more")
    table.tap("[data-opens=special]")
    expect(words_of_who_left(table)).to_be_visible()
    table.tap(f"label:has([name=liable][value='{eve.pk}'])")
    expect(words_of_who_left(table)).to_be_hidden()
    table.save().saved("Hand 1")
    assert Hand.objects.get().liable == eve


@pytest.mark.thorough
def test_who_declared_riichi_is_asked_again_when_they_were_replaced(table):
    table = table("riichi")
    dora = table.game.players[DORA].pk
    table.draw().tap(f"label:has([name='staked-{dora}'])")
    table.tap(f"label:has([name='calling-{dora}'])")
    refusal, eve = refused_as_eve_plays(table)
    table.save()
    expect(table.page.locator("[data-save]")).to_be_enabled()
    expect(refusal).to_contain_text("Dora does not play at this table any more")
    for name in ("staked", "calling"):
        table.tap(f"label:has([name='{name}-{dora}'])").tap(f"label:has([name='{name}-{eve.pk}'])")
    table.save().saved("Hand 1")
    assert Hand.objects.get().calls == {"staked": [eve.pk], "calling": [eve.pk]}


def merge_dora(table):
    """Her record becomes that of Kay while a hand is in the form of a phone, which is then loaded again."""
    kay = make_player("Kay")
    merge_players(kay, table.game.players[DORA], by=make_organiser())
    table.page.context.set_offline(False)
    table.open()
    return kay


@pytest.mark.thorough
def test_a_winner_who_is_replaced_while_a_hand_is_typed_is_asked_for_again(table):
    table = table("club")
    table.page.context.set_offline(False)
    table.won(DORA, 0).tiles("2B")
    change_seats(
        table.game,
        [*table.game.players[:DORA], make_player("Eve")],
        by=make_organiser(),
        reason="It was Eve",
    )
    expect(table.page.locator("[data-seats-row]")).to_contain_text("Eve")
    notice = table.page.locator("[data-notice]")
    expect(notice).to_contain_text("Who won this hand, or discarded, plays here no longer")
    assert table.text == "222B"
    change_seats(table.game, table.game.players, by=make_organiser(), reason="It was Dora")
    expect(table.page.locator("[data-outcome]")).to_contain_text("Dora, on Ann’s discard")
    expect(notice).to_be_hidden()


@pytest.mark.thorough
def test_a_refusal_for_who_was_replaced_goes_when_they_are_put_back(table):
    table = table("club")
    table.won(DORA, 0).tiles("2B", "2D", "G").key("chow").tiles("3B").key("pair").tiles("5B")
    refusal, _eve = refused_as_eve_plays(table)
    change_seats(table.game, table.game.players, by=make_organiser(), reason="It was Dora")
    expect(table.page.locator("[data-outcome]")).to_contain_text("Dora, on Ann’s discard")
    expect(refusal).to_be_empty()
    table.save().saved("Hand 1")
    assert Hand.objects.get().winner.name == "Dora"


@pytest.mark.thorough
def test_a_hand_that_is_typed_keeps_what_it_says_of_somebody_who_was_merged(table):
    table = with_her_hand(table("dmjl"))
    kay = merge_dora(table)
    expect(table.page.locator(f"[name='other-{kay.pk}-tiles']")).to_have_value("RRR")
    table.save().saved("Hand 1")
    [other] = Hand.objects.get().others
    assert (other["player"], other["tiles"]) == (kay.pk, "R R R")


@pytest.mark.thorough
def test_who_pays_for_everybody_stays_when_their_record_was_merged(table):
    table = as_she_pays(table("hk"))
    kay = merge_dora(table)
    table.save().saved("Hand 1")
    assert Hand.objects.get().liable == kay


@pytest.mark.thorough
def test_winner_and_sticks_stay_when_a_record_was_merged(table):
    table = table("riichi")
    dora = table.game.players[DORA].pk
    table.won(DORA, 1).tiles("2B", "3B", "4B", "G", "5B").tap("[data-last-tile='5B']")
    table.tap(f"label:has([name='staked-{dora}'])")
    kay = merge_dora(table)
    table.save().saved("Hand 1")
    hand = Hand.objects.get()
    assert (hand.winner, hand.calls["staked"]) == (kay, [kay.pk])
