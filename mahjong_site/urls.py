"""The addresses of the site: pages, API, admin, and the answers where there is nothing."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from .health import healthz
from .paths import HEALTH

urlpatterns = [
    path(HEALTH, healthz, name="healthz"),
    # One place to sign in, with one limit on guessing.
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),
    # Links of before the model EveningClosure had its name.
    re_path(
        r"^admin/scoring/closing/(?P<rest>.*)$",
        RedirectView.as_view(url="/admin/scoring/eveningclosure/%(rest)s", query_string=True),
    ),
    path("admin/", admin.site.urls),
    path("api/", include("scoring.api.urls")),
    path("", include("scoring.web.urls")),
]

handler400 = "mahjong_site.errors.bad_request"
handler404 = "mahjong_site.errors.not_found"
handler429 = "mahjong_site.errors.too_many"
handler500 = "mahjong_site.errors.server_error"
