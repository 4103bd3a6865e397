"""How long lists are cut."""

from typing import Any

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """Fifty rows a page; ``page_size`` asks for up to two hundred."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """As OpenAPI 3.1 says it: the first and the last page have a null."""
        page = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            del page["properties"][name]["nullable"]
            page["properties"][name]["type"] = ["string", "null"]
        page["required"] = ["count", "next", "previous", "results"]
        return page
