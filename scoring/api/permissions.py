"""Who may call what. What may be seen at all is decided by ``visible_to`` of each queryset."""

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from scoring.models import is_organiser


class IsOrganiserOrReads(BasePermission):
    """Anybody reads, organisers write."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or is_organiser(request.user)
