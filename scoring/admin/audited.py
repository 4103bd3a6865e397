"""What is changed or deleted at this desk stands in the audit, beside what the tables did."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest
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


class Audited(AuditedDeletions):
    """Each row that is added or changed leaves an entry, with what its fields were before."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        request.fields_before = {  # type: ignore[attr-defined]
            name: _plain(form.initial.get(name))
            for name in form.changed_data
            if name not in SECRET and form.initial.get(name) != form.cleaned_data.get(name)
        }
        super().save_model(request, obj, form, change)

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        log_audit("add_at_desk", obj, by=request.user)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        # A password is changed without a form of the row: there is nothing to tell but that.
        log_audit(
            "change_at_desk", obj, by=request.user, before=getattr(request, "fields_before", {})
        )
        return super().log_change(request, obj, message)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


# Nobody signs in with tokens of that kind any more. Mails, second factors and sessions are their
# people's own: they change them under /account/.
admin.site.unregister([TokenProxy, EmailAddress, Authenticator, UserSession])

DESKS: tuple[tuple[type[Model], type, type], ...] = (
    (User, Audited, UserAdmin),
    (Group, Audited, GroupAdmin),
)
for model, audited, desk in DESKS:
    if admin.site.is_registered(model):
        admin.site.unregister(model)
    admin.site.register(model, type(f"Audited{desk.__name__}", (audited, desk), {}))
