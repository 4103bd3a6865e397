"""Who changed what: the audit on a page for owners, and as a file."""

import ast
import re
from datetime import timedelta
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.formats import date_format
from openpyxl import load_workbook

from scoring.models import AuditEntry, FirstRun, NoticeKind, club_day
from scoring.models.permissions import Role, Scope
from scoring.queries.seasons import final_rows
from scoring.queries.trail import CHANGE, acts_in_words, trail
from scoring.queries.trail_words import ACTIONS, DETAILS
from scoring.services.accounts import choose_language
from scoring.services.audit import log_audit
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.guests import add_guest, answer_claim, claim_guest
from scoring.services.invitations import invite
from scoring.services.leagues import add_league, change_league
from scoring.services.leaving import mark_as_left
from scoring.services.merging import merge_players
from scoring.services.people import add_player, change_player
from scoring.services.people_lists import PersonEntry, add_people
from scoring.services.pins import Proof, change_pin, set_pin
from scoring.services.roles import take_role
from scoring.services.seasons import close_season
from scoring.services.seating import sit_down
from scoring.services.sessions import close_account
from scoring.services.standing_rules import change_standing_rules
from scoring.services.tokens import make_token
from scoring.services.unsubscribing import unsubscribe
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
    make_table,
    ruleset_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    user = make_owner("olga", player=make_player("Olga"))
    client.force_login(user)
    return user


def words(client, **asked):
    page = client.get("/trail/", asked).content.decode()
    return " ".join(page.split())


def lines(client, **asked):
    return b"".join(client.get("/trail/trail.csv", asked)).decode("utf-8-sig").splitlines()


def test_a_change_is_told_in_words(client, owner):
    player = add_player("Ane", by=owner)
    change_player(player, name="Ann", active=False, by=owner)
    page = words(client)
    assert "<strong>Olga</strong> changed a player" in page
    assert f'<a href="{player.get_absolute_url()}">Player: Ann</a>' in page
    assert "Name: <del>Ane</del> → <ins>Ann</ins>" in page
    assert "Active: <del>yes</del> → <ins>no</ins>" in page


def test_a_choice_and_another_row_are_named(client, owner):
    book = ruleset_version("book")
    league = add_league("winter", name="Winter", ruleset_version=ruleset_version(), by=owner)
    change_league(league, visibility="members", ruleset_version=book, by=owner)
    page = words(client)
    assert "Visible to: <del>Everybody</del> → <ins>Members only</ins>" in page
    assert "Rule set: <del>Club, version 1</del> → <ins>Book, version 1</ins>" in page


def test_a_detail_is_told_in_words_and_a_row_by_its_name(client, owner):
    guest = add_guest("Zoë", by=owner)
    asker = make_member("anneke")
    answer_claim(claim_guest(guest, by=asker), agree=True, by=owner)
    invite(make_player("Bob"), by=owner)
    page = words(client)
    assert "asked by: anneke" in page
    assert "was that guest: yes" in page
    assert "player: Bob" in page
    assert "Invitation: Bob" in page


def test_what_was_done_to_others_just_before_is_no_part_of_an_act(owner):
    others = make_organiser("first"), make_member("second")
    left, closed = make_member("third"), make_member("fourth")
    players = [make_player(user=account) for account in (left, closed)]
    take_role(others[0], Role.ORGANISER, by=owner)
    close_account(others[1], by=owner)
    mark_as_left(players[0], closes=False, takes_role=False, by=owner)
    mark_as_left(players[1], closes=True, takes_role=False, by=owner)
    acts = acts_in_words(list(trail(by=owner)), owner)
    shown = [(act.what, [part.what for part in act.parts]) for act in acts]
    assert shown == [
        ("marked somebody as left", ["changed a player", "closed an account"]),
        ("marked somebody as left", ["changed a player"]),
        ("closed an account", []),
        ("took a role away", []),
    ]


def test_what_is_one_act_is_one_entry(client, owner):
    bert = make_player("Bert")
    invite(bert, by=owner)
    AuditEntry.objects.all().delete()
    make_organiser("bert", player=bert)
    mark_as_left(bert, closes=True, takes_role=True, by=owner)
    page = words(client)
    assert page.count("<strong>Olga</strong>") == 1
    assert "marked somebody as left" in page
    assert "<summary>4 more things were done with it</summary>" in page
    assert "took a role away (User: bert)" in page
    assert "people: Bert" in page
    assert {line.split(",")[2] for line in lines(client)[1:]} >= {"closed an account"}


def test_rows_of_the_trail_are_named_as_people_call_them(client, owner):
    guest = make_player("Gerda Gast", guest=True)
    room, _code = make_table("1")
    sit_down(room, 2, by=owner, player=owner.player)
    claim_guest(guest, by=make_member())
    hand = make_hand(make_game(by=owner), by=owner)
    merge_players(owner.player, guest, by=owner)
    page = words(client)
    assert page.count("Player: Gerda Gast") == 2
    assert "seat: West" in page
    assert "table: Table 1" not in page
    four = ", ".join(player.name for player in hand.game.players)
    game = f"{hand.game.league}, {date_format(hand.game.evening)}: {four}"
    assert f">Hand 1 of {game}</a>" in page
    assert f"Game: {game}" in page


