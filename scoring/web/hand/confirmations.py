"""Confirming and disputing a hand, on one's own phone or on the one that is passed round."""

from collections.abc import Mapping
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.models import Hand, HandEvent, Player
from scoring.models.names import shows_something
from scoring.models.permissions import Permission, PermissionDenied, check_permission
from scoring.models.refusals import ANSWERED_AT_THE_TABLE, SOMETHING_CHANGED
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.errors import Conflict, TooManyAttempts
from scoring.services.hands.correct import get_current_version
from scoring.services.idempotency import StoredResponse
from scoring.services.pins import prove

from ..account.drafts import (
    NOT_SENT,
    delete_draft,
    draft_for,
    give_up,
    given_up_at,
    keep_draft,
    member_or_form_later,
    show_words_if_refused,
    sign_in_first,
    typed_before,
)
from ..idempotent_form import carry_out, idempotent_post, say_done
from ..shared.reason_form import ReasonForm
from ..shared.requests import NOTHING_DONE, View, is_its_user, is_own
from ..throttles import too_often
from .confirmation_status import ConfirmationStatus, confirmation_status
from .correction_form import LONGEST_ID, AnswerForm
from .corrections import visible_hand

Data = dict[str, Any]
LONGEST_TYPED = 1000  # characters of a dispute that are kept; more than it may have


@login_required
@require_safe
def pass_the_phone(request: HttpRequest, pk: int) -> HttpResponse:
    """The others say, one after the other on one phone, whether the hand is right."""
    hand = visible_hand(request, pk)
    if page := page_of_kept_dispute(request, hand):
        return redirect(page)
    status = confirmation_status(hand, request.user)
    if status is None or not (status.pass_on or status.own):
        return redirect("hand", pk)
    context = {
        "hand": hand,
        "confirmation_status": status,
        "typed": draft_of_dispute(request, hand, status),
    }
    return render(request, "hand/pass_the_phone.html", context)


def _member_or_dispute_later(view: View) -> View:
    """As ``login_required``; who was signed out meanwhile finds the dispute as it was typed."""

    @wraps(view)
    def asked(request: HttpRequest, pk: int) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, pk)
        typed = _typed_dispute(request.POST)
        if request.method == "POST" and not typed:
            messages.warning(request, NOTHING_DONE)
        return sign_in_first(request, _page_of_answer(request.POST, pk), typed)

    return asked


def _page_of_answer(sent: Mapping[str, str], hand: int) -> str:
    """The page that an answer about ``hand`` (its id) comes from: where it says whose it is, the phone goes round."""
    return reverse("pass_the_phone" if sent.get("player") else "hand", args=[hand])


def _delete_drafts(request: HttpRequest, hand: Hand, player: str) -> None:
    """What the ``player`` (an id; "" for the reader) typed about ``hand`` has served; others' disputes stay."""
    own = next((str(one.pk) for one in hand.game.players if is_own(one, request)), "")
    for page in ("hand", "pass_the_phone"):
        place = reverse(page, args=[hand.pk])
        typed = draft_for(request, place)
        if typed is not None and (typed.get("player") or own) == (player or own):
            delete_draft(request, place)


@sensitive_post_parameters("pin")
@_member_or_dispute_later
@require_POST
@show_words_if_refused
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """One tap: the hand is right, or it is not. ``player`` says whose tap it is."""
    hand = visible_hand(request, pk)
    form = AnswerForm(request.POST)
    if request.POST.get("answer") not in SAYS:
        return redirect("hand", pk)
    try:
        _check(request, form)
        say_done(request, *_say(request, hand, form.cleaned_data))
        _delete_drafts(request, hand, form.cleaned_data["player"])
    except TooManyAttempts as refusal:
        if typed := _typed_dispute(request.POST):
            keep_draft(request, _page_of_answer(typed, pk), typed)
        return too_often(request, refusal.seconds, str(refusal))
    except PermissionDenied as refusal:
        if not form.cleaned_data["pin"]:
            raise
        return _refused(request, hand, form, str(refusal), status=403)
    except ValidationError as error:
        return _refused(request, hand, form, " ".join(error.messages), status=422)
    except Conflict as refusal:
        return _to_the_hand_now(request, hand, refusal)
    return _back(request, hand)


