"""Logging the hands of a sheet: all of them or none, each by the call that every page uses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import itemgetter

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.evaluator.notation import parse_hand
from scoring.evaluator.table_rules import LoserEntry
from scoring.models import Game, Hand, League, Player
from scoring.models.names import name_key
from scoring.models.permissions import User
from scoring.models.problems import HandError, Refused, as_validation_error
from scoring.services.confirmations import take_over_dispute
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import Recorded, record_hand

from .alone import require_payments, require_possible
from .columns import SEATS, payments
from .errors import RowRefused, SheetRefused
from .melds import require_one_reading
from .others import others_entered
from .people import People
from .read import SheetRow

# More hands than anybody plays in one game, with all that were taken back.
LARGEST_NUMBER = 9_999
COUNTED_UP = gettext_lazy(
    "number: the hands of a game are counted up, in the order they were played."
)


@dataclass(slots=True)
class Logged:
    """What came into the club."""

    hands: int = 0
    games: int = 0
    players: int = 0


@transaction.atomic
def log_hands(
    rows: Iterable[SheetRow],
    begin: Callable[[int], Callable[[int], None]],
    *,
    by: User,
    league: League | None = None,
    create_players: bool = False,
    dry_run: bool = False,
) -> Logged:
    """Open the games of ``rows`` and record their hands; whoever is still at a table then gets up.

    :param begin: told how many hands there are; what it returns is told of each that is logged.
    :param by: an organiser, who has logged them.
    :param league: where all of them belong, whatever the rows say.
    :param create_players: whether names that nobody has become players.
    :param dry_run: whether all is taken back in the end.
    :raises SheetRefused: with every row that cannot be, and why. Nothing is stored then.
    """
    rows = list(rows)
    sheet = _Sheet(People(), by, league, begin(len(rows)))
    whole = sheet.read_all(rows)
    rows = [row for row in rows if not row.problem]
    whole = sheet.meet(rows, create=create_players) and whole
    games: dict[tuple[str, str], list[SheetRow]] = {}
    for row in rows:
        games.setdefault(row.game, []).append(row)
    for rows_of_game in games.values():
        if whole:
            sheet.log(rows_of_game)
        else:
            sheet.look_at_game(rows_of_game)
    if sheet.refusals:
        raise SheetRefused(
            [sentence for _row, sentence in sorted(sheet.refusals, key=itemgetter(0))]
        )
    sheet.finish_games()
    if dry_run:
        transaction.set_rollback(True)
    return Logged(hands=len(rows), games=len(games), players=sheet.added)


class _Sheet:
    """The games of one sheet as they are played again.

    :ivar refusals: the number of each row that cannot be (0: none of them alone), and the sentence
        that says why.
    """

    def __init__(
        self, people: People, by: User, league: League | None, advance: Callable[[int], None]
    ) -> None:
        self.refusals: list[tuple[int, str]] = []
        self._people, self._by, self._league, self._advance = people, by, league, advance
        self._leagues: dict[str, League] = {}
        # When each ended, by its id; and all games that came from this sheet.
        self._playing: dict[int, datetime] = {}
        self._ours: set[int] = set()
        self._all_known = True
        # What was said to do about games that are here already: it is said once.
        self._ways_out: list[str] = []

    @property
    def added(self) -> int:
        """How many players were added."""
        return self._people.added

    def read_all(self, rows: Iterable[SheetRow]) -> bool:
        """Whether every row can be read; those that cannot are refused."""
        for row in rows:
            if row.problem:
                self._refuse(row, RowRefused(row.problem))
        return not self.refusals

    def meet(self, rows: Sequence[SheetRow], *, create: bool) -> bool:
        """Whether everybody who sits in ``rows`` is a player now."""
        try:
            self._people.meet(rows, create=create, by=self._by)
        except SheetRefused as error:
            self.refusals += [(0, sentence) for sentence in error.sentences]
            self._all_known = False
        return self._all_known

    def log(self, rows: Sequence[SheetRow]) -> None:
        """One game. After a row that cannot be the others are only looked at: they depend on it."""
        number = 0
        game: Game | None = None
        for place, row in enumerate(rows):
            try:
                game = game or self._open(row)
                number = _following(number, row)
                self._record(game, row, rows[0])
            except (RowRefused, Refused, ValidationError) as error:
                self._refuse(row, error)
                self._look_at(rows[place + 1 :], rows[0], game)
                return
            self._advance(1)

    def look_at_game(self, rows: Sequence[SheetRow]) -> None:
        """Refuse what is wrong with each row of a game by itself. The game is not played."""
        game = None
        if self._all_known:
            try:
                game = self._open(rows[0])
            except (RowRefused, Refused, ValidationError) as error:
                self._refuse(rows[0], error)
                self._look_at(rows[1:], rows[0], None)
                return
        self._look_at(rows, rows[0], game)

    def _look_at(self, rows: Iterable[SheetRow], first: SheetRow, game: Game | None) -> None:
        """:param game: whose hands they are; None where it could not be opened."""
        for row in rows:
            try:
                _require_seats(row, first)
                _require_cells(row)
                if self._all_known:
                    self._doubter(row)
                    entry = self._entry(0, row)
                    if game:
                        require_possible(entry, game)
            except (RowRefused, ValidationError) as error:
                self._refuse(row, error)

    def _refuse(self, row: SheetRow, error: Exception) -> None:
        for sentence in _sentences(error):
            message = _("Row %(number)s: %(sentence)s")
            refusal = message % {"number": row.number, "sentence": sentence}
            self.refusals.append((row.number, refusal))

    def finish_games(self) -> None:
        """End the games that are not over, in the order in which they ended."""
        for pk, at in sorted(self._playing.items(), key=lambda item: item[1]):
            game = Game.objects.get(pk=pk)
            if not game.finished:
                finish_game(game, by=self._by, at=at)

    def _open(self, row: SheetRow) -> Game:
        players = [self._people.named(row, seat) for seat in SEATS]
        seated = [player for player in players if player is not None]
        at, league = row.at(), self._league or self._named(row)
        self._require_new(league, seated, at, row.day)
        game = open_game(league, seated, by=self._by, at=at, anyway=True)
        self._ours.add(game.pk)
        return game

    def _named(self, row: SheetRow) -> League:
        slug = row.cells["league"]
        if slug not in self._leagues:
            league = League.objects.filter(slug=slug).first()
            if league is None:
                sentence = _(
                    "league: there is no league “%(slug)s”. Make it first, or choose one for all "
                    "rows by --league."
                )
                raise RowRefused(sentence % {"slug": slug})
            self._leagues[slug] = league
        return self._leagues[slug]

    def _require_new(
        self, league: League, players: Sequence[Player], at: datetime, day: date | None
    ) -> None:
        """Where the sheet says no hour (``day``), the evening tells: when a day begins is a setting.

        :raises RowRefused: if these four played a hand at that moment, or on that day, already.
        """
        hands = Hand.objects.current()
        then = hands.filter(played_at__gte=at, played_at__lt=at + timedelta(seconds=1))
        there = Game.objects.played().filter(league=league).exclude(pk__in=self._ours)
        for place, player in enumerate(players):
            there = there.filter(seats__place=place, seats__player=player)
        game = there.filter(pk__in=then.values("game")).first()
        if day and not game:
            game = there.filter(Exists(hands.filter(game=OuterRef("pk"))), evening=day).first()
        if game:
            known = _("This game is in the club already (game %(pk)s).") % {"pk": game.pk}
            ways_out = [_("Leave out the rows of every game that is here already.")]
            if day:
                ways_out.append(
                    _("If it is another game of that evening, write the hour beside its date.")
                )
            further = [sentence for sentence in ways_out if sentence not in self._ways_out]
            self._ways_out += further
            raise RowRefused(" ".join([known, *further]))

    def _record(self, game: Game, row: SheetRow, first: SheetRow) -> None:
        _require_seats(row, first)
        at = row.at()
        doubter = self._doubter(row)
        recorded = record_hand(game, self._entry(game.next_number, row), by=self._by, at=at)
        _require_same(row, recorded)
        if doubter:
            take_over_dispute(recorded.hand, by=self._by, player=doubter)
        game.next_number = recorded.state.number
        self._playing[game.pk] = max(at, self._playing.get(game.pk, at))

    def _doubter(self, row: SheetRow) -> Player | None:
        """Who disputes the hand of ``row``; None for a hand that counts."""
        doubter = self._people.named(row, "disputed_by") if row.disputed else None
        if row.disputed and doubter is None:
            sentence = _(
                "disputed_by: name the player who disputes this hand, or leave its status empty: "
                "then it counts."
            )
            raise RowRefused(sentence)
        return doubter

    def _entry(self, number: int, row: SheetRow) -> HandEntry:
        """:raises RowRefused: for a cell that cannot be, or may be read in two ways."""
        winner, discarder, liable = (
            self._people.named(row, column) for column in ("winner", "discarder", "liable")
        )
        require_one_reading(row.cells["tiles"], row.cells["melds"])
        return HandEntry(
            number=number,
            outcome=row.cells["outcome"].lower(),
            winner=winner.pk if winner else None,
            discarder=discarder.pk if discarder else None,
            tiles=row.cells["tiles"],
            melds=row.cells["melds"].split(),
            win=row.win,
            liable=liable.pk if liable else None,
            others=_others(row, self._people.seated(row)),
            calls=row.calls(self._people.seated(row)),
            claimed_final=row.whole_number("claimed_final"),
            claimed_limit=row.cells["claimed_limit"].lower(),
        )


def _require_seats(row: SheetRow, first: SheetRow) -> None:
    """:raises RowRefused: if others sit there than in the first row of the game."""
    if [*map(name_key, row.seats)] != [*map(name_key, first.seats)]:
        sentence = _(
            "In row %(first)s others sit at this game, or elsewhere: name them as there, or "
            "give the game another number."
        )
        raise RowRefused(sentence % {"first": first.number})


def _require_cells(row: SheetRow) -> None:
    """Look at what a row says without asking whether it could be played.

    :raises RowRefused: for a cell that cannot be.
    :raises ValidationError: for tiles that cannot be.
    """
    row.at()
    _require_numbered(row)
    require_payments(row.cells["payments"])
    for column in ("claimed_final", "final", "counters", "sticks"):
        row.whole_number(column)
    special = row.win.special
    _others(row, range(4))
    row.calls(range(4))
    # Rule books have other sets and forms: their own rules look at the tiles.
    if row.cells["tiles"] and not special:
        try:
            parse_hand(row.cells["tiles"], row.cells["melds"].split() or None)
        except HandError as error:
            raise as_validation_error(error) from error


def _others(row: SheetRow, players: Sequence[int]) -> list[LoserEntry]:
    """The hands of players who did not win.

    :raises RowRefused: for a cell that cannot be read.
    """
    try:
        return list(others_entered(row.cells["others"], players))
    except ValueError as error:
        raise RowRefused(f"others: {error}") from error


def _following(number: int, row: SheetRow) -> int:
    """The number of ``row``, which comes after ``number``. One that was taken back may lie between.

    :raises RowRefused: if it does not.
    """
    written = _require_numbered(row)
    if written <= number:
        raise RowRefused(str(COUNTED_UP))
    return written


def _require_numbered(row: SheetRow) -> int:
    """:raises RowRefused: if no hand of a game has that number."""
    written = row.whole_number("number")
    if written is None or written < 1:
        raise RowRefused(str(COUNTED_UP))
    if written > LARGEST_NUMBER:
        sentence = _("number: no game has so many hands. Write %(most)s at most.")
        raise RowRefused(sentence % {"most": LARGEST_NUMBER})
    return written


def _require_same(row: SheetRow, recorded: Recorded) -> None:
    """:raises RowRefused: if the sheet says another score, or other payments."""
    sentence = _(
        "%(column)s: the sheet says %(said)s, by the rules of the league it is %(found)s. Correct the "
        "hand, or leave the cell empty."
    )
    final = row.whole_number("final")
    if final is not None and final != recorded.hand.final:
        params = {"column": "final", "said": final, "found": recorded.hand.final or _("none")}
        raise RowRefused(sentence % params)
    for column in ("counters", "sticks"):
        written, computed_number = row.whole_number(column), getattr(recorded.hand, column)
        if written is not None and written != computed_number:
            raise RowRefused(
                sentence % {"column": column, "said": written, "found": computed_number}
            )
    computed = payments([amount for _player, amount in recorded.payments])
    paid = " ".join(row.cells["payments"].split())
    if paid and paid != computed:
        raise RowRefused(sentence % {"column": "payments", "said": paid, "found": computed})


def _sentences(error: Exception) -> Iterator[str]:
    """What is wrong, each beginning with its column if it is about one."""
    if not isinstance(error, ValidationError):
        yield str(error)
        return
    for field, sentences in error.message_dict.items():
        text = " ".join(sentences)
        yield text if field == NON_FIELD_ERRORS else f"{field}: {text}"
