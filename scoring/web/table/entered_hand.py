"""A hand as somebody entered it, in words: also one that the rules refuse, or that says what they do not know."""

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.circumstances import how_won, name_of
from scoring.evaluator.problems import HandError
from scoring.evaluator.table_rules import LoserEntry
from scoring.evaluator.tiles import tile
from scoring.figures import whole
from scoring.models import Game, Player
from scoring.services.hands.entry import HandEntry
from scoring.translation import bonus_names, colon, listed, translate

from ..shared.scoresheet import lines_of_calls

Lines = Iterator[tuple[str, str]]


def entered_lines(entry: HandEntry, game: Game) -> list[tuple[str, str]]:
    """Label and words of each thing that ``entry``, a hand of ``game``, says; nothing is worked out."""
    names = {player.pk: player.name for player in game.players}
    if elsewhere := entry.players - set(names):
        names |= {player.pk: player.name for player in Player.objects.filter(pk__in=elsewhere)}
    lines = (
        *_who_won(entry, names),
        *_what_was_laid(entry, game),
        *_what_else(entry, names),
        *lines_of_calls(entry.calls, names),
        *_the_others(entry, names),
    )
    return [(label, words) for label, words in lines if words]


def _who_won(entry: HandEntry, names: Mapping[int, str]) -> Lines:
    drawn_hand = entry.winner is None
    yield _("Winner"), _("No winner (draw)") if drawn_hand else _named(entry.winner, names)
    yield _("Discarder"), _named(entry.discarder, names)
    won = entry.win
    if not (drawn_hand or entry.asks_discarder or entry.discarder or won.self_drawn):
        yield _("Discarder"), _("Nobody remembers")
    # Who discarded has a line already.
    how = SimpleNamespace(self_drawn=won.self_drawn, won_by=won.won_by, discarder=None)
    yield _("How it was won"), capfirst(how_won(how))
    yield _("Winning tile"), _tile(won.winning_tile)


def _what_was_laid(entry: HandEntry, game: Game) -> Lines:
    limits = game.ruleset_version.table_rules.limit_names
    yield _("Tiles"), _as_text(entry.tiles)
    yield _("Limit hand"), translate(limits.get(entry.claimed_limit, entry.claimed_limit))
    yield _("Final score"), whole(entry.claimed_final)


def _what_else(entry: HandEntry, names: Mapping[int, str]) -> Lines:
    win = entry.win
    yield _("What else counts"), listed(map(name_of, win.names("flags")))
    yield _("Bonus tiles"), bonus_names(win.bonus)
    yield _("Value of the line"), whole(win.value or None)
    yield _("Dora indicators"), win.dora_indicators
    yield _("Pays for everybody"), _named(entry.liable, names)


def _the_others(entry: HandEntry, names: Mapping[int, str]) -> Lines:
    for other in entry.others:
        words = listed(filter(None, _of_other(other)))
        yield _("The hand of %(name)s") % {"name": _named(other.player, names)}, words


def _of_other(other: LoserEntry) -> Iterator[str]:
    yield _as_text(other.tiles)
    yield bonus_names(other.bonus)
    yield listed(map(name_of, other.flags.split()))
    if other.claimed is not None:
        yield _("Score alone") + colon() + whole(other.claimed)


def _named(player: int | None, names: Mapping[int, str]) -> str:
    return names.get(player, f"#{player}") if player else ""


def _as_text(tiles: str | Sequence[str]) -> str:
    return tiles if isinstance(tiles, str) else " ".join(map(str, tiles))


def _tile(code: str) -> str:
    """Its name, or ``code`` itself where that is no tile."""
    try:
        return translate(tile(code).name) if code else ""
    except HandError:
        return code
