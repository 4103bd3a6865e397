"""Rule sets: a change of the house options is a new version, and the old ones stay."""

from typing import Any, Protocol
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Case, Count, Exists, OuterRef, QuerySet, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.rules import OPTIONS
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.permissions import check_signed_in
from scoring.services.rulesets import add_ruleset, add_version, change_ruleset
from scoring.typed_numbers import typed_id

from .audited import SavedByServices
from .ledger import LedgerInline
from .options import OPTION_IDS, OptionsForm

USUAL_RULES = "club"
HOUSE_OPTIONS = (_("House options"), {"fields": OPTION_IDS})
_OF_A_BOOK = Exists(RuleSetVersion.objects.filter(ruleset=OuterRef("pk"), book__isnull=False))


class Counted(Protocol):
    """A row of a list, with how many rows belong to it."""

    counted: int


class RuleSetVersionForm(OptionsForm):
    """The next version of a rule set."""

    fields: dict[str, Any]

    class Meta:
        model = RuleSetVersion
        fields = ("ruleset",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if (
            "ruleset" in self.fields
        ):  # a rule book has no options: its versions are made on its page
            self.fields["ruleset"].queryset = RuleSet.objects.filter(~_OF_A_BOOK)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        self.instance.options = getattr(self, "options", {})
        return data


class NewRuleSetForm(OptionsForm):
    """A rule set and its first version: without one, nothing can be scored by it."""

    class Meta:
        model = RuleSet
        fields = ("name", "slug", "description")


class VersionInline(LedgerInline):
    model = RuleSetVersion
    fields = ("number", "created_at", "created_by")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RuleSetVersion]:
        return super().get_queryset(request).select_related("ruleset", "created_by")


@admin.register(RuleSet)
class RuleSetAdmin(SavedByServices, admin.ModelAdmin):
    list_display = ("name", "slug", "number_of_versions")
    search_fields = ("name", "slug", "description")
    inlines = (VersionInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RuleSet]:
        rulesets: QuerySet[RuleSet] = super().get_queryset(request)
        return rulesets.annotate(counted=Count("versions"), of_a_book=_OF_A_BOOK)

    def get_form(
        self, request: HttpRequest, obj: RuleSet | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = self.form if obj else NewRuleSetForm
        return super().get_form(request, obj, change, form=form, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: RuleSet | None = None) -> Any:
        about = ("name", "slug", "description")
        if obj:
            return ((None, {"fields": (*about, "next_version")}),)
        return ((None, {"fields": about}), HOUSE_OPTIONS)

    def get_inlines(self, request: HttpRequest, obj: RuleSet | None) -> Any:
        return self.inlines if obj else ()

    def get_readonly_fields(self, request: HttpRequest, obj: RuleSet | None = None) -> Any:
        """The short name is the address of the rules."""
        return ("slug", "next_version") if obj else ()

    def get_prepopulated_fields(self, request: HttpRequest, obj: RuleSet | None = None) -> Any:
        return {} if obj else {"slug": ("name",)}

    def has_delete_permission(self, request: HttpRequest, obj: RuleSet | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: RuleSet, form: Any, change: bool) -> None:
        name, description, by = obj.name, obj.description, request.user
        if not change:
            options = form.options
            added = add_ruleset(
                obj.slug, name=name, description=description, options=options, by=by
            )
            obj.pk = added.pk
        elif form.changed_data:
            change_ruleset(obj, name=name, description=description, by=by)

    @admin.display(description=_("versions"), ordering="counted")
    def number_of_versions(self, ruleset: Counted) -> int:
        return ruleset.counted

    @admin.display(description=_("other options"))
    def next_version(self, ruleset: Any) -> str:
        if ruleset.of_a_book:
            address = reverse("new_rules", args=[ruleset.slug])
            return format_html('<a href="{}">{}</a>', address, _("Make a new version"))
        address = reverse("admin:scoring_rulesetversion_add")
        asked = urlencode({"ruleset": ruleset.pk})
        return format_html('<a href="{}?{}">{}</a>', address, asked, _("Make a new version"))


@admin.register(RuleSetVersion)
class RuleSetVersionAdmin(admin.ModelAdmin):
    """A version never changes: hands were scored by it."""

    form = RuleSetVersionForm
    list_display = ("ruleset", "number", "number_of_leagues", "created_at", "created_by")
    list_filter = ("ruleset",)
    search_fields = ("ruleset__name", "ruleset__slug")
    # The usual rules first: of most choices here, the right one.
    ordering = (
        Case(When(ruleset__slug=USUAL_RULES, then=0), default=1),
        "ruleset__slug",
        "-number",
    )
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[RuleSetVersion]:
        versions: QuerySet[RuleSetVersion] = super().get_queryset(request)
        return versions.select_related("ruleset", "created_by").annotate(counted=Count("leagues"))

    def get_fieldsets(self, request: HttpRequest, obj: RuleSetVersion | None = None) -> Any:
        if obj:
            return ((None, {"fields": ("ruleset", "number", "house_options", *MADE)}),)
        return ((None, {"fields": ("ruleset",)}), HOUSE_OPTIONS)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Starts from the newest version of the rule set that is asked for."""
        asked = super().get_changeform_initial_data(request)
        before = RuleSetVersion.objects.filter(ruleset=typed_id(str(asked.get("ruleset", ""))))
        latest = before.select_related("ruleset").order_by("-number").first()
        with_options = latest is not None and latest.book is None
        return {**(latest.rules.options() if latest and with_options else {}), **asked}

    def has_change_permission(
        self, request: HttpRequest, obj: RuleSetVersion | None = None
    ) -> bool:
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: RuleSetVersion | None = None
    ) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: RuleSetVersion, form: Any, change: bool
    ) -> None:
        obj.created_by = check_signed_in(request.user)
        add_version(obj)

    @admin.display(description=_("leagues"), ordering="counted")
    def number_of_leagues(self, version: Counted) -> int:
        return version.counted

    @admin.display(description=_("house options"))
    def house_options(self, version: RuleSetVersion) -> str:
        if version.book is not None:
            address = f"{version.ruleset.get_absolute_url()}?version={version.number}"
            return format_html('<a href="{}">{}</a>', address, _("A whole rule book"))
        chosen = version.rules.options()
        return format_html_join(
            "",
            "<div>{}: {}</div>",
            ((option.name, _in_words(chosen[option.id])) for option in OPTIONS),
        )


MADE = ("created_at", "created_by")


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    listed = value if isinstance(value, list) else [value]
    return ", ".join(str(one).replace("_", " ") for one in listed) or "–"
