"""What the site says in English, as the catalogues of translations have it."""

from babel.messages.pofile import read_po

from tests.support.sites import ROOT


def english_sentences() -> set[str]:
    """Each sentence of the site, those with something to fill in as they are written in the code."""
    with (ROOT / "scoring/locale/nl/LC_MESSAGES/django.po").open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    return {message if isinstance(message, str) else message[0] for message in messages}
