"""Say why each pays so much by a rule book: a sentence for each payment, by the kind of settlement."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evaluator.books.book import SettlementRules
from scoring.evaluator.books.settlement import HandResult, settle
from scoring.figures import whole
from scoring.models import Hand, Player
from scoring.translation import comma
from scoring.variants.book_rules import BookTableRules

PLACES = range(4)


@dataclass(frozen=True, slots=True)
class Settled:
    """A win and how its book settles it; places are 0 to 3, amounts whole points."""

    settlement: SettlementRules
    outcome: HandResult
    names: list[str]

    @property
    def winner(self) -> int:
        assert self.outcome.winner is not None
        return self.outcome.winner

    @property
    def final(self) -> int:
        """The winner's score."""
        return self.outcome.scores[self.winner]

    @property
    def to_winner(self) -> list[int]:
        """What each place pays the winner: nothing that losers pay each other."""
        alone = settle(replace(self.settlement, losers_settle=False), self.outcome)
        return [0 if place == self.winner else -alone[place] for place in PLACES]

    def deals(self, *places: int) -> bool:
        """Whether one of ``places`` deals, and the dealer's payments are doubled."""
        return self.settlement.dealer_doubles and self.outcome.dealer in places


def settled(hand: Hand, rules: BookTableRules, people: Sequence[Player]) -> Settled:
    """What was settled for ``hand``, which was scored, by the four ``people`` in their order."""
    outcome = rules.outcome(hand.paid_at([player.pk for player in people]))
    return Settled(rules.book.settlement, outcome, [player.name for player in people])


def reasons_of(paid: Settled, place: int) -> list[str]:
    """Why the player at ``place`` wins or pays what they do, a sentence for each other player."""
    if paid.settlement.kind in WHOLE:
        return WHOLE[paid.settlement.kind](paid, place) or [""]
    if paid.outcome.winner is None:
        return [""]
    if place == paid.winner:
        return [_from_whom(paid)]
    return [_to_winner(paid, place), *_among_losers(paid, place)]


def _from_whom(paid: Settled) -> str:
    payers = [place for place in PLACES if paid.to_winner[place]]
    if len(payers) == 1:
        return _("from %(name)s alone") % {"name": paid.names[payers[0]]}
    return _("from the other three")


def _to_winner(paid: Settled, place: int) -> str:
    outcome, amount = paid.outcome, paid.to_winner[place]
    if not amount:
        payer = outcome.liable if outcome.liable is not None else outcome.discarder
        name = paid.names[payer] if payer is not None else ""
        return _("%(name)s pays for everybody") % {"name": name}
    if place == outcome.liable:
        return _("%(amount)s: pays for everybody") % {"amount": whole(amount)}
    return SENTENCES[paid.settlement.kind](paid, place, amount)


def _shares(paid: Settled, place: int, amount: int) -> str:
    """The score, doubled for whoever deals or discarded."""
    share = _score_times(paid.final, amount)
    causes = []
    if place == paid.outcome.discarder:
        causes.append(
            {
                "double": _("the discarder pays double"),
                "pays_for_all": _("the discarder pays for all"),
                "alone": _("only the discarder pays"),
            }.get(paid.settlement.discarder, "")
        )
    if paid.deals(place):
        causes.append(_("the dealer pays double"))
    if paid.deals(paid.winner):
        causes.append(_("the dealer is paid double"))
    words = comma().join(filter(None, causes))
    return _("%(share)s: %(causes)s") % {"share": share, "causes": words} if words else share


def _portions(paid: Settled, place: int, amount: int) -> str:
    share = _score_times(paid.final * paid.settlement.base, amount)
    if paid.outcome.discarder is None:
        cause = _("self-drawn, each pays a portion")
    elif paid.settlement.discarder == "half":
        cause = _("the discarder pays the whole score, the others half")
    else:
        cause = _("the discarder pays two portions")
    return _("%(share)s: %(causes)s") % {"share": share, "causes": cause}


