"""Two answers about one person at the same moment: one is carried out, the other is refused."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import InvitationUse, Player
from scoring.models.permissions import Account
from scoring.services.guests import answer_claim, claim_guest
from scoring.services.invitations import InvitationRefused, invite, join
from scoring.services.leaving import leave_club
from scoring.services.merging import merge_players, preview_merge
from scoring.services.people import change_player
from tests.factories import make_member, make_organiser, make_player
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_invitations_of_one_player():
    player, by = make_player(), make_organiser()
    codes = [invite(player, by=by)[1] for _twice in range(2)]

    def take_up(n):
        try:
            return join(codes[n], username=f"person{n}", password="zeppelin-4-moss").pk
        except InvitationRefused as refusal:
            return refusal.code

    answers = at_once(take_up, times=2)
    assert "has_account" in answers
    player.refresh_from_db()
    assert player.user_id in answers
    assert Account.objects.filter(username__startswith="person").count() == 1


def test_two_claims_of_one_asker_without_a_player():
    asker, by = make_member(), make_organiser()
    guests = [make_player(guest=True) for _twice in range(2)]
    claims = [claim_guest(guest, by=asker) for guest in guests]
    answers = at_once(lambda n: answer_claim(claims[n], agree=True, by=by).agreed, times=2)
    # What the second guest played is added to the first, who is the asker by now.
    assert answers == [True, True]
    assert Player.objects.filter(pk__in=[guest.pk for guest in guests]).count() == 1
    assert Player.objects.get(user=asker)


@pytest.mark.parametrize("field", ["username", "email"])
@pytest.mark.each_case
def test_two_join_with_the_same_name_or_mail(field):
    by = make_organiser()
    codes = [invite(by=by)[1] for _twice in range(2)]
    names, mails = {"username": (["same", "SAME"], ["", ""])}.get(
        field, (["one", "two"], ["a@example.org", "A@example.org"])
    )

    def take_up(n):
        about = {"name": ["Ann", "Zoe"][n], "password": "zeppelin-4-moss"}
        try:
            join(codes[n], username=names[n], email=mails[n], **about)
        except ValidationError as error:
            return list(error.error_dict)
        return []

    assert sorted(at_once(take_up, times=2)) == [[], [field]]


def test_a_merge_of_accounts_is_looked_at_outside_of_a_transaction():
    kept, gone = make_player(), make_player()
    make_member(player=kept)
    gone.user = make_member(player=gone)
    assert preview_merge(kept, gone, by=make_organiser()).closed == gone.user


def test_somebody_joins_as_a_player_who_is_merged():
    kept, gone, by = make_player(), make_player("Gone"), make_organiser()
    _invitation, code = invite(by=by)
    acts = [
        lambda: join(code, username="new", password="zeppelin-4-moss", claim=gone),
        lambda: merge_players(kept, gone, by=by),
    ]

    def act(n):
        try:
            acts[n]()
        except ValidationError as error:
            return list(error.error_dict)
        return []

    joined, merged = at_once(act, times=2)
    assert (joined in ([], ["name"]), merged) == (True, [])
    assert [use.claim for use in InvitationUse.objects.all()] == [kept] * (not joined)


def test_somebody_leaves_and_is_changed():
    player, by = make_player(), make_organiser()
    member = make_member(player=player)
    acts = [
        lambda: leave_club(anonymous=True, by=member),
        lambda: change_player(player, active=False, by=by),
    ]

    def act(n):
        try:
            acts[n]()
        except Exception as error:
            return getattr(error, "error_dict", error)
        return None

    answers = at_once(act, times=2)
    assert answers[0] is None
    assert answers[1] is None or set(answers[1]) == {"name"}
    player.refresh_from_db()
    assert (player.user, player.name) == (None, f"N. N. {player.pk}")
