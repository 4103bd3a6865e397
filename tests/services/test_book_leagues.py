"""A league that plays by a rule book: circumstances, bonus tiles, losers' hands, and who pays whom."""

import pytest
from django.core.exceptions import ValidationError

from scoring.evaluator.books.loader import as_data, load
from scoring.evaluator.rules import CLUB
from scoring.evaluator.win import Win
from scoring.models import Hand, RuleSet, RuleSetVersion
from scoring.operations.dump.content import written
from scoring.operations.verify import verify
from scoring.operations.whatif import what_if
from scoring.services.book_scores import score_by
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry, score, validate
from scoring.services.hands.record import preview_hand, record_hand
from scoring.services.merging import merge_players
from scoring.services.rulesets import (
    add_book,
    add_ruleset,
    change_ruleset,
    newer_edition,
    newest_edition,
    shipped_version,
)
from scoring.variants import scorer_for
from scoring.variants.book_rules import BookTableRules
from tests.factories import make_game, make_league, make_player
from tests.support.sheets import logged_from_its_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

PUNGS = "222B* 345B 55B 222D GGG"
CLOSED = "222B 345B 55B 222D GGG"


@pytest.fixture
def table(organiser):
    """Makes an open game of a league that plays by the book of a slug."""

    def table(slug):
        version = shipped_version(slug, by=organiser)
        return make_game(league=make_league(ruleset_version=version))

    return table


def win(game, place, number=1, **circumstances):
    entry = {"outcome": "win", "winner": game.players[place].pk, "tiles": PUNGS, **circumstances}
    return HandEntry.from_json({"number": number, **entry})


def amounts(recorded):
    return [amount for _player, amount in recorded.payments]


def refusals(entry, game):
    with pytest.raises(ValidationError) as error:
        preview_hand(game, entry)
    return {(field, one.code) for field, errors in error.value.error_dict.items() for one in errors}


def test_only_scoring_says_what_the_losers_hands_are_worth(table):
    game = table("dmjl")
    others = [{"player": game.players[2].pk, "tiles": "RRR* 5C", "bonus": "Y3"}]
    hand = win(game, 1, winning_tile="G", others=others, self_drawn=True).to_hand(game)
    validate(hand)
    assert hand.final is None
    assert set(hand.others[0]) == {"player", "tiles", "melds", "bonus", "flags", "claimed"}
    score(hand)
    assert (hand.others[0]["final"], hand.others[0]["card"]["doubles"]) == (16, 1)


def test_a_card_is_asked_for_the_value_of_its_line(table):
    game = table("card")
    entry = win(game, 1, tiles="", discarder=game.players[0].pk)
    assert refusals(entry, game) == {("value", "required")}


SEVEN = ["F1", "F2", "F3", "F4", "Y1", "Y2", "Y3"]
FLOWERS = {"self_drawn": True, "bonus": SEVEN}


@pytest.mark.parametrize("tiles", ["", "123B 55C RR", "222B* 345B", PUNGS])
def test_enough_bonus_tiles_win_whatever_the_other_tiles_are(table, organiser, tiles):
    game = table("hk")
    recorded = record_hand(game, win(game, 1, tiles=tiles, **FLOWERS), by=organiser)
    assert (recorded.hand.final, amounts(recorded)) == (8, [-8, 24, -8, -8])
    assert recorded.hand.checked
    assert [line["rule"] for line in recorded.hand.card["faan_report"]] == ["seven_bonus_tiles"]
    eight = win(game, 2, number=2, tiles=tiles, self_drawn=True, bonus=[*SEVEN, "Y4"])
    assert record_hand(game, eight, by=organiser).hand.final == 64


def test_bonus_tiles_alone_win_only_on_a_drawn_tile(table):
    game = table("hk")
    claimed = win(game, 1, tiles="", bonus=SEVEN, discarder=game.players[0].pk)
    assert refusals(claimed, game) == {("won_by", "not_drawn")}
    assert refusals(win(game, 1, tiles="", self_drawn=True, bonus=SEVEN[:6]), game) == {
        ("tiles", "wrong_number")
    }
    many = win(game, 1, tiles=f"{PUNGS} RR", **FLOWERS)
    assert refusals(many, game) == {("tiles", "wrong_number")}


