"""Everybody of the club, for organisers: who is there, who joined, and who can be added."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.models import Invitation, InvitationUse
from scoring.models.permissions import Permission, check_permission
from scoring.queries.leading import has_owner
from scoring.queries.people import (
    Show,
    claims_waiting,
    invitations,
    people,
    refused_invitations,
    with_refused_mail,
    with_roles,
)
from scoring.services.invitations import (
    decide_claim,
    invite,
    join_path,
    mail_invitation,
    revoke_invitation,
    revoke_invitations,
)
from scoring.typed_numbers import typed_id

from ..shared.requests import members_post
from .forms import OpenInviteForm
from .links import ShownLink, shown_link

A_PAGE = 50
FILTERS = [
    (Show.ALL, gettext_lazy("everybody")),
    (Show.NEVER, gettext_lazy("never signed in")),
    (Show.NO_ACCOUNT, gettext_lazy("without account")),
    (Show.LEFT, gettext_lazy("left")),
    (Show.ORGANISERS, gettext_lazy("organisers")),
]


@login_required
@require_safe
def people_list(request: HttpRequest) -> HttpResponse:
    """Everybody, by name; ``?q=`` looks for a part of a name, ``?show=`` narrows the list."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    wanted = request.GET.get("q", "").strip()[:80]
    asked = request.GET.get("show", "")
    show = Show(asked) if asked in set(Show) else Show.ALL
    page = Paginator(people(wanted, show), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": with_roles(page.object_list),
        "wanted": wanted,
        "show": show,
        "filters": FILTERS,
        "claims": claims_waiting(),
        "refused": refused_invitations(),
        "has_owner": has_owner(),
    }
    return render(request, "people/index.html", context)


@members_post()
def claims(request: HttpRequest) -> HttpResponse:
    """Confirm or decline that who joined is the player they say to be."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    use = get_object_or_404(InvitationUse, pk=_number(request, "use"))
    confirm = request.POST.get("decision") == "confirm"
    try:
        decide_claim(use, confirm=confirm, by=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("people")
    if confirm:
        messages.success(request, _("Confirmed: %(name)s can sign in.") % {"name": use.name})
        return redirect("people")
    message = _(
        "Declined: %(name)s. The account is still open, as a member’s. Does nobody know the person? Then "
        "close it here."
    )
    messages.warning(request, message % {"name": use.name})
    return redirect("person_account", use.account_id)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def invitation_list(request: HttpRequest) -> HttpResponse:
    """All invitations, and a form for another one, whose link is shown once."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    form = _open_form(request.POST if request.method == "POST" else None)
    link, status = None, 200
    if form.is_bound:
        link = _invited(request, form)
        status = 200 if link else 422
    if link:
        # The next one is for somebody else.
        form = _open_form(None)
    page = Paginator(invitations(), A_PAGE).get_page(request.GET.get("page"))
    running = Invitation.objects.running().count()
    context = {
        "form": form,
        "link": link,
        "page": page,
        "rows": with_refused_mail(page.object_list),
        "running": running,
    }
    return render(request, "people/invitations.html", context, status=status)


def _open_form(sent: QueryDict | None) -> OpenInviteForm:
    form = OpenInviteForm(sent)
    if not settings.SENDS_MAIL:
        del form.fields["email"]
    return form


@members_post()
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke the one that the field ``invitation`` names, or ``all``."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    if request.POST.get("invitation") == "all":
        revoked = revoke_invitations(by=request.user)
        message = ngettext(
            "%(n)s invitation is revoked.", "%(n)s invitations are revoked.", revoked
        )
        messages.success(request, message % {"n": revoked})
        return redirect("invitations")
    invitation = get_object_or_404(Invitation, pk=_number(request, "invitation"))
    revoke_invitation(invitation, by=request.user)
    messages.success(request, _("Nobody joins with this invitation any more."))
    return redirect("invitations")


def _invited(request: HttpRequest, form: OpenInviteForm) -> ShownLink | None:
    """The link of the invitation that ``form`` asks for; None if it is refused."""
    if not form.is_valid():
        return None
    asked = form.cleaned_data
    try:
        invitation, code = invite(
            asked["player"],
            days=asked["days"],
            once=asked["player"] is not None or asked["once"] == "once",
            email=asked.get("email", ""),
            by=request.user,
        )
    except ValidationError as error:
        form.refuse(error)
        return None
    mail_invitation(invitation, code)
    return shown_link(request.build_absolute_uri(join_path(code)), str(asked["player"] or ""))


def _number(request: HttpRequest, field: str) -> int:
    """:raises Http404: for a number that no row has."""
    number = typed_id(request.POST.get(field, ""))
    if number is None:
        raise Http404
    return number
