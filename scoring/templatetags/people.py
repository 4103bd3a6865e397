"""The people who do things, by names that the reader may read."""

from typing import Any

from django import template
from django.template import Context

from scoring.models import people
from scoring.models.permissions import User, is_own_player

register = template.Library()
register.filter(is_own_player)


@register.simple_tag(takes_context=True)
def person_name(context: Context, who: User | None) -> Any:
    """How the page names ``who`` to its reader."""
    return people.person_name(who, reader=context.get("user"))
