"""Find what would make a hand better: the tile it waits for, the exchange that wins, the double it missed."""

from collections.abc import Iterator
from typing import NamedTuple

from .counts import COPIES, ONE
from .double_exchanges import winning_double_exchanges
from .exchanges import Exchange, winning_exchanges
from .hand import Hand
from .notation import parse_hand, parse_wind
from .rules import CLUB, Rule, RuleSet, Verdict
from .tiles import TILES, Tile


class Wait(NamedTuple):
    """A tile that would make a hand win, what it then scores, and how many of it are left.

    ``left`` are those that the hand does not hold itself: 0 to 4, others may have some.
    """

    tile: Tile
    final: int
    left: int


class Offer(NamedTuple):
    """An exchange of one tile that makes a hand win, and what it then scores."""

    given: Tile
    taken: Tile
    final: int


class Missed(NamedTuple):
    """A double that a winning hand does not have, and the fewest exchanges that would earn it.

    ``final`` is what the hand would then score.
    """

    rule: Rule
    exchanges: tuple[Exchange, ...]
    final: int


def waits(
    tiles: object,
    seat: object,
    prevailing: object,
    *,
    melds: object = None,
    rules: RuleSet = CLUB,
) -> list[Wait]:
    """What a hand of 13 tiles (one more for each kong) waits for, in the order of the tiles.

    :raises HandError: with all that is wrong with tiles, melds or winds.

    >>> waits("1112345678999B", "S", "E")[0]
    Wait(tile=tile('1B'), final=500, left=1)
    >>> [(wait.tile.code, wait.final) for wait in waits("222B 345B 55B 222D GG", "S", "E")]
    [('2B', 30), ('5B', 30), ('G', 70)]
    """
    parsed = parse_hand(tiles, melds, lacking=1)
    own, round_wind = parse_wind(seat, "seat"), parse_wind(prevailing, "prevailing")
    waits = []
    for tile in TILES:
        held = parsed.tiles.count(tile)
        if held < COPIES:
            hand = Hand(
                (*parsed.tiles, tile),
                seat_wind=own,
                prevailing_wind=round_wind,
                melds=parsed.melds,
            )
            if hand.mahjongg():
                waits.append(Wait(tile, hand.final_score(rules), COPIES - held))
    return waits


def offers(hand: Hand, rules: RuleSet = CLUB) -> list[Offer]:
    """Every exchange of one tile that makes ``hand`` win, the best score first.

    >>> hand = Hand.from_notation("222B 345B 55B 222D GG9C")
    >>> [(str(offer.given), str(offer.taken), offer.final) for offer in offers(hand)]
    [('9C', 'G', 70), ('9C', '2B', 30), ('9C', '5B', 30)]
    """
    offers = [
        Offer(given, taken, hand.exchange(given, taken).final_score(rules))
        for given, taken in winning_exchanges(hand.counts, hand.melds)
    ]
    return sorted(offers, key=lambda offer: -offer.final)


def nearest_missed_double(hand: Hand, rules: RuleSet = CLUB) -> Missed | None:
    """The double that a winning hand misses by the fewest exchanges, at most two.

    Of several equally near the one that then scores most. None if there is none, or if the hand does
    not win.

    >>> missed = nearest_missed_double(Hand.from_notation("222B 345B 55B 222D GGG"))
    >>> missed.rule.name, missed.exchanges, missed.final
    ('Only pungs and kongs', (Exchange(given=tile('3B'), taken=tile('4B')),), 160)
    """
    if not hand.mahjongg() or hand.final_score(rules) == rules.limit:
        return None
    before = hand.chosen(rules).verdict
    for nearby in (_one_exchange_away, _two_exchanges_away):
        misses = [
            Missed(rule, way, after.final)
            for way, counts in nearby(hand)
            for after in [hand.verdict_with(counts, rules)]
            if after.doubles > before.doubles
            for rule in _gained(before, after)
        ]
        if misses:
            return max(misses, key=lambda missed: missed.final)
    return None


Way = tuple[Exchange, ...]


def _one_exchange_away(hand: Hand) -> Iterator[tuple[Way, int]]:
    for exchange in winning_exchanges(hand.counts, hand.melds):
        yield (exchange,), hand.counts - ONE[exchange.given.index] + ONE[exchange.taken.index]


def _two_exchanges_away(hand: Hand) -> Iterator[tuple[Way, int]]:
    for double_exchange in winning_double_exchanges(hand.counts, hand.melds):
        yield double_exchange.exchanges, double_exchange.counts


def _gained(before: Verdict, after: Verdict) -> Iterator[Rule]:
    """The rules that earn more doubles than before."""
    had = {rule.id: doubles for rule, doubles in before.double_lines}
    yield from (rule for rule, doubles in after.double_lines if doubles > had.get(rule.id, 0))
