"""The fields of a hand besides winner and tiles: only what the rules of the table know.

Each answer is a field of its own with one value, so that a phone keeps, sends and gives it back like any
other: ``won_by``, ``winning_tile``, ``liable``, ``value``, ``bonus-F1``, ``flag-original_call``, and of a
player who did not win ``other-12-tiles``, ``other-12-claimed``, ``other-12-bonus-F1``. Where sticks lie on
the table, also after a draw: ``staked-12``, ``calling-12``, ``abortive``.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.circumstances import meaning_of, name_of
from scoring.evaluator.books.hands import BONUS_TILES
from scoring.evaluator.books.loader import MOST_WORTH
from scoring.evaluator.books.vocabulary import BY_DEALER, BY_OTHERS, DRAWN, STAKED
from scoring.evaluator.table import Calls
from scoring.evaluator.table_rules import LoserEntry, TableRules
from scoring.evaluator.tiles import TILES
from scoring.models import Hand, Player
from scoring.services.hands.entry import stored_calls, stored_losers
from scoring.translation import bonus_name, translate
from scoring.typed_numbers import WholeNumberField, typed_id

from .names import short_names
from .tiles_field import TypedTilesField

FIGURE = {"class": "input--figure", "inputmode": "numeric"}
BONUS = r"bonus-[FY][1-4]"
CALLED = r"(?:staked|calling)-[0-9]{1,18}"
OF_ONE = re.compile(
    rf"won_by|winning_tile|dora_indicators|liable|value|abortive|{CALLED}|{BONUS}|flag-(\w{{1,40}})"
)
OF_OTHER = re.compile(rf"other-([0-9]{{1,18}})-(tiles|claimed|flags|{BONUS})")
# Who left the table, and who plays in their place.
Replaced = tuple[Player, Player]
MOST_OTHERS = 8  # players whose hands a form may tell: the table's, and who sat there before


class PlayerField(forms.CharField):
    """The id of a player. The hand itself says whether they can be named; what is no id is nobody's."""

    def clean(self, value: Any) -> int | None:
        text: str = super().clean(value)
        pk = typed_id(text)
        if text and pk is None:
            raise forms.ValidationError(self.error_messages["elsewhere"], code="not_at_the_table")
        return pk


def is_rule_field(name: str) -> bool:
    """Whether ``name`` is one of these fields."""
    return bool(OF_ONE.fullmatch(name) or OF_OTHER.fullmatch(name))


@dataclass(frozen=True, slots=True)
class Choice:
    """A key for a circumstance. ``fits`` says when it can be: "drawn", "claimed", "dealer", "others".

    ``left``: it is of a player who plays here no longer; it is there to be taken back.
    """

    name: str
    value: str
    words: str
    meaning: str
    fits: str
    chosen: bool
    left: bool = False


@dataclass(frozen=True, slots=True)
class Loser:
    """What is asked of the hand of a player who did not win.

    ``came`` plays in the place of ``player``, who plays here no longer: what was entered can be theirs.
    """

    player: Player
    came: Player | None
    tiles: BoundField
    claimed: BoundField
    bonus: list[Choice]
    kept: list[BoundField]

    @property
    def entered(self) -> bool:
        """Whether anything is told of it."""
        figures = self.tiles.value(), self.claimed.value()
        return any(figures) or any(choice.chosen for choice in self.bonus)


@dataclass(frozen=True, slots=True)
class Asks:
    """All that the table asks besides, for ``components/asked.html``. What it does not ask is empty.

    So many bonus tiles as ``winning_bonus`` win by themselves; 0: none do.
    """

    bonus: list[Choice]
    winning_bonus: int
    won_by: list[Choice]
    flags: list[Choice]
    winning_tile: BoundField | None
    needs_winning_tile: bool
    liable: list[Choice]
    claimed_kongs: bool
    value: BoundField | None
    dora: BoundField | None
    calls: "AskedCalls | None"
    losers: list[Loser]

    @property
    def special(self) -> bool:
        """Whether there is anything for the key "Special"."""
        return bool(self.won_by or self.flags or self.liable or self.claimed_kongs or self.dora)


