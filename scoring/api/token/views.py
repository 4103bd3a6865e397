"""A token for a name and a password."""

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from ..views import KnownParameters
from .serializers import CredentialsSerializer, TokenSerializer


class TokenView(KnownParameters):
    """Sign in: the token goes into the header `Authorization: Token …` of other calls."""

    takes_a_key = False
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "token"

    @extend_schema(request=CredentialsSerializer, responses=TokenSerializer)
    def post(self, request: Request) -> Response:
        credentials = CredentialsSerializer(data=request.data)
        credentials.is_valid(raise_exception=True)
        # The request itself, not this framework's wrapping of it, is what the lock on guessing marks.
        user = authenticate(request._request, **credentials.validated_data)
        if user is None:
            # One sentence for all: whether the account exists is nobody's business.
            message = _("Name and password do not match, or the account is closed. Try again.")
            raise ValidationError([message], code="sign_in")
        token, _created = Token.objects.get_or_create(user=user)
        player = getattr(user, "player", None)
        return Response({"token": token.key, "player": player and player.pk})
