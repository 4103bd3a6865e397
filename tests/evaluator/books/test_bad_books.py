"""A bad book is refused: every problem at its field, with its line where a text was given."""

import pytest

from scoring.evaluator.books.loader import (
    BookError,
    as_data,
    from_data,
    frozen,
    load,
    on_top,
    parsed,
    read,
    shipped,
    whole,
)
from scoring.evaluator.books.writing import to_toml

GOOD = """\
slug = "trial"
name = "Trial"

[[form]]
id = "four_sets"
name = "Four sets and a pair"
kind = "sets"

[[pattern]]
id = "winning"
name = "Winning"
points = 20

[[pattern]]
id = "no_chow"
name = "No chow"
when = "chows == 0"
doubles = 1
"""

UNSEEN = "Line {}: There is a character that nobody can see (U+{}): type it again."


def problems(text):
    with pytest.raises(BookError) as refused:
        read(text)
    found: dict[str, str] = {}
    for problem in refused.value.problems:
        found[problem.field] = f"{found.get(problem.field, '')} {problem.message}".strip()
    return found


def test_a_good_book_is_read():
    book = read(GOOD)
    assert (book.slug, [pattern.id for pattern in book.patterns]) == (
        "trial",
        ["winning", "no_chow"],
    )


@pytest.mark.parametrize("text", ["", "# Only a remark\n"])
def test_an_empty_book_is_refused_as_that(text):
    with pytest.raises(BookError, match="Nothing is written in this book"):
        read(text)


