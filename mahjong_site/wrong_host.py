"""The answer to a name that the site does not know for its own: it says which setting to change."""

import re

from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from django.utils.translation import gettext as _

from scoring.api import problems

from .paths import API

# What can stand in a setting, whoever wrote the header.
NAME = re.compile(r"\[?([\w.:-]{1,253}?)\]?(:\d+)?", re.ASCII)


def wrong_host(request: HttpRequest) -> HttpResponse:
    """400. It asks neither the database nor for static files."""
    match = NAME.fullmatch(request.META.get("HTTP_HOST", ""))
    name = match[0].removesuffix(match[2] or "") if match else ""
    if request.path.startswith(API):
        detail = _("The site is not known by the name “%(name)s”: see the setting ALLOWED_HOSTS.")
        return problems.ProblemResponse(400, detail % {"name": name})
    page = get_template("wrong_host.html").render({"name": name})
    return HttpResponse(page, status=400)
