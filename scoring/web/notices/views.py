"""The notices of whoever is signed in, and for owners those that nobody could deliver."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from scoring.models.permissions import Permission, can, check_permission, check_signed_in
from scoring.queries.notices import in_words, notices_of, undelivered
from scoring.services.notices import mark_read

from ..shared.requests import members_post

ROWS = 50


@login_required
@require_GET
def notices(request: HttpRequest) -> HttpResponse:
    """The newest first."""
    own = notices_of(check_signed_in(request.user))
    page = Paginator(own, ROWS).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": in_words(list(page.object_list)),
        "is_owner": can(request.user, Permission.CHANGE_THE_CLUB),
    }
    return render(request, "notices/notices.html", context)


@members_post()
def open_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark it as read, and show what it is about."""
    notice = get_object_or_404(notices_of(check_signed_in(request.user)), pk=pk)
    mark_read(by=request.user, notice=notice.pk)
    return redirect(in_words([notice])[0].text.link)


@members_post()
def read_all(request: HttpRequest) -> HttpResponse:
    """Mark all of them as read."""
    mark_read(by=request.user)
    return redirect("notices")


@login_required
@require_GET
def undelivered_notices(request: HttpRequest) -> HttpResponse:
    """What was not sent, and why."""
    check_permission(request.user, Permission.CHANGE_THE_CLUB)
    page = Paginator(undelivered(), ROWS).get_page(request.GET.get("page"))
    return render(request, "notices/undelivered.html", {"page": page})
