"""What holds for every hand, whatever its tiles."""

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import format_tiles, parse_hand
from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.evaluator.sets import full_set, sets_from
from scoring.evaluator.tiles import DRAGONS, SUITS, TILES, WINDS, SuitTile, Wall, Wind, tile

winds = st.sampled_from(WINDS)
rule_sets = st.builds(
    RuleSet,
    slug=st.just("any"),
    limit=st.integers(20, 2000),
    rounding=st.sampled_from([1, 10]),
    interpretation=st.sampled_from(["best", "first"]),
    consistency=st.sampled_from(["highest", "listed"]),
    straights=st.frozensets(st.sampled_from(["same_rank_chows", "same_rank_pungs"])),
    dealer_doubles=st.booleans(),
    all_green=st.booleans(),
    discarder=st.sampled_from(["equal", "double", "pays_for_all", "others_half", "split"]),
)


@st.composite
def five_sets(draw):
    """Four sets and a pair that a wall can hold, of few kinds so that they can be read in many ways."""
    kinds = draw(
        st.sampled_from([TILES, TILES[:9], TILES[9:27], TILES[:9] + TILES[27:], TILES[27:]])
    )
    firsts = draw(st.lists(st.sampled_from(kinds), min_size=5, max_size=5))
    sets = []
    for place, first in enumerate(firsts):
        choices = [tile_set for tile_set in sets_from(first) if tile_set.pair() == (place == 4)]
        sets.append(draw(st.sampled_from(choices)))
    tiles = [tile for tile_set in sets for tile in tile_set.tiles]
    assume(all(tiles.count(tile) <= 4 for tile in set(tiles)))
    return sets


@st.composite
def winning_hands(draw):
    sets = draw(five_sets())
    melds = tuple(
        full_set(tuple(tile_set.tiles), draw(st.booleans()))
        for tile_set in sets[:4]
        if draw(st.integers(0, 3)) == 0
    )
    tiles = tuple(tile for tile_set in sets for tile in tile_set.tiles)
    return Hand(
        tiles,
        seat_wind=draw(winds),
        prevailing_wind=draw(winds),
        melds=melds,
        self_drawn=draw(st.booleans()),
    )


@st.composite
def any_hands(draw):
    wall = [kind for kind in draw(st.sampled_from(SUITS_OF_WALLS)) for _copy in range(4)]
    size = draw(st.integers(14, 18))
    tiles = draw(st.permutations(wall))[:size]
    return Hand(tuple(tiles), seat_wind=draw(winds), prevailing_wind=draw(winds))


SUITS_OF_WALLS = [TILES, TILES[:9], TILES[:9] + TILES[27:], TILES[27:]]


def like(hand: Hand, tiles, melds=None) -> Hand:
    return Hand(
        tuple(tiles),
        seat_wind=hand.seat_wind,
        prevailing_wind=hand.prevailing_wind,
        melds=hand.melds if melds is None else melds,
        concealed=hand.concealed,
        self_drawn=hand.self_drawn,
    )


def figures(hand: Hand, rules: RuleSet) -> tuple:
    card = hand.score_card(rules)
    interpretations = sorted(interpretation[1:] for interpretation in card.interpretations)
    return card.points, card.doubles, card.total, card.final, card.limits, interpretations


def renamed(hand: Hand, names: dict) -> Hand:
    """The hand with some kinds of tile put for others."""

    def other(one):
        return names.get(one, one)

    melds = tuple(
        full_set(tuple(sorted(map(other, meld.tiles))), meld.concealed) for meld in hand.melds
    )
    return like(hand, map(other, hand.tiles), melds)


