"""Lists of people are read from what was pasted, from CSV and from XLSX, within bounds."""

from io import BytesIO
from time import process_time
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.exceptions import ValidationError
from openpyxl import Workbook

from scoring.operations.people_list import read_file, read_text
from scoring.services.people_lists import MOST_ROWS, PersonEntry

ANN, ZOE = PersonEntry("Ann Lee"), PersonEntry("Zoë", "zoe@club.example", "zoe")


def workbook(*rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("Ann Lee\n\n  \nBob", [ANN, PersonEntry("Bob")]),
        ("Lee, Ann\r\nOde, Bob", [PersonEntry("Lee, Ann"), PersonEntry("Ode, Bob")]),
        ("Ann Lee\nZoë, zoe@club.example, zoe", [ANN, ZOE]),
        ("Zoë\tzoe@club.example\tzoe", [ZOE]),
        ("Zoë;zoe;zoe@club.example", [ZOE]),
        ("name,mail\nZoë,zoe@club.example", [PersonEntry("Zoë", "zoe@club.example")]),
        ("Gebruikersnaam;Naam;E-mail\nzoe;Zoë;zoe@club.example\n", [ZOE]),
        ("姓名\t電郵\nZoë\tzoe@club.example", [PersonEntry("Zoë", "zoe@club.example")]),
        ("Ann Lee\n1. Zoë <zoe@club.example>", [ANN, PersonEntry("Zoë", "zoe@club.example")]),
        (
            '"Lee, Ann" <ann@club.example>, Zoë <zoe@club.example>;',
            [PersonEntry("Lee, Ann", "ann@club.example"), PersonEntry("Zoë", "zoe@club.example")],
        ),
        ("<zoe@club.example>", [PersonEntry("", "zoe@club.example")]),
        ('"Lee, Ann",ann@club.example', [PersonEntry("Lee, Ann", "ann@club.example")]),
        ("Voornaam;Tussenvoegsel;Achternaam\nAnn;;Lee", [ANN]),
        ("First name,Surname\nAnn,Lee", [ANN]),
        ("Naam\tVoornaam\tLid sinds\nLee\tAnn\t2019", [ANN]),
        ("姓;名\n王;小明\nLee;Ann", [PersonEntry("王小明"), ANN]),
        ("Voornaam;Voorvoegsel(s);Achternaam\nJan;de;Boer", [PersonEntry("Jan de Boer")]),
        ("Voornaam;Tussenv;Achternaam\nJan;de;Boer", [PersonEntry("Jan de Boer")]),
        ("Naam\nLee, Ann", [PersonEntry("Lee, Ann")]),
        ("Voornaam Achternaam\nAnn Lee", [ANN]),
        ("1. Ann Lee\n- Bob\n• Cas", [ANN, PersonEntry("Bob"), PersonEntry("Cas")]),
        ("sep=;\nNaam;Mail\nZoë;zoe@club.example", [PersonEntry("Zoë", "zoe@club.example")]),
        ("Members of 2026\n\nNr,First name,Surname\n1,Ann,Lee", [ANN]),
        ("name\n", []),
        ("", []),
    ],
)
def test_a_pasted_list_of_people_is_read(text, entries):
    assert read_text(text).entries == entries


@pytest.mark.parametrize("text", ["Nom;Prénom\nLee;Ann", "Ann;Lee", "Ann;12-5-2019", "王;小明"])
def test_columns_that_nobody_knows_are_asked_about(text):
    assert refused(read_text, text) == "headings"


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Naam;Telefoon;Mail;Nr\nAnn;1;;\nBob;;;", ["Telefoon"]),
        ("Voornaam;;Achternaam\nJan;de;Boer", ["column 2"]),
        ("Naam;Mail\nAnn;ann@club.example", []),
        ("Ann Lee\nBob", []),
    ],
)
def test_columns_that_are_not_read_are_named(text, unread):
    assert list(read_text(text).unread) == unread


