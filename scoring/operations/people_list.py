"""Reading a list of people: what was pasted, or a file of CSV or XLSX. Nothing of it is stored."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO, StringIO
from itertools import islice
from typing import Any
from zipfile import ZipFile

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from openpyxl.reader.excel import ExcelReader

from scoring.models.names import without_invisible
from scoring.models.names_in_text import UNSPACED
from scoring.models.refusals import LONG_LIST
from scoring.services.people_lists import MOST_ROWS, PersonEntry

# How much a workbook may unpack to, in bytes: ten times what a list of that many rows needs.
LARGEST_UNPACKED = 20_000_000
# How many elements of XML its parts may have: what openpyxl makes of each takes a hundred times the
# room. Most are allowed to the parts with the cells and their texts, by far the fastest to read.
MOST_ELEMENTS_WITH_CELLS, MOST_ELEMENTS = 300_000, 20_000
# Attributes are kept by name and value, and those of one element take ever longer, the more it has.
MOST_ATTRIBUTES_WITH_CELLS, MOST_ATTRIBUTES, LONGEST_ELEMENT = 400_000, 100_000, 100_000
WITH_CELLS = re.compile(r"xl/(worksheets/[^/]+|sharedStrings)\.xml$")
ENCODING = re.compile(rb"encoding\s*=\s*[\"']([^\"']*)")
ENCODINGS = (b"utf-8", b"utf-16", b"us-ascii")
MOST_COLUMNS, LONGEST_CELL = 20, 300
# How many lines of a title may stand above the headings.
MOST_TITLES = 5
# What the heading of a column may be called, in the languages of the site, without dots and brackets.
HEADINGS = {
    "name": (
        *("name", "names", "player", "players", "full name", "member", "members"),
        *("naam", "namen", "speler", "spelers", "volledige naam", "lid", "leden", "ledenlijst"),
        *("姓名", "名字", "全名", "會員", "玩家"),
        *("first name surname", "first name last name", "first and last name"),
        *("voornaam achternaam", "voor- en achternaam", "voornaam en achternaam"),
    ),
    "first": (
        *("first name", "firstname", "given name", "forename", "voornaam", "roepnaam"),
        *("voorletters", "initials", "名"),
    ),
    "middle": (
        *("middle name", "infix", "prefix", "tussenvoegsel", "tussenvoegsels", "tussenv", "tussen"),
        *("tv", "tsv", "voorvoegsel", "voorvoegsels"),
    ),
    "last": (
        *("surname", "last name", "lastname", "family name", "achternaam", "familienaam"),
        *("姓", "姓氏"),
    ),
    "email": (
        *("mail", "e-mail", "email", "mail address", "e-mail address", "email address"),
        *("e-mailadres", "emailadres", "mailadres", "電郵", "郵件"),
    ),
    "username": (
        "sign-in name",
        "username",
        "user name",
        "gebruikersnaam",
        "inlognaam",
        "帳號",
        "登入名稱",
    ),
}
# Which of these columns a list cannot do without.
NAMING = {"name", "first", "last"}
# How spreadsheets write CSV in Taiwan and in China, with the first bytes of the characters in daily use.
FREQUENT = {"cp950": (0xA4, 0xC6), "gb18030": (0xB0, 0xD7)}
CHINESE = re.compile(f"[\\x00-\\x7f{UNSPACED}\u3000-\u3020\uff00-\uff65·]*")
BESIDE_A_LETTER = re.compile(f"[A-Za-z][{UNSPACED}]|[{UNSPACED}][A-Za-z]")
# How text of another encoding looks when it is read as cp1252: signs beside letters, capitals within words,
# and more letters with accents in a row than any name has.
LETTER, SIGN = r"[^\W\d_]", "[¡¢£¤¥¦§¨©¬¯±²³µ¶¸¼½¾¿×÷†‡ˆ‰ƒ˜™]"
NO_WESTERN = re.compile(
    rf"{LETTER}{SIGN}|{SIGN}{LETTER}|{LETTER}[•€…‘]{LETTER}|[a-zß-ÿ](?:[À-ÖØ-ÞŒŠŸŽ]|‘)"
    r"|[À-ÖØ-öø-ÿŒœŠšŸŽž]{3}"
)
# As mail programs write somebody.
MAILBOX = re.compile(r"(?P<name>[^<>]*)<(?P<mail>[^<>\s]+@[^<>\s]+)>\s*")
ZIP = b"PK\x03\x04"
# What lists begin each line with: a number or a bullet.
BULLET = re.compile(r"\s*(?:\d{1,4}[.)]|[-–—*•·▪‣◦])\s+")
# What a spreadsheet writes above a CSV file, to say what separates its columns.
SEPARATOR = re.compile(r"sep=(.)\s*")

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The people of a list.

    :ivar unread: the headings of columns with text of which nothing is read.
    """

    entries: list[PersonEntry]
    unread: Sequence[str] = ()


def read_text(text: str) -> PeopleList:
    """The people of a pasted ``text``: one a line, with columns as in a CSV file, or as mail is addressed to them.

    :raises ValidationError: for more than anybody lists.
    """
    text = without_invisible(text)
    return _entries(_addressed(text) or _csv_rows(text))


