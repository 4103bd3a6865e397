"""Save what a form sends once, however often it comes, or not at all."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.services.idempotency import StoredResponse, idempotent

from .account.drafts import form_done

View = Callable[..., HttpResponse]


def saves_nothing(view: View) -> View:
    """``view`` answers what is sent to it and forgets it: when saving is stuck, it is let in."""
    view.saves_nothing = True  # type: ignore[attr-defined]
    return view


def say_key_reused(request: HttpRequest) -> None:
    """Tell the person that what they sent changed nothing: the form was sent before, with something else."""
    message = _(
        "This form was sent before with something else in it, so nothing was changed now. If the "
        "result is wrong, start again."
    )
    messages.info(request, message)


def say_done(request: HttpRequest, answer: StoredResponse, sentence: str) -> None:
    """Tell the person that it is done, by ``sentence``; of a form that comes again, that it was: others may have undone it since."""
    if answer.replayed:
        say_done_before(request)
    else:
        messages.success(request, sentence)


def say_done_before(request: HttpRequest) -> None:
    """Tell the person that their form came again."""
    messages.info(request, _("This form was sent before, and was carried out then."))


def idempotent_form(
    request: HttpRequest, form: Form, act: Callable[[], StoredResponse]
) -> StoredResponse:
    """Carry out ``act`` for a valid ``form``, or repeat the answer that its hidden ``key`` had.

    What was typed into it before signing in has served then.

    :raises KeyReused: if the key came before with another content.
    """
    values = [(name, form[name].value() or "") for name in form.fields]
    answer = idempotent(
        act,
        by=request.user,
        key=form.cleaned_data["key"],
        call=f"{request.method} {request.path}",
        body=urlencode(values),
    )
    form_done(request)
    return answer
