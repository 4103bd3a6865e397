"""Accounts and groups, and what accounts have chosen, for who runs the site.

Roles, and who may come in at all, are given by services: the page of the person is linked.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from scoring.models import AccountSettings
from scoring.models.people import ORGANISERS_GROUP, OWNERS_GROUP
from scoring.models.permissions import Role
from scoring.models.roles import role_of
from scoring.services.accounts import check_sign_in, log_first_password
from scoring.services.roles import require_nobody_elses

from .audited import Audited
from .ledger import LedgerAdmin

admin.site.unregister([User, Group])

# What Django itself shows of an account: name and password, the person, permissions, dates.
OF_DJANGO: Any = UserAdmin.fieldsets


class CheckedSignInForm(forms.ModelForm):
    """A form whose sign-in name and mail address follow the rule of every other entry point."""

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        asked = {name: self.cleaned_data.get(name) for name in ("username", "email")}
        given = {name: value for name, value in asked.items() if value is not None}
        changed = [name for name in given if name in self.changed_data]
        if changed:
            email = given.get("email", self.instance.email)
            account = User(pk=self.instance.pk, username=given.get("username", ""), email=email)
            try:
                check_sign_in(account, *changed)
            except ValidationError as refusal:
                self.add_error(None, refusal)
        return cleaned


class NewAccountForm(CheckedSignInForm, AdminUserCreationForm):
    """As Django makes one, by the rule of names."""


class ChangeAccountForm(CheckedSignInForm, UserChangeForm):
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

    form, add_form = ChangeAccountForm, NewAccountForm
    added, changed = "create_account", "change_account"
    readonly_fields = ("person",)
    fieldsets = (
        (None, {"fields": ("username", "password", "person")}),
        OF_DJANGO[1],
        (OF_DJANGO[2][0], {"fields": ("is_staff", "is_superuser")}),
        OF_DJANGO[3],
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        rights = () if request.user.is_superuser else ("is_staff", "is_superuser")
        return (*self.readonly_fields, *rights)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Who runs the site changes every account; who else may change some, those of members."""
        may = super().has_change_permission(request, obj)
        own_role = obj is not None and (obj.is_staff or role_of(obj) != Role.MEMBER)
        return may and (request.user.is_superuser or not own_role)

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
            log_first_password(obj, by=request.user)
        return super().log_addition(request, obj, message)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        # Django answers so once the password is stored.
        account = User.objects.filter(pk=id).first() if answer.status_code == 302 else None
        if account and account != request.user and account.has_usable_password():
            log_first_password(account, by=request.user)
        return answer


@admin.register(Group)
class AccountGroupAdmin(Audited, GroupAdmin):
    """Groups. Those of organisers and owners stay as the services of roles make them.

    What the others may is said by who runs the site alone: whoever says it could say it of their own.
    """

    def get_readonly_fields(self, request: HttpRequest, obj: Group | None = None) -> Any:
        if _is_of_role(obj):
            return "name", "permissions"
        return () if request.user.is_superuser else ("permissions",)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return not _is_of_role(obj) and super().has_delete_permission(request, obj)


def _is_of_role(group: Group | None) -> bool:
    return group is not None and group.name in (ORGANISERS_GROUP, OWNERS_GROUP)


@admin.register(AccountSettings)
class AccountSettingsAdmin(LedgerAdmin):
    list_display = ("user", "language")
    list_select_related = ("user",)
    search_fields = ("user__username",)
