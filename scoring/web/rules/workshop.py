"""The rule workshop: a book changed by a form or as text, tried on hands, and published as a version.

Nothing is stored before. The form carries the whole draft, so a preview, and a reload of what was sent,
lose nothing.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.hands import ALWAYS_KNOWN
from scoring.evaluator.books.loader import LONGEST, as_data, frozen, shipped
from scoring.evaluator.books.vocabulary import WON_BY
from scoring.evaluator.books.writing import to_toml
from scoring.evaluator.problems import HandError, Problem
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import TILES
from scoring.models import League, RuleSet, RuleSetVersion
from scoring.models.permissions import Permission, check_permission
from scoring.models.refusals import BOOK_TOO_LONG
from scoring.operations.whatif import why_not
from scoring.services.book_drafts import (
    Draft,
    DraftTableRules,
    base_data,
    changed_examples,
    draft_of_changes,
    draft_of_text,
    publish,
)
from scoring.services.book_examples import checked_examples
from scoring.services.errors import NewerVersion
from scoring.translation import translate
from scoring.variants.book_rules import BookTableRules, why_not_playable

from ..shared.requests import by_htmx, stores_for_its_user
from ..shared.slugs import free_slug
from .begun import begun_from, carried, carried_book, deleted, deleted_since, newer, seen
from .comparison import columns, payments
from .draft_changes import draft_changes
from .season import evening_under, last_played, season_under
from .workshop_form import WorkshopForm, become_choices
from .workshop_inputs import Input, Sent
from .workshop_words import words

LONGEST_LINK = 4000  # characters of a draft that an address carries
NO_NAME = Problem("book: name", "missing", Text(gettext_noop("Give your rules a name.")))
PUBLISHED_DRAFTS = "published_drafts"  # in the session: a tab keeps its draft until a page says that it is published
MOST_DRAFTS = 40
# When a draft was changed, in milliseconds: so workshop.js names it.
DRAFT = r"[0-9]{1,16}"
# That of a page, and that of the form from which it was made.
DRAFTS = re.compile(rf"{DRAFT}(\.{DRAFT})?")

Summary = list[tuple[str, str, str]]


class TextForm(forms.Form):
    """A book as text: typed, or out of a file."""

    file = forms.FileField(label=gettext_lazy("A file"), required=False)
    text = forms.CharField(
        label=gettext_lazy("The book as text (TOML)"),
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 22, "spellcheck": "false", "class": "workshop__toml"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if sent := data.get("file"):
            if sent.size > LONGEST:
                raise ValidationError({"file": str(BOOK_TOO_LONG).format(most=LONGEST)})
            try:
                data["text"] = sent.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                raise ValidationError({"file": _("This file is no text.")}) from None
        if not data.get("text", "").strip():
            raise ValidationError({"text": _("Choose the file of a book, or paste its text.")})
        return data


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@stores_for_its_user("publish")
def import_book(request: HttpRequest) -> HttpResponse:
    """A book as text or as a file, tried before it is published; ``?text=`` is tried at once."""
    check_permission(request.user, Permission.CHANGE_THE_RULES)
    here = reverse("import_rules")
    if request.method != "POST" and (given := request.GET.get("text")):
        return _tried_text(request, given, here)
    return _as_text(request, here, "")


def workshop(request: HttpRequest, slug: str, ruleset: RuleSet | None) -> HttpResponse:
    """The workshop of the book ``slug``; whoever comes here may change the rules.

    :raises Http404: if there is no such book.
    """
    below = base_data(slug)
    if request.POST.get("mode", request.GET.get("mode")) == "text":
        if below is None and not deleted_since(request, slug):
            raise Http404
        return _as_text(request, request.path, _first_text(slug, below) if below else "", slug)
    gone = {} if below else deleted()
    below = below or carried_book(request)
    book = frozen(below)
    sent = request.POST if request.method == "POST" else None
    may_follow = ruleset is not None and ruleset.latest.book is not None and slug not in shipped()
    form = WorkshopForm(sent, below, book, may_follow=may_follow)
    if sent is None and (name := request.GET.get("name")):
        form.begin_new_rules(name, request.GET.get("about", ""))
    context: dict[str, Any] = {
        "form": form,
        "book": book,
        "ruleset": ruleset,
        "slug": slug,
        "words": words(),
        "tiles": TILES,
        "ways": _ways(book),
        "refused": translate(why_not_playable(book) or ""),
        "text_url": f"{request.path}?{urlencode({'mode': 'text'})}",
        **_leagues(request, slug),
        "draft_key": request.get_full_path(),
        "seen": carried(request, ruleset),
        "fresh": sent is None,
        "carried_book": "" if slug in shipped() else to_toml(below),
        **gone,
    }
    if sent is None:
        return render(request, "rules/workshop.html", context)
    return _of_form(request, form, below, context)


def _ways(book: Book) -> list[tuple[str, str]]:
    """How an example may be won by ``book``, in words."""
    known = book.circumstances | ALWAYS_KNOWN
    ways = sorted(WON_BY, key=lambda name: name != "discard")
    return [(name, translate(WON_BY[name])) for name in ways if name in known]


def _of_form(
    request: HttpRequest, form: WorkshopForm, below: Mapping[str, Any], context: dict[str, Any]
) -> HttpResponse:
    """What was asked for with the form: a preview, its text, a season, or to publish it."""
    slug = context["slug"]
    changes = form.changes(
        slug if form.becomes_next else free_address(form.name.value or form.book.name)
    )
    try:
        draft = draft_of_changes(below, changes)
    except HandError as error:
        return _answer(request, context | {"summary": form.refuse(error)}, status=422)
    changed = to_toml({"base": slug, **changes}) if slug in shipped() else ""
    if "as_text" in request.POST:
        text = changed or to_toml(draft.data)
        shown = TextForm(initial={"text": text})
        made_from = {"made_from": _made_from(request, "drafts"), "seen": context["seen"]}
        return _text_page(request, shown, reverse("import_rules"), made_from)
    if "publish" in request.POST:
        return _publish_form(request, form, draft, context)
    context["link"] = _link(changed) if changed else ""
    return _answer(request, context | _tried(request, draft))


def _publish_form(
    request: HttpRequest, form: WorkshopForm, draft: Draft, context: dict[str, Any]
) -> HttpResponse:
    """Publish the draft, or say at its fields why that cannot be."""
    if not form.name.value.strip():
        summary = form.refuse(HandError([NO_NAME]))
    else:
        try:
            if "deleted" in context and request.POST.get("become") == "next":
                return _answer(request, context | _tried(request, draft), status=409)
            return _published(request, draft)
        except NewerVersion as refused:
            context |= newer(refused, request)
            return _answer(request, context | _tried(request, draft), status=409)
        except HandError as error:
            summary = form.refuse(error)
        except ValidationError as error:
            summary = form.refuse_fields(error)
    return _answer(request, context | {"summary": summary}, status=422)


# --- as text ------------------------------------------------------------------------------------------


def _as_text(request: HttpRequest, action: str, first: str, slug: str = "") -> HttpResponse:
    if request.method != "POST":
        shown = TextForm(initial={"text": first})
        ruleset = RuleSet.objects.filter(slug=slug).first()
        return _text_page(
            request, shown, action, {"fresh": True, "seen": carried(request, ruleset)}
        )
    form = TextForm(request.POST, request.FILES)
    if not form.is_valid():
        return _text_page(request, form, action, {}, status=422)
    return _tried_text(request, form.cleaned_data["text"], action)


def _tried_text(request: HttpRequest, text: str, action: str) -> HttpResponse:
    """The page of a book as text, with what comes of it, or what is wrong; published if asked for."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = TextForm(initial={"text": text})
    try:
        draft = draft_of_text(text)
        gone = deleted_since(request, draft.book.slug)
        if gone:
            action = reverse("import_rules")  # it goes on as the text of new rules
        elif "publish" in request.POST:
            return _publish_text(request, shown, draft, action)
    except NewerVersion as refused:
        context = {**newer(refused, request), **_tried(request, draft)}
        return _text_page(request, shown, action, context, status=409)
    except HandError as error:
        summary = [("text", translate(p.field), translate(p.message)) for p in error.problems]
        return _text_page(request, shown, action, {"summary": summary}, status=422)
    except ValidationError as error:
        return _text_page(request, shown, action, {"summary": _sentences(error)}, status=422)
    context = {**gone, **_tried(request, draft), "link": _link(text)}
    if "become" in request.POST:
        context["become"] = _become(request, draft, action)
    status = 409 if gone and "publish" in request.POST else 200
    return _text_page(request, shown, action, context, status)


