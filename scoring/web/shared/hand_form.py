"""The form at the table. It only shapes what was tapped; the hand itself says what is wrong."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.choices import CallableChoiceIterator
from django.utils.functional import cached_property
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.evaluator import notation
from scoring.evaluator.table import SILENT, Calls
from scoring.evaluator.table_rules import Claims, LoserEntry, TableRules
from scoring.evaluator.win import Win
from scoring.models import Game, Player
from scoring.models.hands import (
    CHOOSE_THE_DISCARDER,
    WRONG_DISCARDER,
    claim_words,
    discarder_may_be_unknown,
)
from scoring.models.places import all_who_left
from scoring.models.refusals import NOT_AT_THE_TABLE
from scoring.services.hands.entry import HandEntry
from scoring.services.merging import merged_records
from scoring.translation import LazyText, listed_lazy, translate, typed_tiles
from scoring.typed_numbers import WholeNumberField

from .refusals import Refusable
from .rule_fields import Asks, asks_of, calls_of, fields_for, losers_of, shown_at, win_entered
from .tiles_field import NO_WORDS

DRAW = "draw"
SELF_DRAWN = "self"
UNKNOWN = "unknown"
# The choices of the table that are no player.
NOBODY = ("", DRAW, SELF_DRAWN, UNKNOWN)
# The names of fields that only rule books ask.
OF_A_BOOK = re.compile(
    r"(won_by|winning_tile|dora_indicators|liable|value|abortive)$|"
    r"(bonus|flag|other|staked|calling)-"
)
PEOPLE = ("winner", "discarder", "liable")
OF_A_PLAYER = re.compile(r"(other-|staked-|calling-)([0-9]{1,18})(?![0-9])")
# Where nothing is said yet, a special way of winning may tell.
SELF_ANSWERED = {SELF_DRAWN: True, "": None}

# Where the form shows what the hand says about a field that the form does not have.
SHOWN_AT = {"melds": "tiles", "concealed": "tiles", "self_drawn": "discarder", "outcome": "winner"}

# Tiles as they are tapped; whatever else was typed may be names in the reader's language.
TAPPED = re.compile(r"[1-9BCDESWNRGh*#,. ]*")
# What a form says in which nothing was entered.
NOTHING = HandEntry(
    number=0, outcome="win", win=Win.of({"self_drawn": SELF_ANSWERED[""]}), asks_discarder=True
)
FIGURE = forms.NumberInput({"class": "input--figure", "inputmode": "numeric"})


class TableField(forms.ChoiceField):
    """A choice of the table, or of the table as it was ``before`` the game was changed.

    A phone may still hold such a hand. The site may have it already; if not, the hand says what is wrong.
    """

    before: Collection[str] = ()

    def valid_value(self, value: str) -> bool:
        return super().valid_value(value) or value in self.before


def _claims_for_scripts(claims: Claims) -> dict[str, Any]:
    """``claims`` as attributes of the field, with the words for a score that is none: a phone without a network asks them."""
    words = {f"data-{name}": message for name, message in claim_words(claims).items()}
    scores = " ".join(map(str, claims.listed))
    bounds = {"data-least": claims.least, "data-most": claims.most, "data-step": claims.step}
    return {**bounds, "data-listed": scores, **words}


class HandForm(Refusable, forms.Form):
    """One hand of ``game``: who won off whom with which tiles, or a draw.

    ``winner`` is a player's id or ``draw``; ``discarder`` a player's id, ``self``, or ``unknown``
    where the rules can do without: whoever leaves it out is asked. ``number`` tells a form that comes too late, ``key`` one that comes twice.
    """

    number = WholeNumberField(widget=forms.HiddenInput, min_value=1)
    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    winner = TableField(label=_("Who won?"), required=False, widget=forms.RadioSelect)
    discarder = TableField(
        label=_("Who discarded the winning tile?"), required=False, widget=forms.RadioSelect
    )
    tiles = forms.CharField(
        label=_("Tiles"),
        required=False,
        max_length=notation.LONGEST,
        widget=forms.TextInput(NO_WORDS),
    )
    claimed_final = WholeNumberField(label=_("Final score"), required=False, widget=FIGURE)
    claimed_limit = forms.CharField(
        label=_("Limit hand"),
        required=False,
        widget=forms.Select,
    )

    fields: dict[str, Any]
    # Whether it has fields of rule books: what the rules of the table do not know is refused by name.
    _by_book = False

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        begun = {"number": game.next_number, "key": uuid4().hex}
        kwargs["initial"] = {**begun, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        self.game = game
        if self.is_bound:
            self.data = self._with_merged(self.data)
        names = listed_lazy([player.name for player in game.players])
        self._elsewhere = format_lazy(NOT_AT_THE_TABLE, names=names)
        people = [(str(player.pk), player.name) for player in game.players]
        self._offer("winner", [*people, (DRAW, _("No winner (draw)"))])
        self._offer("discarder", [*people, (SELF_DRAWN, _("Self-drawn")), *self._unknown()])
        self.fields["claimed_limit"].widget.choices = CallableChoiceIterator(self._limits)
        self.fields["claimed_final"].widget.attrs |= _claims_for_scripts(self.rules.claims)
        sent = [name for name in self.data if self.data[name]]
        if not self.rules.asks_nothing or any(map(OF_A_BOOK.match, sent)):
            self.fields.update(fields_for(self.rules, self._everybody, sent))
            self._by_book = True
        if "liable" in self.fields:
            self.fields["liable"].error_messages["elsewhere"] = self._elsewhere
        self._not_there = [
            name for name in sent if OF_A_BOOK.match(name) and name not in self.fields
        ]

    def clean_tiles(self) -> str:
        tiles: str = self.cleaned_data["tiles"]
        return tiles if TAPPED.fullmatch(tiles) else typed_tiles(tiles)

    def clean(self) -> dict[str, Any]:
        """Refuse what looks like a field of a rule book and is none: it may decide who pays."""
        for name in self._not_there:
            message = _("The form of a hand has no field “%(name)s”: reload the page.")
            self.add_error(None, forms.ValidationError(message % {"name": name[:40]}))
        return self.cleaned_data

    def _limits(self) -> list[tuple[str, str]]:
        names = self.rules.limit_names
        return [("", "–"), *((limit, translate(names[limit])) for limit in self.rules.limits)]

    @property
    def rules(self) -> TableRules:
        """What the table plays by."""
        return self.game.ruleset_version.table_rules

    @cached_property
    def asks(self) -> Asks | None:
        """What the rules ask besides who won and the tiles; None if that is nothing."""
        return asks_of(self, self.rules, self.game.players, self._left)

    def _with_merged(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """``data`` with who players are by now whose records were merged: what sent it may name them as before."""
        here = {str(player.pk) for player in self.game.players}
        named = {data[name] for name in PEOPLE if str(data.get(name) or "").isdigit()}
        named |= {match[2] for name in data if (match := OF_A_PLAYER.match(name))}
        if named <= here:
            return data
        now = {str(gone): str(kept) for gone, kept in self._records.items()}

        def today(name: str) -> str:
            return OF_A_PLAYER.sub(lambda found: found[1] + now.get(found[2], found[2]), name)

        return {
            today(name): now.get(value, value) if name in PEOPLE else value
            for name, value in data.items()
        }

    @cached_property
    def merged(self) -> dict[int, int]:
        """Who somebody at the table was before records were merged, and is now (ids): a phone may still name them."""
        return self._records if self.asks else {}

    @cached_property
    def _records(self) -> dict[int, int]:
        return merged_records(player.pk for player in self._everybody)

    @property
    def _everybody(self) -> list[Player]:
        """Who plays here, and who left."""
        return [*self.game.players, *(gone for gone, _came in self._left)]

    @cached_property
    def _left(self) -> list[tuple[Player, Player]]:
        """Who left the table, and who plays in their place: rule books ask of each player by name."""
        return all_who_left(self.game)

    @property
    def may_be_unknown(self) -> bool:
        """Whether the rules of the game can do without a discarder."""
        return discarder_may_be_unknown(self.rules)

    @property
    def lacks_discarder(self) -> LazyText:
        """What the site says of a win without a discarder, for scripts that say it alone."""
        return CHOOSE_THE_DISCARDER if self.may_be_unknown else WRONG_DISCARDER["required"]

    def _unknown(self) -> list[tuple[str, Any]]:
        return [(UNKNOWN, _("Nobody remembers"))] if self.may_be_unknown else []

    @cached_property
    def _before(self) -> set[str]:
        """What could be chosen before seats or rules were changed."""
        changes = self.game.changes
        left = {str(pk) for change in changes for pk in change.before.get("seats", ())}
        return {*left, UNKNOWN} if changes else left

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        field.choices = choices
        field.before = self._before if self.is_bound else ()
        field.error_messages["invalid_choice"] = self._elsewhere

    @property
    def entry(self) -> HandEntry:
        """What the form says, for :mod:`scoring.services`; call it on a valid form."""
        data = self.cleaned_data
        drawn = data["winner"] == DRAW
        return HandEntry(
            number=data["number"],
            outcome="draw" if drawn else "win",
            winner=None if drawn else _player(data["winner"]),
            discarder=_player(data["discarder"]),
            tiles=data["tiles"],
            win=Win.of(
                {
                    **(win_entered(data) if self._by_book else {}),
                    "self_drawn": SELF_ANSWERED.get(data["discarder"], False),
                }
            ),
            claimed_final=data["claimed_final"],
            claimed_limit=data["claimed_limit"],
            asks_discarder=data["discarder"] != UNKNOWN,
            liable=data.get("liable"),
            others=self._others(),
            calls=self._calls(),
        )

    @property
    def says_nothing(self) -> bool:
        """Whether nobody has entered anything; call it on a valid form."""
        entry = self.entry
        return replace(entry, number=0, others=tuple(entry.others)) == NOTHING

    def _others(self) -> list[LoserEntry]:
        return losers_of(self.cleaned_data) if self._by_book else []

    def _calls(self) -> Calls:
        return calls_of(self.cleaned_data) if self._by_book else SILENT

    def refuse(self, error: forms.ValidationError) -> None:
        super().refuse(self.in_words(error))

    def in_words(self, error: forms.ValidationError) -> forms.ValidationError:
        """Programs name a limit hand by its id, and read which there are; here one chooses from a list."""
        named = error.error_dict if hasattr(error, "error_dict") else {}
        if self.rules.limits and any(
            one.code == "not_a_limit" for one in named.get("claimed_limit", [])
        ):
            message = _(
                "The rules of this table do not have this limit hand. Choose another one, or enter the tiles."
            )
            return forms.ValidationError({**named, "claimed_limit": message})
        return error

    def field_about(self, name: str) -> str:
        entered = [field for field in self.fields if self.data.get(field)]
        left = [gone for gone, _came in self._left if self._was_entered(gone)]
        return shown_at(SHOWN_AT.get(name, name), [*entered, *self.fields], left)

    def _was_entered(self, player: Player) -> bool:
        return any(value for name, value in self.data.items() if f"-{player.pk}-" in f"{name}-")


def _player(chosen: str) -> int | None:
    """The id of the player who was chosen in a :class:`TableField`; None for another choice of it."""
    return None if chosen in NOBODY else int(chosen)
