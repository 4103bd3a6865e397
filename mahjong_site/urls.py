"""Where everything is found: pages, API, admin."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("scoring.api.urls")),
    path("", include("scoring.web.urls")),
]
