"""Names are found in sentences, however they are spelled."""

import pytest

from scoring.models.names_in_text import NamesInText


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("王小明報錯分數。王小明 said so", ["王小明", "王小明"]),
        ("他說王小明，錯了", ["王小明"]),
        ("王 said so, 王。", ["王", "王"]),
        ("王小月、國王", []),
        ("ANNA GROOT, anna groot", ["ANNA GROOT", "anna groot"]),
        ("Anna Groots hand, Joanna Groot", []),
        ("Anna Groot說", ["Anna Groot"]),
        ("他和Anna Groot說", ["Anna Groot"]),
        ("Anna Groot junior was it", ["Anna Groot junior"]),
        ("Anna Grootjes", []),
        ("Straße, STRAßE", ["Straße", "STRAßE"]),
        ("なかむらさん", ["なかむら"]),
        ("J. (Jan), J. (Jan)x", ["J. (Jan)"]),
    ],
)
def test_a_name_is_found_in_a_sentence(text, found):
    names = ["王小明", "王", "Anna Groot", "Anna Groot junior", "Straße", "なかむら", "J. (Jan)"]
    assert [one.text for one in NamesInText(names).find(text)] == found


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        (
            "Siobhán O’Brien",
            ["Siobhán O'Brien", "Siobhan O’Brien", "SIOBHÁN O'BRIEN", "siobhan obrien"],
        ),
        (
            "José Fernández-Ibáñez",
            ["José Fernandez-Ibanez", "Jose\u0301 Ferna\u0301ndez-Iba\u0301n\u0303ez"],
        ),
        ("José Fernández-Ibáñez", ["Jose Fernández Ibáñez", "José  Fernández\u2011Ibáñez"]),
        ("Øyvind Strømsnes", ["Øyvind Stromsnes", "OYVIND STRØMSNES"]),
        ("Zofia Świątkowska", ["Zofia Swiątkowska"]),
        ("Işık Ak", ["IŞIK AK", "Isik Ak", "Işik Ak", "İşık Ak"]),
        ("Bob Tanner", ["Ｂｏｂ Ｔａｎｎｅｒ", "BOB\u00a0TANNER"]),
        ("Zoë", ["Zoe", "ZOË"]),
        ("Bob Tanner", ["Bob Tan\u00adner", "Bob\u200b Tanner"]),
    ],
)
def test_a_name_is_found_however_it_is_spelled(name, typed):
    for spelling in typed:
        for text in (f"{spelling} lost", f"So {spelling}’s hand", f"({spelling})", spelling):
            assert [one.text for one in NamesInText([name]).find(text)] == [spelling], text


def test_a_list_of_other_names_is_no_name_with_the_surname_first():
    assert not list(NamesInText(["Bob Lee"]).find("Ann Lee, Bob Tanner and Cid"))


def test_what_is_found_is_replaced_where_it_stands():
    names = NamesInText(["Zoë", "Ann Lee"])
    typed = "Zoe\u0308 and ann-lee, not Zoes"
    assert names.replace(typed, lambda found: f"<{found.key}>") == "<zoe> and <ann lee>, not Zoes"


def test_no_names_are_found_nowhere():
    assert list(NamesInText([]).find("Ann")) == []
