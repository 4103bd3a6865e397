"""Taking the name of somebody without an account out of everything that is kept."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models import Player
from scoring.models.permissions import Permission, check_permission
from scoring.services.anonymity import names_of, ordinary_words
from scoring.services.leaving import make_anonymous, open_game_of, still_sits

from .forms import SureForm
from .proof import require_proof


@login_required
@require_http_methods(["GET", "POST"])
def take_name_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks whether the name shall go, and takes it out."""
    check_permission(request.user, Permission.MAKE_ANONYMOUS)
    player = get_object_or_404(Player, pk=pk, anonymous_since=None)
    if request.method == "POST":
        require_proof(request)
    if (game := open_game_of(player)) is not None:
        status = 422 if request.method == "POST" else 200
        context = {"player": player, "game": game, "why": still_sits(player, game)}
        return render(request, "people/take_name_out.html", context, status=status)
    form = SureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            make_anonymous(player, by=request.user)
        except ValidationError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The name is taken out."))
            return redirect("person", pk)
    status = 422 if request.method == "POST" else 200
    context = {"player": player, "form": form, "words": ordinary_words(names_of(player))}
    return render(request, "people/take_name_out.html", context, status=status)
