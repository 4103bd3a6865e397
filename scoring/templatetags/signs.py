"""Signs between two parts that are translated by themselves, as the reader's language prints them."""

from django import template

from scoring.translation import colon, comma, list_comma, listed

register = template.Library()
register.simple_tag(colon)
register.simple_tag(comma)
register.simple_tag(list_comma)
register.filter("listed", listed)