@given(winning_hands(), rule_sets)
def test_five_sets_and_a_pair_win_and_the_card_adds_up(hand, rules):
    card = hand.score_card(rules)
    assert card.winning
    assert sum(line.points for line in card.point_report) == card.points
    assert sum(line.doubles for line in card.double_report) == card.doubles
    assert card.total == card.points * 2**card.doubles
    rounded = (card.total + rules.rounding // 2) // rules.rounding * rules.rounding
    assert card.final == (rules.limit if card.limits else min(rounded, rules.limit))
    assert card.final == hand.final_score(rules)
    assert [interpretation.chosen for interpretation in card.interpretations][:1] in ([True], [])
    assert sum(interpretation.chosen for interpretation in card.interpretations) == 1


@given(winning_hands(), rule_sets)
def test_every_interpretation_holds_the_tiles_of_the_hand_and_none_comes_twice(hand, rules):
    card = hand.score_card(rules)
    for interpretation in card.interpretations:
        assert sorted(tile for tile_set in interpretation.sets for tile in tile_set.tiles) == list(
            hand.tiles
        )
        assert len(interpretation.sets) == 5
        assert sum(tile_set.pair() for tile_set in interpretation.sets) == 1
        assert set(hand.melds) <= set(interpretation.sets)
    assert len(
        {frozenset(map(str, interpretation.sets)) for interpretation in card.interpretations}
    ) <= len(card.interpretations)
    distinct = {
        tuple(sorted(f"{s}{s.concealed}" for s in interpretation.sets))
        for interpretation in card.interpretations
    }
    assert len(distinct) == len(card.interpretations)


@given(five_sets(), winds, winds)
def test_a_way_to_lay_out_a_hand_is_never_left_out(sets, seat, prevailing):
    tiles = tuple(tile for tile_set in sets for tile in tile_set.tiles)
    hand = Hand(tiles, seat_wind=seat, prevailing_wind=prevailing)
    laid_out = sorted(map(str, sets))
    assert laid_out in [
        sorted(map(str, interpretation.sets))
        for interpretation in hand.score_card().interpretations
    ]


@given(winning_hands(), rule_sets)
def test_no_interpretation_is_better_than_the_best(hand, rules):
    card = hand.score_card(rules)
    if rules.interpretation == "best":
        assert card.final == max(interpretation.final for interpretation in card.interpretations)
    else:
        assert card.sets == hand.readings[0].sets


@given(winning_hands(), st.randoms(), rule_sets)
def test_the_order_of_tiles_changes_nothing(hand, rng, rules):
    tiles = list(hand.tiles)
    rng.shuffle(tiles)
    assert like(hand, tiles) == hand
    assert figures(like(hand, tiles), rules) == figures(hand, rules)


@given(winning_hands(), st.permutations(SUITS))
def test_swapping_suits_changes_nothing(hand, order):
    becomes = dict(zip(SUITS, order, strict=True))
    names = {
        known: tile(known.rank, becomes[known.suit])
        for known in TILES
        if isinstance(known, SuitTile)
    }
    assert figures(renamed(hand, names), CLUB) == figures(hand, CLUB)


@given(winning_hands(), st.permutations(DRAGONS), rule_sets)
def test_swapping_dragons_changes_nothing(hand, order, rules):
    names = {tile(was): tile(now) for was, now in zip(DRAGONS, order, strict=True)}
    assert figures(renamed(hand, names), rules) == figures(hand, rules)


@given(winning_hands())
def test_turning_ranks_around_changes_nothing(hand):
    # 1 for 9, 2 for 8 …: chows stay chows, terminals terminals.
    names = {
        known: tile(10 - known.rank, known.suit) for known in TILES if isinstance(known, SuitTile)
    }
    assert figures(renamed(hand, names), CLUB) == figures(hand, CLUB)


@given(winning_hands() | any_hands())
def test_a_hand_is_read_from_what_it_is_written_as(hand):
    assert Hand.from_notation(str(hand), hand.seat_wind, hand.prevailing_wind).counts == hand.counts
    assert eval(repr(hand), {"Hand": Hand}) == hand


@given(any_hands(), rule_sets)
def test_any_hand_has_a_score_or_a_reason(hand, rules):
    card = hand.score_card(rules)
    if card.winning:
        assert card.why is None
        assert card.points >= 20
    else:
        assert "does not win" in card.why
        assert (card.points, card.doubles, card.total, card.final) == (None,) * 4


@given(st.text(alphabet="123456789BCDESWNRGhb *,#", max_size=60))
def test_any_text_is_a_hand_or_is_refused_in_words(text):
    parsed, problems = parsed_or_refused(text)
    assert problems or 14 <= len(parsed.tiles) <= 18
    assert {problem.field for problem in problems} <= {"tiles", "melds"}
    assert all(problem.message.endswith(".") for problem in problems)


@given(five_sets(), st.data())
def test_the_tiles_of_a_hand_are_those_that_were_written(sets, data):
    words, written, declared, kongs = [], [], 0, 0
    for tile_set in data.draw(st.permutations(sets))[: data.draw(st.integers(1, 5))]:
        mark = "" if tile_set.pair() else data.draw(st.sampled_from(["", "*", "#"]))
        words.append(format_tiles(tile_set.tiles) + mark)
        written += tile_set.tiles
        declared += bool(mark)
        kongs += bool(mark) and tile_set.kind == "kong"
    parsed, problems = parsed_or_refused(" ".join(words))
    if len(written) < 14 + kongs:
        assert [problem.code for problem in problems] == ["wrong_count"]
        assert problems[0].message.startswith(f"{len(written)} tiles")
    else:
        assert sorted(parsed.tiles) == sorted(written)
        assert len(parsed.melds) == declared


def parsed_or_refused(text):
    try:
        return parse_hand(text), ()
    except HandError as refused:
        return None, refused.problems


@given(
    st.integers(20, 2000), st.permutations(range(4)), st.integers(0, 3), st.booleans(), rule_sets
)
def test_payments_sum_to_zero_and_only_the_winner_is_paid(final, places, dealer, drawn, rules):
    winner, discarder = places[0], None if drawn else places[1]
    paid = settle(final, winner=winner, dealer=dealer, discarder=discarder, rules=rules)
    assert sum(paid) == 0
    assert paid[winner] > 0
    assert all(paid[place] <= 0 for place in places[1:])


@given(any_hands())
def test_a_wall_holds_every_hand(hand):
    wall = Wall().tiles
    for kind in hand.tiles:
        wall.remove(kind)


def test_the_club_and_the_book_differ_in_two_options():
    ours, theirs = CLUB.options(), BOOK.options()
    assert {name for name in ours if ours[name] != theirs[name]} == {
        "interpretation",
        "consistency",
    }
    assert Wind.EAST == "E"
