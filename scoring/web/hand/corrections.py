"""Correcting a hand, declaring it void and restoring it, each after a look at what changes; its history."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.models import Game, Hand
from scoring.models.game_tables import with_table
from scoring.models.permissions import PermissionDenied
from scoring.models.problems import has_code
from scoring.queries.histories import history_of
from scoring.services.errors import Conflict, KeyReused
from scoring.services.hands.correct import (
    changeable,
    correct_hand,
    preview_correction,
    preview_void,
    void_hand,
)
from scoring.services.hands.record import hand_at
from scoring.services.hands.replay import Replay
from scoring.services.hands.restore import preview_restore, restore_hand
from scoring.services.idempotency import StoredResponse, was_carried_out

from ..account.drafts import (
    CARRIED_OUT,
    delete_draft,
    draft_for,
    give_up,
    given_up_at,
    keep_words,
    member_or_form_later,
    move_draft,
    sign_in_first,
    typed_before,
)
from ..idempotent_form import (
    idempotent_form,
    saves_nothing,
    say_done,
    say_done_before,
    say_key_reused,
)
from ..shared.changes import Changes, changes_of
from ..shared.form_initial import seats_of
from ..shared.pad import pad_of
from ..shared.preview import Preview, preview_of_correction
from ..shared.reason_form import ReasonForm
from ..shared.requests import is_its_user, is_own, members_post
from ..shared.sentences import what_became_of
from .correction_form import CorrectionForm


def visible_hand(request: HttpRequest, pk: int) -> Hand:
    """The hand ``pk`` with its people and its table.

    :raises Http404: if there is none that this person may see.
    """
    hands = Hand.objects.visible_to(request.user).with_people()
    hand = get_object_or_404(hands, pk=pk)
    hand.game = with_table(Game.objects).get(pk=hand.game_id)
    return hand


@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Say how it really was; see what that changes; then it is changed."""
    if not request.user.is_authenticated:
        return sign_in_first(request, reverse("correct_hand", args=[pk]))
    hand = visible_hand(request, pk)
    give_up(request, request.path)
    typed = None if request.POST else draft_for(request, request.path)
    form = CorrectionForm(
        request.POST or None, game=hand.game, hand=hand, typed=typed and typed.dict()
    )
    try:
        return _step(request, form, hand, typed)
    except Conflict as refusal:
        if refusal.code == "moved_on":
            return _look(request, form, hand, refusal=str(refusal), status=409)
        return _to_the_version_now(request, hand, typed or request.POST, refusal)
    except KeyReused:
        return _sent_before(request, hand)
    except (PermissionDenied, ValidationError) as refusal:
        return _refused(request, form, hand, typed, refusal)


def _refused(
    request: HttpRequest,
    form: CorrectionForm,
    hand: Hand,
    typed: QueryDict | None,
    refusal: PermissionDenied | ValidationError,
) -> HttpResponse:
    """The form with what was typed, and why it is refused. One of the four sees it also where an organiser has to enter it."""
    if isinstance(refusal, ValidationError):
        form.refuse(refusal)
        return _entry(request, form, hand)
    entered = is_its_user(request) and (form.is_bound or typed)
    if not (entered and any(is_own(one, request) for one in hand.game.players)):
        keep_words(request)
        raise refusal
    messages.warning(request, str(refusal))
    return _entry(request, form, hand, status=403)


def _step(
    request: HttpRequest, form: CorrectionForm, hand: Hand, typed: QueryDict | None
) -> HttpResponse:
    """:param typed: what ``form`` begins with, if it was entered before, and not saved."""
    step = request.POST.get("step", "")
    # A page that stayed open: what one person entered is not corrected in the name of another.
    is_of_another = not is_its_user(request)
    if not is_of_another and step == "apply" and form.is_valid():
        return _done(request, idempotent_form(request, form, lambda: _correct(request, form, hand)))
    if not is_of_another and step == "see" and form.is_valid():
        return _look(request, form, hand)
    # Nobody fills in a form that is refused afterwards.
    changeable(hand.game, hand, request.user)
    if is_of_another:
        _say_it_is_of_another(request)
    elif typed is not None:
        messages.warning(request, _("Your correction is here, and not saved yet."))
    return _entry(request, form, hand, begin_again=given_up_at(typed) if typed else "")


