"""What the file with everything about a person has of their player."""

import pytest

from scoring.models import Player
from scoring.queries.my_data import PLAYER_COLUMNS, my_data
from tests.factories import make_member, make_player

# The account has a part of its own, and nobody who is anonymous has one. Of a PIN the file says only
# whether there is one.
ELSEWHERE = {"user", "anonymous_since", "pin", "pin_failures", "pin_failed_at"}


def test_every_column_of_a_player_is_in_the_file_or_is_named_here():
    columns = {field.name for field in Player._meta.local_fields}
    assert columns - ELSEWHERE == set(PLAYER_COLUMNS.values())


@pytest.mark.django_db
def test_the_file_has_what_the_columns_hold():
    member = make_member(player=make_player("Zoë"))
    written = my_data(member)["player"]
    player = Player.objects.get(user=member)
    assert {key: written[key] for key in PLAYER_COLUMNS} == {
        key: getattr(player, column) for key, column in PLAYER_COLUMNS.items()
    }