def test_no_bonus_tiles_win_where_they_do_not_count(table):
    game = table("dmjl")
    entry = win(game, 1, tiles="", **FLOWERS)
    assert refusals(entry, game) == {("tiles", "wrong_number")}


def test_a_win_by_bonus_tiles_goes_out_and_comes_in_as_csv_and_is_corrected(table, organiser):
    game = table("hk")
    hand = record_hand(game, win(game, 1, tiles="", **FLOWERS), by=organiser).hand
    west = win(game, 2, tiles="", **FLOWERS)
    assert correct_hand(hand, west, reason="it was West", by=organiser).hand.final == 8
    logged_from_its_sheet(game, by=organiser)
    again = Hand.objects.latest("pk")
    assert (again.tiles, again.bonus, again.final) == ("", " ".join(SEVEN), 8)


def test_classical_losers_settle_among_themselves(table, organiser):
    game = table("dmjl")
    loser = game.players[2].pk
    circumstances = {"winning_tile": "G", "won_by": "discard", "bonus": ["F2"]}
    entry = win(game, 1, discarder=game.players[0].pk, **circumstances)
    alone = preview_hand(game, entry)
    others = [{"player": loser, "tiles": "RRR* 5C", "bonus": "Y3"}]
    entry = win(game, 1, discarder=game.players[0].pk, others=others, **circumstances)
    recorded = record_hand(game, entry, by=organiser)
    hand = Hand.objects.get()
    card = hand.others[0]["card"]
    # A pung of red dragons lying open is 4, the season 4; the dragons double.
    assert (card["points"], card["doubles"], card["final"]) == (8, 1, 16)
    final = hand.final
    assert amounts(alone) == [-2 * final, 4 * final, -final, -final]
    # East pays West double the difference, North pays it once.
    assert amounts(recorded) == [
        -2 * final - 2 * 16,
        4 * final,
        -final + 2 * 16 + 16,
        -final - 16,
    ]
    assert hand.winning_tile == "G"
    assert (hand.bonus, hand.won_by, hand.self_drawn) == ("F2", "", False)


def test_hong_kong_asks_who_discarded_and_pays_by_the_table(table, organiser):
    game = table("hk")
    assert refusals(win(game, 1, tiles="222B* 333B* 55B 222D* GGG"), game) == {
        ("discarder", "required")
    }
    drawn = record_hand(
        game, win(game, 1, tiles="222B 333B 55B 222D GGG", self_drawn=True), by=organiser
    )
    portion = drawn.hand.final
    assert amounts(drawn) == [-portion, 3 * portion, -portion, -portion]
    assert drawn.hand.total >= load("hk").counting.minimum


def test_a_hand_below_the_minimum_is_no_win(table):
    game = table("hk")
    chows = win(game, 1, tiles="123B* 456B* 789D* 345C 55D", discarder=game.players[0].pk)
    assert refusals(chows, game) == {("tiles", "does_not_win")}


@pytest.mark.parametrize(
    ("place", "discarder", "circumstances", "refusal"),
    [
        (1, None, {"won_by": "heaven", "tiles": CLOSED}, ("won_by", "wrong_seat")),
        (1, None, {"tiles": "", "claimed_limit": "heaven"}, ("won_by", "wrong_seat")),
        (0, 1, {"tiles": "", "claimed_limit": "heaven"}, ("discarder", "self_drawn")),
        (1, 2, {"won_by": "earth_discard", "tiles": CLOSED}, ("discarder", "not_the_dealer")),
        (1, 2, {"tiles": "", "claimed_final": 500, "flags": "nine_wins"}, ("flags", "wrong_seat")),
        (1, None, {"won_by": "kong_on_kong"}, ("won_by", "no_kong")),
    ],
)
def test_a_win_that_cannot_be_is_refused(table, place, discarder, circumstances, refusal):
    game = table("dmjl")
    players = [player.pk for player in game.players]
    who = {} if discarder is None else {"discarder": players[discarder]}
    assert refusals(win(game, place, **who, **circumstances), game) == {refusal}


