"""The tables of the club and their cards, for organisers."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.models import ClubTable
from scoring.models.permissions import Permission, check_permission
from scoring.services.seating import clear_table
from scoring.services.table_codes import (
    CodesChanged,
    add_tables,
    codes_etag,
    rename_table,
    renew_codes,
    revoke_code,
)

from ..shared.qr import card_code
from ..shared.requests import members_post

MADE_ALREADY = gettext_lazy(
    "New cards were made already, and they stay valid. Are they lost? Then make new ones here."
)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """The list; whoever adds tables gets their cards, which are shown this once."""
    check_permission(request.user, Permission.MANAGE_TABLE_CODES)
    names, problems = request.POST.get("names", ""), []
    if request.method == "POST":
        try:
            return _cards(request, add_tables(names, by=request.user))
        except ValidationError as error:
            problems = error.messages
    return _list(request, names, problems, status=422 if problems else 200)


def _list(
    request: HttpRequest, names: str = "", problems: Sequence[str] = (), *, status: int
) -> HttpResponse:
    tables = list(ClubTable.objects.all())
    context = {
        "tables": tables,
        "seen": codes_etag(tables),
        "names": names,
        "problems": problems,
    }
    return render(request, "seating/tables.html", context, status=status)


@members_post()
@never_cache
def renew_all(request: HttpRequest) -> HttpResponse:
    """New codes for all tables, and their cards."""
    check_permission(request.user, Permission.MANAGE_TABLE_CODES)
    tables, seen = list(ClubTable.objects.all()), request.POST.get("seen", "")
    try:
        return _cards(request, renew_codes(tables, by=request.user, expected_etag=seen))
    except CodesChanged:
        # Such as the page of the cards, loaded again.
        messages.warning(request, MADE_ALREADY)
        return _list(request, status=409)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """One table: another name, a new code, no code, free seats."""
    check_permission(request.user, Permission.MANAGE_TABLE_CODES)
    shown = get_object_or_404(ClubTable, pk=pk)
    context = {
        "room_table": shown,
        "seen": codes_etag([shown]),
        "name": shown.name,
        "title": str(shown),
        "problems": [],
    }
    if request.method != "POST":
        return render(request, "seating/one_table.html", context)
    match request.POST.get("do"):
        case "renew":
            seen = request.POST.get("seen", "")
            try:
                return _cards(request, renew_codes([shown], by=request.user, expected_etag=seen))
            except CodesChanged:
                messages.warning(request, MADE_ALREADY)
                return render(request, "seating/one_table.html", context, status=409)
        case "revoke":
            revoke_code(shown, by=request.user)
            messages.success(request, _("The card of %(table)s is worth nothing now.") % _of(shown))
        case "clear":
            clear_table(shown, by=request.user)
            messages.success(request, _("All seats of %(table)s are free.") % _of(shown))
        case _:
            name = request.POST.get("name", "")
            try:
                rename_table(shown, name, by=request.user)
            except ValidationError as error:
                context |= {"name": name, "problems": error.messages}
                return render(request, "seating/one_table.html", context, status=422)
    return redirect("tables")


def _of(table: ClubTable) -> dict[str, str]:
    return {"table": str(table)}


def _cards(request: HttpRequest, codes: Sequence[tuple[ClubTable, str]]) -> HttpResponse:
    """The page to print: of each table its name, the picture to scan and the address in letters."""
    cards = []
    for table, code in codes:
        address = request.build_absolute_uri(reverse("scan", args=[code]))
        cards.append((table, address, card_code(address)))
    return render(request, "seating/cards.html", {"cards": cards})
