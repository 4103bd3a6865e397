"""The club's own settings, for owners."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models import Club
from scoring.models.permissions import Permission, check_permission
from scoring.services.club import change_club
from scoring.services.second_factor import has_second_factor

from .forms import ClubForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Read and change them."""
    check_permission(request.user, Permission.CHANGE_THE_CLUB)
    club = Club.objects.first() or Club()
    form = ClubForm(request.POST if request.method == "POST" else None, instance=club)
    if form.is_bound and form.is_valid():
        try:
            change_club(**form.changes, by=request.user)
        except ValidationError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Saved. Every page follows within seconds."))
            return redirect("club")
    context = {"form": form, "has_second_factor": has_second_factor(request.user)}
    return render(request, "club/settings.html", context, status=422 if form.is_bound else 200)
