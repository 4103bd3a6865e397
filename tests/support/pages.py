"""What a page says, in one line."""

import re

TAG = re.compile(r"<[^>]+>")


def text(response):
    """Its HTML, without the line breaks and indents of templates."""
    return " ".join(response.content.decode().split())


def read(response, status=200):
    """The same as ``text``, of a page that must have the ``status``."""
    assert response.status_code == status
    return text(response)


def words(response):
    """What is read, without tags."""
    return " ".join(TAG.sub(" ", response.content.decode()).split())
