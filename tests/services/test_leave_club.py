"""Leaving, and becoming anonymous: the name is in no row, and no figure changes."""

import json

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.test import Client
from django.utils import timezone

from scoring.models import (
    ApiToken,
    AuditEntry,
    Delivery,
    HandEvent,
    Notice,
    NoticeKind,
    Payment,
    Player,
    Tally,
    WaitingSeat,
    texts,
)
from scoring.models.first_run import FirstRun
from scoring.models.permissions import PermissionDenied, Role, Scope
from scoring.models.roles import role_of
from scoring.models.texts import WITH_NAMES, WITHOUT_NAMES
from scoring.operations.verify import verify
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.anonymity import names_of, ordinary_words
from scoring.services.audit import log_audit
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import void_hand
from scoring.services.idempotency import StoredResponse, idempotent
from scoring.services.invitations import InvitationRefused, invite, join
from scoring.services.leaving import delete_account, leave_club, make_anonymous, mark_as_left
from scoring.services.merging import merge_players
from scoring.services.notices import notify
from scoring.services.people import add_player, change_player
from scoring.services.roles import make_organiser as give_organiser
from scoring.services.seating import sit_down
from scoring.services.sessions import close_account, open_account
from scoring.services.tokens import end_token, make_token
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
    make_table,
)

pytestmark = pytest.mark.django_db

NAME, BEFORE = "Zoë van der Laan", "Zoë Bakker"


@pytest.fixture
def owner():
    return make_owner("rose")


@pytest.fixture
def zoe(owner):
    """A member with a past: two names, a game that is over, and words of others about her."""
    player = add_player(BEFORE, by=owner)
    member = make_member("zvdl", player=player)
    member.email, member.first_name = "zoe@laan.example", "Zoë"
    member.save()
    change_player(player, name=NAME, by=owner)
    game = make_game(players=[player, *(make_player() for _three in range(3))], by=owner)
    make_hand(game, winner=0, by=member)
    wrong = make_hand(game, winner=1, by=owner)
    void_hand(wrong, by=owner, reason=f"{NAME}, who knows, said it was not so")
    book_at_table(game, penalty(game, player, 10), by=owner, reason=f"{BEFORE} was late")
    finish_game(game, by=owner)
    close_evening(game.league, game.evening, by=owner)
    reopen_evening(game.league, game.evening, by=owner, reason=f"For {NAME}", anyway=True)
    answer = StoredResponse(200, {"seats": [{"name": NAME}]})
    idempotent(lambda: answer, by=owner, key="key", call="GET games/1/", body="")
    player.refresh_from_db()
    return player


def rows_that_say(*words):
    """Every row of every table that has one of ``words`` in a column of text."""
    spelled = {spelling for word in words for spelling in (word, json.dumps(word)[1:-1])}
    found = []
    for model in apps.get_models():
        for row in model._base_manager.all():
            for field in model._meta.local_fields:
                if isinstance(field, models.CharField | models.TextField | models.JSONField):
                    value = getattr(row, field.attname)
                    text = value if isinstance(value, str) else json.dumps(value)
                    if any(spelling in text for spelling in spelled):
                        found.append(f"{model.__name__}.{field.name}: {text}")
    return found


def figures():
    return (
        list(Payment.objects.order_by("pk").values_list("player", "amount")),
        list(Tally.objects.order_by("pk").values_list("player", "points", "rating_mu")),
    )


def test_a_name_stands_in_many_kinds_of_rows_before_it_is_taken_out(zoe):
    kinds = {row.split(":")[0] for row in rows_that_say(NAME, BEFORE, "zvdl")}
    assert len(kinds) >= 6, kinds


def test_who_leaves_anonymously_is_named_in_no_row(zoe):
    before = figures()
    leave_club(anonymous=True, by=zoe.user)
    assert rows_that_say(NAME, BEFORE, "zvdl", "zoe@laan.example") == []
    assert figures() == before
    assert list(verify()) == []
    zoe.refresh_from_db()
    assert (zoe.name, zoe.active, zoe.user) == (f"N. N. {zoe.pk}", False, None)
    assert zoe.anonymous_since is not None


def test_who_leaves_with_a_name_keeps_it_in_the_tables(zoe):
    account = zoe.user
    leave_club(anonymous=False, by=account)
    zoe.refresh_from_db()
    assert (zoe.name, zoe.active, zoe.user) == (NAME, False, None)
    assert not type(account).objects.filter(username="zvdl").exists()
    entry = AuditEntry.objects.get(action="leave_club")
    assert entry.by_id == account.pk


