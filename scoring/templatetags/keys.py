"""``{% form_key %}``: a form that comes twice is carried out once (``scoring.web.idempotent_form``)."""

from uuid import uuid4

from django import template
from django.forms import BaseForm
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def form_key(form: BaseForm | None = None) -> SafeString:
    """The hidden field that tells one form from another; ``form`` has its key still if it was typed before signing in."""
    key = form.initial.get("key") if form else None
    return format_html('<input type="hidden" name="key" value="{}">', key or uuid4().hex)
