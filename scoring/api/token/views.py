"""Tokens: one for a name and a password, those of an account, and who the caller is."""

from typing import Any

from django.contrib.auth import authenticate
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from scoring.models import ApiToken
from scoring.models.permissions import Account, roles_of, scopes_for
from scoring.models.refusals import NOT_SIGNED_IN
from scoring.services.accounts import demands_second_factor
from scoring.services.passwords import is_own_password
from scoring.services.second_factor import check_code_of, has_second_factor
from scoring.services.sign_in_rate import device_of, note_sign_in
from scoring.services.tokens import end_token, make_token

from ..throttles import Tokens
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

    It may do whatever the account may, and runs for 90 days. Each call makes another one: keep it.
    Of 50 with the same name, the one that was not used for longest ends.
    """

    takes_a_key = False
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (Tokens,)
    throttle_scope = "token"

    @extend_schema(request=CredentialsSerializer, responses=SignedInSerializer)
    def post(self, request: Request) -> Response:
        credentials = CredentialsSerializer(data=request.data)
        credentials.is_valid(raise_exception=True)
        name = credentials.validated_data.pop("name", _("Signed in with the password"))
        code = credentials.validated_data.pop("code", "")
        # The request itself, not this framework's wrapping of it, has the cookie of the device.
        user = authenticate(request._request, **credentials.validated_data)
        if user is None:
            # One sentence for all: whether the account exists is nobody's business.
            raise ValidationError([NOT_SIGNED_IN], code="sign_in")
        _check_second_factor(request, user, code)
        note_sign_in(request._request, user)
        made = make_token(name, scopes_for(user), by=user, replaces=True)
        return Response(_with_text(SignedInSerializer, *made))


class ApiTokenViewSet(
    mixins.ListModelMixin, mixins.CreateModelMixin, mixins.DestroyModelMixin, CallViewSet
):
    """The tokens of the caller's account."""

    takes_a_key = False
    queryset = ApiToken.objects.all()
    lookup_value_converter = "int"
    serializer_class = ApiTokenSerializer
    permission_classes = (IsAuthenticated,)
    throttle_scope = "token"

    def get_throttles(self) -> list[BaseThrottle]:
        # Making one may take a password: those are not to be tried out.
        return [ScopedRateThrottle()] if self.action == "create" else super().get_throttles()

    def get_queryset(self) -> QuerySet[ApiToken]:
        return ApiToken.objects.filter(user=self.request.user.pk)

    @extend_schema(request=TokenEntrySerializer, responses={201: NewTokenSerializer})
    def create(self, request: Request) -> Response:
        """Make a token. Its text is in this answer, and nowhere else.

        One that is made with a token does no more than that one, and ends no later. A session
        needs the password again.
        """
        entry = TokenEntrySerializer(data=request.data)
        entry.is_valid(raise_exception=True)
        password = entry.validated_data.pop("password", None)
        using = _token_of(request)
        if using is None:
            _check_password(request, password)
        made = make_token(**entry.validated_data, by=request.user, using=using)
        return Response(_with_text(NewTokenSerializer, *made), status.HTTP_201_CREATED)

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """End a token at once. Another token ends it only if it may do no less."""
        return super().destroy(request, *args, **kwargs)

    def perform_destroy(self, instance: ApiToken) -> None:
        end_token(instance, by=self.request.user, using=_token_of(self.request))


class MeView(KnownParameters):
    """Who the caller is: account, player, roles, and what the token is for."""

    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        user = request.user
        me = {
            "account": user.get_username() or None,
            "player": getattr(user, "player", None),
            "roles": roles_of(user),
            "scopes": sorted(token.scopes) if (token := _token_of(request)) else None,
        }
        return Response(MeSerializer(me).data)


def _token_of(request: Request) -> ApiToken | None:
    """The token that ``request`` was sent with; None for a session and a visitor."""
    return request.auth if isinstance(request.auth, ApiToken) else None


def _check_second_factor(request: Request, user: Account, code: str) -> None:
    """:raises ValidationError: at ``code``, unless it is good or ``user`` needs none."""
    if has_second_factor(user):
        if not code:
            message = _("This account has a second step: send the code of its app, too.")
            raise ValidationError({"code": [message]}, code="second_factor")
        if check_code_of(user, code, device_of(request._request)) is None:
            message = _("This code is wrong, or was used before. Type the one that is shown now.")
            raise ValidationError({"code": [message]}, code="second_factor")
    elif demands_second_factor(user):
        message = _("Your club asks its owners for a second step: set one up on the site first.")
        raise ValidationError({"code": [message]}, code="second_factor")


def _check_password(request: Request, password: str | None) -> None:
    """:raises ValidationError: unless ``password`` is that of the account of the session."""
    if password is None:
        raise ValidationError({"password": _("Give your password.")}, code="required")
    if not is_own_password(request._request, password):
        raise ValidationError({"password": _("This is not your password.")}, code="invalid_login")


def _with_text(serializer: type[NewTokenSerializer], token: ApiToken, text: str) -> Any:
    """``token`` as the answer that makes it, with its ``text``."""
    token.text = text  # type: ignore[attr-defined]
    return serializer(token).data
