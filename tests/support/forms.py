"""What a browser sends of a form."""

from typing import Any

from django.forms import BaseForm


def as_shown(form: BaseForm) -> dict[str, Any]:
    """What is sent of ``form`` if nobody changes anything; a box without a tick is not sent.

    A test that begins with it goes on to pass when the form has one more field with a default.
    """
    values = {name: form[name].value() for name in form.fields}
    return {
        name: value for name, value in values.items() if value is not None and value is not False
    }