@pytest.mark.parametrize(
    ("old", "new", "field", "sentence"),
    [
        ('name = "Trial"', "", "book: name", "“name” is missing: it is a text."),
        ('name = "Trial"', "name = 3", "book: name", "“name” is a text."),
        ('slug = "trial"', 'slug = "Trial!"', "book: slug", "Line 1: “slug” has small letters"),
        (
            "doubles = 1",
            "doubles = -1",
            "pattern no_chow: doubles",
            "Line 18: “doubles” is a whole",
        ),
        ("doubles = 1", "doubles = 1.5", "pattern no_chow: doubles", "Line 18: "),
        (
            'kind = "sets"',
            'kind = "sets"\ntiles = "RRR"',
            "form four_sets: tiles",
            "Line 8: A form of this kind does not read “tiles”",
        ),
        (
            'kind = "sets"',
            'kind = "pairs"\nbonus = 8',
            "form four_sets: bonus",
            "Line 8: A form of this kind does not read “bonus”",
        ),
        ("doubles = 1", "doubles = true", "pattern no_chow: doubles", "Line 18: "),
        (
            "doubles = 1",
            'doubles = "2 *"',
            "pattern no_chow: doubles",
            "Line 18, character 12: This cannot be read",
        ),
        (
            "doubles = 1",
            "doubles = 1\npoints = 2",
            "pattern no_chow",
            "Line 14: Give exactly one of",
        ),
        ("doubles = 1", "", "pattern no_chow", "Line 14: Give exactly one of"),
        (
            "doubles = 1",
            "doubles = 1\ncolour = 3",
            "pattern no_chow: colour",
            "Line 19: “colour” is not",
        ),
        (
            "doubles = 1",
            'doubles = 1\nwho = "me"',
            "pattern no_chow: who",
            "Line 19: “who” is one of",
        ),
        ("doubles = 1", 'doubles = 1\nalone = "no"', "pattern no_chow: alone", "is true or false"),
        (
            "doubles = 1",
            "doubles = 1\ncalling = -4",
            "pattern no_chow: calling",
            "is a whole number",
        ),
        ("doubles = 1", 'doubles = 1\nreplaces = "x"', "pattern no_chow: replaces", "is a list."),
        (
            "doubles = 1",
            "doubles = 1\nreplaces = [3]",
            "pattern no_chow: replaces",
            "is a list of texts",
        ),
        (
            "doubles = 1",
            'doubles = 1\nreplaces = ["x"]',
            "pattern no_chow: replaces",
            "not in the book",
        ),
        ("doubles = 1", "doubles = 1\nhas = [3]", "pattern no_chow: has", "An example is a hand"),
        (
            'when = "chows == 0"',
            'when = "cows == 0"',
            "pattern no_chow: when",
            "Line 17, character 9: “cows” is not known",
        ),
        (
            'id = "no_chow"',
            'id = "winning"',
            "pattern winning",
            "There are two patterns “winning”.",
        ),
        ('kind = "sets"', 'kind = "set"', "form four_sets: kind", "Line 7: “kind” is one of"),
        (
            'kind = "sets"',
            'kind = "tiles"\ntiles = "123a"',
            "form four_sets: tiles",
            "14 tiles; here are 3",
        ),
        (
            'kind = "sets"',
            'kind = "tiles"\ntiles = "12x"',
            "form four_sets: tiles",
            "“12x” is no tile",
        ),
        ("[[form]]", "[form]", "form", "[[form]]"),
        ("[[form]]", 'circumstances = ["luck"]\n[[form]]', "circumstances", "“luck” is not known"),
        ("[[form]]", "counting = 3\n[[form]]", "counting", "“counting” is a table."),
        ("[[form]]", "[counting]\nlimit = -1\n[[form]]", "counting: limit", "is a whole number"),
        (
            "[[form]]",
            "[counting]\ntable = [1, -1]\n[[form]]",
            "counting: table",
            "“table” is a list of whole numbers from 0",
        ),
        ("[[form]]", '[counting]\nkind = "tricks"\n[[form]]', "counting: kind", "is one of"),
        ("[[form]]", '[counting]\nroof = "no"\n[[form]]', "counting: roof", "is true or false"),
        ("[[form]]", '[counting]\nlimit = "x"\n[[form]]', "counting: limit", "is a whole number"),
        ("[[form]]", "[settlement]\ndiscarder = 3\n[[form]]", "settlement: discarder", "is a text"),
        ("[[form]]", "[counting]\ntable = 3\n[[form]]", "counting: table", "is a list"),
        (
            "[[form]]",
            "[counting]\nrounding = 0\n[[form]]",
            "counting: rounding",
            "is a whole number",
        ),
        (
            "[[form]]",
            '[counting]\nkind = "faan"\nmaximum = 3\ntable = [1, 2]\n[[form]]',
            "counting: table",
            "Give points for 0 to 3 faan.",
        ),
        ("[[form]]", "[counting]\ncolour = 1\n[[form]]", "counting: colour", "is not known here"),
        ("[[form]]", "[deal]\nrounds = 5\n[[form]]", "deal: rounds", "one to four rounds"),
        ("[[form]]", "[deal]\nrounds = -5\n[[form]]", "deal: rounds", "one to four rounds"),
        ("[[form]]", "[settlement]\ndraw = 100\n[[form]]", "settlement: draw", "multiple of six"),
    ],
)
def test_a_bad_book_is_refused_with_the_field_and_why(old, new, field, sentence):
    assert GOOD.count(old) == 1
    found = problems(GOOD.replace(old, new))
    assert field in found
    assert sentence in found[field]


@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ('id = "winning"', 'id = "four_sets"', "pattern four_sets: points", 12),
        ('id = "winning"', "id = 'winning' # mine", "pattern winning: points", 12),
        ('name = "Trial"', 'name = "Trial"\ncounting = {rounding = 0}', "counting: rounding", 3),
        ("[[form]]", '[counting]\nkind = "points"\n[settlement]\nkind = "x"\n[[form]]', "settlement: kind", 7),
    ],
)  # fmt: skip
def test_the_line_is_that_of_its_own_table(old, new, field, line):
    text = GOOD.replace("points = 20", "points = -1").replace(old, new)
    assert problems(text)[field].startswith(f"Line {line}: ")


def test_a_mistake_in_a_book_without_text_names_the_character():
    with pytest.raises(BookError, match=r"^Character 1: “luck” is not known"):
        from_data(
            {**parsed(GOOD), "pattern": [{"id": "a", "name": "A", "points": 1, "when": "luck"}]}
        )


def test_what_is_no_toml_is_refused_with_its_line():
    assert "Line 2: " in problems('slug = "a"\nname = = 3\n')["book"]


def test_a_book_is_not_longer_than_a_book():
    assert "at most 200000 characters" in problems("#" * 200_001)["book"]


