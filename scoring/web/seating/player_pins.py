"""The PIN of a player without an account: an organiser gives it, and who has it changes it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import Player
from scoring.models.permissions import Permission, PermissionDenied, can
from scoring.services.errors import TooManyAttempts
from scoring.services.pins import LONGEST, change_pin, check_pin, set_pin

from ..throttles import throttled, too_often

TYPED = forms.PasswordInput({"inputmode": "numeric", "autocomplete": "off"})


class NewPinForm(forms.Form):
    """A PIN that an organiser gives, or that takes the place of the one ``now``."""

    now = forms.CharField(label=gettext_lazy("PIN of today"), max_length=LONGEST, widget=TYPED)
    pin = forms.CharField(
        label=gettext_lazy("New PIN"),
        max_length=LONGEST,
        help_text=gettext_lazy("4 to 8 digits."),
        widget=TYPED,
    )

    def __init__(self, *args: Any, gives: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if gives:
            del self.fields["now"]


@sensitive_post_parameters("now", "pin")
@require_http_methods(["GET", "POST"])
@never_cache
@throttled("sign_in", methods=("POST",))
def player_pin(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the player a PIN, or change it. Who has an account does that on a page of their own."""
    player = get_object_or_404(Player.objects.visible_to(request.user), pk=pk, user=None)
    gives = can(request.user, Permission.CHANGE_A_PLAYER)
    form = NewPinForm(request.POST if request.method == "POST" else None, gives=gives)
    if form.is_bound and form.is_valid():
        try:
            _save(request, form, player, gives=gives)
            messages.success(request, _("The PIN of %(name)s is set.") % {"name": player})
            return redirect(player)
        except TooManyAttempts as refusal:
            return too_often(request, refusal.seconds)
        except PermissionDenied as refusal:
            form.add_error("now", str(refusal))
        except ValidationError as error:
            form.add_error("pin", error.error_dict["pin"])
    context = {"form": form, "player": player, "gives": gives}
    return render(request, "seating/player_pin.html", context, status=422 if form.is_bound else 200)


def _save(request: HttpRequest, form: NewPinForm, player: Player, *, gives: bool) -> None:
    if gives:
        set_pin(player, form.cleaned_data["pin"], by=request.user)
    else:
        proof = check_pin(player, form.cleaned_data["now"])
        change_pin(player, form.cleaned_data["pin"], proof=proof)