def _publish_text(request: HttpRequest, shown: TextForm, draft: Draft, action: str) -> HttpResponse:
    """Publish the draft, or ask what it becomes.

    :raises BookError, NewerVersion, ValidationError: as :func:`scoring.services.book_drafts.publish`.
    """
    become = _become(request, draft, action)
    if become and not become.value:
        become.errors.append(_("The club has rules of this short name: choose what yours become."))
        summary = [(become.name, become.label, become.errors[0])]
        ruleset = RuleSet.objects.get(slug=draft.book.slug)
        context = {"summary": summary, "become": become, "seen": begun_from(ruleset)}
        return _text_page(request, shown, action, context, status=422)
    return _published(request, _beside(draft) if become and become.value == "new" else draft)


def _become(request: HttpRequest, draft: Draft, action: str) -> Input | None:
    """What a text becomes whose short name other rules of the club have; None where it replaces none."""
    slug = draft.book.slug
    stored = RuleSet.objects.filter(slug=slug).prefetch_related("versions").first()
    if stored is None or stored.latest.book is None or slug in shipped():
        return None
    if stored.latest.says(draft.data):
        return None
    if action == reverse("new_rules", args=[slug]):
        return None  # it is changed in its own workshop
    label, choices = become_choices(stored.name)
    choices = [("", _("Please choose")), *choices]
    return Sent(request.POST).select("become", label, choices)


