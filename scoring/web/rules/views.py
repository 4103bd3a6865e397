"""The rules in words, written from the registry that scores the hands."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.evaluator.books.loader import as_data, frozen, shipped, whole
from scoring.evaluator.books.writing import to_toml
from scoring.evaluator.option_rules import OptionTableRules
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.permissions import Permission, can, check_permission
from scoring.services.book_scores import book_to_work_out, books_to_work_out, missing_library
from scoring.services.errors import NewerVersion
from scoring.services.rulesets import (
    add_ruleset,
    add_version,
    change_ruleset,
    delete_ruleset,
    newer_edition,
    newest_edition,
    usual_version,
    why_it_stays,
)
from scoring.translation import translate
from scoring.variants.book_rules import why_not_playable

from ..shared.deletion import asked_first
from ..shared.requests import by_htmx, members_post, stores_for_its_user
from ..throttles import throttled
from .begun import carried, newer, seen
from .books import page_of
from .comparison import columns, compare
from .draft_changes import rule_changes
from .forms import AboutForm, NewRulesForm, VersionForm
from .rulebook import rulebook_of
from .workshop import free_address, published, workshop


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every rule set of the club, and the books that hands can be worked out by."""
    rulesets = RuleSet.objects.prefetch_related("versions")
    context = {
        "rulesets": rulesets,
        "books": books_to_work_out(rulesets),
        "may_add": can(request.user, Permission.CHANGE_THE_RULES),
    }
    return render(request, "rules/index.html", context)


@require_safe
def ruleset(request: HttpRequest, slug: str) -> HttpResponse:
    """One rule set in its newest version, or as ``?version=`` says; or a book that ships."""
    shown = RuleSet.objects.prefetch_related("versions").filter(slug=slug).first()
    if shown is None:
        return _book(request, slug)
    version = _version(shown, request.GET.get("version"))
    if version.book is not None:
        return _version_of_a_book(request, shown, version)
    return render(
        request,
        "rules/ruleset.html",
        {
            "ruleset": shown,
            "version": version,
            "versions": shown.versions.all(),
            "rules": version.rules,
            "book": rulebook_of(version.rules),
            "may_change_rules": can(request.user, Permission.CHANGE_THE_RULES),
        },
    )


def _book(request: HttpRequest, slug: str) -> HttpResponse:
    """:raises Http404: if no such book ships."""
    book = book_to_work_out(slug)
    if book is None:
        raise Http404
    context = {
        "page": page_of(book),
        "missing": missing_library(book),
        "refused": translate(why_not_playable(book) or ""),
        "may_change_rules": can(request.user, Permission.CHANGE_THE_RULES),
    }
    return render(request, "rules/book.html", context)


def _version_of_a_book(
    request: HttpRequest, shown: RuleSet, version: RuleSetVersion
) -> HttpResponse:
    """A book that leagues can play by, in one of its versions."""
    data = version.named_book or {}
    book = frozen(data)
    changes = rule_changes(whole(as_data(book.origin)), data) if book.origin in shipped() else []
    context = {
        "page": page_of(book),
        "missing": missing_library(book),
        "ruleset": shown,
        "version": version,
        "versions": shown.versions.all(),
        "newer": newer_edition(shown.latest) is not None,
        "changes": changes,
        "may_change_rules": can(request.user, Permission.CHANGE_THE_RULES),
    }
    return render(request, "rules/book.html", context)