def test_a_longer_name_of_somebody_else_stays(zoe, owner):
    other = add_player(f"{NAME} junior", by=owner)
    change_player(other, name="Junior", by=owner)
    change_player(other, name=f"{NAME} junior", by=owner)
    leave_club(anonymous=True, by=zoe.user)
    assert Player.objects.get(pk=other.pk).name == f"{NAME} junior"


def test_a_name_that_is_a_word_stays_where_it_may_be_none(owner, client):
    player = add_player("The", by=owner)
    member = make_member("the", player=player)
    game = make_game(by=owner)
    reasons = {
        "The third wall was short": "The third wall was short",
        "It was The who said so": "It was N. N. {pk} who said so",
        "The": "N. N. {pk}",
        "Was it the last tile?": "Was it the last tile?",
    }
    for reason in reasons:
        void_hand(make_hand(game, winner=1, by=owner), by=owner, reason=reason)
    client.force_login(member)
    assert "“The” is an ordinary word, too." in client.get("/account/leave/").content.decode()
    leave_club(anonymous=True, by=member)
    events = HandEvent.objects.exclude(reason="").order_by("pk")
    kept = events.values_list("reason", flat=True)
    assert list(kept) == [after.format(pk=player.pk) for after in reasons.values()]
    assert Player.objects.get(pk=player.pk).name == f"N. N. {player.pk}"


@pytest.mark.parametrize(
    ("name", "reason", "after"),
    [
        ("王小明", "王小明報錯分數。", "N. N. {pk}報錯分數。"),
        ("Zebulon Quagga", "zebulon QUAGGA was wrong", "N. N. {pk} was wrong"),
        ("Zoë Ünal", "ZOË ÜNAL was wrong", "N. N. {pk} was wrong"),
        ("Zoë Ünal", "Zoe Unal was wrong", "N. N. {pk} was wrong"),
        ("José Ibáñez-Ó Néill", "jose ibanez-o neill, twice", "N. N. {pk}, twice"),
        ("Siobhán O’Brien", "SIOBHÁN O'BRIEN, Siobhan OBrien", "N. N. {pk}, N. N. {pk}"),
    ],
)
def test_a_name_goes_from_sentences_however_it_is_written(owner, name, reason, after):
    player, game = make_player(name), make_game(by=owner)
    hand = make_hand(game, winner=1, by=owner)
    void_hand(hand, by=owner, reason=reason)
    make_anonymous(player, by=owner)
    assert hand.events.get(kind="void").reason == after.format(pk=player.pk)
    hand.refresh_from_db()
    assert name.casefold() not in hand.reason.casefold()


def test_a_name_without_accents_that_is_somebody_elses_stays(owner):
    make_player("Zoe")
    leaves, game = make_player("Zoë"), make_game(by=owner)
    hand = make_hand(game, winner=1, by=owner)
    void_hand(hand, by=owner, reason="Zoe saw it, Zoë did not")
    make_anonymous(leaves, by=owner)
    assert hand.events.get(kind="void").reason == f"Zoe saw it, N. N. {leaves.pk} did not"


def test_an_earlier_name_of_an_account_is_taken_out(zoe, owner):
    before = {"username": "zebulon.two", "email": "zeb@club.example", "is_staff": False}
    log_audit("change_at_desk", zoe.user, by=owner, before=before, after={"username": "zvdl"})
    leave_club(anonymous=True, by=zoe.user)
    assert rows_that_say("zebulon.two", "zeb@club.example") == []


@pytest.mark.parametrize("anonymous", [False, True])
def test_no_session_of_the_account_is_kept(zoe, anonymous):
    for _browser in range(2):
        Client().force_login(zoe.user)
    Session.objects.update(expire_date=timezone.now())
    Client().force_login(zoe.user)
    leave_club(anonymous=anonymous, by=zoe.user)
    assert not Session.objects.exists()


def test_a_name_that_is_none_of_our_words_is_taken_out_of_sentences(owner):
    assert ordinary_words(["Zoë", "Fatima", "Zoë van der Laan", "Will", "王"]) == ["Will"]


def test_a_name_inside_of_a_word_stays(owner):
    rose = make_player("Rose")
    game = make_game(by=owner)
    hand = make_hand(game, winner=0, by=owner)
    void_hand(hand, by=owner, reason="Roses on the table, said Rose.")
    make_anonymous(rose, by=owner)
    hand.refresh_from_db()
    reason = hand.events.get().reason
    assert reason == f"Roses on the table, said N. N. {rose.pk}."
    owner.refresh_from_db()
    assert owner.username == "rose"


