"""The PIN of a member, on a page of their own."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import Player
from scoring.models.permissions import check_signed_in
from scoring.services.pins import LONGEST, set_pin

from ..shared.password_form import PasswordForm
from ..throttles import throttled


class PinForm(PasswordForm):
    """A new PIN, with the password of the account that sets it."""

    pin = forms.CharField(
        label=gettext_lazy("New PIN"),
        max_length=LONGEST,
        help_text=gettext_lazy("4 to 8 digits."),
        widget=forms.PasswordInput({"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Type the PIN that you want, or remove it below.")
        },
    )
    field_order = ("pin", "password")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = _(
            "The one you sign in with, so that nobody else sets a PIN on your phone."
        )
        self.fields["pin"].required = not self.removes

    @property
    def removes(self) -> bool:
        """Whether the PIN is to go."""
        return "remove" in self.data


@sensitive_post_parameters("pin", "password")
@login_required
@require_http_methods(["GET", "POST"])
@throttled("sign_in", methods=("POST",))
def pin(request: HttpRequest) -> HttpResponse:
    """Set, change or remove the PIN with which one answers on a phone that is passed round."""
    own = Player.objects.filter(user=check_signed_in(request.user)).first()
    form = PinForm(request.POST if request.method == "POST" else None, request=request)
    if own and form.is_bound and form.is_valid():
        try:
            set_pin(own, "" if form.removes else form.cleaned_data["pin"], by=request.user)
            messages.success(
                request, _("Your PIN is removed.") if form.removes else _("Your PIN is set.")
            )
            return redirect(own)
        except ValidationError as error:
            form.add_error("pin", error.error_dict["pin"])
    status = 422 if form.is_bound else 200
    return render(request, "player/pin.html", {"form": form, "player": own}, status=status)
