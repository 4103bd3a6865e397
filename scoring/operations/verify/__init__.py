"""Is what is stored what it works out to? Every figure again, from what people entered.

What people entered are the games with their four seats and whether they were ended early; the hands with
number, outcome, winner, discarder, tiles, melds, how the hand was won, and the score that a table
worked out without tiles; what was said about a hand since; the adjustments between players.
All else is worked out again from nothing, by the code that worked it out first:

- a hand's winds, dealer, round, figures and scorecard, by recording its entry once more
- its payments, by the rule set
- whether a hand counts or is disputed, by what the others at the table said
- a game's round, dealer, next hand and end, as the fold over the hands that stand
- a league's tallies, and the ratings after each game, as the fold over its games and adjustments
- what is kept of the story of a league, from the hands of its evenings
- the ratings across leagues, as the fold over all games
- the final tables of a closed season, from its tallies and games by the standing rules of then

A game in which all of this comes out as it is stored passes the fast check, without making the models
of its hands; whatever is not is recorded again, which tells where it differs.
"""

from .across_leagues import repair_club_ratings
from .check import verify
from .differences import Difference, unchecked_in_words
from .repair import repair_game, repair_league
from .tiles import Suspect, suspects

__all__ = [
    "Difference",
    "Suspect",
    "repair_club_ratings",
    "repair_game",
    "repair_league",
    "suspects",
    "unchecked_in_words",
    "verify",
]