def test_the_row_of_a_list_below_a_title_is_that_of_the_file():
    rows = [("Members of 2026",), (None,), ("No.", "First name", "Infix", "Surname")]
    (entry,) = read_file(workbook(*rows, (1, "Jan", "de", "Boer"))).entries
    assert (entry.name, entry.row) == ("Jan de Boer", 4)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_csv_file_as_spreadsheets_write_it_is_read(encoding):
    text = "Name;Mail;Sign-in name\r\nZoë;zoe@club.example;zoe\r\nAnn Lee;;\r\n"
    assert read_file(text.encode(encoding)).entries == [ZOE, ANN]


CHINESE = ["王小明", "陳美玲", "歐陽淑芬", "李志強"]


@pytest.mark.parametrize("encoding", ["cp950", "gb18030"])
@pytest.mark.parametrize("text", ["姓名,電郵\r\n{}", "{}"])
def test_a_csv_file_as_spreadsheets_write_it_in_chinese(encoding, text):
    content = text.format("\r\n".join(CHINESE)).encode(encoding)
    assert [entry.name for entry in read_file(content).entries] == CHINESE


@pytest.mark.parametrize(
    "name", ["Zoëlla Ünal", "Åsa Øster", "André Müller", "Ñíguez", "Éric Çelik"]
)
def test_letters_with_accents_are_no_chinese_characters(name):
    assert read_file(f"Naam;Mail\r\n{name};\r\n".encode("cp1252")).entries[0].name == name


@pytest.mark.parametrize(
    "name", ["d’Hondt", "‘t Hart", "Þórður", "Šime Žižek", "Jan (½ lid)", "«Zoë»"]
)
def test_signs_that_people_write_beside_a_name_are_read(name):
    assert read_file(f"Naam;Mail\r\n{name};\r\n".encode("cp1252")).entries[0].name == name


@pytest.mark.parametrize("encoding", ["gb18030", "big5hkscs", "mac_roman"])
def test_names_that_could_be_read_in_more_than_one_way_are_refused(encoding):
    names = ["Zoë Müller"] if encoding == "mac_roman" else ["王小明", "Renée"]
    assert refused(read_file, "\r\n".join(["Name", *names]).encode(encoding)) == "encoding"


SEEN_BY_NOBODY = "\ufeffAnn\u200b Lee\nZo\u00adë\u2060"


@pytest.mark.parametrize(
    ("read", "listed"),
    [
        (read_text, SEEN_BY_NOBODY),
        (read_file, SEEN_BY_NOBODY.encode()),
        (read_file, workbook(*([name] for name in SEEN_BY_NOBODY.splitlines()))),
    ],
)
def test_what_nobody_sees_and_what_means_nothing_is_dropped(read, listed):
    assert [one.name for one in read(listed).entries] == ["Ann Lee", "Zoë"]


def test_what_turns_the_letters_around_stays_to_be_refused():
    assert read_text("Ann\u202eLee").entries[0].name == "Ann\u202eLee"


def test_a_workbook_of_people_is_read():
    rows = [("Name", "Age", "Mail", "Username"), ("Zoë", 44, "zoe@club.example", "zoe")]
    assert read_file(workbook(*rows, (None, None), ("Ann Lee",))).entries == [ZOE, ANN]


def with_part(content, name, text):
    """The workbook ``content`` with another part of that ``name``."""
    out = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for other in old.namelist():
            if other != name:
                new.writestr(other, old.read(other))
        new.writestr(name, text)
    return out.getvalue()


def refused(read, content):
    with pytest.raises(ValidationError) as error:
        read(content)
    return error.value.code


