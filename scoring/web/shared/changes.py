"""Show what a change to one hand does to the others, as a table that people can argue with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from scoring.figures import whole
from scoring.models import Hand, HandEvent, Player
from scoring.services.hands.entry import same_entry
from scoring.services.hands.replay import HandChange, Replay
from scoring.translation import comma, translate


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One hand that changes: words before and after, what changes about the deal or a dispute, and for whom.

    ``differences`` are players and whole points, in the order of the seats.
    """

    number: int
    hand: Hand
    before: str
    after: str
    deal: str
    differences: list[tuple[Player, int]]

    @property
    def changes(self) -> bool:
        """Whether a reader sees a difference."""
        moves = any(amount for _player, amount in self.differences)
        return moves or bool(self.deal) or self.before != self.after


@dataclass(frozen=True, slots=True)
class Changes:
    """The table of what changes; ``etag`` is its fingerprint, ``then`` says how the game stands after it.

    ``other_points`` is the line of the game's adjustments; empty where they move nothing.
    ``as_they_are`` counts the hands that were looked at, and pay and deal the same. ``disputes`` are those
    of the hand itself that stay: its points go on waiting.
    """

    players: list[Player]
    lines: list[ChangeLine]
    as_they_are: int
    other_points: list[tuple[Player, int]]
    totals: list[tuple[Player, int]]
    then: str
    etag: str
    disputes: Sequence[HandEvent]


def changes_of(replay: Replay, *, corrects: bool = False) -> Changes:
    """``replay`` as a page shows it.

    :param corrects: it is of a hand that is entered otherwise, which is said where its points stay.
    """
    players, other_points = replay.people, replay.other_points
    lines = [_line(change, players) for change in replay.changes]
    if corrects and lines and not lines[0].changes:
        lines[0] = _entered_otherwise(lines[0], replay.changes[0])
    changed = [line for line in lines if line.changes]
    return Changes(
        players=players,
        lines=changed,
        as_they_are=len(lines) - len(changed) + replay.untouched,
        other_points=[(player, other_points[player.pk]) for player in players]
        if any(other_points.values())
        else [],
        totals=[(player, replay.differences[player.pk]) for player in players],
        then=_then(replay),
        etag=replay.etag,
        disputes=replay.disputes,
    )


def _entered_otherwise(line: ChangeLine, change: HandChange) -> ChangeLine:
    if change.after is None or same_entry(change.before, change.after):
        return line
    return replace(line, deal=_("entered otherwise; the points stay"))


def _line(change: HandChange, players: list[Player]) -> ChangeLine:
    names = {player.pk: player.name for player in players}
    return ChangeLine(
        number=change.number,
        hand=change.before,
        before=_words(change.before, names) if change.before.current else _("void, nobody pays"),
        after=_words(change.after, names) if change.after else _("void, nobody pays"),
        deal=_deal(change, names),
        differences=[(player, change.differences.get(player.pk, 0)) for player in players],
    )


def _words(hand: Hand, names: dict[int, str]) -> str:
    if hand.winner_id is None:
        return _("drawn")
    params = {"winner": names[hand.winner_id], "final": whole(hand.final)}
    return _("%(winner)s wins %(final)s") % params


def _deal(change: HandChange, names: dict[int, str]) -> str:
    """What is different about the winds, and whether the points count; empty where nothing is."""
    before, after = change.before, change.after
    if after is None:
        return ""
    changed = [_("no longer disputed: it counts")] if change.ends_dispute else []
    if before.prevailing != after.prevailing:
        changed.append(_("%(wind)s round") % {"wind": after.get_prevailing_display()})
    if before.dealer_id != after.dealer_id:
        dealers = {"after": names[after.dealer_id], "before": names[before.dealer_id]}
        changed.append(_("%(after)s deals instead of %(before)s") % dealers)
    return comma().join(changed)


def _then(replay: Replay) -> str:
    game, state = replay.game, replay.state
    if state.finished or game.ended_early:
        return (
            _("The game is over, as before.") if game.finished else _("The game will then be over.")
        )
    if game.finished and game.evening_closed:
        return _("The game stays over, because its evening is closed.")
    names = {
        "wind": translate(state.round.label),
        "number": state.number,
        "dealer": game.players[state.dealer],
    }
    if game.finished:
        message = _("The game will then not be over: it goes on with hand %(number)s.")
        return message % names
    message = _("Next comes hand %(number)s of the %(wind)s round; %(dealer)s deals.")
    return message % names
