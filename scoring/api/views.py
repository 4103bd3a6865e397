"""Base classes of the views of all calls."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers, viewsets
from rest_framework.exceptions import ErrorDetail
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from scoring.models.permissions import Permission, can, check_scope


class KnownParameters(APIView):
    """Refuses a query parameter that the call does not know, or that is empty.

    The one may be misspelt, and the other was to be something: neither means the default.

    :ivar parameters: a serializer whose fields the call takes in its query.
    """

    parameters: type[serializers.Serializer] | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        known = self.known_parameters()
        sent = [name for name in request.query_params if name != api_settings.URL_FORMAT_OVERRIDE]
        wrong = {
            name: [problem]
            for name in sent
            if (problem := _problem(name, request.query_params.getlist(name), known))
        }
        if wrong:
            raise serializers.ValidationError(wrong)

    def known_parameters(self) -> list[str]:
        """The names that the query of this call may have."""
        return list(self.parameters().fields) if self.parameters else []


def _problem(name: str, values: list[str], known: Collection[str]) -> ErrorDetail | None:
    """What is wrong with the query parameter ``name``, which was sent with ``values``."""
    if name not in known:
        message = _("This parameter is not known here. Known are: %(names)s.")
        if not known:
            message = _("This address takes no parameters.")
        return ErrorDetail(message % {"names": ", ".join(known)}, code="unknown_parameter")
    if not all(map(str.strip, values)):
        message = _("This parameter is empty: give a value, or leave it out.")
        return ErrorDetail(message, code="blank")
    if len(values) > 1:
        return ErrorDetail(_("This parameter is given twice: give it once."), code="twice")
    return None


class HasPermission(BasePermission):
    """Asks for the permission that the view names in ``permissions`` for its action, if it names one.

    What somebody may do at one table, the service that does it asks itself.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, CallViewSet)
        permission = view.permissions.get(view.action)
        if permission is None:
            return True
        check_scope(request.user, permission)
        return can(request.user, permission)


class CallViewSet(KnownParameters, viewsets.GenericViewSet):
    """Calls about one kind of thing; lists can be narrowed by its filters, and have pages."""

    filterset_class: Any = None
    permissions: Mapping[str, Permission] = {}

    def known_parameters(self) -> list[str]:
        if self.action != "list":
            return super().known_parameters()
        filters = self.filterset_class.base_filters if self.filterset_class else ()
        pages = self.paginator
        assert isinstance(pages, PageNumberPagination)
        return [*filters, pages.page_query_param, pages.page_size_query_param]
