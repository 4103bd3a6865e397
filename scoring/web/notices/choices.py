"""The page on which people choose their notices, by mail and on which devices."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from scoring.models import Channel, NoticeKind
from scoring.models.permissions import check_signed_in
from scoring.queries.notices import choices_of, devices_of
from scoring.services.notices import add_device, choose_notices, remove_device
from scoring.services.signed_in import DEVICE, own_device
from scoring.services.unsubscribing import read_unsubscribe_token, unsubscribe
from scoring.site.vapid import public_key
from scoring.typed_numbers import typed_id

from ..shared.requests import members_post
from ..throttles import throttled


class ChoicesForm(forms.Form):
    """A list of channels for each kind of notice."""

    def __init__(self, data: object, *, chosen: dict[tuple[NoticeKind, Channel], bool]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        for kind in dict.fromkeys(kind for kind, _channel in chosen):
            self.fields[kind.value] = forms.MultipleChoiceField(
                label=capfirst(kind.label),
                choices=Channel.choices,
                initial=[channel for channel in Channel if chosen[kind, channel]],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    def wanted(self) -> list[tuple[NoticeKind, Channel]]:
        """What is ticked."""
        return [
            (NoticeKind(kind), Channel(channel))
            for kind, channels in self.cleaned_data.items()
            for channel in channels
        ]


@login_required
@require_http_methods(["GET", "POST"])
def choices(request: HttpRequest) -> HttpResponse:
    """What is sent to whoever is signed in, a form to change it, and their devices."""
    account = check_signed_in(request.user)
    chosen = choices_of(account)
    form = ChoicesForm(request.POST if request.method == "POST" else None, chosen=chosen)
    if form.is_bound and form.is_valid():
        choose_notices(form.wanted(), chosen, by=account)
        messages.success(request, _("Your choice is saved."))
        return redirect("notice_choices")
    context = {
        "form": form,
        "devices": devices_of(account),
        "sends_mail": settings.SENDS_MAIL,
        "address": account.email,
        "push_key": _push_key(),
    }
    return render(request, "notices/choices.html", context, status=422 if form.is_bound else 200)


@members_post()
@throttled("sign_in")
def add(request: HttpRequest) -> HttpResponse:
    """Show notices in the browser that asks: a script sends its subscription. 204, or 422.

    With ``known`` it only says which one is its own: it was signed in anew since.
    """
    endpoint = request.POST.get("endpoint", "")
    if "known" in request.POST:
        request.session[DEVICE] = own_device(check_signed_in(request.user), endpoint)
        return HttpResponse(status=204)
    sent = {name: request.POST.get(name, "") for name in ("p256dh", "auth", "device")}
    try:
        # What is signed out from here or elsewhere shows no more notices.
        request.session[DEVICE] = add_device(endpoint, by=request.user, **sent)
    except ValidationError as error:
        return HttpResponse(error.messages[0], status=422, content_type="text/plain")
    return HttpResponse(status=204)


@members_post()
def remove(request: HttpRequest) -> HttpResponse:
    """Show no more notices on the device that the field ``device`` names."""
    pk = typed_id(request.POST.get("device", ""))
    if pk is None:
        raise Http404
    remove_device(pk, by=request.user)
    return redirect("notice_choices")


@csrf_exempt  # a mail program sends it, and the token in the address proves where it comes from
@never_cache
@require_http_methods(["GET", "POST"])
@throttled("sign_in")
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """End the mails of one kind by the link in one of them: asked first, unless by a mail program."""
    account_and_kind = read_unsubscribe_token(token)
    if account_and_kind is None:
        raise Http404
    account, kind = account_and_kind
    if request.method == "POST":
        unsubscribe(account, kind)
    context = {"kind": kind.label, "stopped": request.method == "POST"}
    return render(request, "notices/stop.html", context)


def _push_key() -> str:
    """The key that browsers subscribe with; empty where none can be kept."""
    try:
        return public_key(settings.VAPID_KEY)
    except OSError:
        return ""