def _say_it_is_of_another(request: HttpRequest) -> None:
    message = _(
        "Somebody else was signed in when this was entered. Send it again to correct the hand in your name."
    )
    messages.warning(request, message)


@saves_nothing
@members_post()
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """The score of what is being entered, a piece of the page; nothing is saved."""
    hand = visible_hand(request, pk)
    form = CorrectionForm(request.POST, game=hand.game, hand=hand, asks_why=False)
    try:
        changeable(hand.game, hand, request.user)
        shown = preview_of_correction(hand, form, request.user)
    except Conflict as refusal:
        shown = Preview(conflict=refusal)
    return render(request, "components/preview.html", {"preview": shown})


@member_or_form_later
@require_http_methods(["GET", "POST"])
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """Shows what declaring the hand void changes, and does it."""
    return _with_reason(request, pk, "hand/void.html", preview_void, _void)


@member_or_form_later
@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    """Shows what restoring the void hand changes, and does it."""
    return _with_reason(request, pk, "hand/restore.html", preview_restore, _restore)


def _with_reason(
    request: HttpRequest,
    pk: int,
    template: str,
    preview: Callable[..., Replay],
    act: Callable[[HttpRequest, ReasonForm, Hand], StoredResponse],
) -> HttpResponse:
    """Shows the ``preview`` of what can be done to a hand, asks why, and has ``act`` do it."""
    hand = visible_hand(request, pk)
    form = ReasonForm(request.POST or None, initial=typed_before(request))
    status, refusal = 200, ""
    try:
        if form.is_bound:
            status = 422
            if form.is_valid():
                answer = idempotent_form(request, form, lambda: act(request, form, hand))
                return _done(request, answer)
    except KeyReused:
        return _sent_before(request, hand)
    except Conflict as error:
        if error.code != "moved_on":
            return _elsewhere(request, hand, error)
        status, refusal = 409, str(error)
    except ValidationError as error:
        form.refuse(error)
    changes: Changes | None = None
    impossible: list[str] = []
    try:
        changes = changes_of(preview(hand, by=request.user))
    except Conflict as error:
        return _elsewhere(request, hand, error)
    except ValidationError as error:
        impossible = error.messages
    context = {"hand": hand, "form": form, "changes": changes, "refusal": refusal}
    context["impossible"] = impossible
    return render(request, template, context, status=status)


@login_required
@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """Every version of the hand, who said what about it, when and why."""
    hand = get_object_or_404(Hand.objects.visible_to(request.user), pk=pk)
    shown = history_of(hand, Hand.objects.with_people())
    return render(request, "hand/history.html", {"history": shown})


def _correct(request: HttpRequest, form: CorrectionForm, hand: Hand) -> StoredResponse:
    data = form.cleaned_data
    revised = correct_hand(
        hand,
        form.entry,
        by=request.user,
        reason=data["reason"],
        expected_etag=data["seen"],
        key=data["key"],
    )
    message = _("Hand %(number)s is corrected.") % {"number": hand.number}
    if revised.hand.disputed:
        message = f"{message} {what_became_of(revised.hand)}"
    return StoredResponse(200, {"hand": revised.hand.pk, "message": message})


def _void(request: HttpRequest, form: ReasonForm, hand: Hand) -> StoredResponse:
    data = form.cleaned_data
    void_hand(hand, by=request.user, reason=data["reason"], expected_etag=data["seen"])
    message = _("Hand %(number)s is void.") % {"number": hand.number}
    return StoredResponse(200, {"hand": hand.pk, "message": message})


