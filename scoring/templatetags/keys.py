"""``{% form_key %}``: a form that comes twice is carried out once (``scoring.web.idempotent_form``)."""

from uuid import uuid4

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def form_key() -> SafeString:
    """The hidden field that tells one form from another."""
    return format_html('<input type="hidden" name="key" value="{}">', uuid4().hex)