@members_post()
def take_book(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a book that ships into the club, or its newer edition: leagues can play by it."""
    check_permission(request.user, Permission.CHANGE_THE_RULES)
    if slug not in shipped():
        raise Http404
    try:
        version = newest_edition(slug, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("rules", slug)
    message = _("Leagues can now play by %(rules)s. Choose it in the settings of a league.")
    messages.success(request, message % {"rules": version.ruleset.name})
    return redirect(version.ruleset)


@require_safe
def download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A version of a rule book as the file that any club can take in."""
    versions = RuleSetVersion.objects.filter(book__isnull=False).select_related("ruleset")
    version = get_object_or_404(versions, ruleset__slug=slug, number=number)
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{number}.toml"'}
    text = to_toml(version.named_book or {})
    return HttpResponse(text, content_type="application/toml; charset=utf-8", headers=headers)


@require_safe
@throttled("calculator")
def comparison(request: HttpRequest) -> HttpResponse:
    """Two versions line by line: ``?one=club:1&other=book:1``; at first, Club and Book."""
    versions = list(RuleSetVersion.objects.select_related("ruleset"))
    one, other = (
        _chosen(versions, request.GET.get(name), slug)
        for name, slug in (("one", "club"), ("other", "book"))
    )
    books = (one.book, other.book) if one.book and other.book else ()
    context = {
        "versions": versions,
        "one": one,
        "other": other,
        "columns": columns(),
        "comparison": compare(one.table_rules, other.table_rules, books),
    }
    return render(request, "rules/compare.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_rules(request: HttpRequest) -> HttpResponse:
    """A name, and the rules to begin with; the address is made from the name."""
    check_permission(request.user, Permission.CHANGE_THE_RULES)
    usual = usual_version()
    initial = {"like": usual and usual.ruleset}
    form = NewRulesForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        about = dict(form.cleaned_data)
        like = about.pop("like")
        if like.latest.book is not None:  # a book is changed before it is stored
            asked = urlencode({"name": about["name"], "about": about["description"]})
            return redirect(f"{reverse('new_rules', args=[like.slug])}?{asked}")
        options = like.latest.rules.options()
        slug = free_address(about["name"])
        try:
            added = add_ruleset(slug, **about, options=options, by=request.user)
        except ValidationError as error:
            form.refuse(error)
        else:
            message = _("Your rules are there. Now change what they do differently.")
            messages.success(request, message)
            return redirect("new_rules", added.slug)
    status = 422 if form.is_bound else 200
    return render(request, "rules/about.html", {"form": form}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Another name and description; the address and the versions stay."""
    check_permission(request.user, Permission.CHANGE_THE_RULES)
    shown = get_object_or_404(RuleSet, slug=slug)
    name = shown.name
    form = AboutForm(request.POST if request.method == "POST" else None, instance=shown)
    if form.is_bound and form.is_valid():
        try:
            change_ruleset(shown, **form.changes, by=request.user)
        except ValidationError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Saved."))
            return redirect(shown)
    context = {"form": form, "ruleset": shown, "name": name, "unused": not why_it_stays(shown)}
    return render(request, "rules/about.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask whether rules that nobody plays by shall go, and delete them."""
    check_permission(request.user, Permission.CHANGE_THE_RULES)
    shown = get_object_or_404(RuleSet, slug=slug)
    answer = asked_first(
        request,
        "rules/delete.html",
        {"what": shown, "ships": slug in shipped()},
        why=why_it_stays(shown),
        newest=lambda: shown.latest.pk,
        delete=lambda seen: delete_ruleset(shown, by=request.user, seen=seen),
    )
    if answer:
        return answer
    message = _("The rules %(rules)s are deleted.") % {"rules": shown.name}
    messages.success(request, message)
    return redirect("rules_index")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@stores_for_its_user("save", "publish")
def new_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose options for the next version; "try" shows what they change, and saves nothing.

    A rule book is changed in the workshop; Club and Book, too, with ``?as=book``.
    """
    check_permission(request.user, Permission.CHANGE_THE_RULES)
    ruleset = RuleSet.objects.prefetch_related("versions").filter(slug=slug).first()
    if ruleset is None or ruleset.latest.book is not None or request.GET.get("as") == "book":
        return workshop(request, slug, ruleset)
    form = VersionForm(request.POST if request.method == "POST" else None, ruleset=ruleset)
    context = {"ruleset": ruleset, "form": form, "columns": columns(), "ships": slug in shipped()}
    context["seen"] = carried(request, ruleset)
    if form.is_valid():
        try:
            if "save" in request.POST and _added(request, form):
                return redirect(ruleset)
        except NewerVersion as refused:
            context |= newer(refused, request)
        context["comparison"] = compare(OptionTableRules(form.before), OptionTableRules(form.rules))
    template = "rules/_tried.html" if by_htmx(request) else "rules/new_version.html"
    wrong = form.is_bound and not form.is_valid() and not by_htmx(request)
    status = 409 if "newer" in context else 422 if wrong else 200
    return render(request, template, context, status=status)


def _added(request: HttpRequest, form: VersionForm) -> bool:
    """Add the version that ``form`` makes; False if it is refused, in ``form``.

    :raises NewerVersion: if another version came in between.
    """
    version = form.version(request.user)
    try:
        add_version(version, seen=seen(request, version.ruleset.slug))
    except ValidationError as error:
        form.refuse(error)
        return False
    messages.success(request, published(version))
    return True


def _chosen(versions: list[RuleSetVersion], name: str | None, slug: str) -> RuleSetVersion:
    """The version that is written ``club:1``; the newest of ``slug`` where none is named.

    :raises Http404: if there is no such version.
    """
    for version in versions:  # the newest of a rule set comes first
        written = f"{version.ruleset.slug}:{version.number}"
        if written == name or (not name and version.ruleset.slug == slug):
            return version
    raise Http404


def _version(ruleset: RuleSet, number: str | None) -> RuleSetVersion:
    """:raises Http404: if the rule set has no version of that number."""
    if number is None:
        return ruleset.latest
    matching = [version for version in ruleset.versions.all() if str(version.number) == number]
    if not matching:
        raise Http404
    return matching[0]
