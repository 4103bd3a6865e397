"""Logging a hand at the table, and the preview of what saving it would do."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.models import Game
from scoring.models.permissions import (
    Permission,
    PermissionDenied,
    check_permission,
    is_organiser,
    sits_at,
)
from scoring.services.errors import Conflict, KeyReused
from scoring.services.hands.record import Recorded, find_same_hand, record_hand
from scoring.typed_numbers import typed_id

from ..account.drafts import delete_draft, sign_in_first, typed_at_a_table
from ..idempotent_form import saves_nothing
from ..shared.hand_form import HandForm
from ..shared.preview import Preview, preview_of
from ..shared.requests import by_htmx, for_its_user, is_its_user, visible_game, wants_json
from ..shared.sentences import in_a_sentence, what_became_of
from . import outcomes
from .board import table_of
from .refused_hand import (
    conflict_context,
    not_the_next,
    refusal_of,
    refused_hand,
    the_next_after_all,
)
from .views import table_context

# Why somebody who plays at a table may log nothing there: organisers can change that.
TAKES_NO_HAND_NOW = {"evening_closed", "season_over", "season_closed", "withdrawn"}


@require_POST
@for_its_user
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the hand that was entered; if it is refused, say why and keep what was entered.

    A form gets a page, the queue of a phone gets JSON (:mod:`scoring.web.table.outcomes`).
    """
    if not request.user.is_authenticated:
        typed = typed_at_a_table(_sent(request))
        return sign_in_first(request, reverse("game", args=[pk]), typed)
    game = visible_game(request, pk)
    form = HandForm(_sent(request), game=game)
    try:
        recorded = _record(request, game, form)
    except PermissionDenied as refusal:
        return _denied(request, game, form, refusal)
    except (Conflict, KeyReused) as refusal:
        if form.says_nothing:
            return _nothing_entered(request, game, refusal)
        return _conflict(request, visible_game(request, pk), form, refusal)
    except ValidationError as error:
        form.refuse(error)
        return _form_again(request, game, form, status=422)
    delete_draft(request, game.get_absolute_url())
    return _saved(request, pk, recorded)


def _saved(request: HttpRequest, pk: int, recorded: Recorded) -> HttpResponse:
    hand = recorded.hand
    since = what_became_of(hand)
    sentence = " ".join(filter(None, [in_a_sentence(hand), since]))
    if not wants_json(request):
        messages.success(request, sentence)
        return redirect("game", pk)
    table = table_of(request, pk)
    undo = table.undo if table.undo and table.undo.hand.pk == hand.pk else None
    return outcomes.taken(
        request, table.game, hand, sentence, since=since, undo=undo, repeated=recorded.repeated
    )


@saves_nothing
@require_POST
@for_its_user
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """What saving would do: a piece of page while tapping, the whole one where no scripts run."""
    if not request.user.is_authenticated:
        return sign_in_first(request, reverse("game", args=[pk]))
    game = visible_game(request, pk)
    form = HandForm(request.POST, game=game)
    try:
        check_permission(request.user, Permission.LOG_A_HAND, game)
    except PermissionDenied as refusal:
        if by_htmx(request):
            return outcomes.refused(403, refusal.code, [str(refusal)])
        return _denied(request, game, form, refusal)
    shown = preview_of(game, form)
    if not by_htmx(request):
        _warn_if_of_another(request)
        return render(request, "table/table.html", table_context(request, pk, form, preview=shown))
    piece = render(request, "components/preview.html", {"preview": shown})
    if not wants_json(request):
        return piece
    anew = _refusal_by_now(request, game, form, shown) if "refused" in request.POST else None
    return outcomes.shown(piece.text, anew)


