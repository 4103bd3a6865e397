"""The tables that the load is put on, set up inside the site itself.

``manage.py shell -c "from tests.load.tables import sit_down; sit_down(20)"`` prints them as JSON.
"""

import json
import sys

from tests.factories import make_game, make_league, make_member, make_player, make_token

# Fewer than four a table: most sit at several, so that tables meet in the tallies.
PEOPLE = 24


def sit_down(tables: int) -> None:
    """Open ``tables`` games of one league; tell the games, who sits there, and their tokens."""
    people = [make_player(f"Phone {number + 1}") for number in range(PEOPLE)]
    tokens = {one.pk: make_token(make_member(player=one)) for one in people}
    league = make_league("Under load")
    rows = []
    for number in range(tables):
        # Another four each time, from all over the room.
        four = [
            people[(number + place * (1 + number // PEOPLE % 5)) % PEOPLE] for place in range(4)
        ]
        game = make_game(league=league, players=four)
        seats = [player.pk for player in four]
        rows.append({"game": game.pk, "players": seats, "tokens": [tokens[pk] for pk in seats]})
    json.dump({"league": league.pk, "tables": rows}, sys.stdout)
