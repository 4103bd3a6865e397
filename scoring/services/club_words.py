"""Passwords that everybody in the club would try first."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.models import current_club
from scoring.models.names import look
from scoring.models.permissions import User

WORDS = ("mahjongg", "mahjong", "majong", "mahjongclub", "club", "麻將", "麻将", "麻雀")
SHORTEST = 4


class NotAClubWord:
    """Refuse words of the game and of the club's name, with digits and signs around them or without."""

    def validate(self, password: str, user: User | None = None) -> None:
        """:raises ValidationError: for a password of such words alone."""
        name = str(current_club())
        own = (word for word in (name, *name.split()) if len(look(word)) >= SHORTEST)
        words = "|".join(re.escape(look(word)) for word in (*WORDS, *own))
        bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", password)
        if re.fullmatch(f"(?:{words})+", look(bare)):
            message = _("Everybody in the club would try this password first.")
            raise ValidationError(message, code="club_word")

    def get_help_text(self) -> str:
        """Nothing: the forms have a sentence of their own."""
        return ""