def _refusal_by_now(
    request: HttpRequest, game: Game, form: HandForm, shown: Preview
) -> dict[str, Any] | None:
    """What is to be said now of the number of a hand that was refused; None if nothing, or the hand itself is wrong.

    One whose number is right by now may be the same as a hand with another number, or no longer be: people were asked
    about the hand whose number the field ``refused`` has.
    """
    if not form.is_valid():
        return None
    conflict, same = shown.conflict, None
    if conflict is None and (same := find_same_hand(game, form.entry)):
        conflict = not_the_next(game, same)
    there = typed_id(request.POST["refused"])
    is_freed = False
    if conflict is None and there is not None and there != form.cleaned_data["number"]:
        conflict, is_freed = the_next_after_all(game, there), True
    if conflict is None:
        return None
    context = table_context(request, game.pk, form, **conflict_context(game, form, conflict, same))
    game = context["table"].game
    # Gone in between, and next by now: no refusal would say that. The page hears of it with its next poll.
    if not is_freed and not context["there"] and game.next_number == form.cleaned_data["number"]:
        return None
    refusal = refusal_of(request, form, context)
    return {**refusal, "next": game.next_number, "word": outcomes.confirmed_state(game)}


def _sent(request: HttpRequest) -> QueryDict:
    """What was entered; as another hand, if the table had moved on and the person says so.

    The button that says so has the member in its address.
    """
    if "as_number" not in request.POST:
        return request.POST
    sent = request.POST.copy()
    sent["number"] = str(sent["as_number"])
    sent["user"] = sent.get("user") or request.GET.get("user", "")
    return sent


def _record(request: HttpRequest, game: Game, form: HandForm) -> Recorded:
    """:raises ValidationError: with nothing in it where ``form`` itself has found what is wrong, or it is of another."""
    if not is_its_user(request) or not form.is_valid():
        if not wants_json(request):  # the queue asks to be told what is wrong with the hand first
            check_permission(request.user, Permission.LOG_A_HAND, game)
        raise ValidationError({})
    return record_hand(game, form.entry, by=request.user, key=form.cleaned_data["key"])


def _warn_if_of_another(request: HttpRequest) -> None:
    """Say above the form if the reader did not enter the hand. Without scripts, which hear 401, a page stays open."""
    if is_its_user(request):
        return
    message = _(
        "Somebody else was signed in when this was entered. Save it again to log the hand in your name."
    )
    messages.warning(request, message)


def _nothing_entered(
    request: HttpRequest, game: Game, refusal: Conflict | KeyReused
) -> HttpResponse:
    """There is nothing to decide about: the form is for the next hand."""
    if wants_json(request):
        return outcomes.refused(409, refusal.code, [str(refusal)], game)
    messages.info(request, str(refusal))
    return redirect("game", game.pk)


def _denied(
    request: HttpRequest, game: Game, form: HandForm, refusal: PermissionDenied
) -> HttpResponse:
    """The form as it was sent, where the table takes no hand now.

    :raises PermissionDenied: where this person may never log a hand at it.
    """
    if wants_json(request):
        return outcomes.refused(403, refusal.code, [str(refusal)], game)
    is_at_the_table = sits_at(request.user, game) or is_organiser(request.user)
    if refusal.code not in TAKES_NO_HAND_NOW or not is_at_the_table:
        raise refusal
    form.refuse(ValidationError(str(refusal)))
    return _form_again(request, game, form, status=403)


def _conflict(
    request: HttpRequest, game: Game, form: HandForm, refusal: Conflict | KeyReused
) -> HttpResponse:
    """Another hand was first, or the game is over: both hands side by side."""
    return _form_again(request, game, form, status=409, **conflict_context(game, form, refusal))


def _form_again(
    request: HttpRequest, game: Game, form: HandForm, *, status: int, **more: Any
) -> HttpResponse:
    """The form as it was sent, with what is wrong; a script gets what is wrong alone."""
    context = table_context(request, game.pk, form, **more)
    if not wants_json(request):
        _warn_if_of_another(request)
        return render(request, "table/table.html", context, status=status)
    return refused_hand(request, form, context, status=status)