def test_a_win_that_was_stored_once_stays_what_it_was(table, organiser, monkeypatch):
    game = table("dmjl")
    people = [player.pk for player in game.players]
    first = record_hand(game, win(game, 0, discarder=people[1]), by=organiser).hand
    odd = win(game, 1, number=2, won_by="heaven")
    with monkeypatch.context() as before:
        before.setattr(Hand, "impossible", lambda hand: [])
        stored = record_hand(game, odd, by=organiser).hand
    assert list(verify()) == []
    # Now another one deals, and the hand follows as it was said.
    correct_hand(first, win(game, 2, discarder=people[1]), by=organiser, reason="West won")
    later = game.hands.current().get(number=2)
    assert (later.dealer_id, later.won_by, later.final) == (people[1], "heaven", stored.final)
    assert list(verify()) == []


def test_a_win_that_a_correction_makes_impossible_is_named(table, organiser):
    game = table("dmjl")
    people = [player.pk for player in game.players]
    first = record_hand(game, win(game, 0, discarder=people[1]), by=organiser).hand
    heaven = win(game, 0, number=2, tiles=CLOSED, won_by="heaven")
    record_hand(game, heaven, by=organiser)
    with pytest.raises(ValidationError, match="Hand 2 could not have been played like this"):
        correct_hand(first, win(game, 2, discarder=people[1]), by=organiser, reason="West won")


CONCEALED = "222B 345B 555D 222D NN"
# What it scores to South in the first round, by the tile that was claimed: of any other set less.
BEST = {"dmjl": ("N", 76), "bmja": ("N", 32), "cc": ("N", 56)}
CLAIMED = ["discard", "last_discard", "robbing_kong"]


@pytest.mark.parametrize("way", CLAIMED)
@pytest.mark.parametrize("slug", sorted(BEST))
def test_a_claimed_tile_is_asked_for_where_no_tile_is_worth_as_much(table, slug, way):
    game = table(slug)
    entered = {"tiles": CONCEALED, "discarder": game.players[0].pk, "won_by": way}
    assert refusals(win(game, 1, **entered), game) == {("winning_tile", "required")}
    preview_hand(game, win(game, 1, **entered, winning_tile="3B"))


@pytest.mark.parametrize("slug", sorted(BEST))
def test_a_claimed_tile_is_worth_what_its_set_is_open(table, slug):
    game = table(slug)
    tile, final = BEST[slug]
    entry = win(game, 1, tiles=CONCEALED, discarder=game.players[0].pk, winning_tile=tile)
    assert preview_hand(game, entry).hand.final == final


@pytest.mark.parametrize(
    ("slug", "entered"),
    [
        ("dmjl", {"tiles": CONCEALED, "self_drawn": True}),
        ("dmjl", {"tiles": PUNGS}),  # the claimed tile may be that of the pair
        ("dmjl", {"tiles": "19B 19C 119D ESWN RGWh"}),  # the limit with each tile
        ("dmjl", {"tiles": "", "claimed_limit": "all_honors"}),
        ("dmjl", {"tiles": "", "claimed_final": 128}),
        ("hk", {"tiles": CONCEALED.replace("345B", "888B")}),
        ("zung-jung", {"tiles": CONCEALED}),
        ("american-1922", {"tiles": CONCEALED}),
    ],
)
def test_a_winning_tile_need_not_be_named_where_it_gives_no_more(table, slug, entered):
    game = table(slug)
    discarder = {} if entered.get("self_drawn") else {"discarder": game.players[0].pk}
    assert preview_hand(game, win(game, 1, **entered, **discarder)).hand.final