@pytest.mark.parametrize("name", ["a", '"a b"', "'a'"])
def test_a_name_has_no_thousands_of_parts(name):
    """Reading these 24,000 characters took 15 seconds."""
    text = 'slug = "a"\n' + ".".join([name] * 12_000) + " = 1"
    assert "Line 2 has more than 60 dots" in problems(text)["book"]


@pytest.mark.parametrize(
    "text",
    [
        'x = { k = """\n""" , ' + ".".join("a" * 12_000) + ' = 1, z = "" }',
        "x = '" + "." * 100 + "'." + ".".join("a" * 12_000),
        'x = "' + '\\"' * 90_000 + "." * 100,
    ],
)
def test_a_string_hides_no_name_of_thousands_of_parts(text):
    assert "book" in problems(text)


def test_a_text_may_have_as_many_dots_as_it_needs():
    text = 'base = "dmjl"\nslug = "dots"\nname = "Dots"\nexplanation = "%s"' % (". " * 100)
    assert parsed(text)["explanation"] == ". " * 100


@pytest.mark.parametrize(
    "number", ["9" * 5_000, "0x" + "f" * 5_000, "[[1], [-1000000000000000000]]"]
)
def test_a_number_is_not_longer_than_a_number(number):
    assert problems(f"x = {number}") == {"book: x": "Line 1: A whole number has at most 18 digits."}


def test_a_book_has_at_most_400_patterns():
    many = "".join(f'[[pattern]]\nid = "p{i}"\nname = "P"\npoints = 1\n' for i in range(400))
    assert "at most 400 patterns" in problems(GOOD + many)["pattern"]


def test_a_book_has_few_forms():
    many = "".join(f'[[form]]\nid = "f{i}"\nname = "F"\nkind = "sets"\n' for i in range(400))
    assert "forms" in problems(GOOD + many)["form"]


def test_a_set_may_have_points_on_one_side_only():
    only_open = '[[set]]\nid = "pung"\nname = "Pung"\neach = "pung"\nopen = 2\n'
    assert read(GOOD + only_open).patterns[0].id == "pung_open"


def test_a_book_without_a_form_is_none():
    data = {"slug": "trial", "name": "Trial"}
    with pytest.raises(BookError, match="needs a form"):
        from_data(data)


def test_patterns_do_not_replace_each_other_in_a_circle():
    found = problems(
        GOOD.replace("points = 20", 'points = 20\nreplaces = ["no_chow"]').replace(
            "doubles = 1", 'doubles = 1\nreplaces = ["winning"]'
        )
    )
    assert any("in a circle" in sentence for sentence in found.values())


def test_every_problem_is_told_at_once():
    bad = GOOD.replace("doubles = 1", "doubles = -1").replace("points = 20", "points = 2000000")
    assert set(problems(bad)) == {"pattern no_chow: doubles", "pattern winning: points"}


@pytest.mark.parametrize("slug", shipped())
def test_every_shipped_book_is_read(slug):
    assert load(slug).slug == slug
    assert as_data(slug)["slug"] == slug


def test_a_book_that_is_not_shipped_is_not_there():
    for find in (load, as_data):
        with pytest.raises(KeyError):
            find("../club")


class TestABookOnTopOfAnother:
    def test_a_book_on_top_of_another_changes_what_it_names_and_nothing_else(self):
        book = from_data(
            {
                "base": "club",
                "slug": "house",
                "name": "House",
                "counting": {"limit": 300},
                "pattern": [
                    {"id": "groups", "doubles": 3},
                    {"id": "sequences", "off": True},
                    {"id": "extra", "name": "Extra", "points": 2},
                ],
            }
        )
        club = load("club")
        assert (book.counting.limit, book.counting.rounding) == (300, club.counting.rounding)
        assert book.by_id["groups"].value(()) == 3
        assert book.by_id["groups"].times.text == club.by_id["groups"].times.text
        assert set(book.by_id) == set(club.by_id) - {"sequences"} | {"extra"}

    def test_a_book_on_top_of_another_may_give_a_pattern_another_unit(self):
        book = from_data(
            {
                "base": "club",
                "slug": "house",
                "name": "House",
                "pattern": [{"id": "groups", "limit": 50}],
            }
        )
        assert book.by_id["groups"].unit == "limit"

    def test_a_book_on_top_of_one_that_nobody_knows_is_refused(self):
        with pytest.raises(BookError, match="There is no book “chess”"):
            from_data({"base": "chess", "slug": "house", "name": "House"})

    @pytest.mark.parametrize("patterns", ["no", [{"name": "Without an id", "points": 1}], ["no"]])
    def test_a_book_on_top_of_another_with_patterns_that_are_none_is_refused(self, patterns):
        with pytest.raises(BookError):
            from_data({"base": "club", "slug": "house", "name": "House", "pattern": patterns})

    def test_a_book_on_top_of_another_may_itself_be_changed(self):
        base = load("hk-spicy")
        book = from_data(
            {
                "base": "hk-spicy",
                "slug": "house",
                "name": "House",
                "counting": {"minimum": 1},
            }
        )
        assert (book.counting.minimum, book.counting.table) == (1, base.counting.table)


