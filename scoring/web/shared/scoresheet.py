"""A hand as its scorecard page shows it: every figure, and the words that explain it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.circumstances import how_won, name_of
from scoring.evaluator.table import Calls
from scoring.evaluator.table_rules import TableRules
from scoring.evaluator.tiles import WINDS, Wind
from scoring.models import Hand, Player
from scoring.translation import bonus_names, is_of_a_book, listed

from .payments import PlayerShare, shares
from .score_steps import ScoreStep, steps_by, why_chosen_by
from .sentences import on_the_table


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The hands that stand before and after in the game, where there are any."""

    before: Hand | None
    after: Hand | None


@dataclass(frozen=True, slots=True)
class OtherHand:
    """The hand of a player who did not win; without a ``card`` the table said the score itself."""

    player: Player
    wind: Wind
    final: int
    card: Mapping[str, Any] | None
    steps: list[ScoreStep]
    tiles: str


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """What the page says about ``hand``; without a ``card`` for a draw or a score without tiles."""

    hand: Hand
    card: Mapping[str, Any] | None
    shares: list[PlayerShare]
    how: str
    steps: list[ScoreStep]
    others: list[Mapping[str, Any]]
    neighbours: Neighbours
    replaced_by: Hand | None
    losers: list[OtherHand]

    @property
    def why_chosen(self) -> str:
        return why_chosen_by(self.hand.ruleset_version.table_rules)

    @property
    def of_a_book(self) -> bool:
        """Whether a rule book made the card, whose lines are of other kinds."""
        return self.card is not None and is_of_a_book(self.card)

    @property
    def bonus(self) -> str:
        """The winner’s flowers and seasons, by name."""
        return bonus_names(self.hand.bonus)

    @property
    def flags(self) -> str:
        """What else the table said of the win."""
        return listed(map(name_of, self.hand.win.names("flags")))

    @property
    def won_by(self) -> str:
        """In which special way it was won."""
        return name_of(self.hand.won_by) if self.hand.won_by else ""

    @property
    def table_lines(self) -> list[tuple[str, str]]:
        """What lay on the table, and what the four said of it: labels and words."""
        names = {one.player.pk: one.player.name for one in self.shares}
        lines = [
            (
                _("On the table before"),
                listed(on_the_table(self.hand.counters, self.hand.sticks)),
            ),
            *lines_of_calls(Calls.of(self.hand.calls), names),
            (_("Dora indicators"), ", ".join(self.hand.dora_indicators.split())),
        ]
        return [(label, words) for label, words in lines if words]

    @property
    def rules_url(self) -> str:
        """The rules that scored it, in their very version."""
        version = self.hand.ruleset_version
        return f"{version.ruleset.get_absolute_url()}?version={version.number}"

    @property
    def seat(self) -> Wind | None:
        return Wind(self.hand.seat) if self.hand.seat else None

    @property
    def prevailing(self) -> Wind:
        return Wind(self.hand.prevailing)


def lines_of_calls(calls: Calls, names: Mapping[int, str]) -> list[tuple[str, str]]:
    """What the four said of a hand besides who won it: labels and words, empty for what nobody said.

    :param names: of players, by id.
    """
    by_call = {
        field: listed(names.get(pk, "") for pk in people) for field, people in calls.people.items()
    }
    return [
        (_("Declared riichi"), by_call["staked"]),
        (_("Calling"), by_call["calling"]),
        (_("Outcome"), name_of("abortive") if calls.abortive else ""),
    ]


def scoresheet_of(hand: Hand) -> Scoresheet:
    """The page about ``hand`` (fetched ``with_people()`` and its game)."""
    paid = [(payment.player, payment.amount) for payment in hand.payments.all()]
    return _sheet(hand, paid, _neighbours(hand), _replacement(hand))


def scoresheet_to_come(hand: Hand, paid: Sequence[tuple[Player, int]]) -> Scoresheet:
    """The same of a ``hand`` that is scored and not logged yet; ``paid`` is what each would get."""
    return _sheet(hand, paid, Neighbours(None, None), None)


def _sheet(
    hand: Hand,
    paid: Sequence[tuple[Player, int]],
    neighbours: Neighbours,
    replaced_by: Hand | None,
) -> Scoresheet:
    rules = hand.ruleset_version.table_rules
    return Scoresheet(
        hand=hand,
        card=hand.card,
        shares=shares(hand, paid),
        how=how_won(hand),
        steps=steps_by(rules, hand.card) if hand.card else [],
        others=_other_readings(hand.card) if hand.card else [],
        neighbours=neighbours,
        replaced_by=replaced_by,
        losers=list(_losers(hand, rules, [player for player, _amount in paid])),
    )


def _other_readings(card: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The readings of the tiles that do not count; each way to lay them out once."""
    if not is_of_a_book(card):
        return [other for other in card["interpretations"] if not other.get("chosen")]
    by_sets: dict[str, Mapping[str, Any]] = {}
    for reading in card["interpretations"]:
        laid = sorted((one["kind"], one["tiles"], one["concealed"]) for one in reading["sets"])
        by_sets.setdefault(str(laid), reading)
    return [reading for reading in by_sets.values() if not reading["chosen"]]


def _losers(hand: Hand, rules: TableRules, people: Sequence[Player]) -> Iterator[OtherHand]:
    """The hands of the ``people`` who did not win, as far as they are known, in their order."""
    entered = {other["player"]: other for other in hand.others or ()}
    dealer = [player.pk for player in people].index(hand.dealer_id)
    for place, player in enumerate(people):
        if other := entered.get(player.pk):
            card = other["card"]
            lines = steps_by(rules, card) if card else []
            wind = WINDS[(place - dealer) % 4]
            yield OtherHand(player, wind, other["final"], card, lines, other["tiles"])


def _neighbours(hand: Hand) -> Neighbours:
    beside = (hand.number - 1, hand.number + 1)
    current = hand.game.hands.current().filter(number__in=beside).only("number", "game")
    by_number = {other.number: other for other in current}
    return Neighbours(*(by_number.get(number) for number in beside))


def _replacement(hand: Hand) -> Hand | None:
    if hand.current:
        return None
    after = Hand.objects.filter(supersedes=hand).first()
    if after is None and hand.status == Hand.Status.VOID:
        # It was logged again, or nothing stands there.
        after = hand.game.hands.current().filter(number=hand.number).first()
    return after
