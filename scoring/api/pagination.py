"""Cut long lists into pages."""

import re
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

SIZE = re.compile(r"0*[1-9]\d{0,17}", re.ASCII)


class Pages(PageNumberPagination):
    """Fifty rows a page; ``page_size`` asks for others, up to two hundred: there it ends."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    last_page_strings = ()  # by the schema a page is a number

    def get_page_size(self, request: Request) -> int | None:
        """:raises ValidationError: for a size that is no number from 1 up."""
        asked = request.query_params.get(self.page_size_query_param)
        if asked is not None and not SIZE.fullmatch(asked):
            message = _("A page has 1 to %(most)s rows: give a number.") % {
                "most": self.max_page_size
            }
            raise ValidationError({self.page_size_query_param: [message]})
        return super().get_page_size(request)

    def paginate_queryset(self, *args: Any, **kwargs: Any) -> Any:
        """The rows of the page that was asked for.

        :raises NotFound: if there is none.
        """
        try:
            return super().paginate_queryset(*args, **kwargs)
        except NotFound as refusal:
            raise NotFound(_("There is no such page: they are numbered from 1.")) from refusal

    def get_page_number(self, request: Request, paginator: Any) -> Any:
        """What ``page`` says; in the digits of other scripts, a page that is not there."""
        asked = super().get_page_number(request, paginator)
        return asked if str(asked).isascii() else ""

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Pages count from 1."""
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            parameter["schema"]["minimum"] = 1
        return parameters

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """As OpenAPI 3.1 says it: the first and the last page have a null."""
        page = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            del page["properties"][name]["nullable"]
            page["properties"][name]["type"] = ["string", "null"]
        page["required"] = ["count", "next", "previous", "results"]
        return page
