"""The people of the club."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.models import Player
from scoring.models.permissions import Permission, can
from scoring.models.roles import may_handle
from scoring.services.people import add_player, change_player, require_no_look_alike

from .audited import SavedByServices


class PlayerForm(forms.ModelForm):
    """A player, and a second yes for a name that looks like that of another one."""

    anyway = forms.BooleanField(
        label=_("It is another person"),
        required=False,
        help_text=_("For a name that looks like that of somebody who is on the list already."),
    )

    def _post_clean(self) -> None:
        """Ask only about a name that is none of somebody else's."""
        super()._post_clean()  # type: ignore[misc]
        if self.errors or "name" not in self.changed_data or self.cleaned_data.get("anyway"):
            return
        try:
            require_no_look_alike(self.instance.name, but=self.instance.pk)
        except ValidationError as error:
            self.add_error("name", error.error_dict["name"])


@admin.register(Player)
class PlayerAdmin(SavedByServices, admin.ModelAdmin):
    """Names and accounts. Who has played cannot be deleted: say that they have left."""

    list_display = ("name", "user", "active", "joined_at")
    list_filter = ("active", ("user", admin.EmptyFieldListFilter))
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    date_hierarchy = "joined_at"
    form = PlayerForm
    fields = ("name", "anyway", "user", "active", "hides_name", "joined_at")
    autocomplete_fields = ("user",)
    actions = ("they_left", "they_are_back")

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Only who may see the accounts can choose one."""
        sees_accounts = request.user.has_perm("auth.view_user")
        return ("joined_at",) if sees_accounts else ("joined_at", "user")

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Save by the services that every entry point calls; an account is chosen here only."""
        if not change:
            obj.pk = add_player(**form.cleaned_data, by=request.user).pk
        elif changes := {name: form.cleaned_data[name] for name in form.changed_data}:
            change_player(Player.objects.get(pk=obj.pk), **changes, by=request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """A player goes with the link to an account, which has to be one to take."""
        may_delete: bool = super().has_delete_permission(request, obj)
        account = obj.user if obj else None
        return may_delete and (account is None or may_handle(account, by=request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        for player in queryset.select_related("user"):
            if not self.has_delete_permission(request, player):
                raise PermissionDenied
        super().delete_queryset(request, queryset)

    def has_organise_permission(self, request: HttpRequest) -> bool:
        return can(request.user, Permission.CHANGE_A_PLAYER)

    @admin.action(description=_("Mark as former players"), permissions=["organise"])
    def they_left(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        self._set_active(request, players, active=False)

    @admin.action(description=_("Mark as active players"), permissions=["organise"])
    def they_are_back(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        self._set_active(request, players, active=True)

    def _set_active(self, request: HttpRequest, players: QuerySet[Player], *, active: bool) -> None:
        done = sum(self._is_set(request, player, active=active) for player in players)
        message = ngettext("%(n)s player changed.", "%(n)s players changed.", done)
        self.message_user(request, message % {"n": done})

    def _is_set(self, request: HttpRequest, player: Player, *, active: bool) -> bool:
        try:
            change_player(player, active=active, by=request.user)
        except ValidationError as refusal:
            message = f"{player}: {' '.join(refusal.messages)}"
            self.message_user(request, message, messages.WARNING)
            return False
        self.log_change(request, player, [{"changed": {"fields": ["active"]}}])
        return True
