"""Base classes of the desk for rows that may be looked at, and never changed by hand."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db import models
from django.http import HttpRequest


class Untouched:
    """Nobody adds, changes or deletes a row of this kind here, superusers neither."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class LedgerAdmin(Untouched, admin.ModelAdmin):
    """A list and a page of what is on record."""

    # A season has a million hands: nobody waits for the number of all of them.
    show_full_result_count = False


class Detail:
    """Rows that the page of something else shows: links lead here, the list of the desk does not."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False


class LedgerInline(Untouched, admin.TabularInline):
    """Rows that belong to what the page is about."""

    extra = 0
    can_delete = False
    show_change_link = True
    fields: ClassVar[tuple[str, ...]]

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> Any:
        return self.fields