@dataclass(frozen=True, slots=True)
class AskedCalls:
    """Who declared riichi, and after a draw who was calling: a box for each seat. Empty if not asked."""

    staked: list[Choice]
    calling: list[Choice]
    abortive: Choice | None
    errors: list[Any]


def fields_for(
    rules: TableRules, players: Sequence[Player], sent: Collection[str]
) -> dict[str, forms.Field]:
    """The fields that ``rules`` ask, and those that were ``sent``: what is not asked is refused by name.

    :param sent: the names of what a form says, of whatever rules.
    """
    names = dict.fromkeys([*_asked(rules, players), *filter(OF_ONE.fullmatch, sent)])
    entered = [match for name in sent if (match := OF_OTHER.fullmatch(name))]
    others = list(dict.fromkeys(match[1] for match in entered))[:MOST_OTHERS]
    names |= dict.fromkeys(match[0] for match in entered if match[1] in others)
    return {name: _field(name) for name in names}


def asks_more(rules: TableRules) -> bool:
    """Whether ``rules`` ask anything besides who won and the tiles."""
    return any(True for _name in _asked(rules, ()))


def _asked(rules: TableRules, players: Sequence[Player]) -> Iterator[str]:
    known = {
        "won_by": rules.won_by,
        "winning_tile": rules.reads_winning_tile,
        "liable": rules.liability,
        "value": rules.reads_card,
        "dora_indicators": rules.reads_dora,
        "abortive": rules.knows_abortive,
    }
    yield from (name for name, asked in known.items() if asked)
    yield from (f"flag-{flag}" for flag in _flags(rules))
    called = (*(["staked"] if rules.stick else []), *(["calling"] if rules.keeps_table else []))
    yield from (f"{name}-{player.pk}" for name in called for player in players)
    bonus = [f"bonus-{code}" for code in BONUS_TILES] if rules.bonus else []
    yield from bonus
    if rules.losers_score:
        parts = ("tiles", "claimed", "flags", *bonus)
        yield from (f"other-{player.pk}-{part}" for player in players for part in parts)


def _flags(rules: TableRules) -> list[str]:
    """The flags that have a box of their own: where sticks lie on the table, they tell of riichi."""
    return [flag for flag in rules.flags if not (rules.stick and flag == STAKED[0])]


def _field(name: str) -> forms.Field:
    kind = name.split("-")[2] if name.startswith("other-") else name.split("-", maxsplit=1)[0]
    if kind in ("bonus", "flag", "staked", "calling", "abortive"):
        return forms.BooleanField(required=False, label=_label(name))
    if kind in ("claimed", "value"):
        return WholeNumberField(
            required=False,
            min_value=0,
            max_value=MOST_WORTH * 10,
            label=_("Value of the line") if kind == "value" else _("Score alone"),
            widget=forms.NumberInput(FIGURE),
        )
    if kind == "winning_tile":
        tiles = [(tile.code, translate(tile.name)) for tile in TILES]
        return forms.CharField(
            required=False,
            max_length=20,
            label=_("Winning tile"),
            widget=forms.Select(choices=[("", _("Not known")), *tiles]),
        )
    if kind in TYPED:
        return TypedTilesField(required=False, label=TYPED[kind])
    kind_of_field = PlayerField if kind == "liable" else forms.CharField
    return kind_of_field(required=False, max_length=200, label=LABELS.get(kind, ""))


TYPED = {"tiles": gettext_lazy("Tiles"), "dora_indicators": gettext_lazy("Dora indicators")}
LABELS = {
    "won_by": gettext_lazy("How it was won"),
    "liable": gettext_lazy("Who pays for everybody?"),
    "staked": gettext_lazy("Who declared riichi?"),
    "calling": gettext_lazy("Who was calling (tenpai)?"),
}


def _label(name: str) -> str:
    asked, *_players = name.split("-")
    if asked in LABELS:
        return str(LABELS[asked])
    what = name.rsplit("-", 1)[-1]
    return bonus_name(what) if what in BONUS_TILES else name_of(what)


# ----- from the form to an entry, and back ------------------------------------------------------------


