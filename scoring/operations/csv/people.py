"""Find the players whom the names in a CSV file mean."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.models import Player
from scoring.models.names import SameNames, name_key
from scoring.models.permissions import User
from scoring.services.people import add_player
from scoring.translation import listed

from .errors import RowRefused, SheetRefused
from .read import SheetRow

MOST_SHOWN = 20


class People:
    """The players of the club by the names that a sheet may write."""

    def __init__(self) -> None:
        self._players = SameNames(Player.objects.order_by("pk"))
        self.added = 0

    def meet(self, rows: Iterable[SheetRow], *, create: bool, by: User) -> None:
        """Make sure that everybody who sits in ``rows`` is a player of the club.

        :raises SheetRefused: naming those who are none, unless they are to be created.
        """
        unknown: dict[str, str] = {}
        for row in rows:
            for name in row.seats:
                if name.strip() and self.find(name) is None:
                    unknown.setdefault(name_key(name), name)
        if unknown and not create:
            names = listed(list(unknown.values())[:MOST_SHOWN])
            sentence = _(
                "These are no players of the club: %(names)s. Correct their names or add them; "
                "--create-players adds everybody (%(number)s)."
            )
            raise SheetRefused([sentence % {"names": names, "number": len(unknown)}])
        for name in unknown.values():
            try:
                self._players.add(add_player(name, anyway=True, by=by))
            except ValidationError as error:
                raise SheetRefused([f"{name[:80]}: {' '.join(error.messages)}"]) from error
            self.added += 1

    def find(self, name: str) -> Player | None:
        return self._players.find(name)

    def named(self, row: SheetRow, column: str) -> Player | None:
        """Who stands in ``column``; None for nobody.

        :raises RowRefused: if there is no such player.
        """
        name = row.cells[column]
        if not name.strip():
            return None
        player = self.find(name)
        if player is None:
            sentence = _(
                "%(column)s: there is no player “%(name)s”. Write the name as at its seat."
            )
            raise RowRefused(sentence % {"column": column, "name": name})
        return player

    def seated(self, row: SheetRow) -> list[int]:
        """The ids of the four, East first; of seats that name nobody, 0."""
        return [player.pk if (player := self.find(name)) else 0 for name in row.seats]
