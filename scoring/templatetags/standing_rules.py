"""Standing rules in words, on pages."""

from collections.abc import Mapping

from django import template

from scoring.models.standing_settings import StandingTable

register = template.Library()


@register.filter
def in_words(rules: StandingTable, names: Mapping[int, str]) -> list[str]:
    """The sentences of ``rules`` with the ``names`` of the players, by id."""
    return rules.in_words(names)