def test_a_book_is_kept_whole_and_read_once():
    kept = whole({**as_data("bmja"), "slug": "ours", "name": "Ours"})
    assert "base" not in kept
    assert frozen(kept) is frozen(dict(kept))
    assert frozen(kept).counting == load("bmja").counting
    assert whole(kept) == kept
    assert frozen(kept).name == "Ours"


def test_what_is_no_table_of_names_is_no_book():
    with pytest.raises(BookError, match="names and values"):
        frozen(["club"])


LIMIT_HAND = {"id": "mine", "name": "Mine", "limit": 100}
NEVER = [
    ({"counting": {"limit": [10]}}, "counting: limit"),
    (
        {"counting": {"kind": "faan", "minimum": [1], "maximum": 2, "table": [1, 2, 4]}},
        "counting: minimum",
    ),
    ({"deal": {"rounds": [1]}}, "deal: rounds"),
    ({"settlement": {"draw": [1]}}, "settlement: draw"),
    ({"settlement": {"losers_settle": [1]}}, "settlement: losers_settle"),
    ({"settlement": {"discarder": [1]}}, "settlement: discarder"),
    ({"counting": {"kind": ["faan"]}}, "counting: kind"),
    ({"form": [{"id": "two", "name": "Two", "kind": "pairs"}] * 2}, "form two"),
    (
        {"pattern": [{"id": "mine", "name": "Mine", "when": "form(nope)", "doubles": 1}]},
        "pattern mine: when",
    ),
    ({"pattern": [{"id": "mine", "name": "Mine", "doubles": "-3"}]}, "pattern mine: doubles"),
    ({"pattern": [{"id": "mine", "name": "Mine", "points": 501}]}, "pattern mine: points"),
    (
        {
            "pattern": [
                {"id": "q", "name": "Q", "doubles": 1, "kind": "k1", "replaces_kind": "k2"},
                {"id": "r", "name": "R", "doubles": 1, "kind": "k2", "replaces_kind": "k1"},
            ]
        },
        "pattern q: replaces_kind",
    ),
    (
        {
            "pattern": [
                {"id": "q", "name": "Q", "doubles": 1, "kind": "k1", "replaces": ["r"]},
                {"id": "r", "name": "R", "doubles": 1, "replaces_kind": "k1"},
            ]
        },
        "pattern q: replaces_kind",
    ),
    ({"counting": {"kind": "faan", "maximum": 2, "table": [3, 2, 1]}}, "counting: table"),
    (
        {"counting": {"kind": "faan", "maximum": 2, "minimum": 3, "table": [1, 2, 4]}},
        "counting: minimum",
    ),
    ({"pattern": [{"id": "mine", "name": "Mine", "faan": 3}]}, "pattern mine: faan"),
    ({"counting": {}, "pattern": [LIMIT_HAND]}, "counting: limit"),
    ({"counting": {"kind": "faan"}, "pattern": [LIMIT_HAND]}, "pattern mine: limit"),
    (
        {"counting": {"kind": "sum", "maximum": 320}, "pattern": [LIMIT_HAND]},
        "pattern mine: limit",
    ),
    (
        {
            "counting": {"kind": "faan", "maximum": 2, "table": [1, 2, 4]},
            "pattern": [{**LIMIT_HAND, "limit": 50}],
        },
        "pattern mine: limit",
    ),
    ({"counting": {"kind": "faan", "table": [1, 2, 4]}}, "counting: maximum"),
    ({"counting": {"kind": "faan", "maximum": 1, "table": [0, 0]}}, "counting: table"),
    ({"counting": {"limit": 500, "rounding": 1000}}, "counting: rounding"),
    ({"counting": {"rounding": 100000}}, "counting: rounding"),
    ({"settlement": {"kind": "portions", "base": 0}}, "settlement: base"),
    ({"settlement": {"discarder": "alnoe"}}, "settlement: discarder"),
    ({"settlement": {"kind": "portions", "discarder": "alone"}}, "settlement: discarder"),
    ({"settlement": {"kind": "threshold", "liability": True}}, "settlement: liability"),
    ({"settlement": {"stick": 100}}, "settlement: stick"),
    ({"settlement": {"losers_settle": True}}, "settlement: losers_settle"),
    ({"losers_score": True}, "losers_score"),
    ({"counting": {"kind": "sum", "limit": 100}}, "counting: limit"),
    ({"deal": {"abortive": True}}, "deal: abortive"),
    (
        {"pattern": [{"id": "q", "name": "Q", "doubles": 1, "each": "pung", "times": "5"}]},
        "pattern q: times",
    ),
    ({"pattern": [{"id": "q", "name": "Q", "doubles": 1, "off": True}]}, "pattern q: off"),
    ({"pattern": [{"id": "q", "name": "Q", "doubles": 1, "off": "no"}]}, "pattern q: off"),
    ({"pattern": [{"id": "q", "name": "Q", "doubles": 1, "off": []}]}, "pattern q: off"),
]


