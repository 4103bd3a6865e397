"""The evening in a few lines, to share: a page, a text for a messenger, and a picture.

Text and picture leave the site: in them names are as visitors read them, whoever asks for them.
"""

from collections.abc import Callable, Iterator
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.figures import signed, whole
from scoring.models import Hand
from scoring.models.hidden_names import names_to_share
from scoring.queries.recaps import Recap, recap_of
from scoring.translation import named_limits

from ..shared.lettering import shortened, width
from ..shared.requests import visible_league
from .preview import evening_preview

Named = Callable[[str], str]

# Of the picture, in its own units: the heights of letters, between what the texts stand, and how many lines.
HEAD_SIZE, NAME_SIZE, LINE_SIZE = 40, 32, 20
LEFT, NAME_LEFT, RIGHT, GAP = 40, 90, 760, 24
TOP, STEP, LINES = 200, 52, 12
# How wide a name in the lines below may be, in parts of the height of its letters.
SHORT_NAME = 6


@require_safe
def recap(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """The page, with the text to copy."""
    shown = _recap(request, slug, day)
    address = request.build_absolute_uri(reverse("recap", args=[slug, day]))
    text = "\n".join([*recap_lines(shown, names_to_share()), address])
    context = {"recap": shown, "league": shown.league, "day": day, "text": text}
    context["preview"] = evening_preview(
        request, shown.league, day, [(one.player, one.total) for one in shown.places]
    )
    return render(request, "evening/recap.html", {**context, "limits": list(_limits(shown))})


@require_safe
def picture(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """An SVG drawing, without a font or a colour of the page."""
    shown = _recap(request, slug, day)
    named = names_to_share()
    places = [
        {
            "y": TOP + number * STEP,
            "rank": place.rank,
            "name": _beside(named(place.player.name), signed(place.total)),
            "total": signed(place.total),
        }
        for number, place in enumerate(shown.places[:LINES])
    ]
    story = _story(shown, lambda name: shortened(named(name), SHORT_NAME))
    lines = [*_left_out(len(shown.places) - LINES), *story]
    lines = [shortened(line, (RIGHT - LEFT) / LINE_SIZE) for line in lines]
    bottom = TOP + len(places) * STEP
    context = {
        "league": shortened(shown.league.name, (RIGHT - LEFT) / HEAD_SIZE),
        "day": date_format(day),
        "places": places,
        "lines": [(bottom + 30 + number * 40, line) for number, line in enumerate(lines)],
        "height": bottom + 30 + len(lines) * 40 + 30,
    }
    drawing = render_to_string("evening/recap.svg", context)
    return HttpResponse(drawing, content_type="image/svg+xml")


def _beside(name: str, total: str) -> str:
    """As much of ``name`` as there is room for before ``total``."""
    return shortened(name, (RIGHT - NAME_LEFT - GAP) / NAME_SIZE - width(total))


def _left_out(people: int) -> list[str]:
    if people <= 0:
        return []
    return [ngettext("and %(people)s more", "and %(people)s more", people) % {"people": people}]


def recap_lines(shown: Recap, named: Named) -> Iterator[str]:
    """The text for a messenger, line by line: plain, as each of them shows it."""
    yield f"{shown.league.name}, {date_format(shown.day)}"
    for place in shown.places:
        yield f"{place.rank}. {named(place.player.name)} {signed(place.total)}"
    yield from _story(shown, named)


def _story(shown: Recap, named: Named) -> Iterator[str]:
    """Best hand, biggest swing, limit hands, and how much was played."""
    if shown.best is not None and shown.best.winner is not None:
        words = {"name": named(shown.best.winner.name), "final": whole(shown.best.final)}
        yield _("Best hand: %(name)s, %(final)s") % words
    if swing := shown.swing:
        words = {
            "number": str(swing.hand.number),
            "winner": f"{named(swing.winner.name)} {signed(swing.won)}",
            "loser": f"{named(swing.loser.name)} {signed(swing.lost)}",
        }
        yield _("Biggest swing: hand %(number)s, %(winner)s, %(loser)s") % words
    for hand, what in _limits(shown):
        if hand.winner is not None:
            words = {"name": named(hand.winner.name), "what": what}
            yield _("Limit hand: %(name)s, %(what)s") % words
    yield ngettext("%(hands)s hand", "%(hands)s hands", shown.hands) % {"hands": whole(shown.hands)}


def _limits(shown: Recap) -> Iterator[tuple[Hand, str]]:
    """Each limit hand with its names."""
    for hand in shown.limits:
        yield hand, named_limits(hand) or whole(hand.final)


def _recap(request: HttpRequest, slug: str, day: date) -> Recap:
    league = visible_league(request, slug)
    shown = recap_of(league, day)
    if shown is None:
        raise Http404
    return shown