def test_who_sits_at_an_open_table_ends_it_first():
    player = make_player()
    member = make_member(player=player)
    make_game(players=[player, *(make_player() for _three in range(3))], by=member)
    with pytest.raises(ValidationError, match="still sits at a table"):
        leave_club(anonymous=True, by=member)
    assert Player.objects.filter(pk=player.pk, user=member, active=True).exists()


def test_who_waits_at_a_table_leaves_the_seat(owner):
    player = make_player()
    sit_down(make_table()[0], 0, by=owner, player=player)
    mark_as_left(player, closes=False, takes_role=False, by=owner)
    assert not WaitingSeat.objects.exists()


def test_an_invitation_stays_used_when_the_account_is_gone():
    _invitation, code = invite(by=make_organiser())
    leave_club(
        anonymous=True, by=join(code, username="ann", password="zeppelin-4-moss", name="Ann")
    )
    with pytest.raises(InvitationRefused, match="used already"):
        join(code, username="bob", password="zeppelin-4-moss", name="Bob")


def test_the_last_owner_cannot_leave_the_club(owner):
    with pytest.raises(ValidationError, match="needs an owner"):
        leave_club(anonymous=False, by=owner)
    second = make_owner()
    leave_club(anonymous=False, by=owner)
    with pytest.raises(ValidationError, match="needs an owner"):
        leave_club(anonymous=False, by=second)


def test_an_owner_takes_the_name_of_a_guest_out(owner):
    guest = add_player("Guest of Honour", by=owner)
    make_anonymous(guest, by=owner)
    assert rows_that_say("Guest of Honour") == []


def test_an_organiser_does_not():
    guest = make_player()
    with pytest.raises(PermissionDenied):
        make_anonymous(guest, by=make_organiser())


def test_somebody_with_an_account_leaves_by_themselves(zoe, owner):
    with pytest.raises(ValidationError, match="has an account"):
        make_anonymous(zoe, by=owner)


@pytest.mark.parametrize("name", ["role", "waiting", "into", "mail", "before", "name", "en"])
def test_a_name_that_is_spelled_like_a_code_changes_no_code(zoe, owner, name):
    notify(NoticeKind.ROLE, [zoe.user.pk, owner.pk], role="owner", given=True)
    log_audit("merge_players", zoe, by=owner, into=7, name=BEFORE, before={"role": "en"})
    kept = [list(model.objects.order_by("pk").values()) for model in (Notice, Delivery, FirstRun)]
    member = make_member(player=add_player(name, by=owner))
    leave_club(anonymous=True, by=member)
    assert [
        list(model.objects.order_by("pk").values()) for model in (Notice, Delivery, FirstRun)
    ] == kept
    entry = AuditEntry.objects.get(action="merge_players")
    assert entry.details == {"into": 7, "name": BEFORE, "before": {"role": "en"}}


@pytest.fixture(params=texts.NAMES_OF_A_PLAYER)
def column(request):
    """Each column of a player that says who it is."""
    return request.param


def test_what_a_player_was_called_in_each_column_is_known(owner, column):
    player = add_player("Quentin Quark", by=owner)
    Player.objects.filter(pk=player.pk).update(**{column: "Oldcall"})
    change_player(player, **{column: "Newcall"}, by=owner)
    player.refresh_from_db()
    assert {"Oldcall", "Newcall"} <= names_of(player)


def test_what_a_merged_record_was_called_in_each_column_is_known(owner, column):
    kept, gone = add_player("Quentin Quark", by=owner), add_player("Quint Quill", by=owner)
    Player.objects.filter(pk=gone.pk).update(**{column: "Patches"})
    gone.refresh_from_db()
    merge_players(kept, gone, by=owner)
    assert "Patches" in names_of(kept)


def test_a_column_more_that_names_a_player_is_taken_out_after_merging(owner, monkeypatch):
    """The digest of a PIN stands in for a nickname: it is a text, too."""
    monkeypatch.setattr(texts, "NAMES_OF_A_PLAYER", ("name", "pin"))
    league = make_league(description="Patches and friends, with Quilty")
    kept, gone = add_player("Quentin Quark", by=owner), add_player("Quint Quill", by=owner)
    for player, called in ((kept, "Quilty"), (gone, "Patches")):
        Player.objects.filter(pk=player.pk).update(pin=called)
        player.refresh_from_db()
    merge_players(kept, gone, by=owner)
    make_anonymous(kept, by=owner)
    kept.refresh_from_db()
    league.refresh_from_db()
    assert kept.pin == ""
    assert league.description == f"{kept.name} and friends, with {kept.name}"


