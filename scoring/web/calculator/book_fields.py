"""The calculator's fields for a rule book, besides tiles and winds: only what the book knows."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.entry import USUAL
from scoring.evaluator.books.hands import ALWAYS_KNOWN, BONUS_TILES
from scoring.evaluator.books.loader import MOST_WORTH
from scoring.evaluator.books.vocabulary import FLAGS, WON_BY
from scoring.evaluator.tiles import TILES
from scoring.translation import bonus_name, translate
from scoring.typed_numbers import WholeNumberField

from ..shared.tiles_field import TypedTilesField

LOSER = "loser"
FIGURE = {"class": "input--figure", "inputmode": "numeric"}


def fields_of(book: Book) -> dict[str, forms.Field]:
    """The fields for ``book``, by their names."""
    fields: dict[str, forms.Field] = {"won_by": _won_by(book)}
    if book.counting.kind == "card":
        fields["value"] = WholeNumberField(
            label=_("Value of the line"),
            min_value=1,
            max_value=MOST_WORTH,
            widget=forms.NumberInput(FIGURE),
            error_messages={"required": _("Enter the value of the line.")},
        )
    else:
        tiles = [(tile.code, translate(tile.name)) for tile in TILES]
        fields["winning_tile"] = forms.ChoiceField(
            label=_("Winning tile"), required=False, choices=[("", _("Not known")), *tiles]
        )
    if book.bonus:
        fields["bonus"] = _boxes(
            _("Bonus tiles"), [(code, bonus_name(code)) for code in BONUS_TILES]
        )
    if flags := [(flag, translate(FLAGS[flag])) for flag in FLAGS if flag in book.circumstances]:
        fields["flags"] = _boxes(_("What else counts"), flags)
    if "dora_indicators" in book.circumstances:
        fields["dora_indicators"] = TypedTilesField(
            label=_("Dora indicators"),
            required=False,
            max_length=60,
            help_text=_("Tiles of the dead wall, such as 4C 9B."),
        )
    return fields


def asked_of(data: dict[str, Any]) -> dict[str, Any]:
    """What was entered, as :func:`scoring.services.book_scores.card_by_book` takes it."""
    won_by = data.get("won_by") or USUAL
    return {
        "won_by": "" if won_by == LOSER else won_by,
        "winning_tile": data.get("winning_tile", ""),
        "bonus": data.get("bonus", []),
        "flags": data.get("flags", []),
        "value": data.get("value") or 0,
        "dora_indicators": [data.get("dora_indicators", "")],
    }


def _won_by(book: Book) -> forms.Field:
    known = book.circumstances | ALWAYS_KNOWN
    choices = [(way, translate(WON_BY[way])) for way in (USUAL, *WON_BY) if way in known]
    if book.losers_score:
        choices.append((LOSER, _("This hand did not win")))
    return forms.ChoiceField(
        label=_("How it was won"), required=False, choices=list(dict.fromkeys(choices))
    )


def _boxes(label: str, choices: list[tuple[str, str]]) -> forms.Field:
    boxes = forms.CheckboxSelectMultiple
    return forms.MultipleChoiceField(label=label, required=False, choices=choices, widget=boxes)
