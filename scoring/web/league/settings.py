"""Starting a league, and changing one."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models import League
from scoring.models.permissions import Permission, check_permission
from scoring.services.idempotency import StoredResponse
from scoring.services.leagues import add_league, change_league, delete_league, why_it_stays
from scoring.services.rulesets import usual_version

from ..account.drafts import member_or_form_later, typed_before
from ..idempotent_form import idempotent_post, say_done
from ..shared.deletion import asked_first
from ..shared.league_form import LeagueForm
from ..shared.requests import visible_league
from ..shared.slugs import free_slug


@member_or_form_later
@require_http_methods(["GET", "HEAD", "POST"])
def new_league(request: HttpRequest) -> HttpResponse:
    """A name, a first day and rules; the address is made from the name."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    initial = {"ruleset_version": usual_version(), **typed_before(request)}
    form = LeagueForm(request.POST if request.method == "POST" else None, initial=initial)

    def save(data: dict[str, Any]) -> League:
        slug = free_slug(data["name"], League.objects.all(), "league")
        return add_league(slug, **data, by=request.user)

    return _answer(request, form, save)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything but its address. Games that have begun keep their rules."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    shown = visible_league(request, slug)
    form = LeagueForm(request.POST if request.method == "POST" else None, instance=shown)
    changing = League(pk=shown.pk, name=shown.name, slug=shown.slug)
    return _answer(
        request, form, lambda data: change_league(changing, **data, by=request.user), changing
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks whether a league that nobody played in shall go, and deletes it."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    shown = visible_league(request, slug)
    answer = asked_first(
        request,
        "league/delete.html",
        {"what": shown},
        why=why_it_stays(shown),
        newest=lambda: visible_league(request, slug).standing_versions,
        delete=lambda seen: delete_league(shown, by=request.user, seen=seen),
    )
    if answer:
        return answer
    messages.success(request, _("The league %(name)s is deleted.") % {"name": shown.name})
    return redirect("leagues")


def _answer(
    request: HttpRequest,
    form: LeagueForm,
    save: Callable[[dict[str, Any]], League],
    league: League | None = None,
) -> HttpResponse:
    if form.is_bound and form.is_valid():
        try:
            answer = idempotent_post(
                request, lambda: StoredResponse(200, {"league": save(form.changes).pk})
            )
        except ValidationError as error:
            form.refuse(error)
        else:
            say_done(request, answer, _("Saved."))
            saved = League.objects.filter(pk=answer.body["league"]).first()
            return redirect(saved or "leagues")
    unused = league is not None and not why_it_stays(league)
    context = {"form": form, "league": league, "unused": unused}
    return render(request, "league/change.html", context, status=422 if form.is_bound else 200)
