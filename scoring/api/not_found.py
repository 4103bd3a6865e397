"""Addresses under ``api/`` at which there is nothing."""

from typing import Any

from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class NowhereView(APIView):
    """A problem document instead of a page, by whatever method one comes."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        with_slash = f"{request.path}/"
        if not request.path.endswith("/") and _is_somewhere(with_slash):
            raise NotFound(_("Addresses end with a slash here: %(path)s") % {"path": with_slash})
        raise NotFound(_("There is nothing here. /api/docs/ lists all calls."))


def _is_somewhere(path: str) -> bool:
    try:
        return resolve(path).func.__name__ != NowhereView.__name__
    except Resolver404:
        return False
