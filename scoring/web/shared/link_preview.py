"""The preview of a link to a page, for messengers, which read it as visitors do."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest

from scoring.translation import listed

LINES = 3


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The texts of a preview, and the whole addresses of its page and of its picture.

    :ivar picture: of a PNG of 1200 × 630; empty for none.
    :ivar alt: what the picture shows.
    """

    title: str
    description: str
    url: str
    picture: str
    alt: str


def link_preview(
    request: HttpRequest, title: object, description: str, picture: str = "", alt: str = ""
) -> LinkPreview | None:
    """The preview of the page that is asked for; None for who is signed in, and so no messenger.

    :param picture: the path of the picture, or nothing.
    """
    if request.user.is_authenticated:
        return None
    return LinkPreview(
        str(title),
        description,
        request.build_absolute_uri(request.path),
        request.build_absolute_uri(picture) if picture else "",
        alt or description,
    )


def first_lines(rows: Iterable[tuple[int | None, object, str]]) -> str:
    """The first of ``rows`` (rank, name and figure) in a line: "1. Ann +320, 2. Ben −20"."""
    ranked = [f"{rank}. {name} {figure}" for rank, name, figure in rows if rank is not None]
    return listed(ranked[:LINES])
