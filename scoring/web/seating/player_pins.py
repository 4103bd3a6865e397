"""The PIN of a player without an account: an organiser gives it, and who has it changes it.

Where nobody is signed in, the page takes the code of a table, which only who is in the room has.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import ClubTable, Player
from scoring.models.permissions import Permission, PermissionDenied, can
from scoring.queries.seating import may_sit_down
from scoring.services.errors import TooManyAttempts
from scoring.services.pins import LONGEST, change_pin, check_pin_elsewhere, set_pin
from scoring.services.seating import prove_at_table
from scoring.services.table_codes import UnknownCode, find_table

from ..throttles import throttled, too_often
from .phone import asker_of

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
    """Give the player a PIN, or change it. Who has an account does that on a page of their own.

    Without an account, ``?table=`` is the code of the table that one sits at.
    """
    table = None
    if not request.user.is_authenticated:
        try:
            table = find_table(request.GET.get("table", ""), asker=asker_of(request))
        except TooManyAttempts as refusal:
            return too_often(request, refusal.seconds, str(refusal))
        except UnknownCode:
            return redirect_to_login(request.get_full_path())
    # At a table everybody finds their own name, as on its page.
    at_table = may_sit_down(with_pin=True)
    players = at_table if table else Player.objects.visible_to(request.user)
    player = get_object_or_404(players, pk=pk, user=None)
    gives = can(request.user, Permission.CHANGE_A_PLAYER)
    form = NewPinForm(request.POST if request.method == "POST" else None, gives=gives)
    if form.is_bound and form.is_valid():
        try:
            _save(request, form, player, table, gives=gives)
            messages.success(request, _("The PIN of %(name)s is set.") % {"name": player})
            return redirect("scan", request.GET["table"]) if table else redirect(player)
        except TooManyAttempts as refusal:
            return too_often(request, refusal.seconds, str(refusal))
        except PermissionDenied as refusal:
            form.add_error("now", str(refusal))
        except ValidationError as error:
            form.add_error("pin", error.error_dict["pin"])
    context = {"form": form, "player": player, "gives": gives}
    return render(request, "seating/player_pin.html", context, status=422 if form.is_bound else 200)


def _save(
    request: HttpRequest, form: NewPinForm, player: Player, table: ClubTable | None, *, gives: bool
) -> None:
    if gives:
        set_pin(player, form.cleaned_data["pin"], by=request.user)
        return
    now = form.cleaned_data["now"]
    if table is None:
        proof = check_pin_elsewhere(player, now, asker=asker_of(request))
    else:
        proof = prove_at_table(player, now, table=table, asker=asker_of(request))
    change_pin(player, form.cleaned_data["pin"], proof=proof)