def win_entered(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the cleaned ``data`` say of the win, by the names of ``Win``."""
    flags = [name.removeprefix("flag-") for name, on in data.items() if on and name[:5] == "flag-"]
    fields = ("won_by", "winning_tile", "value", "dora_indicators")
    entered = {name: data.get(name) for name in fields}
    return {**entered, "bonus": _codes(data, "bonus-"), "flags": flags}


def losers_of(data: Mapping[str, Any]) -> list[LoserEntry]:
    """The hands of the others that the cleaned ``data`` tell."""
    ids = dict.fromkeys(int(match[1]) for name in data if (match := OF_OTHER.fullmatch(name)))
    entries = [
        LoserEntry(
            player=pk,
            tiles=data.get(f"other-{pk}-tiles") or "",
            bonus=" ".join(_codes(data, f"other-{pk}-bonus-")),
            flags=data.get(f"other-{pk}-flags") or "",
            claimed=data.get(f"other-{pk}-claimed"),
        )
        for pk in ids
    ]
    return [entry for entry in entries if not entry.empty or entry.claimed is not None]


def calls_of(data: Mapping[str, Any]) -> Calls:
    """Who staked and who was calling, by id, as the cleaned ``data`` tell."""
    named = [name.split("-") for name, on in data.items() if on and re.fullmatch(CALLED, name)]
    staked, calling = (
        tuple(int(pk) for field, pk in named if field == asked) for asked in ("staked", "calling")
    )
    return Calls(staked, calling, bool(data.get("abortive")))


def _codes(data: Mapping[str, Any], prefix: str) -> list[str]:
    return [code for code in BONUS_TILES if data.get(prefix + code)]


def initial_of(hand: Hand, typed: Mapping[int, str]) -> dict[str, str]:
    """What the form says to tell the same as ``hand``; ``typed`` are the losers' tiles, by player."""
    entered = {"won_by": hand.won_by, "winning_tile": hand.winning_tile}
    entered |= {"liable": str(hand.liable_id or ""), "value": str(hand.value or "")}
    entered |= {f"bonus-{code}": "on" for code in hand.bonus.split()}
    entered |= {"dora_indicators": hand.dora_indicators}
    flags = [flag for flag in hand.flags.split() if not (hand.calls and flag == STAKED[0])]
    entered |= {f"flag-{flag}": "on" for flag in flags}
    for loser in stored_losers(hand):
        other = f"other-{loser.player}"
        claimed = "" if loser.claimed is None else str(loser.claimed)
        entered |= {f"{other}-tiles": typed.get(loser.player, ""), f"{other}-claimed": claimed}
        entered |= {f"{other}-flags": loser.flags}
        entered |= {f"{other}-bonus-{code}": "on" for code in loser.bonus.split()}
    return {name: value for name, value in entered.items() if value}


def calls_initial(hand: Hand) -> dict[str, str]:
    """What the form says of who staked and who was calling to tell the same as ``hand``."""
    calls = stored_calls(hand)
    named = {f"{name}-{pk}": "on" for name, people in calls.people.items() for pk in people}
    return named | ({"abortive": "on"} if calls.abortive else {})


# ----- for the template -------------------------------------------------------------------------------


def asks_of(
    form: forms.Form, rules: TableRules, players: Sequence[Player], left: Sequence[Replaced] = ()
) -> Asks | None:
    """What ``form`` asks besides by ``rules``; None if that is nothing.

    :param left: a hand that a phone holds may still name them, so that it needs their fields.
    """
    asked = set(_asked(rules, players))
    if not asked:
        return None
    return Asks(
        bonus=_boxes(form, "bonus-", BONUS_TILES if rules.bonus else ()),
        winning_bonus=rules.winning_bonus,
        won_by=list(_ways(form, rules)),
        flags=_boxes(form, "flag-", _flags(rules)),
        winning_tile=form["winning_tile"] if "winning_tile" in asked else None,
        needs_winning_tile=rules.needs_winning_tile,
        liable=_people(form, players, left) if rules.liability else [],
        claimed_kongs=rules.reads_claimed_kongs,
        value=form["value"] if "value" in asked else None,
        dora=form["dora_indicators"] if rules.reads_dora else None,
        calls=_calls(form, rules, players, left) if rules.keeps_table else None,
        losers=list(_losers(form, rules, players, left)) if rules.losers_score else [],
    )


def _boxes(form: forms.Form, prefix: str, names: Sequence[str]) -> list[Choice]:
    return [
        Choice(
            prefix + name,
            "on",
            bonus_name(name) if name in BONUS_TILES else name_of(name),
            meaning_of(name),
            _who(name),
            bool(form[prefix + name].value()),
        )
        for name in names
    ]


def _calls(
    form: forms.Form, rules: TableRules, players: Sequence[Player], left: Sequence[Replaced]
) -> AskedCalls:
    everybody = [*players, *(gone for gone, _came in left)]
    shortened = short_names([player.name for player in everybody])

    def boxes(field: str) -> list[Choice]:
        return [
            Choice(
                name, "on", short, player.name, "", bool(form[name].value()), player not in players
            )
            for player, short in zip(everybody, shortened, strict=True)
            if (name := f"{field}-{player.pk}")
        ]

    abortive = None
    if rules.knows_abortive:
        words, chosen = name_of("abortive"), bool(form["abortive"].value())
        abortive = Choice("abortive", "on", words, _("nobody shows a hand"), "", chosen)
    asked = [name for name in form.fields if re.fullmatch(rf"{CALLED}|abortive", name)]
    errors = [sentence for name in asked for sentence in form[name].errors]
    return AskedCalls(boxes("staked") if rules.stick else [], boxes("calling"), abortive, errors)


def _ways(form: forms.Form, rules: TableRules) -> Iterator[Choice]:
    chosen = form["won_by"].value() or "" if rules.won_by else ""
    if rules.won_by:
        yield Choice("won_by", "", _("As usual"), "", "", not chosen)
    for way in rules.won_by:
        fits = " ".join(filter(None, ["drawn" if way in DRAWN else "claimed", _who(way)]))
        yield Choice("won_by", way, name_of(way), meaning_of(way), fits, chosen == way)


def _who(name: str) -> str:
    return "dealer" if name in BY_DEALER else "others" if name in BY_OTHERS else ""


def _people(form: forms.Form, players: Sequence[Player], left: Sequence[Replaced]) -> list[Choice]:
    chosen = str(form["liable"].value() or "")
    nobody = Choice("liable", "", _("Nobody"), "", "", not chosen)
    everybody = [*((one, False) for one in players), *((gone, True) for gone, _came in left)]
    ids = [(str(player.pk), player.name, gone) for player, gone in everybody]
    return [
        nobody,
        *(Choice("liable", pk, name, "", pk, chosen == pk, gone) for pk, name, gone in ids),
    ]


def _losers(
    form: forms.Form, rules: TableRules, players: Sequence[Player], left: Sequence[Replaced]
) -> Iterator[Loser]:
    for player, came in [*((player, None) for player in players), *left]:
        yield _loser(form, rules, player, came)


def _loser(form: forms.Form, rules: TableRules, player: Player, came: Player | None) -> Loser:
    other = f"other-{player.pk}-"
    bonus = _boxes(form, f"{other}bonus-", BONUS_TILES if rules.bonus else ())
    kept = [form[f"{other}flags"]]
    return Loser(player, came, form[f"{other}tiles"], form[f"{other}claimed"], bonus, kept)


PREFIXES = {
    "bonus": "bonus-",
    "flags": "flag-",
    "others": "other-",
    "staked": "staked-",
    "calling": "calling-",
}


def shown_at(field: str, names: Collection[str], left: Collection[Player] = ()) -> str:
    """The field at which the form shows what is wrong with ``field`` of a hand; itself if with none.

    :param names: of the fields of the form, those first in which something was entered.
    :param left: what was entered for a player who plays here no longer is what is wrong.
    """
    prefix = PREFIXES.get(field)
    found = next((name for name in names if prefix and name.startswith(prefix)), field)
    if field != "others" or found == field:
        return found
    of_left = (name for player in left for name in names if name.startswith(f"other-{player.pk}-"))
    match = OF_OTHER.fullmatch(next(of_left, found))
    return f"other-{match[1]}-tiles" if match else found