def test_a_closed_evening_and_season_are_named_by_league_and_day(client, owner):
    game = make_game(league=make_league("Winter", ends_on=club_day()), by=owner)
    finish_game(game, by=owner)
    day = date_format(game.evening)
    close_evening(game.league, game.evening, by=owner)
    close_season(game.league, by=owner, final_rows=final_rows)
    page = words(client)
    assert f"Closed evening: Winter, {day}" in page
    assert f"Closed season: Winter, {day}" in page


def test_who_became_a_player_later_did_what_was_before_by_the_account(client, owner):
    guest, other = make_player("Gerda Gast", guest=True), make_player("Vera")
    asker, linked = make_member("zoe"), make_member("vera.b")
    claim = claim_guest(guest, by=asker)
    choose_language("nl", by=linked)
    answer_claim(claim, agree=True, by=owner)
    change_player(other, user=linked, by=owner)
    choose_language("en", by=asker)
    page = words(client)
    assert "<strong>account zoe</strong> asked for the games of a guest" in page
    assert "<strong>account vera.b</strong> chose a language" in page
    assert "<strong>Gerda Gast</strong> chose a language" in page


def test_days_are_in_the_language_of_the_reader(client, owner):
    log_audit("move_game", make_game(), by=owner, before={"evening": "2026-03-05"})
    client.cookies["django_language"] = "nl"
    assert "5 maart 2026" in words(client)


@pytest.mark.parametrize("language", ["en", "nl", "zh-hant"])
def test_standing_rules_are_in_the_language_of_the_reader(client, owner, language):
    league = make_league(starts_on=club_day() - timedelta(days=9))
    for points in (5, 10):
        tables = [{"name": "Main", "attendance": {"points": points}}]
        version = change_standing_rules(league, tables, effective_from=club_day(), by=owner)
    client.cookies["django_language"] = language
    page = words(client)
    with translation.override(language):
        assert f"Main: {' '.join(version.in_words()[0])}" in page
    assert page.count("Main: ") == 2


def test_who_seats_others_did_not_sit_down_themselves(client, owner):
    room, _code = make_table("1")
    sit_down(room, 0, by=owner, player=owner.player)
    sit_down(room, 1, by=owner, player=make_player("Vera"))
    sit_down(room, 2, by=owner, guest="Femke")
    page = words(client)
    assert page.count("sat down at a table") == 1
    assert "seated somebody at a table" in page
    assert "seated a guest at a table" in page


def test_words_of_the_program_are_translated(client, owner):
    log_audit("add_second_factor", owner, by=owner, factor="totp")
    log_audit("take_role", owner, by=owner, role="organiser")
    log_audit("new_code", FirstRun.objects.create(pk=1, digest="-", step="done"), by=None)
    page = words(client)
    assert "second factor: a code from an app" in page
    assert "First run: Done" not in page
    assert "totp" not in page


def test_what_was_done_by_a_pin_is_not_said_of_the_server(client, owner):
    player = make_player("Ann")
    change_pin(player, "4711", proof=Proof(player.pk))
    assert "<strong>somebody with the PIN</strong> changed a PIN" in words(client)


def test_what_a_mail_s_link_ended_is_not_said_of_its_reader(client, owner):
    unsubscribe(make_member("mia").pk, NoticeKind.RECAP)
    page = words(client)
    assert "<strong>somebody with the link in a mail</strong> ended mails of one kind" in page


def test_a_list_is_one_entry_that_opens_to_its_people(client, owner):
    add_people([PersonEntry("Ann Lee"), PersonEntry("Bob Ode")], by=owner)
    assert AuditEntry.objects.count() == 1
    page = words(client)
    assert "added people from a list" in page
    assert "<summary>people: 2</summary>Ann Lee, Bob Ode</details>" in page
    assert lines(client)[1].endswith('people,,"Ann Lee, Bob Ode"')


def test_what_goes_without_saying_is_not_said(client, owner):
    set_pin(make_player("Ann"), "4711", by=owner)
    assert "the PIN was removed" not in words(client)


def test_the_trail_offers_only_subjects_that_have_entries(client, owner):
    add_player("Ane", by=owner)
    offered = re.findall(r'<option value="(\w+)"', words(client).partition('name="subject"')[2])
    assert offered == ["player"]


def test_entries_of_before_tell_what_was_there(client, owner):
    player = make_player("Ann")
    log_audit("change_player", player, by=owner, before={"name": "Ane"})
    log_audit("delete_at_desk", player, by=None, was="Bob")
    log_audit("came_with_a_later_version", player, by=User(pk=4711), other=["x"])
    page = words(client)
    assert "Name: <del>Ane</del> → <ins>…</ins>" in page
    assert "<strong>the server</strong>" in page
    assert "<strong>a former member</strong> came with a later version" in page


