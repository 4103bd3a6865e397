"""Atom feeds: the results of evenings, and the limit hands, of a league or of the whole club."""

from collections.abc import Iterable
from datetime import UTC, datetime, time
from typing import Any, NamedTuple

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from scoring.figures import signed, whole
from scoring.models import Hand, League, known_club
from scoring.models.permissions import User
from scoring.queries.hall_of_fame import limit_hands
from scoring.queries.results import EveningResult, latest_results
from scoring.translation import named_limits

from ..shared.requests import visible_league

ENTRIES = 20
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Atom(Atom1Feed):
    """A feed that has changed when its newest entry has; without any, when its league began."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self.feed["began"]


class FeedRequest:
    """Whose feed is asked for: that of ``league``, or of the club if it is None; at the address ``site``."""

    def __init__(self, user: User, league: League | None, site: str) -> None:
        self.user = user
        self.league = league
        self.site = site


class ClubFeed(Feed):
    """What the feeds have in common."""

    feed_type = Atom

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = super().__call__(request, *args, **kwargs)
        # A correction may take the newest entry away. The etag says it, no date does.
        del response.headers["Last-Modified"]
        return response

    def get_object(self, request: HttpRequest, slug: str | None = None) -> FeedRequest:
        """:raises Http404: for a league that the reader may not see."""
        league = visible_league(request, slug) if slug else None
        return FeedRequest(request.user, league, request.build_absolute_uri("/").rstrip("/"))

    def author_name(self) -> str:
        return str(known_club())

    def feed_extra_kwargs(self, obj: FeedRequest) -> dict[str, Any]:
        began = LONG_AGO
        if obj.league:
            began = datetime.combine(obj.league.starts_on, time(), UTC)
        return {"began": began}


class Results(ClubFeed):
    """An entry for each evening that is over, with what everybody won or lost."""

    def title(self, obj: FeedRequest) -> str:
        return _("Results of %(league)s") % {"league": obj.league or known_club()}

    def link(self, obj: FeedRequest) -> str:
        return reverse("evenings", args=[obj.league.slug]) if obj.league else reverse("leagues")

    def items(self, obj: FeedRequest) -> Iterable[EveningResult]:
        leagues = League.objects.visible_to(obj.user).order_by()
        if obj.league:
            leagues = leagues.filter(pk=obj.league.pk)
        return latest_results(leagues, ENTRIES)

    def item_title(self, item: EveningResult) -> str:
        return f"{item.league}, {date_format(item.day)}"

    def item_description(self, item: EveningResult) -> SafeString:
        rows = ((one.rank, one.player, signed(one.total)) for one in item.places)
        return format_html("<p>{}</p>", format_html_join(SafeString("<br>"), "{}. {} {}", rows))

    def item_link(self, item: EveningResult) -> str:
        return reverse("recap", args=[item.league.slug, item.day])

    def item_updateddate(self, item: EveningResult) -> datetime:
        return item.changed


class LimitHand(NamedTuple):
    """A limit hand, and what names it in feeds: the same for each version of it."""

    hand: Hand
    id: str


class HallOfFame(ClubFeed):
    """An entry for each limit hand that counts."""

    def title(self, obj: FeedRequest) -> str:
        if obj.league is None:
            return _("Hall of fame")
        return _("Hall of fame of %(league)s") % {"league": obj.league}

    def link(self, obj: FeedRequest) -> str:
        return reverse("league_hall", args=[obj.league.slug]) if obj.league else reverse("hall")

    def items(self, obj: FeedRequest) -> Iterable[LimitHand]:
        for hand in limit_hands(obj.user, obj.league)[:ENTRIES]:
            game = obj.site + hand.game.get_absolute_url()
            yield LimitHand(hand, f"{game}#hand-{hand.number}")

    def item_title(self, item: LimitHand) -> str:
        return f"{item.hand.winner}: {named_limits(item.hand) or whole(item.hand.final)}"

    def item_description(self, item: LimitHand) -> SafeString:
        hand = item.hand
        won = _("%(winner)s wins %(final)s") % {"winner": hand.winner, "final": whole(hand.final)}
        where = f"{hand.game.league}, {date_format(hand.game.evening)}"
        return format_html("<p>{}. {}. {}</p>", won, where, hand.tiles)

    def item_link(self, item: LimitHand) -> str:
        return item.hand.get_absolute_url()

    def item_guid(self, item: LimitHand) -> str:
        return item.id

    def item_pubdate(self, item: LimitHand) -> datetime:
        return item.hand.played_at

    def item_updateddate(self, item: LimitHand) -> datetime:
        return item.hand.logged_at


results = require_safe(conditional_page(Results()))
hall_of_fame = require_safe(conditional_page(HallOfFame()))
