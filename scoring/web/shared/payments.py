"""Say who pays whom, and why so much: the words beside a hand's payments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import singledispatch

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rounding import nearest
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.table_rules import TableRules
from scoring.models import Hand, Player
from scoring.translation import comma
from scoring.variants.book_rules import BookTableRules

from .book_payments import reasons_of, settled
from .names import short_names


@dataclass(frozen=True, slots=True)
class PlayerShare:
    """What one of the four wins or pays, in whole points, and the reason in words.

    ``short`` is the player's name for narrow places. ``more`` are reasons of their own: what losers pay
    each other. ``score`` is that of the player's hand, where it is known and another settles by it.
    """

    player: Player
    short: str
    amount: int
    winner: bool
    reason: str
    more: list[str] = field(default_factory=list)
    score: int | None = None


def shares(hand: Hand, payments: Sequence[tuple[Player, int]]) -> list[PlayerShare]:
    """The four ``payments`` (player, whole points) of ``hand``, explained, in their order."""
    short = short_names([player.name for player, _amount in payments])
    reasons: list[list[str]] = [[""] for _payment in payments]
    if hand.is_win or hand.calls:
        reasons = _reasons(hand.ruleset_version.table_rules, hand, payments)
    scores = {other["player"]: other["final"] for other in hand.others or ()}
    return [
        PlayerShare(
            player=player,
            short=name,
            amount=amount,
            winner=player.pk == hand.winner_id,
            reason=words[0],
            more=words[1:],
            score=scores.get(player.pk),
        )
        for name, words, (player, amount) in zip(short, reasons, payments, strict=True)
    ]


@singledispatch
def _reasons(
    rules: TableRules, hand: Hand, payments: Sequence[tuple[Player, int]]
) -> list[list[str]]:
    """Why each pays or gets so much by ``rules``: at least one sentence each, perhaps an empty one."""
    raise NotImplementedError(rules)


@_reasons.register
def _by_options(
    rules: OptionTableRules, hand: Hand, payments: Sequence[tuple[Player, int]]
) -> list[list[str]]:
    return [[_reason(hand, player, amount, rules.rules)] for player, amount in payments]


@_reasons.register
def _by_book(
    rules: BookTableRules, hand: Hand, payments: Sequence[tuple[Player, int]]
) -> list[list[str]]:
    paid = settled(hand, rules, [player for player, _amount in payments])
    return [reasons_of(paid, place) for place in range(len(payments))]


def _reason(hand: Hand, player: Player, amount: int, rules: RuleSet) -> str:
    """Why ``player`` pays what they pay; docs/rules.md, "Paying"."""
    if player.pk == hand.winner_id:
        return ""
    if amount == 0:
        return _("the discarder pays for all")
    assert hand.final is not None
    share = _share(amount, hand.final)
    causes = comma().join(_causes(hand, player, rules))
    if not causes:
        return share
    return _("%(share)s: %(causes)s") % {"share": share, "causes": causes}


def _share(amount: int, final: int) -> str:
    """What part of the score is paid, in words. Shares are rounded to whole points: sixths tell."""
    sixths = nearest(Fraction(-6 * amount, final))
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


def _causes(hand: Hand, player: Player, rules: RuleSet) -> Iterator[str]:
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
