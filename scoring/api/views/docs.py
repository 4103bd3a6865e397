"""The description of the API, for machines and for people."""

from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny


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
