"""Where things are at the desk, and what a page says."""

import re
from html import unescape

from django.urls import reverse


def address(model, page="changelist", pk=None):
    """The page of a model: ``changelist``, ``add``, ``change``, ``delete`` or ``history``."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
    return reverse(name, args=[pk] if pk else [])


def words(response):
    """The text of a page, without its tags."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", response.content.decode())).split())
