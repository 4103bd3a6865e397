"""Who pays whom, and why so much: the words beside a hand's payments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.models import Hand, Player


@dataclass(frozen=True, slots=True)
class Share:
    """What one of the four wins or pays, in whole points, and the reason in words."""

    player: Player
    amount: int
    winner: bool
    reason: str


def shares(hand: Hand, payments: Sequence[tuple[Player, int]]) -> list[Share]:
    """The four ``payments`` (player, whole points) of ``hand``, explained, in their order."""
    return [
        Share(
            player=player,
            amount=amount,
            winner=player.pk == hand.winner_id,
            reason=_reason(hand, player, amount) if hand.is_win else "",
        )
        for player, amount in payments
    ]


def _reason(hand: Hand, player: Player, amount: int) -> str:
    """Why ``player`` pays what they pay; rules.md, "Paying"."""
    if player.pk == hand.winner_id:
        return ""
    causes = list(_causes(hand, player))
    if amount == 0:
        return _("the discarder pays for all")
    times = -amount / hand.final if hand.final else 1
    sentence = {
        0.5: _("half the score"),
        1.0: _("the score"),
        2.0: _("twice the score"),
        3.0: _("three times the score"),
        4.0: _("four times the score"),
    }.get(times, _("%(times)s times the score") % {"times": f"{times:g}"})
    return f"{sentence}: {', '.join(causes)}" if causes else sentence


def _causes(hand: Hand, player: Player) -> Iterator[str]:
    rules = hand.ruleset_version.rules
    if rules.dealer_doubles and player.pk == hand.dealer_id:
        yield _("the dealer pays double")
    if rules.dealer_doubles and hand.winner_id == hand.dealer_id:
        yield _("the dealer is paid double")
    if player.pk == hand.discarder_id:
        if rules.discarder == "double":
            yield _("the discarder pays double")
        elif rules.discarder == "pays_for_all":
            yield _("the discarder pays for all")
