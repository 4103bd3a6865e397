"""Rules of options: the club's own, which the fast evaluator scores."""

from collections.abc import Mapping, Sequence

from . import scorecard
from .books.circumstances import refuse_circumstances
from .hand import Hand
from .notation import parse_hand
from .payments import Amounts, settle
from .problems import HandError, Problem, refuse
from .rules import LIMIT_RULES, WINNING_POINTS, RuleSet
from .sets import Set
from .table_rules import Claims, HandRow, JsonObject, Paid, Read, TableRules, Worth, codes
from .why import why_not
from .win import Win


class OptionTableRules(TableRules):
    """A rule set of options as a table plays it."""

    asks_nothing = True

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.slug, self.name, self.version = rules.slug, rules.name, rules.version
        self.dealer_stays_on_win = rules.dealer_stays_on_win
        self.dealer_stays_on_draw = rules.dealer_stays_on_draw

    @property
    def claims(self) -> Claims:
        limit = self.rules.limit
        return Claims(min(WINNING_POINTS, limit), limit, self.rules.rounding)

    @property
    def limits(self) -> Mapping[str, int]:
        return {rule.id: self.rules.limit for rule in LIMIT_RULES}

    @property
    def limit_names(self) -> Mapping[str, str]:
        return {rule.id: rule.name for rule in LIMIT_RULES}

    @property
    def won_by(self) -> Sequence[str]:
        return ()

    @property
    def flags(self) -> Sequence[str]:
        return ()

    @property
    def needs_discarder(self) -> bool:
        return self.rules.discarder != "equal"

    def check_circumstances(self, win: Win) -> None:
        refuse_circumstances(self.name, win)

    def read(self, row: HandRow, seat: object, prevailing: object) -> Read:
        win = Win.from_columns(row)
        parsed = parse_hand(row.tiles, row.melds or None)
        hand = Hand.from_parsed(parsed, seat, prevailing, win)
        if not hand.mahjongg():
            raise HandError([Problem("tiles", "does_not_win", why_not(hand.counts, hand.melds))])
        closed = all(meld.concealed for meld in parsed.melds)
        return Read(
            codes(parsed.tiles),
            [meld_as_json(meld) for meld in parsed.melds],
            win.with_melds(concealed=closed),
        )

    def worth(self, row: HandRow, seat: object, prevailing: object) -> Worth:
        if row.outcome != "win":
            return Worth()
        if row.claimed_limit:
            return self.claimed(row.claimed_limit)
        if not row.checked:
            return Worth(final=row.final)
        card = scorecard.score(
            row.tiles,
            seat,
            prevailing,
            melds=row.melds or None,
            win=Win.from_columns(row),
            rules=self.rules,
        )
        figures = card.points, card.doubles, card.total, card.final
        return Worth(*figures, limit=bool(card.limits), card=card)

    def settle(self, paid: Paid) -> Amounts:
        assert paid.winner is not None  # nobody pays after a draw
        return settle(
            paid.scores[paid.winner],
            winner=paid.winner,
            dealer=paid.dealer,
            discarder=paid.discarder,
            rules=self.rules,
        )


def no_options() -> HandError:
    """That a rule set is a rule book, and has none.

    >>> str(no_options())
    'This rule set is a rule book: it has no options.'
    """
    return refuse("ruleset", "no_options", "This rule set is a rule book: it has no options.")


def meld_as_json(meld: Set) -> JsonObject:
    """A declared set as a hand keeps it.

    >>> meld_as_json(parse_hand("EEEE# 345B 55B 222D GGG").melds[0])
    {'kind': 'kong', 'tiles': ['E', 'E', 'E', 'E'], 'concealed': True}
    """
    tiles = [tile.code for tile in meld.tiles]
    return {"kind": meld.kind, "tiles": tiles, "concealed": meld.concealed}