def _restore(request: HttpRequest, form: ReasonForm, hand: Hand) -> StoredResponse:
    data = form.cleaned_data
    revised = restore_hand(hand, by=request.user, reason=data["reason"], expected_etag=data["seen"])
    message = _("Hand %(number)s is restored.") % {"number": hand.number}
    if revised.hand.disputed:
        message = f"{message} {what_became_of(revised.hand)}"
    return StoredResponse(200, {"hand": revised.hand.pk, "message": message})


def _done(request: HttpRequest, answer: StoredResponse) -> HttpResponse:
    say_done(request, answer, answer.body["message"])
    return redirect("hand", answer.body["hand"])


def _sent_before(request: HttpRequest, hand: Hand) -> HttpResponse:
    """To what came of the form when it was sent first: the version that stands now, or the table."""
    say_key_reused(request)
    return redirect(hand_at(hand.game, hand.number) or hand.game)


def _to_the_version_now(
    request: HttpRequest, hand: Hand, typed: QueryDict, refusal: Conflict
) -> HttpResponse:
    """To the form of the version that stands now, with what was ``typed`` about the one before."""
    if refusal.hand is None:
        return _elsewhere(request, hand, refusal)
    place = reverse("correct_hand", args=[refusal.hand.pk])
    if not is_its_user(request):
        _say_it_is_of_another(request)
        typed = typed.copy()
        typed["user"] = str(request.user.pk)  # who has the page before them
    # A page of before that is sent again says by its refusal what was corrected since.
    carried_out = request.method == "GET" and was_carried_out(typed.get("key", ""), by=request.user)
    if carried_out and _stands(request, typed, refusal.hand):
        delete_draft(request, request.path)
        say_done_before(request)
        return redirect(refusal.hand)
    if not move_draft(request, typed, before=request.path, place=place):
        return _elsewhere(request, hand, refusal)
    messages.info(request, CARRIED_OUT if carried_out else str(refusal))
    return redirect(place)


def _stands(request: HttpRequest, typed: QueryDict, now: Hand) -> bool:
    """Whether the version that stands ``now`` says what was ``typed`` about the one before, for the same reason."""
    now = visible_hand(request, now.pk)
    form = CorrectionForm(typed, game=now.game, hand=now)
    if not form.is_valid() or form.cleaned_data["reason"] != now.reason:
        return False
    try:
        preview_correction(now, form.entry, by=request.user)
    except ValidationError as error:
        return has_code(error, "nothing_changed")
    except (Conflict, PermissionDenied):
        pass
    return False


def _elsewhere(request: HttpRequest, hand: Hand, refusal: Conflict) -> HttpResponse:
    """To the version that stands now, if there is one; else to the table."""
    messages.info(request, str(refusal))
    return redirect(refusal.hand or hand.game)


def _entry(
    request: HttpRequest,
    form: CorrectionForm,
    hand: Hand,
    *,
    begin_again: str = "",
    status: int | None = None,
) -> HttpResponse:
    pad = pad_of(hand.game.ruleset_version.table_rules)
    wrong = form.is_bound and request.POST.get("step") != "edit"
    context = {"form": form, "hand": hand, "pad": pad, "table": {"places": seats_of(hand)}}
    context |= {"asks_more": form.asks is not None, "begin_again": begin_again}
    return render(request, "hand/correct.html", context, status=status or (422 if wrong else 200))


def _look(
    request: HttpRequest, form: CorrectionForm, hand: Hand, *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    """What the entry in ``form`` changes; its fields go along, unseen."""
    changes = changes_of(preview_correction(hand, form.entry, by=request.user), corrects=True)
    kept = [(name, form[name].value() or "") for name in form.fields if name != "seen"]
    context: dict[str, Any] = {"hand": hand, "changes": changes, "kept": kept, "refusal": refusal}
    context["reason"] = form.cleaned_data["reason"]
    return render(request, "hand/what_changes.html", context, status=status)
