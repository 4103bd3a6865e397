"""The addresses of a site whose members sign in by another server as well."""

from mahjong_site.urls import handler400, handler404, handler429, handler500, urlpatterns
from scoring.web.account import oidc

__all__ = ["handler400", "handler404", "handler429", "handler500", "urlpatterns"]

urlpatterns = [*oidc.urlpatterns, *urlpatterns]
