"""Is what is stored what it works out to? Every figure again, from what people entered.

What people entered are the games with their four seats, and the hands with number, outcome, winner,
discarder, tiles, melds, how the hand was won, and the score that a table worked out without tiles.
All else is worked out again from nothing, by the code that worked it out first:

- a hand's winds, dealer, round, figures and scorecard, by recording its entry once more
- its payments, by the rule set
- a game's round, dealer and next hand, as the fold over its live hands
- a league's tallies, and the ratings after each game, as the fold over its games
"""

from .check import verify
from .differences import Difference
from .repair import mend_game, mend_league

__all__ = ["Difference", "mend_game", "mend_league", "verify"]