def test_every_column_of_text_is_said_to_name_somebody_or_nobody():
    unlisted = {
        f"{model._meta.label_lower}.{field.name}"
        for model in apps.get_app_config("scoring").get_models()
        for field in model._meta.local_fields
        if isinstance(field, models.CharField | models.TextField | models.JSONField)
        and field.name not in WITHOUT_NAMES.get(model._meta.label_lower, ())
        and field.name not in WITH_NAMES.get(model._meta.label_lower, ())
        and not field.choices
    }
    assert unlisted == set()


def test_every_naming_column_of_a_player_is_known_to_audit_merge_and_anonymity():
    assert set(WITH_NAMES["scoring.player"]) == set(texts.NAMES_OF_A_PLAYER)
    assert set(texts.NAMES_OF_A_PLAYER) <= texts.KEYS_WITH_NAMES


def test_an_invitation_forgets_whose_it_was(owner, settings):
    settings.SENDS_MAIL = True
    player = add_player("Quentin Quark", by=owner)
    invite(player=player, email="quentin@quark.example", username="quentinq", by=owner)
    make_anonymous(player, by=owner)
    assert rows_that_say("Quentin", "quentin") == []


class TestTheAudit:
    @pytest.fixture
    def entry(self, owner):
        add_player("Ann", by=owner)
        return AuditEntry.objects.get(action="add_player")

    @pytest.mark.each_database
    @pytest.mark.each_case
    @pytest.mark.parametrize(
        "change",
        [
            {"action": "other"},
            {"details": {}},
            {"details": {"names_taken_out": False}},
            {"details": {"names_taken_out": True}, "by": None},
            {"details": {"names_taken_out": True}, "subject_id": 7},
        ],
    )
    def test_the_audit_refuses_any_change_but_taking_out_a_name(self, entry, change):
        with pytest.raises(IntegrityError), transaction.atomic():
            AuditEntry.objects.filter(pk=entry.pk).update(**change)

    def test_the_audit_lets_a_name_be_taken_out(self, entry):
        details = {"names_taken_out": True, "name": "N. N. 1"}
        assert AuditEntry.objects.filter(pk=entry.pk).update(details=details) == 1

    def test_the_audit_is_never_deleted_along_with_an_account(self, zoe):
        entries = AuditEntry.objects.count()
        leave_club(anonymous=True, by=zoe.user)
        assert AuditEntry.objects.count() == entries + 1


class TestASecondAccountThatMergingClosed:
    @pytest.fixture
    def merged(self, zoe, owner):
        """Zoë, whose records of before were merged, and with them two accounts of hers."""
        first, second = make_player("Zoe B"), make_player("Zoe again")
        make_member("zoe.first", player=first)
        make_member("zoe.second", player=second)
        merge_players(second, first, by=owner)
        merge_players(zoe, second, by=owner)
        zoe.refresh_from_db()
        return zoe

    def test_a_second_account_that_merging_closed_goes_with_who_leaves_anonymously(self, merged):
        leave_club(anonymous=True, by=merged.user)
        assert rows_that_say("zoe.first", "zoe.second", "Zoe again") == []

    def test_a_second_account_that_merging_closed_stays_for_who_leaves_with_a_name(self, merged):
        leave_club(anonymous=False, by=merged.user)
        assert set(User.objects.filter(username__startswith="zoe.")) != set()

    def test_a_second_account_that_merging_closed_goes_with_a_name_that_an_owner_takes_out(
        self, merged, owner
    ):
        change_player(merged, user=None, by=owner)
        make_anonymous(merged, by=owner)
        assert rows_that_say("zoe.first", "zoe.second") == []

    def test_a_second_account_that_is_used_again_after_merging_stays(self, merged, owner):
        again = User.objects.get(username="zoe.first")
        open_account(again, by=owner)
        leave_club(anonymous=True, by=merged.user)
        assert list(User.objects.filter(username__startswith="zoe.")) == [again]


