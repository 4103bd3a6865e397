"""The rules in words, written from the registry that scores the hands."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from scoring.models import RuleSet, RuleSetVersion

from ..rulebook import rulebook_of


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every rule set of the club."""
    rulesets = RuleSet.objects.prefetch_related("versions")
    return render(request, "rules/index.html", {"rulesets": rulesets})


@require_safe
def ruleset(request: HttpRequest, slug: str) -> HttpResponse:
    """One rule set in its newest version, or as ``?version=`` says."""
    shown = get_object_or_404(RuleSet.objects.prefetch_related("versions"), slug=slug)
    version = _version(shown, request.GET.get("version"))
    return render(
        request,
        "rules/ruleset.html",
        {
            "ruleset": shown,
            "version": version,
            "versions": shown.versions.all(),
            "rules": version.rules,
            "book": rulebook_of(version.rules),
        },
    )


def _version(ruleset: RuleSet, number: str | None) -> RuleSetVersion:
    """:raises Http404: if the rule set has no version of that number."""
    if number is None:
        return ruleset.latest
    found = [each for each in ruleset.versions.all() if str(each.number) == number]
    if not found:
        raise Http404
    return found[0]
