"""The page of the audit, for owners."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from scoring.models import AuditEntry, club_day
from scoring.models.letters import plain_letters
from scoring.models.people import person_name
from scoring.models.permissions import Permission, check_permission
from scoring.operations.csv.columns import safe
from scoring.operations.sheets import Sheet
from scoring.queries.trail import TrailEntry, acts_in_words, in_words, subjects, trail
from scoring.typed_numbers import RowField

from ..shared.sheet_file import sheet_file

A_PAGE = 50
AT_ONCE = 500


class TrailForm(forms.Form):
    """Which entries: all, without any choice."""

    by = RowField(User.objects.none(), required=False, label=gettext_lazy("Who"), empty_label=None)
    subject = forms.ChoiceField(required=False, label=gettext_lazy("About"))
    day = forms.DateField(
        required=False,
        label=gettext_lazy("Day"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )

    fields: dict[str, Any]

    def __init__(self, *args: Any, reader: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = User.objects.select_related("player")
        named = [(person_name(one, reader=reader), one.pk) for one in people]
        named.sort(key=lambda pair: plain_letters(pair[0]))
        self.fields["by"].queryset = people
        self.fields["by"].choices = [("", _("Everybody")), *((pk, name) for name, pk in named)]
        self.fields["subject"].choices = [("", _("Everything")), *subjects()]
        self.fields["day"].widget.attrs["max"] = club_day().isoformat()


@login_required
@require_safe
def trail_page(request: HttpRequest) -> HttpResponse:
    """The entries that ``?by=``, ``?subject=`` and ``?day=`` ask for, 50 a page."""
    reader = check_permission(request.user, Permission.READ_THE_TRAIL)
    form = TrailForm(request.GET, reader=reader)
    page = Paginator(_entries(form), A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "entries": acts_in_words(list(page.object_list), reader)}
    return render(request, "club/trail.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def as_xlsx(request: HttpRequest) -> HttpResponse:
    """The same entries, all of them, for a spreadsheet."""
    reader = check_permission(request.user, Permission.READ_THE_TRAIL)
    entries = _entries(TrailForm(request.GET, reader=reader))
    return sheet_file(Sheet(_headings(), _rows(entries, reader)), "trail", "xlsx")


@login_required
@require_safe
def as_csv(request: HttpRequest) -> HttpResponseBase:
    """The same for other programs."""
    reader = check_permission(request.user, Permission.READ_THE_TRAIL)
    entries = _entries(TrailForm(request.GET, reader=reader))
    response = StreamingHttpResponse(_lines(entries, reader), content_type="text/csv")
    response.headers["Content-Disposition"] = 'attachment; filename="trail.csv"'
    return response


def _headings() -> list[str]:
    return [_("When"), _("Who"), _("What"), _("About"), _("Field"), _("Before"), _("After")]


def _entries(form: TrailForm) -> Any:
    return trail(**form.cleaned_data) if form.is_valid() else trail().none()


class _Echo:
    """A file whose writer is handed each line back."""

    def write(self, line: str) -> str:
        return line


def _lines(entries: Any, reader: User) -> Iterator[str]:
    writer = csv.writer(_Echo())
    # Tells spreadsheets that it is UTF-8.
    yield "\ufeff"
    yield writer.writerow(_headings())
    for row in _rows(entries, reader):
        yield writer.writerow([safe(cell) for cell in row])


def _rows(entries: Any, reader: User) -> Iterator[list[str]]:
    """The rows of all ``entries``, some at a time."""
    last: int | None = None
    while some := _after(entries, last):
        last = some[-1].pk
        for entry in in_words(some, reader):
            yield from _of_entry(entry)


def _after(entries: Any, last: int | None) -> list[AuditEntry]:
    return list((entries if last is None else entries.filter(pk__lt=last))[:AT_ONCE])


def _of_entry(entry: TrailEntry) -> Iterable[list[str]]:
    """A row for each field that changed; one for an entry without any."""
    at = timezone.localtime(entry.at).isoformat(sep=" ", timespec="seconds")
    about = [at, entry.who, entry.what, entry.subject]
    if not entry.changes:
        return [[*about, "", "", ""]]
    return [[*about, change.field, change.before, change.after] for change in entry.changes]