class TestMarkingAsLeft:
    @pytest.fixture
    def leads(self, owner):
        """An organiser who plays."""
        account = make_member("lee", player=make_player("Lee"))
        give_organiser(account, by=owner)
        return account

    def marked(self, account, by, *, closes=False, takes_role=False):
        mark_as_left(account.player, closes=closes, takes_role=takes_role, by=by)
        account = User.objects.get(pk=account.pk)
        assert not account.player.active
        return account

    def test_marking_as_left_leaves_account_and_role_unless_it_is_asked_for(self, leads, owner):
        kept = self.marked(leads, owner)
        assert (kept.is_active, role_of(kept)) == (True, Role.ORGANISER)

    def test_marking_as_left_closes_the_account_and_takes_the_role(self, leads, owner):
        gone = self.marked(leads, owner, closes=True, takes_role=True)
        assert (gone.is_active, role_of(gone)) == (False, Role.MEMBER)

    def test_marking_as_left_ends_the_invitations_of_before(self, owner):
        player = make_player()
        _invitation, before = invite(player, by=owner)
        mark_as_left(player, closes=False, takes_role=False, by=owner)
        with pytest.raises(InvitationRefused, match="revoked"):
            join(before, username="ann", password="zeppelin-4-moss")
        assert AuditEntry.objects.filter(action="revoke_invitations").count() == 1
        _invitation, after = invite(player, by=owner)
        assert join(after, username="ann", password="zeppelin-4-moss").player.active

    def test_marking_as_left_frees_the_seat_at_which_somebody_waits(self, owner):
        player, (table, _code) = make_player(), make_table()
        sit_down(table, 0, by=owner, player=player)
        mark_as_left(player, closes=False, takes_role=False, by=owner)
        assert not table.waiting_seats.exists()

    def test_marking_one_who_may_as_much_as_left_touches_no_account(self, leads):
        with pytest.raises(PermissionDenied):
            mark_as_left(leads.player, closes=True, takes_role=False, by=make_organiser())
        assert User.objects.get(pk=leads.pk).player.active


class TestAClosedAccount:
    def test_a_closed_account_is_opened_again_with_its_role(self, owner):
        account = make_organiser("olga")
        close_account(account, by=owner)
        assert not User.objects.get(pk=account.pk).is_active
        open_account(account, by=owner)
        kept = User.objects.get(pk=account.pk)
        assert (kept.is_active, role_of(kept)) == (True, Role.ORGANISER)

    def test_an_account_that_is_as_it_should_be_is_left_alone(self, owner):
        """As when two press the button at once."""
        account = make_organiser("olga")
        for act in (open_account, close_account, close_account, open_account, open_account):
            act(account, by=owner)
        done = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
        assert list(done) == ["close_account", "open_account"]
        assert Notice.objects.filter(recipient=account).count() == 1

    def test_a_closed_account_is_not_that_of_the_last_owner(self, owner):
        root = User.objects.create_superuser("root")
        with pytest.raises(ValidationError, match="needs an owner"):
            close_account(owner, by=root)
        assert User.objects.get(pk=owner.pk).is_active

    def test_a_closed_account_is_not_ones_own(self):
        organiser = make_organiser()
        with pytest.raises(ValidationError, match="your own account"):
            close_account(organiser, by=organiser)

    def test_a_closed_account_is_deleted_with_its_name(self, owner):
        account = make_member("quagga")
        close_account(account, by=owner)
        delete_account(account, by=owner)
        assert rows_that_say("quagga") == []

    def test_a_closed_account_is_deleted_by_owners_only(self, owner):
        account = make_member("quagga")
        close_account(account, by=owner)
        with pytest.raises(PermissionDenied):
            delete_account(account, by=make_organiser())

    def test_a_closed_account_that_is_in_use_is_not_deleted(self, zoe, owner):
        for account in (zoe.user, make_member()):
            with pytest.raises(ValidationError, match="Close the account first"):
                delete_account(account, by=owner)
        close_account(zoe.user, by=owner)
        with pytest.raises(ValidationError, match="Close the account first"):
            delete_account(zoe.user, by=owner)


def test_what_somebody_called_their_tokens_is_in_no_row_of_the_trail():
    member, other = make_member(player=make_player(NAME)), make_member(player=make_player())
    for user in (member, other):
        make_token("Zoë’s board", [Scope.READ], by=user)
    end_token(ApiToken.objects.get(user=member), by=member)
    leave_club(anonymous=True, by=member)
    made = AuditEntry.objects.filter(action__in=("make_token", "end_token"))
    names = {entry.details["name"] for entry in made.exclude(by=other)}
    assert names == {Player.objects.get(user=None).name}
    assert made.get(by=other).details["name"] == "Zoë’s board"
