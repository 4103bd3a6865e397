"""Figures in a template, as the reader's language writes them (scoring.figures)."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.figures import (
    adds_up,
    exact,
    faan_title,
    percent,
    signed,
    signed_exact,
    tenths,
    whole,
    worth_in_words,
)
from scoring.models.tallies import RatingBand

register = template.Library()

for figure in (whole, signed, tenths, percent, exact, signed_exact, adds_up, faan_title):
    register.filter(figure.__name__, figure)


@register.filter
def in_unit(value: int | None, unit: str) -> str:
    """What a line of a card is worth, in its unit; a dash for a card without it."""
    return "–" if value is None else worth_in_words(unit, str(value))


@register.simple_tag
def amount(value: int | None) -> SafeString:
    """A signed amount, with its colour beside its sign."""
    side = "" if not value else " amount--plus" if value > 0 else " amount--minus"
    return format_html('<span class="amount{}">{}</span>', side, signed(value))


@register.simple_tag
def heading(label: str, kind: str = "figure") -> SafeString:
    """The head of a column; its role is said because on a phone the table is laid out as a list."""
    named = format_html(' class="{}"', kind) if kind else ""
    return format_html('<th{} scope="col" role="columnheader">{}</th>', named, label)


@register.simple_tag
def cell(label: str, value: str, kind: str = "figure") -> SafeString:
    """A figure below the heading ``label``, which on a phone stands beside it."""
    return format_html('<td class="{}" role="cell" data-label="{}">{}</td>', kind, label, value)


@register.simple_tag
def rating_cell(band: RatingBand) -> SafeString:
    """A rating, and how sure it is: ±160, or that it is provisional."""
    how_sure = _("provisional") if band.provisional else f"±{whole(band.margin)}"
    shown = format_html('{} <small class="soft">{}</small>', whole(band.rating), how_sure)
    return cell(_("Rating"), shown)


@register.simple_tag
def band_cells(band: RatingBand) -> SafeString:
    """A rating, and in a cell of its own where the strength most probably is: 880–1,200."""
    shown: str = whole(band.rating)
    if band.provisional:
        shown = format_html('{} <small class="soft">{}</small>', shown, _("provisional"))
    between = f"{whole(band.low)}–{whole(band.high)}"
    return cell(_("Rating"), shown, "figure band") + cell(_("Band"), between, "figure band")


@register.simple_tag
def ranked_cell(label: str, value: str) -> SafeString:
    """The figure that ranks a line: the one that is read first."""
    return cell(label, value, "figure points")


@register.filter
def times(doubles: int) -> int:
    """What so many doubles multiply by: 3 is 8."""
    return 1 << doubles
