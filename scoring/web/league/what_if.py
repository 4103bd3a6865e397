"""The table of a league as it would be under other rules. Nothing is stored."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from scoring.models import League, RuleSetVersion
from scoring.operations.whatif import MOST_ON_A_PAGE, too_many, why_not
from scoring.operations.whatif import what_if as league_under
from scoring.queries.games import games_by_id

SHOWN = 50


@login_required
@require_safe
def what_if(request: HttpRequest, slug: str) -> HttpResponse:
    """``?ruleset=book:1``, or ``book`` for its newest version; without it, rules to choose from."""
    visible = League.objects.visible_to(request.user).select_related("ruleset_version__ruleset")
    league = get_object_or_404(visible, slug=slug)
    every = RuleSetVersion.objects.select_related("ruleset")
    versions = [version for version in every if not why_not(version.table_rules)]
    context = {
        "league": league,
        "versions": versions,
        "chosen": league.ruleset_version,
        "most": MOST_ON_A_PAGE,
    }
    if name := request.GET.get("ruleset"):
        context["chosen"] = chosen = _named(versions, name)
        if too_many(league):
            context["too_many"] = True
        else:
            result = league_under(league, chosen.table_rules)
            shown = result.changed[:SHOWN]
            games = games_by_id({one.hand.game_id for one in shown})
            changed = [(one, games[one.hand.game_id]) for one in shown]
            context |= {"trial": result, "changed": changed}
            context["more"] = max(len(result.changed) - SHOWN, 0)
    return render(request, "league/what_if.html", context)


def _named(versions: list[RuleSetVersion], name: str) -> RuleSetVersion:
    """:raises Http404: if there is no such version."""
    for version in versions:  # the newest of a rule set comes first
        if name in (version.ruleset.slug, f"{version.ruleset.slug}:{version.number}"):
            return version
    raise Http404
