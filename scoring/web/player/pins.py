"""The PIN of a member, on a page of their own."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import Player
from scoring.models.permissions import check_signed_in
from scoring.services.pins import set_pin

from ..hand.correction_form import PinForm
from ..throttles import throttled


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
    return render(request, "players/pin.html", {"form": form, "player": own}, status=status)