def read_file(content: bytes) -> PeopleList:
    """The people in the ``content`` of a file, CSV or XLSX.

    :raises ValidationError: for a file that is neither, or larger than any list.
    """
    if content.startswith(ZIP):
        return _entries(_workbook_rows(content))
    return _entries(_csv_rows(without_invisible(_decoded(content))))


def _addressed(text: str) -> list[Row]:
    """Those in a line as mail programs write to whom a message goes; empty for any other text."""
    line = text.strip()
    if "\n" in line or not re.search(r">\s*[,;]", line):
        return []
    cells = [one.strip() for one in re.split(r"(?<=>)\s*[,;]", line)]
    cells = [cell for cell in cells if cell]
    whole = all(len(cell) <= LONGEST_CELL and MAILBOX.fullmatch(cell) for cell in cells)
    return [[cell] for cell in cells] if whole else []


def _entries(rows: Iterable[Row]) -> PeopleList:
    numbered = enumerate(rows, 1)
    filled = ((number, row) for number, row in numbered if _filled(row))
    filled_rows = list(islice(filled, MOST_ROWS + MOST_TITLES + 2))
    titles = _titles([row for _number, row in filled_rows])
    headings = filled_rows[titles][1] if titles < len(filled_rows) else []
    columns = _columns(headings)
    if columns:
        filled_rows = filled_rows[titles + 1 :]
    if len(filled_rows) > MOST_ROWS:
        message = LONG_LIST % {"most": MOST_ROWS}
        raise ValidationError(ValidationError(message, code="too_many"))
    read = _by_headings if columns else _without_headings
    entries = [replace(_with_mail(read(row, columns)), row=number) for number, row in filled_rows]
    unread = _unread(headings, columns, [row for _number, row in filled_rows]) if columns else []
    return PeopleList(entries, unread)


def _filled(row: Row) -> int:
    """How many cells of ``row`` have text."""
    return sum(1 for cell in row if cell.strip())


def _titles(rows: Sequence[Row]) -> int:
    """How many of ``rows`` stand above the headings; 0 if there are no headings further down."""
    for number, row in enumerate(rows[: MOST_TITLES + 1]):
        if number and _filled(row) > 1 and _columns(row):
            return number
        if _filled(row) > 1:
            break
    return 0


def _unread(headings: Row, columns: dict[str, int], rows: Sequence[Row]) -> list[str]:
    """What the columns of ``rows`` are called of which nothing is read, though they have text."""
    width = max(map(len, rows), default=0)
    return [
        " ".join(headings[place].split() if place < len(headings) else ())
        or _("column %(number)s") % {"number": place + 1}
        for place in range(width)
        if place not in columns.values()
        and any(row[place].strip() for row in rows if place < len(row))
    ]


def _columns(row: Row) -> dict[str, int]:
    """Which column is what, by a row of headings; empty if ``row`` has none for the name."""
    cells = [" ".join(re.sub(r"[().:*]", "", cell).split()).casefold() for cell in row]
    columns = {
        field: position
        for field, names in HEADINGS.items()
        for position, cell in reversed(list(enumerate(cells)))
        if cell in names
    }
    # Beside a column for one half of the name, "Name" is the other half.
    if "name" in columns and ("first" in columns) != ("last" in columns):
        columns["last" if "first" in columns else "first"] = columns.pop("name")
    return columns if NAMING & columns.keys() else {}


def _by_headings(row: Row, columns: dict[str, int]) -> PersonEntry:
    cells = {field: row[place].strip() for field, place in columns.items() if place < len(row)}
    name = cells.get("name") or _joined(
        *(cells.get(part, "") for part in ("first", "middle", "last"))
    )
    return PersonEntry(name, cells.get("email", ""), cells.get("username", ""))


def _with_mail(entry: PersonEntry) -> PersonEntry:
    """The mail address that stands in angle brackets behind a name is no part of it."""
    if mailbox := MAILBOX.fullmatch(entry.name):
        name = mailbox["name"].strip().strip("\"'")
        return replace(entry, name=name, email=entry.email or mailbox["mail"])
    return entry


def _joined(first: str, middle: str, last: str) -> str:
    """A whole name. In Chinese the surname comes first, without a space."""
    if re.fullmatch(f"[{UNSPACED}]+", first + last):
        return last + first
    return " ".join(part for part in (first, middle, last) if part)


def _without_headings(row: Row, _columns: dict[str, int]) -> PersonEntry:
    """The name comes first, and only a mail address has that sign.

    :raises ValidationError: where what stands beside the name is no sign-in name as people write them:
        it is a surname, a date or a heading that nobody knows.
    """
    rest = [cell.strip() for cell in row[1:] if cell.strip()]
    email = next((cell for cell in rest if "@" in cell), "")
    username = next((cell for cell in rest if cell != email), "")
    if username and not username.islower():
        message = _(
            "What is “%(cell)s”, beside “%(name)s”? Write above each column what it is: “first name” "
            "and “surname”, or “name”, “mail” and “sign-in name”."
        )
        words = {"cell": username, "name": row[0].strip()}
        raise ValidationError(ValidationError(message, code="headings", params=words))
    return PersonEntry(BULLET.sub("", row[0], count=1).strip(), email, username)


