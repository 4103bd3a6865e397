"""Every address of ``scoring.web.urls``: a new one is looked at without being named here."""

from collections import defaultdict
from dataclasses import replace
from itertools import islice

from django.urls import Resolver404, resolve

from scoring.models import Club, NoticeKind, RuleSet, RuleSetVersion, club_day
from scoring.models.settlement import settlement_of
from scoring.operations.sheets import WRITERS
from scoring.queries.seasons import final_rows
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.notices import notify
from scoring.services.rulesets import shipped_version
from scoring.services.seasons import close_season, key_of
from scoring.services.settlements import change_terms, mark_as_paid
from scoring.services.standing_rules import change_standing_rules
from scoring.services.unsubscribing import unsubscribe_token
from scoring.web.urls import urlpatterns
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_player,
    make_table,
    make_token,
)
from tests.support.effort import THOROUGH

# One that ranks everybody, and one that ranks nobody yet.
TABLES = [
    {"name": "Evenings", "attendance": {"points": 10}, "tie_breaks": ["wins"]},
    {"name": "Average", "counts": "average_game", "minimum": {"count": 6}},
]
KIND = "<sheet:kind>"
LONG_NAME = "Maximiliane Wolkenstein-Trostburg zu Hohenems"


def every_address(organiser):
    """What can be asked for, with a game for each page that is about one; ``organiser`` plays."""
    Club.objects.update_or_create(pk=1, defaults={"rates_across_leagues": True})
    names = ("Margaret Whitcombe", "Margaret Wells", "Donaudampfschifffahrtskapitänin")
    four = [organiser.player, *map(make_player, names)]
    game = make_game(players=four, by=organiser)
    fresh = make_game(league=game.league, players=four, by=organiser)
    hand = make_hand(game, winner=0, tiles="222B* 345B 55B 222D GGG", by=organiser)
    make_hand(game, winner=1, tiles="19B 19C 19D ESWN RGWhWh", discarder=four[2].pk)
    make_hand(game, winner=1, tiles="", claimed_final=120)
    make_hand(game, by=organiser)
    over = make_game(league=game.league, players=four, by=organiser)
    make_hand(over, winner=3, by=organiser)
    finish_game(over, by=organiser)
    late = HandEntry(number=2, outcome="win", winner=four[0].pk, tiles=BOOK_HAND)
    ask_for_late_hand(over, late, by=organiser, key="late")
    changed = make_game(league=game.league, players=four, by=organiser)
    wrong, _disputed, dropped = (
        make_hand(changed, winner=place, by=organiser) for place in (1, 2, 3)
    )
    void_hand(dropped, by=organiser, reason="Not played")
    right = replace(HandEntry.from_hand(wrong), winner=four[0].pk)
    correct_hand(wrong, right, by=organiser, reason="It was not Margaret")
    denied = changed.hands.current().get(number=2)
    other = make_member(player=four[1])
    dispute_hand(denied, by=other, about="discarder", reason="That was my tile")
    shipped_version("dmjl", by=organiser)
    strict = RuleSet.objects.create(slug="strict", name="Strict")
    RuleSetVersion.objects.create(ruleset=strict, number=1, options={"limit": 50})
    booked = book_at_table(game, penalty(game, four[2], 10), by=organiser, reason="Late.")
    make_token(organiser)
    table, code = make_table("Window")
    notify(NoticeKind.ROLE, [organiser.pk], role="owner", given=True)
    ruled = make_league()
    for _game in range(2):
        make_hand(make_game(league=ruled, players=four, by=organiser), winner=1, by=organiser)
    change_standing_rules(ruled, TABLES, effective_from=ruled.starts_on, by=organiser)
    season, ended = seasons(four, organiser)
    _settled(game, organiser)
    known = {
        "leagues/<slug:slug>/final": {f"{season.slug}/final"},
        "leagues/<slug:slug>/seasons/": {f"{season.slug}/seasons"},
        "leagues/<slug:slug>/close/": {f"{ended.slug}/close"},
        "leagues/<slug:slug>/players/<int:pk>/": {
            f"{league.slug}/players/{four[1].pk}" for league in (game.league, ruled)
        },
        "tables/<code:code>/": {code},
        "tables/<int:pk>/": {table.pk},
        "adjustments/<int:pk>/": {booked.pk},
        "leagues/<slug:slug>/evenings/<day:day>": {
            f"{game.league.slug}/evenings/{game.evening.isoformat()}"
        },
        "leagues/<slug:slug>.": {f"{game.league.slug}."},
        "leagues/<slug:slug>/settlement/<day:day>": {
            f"{game.league.slug}/settlement/{game.evening.isoformat()}"
        },
        "games/<int:pk>/": {game.pk, over.pk},
        "hands/<int:pk>/": set(game.hands.values_list("pk", flat=True)),
        "notices/<int:pk>/": {organiser.notices.latest("pk").pk},
        "notices/stop/<str:token>/": {unsubscribe_token(organiser.pk, NoticeKind.RECAP)},
        "players/<int:pk>": {four[0].pk, four[3].pk},
        "people/<int:pk>/": {four[0].pk, four[3].pk},
        "people/accounts/<int:pk>/": {make_member("without-a-player").pk},
        "join/<str:code>/": {"nothing"},
        "leagues/<slug:slug>/": {game.league.slug, ruled.slug},
        "rules/<slug:slug>/<int:number>.toml": {"dmjl/1.toml"},
        "rules/<slug:slug>/": {"club", "book", "bmja", "dmjl"},
        "account/mail/confirm/<str:key>/": {"stale"},
        "account/password/reset/key/<alnum:uidb36>-<str:key>/": {"1-stale-key"},
        "account/mfa/keys/<int:pk>/": {1},
    }
    assert hand.current
    paths = [path for pattern in urlpatterns for path in addresses(str(pattern.pattern), known)]
    # Of pages that ask at first, what they answer.
    swapped = ",".join(str(player.pk) for player in (four[1], four[0], *four[2:]))
    paths.append(f"/leagues/{game.league.slug}/what-if/?ruleset=strict")
    paths.append(f"/leagues/{ruled.slug}/standing-rules/change/?table=Average")
    paths.append(f"/leagues/{ruled.slug}/players/{four[1].pk}/?table=Average")
    paths.append(f"/games/{game.pk}/seats/?players={swapped}")
    paths.append(f"/people/{four[3].pk}/merge/?other={make_player('Margaret Wels').pk}")
    paths.append(f"/people/{four[0].pk}/merge/?other={four[3].pk}")
    paths += [f"/games/{fresh.pk}/chances/", f"/players/{four[3].pk}/ratings/?across=1"]
    # Of hands that were changed, what differs.
    paths += [wrong.get_absolute_url(), f"/hands/{wrong.pk}/history/", dropped.get_absolute_url()]
    paths.append(f"/hands/{dropped.pk}/restore/")
    paths += [denied.get_absolute_url(), f"/hands/{denied.pk}/settle/"]
    return paths


