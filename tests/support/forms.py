"""What a browser sends of a form."""

import re
from html import unescape
from typing import Any

from django.forms import BaseForm
from django.http import HttpResponse


def as_shown(form: BaseForm) -> dict[str, Any]:
    """What is sent of ``form`` if nobody changes anything; a box without a tick is not sent.

    A test that begins with it goes on to pass when the form has one more field with a default.
    """
    values = {name: form[name].value() for name in form.fields}
    return {
        name: value for name, value in values.items() if value is not None and value is not False
    }


def sent_as_shown(page: HttpResponse) -> dict[str, Any]:
    """What is sent of the form of ``page`` if nobody changes anything, with what it carries unseen."""
    form = page.context["form"]
    carried = re.findall(
        r'<input type="hidden" name="(initial-[^"]+)"([^>]*)>', page.content.decode()
    )
    values = {name: re.search(r'value="([^"]*)"|$', rest)[1] or "" for name, rest in carried}
    return {**as_shown(form), **{name: unescape(value) for name, value in values.items()}}


def sent_by(page: HttpResponse, button: str) -> dict[str, str]:
    """The inputs with a value of the form of ``page`` in whose HTML ``button`` stands, as they are shown."""
    forms = re.findall(r'<form[^>]*method="post".*?</form>', page.content.decode(), re.DOTALL)
    form = next(one for one in forms if button in one)
    return dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', form))
