"""The seasons of a league: all of them, the final table of one, closing, and the next one."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.models import League, SeasonClosure
from scoring.models.hidden_names import read_as_visitor
from scoring.models.left_open import left_open_in
from scoring.models.people import person_name
from scoring.models.permissions import Permission, check_permission
from scoring.models.refusals import SEASON_CHANGED
from scoring.queries.leading import may_see_link
from scoring.queries.seasons import FinalSeason, final_rows, final_season, reopened_in, seasons_of
from scoring.services.idempotency import StoredResponse, was_carried_out
from scoring.services.seasons import (
    add_season,
    close_season,
    reopen_season,
    why_none_follows,
    why_not_closed,
)

from ..account.drafts import form_done, member_or_form_later, members_form_of, typed_before
from ..idempotent_form import carry_out, idempotent_post, say_done, say_done_before
from ..shared.link_preview import LinkPreview, first_lines, link_preview
from ..shared.requests import visible_league
from ..shared.slugs import free_slug
from ..shared.table_lines import table_lines
from .picture import picture_of
from .season_forms import CloseSeasonForm, NextSeasonForm, ReopenForm, proposed_season


@require_safe
def club_seasons(request: HttpRequest) -> HttpResponse:
    """Every season of all leagues that the reader may see, and who has won most of them."""
    return render(request, "league/seasons.html", {"shown": seasons_of(None, request.user)})


@require_safe
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """Every season of the series of a league, and who has won most of them."""
    league = visible_league(request, slug)
    shown = seasons_of(league, request.user)
    context = {
        "league": league,
        "shown": shown,
        "closes": may_see_link(request.user, Permission.CLOSE_A_SEASON)
        and why_not_closed(league) is None,
        "follows": may_see_link(request.user, Permission.RUN_LEAGUES)
        and shown.seasons[0].league == league,
    }
    return render(request, "league/seasons.html", context)


@require_safe
def final(request: HttpRequest, slug: str) -> HttpResponse:
    """The certificate of a closed season: champions and final tables, to be printed."""
    league = visible_league(request, slug)
    if not league.closed and league.season_closures.exists():
        text = _("This season was opened again: its final table comes when it is closed.")
        messages.info(request, text)
        return redirect("seasons", slug)
    return _final_page(request, league, ReopenForm(initial=typed_before(request)))


@require_safe
def final_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The champions and the first lines of the final table as a picture, which leaves the site."""
    league = visible_league(request, slug)
    with read_as_visitor():
        context = {"picture": picture_of(league, _closed(league))}
    return render(request, "league/final.svg", context, content_type="image/svg+xml")


