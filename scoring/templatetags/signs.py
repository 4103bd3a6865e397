"""Signs between two parts that are translated by themselves, as the reader's language prints them."""

from django import template
from django.utils.translation import get_language

register = template.Library()


@register.simple_tag
def colon() -> str:
    """Between a name and what is said of it.

    >>> colon()
    ': '
    """
    return "：" if _is_chinese() else ": "


@register.simple_tag
def comma() -> str:
    """Between two of a list.

    >>> comma()
    ', '
    """
    return "，" if _is_chinese() else ", "


def _is_chinese() -> bool:
    return (get_language() or "").startswith("zh")