@pytest.mark.parametrize(("changes", "field"), NEVER)
def test_a_new_book_is_refused_for_what_a_stored_one_may_have(changes, field):
    data = {
        "slug": "trial",
        "name": "Trial",
        "counting": {"limit": 500},
        "form": [{"id": "four_sets", "name": "Four sets and a pair", "kind": "sets"}],
        **changes,
    }
    with pytest.raises(BookError) as refused:
        from_data(data)
    assert [problem.field for problem in refused.value.problems] == [field]
    assert frozen(data).name == "Trial"


def test_the_hands_that_are_a_share_of_no_limit_are_named():
    with pytest.raises(BookError) as refused:
        from_data({"base": "cc", "counting": {"limit": 0}})
    [problem] = refused.value.problems
    assert (problem.field, problem.code) == ("counting: limit", "no_limit")
    assert problem.message.count(",") > 10


def test_a_limit_hand_of_a_book_of_faan_is_worth_the_maximum():
    pattern = {"id": "four_kongs", "limit": 100}
    assert from_data({"base": "hk", "pattern": [pattern]}).by_id["four_kongs"].unit == "limit"


def test_a_table_of_another_kind_takes_over_what_it_reads():
    changes = {"settlement": {"kind": "shares"}, "slug": "ours"}
    settlement = from_data({"base": "zung-jung", **changes}).settlement
    assert (settlement.threshold, settlement.dealer_doubles) == (0, False)


def test_costs_are_rounded_up_by_any_counting():
    data = {"slug": "trial", "name": "Trial", "form": whole(as_data("dmjl"))["form"]}
    counting = {"kind": "sum", "rounding": 100}
    book = from_data({**data, "counting": counting, "settlement": {"kind": "costs"}})
    assert book.counting.rounding == 100


def test_who_discarded_pays_as_the_kind_says_first():
    data = {"slug": "trial", "name": "Trial", "form": whole(as_data("dmjl"))["form"]}
    assert from_data({**data, "settlement": {"kind": "portions"}}).settlement.discarder == "full"


@pytest.mark.parametrize("worth", ["ten", "2 +"])
def test_what_is_no_number_is_told_at_the_worth(worth):
    found = problems(GOOD.replace("points = 20", f'points = "{worth}"'))
    assert list(found) == ["pattern winning: points"]
    assert ("is a whole number from 0 to 100000" in str(found)) is (worth == "ten")