@member_or_form_later
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Names what is open, has it decided, and closes the season."""
    league = visible_league(request, slug)
    key = request.POST.get("key", "")
    if was_carried_out(key, by=request.user):
        form_done(request, key=key)
        say_done_before(request)
        return redirect("final" if league.closed else "seasons", slug)
    check_permission(request.user, Permission.CLOSE_A_SEASON)
    if refusal := why_not_closed(league):
        return _not_to_close(request, league, refusal[1])
    left = left_open_in(league)
    sent = request.POST if request.method == "POST" else None
    form = CloseSeasonForm(sent, left=left, initial=typed_before(request))
    if form.is_bound and request.POST.get("seen") != left.etag:
        messages.warning(request, SEASON_CHANGED)
        chosen = {name: request.POST[name] for name in form.fields if name in request.POST}
        form = CloseSeasonForm(left=left, initial=chosen)
        context = {"league": league, "left": left, "form": form}
        return render(request, "league/close_season.html", context, status=409)
    if form.is_bound and form.is_valid():
        done = _close(request, league, form, left.etag)
        closed = League.objects.get(pk=league.pk).closed
        if done:
            return redirect("final" if closed else "seasons", slug)
        if closed:
            return _closed_already(request, league)
    context = {"league": league, "left": left, "form": form}
    return render(
        request, "league/close_season.html", context, status=422 if form.is_bound else 200
    )


def _not_to_close(request: HttpRequest, league: League, refusal: str) -> HttpResponse:
    if league.closed:
        return _closed_already(request, league)
    context = {"league": league, "refusal": refusal}
    status = 422 if request.method == "POST" else 200
    return render(request, "league/close_season.html", context, status=status)


def _closed_already(request: HttpRequest, league: League) -> HttpResponse:
    """The certificate; whoever wanted to close the season otherwise is told that somebody else did."""
    closure = SeasonClosure.objects.in_force().filter(league=league).first()
    if request.method == "POST" and closure and closure.closed_by != request.user:
        text = _(
            "%(name)s closed this season meanwhile and decided what was open. What you chose was not done."
        )
        name = person_name(closure.closed_by, reader=request.user)
        messages.warning(request, text % {"name": name})
    return redirect("final", league.slug)


def _close(request: HttpRequest, league: League, form: CloseSeasonForm, etag: str) -> bool:
    """Whether what ``form`` says was carried out; if not, it says why."""

    def act() -> StoredResponse:
        closure = close_season(
            league,
            by=request.user,
            final_rows=final_rows,
            decisions=form.decisions,
            reason=form.cleaned_data.get("reason", ""),
            expected_etag=etag,
        )
        return StoredResponse(200, {"closed": closure is not None})

    try:
        if form.waits:  # it is filled in again, with the same key
            act()
            form_done(request)
            messages.info(request, _("Saved. The season stays open, because something waits."))
        else:
            carry_out(request, form, act, _("The season is closed. Its table is final."))
    except ValidationError as error:
        form.refuse(error)
        return False
    return True


@members_form_of("../final/")
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a closed season again, for a reason."""
    league = visible_league(request, slug)
    form = ReopenForm(request.POST)
    if not form.is_valid():
        check_permission(request.user, Permission.CLOSE_A_SEASON)
    else:
        try:
            done = _("The season is open again.")
            carry_out(request, form, lambda: _reopen(request, league, form), done)
            return redirect("seasons", slug)
        except ValidationError as error:
            form.refuse(error)
            league = visible_league(request, slug)  # others may have opened it at this very moment
            if not league.closed:
                messages.info(request, " ".join(error.messages))
    if not league.closed:
        return redirect("seasons", slug)
    return _final_page(request, league, form, status=422)


def _reopen(request: HttpRequest, league: League, form: ReopenForm) -> StoredResponse:
    reopen_season(league, by=request.user, reason=form.cleaned_data["reason"])
    return StoredResponse(200, {"id": league.pk})


@member_or_form_later
@require_http_methods(["GET", "HEAD", "POST"])
def next_season(request: HttpRequest, slug: str) -> HttpResponse:
    """A name and days; rules, settings, teams, stake and fee are copied."""
    check_permission(request.user, Permission.RUN_LEAGUES)
    league = visible_league(request, slug)
    bound = request.method == "POST"
    if not bound and (refusal := why_none_follows(league)):
        code, sentence = refusal
        messages.info(request, sentence)
        return redirect("change_league" if code == "no_last_day" else "seasons", slug)
    initial = {**proposed_season(league), **typed_before(request)}
    form = NextSeasonForm(request.POST if bound else None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            answer = idempotent_post(request, lambda: _add_season(request, league, form))
        except ValidationError as error:
            form.refuse(error)
        else:
            say_done(request, answer, _("The next season is ready."))
            season = League.objects.filter(pk=answer.body["league"]).first()
            return redirect(season) if season else redirect("seasons", slug)
    context = {"league": league, "form": form}
    return render(request, "league/next_season.html", context, status=422 if bound else 200)


def _add_season(request: HttpRequest, league: League, form: NextSeasonForm) -> StoredResponse:
    days = {name: form.cleaned_data[name] for name in ("starts_on", "ends_on")}
    name = form.cleaned_data["name"]
    slug = free_slug(name, League.objects.all(), "league")
    season = add_season(league, slug, name=name, **days, by=request.user)
    return StoredResponse(201, {"league": season.pk})


def _final_page(
    request: HttpRequest, league: League, form: ReopenForm, *, status: int = 200
) -> HttpResponse:
    final = _closed(league)
    context = {
        "league": league,
        "final": final,
        "form": form,
        "reopened": reopened_in([league], request.user)[league.pk],
        "preview": _preview(request, league, final),
    }
    return render(request, "league/final.html", context, status=status)


def _preview(request: HttpRequest, league: League, final: FinalSeason) -> LinkPreview | None:
    """The first three, with the picture of the final table."""
    title = _("%(league)s: final table") % {"league": league}
    text = first_lines(table_lines(final.tables[0]))
    return link_preview(request, title, text, reverse("league_picture", args=[league.slug]))


def _closed(league: League) -> FinalSeason:
    """:raises Http404: while the season is not closed."""
    final = final_season(league)
    if final is None:
        raise Http404
    return final
