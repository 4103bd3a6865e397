"""The form that scores a hand for anybody. It only shapes; the evaluator says what is wrong."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_wind
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet as Rules
from scoring.evaluator.table_rules import TableRules
from scoring.evaluator.win import Win
from scoring.models import RuleSet
from scoring.models.games import Wind
from scoring.models.problems import as_validation_error
from scoring.models.rulesets import version_in_words
from scoring.services.book_scores import books_of, books_to_work_out, card_by_book
from scoring.translation import translate
from scoring.variants.book_rules import BookTableRules

from ..shared.refusals import show_refusal
from ..shared.tiles_field import TypedTilesField
from .book_fields import asked_of, fields_of

# What an address may leave out: the book's examples sit South in the East round.
DEFAULTS = {"seat": Wind.SOUTH.value, "prevailing": Wind.EAST.value, "ruleset": "club"}
CONCEALED = {"yes": True, "no": False}
NO_WIND = {"invalid_choice": _("Choose East, South, West or North.")}
SHOWN_AT = {"melds": "tiles", "claimed": "value"}


class CalculatorForm(forms.Form):
    """A hand, its winds and a rule set.

    ``hand`` is there once the form is valid, or ``card`` of a rule book, which asks for more than the
    club's own rules; ``refusal`` is what the evaluator refuses it for.
    """

    tiles = TypedTilesField(
        label=_("Tiles"),
        error_messages={"required": _("Tap or type the tiles of the hand.")},
    )
    seat = forms.ChoiceField(
        label=_("Seat wind"), choices=Wind, widget=forms.RadioSelect, error_messages=NO_WIND
    )
    prevailing = forms.ChoiceField(
        label=_("Prevailing wind"), choices=Wind, widget=forms.RadioSelect, error_messages=NO_WIND
    )
    self_drawn = forms.BooleanField(label=_("Self-drawn"), required=False)
    concealed = forms.ChoiceField(
        label=_("Concealed"),
        required=False,
        choices=[
            ("", _("Yes, unless a set is marked open")),
            ("yes", _("Yes")),
            ("no", _("No, some of it lay open")),
        ],
        error_messages={"invalid_choice": _("Choose yes or no, or leave it to the stars.")},
    )
    ruleset = forms.ChoiceField(
        label=_("Rules"),
        error_messages={"invalid_choice": _("There are no such rules here: choose from the list.")},
    )

    hand: Hand | None = None
    card: BookCard | None = None
    refusal: ValidationError | None = None

    fields: dict[str, Any]

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, ruleset: str = "", **kwargs: Any
    ) -> None:
        given = None if data is None else _given(data)
        initial = {**DEFAULTS, "ruleset": ruleset or DEFAULTS["ruleset"]}
        super().__init__(given, initial=initial, **kwargs)
        self._rulesets = {
            ruleset.slug: ruleset for ruleset in RuleSet.objects.prefetch_related("versions")
        }
        self._books = {book.slug: book for book in books_to_work_out(self._rulesets.values())}
        others = [(slug, translate(book.name)) for slug, book in self._books.items()]
        self._books |= books_of(self._rulesets.values())
        stored = [(slug, _with_version(ruleset)) for slug, ruleset in self._rulesets.items()]
        self.fields["ruleset"].choices = [*stored, (gettext("To work hands out by"), others)]
        if self.book:
            del self.fields["self_drawn"], self.fields["concealed"]
            self.fields.update(fields_of(self.book))
            self.fields["tiles"].required = not (self.asks_value or self._wins_by_bonus(self.book))
        if given is not None and self.asks_value:
            given["tiles"] = ""  # what other rules were asked about: a line of a card has none

    @property
    def entered(self) -> dict[str, Any]:
        """What was entered, field by field, as an address says it."""
        return {name: self[name].value() for name in self.fields}

    @property
    def book(self) -> Book | None:
        """The chosen rule book, if it is one."""
        return self._books.get(str(self["ruleset"].value()))

    def _wins_by_bonus(self, book: Book) -> bool:
        """Whether the bonus tiles win by themselves, whatever the other tiles are."""
        return 0 < book.winning_bonus <= len(self["bonus"].value() or ())

    @property
    def asked(self) -> list[forms.BoundField]:
        """The fields that depend on the rules."""
        first = ("tiles", "seat", "prevailing", "ruleset")
        return [self[name] for name in self.fields if name not in first]

    @property
    def rules(self) -> Rules:
        """The chosen rule set in its newest version, or Club while none is."""
        slug = str(self["ruleset"].value())
        if slug in self._books or slug not in self._rulesets:
            slug = DEFAULTS["ruleset"]
        return self._rulesets[slug].latest.rules

    @property
    def asks_value(self) -> bool:
        """Whether the rules know no tiles: they ask for the value of a line of a card."""
        return "value" in self.fields

    @property
    def table_rules(self) -> TableRules:
        """What a table plays by the chosen rules: the pad has its limit hands."""
        return BookTableRules(self.book) if self.book else OptionTableRules(self.rules)

    def clean(self) -> dict[str, Any]:
        """Make the hand, and show what the evaluator says at the field that it is about.

        The tiles are looked at even if something else is wrong: all problems are told at once.
        """
        data = self.cleaned_data
        if "tiles" not in data or (self.asks_value and "value" not in data):
            return data
        winds = [data.get(name, DEFAULTS[name]) for name in ("seat", "prevailing")]
        try:
            if self.book:
                asked = asked_of(data)
                self.card = card_by_book(self.book, data["tiles"], *winds, **asked)
            else:
                win = Win.of({**data, "concealed": CONCEALED.get(data.get("concealed", ""))})
                self.hand = Hand.from_notation(data["tiles"], *winds, win=win)
        except HandError as error:
            self.refusal = as_validation_error(error)
            show_refusal(self, self.refusal, lambda name: SHOWN_AT.get(name, name))
        return data


def _with_version(ruleset: RuleSet) -> str:
    """A rule set by its name and the version that scores here, which a league need not play by."""
    return version_in_words(ruleset.name, ruleset.latest.number)


def address(values: Mapping[str, Any], to: str = "calculator") -> str:
    """The calculator, or another page, with a hand entered; what is left blank is left out."""
    filled = {name: value for name, value in values.items() if value not in (None, "", False, [])}
    return f"{reverse(to)}?{urlencode(filled, doseq=True)}"


def _given(data: Mapping[str, Any]) -> MultiValueDict:
    """What an address says, with the usual where it says nothing; winds in any spelling."""
    given = MultiValueDict({name: [value] for name, value in DEFAULTS.items()})
    for key in data:
        given.setlist(key, data.getlist(key) if isinstance(data, MultiValueDict) else [data[key]])
    for name in ("seat", "prevailing"):
        # What is no wind stays as it is: the field says so.
        with suppress(HandError):
            given[name] = parse_wind(given[name], field=name).value
    return given
