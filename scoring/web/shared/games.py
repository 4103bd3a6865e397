"""The game that an address names."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from scoring.models import Game
from scoring.models.game_tables import with_table


def visible_game(request: HttpRequest, pk: int) -> Game:
    """The game ``pk`` with its table.

    :raises Http404: if there is none that this person may see.
    """
    return get_object_or_404(with_table(Game.objects.visible_to(request.user)), pk=pk)
