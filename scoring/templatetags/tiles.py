"""Tiles and hands in a template: our own drawings, each with its spoken name.

A drawing lives in ``scoring/static/scoring/tiles.svg`` as ``<symbol id="t-2B">``; the page only
refers to it, so that thirty tiles cost one request.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from scoring.circumstances import briefly_how_won, how_won
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.tiles import Tile, Wind
from scoring.evaluator.tiles import tile as tile_of
from scoring.models import Hand, Player
from scoring.translation import (
    bonus_names,
    claimed_limit,
    label_in_book,
    label_of,
    limit_name,
    limit_names,
    listed,
    translate,
)

register = template.Library()

BACK = "back"

WINDS = {wind.value: wind.label for wind in Wind}


@register.filter
def tile_name(value: Tile | str) -> str:
    """The tile's name in the reader's language: "2 of Bamboo".

    :raises HandError: for a text that names no tile.
    """
    code = _code(value)
    return gettext("Tile face down") if code == BACK else translate(tile_of(code).name)


@register.filter
def wind_name(value: str) -> str:
    """The wind in the reader's language: ``"E"`` is "East"; what is no wind stays as it is."""
    return translate(WINDS.get(str(value), str(value)))


register.filter("translated", translate)
register.filter("how_won", how_won)
register.filter("briefly_how_won", briefly_how_won)
register.filter("bonus_names", bonus_names)
register.filter("label", label_of)
register.filter("label_in_book", label_in_book)
register.filter("limit_name", limit_name)
register.filter("limit_names", limit_names)
register.filter("claimed_limit", claimed_limit)


@register.filter
def scores_of_others(hand: Hand) -> list[tuple[Player, int]]:
    """Who did not win ``hand``, as far as the table told their hands, and what those scored."""
    finals = {other["player"]: other["final"] for other in hand.others or ()}
    people = (payment.player for payment in hand.payments.all())
    return [(player, finals[player.pk]) for player in people if player.pk in finals]


@register.simple_tag(name="tile")
def draw_tile(value: Tile | str, size: str = "", decorative: bool = False) -> SafeString:
    """One tile as SVG.

    :param value: a tile, its code (``"2B"``), its full name, or ``"back"``.
    :param size: ``xs`` (22 px), ``sm`` (30), ``md`` (44), ``lg`` (64) or ``xl`` (120); without one
        the style sheet decides.
    :param decorative: when the words beside the tile say its name already.
    :raises HandError: for a text that names no tile.
    """
    code = _code(value)
    spoken: SafeString | str = SafeString('aria-hidden="true"')
    if not decorative:
        spoken = format_html('role="img" aria-label="{}"', tile_name(code))
    return format_html(
        '<svg class="tile{}" viewBox="0 0 60 84" {}><use href="{}#t-{}"></use></svg>',
        f" tile--{size}" if size else "",
        spoken,
        static("scoring/tiles.svg"),
        code,
    )


@register.simple_tag(name="tiles")
def draw_tiles(values: Iterable[Tile | str] | str, size: str = "", label: str = "") -> SafeString:
    """A row of tiles, read out as one picture.

    :param values: tiles or codes, or a text in any notation (``"222B 345B"``).
    :param label: what to read out instead of the tiles' names.
    :raises HandError: for a text that is no tiles.
    """
    drawn = list(parse_tiles(values)) if isinstance(values, str) else list(values)
    if not drawn:
        return SafeString("")
    return format_html(
        '<span class="tiles" role="img" aria-label="{}">{}</span>',
        label or listed(tile_name(value) for value in drawn),
        format_html_join("", "{}", ((draw_tile(value, size, True),) for value in drawn)),
    )


@register.inclusion_tag("components/hand_sets.html")
def hand_sets(sets: Iterable[Any], size: str = "", points: bool = False) -> dict[str, object]:
    """A hand laid out in its sets, open ones marked by a sign and a word.

    :param sets: the ``sets`` of a scorecard: mappings or objects with ``kind``, ``tiles``,
        ``concealed`` and ``points``.
    :param points: whether to show each set's points below it.
    """
    return {"sets": [_shown(tile_set) for tile_set in sets], "size": size, "points": points}


@register.simple_tag
def wind(value: str, size: str = "xs") -> SafeString:
    """A wind as a small tile with its name beside it."""
    return format_html(
        '<span class="wind">{} {}</span>', draw_tile(value, size, True), wind_name(value)
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """One of the signs of ``icons.svg``; always beside the words it stands for."""
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#i-{}"></use></svg>',
        static("scoring/icons.svg"),
        name,
    )


def _code(value: Tile | str) -> str:
    if isinstance(value, str):
        return value if value == BACK else tile_of(value).code
    return value.code


def _shown(of: Any) -> dict[str, object]:
    def get(name: str) -> Any:
        return of[name] if isinstance(of, Mapping) else getattr(of, name)

    kind, tiles = str(get("kind")), list(get("tiles"))
    names = dict.fromkeys(tile_name(tile) for tile in tiles)
    return {
        "kind": kind,
        "name": translate(kind.replace("_", " ").capitalize()),
        "tiles": tiles,
        "label": listed(names),
        "open": not get("concealed") and kind != "pair",
        "points": get("points"),
    }
