"""What a page says, in one line."""

import re

TAG = re.compile(r"<[^>]+>")


def text(response):
    """Its HTML, without the line breaks and indents of templates."""
    return " ".join(response.content.decode().split())


def words(response):
    """What is read, without tags."""
    return " ".join(TAG.sub(" ", response.content.decode()).split())
