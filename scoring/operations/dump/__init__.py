"""A whole club as a file of lines, and back into an empty one, on whichever database.

The file is JSON lines. The first says what it is, how many rows of each model follow and which keys
were given away; then a line a row, in the form of Django's fixtures. An export of what was imported
is the same file, byte for byte.

What is not part of a club stays where it is: sessions, tokens, second factors with the passwords of
their accounts, and sign-ins that failed.
"""

from .content import LEFT_PASSWORD
from .errors import TransferRefused
from .load import import_club
from .write import Export, export_club

__all__ = ["LEFT_PASSWORD", "Export", "TransferRefused", "export_club", "import_club"]