def test_a_stored_hand_without_its_winning_tile_keeps_its_worth(table, organiser, monkeypatch):
    game = table("dmjl")
    people = [player.pk for player in game.players]
    with monkeypatch.context() as earlier:
        earlier.setattr(BookTableRules, "_is_worth_too_much", lambda rules, hand: False)
        first = record_hand(game, win(game, 2, discarder=people[0]), by=organiser).hand
        entry = win(game, 1, number=2, tiles=CONCEALED, discarder=people[0])
        hand = record_hand(game, entry, by=organiser).hand
    assert not list(verify())
    # Another dealer before it deals it again: it still may be as it was stored.
    correct_hand(first, win(game, 0, self_drawn=True), reason="East won", by=organiser)
    again = Hand.objects.current().get(game=game, number=2)
    assert (again.version, again.winning_tile) == (2, "")
    assert [line["rule"] for line in again.card["double_report"]].count("all_concealed") == 1
    assert not list(verify())
    with pytest.raises(ValidationError) as refused:
        correct_hand(again, win(game, 1, number=2, tiles=CONCEALED), reason="So?", by=organiser)
    assert set(refused.value.error_dict) == {"winning_tile"}
    named = win(game, 1, number=2, tiles=CONCEALED, discarder=people[0], winning_tile="N")
    assert correct_hand(again, named, reason="It was North", by=organiser).hand.final < hand.final


@pytest.mark.parametrize("slug", ["dmjl", "bmja", "cc"])
def test_who_plays_a_dangerous_game_pays_for_everybody_and_no_loser_settles(table, organiser, slug):
    game = table(slug)
    east, _south, west, north = (player.pk for player in game.players)
    others = [{"player": east, "tiles": "RRR*"}, {"player": north, "claimed": 64}]
    entry = win(game, 1, discarder=west, liable=west, winning_tile="G", others=others)
    recorded = record_hand(game, entry, by=organiser)
    final = recorded.hand.final
    assert amounts(recorded) == [0, 4 * final, -4 * final, 0]
    by_east = win(game, 0, number=2, self_drawn=True, winning_tile="G", liable=north)
    recorded = record_hand(game, by_east, by=organiser)
    assert recorded.hand.dealer_id != east
    final = recorded.hand.final
    assert amounts(recorded) == [4 * final, 0, 0, -4 * final]
    assert not list(verify())
    logged_from_its_sheet(game, by=organiser)
    assert set(Hand.objects.values_list("liable", flat=True)) == {west, north}


def test_a_dealer_is_paid_six_times_the_score_by_who_plays_a_dangerous_game(table, organiser):
    game = table("dmjl")
    entry = win(game, 0, discarder=game.players[2].pk, liable=game.players[2].pk, winning_tile="G")
    recorded = record_hand(game, entry, by=organiser)
    assert amounts(recorded) == [6 * recorded.hand.final, 0, -6 * recorded.hand.final, 0]


def test_a_league_of_an_older_edition_knows_nobody_who_pays_for_everybody(organiser):
    older = as_data("dmjl")
    del older["settlement"]["liability"]
    version = add_book(older, by=organiser)
    game = make_game(league=make_league(ruleset_version=version))
    liable = win(game, 1, self_drawn=True, liable=game.players[0].pk)
    assert refusals(liable, game) == {("liable", "not_in_book")}
    assert newer_edition(version)["settlement"]["liability"] is True
    newer = newest_edition("dmjl", by=organiser)
    assert (newer.table_rules.liability, version.table_rules.liability) == (True, False)


def test_a_liable_player_pays_for_everybody(table, organiser):
    game = table("hk")
    liable = game.players[3].pk
    entry = win(game, 1, tiles="222B 333B 55B 222D GGG", self_drawn=True, liable=liable)
    winner = game.players[1].pk
    tiles = "222B 333B 55B 222D GGG"
    assert refusals(win(game, 1, tiles=tiles, self_drawn=True, liable=winner), game) == {
        ("liable", "liable_is_winner")
    }
    stranger = make_player().pk
    assert refusals(win(game, 1, tiles=tiles, self_drawn=True, liable=stranger), game) == {
        ("liable", "not_at_the_table")
    }
    paid = record_hand(game, entry, by=organiser)
    assert amounts(paid) == [0, 3 * paid.hand.final, 0, -3 * paid.hand.final]


def test_tiles_that_no_wall_has_are_named(table):
    game = table("dmjl")
    one, two = game.players[0].pk, game.players[2].pk
    others = [
        {"player": one, "tiles": "2222B RRRR#", "bonus": "F1"},
        {"player": two, "tiles": "RRR"},
    ]
    entry = win(game, 1, bonus=["F1"], others=others, discarder=None, self_drawn=True)
    with pytest.raises(ValidationError) as error:
        preview_hand(game, entry)
    (sentence,) = error.value.message_dict["others"]
    names = "2 of Bamboo, Red dragon, Flower 1"
    assert sentence == f"The hands together hold more of these than there are: {names}."