def test_points_above_no_limit_are_taken():
    data = {"slug": "trial", "name": "Trial", "form": whole(as_data("dmjl"))["form"]}
    pattern = {"id": "mine", "name": "Mine", "points": 1000}
    for counting in ({"limit": 0}, {"limit": 500, "roof": False}):
        assert from_data({**data, "counting": counting, "pattern": [pattern]}).patterns


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ('[[form]]\nid = "x"\n[[form]]\nid = "x"\n', "There are two forms “x”."),
        ('[[set]]\nid = "x"\n[[set]]\nid = "x"\n', "There are two kinds of sets “x”."),
        ("circumstances = 3\n", "“circumstances” is a list"),
    ],
)
def test_what_changes_a_book_is_refused_by_name(changes, sentence):
    found = problems('base = "dmjl"\nslug = "ours"\nname = "Ours"\n' + changes)
    assert any(sentence in words for words in found.values()), found


ON_DMJL = 'base = "dmjl"\nslug = "ours"\nname = "Ours"\n'


def problems_of(text):
    with pytest.raises(BookError) as refused:
        read(text)
    return [(one.field, str(one.message)) for one in refused.value.problems]


def test_what_the_base_does_not_have_cannot_be_taken_away():
    [(field, sentence)] = problems_of(ON_DMJL + '[[pattern]]\nid = "all_honor"\noff = true\n')
    assert field == "pattern all_honor: off"
    assert sentence.startswith("Line 6: The base has no “all_honor”")
    assert "is it “all_honors”?" in sentence


@pytest.mark.parametrize("off", ['"no"', '""', "[]", "0"])
def test_a_pattern_is_taken_away_by_true_alone(off):
    problems = problems_of(ON_DMJL + f'[[pattern]]\nid = "all_honors"\noff = {off}\n')
    assert problems == [("pattern all_honors: off", "Line 6: “off” is true or false.")]


def test_what_is_near_nothing_in_the_base_is_no_guess():
    [(_field, sentence)] = problems_of(ON_DMJL + '[[pattern]]\nid = "zz"\noff = true\n')
    assert sentence == "Line 6: The base has no “zz” that could be taken away."


def test_a_book_of_too_many_tables_is_not_read():
    [(_field, sentence)] = problems_of("\n".join(f"[t{number}]" for number in range(20_000)))
    assert sentence == "A book has at most 1000 tables: these are 20000."


def test_a_book_of_too_many_dots_is_not_read():
    [(_field, sentence)] = problems_of("\n".join("a" + ".a" * 60 for _line in range(1500)))
    assert "at most 5000 dots outside of its texts" in sentence


def test_at_most_a_dozen_problems_are_told():
    problems = problems_of("\n".join(f"[t{number}]" for number in range(900)))
    assert len(problems) == 13
    assert problems[0][1].startswith("Line 1: “t0” is not known here")
    assert problems[-1][1].startswith("And 8")


def test_lists_in_lists_are_refused_in_a_sentence():
    [(_field, sentence)] = problems_of("a = " + "[" * 3000)
    assert sentence == "The lists of a book lie too deep in each other."


@pytest.mark.parametrize(
    ("text", "field", "line"),
    [
        ('[[pattern]]\nid = "x"\n' * 2, "pattern x", 4),
        ("[t0]\n", "book: t0", 4),
        ('[[pattern]]\nid = "x"\nname = "X"\ndoubles = 1\ntimes = "nix("\n', "pattern x: times", 8),
        ("[counting]\nlimit = -5\n", "counting: limit", 5),
    ],
)
def test_a_problem_names_its_line_and_is_told_once(text, field, line):
    [(place, sentence)] = problems_of(ON_DMJL + text)
    assert place == field
    assert sentence.startswith(f"Line {line}")


def test_a_text_may_begin_with_a_byte_order_mark():
    assert read("\ufeff" + ON_DMJL).slug == "ours"


@pytest.mark.parametrize("name", ["discard", "self_drawn"])
def test_no_book_is_without_a_way_to_win_that_every_book_has(name):
    problems = problems_of(ON_DMJL + f'without = ["last_tile", "{name}"]\n')
    sentence = f"Line 4: Hands are won by “{name}” in every book: it cannot be left out."
    assert problems == [("without", sentence)]


@pytest.mark.parametrize("origin", ['"dmjl"', '["x"]', "{ a = 1 }", "7"])
def test_a_book_on_top_of_another_says_no_origin(origin):
    problems = problems_of(ON_DMJL + f"origin = {origin}\n")
    sentence = "Line 4: A book on top of another comes from its base: leave “origin” out."
    assert problems == [("origin", sentence)]


