"""Adding people: one, a pasted list, or a file. A list is shown before anything of it is stored."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.models import Invitation
from scoring.models.permissions import Permission, check_permission
from scoring.operations.people_list import read_file, read_text
from scoring.services.people import add_player
from scoring.services.people_lists import PersonEntry, Planned, What, add_people, plan_people
from scoring.typed_numbers import typed_id

from ..shared.bounded_json import BoundedDecoder
from .forms import AddForm, ListForm

# What somebody has to look at stands first.
ORDER = (What.REFUSED, What.ASK, What.KNOWN, What.ADD)
MOST_NAMED = 10


@login_required
@require_http_methods(["GET", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """One person, or a list that is looked at first."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    sent = request.POST.get("do", "") if request.method == "POST" else None
    one = AddForm(request.POST if sent == "one" else None)
    many = ListForm(
        request.POST if sent == "look" else None, request.FILES if sent == "look" else None
    )
    if sent == "one" and (done := _add_one(request, one)):
        return done
    if sent == "look" and (shown := _look(request, many)):
        return shown
    if sent == "store":
        return _store(request)
    status = 200 if sent is None else 422
    return render(request, "people/add.html", {"one": one, "many": many}, status=status)


def _add_one(request: HttpRequest, form: AddForm) -> HttpResponse | None:
    if not form.is_valid():
        return None
    try:
        player = add_player(by=request.user, **form.cleaned_data)
    except ValidationError as error:
        form.refuse(error)
        return None
    messages.success(request, _("%(name)s is on the list.") % {"name": player})
    return redirect("person", player.pk)


def _look(request: HttpRequest, form: ListForm) -> HttpResponse | None:
    """What the list would do, row by row; None if it cannot be read."""
    if not form.is_valid():
        return None
    file = form.cleaned_data["file"]
    try:
        listed = read_file(file.read()) if file else read_text(form.cleaned_data["names"])
        return _shown(request, listed.entries, unread=listed.unread)
    except ValidationError as error:
        form.add_error("file" if file else "names", error)
        return None


def _shown(
    request: HttpRequest, entries: list[PersonEntry], problem: str = "", unread: Sequence[str] = ()
) -> HttpResponse:
    plan = plan_people(entries, by=request.user)
    counts = Counter(row.what for row in plan)
    context: dict[str, Any] = {
        "plan": sorted(plan, key=lambda row: (ORDER.index(row.what), not row.left_out)),
        "entries": json.dumps([[one.name, one.email, one.username, one.row] for one in entries]),
        "adds": counts[What.ADD],
        "asks": counts[What.ASK],
        "known": counts[What.KNOWN],
        "refused": counts[What.REFUSED],
        "mails": settings.SENDS_MAIL
        and any(row.entry.email for row in plan if row.what == What.ADD),
        "loses": any(row.entry.email or row.entry.username for row in plan),
        "unread": ", ".join(unread),
        "problem": problem,
    }
    return render(request, "people/look.html", context, status=422 if problem else 200)


def _store(request: HttpRequest) -> HttpResponse:
    """Add the people of a list that was looked at, as far as it still holds."""
    try:
        entries = _entries(request.POST.get("entries", ""))
    except (TypeError, ValueError):
        messages.error(request, _("The list got lost on the way: choose it again."))
        return redirect("add_people")
    sent = map(typed_id, request.POST.getlist("anyway"))
    anyway = {number for number in sent if number is not None}
    invites = "invite" in request.POST
    try:
        plan = plan_people(entries, by=request.user)
        added = add_people(entries, anyway=anyway, invites=invites, by=request.user)
    except ValidationError as error:
        if not entries:
            messages.error(request, error.messages[0])
            return redirect("add_people")
        return _shown(request, entries[:2000], problem=error.messages[0])
    done = ngettext("%(n)s person was added.", "%(n)s people were added.", len(added))
    messages.success(request, done % {"n": len(added)})
    if mailed := Invitation.objects.filter(player__in=added).exclude(email="").count():
        message = ngettext("%(n)s invitation is mailed.", "%(n)s invitations are mailed.", mailed)
        messages.success(request, message % {"n": mailed})
    _name_left_out(request, [row for row in plan if row.what == What.REFUSED])
    return redirect("people")


def _name_left_out(request: HttpRequest, rows: list[Planned]) -> None:
    """Tell whom of the list the club lacks, with the reason."""
    for row in rows[:MOST_NAMED]:
        words = {"name": row.entry.name, "why": row.why}
        messages.warning(request, _("Not added: %(name)s. %(why)s") % words)
    if (more := len(rows) - MOST_NAMED) > 0:
        left = ngettext("%(n)s more was not added.", "%(n)s more were not added.", more)
        messages.warning(request, left % {"n": more})


def _entries(text: str) -> list[PersonEntry]:
    """The list as the page before sent it.

    :raises ValueError, TypeError: if it is none.
    """
    rows = json.loads(text, cls=BoundedDecoder)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise TypeError("no list of rows")
    entries = [PersonEntry(*row) for row in rows]
    if not all(isinstance(cell, str) for row in rows for cell in row[:3]):
        raise TypeError("no text")
    if not all(type(cell) is int for row in rows for cell in row[3:]):
        raise TypeError("no number")
    return entries
