"""The evening in a few lines, to share: a page, a text for a messenger, and a picture.

Text and picture leave the site: in them names are as visitors read them, whoever asks for them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

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
from scoring.queries.recaps import Recap, RecapPlace, recap_of
from scoring.translation import named_limits

from ..shared.lettering import fitted, shortened, width
from ..shared.requests import visible_league
from .preview import evening_preview

Named = Callable[[str], str]

# Of the picture, in its own units: the heights of letters, and between what the texts stand.
HEAD_SIZES, LINE_SIZE = (24, 40), 20
LEFT, NAME_LEFT, RIGHT, GAP, TOP = 40, 90, 760, 24, 200
# How wide names in the lines below may be, in parts of the height of their letters: the first that fits.
NAME_ROOMS = (36, 24, 18, 15, 12, 9, 6)


@dataclass(frozen=True, slots=True)
class PictureLines:
    """How the lines of the players are drawn: ``most`` of them, ``step`` apart, with letters of ``sizes``."""

    most: int
    step: int
    sizes: tuple[int, int]


# Few stand wide apart; of very many, the last ones are only counted.
FEW, MANY = PictureLines(12, 52, (20, 32)), PictureLines(40, 38, (18, 24))


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
    drawn = FEW if len(shown.places) <= FEW.most else MANY
    places = [
        _line(place, named(place.player.name), TOP + number * drawn.step, drawn)
        for number, place in enumerate(shown.places[: drawn.most])
    ]
    lines = [*_left_out(len(shown.places) - drawn.most), *_fitting_story(shown, named)]
    bottom = TOP + len(places) * drawn.step
    league, league_size = fitted(shown.league.name, RIGHT - LEFT, HEAD_SIZES)
    context = {
        "league": league,
        "league_size": league_size,
        "day": date_format(day),
        "size": drawn.sizes[1],
        "places": places,
        "lines": [(bottom + 30 + number * 40, line) for number, line in enumerate(lines)],
        "height": bottom + 30 + len(lines) * 40 + 30,
    }
    drawing = render_to_string("evening/recap.svg", context)
    return HttpResponse(drawing, content_type="image/svg+xml")


def _line(place: RecapPlace, name: str, y: int, drawn: PictureLines) -> dict[str, Any]:
    """A player in the picture: as much of ``name`` as there is room for before the points."""
    total = signed(place.total)
    room = RIGHT - NAME_LEFT - GAP - width(total) * drawn.sizes[1]
    name, size = fitted(name, room, drawn.sizes)
    below = y + drawn.step * 3 // 10
    return {"y": y, "below": below, "rank": place.rank, "name": name, "size": size, "total": total}


def _fitting_story(shown: Recap, named: Named) -> Iterator[str]:
    """The lines of the story, each with as much of its names as it has room for."""
    room = (RIGHT - LEFT) / LINE_SIZE

    def within(most: float) -> Iterator[str]:
        return _story(shown, lambda name: shortened(named(name), most))

    for line in zip(*map(within, NAME_ROOMS), strict=True):
        yield next((text for text in line if width(text) <= room), shortened(line[-1], room))


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


def _not_final(shown: Recap) -> Iterator[str]:
    """What may still change the result: games in play and disputed hands."""
    games, hands = shown.games.open, shown.games.disputed
    if games:
        text = ngettext(
            "%(games)s game is still in play", "%(games)s games are still in play", games
        )
        yield text % {"games": games}
    if hands and shown.league.closed:
        text = ngettext(
            "%(hands)s disputed hand was left out", "%(hands)s disputed hands were left out", hands
        )
        yield text % {"hands": hands}
    elif hands:
        text = ngettext("%(hands)s hand is disputed", "%(hands)s hands are disputed", hands)
        yield text % {"hands": hands}


def _story(shown: Recap, named: Named) -> Iterator[str]:
    """What is not final yet, best hand, biggest swing, limit hands, and how much was played."""
    yield from _not_final(shown)
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
    yield ngettext("%(hands)s hand", "%(hands)s hands", shown.played) % {
        "hands": whole(shown.played)
    }


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
