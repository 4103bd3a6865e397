"""The option ``--league`` of commands that read or write hands."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from scoring.models import League


def add_league(parser: ArgumentParser, help: str) -> None:
    parser.add_argument("--league", metavar="SLUG", help=help)


def league_named(slug: str) -> League:
    """:raises CommandError: if there is none, with those that there are."""
    league = League.objects.filter(slug=slug).first()
    if league is None:
        known = ", ".join(League.objects.order_by("slug").values_list("slug", flat=True))
        sentence = _("There is no league “%(slug)s”. There are: %(known)s.")
        raise CommandError(sentence % {"slug": slug, "known": known or _("none")}, returncode=2)
    return league


def chosen_league(options: Mapping[str, Any], *, sheet: bool) -> League | None:
    """The league of ``--league``, which only a sheet of hands (``sheet``) can be of.

    :raises CommandError: if there is none, or the file holds a whole club.
    """
    if not options["league"]:
        return None
    if not sheet:
        sentence = _("A whole club has all its leagues: --league is for hands as CSV.")
        raise CommandError(sentence, returncode=2)
    return league_named(options["league"])