def _beside(draft: Draft) -> Draft:
    """The same book under a short name that is free."""
    data = {**draft.data, "slug": free_address(draft.book.name)}
    return draft._replace(data=data, book=frozen(data))


def _text_page(
    request: HttpRequest, form: TextForm, action: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    if "leagues" not in context:
        context |= _leagues(request, "")
    made_from = _made_from(request, "made_from")
    context = {"seen": carried(request, None), "made_from": made_from} | context
    context |= {"form": form, "action": action, "words": words()}
    context["draft_key"] = f"{action}#text"
    return _answer(request, context, "rules/workshop_text.html", status)


def _made_from(request: HttpRequest, field: str) -> str:
    """The draft that ``field`` names: the text is made from it, and it is published with the text."""
    draft = request.POST.get(field, "")
    return draft if re.fullmatch(DRAFT, draft) else ""


def _first_text(slug: str, below: Mapping[str, Any]) -> str:
    """A book to begin with: of one that ships, only what a change of it has to say."""
    if slug not in shipped():
        return to_toml(below)
    name = as_data(slug)["name"]
    return to_toml(
        {"base": slug, "slug": free_address(name), "name": _("Our %(rules)s") % {"rules": name}}
    )


def _link(text: str) -> str:
    """An address that carries the draft; empty if it is too long for one."""
    address = f"{reverse('import_rules')}?{urlencode({'text': text})}"
    return address if len(address) <= LONGEST_LINK else ""


# --- what comes of it ---------------------------------------------------------------------------------


def _answer(
    request: HttpRequest,
    context: dict[str, Any],
    page: str = "rules/workshop.html",
    status: int = 200,
) -> HttpResponse:
    """The whole page; for a script that asks while somebody types, what comes of the draft alone.

    A script is always answered 200: what is not finished yet is no mistake.
    """
    if by_htmx(request):
        template = (
            "rules/_season.html" if "season" in request.POST else "rules/_workshop_tried.html"
        )
        return render(request, template, context)
    return render(request, page, context, status=status)


def _tried(request: HttpRequest, draft: Draft) -> dict[str, Any]:
    """The examples of both books, the last evening, and, where asked for, a season."""
    checked = checked_examples(draft.book, draft.base)
    context: dict[str, Any] = {
        "draft": draft,
        "lacking": [translate(problem.message) for problem in checked.own],
        "no_longer": [translate(problem.message) for problem in checked.others],
        "cannot": translate(why_not_playable(draft.book) or ""),
        "changes": draft_changes(draft),
    }
    if context["cannot"]:
        return context
    context |= _leagues(request, draft.base.slug if draft.base else "")
    league = context["tried_league"]
    if "season" in request.POST:
        if why := why_not(DraftTableRules(draft.book)):
            return context | {"no_season": translate(why)}
        return context | {"season": league and season_under(league, draft)}
    if draft.base is not None and not why_not_playable(draft.base):
        rules = BookTableRules(draft.base), DraftTableRules(draft.book)
        context |= {"payments": payments(*rules), "columns": columns()}
    context["examples"] = changed_examples(draft)
    return context | {"evening": league and evening_under(request.user, league, draft)}


def _published(request: HttpRequest, draft: Draft) -> HttpResponse:
    """:raises BookError, NewerVersion, ValidationError: as :func:`scoring.services.book_drafts.publish`."""
    slug = draft.book.slug
    number = seen(request, slug)
    # Two who publish new rules of one name at once do not become versions of each other.
    if number is None and not RuleSet.objects.filter(slug=slug).exists():
        number = 0
    version = publish(draft, by=request.user, seen=number)
    messages.success(request, published(version))
    if DRAFTS.fullmatch(drafts := request.POST.get("drafts", "")):
        before = request.session.get(PUBLISHED_DRAFTS, [])
        request.session[PUBLISHED_DRAFTS] = [*drafts.split("."), *before][:MOST_DRAFTS]
    return redirect(version.ruleset)


def published(version: RuleSetVersion) -> str:
    """What is said to who has published ``version``."""
    message = _(
        "Version %(number)s of %(rules)s is published. Leagues keep the version they play by: to play "
        "by this one, choose it in the settings of a league."
    )
    return message % {"number": version.number, "rules": version.ruleset.name}


def _sentences(error: ValidationError) -> Summary:
    return [("", "", sentence) for sentence in error.messages]


def _leagues(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The leagues whose hands a draft can be tried on; the chosen one, or at first the last of the rules ``slug``."""
    leagues = list(League.objects.visible_to(request.user))
    given = request.POST.get("league", "")
    chosen = next((league for league in leagues if league.slug == given), None)
    return {"leagues": leagues, "tried_league": chosen or last_played(request.user, slug)}


def free_address(name: str) -> str:
    """An address that neither a stored rule set nor a book that ships has."""
    slug = free_slug(name, RuleSet.objects.all(), "rules")
    return free_slug(f"{slug}-ours", RuleSet.objects.all(), "rules") if slug in shipped() else slug