@pytest.mark.parametrize(
    ("slug", "circumstances", "refusal"),
    [
        ("hk", {"flags": ["original_call"]}, ("flags", "not_in_book")),
        ("hk", {"won_by": "luck"}, ("won_by", "unknown")),
        ("hk", {"won_by": "robbing_kong", "self_drawn": True}, ("self_drawn", "contradiction")),
        ("hk", {"others": [{"player": 0, "claimed": 8}]}, ("others", "not_in_book")),
        ("dmjl", {"value": 25}, ("value", "not_in_book")),
        ("dmjl", {"winning_tile": "9C"}, ("winning_tile", "not_there")),
        ("dmjl", {"bonus": ["F1", "F1"]}, ("bonus", "twice")),
        ("dmjl", {"bonus": ["F9"]}, ("bonus", "unknown")),
        ("dmjl", {"others": [{"player": 0, "tiles": "2222B"}]}, ("others", "too_many_copies")),
        ("dmjl", {"others": [{"player": 1, "claimed": 8}]}, ("others", "not_a_loser")),
        ("dmjl", {"others": [{"player": 0, "claimed": 10**6}]}, ("others", "not_a_score")),
        ("dmjl", {"bonus": ["F1"], "others": [{"player": 0, "bonus": "F1"}]},
         ("others", "too_many_copies")),
        ("zung-jung", {"bonus": ["F1"]}, ("bonus", "not_in_book")),
    ],
)  # fmt: skip
def test_impossible_circumstances_at_a_table_are_refused_with_their_code(
    table, slug, circumstances, refusal
):
    game = table(slug)
    others = [
        {**other, "player": game.players[other["player"]].pk}
        for other in circumstances.get("others", ())
    ]
    circumstances = {**circumstances, "others": others, "discarder": None}
    found = refusals(win(game, 1, **circumstances), game)
    assert refusal in found


@pytest.mark.parametrize("slug", ["dmjl", "mcr"])
@pytest.mark.parametrize(
    "entered", [{"bonus": ["F1", "F1"]}, {"bonus": ["F9"]}, {"won_by": "luck"}, {"flags": ["odd"]}]
)
def test_what_is_wrong_is_said_once(table, slug, entered):
    game = table(slug)
    entry = win(
        game, 1, tiles="222B 333B 55B 222D GGG", self_drawn=True, winning_tile="G", **entered
    )
    with pytest.raises(ValidationError) as error:
        preview_hand(game, entry)
    [(field, sentences)] = error.value.message_dict.items()
    assert field in entered
    assert len(sentences) == 1


def test_the_clubs_own_rules_refuse_what_only_books_know(game):
    circumstances = {
        "won_by": "robbing_kong",
        "bonus": ["F1"],
        "flags": ["original_call"],
        "value": 3,
    }
    found = refusals(win(game, 1, winning_tile="G", **circumstances), game)
    assert found == {(name, "not_in_book") for name in (*circumstances, "winning_tile")}


def test_a_correction_and_a_void_hand_keep_what_was_told(table, organiser):
    game = table("dmjl")
    others = [{"player": game.players[2].pk, "tiles": "RRR* 5C"}]
    circumstances = {"won_by": "robbing_kong", "winning_tile": "3B", "others": others}
    first = record_hand(game, win(game, 0, **circumstances), by=organiser).hand
    second = record_hand(game, win(game, 0, number=2, **circumstances), by=organiser).hand
    entry = win(game, 1, **circumstances)
    revised = correct_hand(first, entry, by=organiser, reason="South won")
    [again] = Hand.objects.current().filter(number=2)
    assert revised.hand.winner == game.players[1]
    # South deals the second hand now, so East has another wind: its losers follow.
    assert (again.won_by, again.winning_tile) == (second.won_by, "3B")
    assert again.others[0]["tiles"] == second.others[0]["tiles"]
    assert again.dealer != second.dealer
    void_hand(again, by=organiser, reason="misdeal")


