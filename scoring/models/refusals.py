"""Sentences with which several modules refuse the same thing: each is written here alone.

What one module refuses is said there.
"""

from django.utils.translation import gettext_lazy as _

# Hands and payments.
NOT_AT_THE_TABLE = _("This player does not sit at the table. Choose one of {names}.")
ANSWERED_AT_THE_TABLE = _("Only the players of this table confirm or dispute its hands.")
PAYS_THEMSELVES = _("Nobody pays themselves: choose two players.")
TWO_LINES_OF_TWO = _("Two lines between the same two players: make them one.")
WINNER_IS_LIABLE = _("The winner does not pay for everybody.")

# Who plays.
FOUR_PLAYERS = _("A table needs four players: East, South, West and North.")
PLAYS_NO_LONGER = _("%(names)s no longer plays here: choose an active player.")
STAYS_ANONYMOUS = _("%(name)s is anonymous, and stays so.")
NOT_OF_THE_CLUB = _("This player is not in the club: choose one of the list.")
UNSEEN_CHARACTER = _("This name has a character that nobody can see (%(code)s): type it again.")
SAME_PERSON = _("There is already %(name)s: the same person?")
SAME_PERSON_LISTED = _("This list has %(name)s, too: the same person?")
LONG_LIST = _("A list has at most %(most)s rows: send it in parts.")

# Accounts and tokens.
SIGN_IN_NAME_TAKEN = _("Somebody signs in with this name already: choose another one.")
NAME_IS_A_MAIL_ADDRESS = _("A name with @ can only be your own mail address: choose another name.")
MAIL_ADDRESS_TAKEN = _("Another account has this mail address already.")
NOT_SIGNED_IN = _("Name and password do not match, or the account is closed. Try again.")
NAMELESS_TOKEN = _("Give the token a name: what will use it?")
TOKEN_FOR_NOTHING = _("Say what the token is for: read, log or organise.")

# Leagues and their seasons.
NO_DATE = _("This is no date: write year, month and day, such as 2026-03-31.")
DAY_OUT_OF_RANGE = _("Give a day from the year 1900 to the year 2999.")
NOTHING_HERE = _("There is nothing at this address that you may see.")
BOOK_TOO_LONG = _("A book has at most {most} characters.")
RUNS_UNTIL = _("%(league)s runs until %(day)s: let the next season begin after that day.")
OVER_BEFORE = _(
    "With this the game would have been over before hand %(number)s. Declare the hands from number "
    "%(number)s on void first, the last one first."
)
IMPOSSIBLE_HAND = _("Hand %(number)s could not have been played like this: %(why)s")
NO_LAST_DAY = _("%(league)s has no last day yet: give it one first.")
CLOSED_SEASON_KEEPS_ITS_DAYS = _("This season is closed: open it again to change its days.")
CLOSED_SEASON_KEEPS_ITS_RULES = _("This season is closed: open it again to change this.")
CHOOSE_A_LEAGUE = _("Choose the league that the game counts for.")
SOMETHING_CHANGED = _("Something changed meanwhile: look at it again.")
SEASON_CHANGED = _("Something changed in this season: look at it again.")

# Reasons.
REASON_FOR_LATER = _("Say why, for those who read it later.")
REASON_NEEDED = _("Say why, in a few words: the others at the table will read it.")