def seasons(players, organiser):
    """A season that is closed, and one that has ended with a game in play and a hand without tiles."""
    season, ended = (make_league(name, ends_on=club_day()) for name in ("Winter 2026", "Autumn"))
    for league in (season, ended):
        game = make_game(league=league, players=players, by=organiser)
        make_hand(game, winner=1, tiles="", claimed_final=40, by=organiser)
    change_standing_rules(season, TABLES, effective_from=season.starts_on, by=organiser)
    decisions = {key_of(game): "count" for game in season.games.all()} | {"unchecked": "count"}
    close_season(season, by=organiser, final_rows=final_rows, decisions=decisions)
    return season, ended


def _settled(game, by):
    """Somebody has paid after the evening of ``game``, and others have not."""
    change_terms(game.league, stake=10, fee=250, by=by)
    owed = settlement_of(game.league, game.evening).of("EUR").left.transfers[0]
    transfer = (owed.payer, owed.payee, owed.amount, "EUR")
    mark_as_paid(game.league, game.evening, *transfer, by=by)


def addresses(pattern, known):
    """What ``pattern`` stands for, with everything that is ``known`` in its place."""
    if KIND in pattern:
        kinds = (pattern.replace(KIND, kind) for kind in WRITERS)
        return [path for one in kinds for path in addresses(one, known)]
    if "<" not in pattern:
        return ["/" + pattern]
    for beginning, values in known.items():
        if pattern.startswith(beginning):
            where, rest = beginning.split("<")[0], pattern.removeprefix(beginning)
            end = "/" if beginning.endswith("/") else ""
            return [f"/{where}{value}{end}{rest}" for value in sorted(values)]
    raise AssertionError(f"{pattern}: say in this test what there is to look at.")


def some_pages(client, lists):
    """Each page with its path, as ``client`` reads it; in ``make test`` the first of each of the ``lists``."""
    for paths in lists:
        answers = ((path, client.get(path)) for path in paths)
        pages = ((path, answer) for path, answer in answers if is_page(answer))
        yield from pages if THOROUGH else islice(pages, 1)


def by_route(paths):
    """``paths`` in lists: those of a hand as it was played, of a disputed one and so on are in one."""
    found = defaultdict(list)
    for path in paths:
        found[route_of(path)].append(path)
    return list(found.values())


def route_of(path):
    try:
        return resolve(path.partition("?")[0]).route
    except Resolver404:
        return path


def is_page(response):
    html = response.get("Content-Type", "").startswith("text/html")
    return response.status_code == 200 and html and b"<html" in response.content
