"""A picture of figures, with the same figures as a table behind it, and alone as a file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from .drawing import Drawing

# What makes of a player's name the one that a picture shows.
Named = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Graph:
    """A ``drawing`` of what ``title`` says, and ``described`` in words.

    :ivar name: its own on a page.
    :ivar headings: of the columns of the table.
    :ivar rows: of the table; the first of each says what the row is. None where the page has a table besides.
    :ivar note: how to read it, or what it leaves out.
    """

    name: str
    title: str
    described: str
    drawing: Drawing
    headings: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    note: str = ""

    @property
    def svg(self) -> SafeString:
        """The drawing for a page."""
        return self.drawing.on_page(self.name, self.title, self.described)

    def alone(self, *subtitles: str) -> HttpResponse:
        """The drawing as a file, with a line for each of ``subtitles``."""
        drawn = self.drawing.alone(self.title, subtitles, self.described, self.note)
        return HttpResponse(drawn, content_type="image/svg+xml")


def short_day(day: date) -> str:
    """A day where there is little room: 4 Nov 2026."""
    return date_format(day, "SHORT_DATE_FORMAT")
