"""What a table says of a hand besides its tiles, in short names, and how a hand was won, in words."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .evaluator.books.vocabulary import FLAGS, WON_BY
from .translation import LazyText, translate

NAMES: dict[str, LazyText] = {
    "self_drawn": gettext_lazy("self-drawn"),
    "discard": gettext_lazy("on a discard"),
    "last_tile": gettext_lazy("last tile of the wall"),
    "last_discard": gettext_lazy("last discard"),
    "replacement": gettext_lazy("replacement tile"),
    "kong_on_kong": gettext_lazy("kong upon kong"),
    "robbing_kong": gettext_lazy("robbing a kong"),
    "heaven": gettext_lazy("dealt a winning hand"),
    "earth_discard": gettext_lazy("on the first discard"),
    "earth_draw": gettext_lazy("on the first draw"),
    "original_call": gettext_lazy("original call"),
    "calling_declared": gettext_lazy("call declared"),
    "last_of_kind": gettext_lazy("last of its kind"),
    "only_place": gettext_lazy("only possible tile"),
    "nine_wins": gettext_lazy("ninth win in a row"),
    "thirteen_wins": gettext_lazy("thirteenth win in a row"),
    "goulash": gettext_lazy("goulash"),
    "jokerless": gettext_lazy("no joker"),
    "riichi": gettext_lazy("riichi"),
    "double_riichi": gettext_lazy("double riichi"),
    "ippatsu": gettext_lazy("ippatsu"),
    "abortive": gettext_lazy("broken off"),
}
MEANINGS = {**WON_BY, **FLAGS}


def name_of(circumstance: str) -> str:
    """The short name of a way to win, or of a flag, as a heading."""
    return capfirst(in_words(circumstance))


def in_words(circumstance: str) -> str:
    """The same as a part of a sentence; of one without a name, what it means."""
    return str(NAMES.get(circumstance) or translate(MEANINGS.get(circumstance, circumstance)))


def meaning_of(circumstance: str) -> str:
    """What it means, as a part of a sentence."""
    return translate(MEANINGS.get(circumstance, ""))


def how_won(hand: Any) -> str:
    """How ``hand`` was won, as a part of a sentence: "on Ann’s discard (robbing a kong)".

    Empty where nobody won, and where all that is known is that somebody discarded.
    """
    words = _("self-drawn") if hand.self_drawn else ""
    if hand.discarder:
        words = _("on %(name)s’s discard") % {"name": hand.discarder.name}
    if not hand.won_by:
        return words
    way = in_words(hand.won_by)
    return _("%(how)s (%(way)s)") % {"how": words, "way": way} if words else way


def briefly_how_won(hand: Any, discarder: str = "") -> str:
    """The same for a narrow place: who discarded stands last, "robbing a kong: Ann".

    :param discarder: the short name of who discarded.
    """
    if not hand.discarder_id:
        return how_won(hand)
    way = in_words(hand.won_by) if hand.won_by else ""
    words = {"way": way, "name": discarder or hand.discarder.name}
    return (_("%(way)s: %(name)s") if way else _("discard: %(name)s")) % words
