"""A form that is sent twice, by a double tap or a bad network, counts once."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.forms import Form
from django.http import HttpRequest

from scoring.play.once import Answer, once


def sent_once(request: HttpRequest, form: Form, act: Callable[[], Answer]) -> Answer:
    """Carry out ``act`` for a valid ``form``, or repeat the answer that its hidden ``key`` had.

    :raises KeyReused: if the key came before with another content.
    """
    said = [(name, form[name].value() or "") for name in form.fields]
    return once(
        act,
        by=request.user,
        key=form.cleaned_data["key"],
        call=f"{request.method} {request.path}",
        body=urlencode(said),
    )
