"""Score a hand without signing in. Nothing is saved: the address holds the hand."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from ..shared.pad import pad_of
from ..throttles import throttled
from .forms import CalculatorForm, address
from .result import examples, result_of
from .trace_page import trace_page


@require_safe
@throttled("calculator")
def calculator(request: HttpRequest) -> HttpResponse:
    """The form, and what is said about the tiles that the address names: 422 if they are no hand."""
    asked = request.GET if "tiles" in request.GET else None
    form = CalculatorForm(asked, ruleset=request.GET.get("ruleset", ""))
    answer = result_of(form) if form.is_bound else None
    refused = answer is not None and answer.card is None and answer.waiting is None
    context = {
        "form": form,
        "pad": pad_of(form.table_rules),
        "asked": asked_for(form),
        "result": answer,
        "examples": examples(),
    }
    return render(request, "calculator/calculator.html", context, status=422 if refused else 200)


@require_safe
@throttled("calculator")
def result(request: HttpRequest) -> HttpResponse:
    """The result alone, while somebody is still tapping.

    Always 200: a hand that is not complete yet is no mistake. The browser's address follows.
    """
    form = CalculatorForm(request.GET)
    blank = form.fields["tiles"].required and not request.GET.get("tiles", "").strip()
    asked = asked_for(form)
    context: dict[str, Any] = {
        "result": None if blank else result_of(form),
        "examples": examples(),
        "form": form,
        "asked": asked,
    }
    if request.GET.get("asked", "") != asked:
        context["pad"] = pad_of(form.table_rules)
    response = render(request, "calculator/_live.html", context)
    return replace_url(response, reverse("calculator") if blank else address(form.entered))


def asked_for(form: CalculatorForm) -> str:
    """Whose questions and limit hands the form shows."""
    return form.book.slug if form.book else form.rules.slug


@require_safe
@throttled("calculator")
def think(request: HttpRequest) -> HttpResponse:
    """How the book's procedure reads the hand that the address names; without one, the calculator."""
    form = CalculatorForm(request.GET)
    if not form.is_valid() or form.hand is None:
        return redirect(address(form.entered))
    context = {
        "hand": form.hand,
        "trace": trace_page(form.hand),
        "calculator_url": address(form.entered),
    }
    return render(request, "calculator/think.html", context)
