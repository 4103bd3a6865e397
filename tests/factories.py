"""A club in a few words: each function makes one thing, with whatever it needs around it."""

from collections.abc import Sequence
from itertools import count

from django.contrib.auth.models import Group, Permission, User
from django.utils import timezone

from scoring.models import ApiToken, ClubTable, Game, Hand, League, Player, RuleSetVersion
from scoring.models.people import ORGANISERS_GROUP, OWNERS_GROUP
from scoring.models.permissions import Scope, is_organiser
from scoring.services import tokens
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.rulesets import add_version, install_rulesets
from scoring.services.table_codes import add_tables

# 36 points, one double, 72, so 70: the first hand that the book works out.
BOOK_HAND = "222B 345B 55B 222D GGG"
BOOK_CODES = [*3 * ["2B"], "3B", "4B", *3 * ["5B"], *3 * ["2D"], *3 * ["G"]]

_numbers = count(1)


def make_player(name: str = "", **fields) -> Player:
    return Player.objects.create(name=name or f"Player {next(_numbers)}", **fields)


def make_member(username: str = "", *, player: Player | None = None, password=None) -> User:
    """Somebody who can sign in; ``player`` is who they are at the table. No password by default."""
    user = User.objects.create_user(username or f"member{next(_numbers)}", password=password)
    if player is not None:
        player.user = user
        player.save()
    return user


def make_token(user: User, *scopes: Scope) -> str:
    """The text of a token of ``user``, used today already; for everything if no scope is named."""
    scopes = scopes or tuple(s for s in Scope if s != Scope.ORGANISE or is_organiser(user))
    token, text = tokens.make_token("A program", scopes, by=user)
    ApiToken.objects.filter(pk=token.pk).update(last_used_on=timezone.localdate())
    return text


def make_organiser(username: str = "", *, player: Player | None = None, password=None) -> User:
    """A member who runs the club."""
    user = make_member(username or f"organiser{next(_numbers)}", player=player, password=password)
    group, _created = Group.objects.get_or_create(name=ORGANISERS_GROUP)
    group.permissions.add(Permission.objects.get(codename="organise_club"))
    user.groups.add(group)
    return user


def make_owner(username: str = "", *, player: Player | None = None, password=None) -> User:
    """An organiser whose club it is."""
    user = make_organiser(username or f"owner{next(_numbers)}", player=player, password=password)
    group, _created = Group.objects.get_or_create(name=OWNERS_GROUP)
    group.permissions.add(Permission.objects.get(codename="own_club"))
    user.groups.add(group)
    return user


def ruleset_version(slug: str = "club") -> RuleSetVersion:
    """The newest version of Club or Book, also in a database that was flushed."""
    install_rulesets()
    return RuleSetVersion.objects.filter(ruleset__slug=slug).latest("number")


def make_ruleset_version(*, by: User | None = None, **options) -> RuleSetVersion:
    """The next version of Club: the newest, but with these house options."""
    latest = ruleset_version()
    changed = {**latest.options, **options}
    version = RuleSetVersion(ruleset=latest.ruleset, options=changed, created_by=by)
    add_version(version)
    return version


def make_league(name: str = "", **fields) -> League:
    """A league that runs from today, public, scored by Club."""
    number = next(_numbers)
    fields.setdefault("slug", f"league-{number}")
    fields.setdefault("ruleset_version", ruleset_version())
    return League.objects.create(name=name or f"League {number}", **fields)


def make_three_members_and_a_guest() -> list[Player]:
    """Players for a table: all but the last have an account."""
    four = [make_player() for _place in range(4)]
    for player in four[:3]:
        make_member(player=player)
    return four


def make_game(
    *,
    league: League | None = None,
    players: Sequence[Player] | None = None,
    by: User | None = None,
) -> Game:
    """An open game of four, before its first hand."""
    players = players or [make_player() for _place in range(4)]
    return open_game(league or make_league(), players, by=by or make_member(), anyway=True)


def make_hand(game: Game, *, winner: int | None = None, by: User | None = None, **entry) -> Hand:
    """The next hand of ``game``: won by the player of place ``winner`` (0 to 3), or drawn."""
    game.refresh_from_db()
    if winner is not None:
        entry = {"outcome": "win", "winner": game.players[winner].pk, "tiles": BOOK_HAND, **entry}
    entry = {"outcome": "draw", "number": game.next_number, **entry}
    return record_hand(game, HandEntry.from_json(entry), by=by or make_organiser()).hand


def make_next_game(game: Game, *, by: User | None = None) -> Game:
    """Another game of the same four after ``game``, which ends; one drawn hand was played in it.

    With two games each has a rank, also where somebody tries out a rule that asks for more than one.
    """
    by = by or make_organiser()
    game.refresh_from_db()
    finish_game(game, by=by)
    following = make_game(league=game.league, players=game.players, by=by)
    make_hand(following, by=by)
    return following


def make_table(name: str = "") -> tuple[ClubTable, str]:
    """A table of the room, and its code."""
    ((table, code),) = add_tables(name or str(next(_numbers)), by=make_organiser())
    return table, code
