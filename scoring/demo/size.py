"""Read how large a demo is asked for, and count what the club holds already."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.models import Hand, League, Player

MOST_PLAYERS, MOST_LEAGUES = 1000, 20


@dataclass(frozen=True, slots=True)
class Size:
    """Hands in all, players, leagues; and the ``seed`` of everything that is left to chance."""

    hands: int = 400
    players: int = 24
    leagues: int = 2
    seed: int = 1

    def clean(self) -> None:
        """:raises ValidationError: at each field that cannot be, with the way out."""
        errors = {}
        if self.hands < 1:
            errors["hands"] = _("A demo plays at least one hand.")
        if not 4 <= self.players <= MOST_PLAYERS:
            sentence = _("A table needs four players: ask for 4 to {most}.")
            errors["players"] = format_lazy(sentence, most=MOST_PLAYERS)
        if not 1 <= self.leagues <= MOST_LEAGUES:
            sentence = _("Games belong to a league: ask for 1 to {most}.")
            errors["leagues"] = format_lazy(sentence, most=MOST_LEAGUES)
        if errors:
            raise ValidationError(errors)


def holdings() -> dict[str, int]:
    """How many players, leagues and hands the club holds; empty for a club that holds nothing."""
    counts = {
        "players": Player.objects.count(),
        "leagues": League.objects.count(),
        "hands": Hand.objects.count(),
    }
    return counts if any(counts.values()) else {}
