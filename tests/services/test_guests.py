"""Guests: members add them, and take over their games with an account."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.models import Game, GuestClaim, Hand, Notice, Player
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import verify
from scoring.queries.notices import in_words, notices_of
from scoring.queries.seating import open_claims
from scoring.services.confirmations import confirm_hand
from scoring.services.errors import TooManyAttempts
from scoring.services.guests import (
    MOST_ADDED,
    NotClaimable,
    add_guest,
    answer_claim,
    claim_guest,
    withdraw_claim,
)
from scoring.services.guests import (
    make_member as let_in,
)
from scoring.services.leaving import make_anonymous
from scoring.services.merging import merged_into
from scoring.services.people import change_player
from scoring.services.sessions import close_account
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_member,
    make_organiser,
    make_owner,
    make_player,
)

pytestmark = pytest.mark.django_db

ASKED = "{} says to have been the guest Zoë. Say whether that is so."


@pytest.fixture
def guest():
    return add_guest("Zoë", by=make_member())


@pytest.fixture
def companion(guest):
    """A member who sat with the guest."""
    player = make_player()
    member = make_member(player=player)
    make_hand(make_game(players=[guest, player, make_player(), make_player()]))
    return member


def test_a_member_adds_a_guest_and_finds_the_same_one_again(guest):
    assert (guest.guest, guest.user, guest.active) == (True, None, True)
    for typed in (" zoë", "ZOË", "Zoe\u0308", "Ｚｏë"):
        assert add_guest(typed, by=make_member()) == guest


def test_a_guest_has_no_name_of_a_member():
    make_player("Ann")
    with pytest.raises(ValidationError):
        add_guest("ann", by=make_member())


def test_a_guest_with_nearly_the_name_of_a_player_is_refused_until_confirmed():
    make_player("Zoë Jansen")
    with pytest.raises(ValidationError, match="Zoë Jansen: the same person"):
        add_guest("Zoe Jansen", by=make_member())
    assert add_guest("Zoe Jansen", anyway=True, by=make_member()).guest


def test_a_member_adds_few_guests_at_once_and_an_organiser_many():
    member = make_member()
    for number in range(MOST_ADDED):
        add_guest(f"Guest {number}", by=member)
    with pytest.raises(TooManyAttempts):
        add_guest("One more", by=member)
    add_guest("Guest 1", by=member)
    organiser = make_organiser()
    for number in range(MOST_ADDED + 1):
        add_guest(f"Other {number}", by=organiser)


def test_somebody_who_sat_with_the_guest_agrees_and_the_past_is_the_askers(guest, companion):
    asker = make_member()
    claim = claim_guest(guest, by=asker)
    assert claim_guest(guest, by=asker) == claim
    answer_claim(claim, agree=True, by=companion)
    guest.refresh_from_db()
    assert (guest.user, guest.guest) == (asker, False)


@pytest.mark.parametrize("who", ["asker", "stranger"])
def test_a_claim_is_not_agreed_to_by_its_asker_or_a_stranger(guest, companion, who):
    asker = make_organiser()
    claim = claim_guest(guest, by=asker)
    with pytest.raises(PermissionDenied):
        answer_claim(claim, agree=True, by=asker if who == "asker" else make_member())
    assert Player.objects.get(pk=guest.pk).user is None


@pytest.mark.parametrize("plays", ["nothing", "after the claim", "withdrawn"])
def test_a_game_that_was_opened_for_the_claim_makes_nobody_a_witness(guest, plays):
    accomplice, asker = make_member(player=make_player()), make_member()
    if plays != "withdrawn":
        claim = claim_guest(guest, by=asker)
    game = make_game(players=[guest, accomplice.player, make_player(), make_player()])
    if plays != "nothing":
        make_hand(game)
    if plays == "withdrawn":
        withdraw_game(game, by=make_organiser(), reason="Never played")
        claim = claim_guest(guest, by=asker)
    assert open_claims(guest, accomplice) == []
    with pytest.raises(PermissionDenied):
        answer_claim(claim, agree=True, by=accomplice)
    assert Player.objects.get(pk=guest.pk).user is None


def test_two_who_agree_on_a_claim_cannot_make_up_a_game_between_them(guest):
    """The one who says yes has opened the game, and logged its only hand."""
    accomplice, other = (make_member(player=make_player()) for _twice in range(2))
    asker = make_member()
    players = [guest, accomplice.player, other.player, make_player()]
    hand = make_hand(make_game(players=players, by=accomplice), by=accomplice)
    claim = claim_guest(guest, by=asker)
    with pytest.raises(PermissionDenied):
        answer_claim(claim, agree=True, by=accomplice)
    assert questions(accomplice, other) == [[], [ASKED.format("A member")]]
    confirm_hand(hand, by=other)
    assert answer_claim(claim, agree=True, by=accomplice).agreed


def test_who_can_answer_no_longer_is_asked_no_more(guest, companion):
    """Their game was withdrawn; and asked again once it is restored."""
    organiser = make_organiser()
    claim_guest(guest, by=make_member())
    asked = [ASKED.format("A member")]
    assert questions(companion, organiser) == [asked, asked]
    game = Game.objects.get()
    withdraw_game(game, by=organiser, reason="Never played")
    assert questions(companion, organiser) == [[], asked]
    restore_game(game, by=organiser, reason="It was")
    assert questions(companion, organiser) == [asked, asked]


def test_who_asks_for_two_guests_of_one_table_was_one_of_them(guest, companion):
    """What the other question asks for cannot be any more."""
    other = add_guest("Yara", by=companion)
    players = [guest, other, companion.player, make_player()]
    make_hand(make_game(players=players))
    asker = make_member(player=make_player("Ann"))
    first, second = (claim_guest(one, by=asker) for one in (guest, other))
    answer_claim(first, agree=True, by=make_organiser())
    second.refresh_from_db()
    assert second.agreed is False
    assert Player.objects.get(pk=other.pk).guest
    assert not Notice.objects.filter(kind="claim").exists()
    read = [row.text.body for row in in_words(list(notices_of(asker)))]
    assert "You said that you were Yara, and the answer was no." in read


def test_an_organiser_may_agree_to_a_claim(guest):
    asker = make_member()
    answer_claim(claim_guest(guest, by=asker), agree=True, by=make_organiser())
    assert Player.objects.get(pk=guest.pk).user == asker


def test_nobody_becomes_the_guest_by_an_account_that_is_closed(guest):
    asker = make_member()
    claim = claim_guest(guest, by=asker)
    close_account(asker, by=make_organiser())
    with pytest.raises(NotClaimable, match="closed"):
        answer_claim(claim, agree=True, by=make_organiser())
    assert Player.objects.get(pk=guest.pk).guest


def test_a_declined_claim_changes_nothing_and_may_be_made_again(guest, companion):
    asker = make_member()
    claim = claim_guest(guest, by=asker)
    answer_claim(claim, agree=False, by=companion)
    with pytest.raises(NotClaimable):
        answer_claim(claim, agree=True, by=companion)
    assert Player.objects.get(pk=guest.pk).user is None
    assert claim_guest(guest, by=asker) != claim


def questions(*accounts):
    """What waits for each of ``accounts``, in words."""
    asked = [Notice.objects.filter(recipient=one, kind="claim") for one in accounts]
    return [[row.text.body for row in in_words(list(notices))] for notices in asked]


def test_who_sat_with_the_guest_and_organisers_hear_of_the_question(guest, companion):
    organiser, stranger = make_organiser(), make_member()
    asker = make_member(player=make_player("Anneke"))
    claim = claim_guest(guest, by=asker)
    sentence = ASKED.format("Anneke")
    asked = questions(companion, organiser, stranger, asker)
    assert asked == [[sentence], [sentence], [], []]
    answer_claim(claim, agree=True, by=companion)
    assert questions(companion, organiser) == [[], []]


def test_the_asker_hears_of_a_no(guest, companion):
    asker = make_member()
    answer_claim(claim_guest(guest, by=asker), agree=False, by=companion)
    (row,) = in_words(list(Notice.objects.filter(recipient=asker)))
    assert row.text.body == "You said that you were Zoë, and the answer was no."


@pytest.mark.parametrize("plays", [False, True])
def test_the_second_of_two_who_claim_a_guest_hears_who_it_was(guest, companion, plays):
    organiser, fleur = make_organiser(), make_player("Fleur")
    first, karin = make_member(player=fleur if plays else None), make_member()
    claim = claim_guest(guest, by=first)
    claim_guest(guest, by=karin)
    answer_claim(claim, agree=True, by=companion)
    assert questions(companion, organiser) == [[], []]
    (row,) = in_words(list(Notice.objects.filter(recipient=karin)))
    name = "Fleur" if plays else "Zoë"
    sentence = f"The guest that you said to have been was another member: {name}."
    assert row.text.body == sentence


def test_a_disputed_hand_counts_as_played_together(guest, companion):
    Hand.objects.update(status=Hand.Status.DISPUTED)
    claim_guest(guest, by=make_member())
    (asked,) = questions(companion)
    assert len(asked) == 1


def test_the_second_of_two_who_claim_a_guest_comes_too_late(guest, companion):
    first, second = (claim_guest(guest, by=make_member()) for _asker in range(2))
    answer_claim(first, agree=True, by=companion)
    with pytest.raises(NotClaimable):
        answer_claim(second, agree=True, by=companion)


def test_the_past_is_added_to_that_of_an_asker_who_plays_here_already(guest, companion):
    ann = make_player("Ann")
    asker = make_member(player=ann)
    claim = claim_guest(guest, by=asker)
    pk = guest.pk
    answer_claim(claim, agree=True, by=companion)
    assert not Player.objects.filter(pk=pk).exists()
    assert merged_into(pk) == ann
    assert ann.seats.count() == 1
    claim.refresh_from_db()
    assert (claim.player, claim.agreed, ann.user) == (ann, True, asker)
    assert Notice.objects.get(recipient=asker).kind == "guest"
    assert list(verify()) == []
    with pytest.raises(NotClaimable, match="answered"):
        answer_claim(claim, agree=False, by=companion)


def test_who_sat_with_the_guest_was_somebody_else(guest, companion):
    with pytest.raises(NotClaimable, match="You sat at one table with Zoë"):
        claim_guest(guest, by=companion)
    assert not GuestClaim.objects.exists()


def test_who_sits_with_the_guest_after_asking_is_refused_when_somebody_agrees(guest, companion):
    ann = make_player("Ann")
    claim = claim_guest(guest, by=make_member(player=ann))
    make_game(players=[guest, ann, make_player(), make_player()])
    with pytest.raises(NotClaimable, match="Ann sat at one table with Zoë"):
        answer_claim(claim, agree=True, by=companion)
    claim.refresh_from_db()
    assert claim.agreed is None


def test_a_member_is_no_guest_to_be_claimed():
    with pytest.raises(NotClaimable):
        claim_guest(make_player(), by=make_member())


def test_a_guest_who_is_anonymous_is_nobodys(guest):
    claim = claim_guest(guest, by=make_member())
    Game.objects.update(finished_at=timezone.now(), ended_early=True)
    make_anonymous(guest, by=make_owner())
    with pytest.raises(NotClaimable):
        claim_guest(guest, by=make_member())
    with pytest.raises(NotClaimable):
        answer_claim(claim, agree=True, by=make_organiser())


def test_an_organiser_makes_a_guest_a_member(guest):
    with pytest.raises(PermissionDenied):
        let_in(guest, by=make_member())
    assert not let_in(guest, by=make_organiser()).guest


def test_who_gets_an_account_is_no_guest(guest):
    change_player(guest, user=make_member(), by=make_organiser())
    assert not Player.objects.get(pk=guest.pk).guest


@pytest.mark.parametrize("agree", [True, False])
def test_an_answer_to_what_was_taken_back_meanwhile_is_refused_in_words(guest, companion, agree):
    asker = make_member()
    claim = claim_guest(guest, by=asker)
    withdraw_claim(guest, by=asker)
    with pytest.raises(NotClaimable, match="taken back meanwhile"):
        answer_claim(claim, agree=agree, by=companion)