def _say(request: HttpRequest, hand: Hand, data: Data) -> tuple[StoredResponse, str]:
    """Carry out the answer once; what became of it, and a sentence about that.

    Tries of a PIN are counted whatever follows, and its digest is stored nowhere.
    """
    whose = _whose(request, hand, data)

    def act() -> StoredResponse:
        after = SAYS[request.POST["answer"]](request, hand, data, whose)
        return StoredResponse(200, {"message": _message(after)})

    answer = idempotent_post(request, act, secret=["pin"])
    return answer, answer.body["message"]


def _check(request: HttpRequest, form: AnswerForm) -> None:
    """:raises ValidationError: if ``form`` says what cannot be, or is of a page that was shown to somebody else."""
    if not form.is_valid():
        raise ValidationError([one for some in form.errors.as_data().values() for one in some])
    if not is_its_user(request):
        message = _(
            "Somebody else was signed in when this page was shown. Nothing is sent: answer again."
        )
        raise ValidationError(message, code="signed_in_since")


def _to_the_hand_now(request: HttpRequest, hand: Hand, refusal: Conflict) -> HttpResponse:
    """To the version that stands now, with a dispute of the one before; to the table, if there is none."""
    messages.info(request, str(refusal))
    if refusal.hand is None:
        return redirect(hand.game)
    typed = _typed_dispute(request.POST)
    if not typed or refusal.hand.pk == hand.pk:  # of a hand that is not asked about any more, too
        return redirect(refusal.hand)
    return redirect(_moved(request, typed, hand, refusal.hand))


def _moved(request: HttpRequest, typed: dict[str, str], before: Hand, now: Hand) -> str:
    """Keep what was ``typed`` about the version ``before`` for the one that stands ``now``; the page of its form."""
    delete_draft(request, _page_of_answer(typed, before.pk))
    page = _page_of_answer(typed, now.pk)
    keep_draft(request, page, typed)
    return page


def _confirm(request: HttpRequest, hand: Hand, data: Data, whose: Data) -> Hand:
    return confirm_hand(hand, by=request.user, **whose)


def _dispute(request: HttpRequest, hand: Hand, data: Data, whose: Data) -> Hand:
    _require_what_is_wrong(data)
    return dispute_hand(hand, by=request.user, **whose, about=data["about"], reason=data["reason"])


def _require_what_is_wrong(data: Data) -> None:
    """:raises ValidationError: for a dispute that says neither by a choice nor in words what is wrong."""
    if shows_something(data["reason"]) or data["about"] not in ("", HandEvent.About.OTHER):
        return
    message = _(
        "Say what is wrong: the winner, who discarded, the tiles or the score, or in your own words."
    )
    raise ValidationError({"about": ValidationError(message, code="required")})


def _typed_dispute(sent: QueryDict) -> dict[str, str]:
    """What ``sent`` says of a dispute, and whose page it is, without its PIN; empty if it says nothing."""
    if sent.get("answer") != "dispute":
        return {}
    typed = {name: sent.get(name, "")[:LONGEST_TYPED] for name in ("about", "reason")}
    whose = {name: sent.get(name, "")[:LONGEST_ID] for name in ("player", "user")}
    return typed | whose if any(typed.values()) else {}


def draft_of_dispute(
    request: HttpRequest, hand: Hand, status: ConfirmationStatus | None
) -> dict[str, str]:
    """What this reader typed of a dispute for this page, and has not sent; empty if nothing was.

    :param status: of ``hand``, as the page shows it.
    """
    typed = draft_for(request, request.path)
    if typed is None or status is None or not (status.own or status.pass_on):
        return {}
    words = _words(typed)
    asked = {str(one.player.pk) for one in status.confirmations}
    if words.get("player") and words["player"] not in asked:  # somebody else sits there by now
        return {}
    messages.warning(request, NOT_SENT)
    return {**words, "whose": words.get("player") or "own", "given_up_at": given_up_at(typed)}


def _words(typed: QueryDict) -> dict[str, str]:
    return {name: str(value) for name, value in typed.items()}


def page_of_kept_dispute(request: HttpRequest, hand: Hand) -> str:
    """Where a dispute goes on that this reader typed for this page of a version that is past; "" if there is none."""
    give_up(request, request.path)
    typed = None if hand.current else draft_for(request, request.path)
    if typed is None:
        return ""
    before = visible_hand(request, hand.pk)
    try:
        get_current_version(before.game, before)
    except Conflict as refusal:
        if refusal.hand is not None:
            messages.info(request, str(refusal))
            return _moved(request, _words(typed), before, refusal.hand)
    return ""


