"""The first run, page by page: an empty site becomes a club."""

from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.evaluator.scorecard import score
from scoring.models import FirstRun, League, RuleSet, RuleSetVersion
from scoring.models.first_run import is_open, remember_open
from scoring.services import first_run
from scoring.services.digests import digest_of
from scoring.services.first_run import StartRefused
from scoring.translation import listed

from ..shared.refusals import show_refusal
from ..shared.score_steps import ScoreStep, steps
from ..shared.slugs import free_slug
from ..throttles import throttled
from .forms import MAKE, StartCodeForm

Step = FirstRun.Step
PROVEN = "first_run"
# A hand that Club and Book score differently, won by South in the East round.
EXAMPLE = "222B 333B 444B 555B 66B"


@sensitive_post_parameters("password", "code")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@throttled("sign_in")
def start(request: HttpRequest) -> HttpResponse:
    """The step that the club has come to; 404 for everybody else once there is an account."""
    row = FirstRun.objects.select_related("owner").filter(pk=1).first()
    if row is not None and row.owner is not None and row.owner == request.user:
        return _step(request, row)
    proven = request.session.get(PROVEN)
    if row is not None and proven and first_run.is_current(proven):
        return _step(request, row)
    return _code(request)


def _code(request: HttpRequest) -> HttpResponse:
    """Ask for the code, or take it from the address that the server printed.

    :raises Http404: if the club is open.
    """
    if is_open():
        if first_run.was_current(request.session.get(PROVEN, "")):
            # Whoever began here, and was overtaken on another device, is told how to go on.
            return render(request, "first_run/open.html", status=410)
        raise Http404
    sent = request.POST if "code" in request.POST else request.GET
    form = StartCodeForm(sent if "code" in sent else None)
    if form.is_bound and form.is_valid():
        digest = digest_of(form.cleaned_data["code"].strip())
        if first_run.is_current(digest):
            request.session.cycle_key()
            request.session[PROVEN] = digest
            return redirect("start")
        form.add_error("code", _("This is not the newest code that the server printed."))
    status = 422 if form.is_bound else 200
    return render(request, "first_run/code.html", {"form": form}, status=status)


def _step(request: HttpRequest, row: FirstRun) -> HttpResponse:
    if row.step == Step.DONE:
        return render(request, "first_run/done.html", {"league": League.objects.first()})
    sent = request.POST if request.POST.get("step") == row.step else None
    if sent is None and request.method == "POST":
        messages.warning(
            request,
            _(
                "That step was done already, perhaps on another device: what you sent just now is not "
                "kept. It can be changed once the club is open."
            ),
        )
    form: Any = MAKE[row.step](sent)
    if sent is not None and form.is_valid():
        try:
            _carry_out(request, row.step, form)
            return redirect("start")
        except StartRefused:
            return redirect("start")
        except ValidationError as error:
            show_refusal(form, error)
    context = {
        "form": form,
        "step": row.step,
        "steps": _progress(row),
        "rules": _rules() if row.step == Step.LEAGUE else [],
    }
    status = 422 if sent is not None else 200
    return render(request, f"first_run/{row.step}.html", context, status=status)


def _carry_out(request: HttpRequest, step: str, form: forms.Form) -> None:
    """:raises StartRefused: if somebody else was faster.
    :raises ValidationError: with what only the saving found.
    """
    data = form.cleaned_data
    if step == Step.CLUB:
        first_run.name_club(request.session[PROVEN], **data)
    elif step == Step.ACCOUNT:
        owner = first_run.start_club(request.session[PROVEN], data.pop("username"), **data)
        remember_open()
        login(request, owner, backend="django.contrib.auth.backends.ModelBackend")
    elif step == Step.LEAGUE:
        slug = free_slug(data["name"], League.objects.all(), "league")
        first_run.start_league(slug, **data, by=request.user)
    else:
        first_run.add_names(data["names"], anyway=data["anyway"], by=request.user)
        twice = listed(first_run.repeated(data["names"]))
        if twice:
            message = _(
                "More than once in the list, and added once: %(names)s. Two people of one name? Add the "
                "other one under “People”, with a second name or an initial."
            )
            messages.warning(request, message % {"names": twice})


def _progress(row: FirstRun) -> list[tuple[str, str, bool]]:
    """Each step: its name, whether it is "done", "now" or "to come", and whether it is this one."""
    at = Step.values.index(row.step)
    states = ["done"] * at + ["now"] + ["to come"] * len(Step)
    labels = Step.labels[:-1]
    return [(str(label), states[place], place == at) for place, label in enumerate(labels)]


@dataclass(frozen=True, slots=True)
class RulesInWords:
    """A version that a league can play by; of options, with one hand as they score it."""

    version: RuleSetVersion
    card: dict[str, Any] | None = None
    steps: list[ScoreStep] = field(default_factory=list)


def _rules() -> list[RulesInWords]:
    in_words = []
    for ruleset in RuleSet.objects.prefetch_related("versions__ruleset"):
        version = ruleset.latest
        if version.book is not None:
            in_words.append(RulesInWords(version))
            continue
        card = score(EXAMPLE, "South", "East", rules=version.rules).as_dict()
        in_words.append(RulesInWords(version, card, steps(card, version.rules)))
    return in_words