def test_a_merged_player_takes_the_place_of_a_loser(table, organiser):
    game = table("dmjl")
    gone, kept = game.players[2], make_player("Kate")
    others = [{"player": gone.pk, "tiles": "RRR*"}]
    record_hand(game, win(game, 1, others=others, bonus=["F1"]), by=organiser)
    merge_players(kept, gone, by=organiser)
    assert Hand.objects.get().others[0]["player"] == kept.pk


def test_trials_by_other_rules_pass_over_what_they_do_not_know(table, organiser):
    game = table("dmjl")
    others = [{"player": game.players[2].pk, "tiles": "RRR*", "bonus": "F3"}]
    circumstances = {"won_by": "robbing_kong", "winning_tile": "3B", "bonus": ["F2"]}
    record_hand(game, win(game, 1, others=others, **circumstances), by=organiser)
    club = RuleSetVersion.objects.get(ruleset__slug="club")
    for version in (club, shipped_version("hk", by=organiser), game.ruleset_version):
        rows = what_if(game.league, version.table_rules).rows
        assert sum(row.points_by_rules for row in rows) == 0
    assert [row.difference for row in rows] == [0, 0, 0, 0]


def test_a_book_is_kept_whole_and_never_changes(organiser):
    version = add_book({**as_data("bmja"), "slug": "ours", "name": "Ours"}, by=organiser)
    assert "base" not in version.book
    assert version.table_rules.book.name == "Ours"
    version.book = {**version.book, "name": "Theirs"}
    with pytest.raises(ValidationError):
        version.full_clean()


def test_a_book_that_cannot_be_played_is_refused_with_the_reason(organiser, monkeypatch):
    scorer_for.cache_clear()
    monkeypatch.setattr("scoring.variants.ENGINES", {"mahjong": "nothing"})
    with pytest.raises(ValidationError, match="not installed"):
        shipped_version("riichi", by=organiser)
    assert not RuleSetVersion.objects.filter(ruleset__slug="riichi").exists()


def test_verify_finds_a_changed_figure_of_a_loser(table, organiser, request):
    game = table("dmjl")
    others = [{"player": game.players[2].pk, "tiles": "RRR*"}]
    hand = record_hand(game, win(game, 1, others=others), by=organiser).hand
    changed = [{**hand.others[0], "final": 9}]
    Hand.objects.filter(pk=hand.pk).update(others=changed)
    assert any(one.field.startswith("others") for one in verify())
    Hand.objects.filter(pk=hand.pk).update(others=hand.others)


def test_a_book_league_goes_out_and_comes_in_as_csv(table, organiser):
    game = table("dmjl")
    others = [
        {"player": game.players[2].pk, "tiles": "RRR* 2222C# 5C", "bonus": "Y3"},
        {"player": game.players[3].pk, "claimed": 24},
    ]
    circumstances = {"won_by": "robbing_kong", "winning_tile": "3B", "bonus": ["F2", "Y2"]}
    record_hand(game, win(game, 1, others=others, **circumstances), by=organiser)
    logged_from_its_sheet(game, by=organiser)
    before, after = Hand.objects.order_by("pk")
    for name in (*Win._fields, "tiles", "melds", "others", "final"):
        assert getattr(after, name) == getattr(before, name), name


def test_a_book_league_goes_out_and_comes_in_as_a_file(table, organiser, tmp_path):
    game = table("bmja")
    others = [{"player": game.players[2].pk, "tiles": "RRR*"}]
    record_hand(game, win(game, 1, others=others, bonus=["F1"]), by=organiser)
    rows = [row for model in (RuleSetVersion, Hand) for row in written(model)]
    [version] = [row for row in rows if row["fields"].get("book")]
    [hand] = [row for row in rows if row["model"] == "scoring.hand"]
    assert version["fields"]["book"]["slug"] == "bmja"
    assert hand["fields"]["others"][0]["final"] == 8


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"slug": "new"}, "slug", "taken"),
        ({"slug": "import"}, "slug", "taken"),
        ({"slug": "compare"}, "slug", "taken"),
        ({"slug": "preview"}, "slug", "taken"),
        ({"name": "a\x00b"}, "book", "invisible"),
        ({"name": "a\nb"}, "book", "invisible"),
        ({"explanation": "a\u202eb"}, "book", "invisible"),
        ({"sources": ["a\x07b"]}, "book", "invisible"),
    ],
)
def test_a_book_that_cannot_be_kept_or_opened_is_refused(organiser, changes, field, code):
    book = {"base": "dmjl", "slug": "ours", "name": "Ours", **changes}
    with pytest.raises(ValidationError) as refused:
        add_book(book, by=organiser)
    [error] = refused.value.error_dict[field]
    assert error.code == code


