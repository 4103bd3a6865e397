"""Adding people, and inviting them. For organisers."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status
from rest_framework.exceptions import ErrorDetail
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Invitation, Player
from scoring.models.permissions import Permission
from scoring.queries.people import invitations
from scoring.services.invitations import invite, join_path, revoke_invitation
from scoring.services.people_lists import PersonEntry, Planned, RowsRefused, What, add_people

from ..idempotency import run_idempotent
from ..views import CallViewSet, HasPermission
from .serializers import (
    AddedPeopleSerializer,
    InvitationEntrySerializer,
    InvitationSerializer,
    NewInvitationSerializer,
    PeopleEntrySerializer,
)


class PeopleViewSet(CallViewSet):
    """Adding one person or many."""

    queryset = Player.objects.all()
    serializer_class = AddedPeopleSerializer
    permission_classes = (IsAuthenticated, HasPermission)
    permissions = {"create": Permission.MANAGE_PEOPLE}

    @extend_schema(request=PeopleEntrySerializer, responses={201: AddedPeopleSerializer})
    def create(self, request: Request) -> Response:
        """Add people as players: all of them, or none if one is refused. For organisers.

        A name that looks like that of another player is refused with the code `looks_like`, unless
        the row says `anyway`.
        """

        def act(key: str) -> Any:
            entry = PeopleEntrySerializer(data=request.data)
            entry.is_valid(raise_exception=True)
            rows = entry.validated_data["people"]
            entries = [PersonEntry(row["name"], row["email"], row["username"]) for row in rows]
            anyway = {number for number, row in enumerate(rows, 1) if row["anyway"]}
            try:
                added = add_people(
                    entries,
                    anyway=anyway,
                    invites=entry.validated_data["invite"],
                    all_or_nothing=True,
                    by=request.user,
                )
            except RowsRefused as refusal:
                raise _naming(refusal.rows) from refusal
            return AddedPeopleSerializer({"people": added}).data

        return run_idempotent(request, act)


class InvitationViewSet(
    mixins.ListModelMixin, mixins.CreateModelMixin, mixins.DestroyModelMixin, CallViewSet
):
    """Invitations: links with which people make an account of their own."""

    # Its link is in one answer, and kept nowhere: a key would keep it.
    takes_a_key = False
    queryset = Invitation.objects.all()
    lookup_value_converter = "int"
    serializer_class = InvitationSerializer
    permission_classes = (IsAuthenticated, HasPermission)
    permissions = dict.fromkeys(("list", "create", "destroy"), Permission.MANAGE_PEOPLE)

    def get_queryset(self) -> QuerySet[Invitation]:
        return invitations()

    @extend_schema(request=InvitationEntrySerializer, responses={201: NewInvitationSerializer})
    def create(self, request: Request) -> Response:
        """Make an invitation. Its link is in this answer, and nowhere else."""
        entry = InvitationEntrySerializer(data=request.data)
        entry.is_valid(raise_exception=True)
        made, code = invite(**entry.validated_data, by=request.user)
        made.link = request.build_absolute_uri(join_path(code))  # type: ignore[attr-defined]
        made.joined = 0  # type: ignore[attr-defined]
        return Response(NewInvitationSerializer(made).data, status.HTTP_201_CREATED)

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Revoke an invitation. Whoever has joined with it stays."""
        return super().destroy(request, *args, **kwargs)

    def perform_destroy(self, instance: Invitation) -> None:
        revoke_invitation(instance, by=self.request.user)


def _naming(rows: Sequence[Planned]) -> serializers.ValidationError:
    """The refusal that names each of ``rows``, and why it cannot be added."""
    codes = {What.ASK: "looks_like", What.KNOWN: "unique", What.REFUSED: "invalid"}
    errors = {
        str(row.number - 1): {row.field or "name": [ErrorDetail(row.why, code=codes[row.what])]}
        for row in rows
    }
    return serializers.ValidationError({"people": errors})