def _threshold(paid: Settled, place: int, amount: int) -> str:
    limit = {"threshold": whole(paid.settlement.threshold)}
    if amount == paid.final:
        return _("the score")
    if place == paid.outcome.discarder:
        return (
            _("%(amount)s: the discarder pays what lies above %(threshold)s for all")
            % {**limit, "amount": whole(amount)}
        )  # fmt: skip
    return _("%(threshold)s: the discarder pays the rest") % limit


def _base(paid: Settled, _place: int, amount: int) -> str:
    base = whole(paid.settlement.base)
    if amount == paid.settlement.base:
        return _("the base of %(base)s") % {"base": base}
    return _("the base of %(base)s and the score of %(score)s") % {
        "base": base,
        "score": whole(paid.final),
    }


def _costs(paid: Settled, place: int) -> list[str]:
    """What the hand brings or costs, then what lies on the table: counters and sticks."""
    outcome, settlement = paid.outcome, paid.settlement
    bare = outcome._replace(counters=0, sticks=0, staked=())
    for_hand = settle(settlement, bare)[place]
    counted = settle(settlement, bare._replace(counters=outcome.counters))[place] - for_hand
    words = [_of_the_hand(replace(paid, outcome=bare), place, for_hand)]
    if counted:
        counters = ngettext(
            "%(number)s counter: %(amount)s", "%(number)s counters: %(amount)s", outcome.counters
        )
        words.append(counters % {"number": outcome.counters, "amount": whole(abs(counted))})
    sticks = outcome.sticks + len(outcome.staked)
    if place == outcome.winner and sticks:
        lay = ngettext(
            "%(number)s riichi stick: %(amount)s", "%(number)s riichi sticks: %(amount)s", sticks
        )
        words.append(lay % {"number": sticks, "amount": whole(sticks * settlement.stick)})
    if place in outcome.staked:
        words.append(_("%(amount)s for declaring riichi") % {"amount": whole(settlement.stick)})
    return [word for word in words if word]


def _of_the_hand(paid: Settled, place: int, amount: int) -> str:
    """What a player has of the hand itself, without what lies on the table."""
    figure = {"amount": whole(abs(amount))}
    if paid.outcome.winner is None:
        if amount > 0:
            return _("%(amount)s for calling") % figure
        return _("%(amount)s to who was calling") % figure if amount else ""
    if place == paid.winner:
        return _from_whom(paid)
    if place == paid.outcome.liable:
        return _("%(amount)s: pays for everybody") % figure
    return _("%(amount)s for the hand") % figure if amount else ""


SENTENCES: dict[str, Callable[[Settled, int, int], str]] = {
    "shares": _shares,
    "portions": _portions,
    "threshold": _threshold,
    "base": _base,
}
# Those who word all of a player's reasons themselves.
WHOLE: dict[str, Callable[[Settled, int], list[str]]] = {"costs": _costs}


def _score_times(final: int, amount: int) -> str:
    """How many times the score ``amount`` is, in words."""
    if 2 * amount in (final, final - 1):
        return _("half the score")
    words = {
        1: _("the score"),
        2: _("twice the score"),
        3: _("three times the score"),
        4: _("four times the score"),
    }
    times, rest = divmod(amount, final or 1)
    return whole(amount) if rest else words.get(times) or f"{times} × {whole(final)}"


def _among_losers(paid: Settled, place: int) -> Iterator[str]:
    """What the player at ``place`` gets from, or pays, each other player who did not win."""
    if not paid.settlement.losers_settle or paid.outcome.liable is not None:
        return
    scores = paid.outcome.scores
    for other in PLACES:
        difference = scores[place] - scores[other]
        if other in (place, paid.winner) or not difference:
            continue
        doubled = paid.deals(place, other)
        higher, lower = sorted((scores[place], scores[other]), reverse=True)
        figures = {
            "amount": whole(abs(difference) * (2 if doubled else 1)),
            "name": paid.names[other],
            "higher": whole(higher),
            "lower": whole(lower),
        }
        if difference > 0:
            words = _("%(amount)s from %(name)s: %(higher)s − %(lower)s")
        else:
            words = _("%(amount)s to %(name)s: %(higher)s − %(lower)s")
        if doubled:
            words = _("%(what)s, doubled for the dealer") % {"what": words}
        yield words % figures
