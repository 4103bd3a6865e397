"""Where everything is found: pages, API, admin, and what is answered where nothing can be."""

from django.contrib import admin
from django.urls import include, path

from .health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/", include("scoring.api.urls")),
    path("", include("scoring.web.urls")),
]

handler400 = "mahjong_site.errors.bad_request"
handler500 = "mahjong_site.errors.server_error"