def test_the_origin_of_a_new_book_is_no_longer_than_a_short_name():
    problems = problems_of(f'origin = "{"x" * 3000}"\n' + GOOD)
    assert problems == [("book: origin", "Line 1: “origin” has at most 40 characters.")]


def test_the_file_of_a_site_that_ships_other_books_is_read():
    kept = whole({**as_data("dmjl"), "slug": "ours", "name": "Ours", "origin": "of-another-site"})
    assert read(to_toml(kept)).origin == "of-another-site"
    assert on_top(kept, {"counting": {"limit": 600}})["origin"] == "of-another-site"


def test_the_file_of_a_book_that_was_made_from_another_is_read_again():
    kept = whole({"base": "dmjl", "slug": "ours", "name": "Ours"})
    assert read(to_toml(kept)).origin == "dmjl"


@pytest.mark.parametrize("name", ["", "  "])
def test_a_name_that_is_empty_is_not_called_missing(name):
    found = problems(GOOD.replace('name = "Trial"', f'name = "{name}"'))
    assert found == {"book: name": "Line 2: “name” is empty: write a text."}


@pytest.mark.parametrize("base", ['["dmjl"]', "true", "{ a = 1 }"])
def test_a_base_is_a_text(base):
    problems = problems_of(f'base = {base}\nslug = "ours"\nname = "Ours"\n')
    assert problems == [("base", "Line 1: “base” is a text.")]


def test_an_option_of_a_book_that_has_none_is_to_be_left_out():
    problems = problems_of(ON_DMJL + "[options]\na = 1\n")
    assert problems == [("options: a", "Line 5: Nothing can be set here: leave “a” out.")]


@pytest.mark.parametrize("value", ["1,000", "(1, 0)", "1.000,5", "1 if 2 else 3"])
def test_what_cannot_stand_in_a_value_is_said_as_it_was_written(value):
    found = problems(GOOD.replace("points = 20", f'points = "{value}"'))
    assert f"“{value}” cannot stand here." in found["pattern winning: points"]


@pytest.mark.parametrize("name", ['["x"]', "true", "{ a = 1 }"])
def test_a_pattern_whose_id_is_no_text_is_named_by_its_place(name):
    found = problems(GOOD.replace('id = "no_chow"', f"id = {name}"))
    assert found["pattern 2: id"] == "Line 15: “id” is a text."
    assert not any("[" in field or "True" in field for field in found)


@pytest.mark.parametrize(
    ("text", "field", "sentence"),
    [
        (f'base = "dmjl"\nslug = "{"s" * 41}"', "book: slug", "Line 2: “slug” has at most 40 characters."),
        (f'base = "dmjl"\nname = "{"n" * 81}"', "book: name", "Line 2: “name” has at most 80 characters."),
        ('base = "dmjl"\nname = "a\\nb"', "book: name", UNSEEN.format(2, "000A")),
        ('base = "dmjl"\nname = "a\\u202eb"', "book: name", UNSEEN.format(2, "202E")),
        ('base = "dmjl"\nsources = ["a", "\\u200b"]', "book: sources", UNSEEN.format(2, "200B")),
        (GOOD.replace('"No chow"', '"No\\u200bchow"'), "pattern no_chow: name", UNSEEN.format(16, "200B")),
        (GOOD + 'has = [{hand = "\\u200b"}]', "pattern no_chow: has", UNSEEN.format(19, "200B")),
        (GOOD + '[settlement]\nkind = "a\\u200b"', "settlement: kind", "Line 20: “kind” is one of "),
        (GOOD + '[options]\n"\\u200b" = 1', "options: \u200b", "Line 19: Nothing can be set here"),
    ],
)  # fmt: skip
def test_a_text_that_cannot_be_kept_is_told_once_with_its_line(text, field, sentence):
    [(place, message)] = problems_of(text)
    assert place == field
    assert message.startswith(sentence)


def test_a_text_of_several_lines_is_kept_but_for_a_name():
    text = GOOD.replace('name = "Trial"', 'name = "Trial"\nexplanation = "a\\nb"')
    assert read(text).explanation == "a\nb"


def test_a_book_that_is_stored_keeps_its_texts():
    data = {**parsed(GOOD), "name": "a\u202eb" + "n" * 80}
    assert frozen(data).name == data["name"]