class TestBounds:
    def test_a_list_of_people_has_at_most_2000_rows(self):
        names = [f"Player {number}" for number in range(MOST_ROWS)]
        assert len(read_text("\n".join(["name", *names])).entries) == MOST_ROWS
        assert refused(read_text, "\n".join([*names, "One more"])) == "too_many"
        assert refused(read_file, workbook(*([name] for name in [*names, "One"]))) == "too_many"

    @pytest.mark.parametrize(
        "content", [b"PK\x03\x04 nothing", b"\x89PNG\0\0", b"\xff\xfe\0", b"\0\0\0"]
    )
    def test_a_file_that_is_no_list(self, content):
        assert refused(read_file, content) == "unreadable"

    def test_a_zip_that_is_no_workbook(self):
        file = BytesIO()
        with ZipFile(file, "w") as packed:
            packed.writestr("hello.txt", "hello")
        assert refused(read_file, file.getvalue()) == "unreadable"

    def test_a_workbook_that_unpacks_to_too_much_is_refused(self):
        file = BytesIO(workbook(["Ann"]))
        with ZipFile(file, "a", ZIP_DEFLATED) as packed:
            packed.writestr("xl/worksheets/sheet2.xml", b"0" * 50_000_000)
        assert len(file.getvalue()) < 1_000_000
        assert refused(read_file, file.getvalue()) == "too_large"

    @pytest.mark.parametrize(
        ("part", "root", "element", "times"),
        [
            ("xl/styles.xml", "styleSheet><cellXfs", "<xf/>", 3_500_000),
            ("xl/styles.xml", "styleSheet><cellXfs", "<xf/>", 50_000),
            ("xl/sharedStrings.xml", "sst", "<si><t/></si>", 1_000_000),
            ("xl/workbook.xml", "workbook><definedNames", "<definedName/>", 350_000),
            ("[Content_Types].xml", "Types", '<Override PartName="a"/>', 400_000),
            ("xl/worksheets/sheet1.xml", "worksheet><sheetData><row", "<c><v>1</v></c>", 850_000),
            ("xl/worksheets/sheet1.xml", "worksheet", "<a" + " b=''" * 100 + "/>", 10_000),
        ],
    )
    def test_a_bomb_of_elements_is_not_read(self, part, root, element, times):
        end = "".join(f"</{tag}>" for tag in reversed(root.split("><")))
        content = with_part(workbook(["Ann"]), part, f"<{root}>{element * times}{end}")
        assert len(content) < 100_000
        started = process_time()
        assert refused(read_file, content) == "too_large"
        assert process_time() - started < 2

    def test_a_bomb_of_attributes_of_one_element(self):
        many = " ".join(f"a{number}=''" for number in range(50_000))
        part = f"<worksheet><sheetData {many}/></worksheet>"
        content = with_part(workbook(["Ann"]), "xl/worksheets/sheet1.xml", part)
        assert refused(read_file, content) == "too_large"

    def test_parts_of_a_workbook_by_other_names_have_no_higher_limit(self):
        names = "<definedName/>" * 100_000
        book = with_part(workbook(["Ann"]), "xl/worksheets/w.xml", f"<workbook>{names}</workbook>")
        with ZipFile(BytesIO(book)) as packed:
            types = packed.read("[Content_Types].xml").decode()
        types = types.replace("/xl/workbook.xml", "/xl/worksheets/w.xml")
        assert refused(read_file, with_part(book, "[Content_Types].xml", types)) == "unreadable"

    def test_an_encoding_in_which_elements_cannot_be_counted(self):
        xml = '<?xml version="1.0" encoding="cp037"?><styleSheet/>'
        assert (
            refused(read_file, with_part(workbook(["Ann"]), "xl/styles.xml", xml)) == "unreadable"
        )

    def test_a_list_as_large_as_may_be_in_a_workbook(self):
        rows = [
            [f"Player {row}", *(f"{row}.{column}" for column in range(19))] for row in range(2000)
        ]
        assert len(read_file(workbook(["name"], *rows)).entries) == MOST_ROWS

    def test_a_sheet_that_says_it_is_huge_and_is_not(self):
        book = Workbook()
        book.active["A1"] = "Ann Lee"
        book.active["XFD1048576"] = "far away"
        file = BytesIO()
        book.save(file)
        assert read_file(file.getvalue()).entries == [ANN]
