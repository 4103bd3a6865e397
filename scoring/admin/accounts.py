"""Accounts and groups, and what accounts have chosen, for who runs the site.

Roles, and who may come in at all, are given by services: the page of the person is linked.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from scoring.models import AccountSettings
from scoring.models.people import ORGANISERS, OWNERS
from scoring.services.accounts import note_first_password
from scoring.services.roles import require_nobody_elses

from .audited import Audited
from .ledger import LedgerAdmin

admin.site.unregister([User, Group])

# What Django itself shows of an account: name and password, the person, permissions, dates.
OF_DJANGO: Any = UserAdmin.fieldsets


class AccountForm(UserChangeForm):
    def clean(self) -> dict[str, Any] | None:
        """Nobody comes to the desk, or runs the site, by an account that an organiser opened."""
        cleaned = super().clean()
        for right in ("is_staff", "is_superuser"):
            if right in self.changed_data and self.cleaned_data.get(right):
                try:
                    require_nobody_elses(self.instance)
                except ValidationError as refusal:
                    self.add_error(right, refusal)
        return cleaned


@admin.register(User)
class AccountAdmin(Audited, UserAdmin):
    """Sign-in names, passwords, and who uses this desk or runs the site."""

    form = AccountForm
    added, changed = "create_account", "change_account"
    readonly_fields = ("person",)
    fieldsets = (
        (None, {"fields": ("username", "password", "person")}),
        OF_DJANGO[1],
        (OF_DJANGO[2][0], {"fields": ("is_staff", "is_superuser")}),
        OF_DJANGO[3],
    )

    @admin.display(description=_("Roles, and closing the account"))
    def person(self, account: User) -> SafeString:
        player = getattr(account, "player", None)
        place = ("person", player.pk) if player else ("person_account", account.pk)
        address = reverse(place[0], args=[place[1]])
        return format_html('<a href="{}">{}</a>', address, _("The page of this person"))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An account is closed on the page of its person, or goes when its member leaves."""
        return False

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        assert isinstance(obj, User)
        if obj.has_usable_password():
            note_first_password(obj, by=request.user)
        return super().log_addition(request, obj, message)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        # Django answers so once the password is stored.
        account = User.objects.filter(pk=id).first() if answer.status_code == 302 else None
        if account and account != request.user and account.has_usable_password():
            note_first_password(account, by=request.user)
        return answer


@admin.register(Group)
class AccountGroupAdmin(Audited, GroupAdmin):
    """Groups. Those of organisers and owners stay as the services of roles make them."""

    def get_readonly_fields(self, request: HttpRequest, obj: Group | None = None) -> Any:
        return ("name", "permissions") if _is_of_role(obj) else ()

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return not _is_of_role(obj) and super().has_delete_permission(request, obj)


def _is_of_role(group: Group | None) -> bool:
    return group is not None and group.name in (ORGANISERS, OWNERS)


@admin.register(AccountSettings)
class AccountSettingsAdmin(LedgerAdmin):
    list_display = ("user", "language")
    list_select_related = ("user",)
    search_fields = ("user__username",)