def test_the_trail_is_filtered_by_who_what_and_when(client, owner):
    ann = make_owner("ann", player=make_player("Ann"))
    bob = add_player("Bob", by=ann)
    add_league("winter", name="Winter", ruleset_version=ruleset_version(), by=owner)
    assert len(lines(client)) == 3
    assert [line.split(",")[1] for line in lines(client, by=ann.pk)[1:]] == ["Ann"]
    assert [line.split(",")[3] for line in lines(client, subject="player")[1:]] == [
        f"Player: {bob}"
    ]
    assert len(lines(client, day="2020-01-01")) == 1
    assert client.get("/trail/", {"day": "soon"}).status_code == 422


def test_the_trail_costs_the_same_for_one_entry_and_for_a_page(client, owner):
    def cost():
        with CaptureQueriesContext(
            connection,
        ) as queries:
            words(client)
        return len(queries)

    player = add_player("Ann", by=owner)
    one = cost()
    for number in range(60):
        change_player(player, name=f"Ann {number}", by=owner)
        add_player(f"Bob {number}", by=make_owner())
    assert cost() == one
    assert "Page 1 of 3" in words(client)


def test_a_spreadsheet_takes_no_name_for_a_formula(client, owner):
    change_player(make_player("Ann"), name="=1+1", by=owner)
    assert lines(client)[1].endswith(",Name,Ann,'=1+1")


def test_the_spreadsheet_has_the_rows_of_the_page(client, owner):
    change_player(make_player("Ann"), name="=1+1", by=owner)
    page = client.get("/trail/", {"subject": "player"}).content.decode()
    assert 'href="/trail/trail.xlsx?subject=player"' in page
    file = client.get("/trail/trail.xlsx", {"subject": "player"})
    assert file.headers["Content-Disposition"] == 'attachment; filename="trail.xlsx"'
    [headings, row, *_others] = load_workbook(BytesIO(file.content)).active.values
    assert ",".join(headings) == lines(client)[0].lstrip("\ufeff")
    assert row[-3:] == ("Name", "Ann", "=1+1")
    client.force_login(make_member())
    assert client.get("/trail/trail.xlsx").status_code == 403


def test_the_trail_holds_no_secret(client, owner):
    token, text = make_token("Board", [Scope.READ], by=owner)
    set_pin(owner.player, "4711", by=owner)
    make_member(password="three green dragons")
    file = "\n".join(lines(client))
    assert "made a token" in file
    secrets = (text, token.digest, "4711", owner.player.pin, "three green dragons")
    assert [secret for secret in secrets if secret in f"{file}{words(client)}"] == []


def test_hands_lead_to_their_page(client, owner):
    hand = make_hand(make_game(by=owner), by=owner)
    assert f'href="{hand.get_absolute_url()}"' in words(client, subject="hand")


def test_nothing_is_said_where_nothing_was_done(client, owner):
    assert not AuditEntry.objects.exists()
    assert "Nothing was changed" in words(client)


@cache
def nodes_of_the_site():
    trees = [ast.parse(path.read_text()) for path in Path("scoring").rglob("*.py")]
    return [node for tree in trees for node in ast.walk(tree)]


def written_actions():
    """Every action that the code writes into the audit."""
    nodes = nodes_of_the_site()
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.args.args]
    writers = {node.name for node in defined if node.args.args[0].arg == "action"}
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    named = [call.args[0] for call in calls if getattr(call.func, "id", "") in writers]
    # The administration names them in its classes: added, changed = "…", "…".
    pairs = [node for node in nodes if isinstance(node, ast.Assign)]
    for pair in pairs:
        if [getattr(one, "id", "") for one in ast.walk(pair.targets[0])][1:3] == [
            "added",
            "changed",
        ]:
            named += pair.value.elts
    written = {node.value for node in named if isinstance(node, ast.Constant)}
    return {action for action in written if isinstance(action, str)}


def test_every_action_has_words():
    assert {"record_hand", "confirm_hand", "add_at_desk", "add_tables"} <= written_actions()
    assert written_actions() - set(ACTIONS) == set()


def written_details():
    """The name of every detail that a call hands to the audit."""
    calls = [node for node in nodes_of_the_site() if isinstance(node, ast.Call)]
    written = [call for call in calls if getattr(call.func, "id", "") == "log_audit"]
    return {keyword.arg for call in written for keyword in call.keywords if keyword.arg} - {"by"}


def test_every_detail_has_words():
    # Lists and the like are not shown.
    unseen = {"declined", "scopes", "by_link", *CHANGE}
    assert {"asker", "into", "reason"} <= written_details()
    assert written_details() - unseen - set(DETAILS) == set()
