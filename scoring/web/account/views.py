"""Signing in. Signing out is Django's own view, by POST only."""

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.utils.decorators import method_decorator

from ..throttles import throttled
from .forms import SignInForm


@method_decorator(throttled("sign_in", methods=("POST",)), name="dispatch")
class SignIn(LoginView):
    """Django's own sign-in; it follows ``next`` to this site only."""

    template_name = "account/login.html"
    authentication_form = SignInForm
    http_method_names = ["get", "head", "post", "options"]

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form again, with the reason; 422 as every form of this site that is refused."""
        response = super().form_invalid(form)
        response.status_code = 422
        return response
