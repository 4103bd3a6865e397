"""Tokens: one for a name and a password, those of an account, and who the caller is."""

from typing import Any

from django.contrib.auth import authenticate
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from scoring.models import ApiToken
from scoring.models.permissions import Scope, is_organiser, roles_of
from scoring.services.tokens import end_token, make_token

from ..views import CallViewSet, KnownParameters
from .serializers import (
    ApiTokenSerializer,
    CredentialsSerializer,
    MeSerializer,
    NewTokenSerializer,
    SignedInSerializer,
    TokenEntrySerializer,
)


class TokenView(KnownParameters):
    """Sign in: the token goes into the header `Authorization: Token …` of other calls.

    It may do whatever the account may, and runs for 90 days. Each call makes another one.
    """

    takes_a_key = False
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "token"

    @extend_schema(request=CredentialsSerializer, responses=SignedInSerializer)
    def post(self, request: Request) -> Response:
        credentials = CredentialsSerializer(data=request.data)
        credentials.is_valid(raise_exception=True)
        name = credentials.validated_data.pop("name", _("Signed in with the password"))
        # The request itself, not this framework's wrapping of it, is what the lock on guessing marks.
        user = authenticate(request._request, **credentials.validated_data)
        if user is None:
            # One sentence for all: whether the account exists is nobody's business.
            message = _("Name and password do not match, or the account is closed. Try again.")
            raise ValidationError([message], code="sign_in")
        scopes = [one for one in Scope if one != Scope.ORGANISE or is_organiser(user)]
        return Response(_told(SignedInSerializer, *make_token(name, scopes, by=user)))


class ApiTokenViewSet(
    mixins.ListModelMixin, mixins.CreateModelMixin, mixins.DestroyModelMixin, CallViewSet
):
    """The tokens of the caller's account."""

    takes_a_key = False
    queryset = ApiToken.objects.all()
    lookup_value_converter = "int"
    serializer_class = ApiTokenSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[ApiToken]:
        return ApiToken.objects.filter(user=self.request.user.pk)

    @extend_schema(request=TokenEntrySerializer, responses={201: NewTokenSerializer})
    def create(self, request: Request) -> Response:
        """Make a token. Its text is in this answer, and nowhere else.

        Whoever calls with a token makes none that may do more.
        """
        entry = TokenEntrySerializer(data=request.data)
        entry.is_valid(raise_exception=True)
        own = request.auth.scopes if isinstance(request.auth, ApiToken) else frozenset(Scope)
        if not set(entry.validated_data["scopes"]) <= own:
            raise PermissionDenied(_("This token cannot make one that may do more than it may."))
        made = make_token(**entry.validated_data, by=request.user)
        return Response(_told(NewTokenSerializer, *made), status.HTTP_201_CREATED)

    def perform_destroy(self, instance: ApiToken) -> None:
        end_token(instance, by=self.request.user)


class MeView(KnownParameters):
    """Who the caller is: account, player, roles, and what the token is for."""

    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        user = request.user
        me = {
            "account": user.get_username() or None,
            "player": getattr(user, "player", None),
            "roles": roles_of(user),
            "scopes": sorted(request.auth.scopes) if isinstance(request.auth, ApiToken) else None,
        }
        return Response(MeSerializer(me).data)


def _told(serializer: type[NewTokenSerializer], token: ApiToken, text: str) -> Any:
    """``token`` as the answer that makes it, with its ``text``."""
    token.text = text  # type: ignore[attr-defined]
    return serializer(token).data
