"""Who pays whom, and why so much: the words beside a hand's payments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring.models import Hand, Player

from .names import short_names


@dataclass(frozen=True, slots=True)
class PlayerShare:
    """What one of the four wins or pays, in whole points, and the reason in words.

    ``short`` is the player's name for narrow places.
    """

    player: Player
    short: str
    amount: int
    winner: bool
    reason: str


def shares(hand: Hand, payments: Sequence[tuple[Player, int]]) -> list[PlayerShare]:
    """The four ``payments`` (player, whole points) of ``hand``, explained, in their order."""
    short = short_names([player.name for player, _amount in payments])
    return [
        PlayerShare(
            player=player,
            short=name,
            amount=amount,
            winner=player.pk == hand.winner_id,
            reason=_reason(hand, player, amount) if hand.is_win else "",
        )
        for name, (player, amount) in zip(short, payments, strict=True)
    ]


def _reason(hand: Hand, player: Player, amount: int) -> str:
    """Why ``player`` pays what they pay; docs/rules.md, "Paying"."""
    if player.pk == hand.winner_id:
        return ""
    if amount == 0:
        return _("the discarder pays for all")
    assert hand.final is not None
    share = _share(amount, hand.final)
    causes = ", ".join(_causes(hand, player))
    if not causes:
        return share
    return _("%(share)s: %(causes)s") % {"share": share, "causes": causes}


def _share(amount: int, final: int) -> str:
    """What part of the score is paid, in words. Shares are rounded to whole points: sixths tell."""
    sixths = round(-6 * amount / final)
    words = {
        2: _("a third of the score"),
        3: _("half the score"),
        4: _("two thirds of the score"),
        6: _("the score"),
        12: _("twice the score"),
        18: _("three times the score"),
        24: _("four times the score"),
    }
    return words.get(
        sixths, _("%(times)s times the score") % {"times": number_format(f"{sixths / 6:g}")}
    )


def _causes(hand: Hand, player: Player) -> Iterator[str]:
    rules = hand.ruleset_version.rules
    if rules.discarder == "split":
        yield _("the three share it")
    elif player.pk == hand.discarder_id and rules.discarder == "double":
        yield _("the discarder pays double")
    elif player.pk == hand.discarder_id and rules.discarder == "pays_for_all":
        yield _("the discarder pays for all")
    elif hand.discarder_id not in (None, player.pk) and rules.discarder == "others_half":
        yield _("the discarder pays the whole score, the others half")
    if rules.dealer_doubles and player.pk == hand.dealer_id:
        yield _("the dealer pays double")
    if rules.dealer_doubles and hand.winner_id == hand.dealer_id:
        yield _("the dealer is paid double")
