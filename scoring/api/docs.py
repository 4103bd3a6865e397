"""The description of the API, for machines and for people."""

from typing import Any

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import known_club

from .problems import TITLES, problem_type


class SchemaView(SpectacularAPIView):
    """OpenAPI 3, as YAML or JSON."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


# Swagger UI draws its arrows and locks from data: pictures in its style sheet: all it needs.
@method_decorator(csp_update({"img-src": ["data:"]}), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    """The schema to read and to try, offline, without a script or a style in the page."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    template_name = "api/docs.html"
    url_name = "api_schema"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Below the calls, the kinds of problems: where their types lead."""
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        response.headers["Content-Language"] = "en"
        if response.data is not None:
            kinds = ((problem_type(code), title) for code, title in TITLES.items())
            response.data["title"] = str(known_club())
            response.data["kinds"] = [(uri.partition("#")[2], title) for uri, title in kinds]
        return response
