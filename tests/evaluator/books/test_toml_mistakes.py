"""A text that is no TOML is refused in sentences of the site, with the line, never in the parser's words."""

import pytest

from scoring.evaluator.books.loader import BookError, parsed

TWICE = "has a value already: leave one of the two out."
TEXT = "A text begins here and has no end: put the same quotes behind it."
LIST = "Up to here a list has no end: put a comma between its values, and ] behind them."
VALUE = "A value is missing here: a number, true or false, or words in quotes."
MORE = "Nothing may follow a value on its line: write a number as 1000, not as 1,000 or 01000, and words in quotes."
STATEMENT = 'Write a name, = and a value, such as base = "dmjl"; a remark begins with #.'
BACKSLASH = "In a text a backslash is written twice."
UNSEEN = "There is a character that nobody can see: type the line again."


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("[counting]\n\n[counting]\n", 3, "[counting] is there already: write all of its lines in one place."),
        ('[form]\nid = "x"\n[form]\n', 3, "Write each as a table of its own: [[form]]."),
        ("[form]\n[[form]]\n", 2, "Write each as a table of its own: [[form]]."),
        ("a = 1\na = 2\n", 2, f"“a” {TWICE}"),
        ('name = "A"\nname = "b = c"\nslug = "a"\n', 2, f"“name” {TWICE}"),
        ("a = 1\na = [\n1,\n2]\n", 4, f"“a” {TWICE}"),
        ("counting.limit = 5\ncounting.limit.x = 6\n\n", 2, f"“counting.limit.x” {TWICE}"),
        ("a = { b = 1, b = 2 }", 1, f"“b” {TWICE}"),
        ('"a b" = 1\n"a b" = 2\n', 2, 'is no TOML. A book has lines such as base = "dmjl".'),
        ("name = Odd # ours\n", 1, 'Write words in straight quotes, such as name = "Odd".'),
        ("name = “Odd”\n", 1, 'Write words in straight quotes, such as name = "Odd".'),
        ("sources = [ Odd ]\n", 1, 'Write words in straight quotes, such as sources = "Odd".'),
        ("sources = [\n    Odd,\n]\n", 2, 'Write words in straight quotes, such as "Odd".'),
        ("bonus = True\n", 1, "Write “true” in small letters."),
        ("slug =", 1, VALUE),
        ("slug = # ours\n", 1, VALUE),
        ("slug = = 3\n", 1, VALUE),
        ("limit = 1,000\n", 1, MORE),
        ("limit = 0100\n", 1, MORE),
        ('slug = "a\nname = "b"\n', 1, TEXT),
        ('name = "b"\nslug = "a', 2, TEXT),
        ("slug = 'a\nname = 3\n", 1, TEXT),
        ("slug = 'a\nname = 'b'\n", 1, TEXT),
        ('x = 1\nslug = """a\nname = 3\n', 2, TEXT),
        ("x = 1\nslug = '''a\nname = 3\n", 2, TEXT),
        ('a = ["x"\n"y"]\n', 2, LIST),
        ('a = ["x",\nb = true\n', 2, LIST),
        ("a = { b = 1\n", 1, "Up to here a table has no end: put a comma between its values, and close its braces."),
        ("[[form]\n", 1, "Close the brackets around the name of a table: [[form]]."),
        ("[deal\n", 1, "Close the brackets around the name of a table: [deal]."),
        ("limit: 500\n", 1, STATEMENT),
        ("= 3\n", 1, STATEMENT),
        ('a = { "b" = 1, }\n', 1, STATEMENT),
        ('a = "C:\\users"\n', 1, BACKSLASH),
        ('a = "\\q"\n', 1, BACKSLASH),
        ('a = "x\x01"\n', 1, UNSEEN),
        ("# x\x01\n", 1, UNSEEN),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line_and_in_plain_words(text, line, sentence):
    with pytest.raises(BookError) as refused:
        parsed(text)
    [problem] = refused.value.problems
    between = " " if sentence.startswith("is ") else ": "
    assert (problem.field, problem.code) == ("book", "no_toml")
    assert problem.message == f"Line {line}{between}{sentence}"


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ('slug = "a"\n[counting]\nlimit = {number}\n', 3, "counting: limit"),
        ('[[form]]\nid = "x"\n[[form]]\nbonus = {number}\nid = "y"\n[deal]\n', 4, "form y: bonus"),
        ("[[form]]\n[[form]]\nbonus = {number}", 3, "form 2: bonus"),
        ('x = """\n{number}\n"""\ny = {number} # {number}', 4, "book: y"),
        ('x = "{number}" # {number}\n"a b" = {number}', 2, "book"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("digits", [19, 5_000])
def test_a_number_that_is_too_long_is_told_with_its_line_and_field(text, line, field, digits):
    with pytest.raises(BookError) as refused:
        parsed(text.replace("{number}", "9" * digits))
    [problem] = refused.value.problems
    assert problem.field == field
    assert problem.message == f"Line {line}: A whole number has at most 18 digits."
