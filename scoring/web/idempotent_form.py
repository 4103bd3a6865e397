"""Save what a form sends once, however often it comes, or not at all."""

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from urllib.parse import urlencode

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.services.errors import KeyReused
from scoring.services.idempotency import StoredResponse, idempotent, with_content
from scoring.translation import LazyText

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
    """Tell the person that their form came again. What its lost answer had said may be true no more."""
    list(messages.get_messages(request))
    messages.info(request, _("This form was sent before, and was carried out then."))


def carry_out(
    request: HttpRequest, form: Form, act: Callable[[], StoredResponse], done: LazyText
) -> None:
    """As :func:`idempotent_form`; the person is told that it is ``done``, or why not this time."""
    try:
        answer = idempotent_form(request, form, act)
    except KeyReused:
        say_key_reused(request)
    else:
        say_done(request, answer, str(done))


def idempotent_form(
    request: HttpRequest, form: Form, act: Callable[[], StoredResponse]
) -> StoredResponse:
    """Carry out ``act`` for a valid ``form``, or repeat the answer that its hidden ``key`` had.

    What was typed into it before signing in has served then.

    :raises KeyReused: if the key came before with another content.
    """
    values = [(name, form[name].value() or "") for name in form.fields]
    answer = _idempotent(request, act, key=form.cleaned_data["key"], values=values)
    form_done(request, key=form.cleaned_data["key"] if answer.replayed else "")
    return answer


def idempotent_post(
    request: HttpRequest, act: Callable[[], StoredResponse], *, secret: Collection[str] = ()
) -> StoredResponse:
    """Carry out ``act`` for a form with ``{% form_key %}``, or repeat the answer that the same form had with the same content.

    With another content, or at another address, it is another one: somebody went back to it, and filled it in for
    something else. What was typed into it before signing in has served then.

    :param secret: names of fields that no digest is made of.
    """
    apart = {"csrfmiddlewaretoken", *secret}
    sent = [(name, texts) for name, texts in request.POST.lists() if name not in apart]
    values = [(name, str(text)) for name, texts in sent for text in texts]
    key = request.POST.get("key", "")
    content = f"{_call(request)}\n{urlencode(values)}"
    digest = sha256(content.encode()).hexdigest()
    answer = _idempotent(request, act, key=key and with_content(key, digest), values=values)
    form_done(request, key=key if answer.replayed else "")
    return answer


def _idempotent(
    request: HttpRequest,
    act: Callable[[], StoredResponse],
    *,
    key: str,
    values: Sequence[tuple[str, object]],
) -> StoredResponse:
    return idempotent(act, by=request.user, key=key, call=_call(request), body=urlencode(values))


def _call(request: HttpRequest) -> str:
    return f"{request.method} {request.path}"