SAYS = {"confirm": _confirm, "dispute": _dispute}


def _whose(request: HttpRequest, hand: Hand, data: Data) -> Data:
    """Whose answer it is, and what proves that."""
    player = _player(hand, data["player"])
    proof = prove(player, data["pin"], game=hand.game, by=request.user)
    return {"player": player, "proof": proof}


def _refused(
    request: HttpRequest, hand: Hand, form: AnswerForm, refusal: str, *, status: int
) -> HttpResponse:
    """Why the answer was not taken; a dispute that was typed is there again, without its PIN."""
    status_now = confirmation_status(hand, request.user)
    context: Data = {"hand": hand, "confirmation_status": status_now, "refusal": refusal}
    if request.POST["answer"] == "dispute":
        typed = {name: form[name].value() or "" for name in ("about", "reason")}
        context["typed"] = {
            **typed,
            "whose": form["player"].value() or _typed_by(request, status_now),
        }
    return render(request, "hand/pass_the_phone.html", context, status=status)


def _typed_by(request: HttpRequest, status: ConfirmationStatus | None) -> str:
    """The player (an id) of the account whose form was sent, if they can answer here; nobody has the words of another."""
    confirmations = status.confirmations if status else []
    whose = request.POST.get("user", "")
    answering = [one for one in confirmations if one.own or one.by_pin]
    meant = [one for one in answering if (str(one.player.user_id) == whose if whose else one.own)]
    return next((str(one.player.pk) for one in meant), "")


@member_or_form_later
@require_http_methods(["GET", "POST"])
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """An organiser lets a disputed hand stand, and says why."""
    hand = visible_hand(request, pk)
    form = ReasonForm(request.POST or None, initial=typed_before(request))
    status, answered = confirmation_status(hand, request.user), 422 if form.is_bound else 200
    try:
        if form.is_bound and form.is_valid():
            done = _("The dispute is settled: the hand counts as it was logged.")
            carry_out(request, form, lambda: _settle(request, hand, form), done)
            return redirect("hand", pk)
    except Conflict as refusal:
        messages.info(request, str(refusal))
        if refusal.code != "moved_on":
            return redirect(refusal.hand or hand.game)
        status, answered = confirmation_status(hand, request.user), 409
    except ValidationError as error:
        form.refuse(error)
    if status is None or not status.may_settle:
        return _not_to_settle(request, hand)
    if answered == 422 and form["seen"].value() not in ("", None, status.answers.etag):
        messages.info(request, SOMETHING_CHANGED)
    context = {"hand": hand, "form": form, "confirmation_status": status}
    return render(request, "hand/settle.html", context, status=answered)


def _settle(request: HttpRequest, hand: Hand, form: ReasonForm) -> StoredResponse:
    data = form.cleaned_data
    settle_hand(hand, by=request.user, reason=data["reason"], expected_etag=data["seen"])
    return StoredResponse(200, {"id": hand.pk})


def _player(hand: Hand, named: str) -> Player | None:
    """Who of the four it is; None for the reader, who is not named."""
    if not named:
        return None
    player = next((one for one in hand.game.players if str(one.pk) == named), None)
    if player is None:
        raise PermissionDenied(str(ANSWERED_AT_THE_TABLE))
    return player


def _not_to_settle(request: HttpRequest, hand: Hand) -> HttpResponse:
    """Back to a hand that nobody disputes; whoever is no organiser is told so."""
    check_permission(request.user, Permission.SETTLE_A_DISPUTE, hand.game)
    messages.info(request, _("Nobody disputes hand %(number)s.") % {"number": hand.number})
    return redirect(hand)


def _message(hand: Hand) -> str:
    if hand.disputed:
        return _("Hand %(number)s is disputed: its points wait until it is settled.") % {
            "number": hand.number
        }
    return _("Thank you. Hand %(number)s is confirmed.") % {"number": hand.number}


def _back(request: HttpRequest, hand: Hand) -> HttpResponse:
    """Where the tap came from: the page of the hand, or the phone that goes round."""
    wanted = request.POST.get("next", "")
    # Django takes a word that is no address for the name of a view.
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, request.get_host()):
        return HttpResponseRedirect(wanted)
    return redirect(hand)
