"""Log each change and deletion at the desk in the audit, beside those at the tables."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from rest_framework.authtoken.models import TokenProxy

from scoring.services.audit import log_audit

# What no entry repeats, though it was there before.
SECRET = {"password", "password1", "password2", "usable_password"}


class AuditedDeletions(admin.ModelAdmin):
    """Each row that is deleted leaves an entry with its name."""

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        for row in queryset:
            log_audit("delete_at_desk", row, by=request.user, was=str(row))
        return super().log_deletions(request, queryset)


class SavedByServices(AuditedDeletions):
    """A desk whose ``save_model`` calls the services that every entry point calls: they log it."""

    def changeform_view(self, request: HttpRequest, *asked: Any, **named: Any) -> HttpResponse:
        """What only the saving found (somebody else was faster with the name) is said on the page."""
        try:
            return super().changeform_view(request, *asked, **named)
        except ValidationError as refusal:
            self.message_user(request, " ".join(refusal.messages), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())


class Audited(AuditedDeletions):
    """Each row that is added or changed leaves an entry, with what its fields were before."""

    # What an entry says was done.
    added, changed = "add_at_desk", "change_at_desk"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        request.changed_fields = _changed(form) if change else {}  # type: ignore[attr-defined]
        super().save_model(request, obj, form, change)

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        log_audit(self.added, obj, by=request.user)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        # A password is changed without a form of the row: there is nothing to tell but that.
        nothing: dict[str, dict[str, Any]] = {"before": {}, "after": {}}
        log_audit(self.changed, obj, by=request.user, **getattr(request, "changed_fields", nothing))
        return super().log_change(request, obj, message)


def _changed(form: Any) -> dict[str, dict[str, Any]]:
    """What ``form`` changes, before and after, without secrets."""
    changes: dict[str, dict[str, Any]] = {"before": {}, "after": {}}
    for name in form.changed_data:
        before, after = _plain(form.initial.get(name)), _plain(form.cleaned_data.get(name))
        if name not in SECRET and before != after:
            changes["before"][name], changes["after"][name] = before, after
    return changes


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | QuerySet):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


# Nobody signs in with tokens of that kind any more. Mails, second factors and sessions are their
# people's own: they change them under /account/.
admin.site.unregister([TokenProxy, EmailAddress, Authenticator, UserSession])
admin.site.unregister([SocialAccount, SocialApp, SocialToken])
