"""Who may call what, as far as it can be told before the table in question is known."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from scoring.play.permissions import Call, may


class May(BasePermission):
    """Asks the table of permissions about the actions that the view names in ``calls``.

    What somebody may do at one table, the function that does it asks itself.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        call: Call | None = view.calls.get(view.action)
        return call is None or may(request.user, call)