def _csv_rows(text: str) -> Iterator[Row]:
    delimiter = _delimiter(text)
    lines = StringIO(text, newline="")
    try:
        rows = csv.reader(lines, delimiter=delimiter) if delimiter else ([line] for line in lines)
        for number, row in enumerate(rows):
            says_separator = number == 0 and row and row[0].startswith("sep=")
            yield [] if says_separator else [cell[:LONGEST_CELL] for cell in row[:MOST_COLUMNS]]
    except csv.Error as error:
        raise _unreadable() from error


def _delimiter(text: str) -> str:
    """What stands between the columns; empty for one name a line.

    A comma may stand in a name ("Jansen, Zoë"), so it needs headings or a mail address beside it.
    """
    lines = list(islice((line for line in text.splitlines() if line.strip()), MOST_TITLES + 1))
    first = lines[0] if lines else ""
    if named := SEPARATOR.fullmatch(first):
        return named[1]
    for one in "\t;":
        if one in first:
            return one
    for one in "\t;,":
        if any(_filled(row) > 1 and _columns(row) for row in (line.split(one) for line in lines)):
            return one
    return "," if re.search(r",[^,\n]*@", text) or first.startswith('"') else ""


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", *_chinese_encodings(content), "cp1252"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            continue
        if encoding == "cp1252" and NO_WESTERN.search(text):
            raise _unknown_letters()
        return text
    raise _unreadable()


def _chinese_encodings(content: bytes) -> list[str]:
    """Those of ``FREQUENT`` in which ``content`` is Chinese, the likeliest first.

    Two letters of another language may be one character there: that one stands beside a letter.
    """
    shares: dict[str, float] = {}
    for encoding, (first, last) in FREQUENT.items():
        text = content.decode(encoding, errors="replace")
        if not CHINESE.fullmatch(text) or BESIDE_A_LETTER.search(text):
            continue
        leads = [one.encode(encoding)[0] for one in text if not one.isascii()]
        shares[encoding] = sum(first <= lead <= last for lead in leads) / max(len(leads), 1)
    likely = sorted(shares, key=lambda one: shares[one], reverse=True)
    return [encoding for encoding in likely if shares[encoding] > 0.5]


def _workbook_rows(content: bytes) -> Iterator[Row]:
    try:
        with ZipFile(BytesIO(content)) as packed:
            _require_bounds(packed)
        sheet = _first_sheet(content)
        rows = sheet.iter_rows(max_row=2 * MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
        for row in rows:
            cells = ("" if cell is None else str(cell)[:LONGEST_CELL] for cell in row)
            yield [without_invisible(cell) for cell in cells]
    except ValidationError:
        raise
    except Exception as error:  # whatever a broken workbook brings about
        raise _unreadable() from error


def _require_bounds(packed: ZipFile) -> None:
    """:raises ValidationError: for a workbook that is more work to read than any list."""
    parts = packed.infolist()
    if sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise _too_large()
    for part in parts:
        text = packed.read(part)
        # In another encoding "<" could be another byte.
        encoding = ENCODING.search(text[:200])
        if encoding and encoding[1].lower() not in ENCODINGS:
            raise _unreadable()
        elements, attributes = MOST_ELEMENTS, MOST_ATTRIBUTES
        if WITH_CELLS.match(part.filename):
            elements, attributes = MOST_ELEMENTS_WITH_CELLS, MOST_ATTRIBUTES_WITH_CELLS
        if text.count(b"<") > 2 * elements or text.count(b"=") > attributes:
            raise _too_large()
        if any(len(element) > LONGEST_ELEMENT for element in text.split(b"<")):
            raise _too_large()


def _first_sheet(content: bytes) -> Any:
    """The first sheet with cells: openpyxl reads no styles then, and looks at no other sheet."""
    reader = ExcelReader(BytesIO(content), read_only=True, data_only=True, keep_links=False)
    reader.read_manifest()
    for part in reader.package.Override:
        # The limits above go by the usual names.
        if part.ContentType.endswith("main+xml") and WITH_CELLS.match(part.PartName.lstrip("/")):
            raise _unreadable()
    reader.read_strings()
    reader.read_workbook()
    sheets = reader.parser.find_sheets()
    reader.parser.sheets = [next(one for one, rel in sheets if "chartsheet" not in rel.Type)]
    reader.read_worksheets()
    return reader.wb.worksheets[0]


def _too_large() -> ValidationError:
    message = _("This file unpacks to more than any list.")
    return ValidationError(ValidationError(message, code="too_large"))


def _unknown_letters() -> ValidationError:
    message = _(
        "The names in this file cannot be read for certain: save the list as “CSV UTF-8” or XLSX and "
        "choose that."
    )
    return ValidationError(ValidationError(message, code="encoding"))


def _unreadable() -> ValidationError:
    message = _("This file cannot be read: save the list as CSV or XLSX and choose that.")
    return ValidationError(ValidationError(message, code="unreadable"))
