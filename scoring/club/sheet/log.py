"""Logging the hands of a sheet: all of them or none, each by the call that every page uses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Game, Hand, League, Player
from scoring.models.people import User
from scoring.play.entry import HandEntry
from scoring.play.errors import Refused
from scoring.play.games import finish_game, open_game
from scoring.play.record import Recorded, record_hand

from .columns import SEATS, payments
from .errors import RowRefused, SheetRefused
from .people import People
from .read import Row


@dataclass(slots=True)
class Logged:
    """What came into the club."""

    hands: int = 0
    games: int = 0
    players: int = 0


@transaction.atomic
def log_hands(
    rows: Iterable[Row],
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
    people = People()
    people.meet(rows, create=create_players, by=by)
    games: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        games.setdefault(row.game, []).append(row)
    sheet = _Sheet(people, by, league, begin(len(rows)))
    for each in games.values():
        sheet.log(each)
    if sheet.refusals:
        raise SheetRefused([said for _row, said in sorted(sheet.refusals)])
    sheet.get_up()
    if dry_run:
        transaction.set_rollback(True)
    return Logged(hands=len(rows), games=len(games), players=people.added)


class _Sheet:
    """The games of one sheet as they are played again.

    :ivar refusals: the number of each row that cannot be, and the sentence that says why.
    """

    def __init__(
        self, people: People, by: User, league: League | None, advance: Callable[[int], None]
    ) -> None:
        self.refusals: list[tuple[int, str]] = []
        self._people, self._by, self._league, self._advance = people, by, league, advance
        self._leagues: dict[str, League] = {}
        # When they got up, by game; and all games that came from this sheet.
        self._playing: dict[int, datetime] = {}
        self._ours: set[int] = set()

    def log(self, rows: Sequence[Row]) -> None:
        """One game. A row that cannot be ends it: those after it depend on it."""
        number = 0
        for row in rows:
            try:
                if row is rows[0]:
                    game = self._open(row)
                number = _following(number, row)
                self._record(game, row, rows[0])
            except (RowRefused, Refused, ValidationError) as error:
                for sentence in _sentences(error):
                    said = _("Row %(number)s: %(sentence)s")
                    refusal = said % {"number": row.number, "sentence": sentence}
                    self.refusals.append((row.number, refusal))
                return
            self._advance(1)

    def get_up(self) -> None:
        """End the games that are not over, in the order in which they ended."""
        for pk, at in sorted(self._playing.items(), key=lambda item: item[1]):
            game = Game.objects.get(pk=pk)
            if not game.finished:
                finish_game(game, by=self._by, at=at)

    def _open(self, row: Row) -> Game:
        players = [self._people.named(row, seat) for seat in SEATS]
        seated = [player for player in players if player is not None]
        at, league = row.at(), self._league or self._named(row)
        self._require_new(league, seated, at)
        game = open_game(league, seated, by=self._by, at=at)
        self._ours.add(game.pk)
        return game

    def _named(self, row: Row) -> League:
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

    def _require_new(self, league: League, players: Sequence[Player], at: datetime) -> None:
        """:raises RowRefused: if these four played a hand at that moment already."""
        there = Game.objects.filter(
            pk__in=Hand.objects.live()
            .filter(played_at__gte=at, played_at__lt=at + timedelta(seconds=1))
            .values("game"),
            league=league,
        ).exclude(pk__in=self._ours)
        for place, player in enumerate(players):
            there = there.filter(seats__place=place, seats__player=player)
        if found := there.first():
            sentence = _("This game is in the club already (game %(pk)s): leave its rows out.")
            raise RowRefused(sentence % {"pk": found.pk})

    def _record(self, game: Game, row: Row, first: Row) -> None:
        if row.seats != first.seats:
            sentence = _(
                "In row %(first)s others sit at this game, or elsewhere: name them as there, or "
                "give the game another number."
            )
            raise RowRefused(sentence % {"first": first.number})
        at = row.at()
        recorded = record_hand(game, self._entry(game, row), by=self._by, at=at)
        _require_same(row, recorded)
        game.next_number = recorded.state.number
        self._playing[game.pk] = max(at, self._playing.get(game.pk, at))

    def _entry(self, game: Game, row: Row) -> HandEntry:
        winner, discarder = (self._people.named(row, each) for each in ("winner", "discarder"))
        return HandEntry(
            number=game.next_number,
            outcome=row.cells["outcome"].lower(),
            winner=winner and winner.pk,
            discarder=discarder and discarder.pk,
            tiles=row.cells["tiles"],
            melds=row.cells["melds"].split(),
            concealed=row.answer("concealed"),
            self_drawn=bool(row.answer("self_drawn")),
            claimed_final=row.whole_number("claimed_final"),
        )


def _following(number: int, row: Row) -> int:
    """The number of ``row``, which comes after ``number``. One that was taken back may lie between.

    :raises RowRefused: if it does not.
    """
    said = row.whole_number("number")
    if said is None or said <= number:
        sentence = _("number: the hands of a game are counted up, in the order they were played.")
        raise RowRefused(sentence)
    return said


def _require_same(row: Row, recorded: Recorded) -> None:
    """:raises RowRefused: if the sheet says another score, or other payments."""
    sentence = _(
        "%(column)s: the sheet says %(said)s, by the rules of the league it is %(found)s. Correct the "
        "hand, or leave the cell empty."
    )
    final = row.whole_number("final")
    if final is not None and final != recorded.hand.final:
        said = {"column": "final", "said": final, "found": recorded.hand.final or _("none")}
        raise RowRefused(sentence % said)
    found = payments([amount for _player, amount in recorded.payments])
    paid = " ".join(row.cells["payments"].split())
    if paid and paid != found:
        raise RowRefused(sentence % {"column": "payments", "said": paid, "found": found})


def _sentences(error: Exception) -> Iterator[str]:
    """What is wrong, each beginning with its column if it is about one."""
    if not isinstance(error, ValidationError):
        yield str(error)
        return
    for field, sentences in error.message_dict.items():
        said = " ".join(sentences)
        yield said if field == NON_FIELD_ERRORS else f"{field}: {said}"