def test_an_explanation_may_have_several_lines(organiser):
    book = {"base": "dmjl", "slug": "ours", "name": "Ours", "explanation": "One.\nTwo."}
    assert add_book(book, by=organiser).number == 1


@pytest.mark.parametrize(("name", "number"), [("Ours", 1), ("Ours indeed", 2)])
def test_two_who_make_one_book_at_once_get_one_or_the_next(organiser, monkeypatch, name, number):
    book = {"base": "dmjl", "slug": "ours", "name": "Ours"}
    add_book(book, by=organiser)
    # The other one's book is not committed while this one looks.
    monkeypatch.setattr("scoring.services.rulesets._locked", lambda slug: None)
    version = add_book({**book, "name": name}, by=organiser)
    assert (version.ruleset.slug, version.number) == ("ours", number)


def test_new_rules_do_not_become_a_version_of_those_made_at_the_same_moment(organiser, monkeypatch):
    book = {"base": "dmjl", "slug": "ours", "name": "Ours"}
    add_book(book, by=organiser, seen=0)
    monkeypatch.setattr("scoring.services.rulesets._locked", lambda slug: None)
    changed = {**book, "counting": {"limit": 900}}
    with pytest.raises(ValidationError, match="There are rules called “Ours” already"):
        add_book(changed, by=organiser, seen=0)
    assert RuleSet.objects.get(slug="ours").versions.count() == 1
    assert add_book(book, by=organiser, seen=0).number == 1  # sent twice


def test_a_card_names_the_version_that_scored_it(organiser):
    add_book(own_book(), by=organiser)
    add_book(own_book(explanation="Tuesdays."), by=organiser)
    hand = "222B 333B 444B 55B GGG", "South", "East"
    assert [score_by(name, *hand)["version"] for name in ("ours", "ours:1")] == [2, 1]


def test_a_score_that_counts_alone_can_be_claimed(table):
    claims = table("zung-jung").ruleset_version.table_rules.claims
    assert [claims.allow(score) for score in (400, 480, 481)] == [True, True, False]


def own_book(**changes):
    return as_data("dmjl") | {"slug": "ours", "name": "Ours", "explanation": "Mondays."} | changes


def test_a_rule_set_follows_the_title_of_its_newest_book(organiser):
    add_book(own_book(), by=organiser)
    ruleset = add_book(own_book(name="Ours anew", explanation="Tuesdays."), by=organiser).ruleset
    ruleset.refresh_from_db()
    assert (ruleset.name, ruleset.description) == ("Ours anew", "Tuesdays.")


def test_title_that_the_club_chose_stays_with_a_new_version(organiser):
    ruleset = add_book(own_book(), by=organiser).ruleset
    change_ruleset(ruleset, name="The Monday rules", description="", by=organiser)
    add_book(own_book(name="Ours anew", explanation="Tuesdays."), by=organiser)
    ruleset.refresh_from_db()
    assert (ruleset.name, ruleset.description) == ("The Monday rules", "")


def test_newest_version_sent_again_makes_no_other(organiser):
    first = add_book(own_book(), by=organiser)
    assert add_book(own_book(), by=organiser) == first
    assert first.ruleset.versions.count() == 1


def test_options_do_not_get_the_short_name_of_a_book(organiser):
    with pytest.raises(ValidationError) as refused:
        add_ruleset("riichi", name="Ours", options=CLUB.options(), by=organiser)
    assert refused.value.message_dict.keys() == {"slug"}
    assert not RuleSet.objects.filter(slug="riichi").exists()
