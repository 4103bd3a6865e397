"""The tokens of a member, on a page of their own."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import ApiToken
from scoring.models.permissions import Scope, check_signed_in, scopes_for
from scoring.models.refusals import NAMELESS_TOKEN, TOKEN_FOR_NOTHING
from scoring.services.tokens import DAYS, end_token, make_token
from scoring.typed_numbers import typed_id

from ..shared.password_form import PasswordForm
from ..shared.requests import members_post
from ..throttles import throttled

RUNS = [
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (366, gettext_lazy("a year")),
]


class TokenForm(PasswordForm):
    """A new token, with the password of the account that makes it."""

    name = forms.CharField(
        label=gettext_lazy("What will use it?"),
        max_length=80,
        help_text=gettext_lazy("Such as “score board in the hall”."),
        error_messages={"required": NAMELESS_TOKEN},
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What may it do?"),
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": TOKEN_FOR_NOTHING},
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("How long?"),
        choices=RUNS,
        initial=DAYS,
        coerce=int,
        widget=forms.RadioSelect,
    )
    field_order = ("name", "scopes", "days", "password")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scopes = scopes_for(check_signed_in(self.request.user))
        choices = [(scope.value, scope.label) for scope in scopes]
        self.fields["scopes"].choices = choices  # type: ignore[attr-defined]


@sensitive_post_parameters("password")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@throttled("sign_in", methods=("POST",))
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of whoever asks, and a form for another one, whose text is shown once."""
    form = TokenForm(request.POST if request.method == "POST" else None, request=request)
    text, status = "", 200
    if form.is_bound:
        text = _make(form)
        status = 200 if text else 422
    own = ApiToken.objects.filter(user=check_signed_in(request.user))
    context = {
        "form": TokenForm(request=request) if text else form,
        "text": text,
        "tokens": [(token, sorted(token.scopes), _ended(token)) for token in own],
    }
    return render(request, "account/tokens.html", context, status=status)


@members_post()
def end(request: HttpRequest) -> HttpResponse:
    """End the one that the field ``token`` names."""
    pk = typed_id(request.POST.get("token", ""))
    token = get_object_or_404(ApiToken, pk=pk, user=check_signed_in(request.user))
    end_token(token, by=request.user)
    messages.success(request, _("The token “%(name)s” has ended.") % {"name": token.name})
    return redirect("tokens")


def _make(form: TokenForm) -> str:
    """The text of the token that ``form`` asks for; empty if it is refused."""
    if not form.is_valid():
        return ""
    asked = form.cleaned_data
    try:
        _token, text = make_token(
            asked["name"],
            [Scope(scope) for scope in asked["scopes"]],
            days=asked["days"],
            by=form.request.user,
        )
    except ValidationError as error:
        form.add_error(None, error.messages[0])
        return ""
    return text


def _ended(token: ApiToken) -> str:
    """Why ``token`` is refused; empty while it runs."""
    if token.password_changed:
        return _("ended when the password changed")
    if token.ended_by_date:
        return _("ended by its date")
    return ""
