"""One person: name, account, role, and the other record of the same person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import Game, Player
from scoring.models.permissions import (
    Account,
    Permission,
    Role,
    check_permission,
    check_signed_in,
)
from scoring.models.roles import role_of
from scoring.queries.people import Person, linkable_accounts
from scoring.queries.person_actions import person_actions
from scoring.services.accounts import hand_over, make_reset_link, remove_second_factor
from scoring.services.invitations import invite, join_path, mail_invitation, propose_username
from scoring.services.leaving import delete_account, mark_as_left
from scoring.services.merging import merge_players, merged_into, preview_merge
from scoring.services.people import change_player, give_account
from scoring.services.roles import make_organiser, make_owner, take_role
from scoring.services.sessions import close_account, end_sessions, open_account
from scoring.typed_numbers import typed_id

from .forms import (
    GiveAccountForm,
    InviteForm,
    LinkForm,
    LinkPlayerForm,
    MarkAsLeftForm,
    MergeForm,
    PlayerNameForm,
    RefusableForm,
    TakeRoleForm,
)
from .links import ShownLink, shown_link
from .proof import require_proof

# What an action answers with: a link that is shown once, or nothing.
Act = Callable[[HttpRequest, Person, RefusableForm], ShownLink | None]


def _always(_sent: QueryDict) -> bool:
    return True


def _never(_sent: QueryDict) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class PersonAction:
    """Something that an organiser does with a person: ``form`` asks for it, ``act`` does it.

    :ivar done: the sentence afterwards.
    :ivar asks_again: whether, by what was sent, one proves once more who acts. Every action asks but
        those that leave accounts and roles alone.
    :ivar permission: who else is refused before anything is asked; the service asks it again.
    :ivar leads: the page that comes afterwards; empty for the person's.
    """

    act: Act
    done: str | Promise = ""
    form: type[RefusableForm] = RefusableForm
    asks_again: Callable[[QueryDict], bool] = _always
    permission: Permission = Permission.MANAGE_PEOPLE
    leads: str = ""


@sensitive_post_parameters("password")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """The player ``pk``, with the account if there is one."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    player = Player.objects.select_related("user").filter(pk=pk).first()
    if player is None:
        if (other := merged_into(pk)) is not None and request.method != "POST":
            return redirect("person", other.pk)
        raise Http404
    return _page(request, Person(player, player.user))


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """The account ``pk``, which no player has; that of a player is on the player's page."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    account = get_object_or_404(Account.objects.select_related("player"), pk=pk)
    if (player := getattr(account, "player", None)) is not None and request.method != "POST":
        return redirect("person", player.pk)
    return _page(request, Person(player, account))


@login_required
@require_http_methods(["GET", "POST"])
def merge(request: HttpRequest, pk: int) -> HttpResponse:
    """What merging another record into the player ``pk`` does; sent, it is done."""
    check_permission(request.user, Permission.MANAGE_PEOPLE)
    kept = get_object_or_404(Player.objects.select_related("user"), pk=pk)
    sent = request.POST if request.method == "POST" else request.GET
    form = MergeForm(sent if "other" in sent else None, player=kept)
    if request.method == "POST" and _is_merged(sent, kept):
        return redirect("person", kept.pk)
    plan = None
    if form.is_valid():
        gone = form.cleaned_data["other"]
        plan = preview_merge(kept, gone, by=request.user)
        if request.method == "POST":
            require_proof(request)
            if _merged(request, kept, gone, form):
                return redirect("person", kept.pk)
    refused = request.method == "POST" or (form.is_bound and not form.is_valid())
    context = {"player": kept, "form": form, "plan": plan}
    return render(request, "people/merge.html", context, status=422 if refused else 200)


def _is_merged(sent: QueryDict, kept: Player) -> bool:
    """Whether what ``sent`` asks for was done, such as by the first of two taps."""
    other = typed_id(sent.get("other", ""))
    return other is not None and other != kept.pk and merged_into(other) == kept


def _merged(request: HttpRequest, kept: Player, gone: Player, form: MergeForm) -> bool:
    try:
        merge_players(kept, gone, by=request.user)
    except ValidationError as error:
        form.refuse(error)
        return False
    messages.success(request, _("Merged: both records are one now."))
    return True


def _page(request: HttpRequest, shown: Person) -> HttpResponse:
    forms = _forms(shown, request)
    link, status = None, 200
    if request.method == "POST":
        do = request.POST.get("do", "")
        if do not in ACTIONS:
            raise Http404
        form = forms[do] = _form(do, request, request.POST)
        check_permission(request.user, ACTIONS[do].permission)
        if ACTIONS[do].asks_again(request.POST):
            require_proof(request)
        refused, link = _act(request, shown, ACTIONS[do], form)
        if not (refused or link):
            return redirect(ACTIONS[do].leads or _address(shown))
        status = 422 if refused else 200
    context = _context(request, shown, forms, link)
    if status == 422 and not _offers(do, context):
        context["refusals"] = form.non_field_errors()
    return render(request, "people/person.html", context, status=status)


def _act(
    request: HttpRequest, shown: Person, action: PersonAction, form: RefusableForm
) -> tuple[bool, ShownLink | None]:
    """Whether ``action`` was refused, and the link that it made."""
    if not form.is_valid():
        return True, None
    try:
        link = action.act(request, shown, form)
    except ValidationError as error:
        form.refuse(error)
        return True, None
    if not link:
        messages.success(request, str(action.done))
    return False, link


def _context(
    request: HttpRequest, shown: Person, forms: Mapping[str, RefusableForm], link: ShownLink | None
) -> dict[str, Any]:
    own = shown.account
    person = Person(shown.player, own, role_of(own) if own else None)
    may = person_actions(person, request.user)
    leave_fields = [forms["leave"]["closes"]] if may["may_close"] else []
    leave_fields += (
        [forms["leave"]["takes_role"]] if may["may_take"] and own != request.user else []
    )
    return {
        "person": person,
        "game": _open_game(person),
        "forms": forms,
        "linkable": own is None and linkable_accounts(check_signed_in(request.user)).exists(),
        "link": link,
        "mails": settings.SENDS_MAIL,
        "leave_fields": leave_fields,
        **may,
    }


def _offers(do: str, context: Mapping[str, Any]) -> bool:
    """Whether the page has the form of the action ``do``, so that a refusal is read there."""
    if do == "leave":
        return bool(context["person"].player.active)
    return bool(context[ONLY_IF[do]]) if do in ONLY_IF else True


def _open_game(person: Person) -> Game | None:
    """The game that ``person`` plays now, on their own account."""
    if person.player is None or person.account is None or person.closed:
        return None
    return Game.objects.open().filter(seats__player=person.player).first()


def _forms(shown: Person, request: HttpRequest) -> dict[str, RefusableForm]:
    username = "" if shown.account else propose_username(shown.name)
    initial = {"rename": {"name": shown.name}, "password": {"username": username}}
    return {do: _form(do, request, initial=initial.get(do)) for do in ACTIONS}


def _form(do: str, request: HttpRequest, sent: Any = None, **named: Any) -> RefusableForm:
    form = ACTIONS[do].form(sent, auto_id=f"id_{do}_%s", **named)
    if isinstance(form, LinkForm):
        account: Any = form.fields["account"]
        account.queryset = linkable_accounts(check_signed_in(request.user))
    return form


def _address(shown: Person) -> str:
    place = ("person", shown.player.pk) if shown.player else ("person_account", _account(shown).pk)
    return redirect(*place).url


# ----- what can be done ---------------------------------------------------------------------------


def _player(shown: Person) -> Player:
    if shown.player is None:
        raise Http404
    return shown.player


def _account(shown: Person) -> Account:
    if shown.account is None:
        raise Http404
    return shown.account


def _rename(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(_player(shown), by=request.user, **form.cleaned_data)


def _leave(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    mark_as_left(_player(shown), by=request.user, **form.cleaned_data)


def _ticked(sent: QueryDict) -> bool:
    """Whether who leaves shall lose more than the seat."""
    return any(field in sent for field in MarkAsLeftForm.base_fields)


def _back(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(_player(shown), active=True, by=request.user)


def _hide(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(_player(shown), hides_name=True, by=request.user)


def _show(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(_player(shown), hides_name=False, by=request.user)


def _close(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    close_account(_account(shown), by=request.user)


def _open(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    open_account(_account(shown), by=request.user)


def _delete(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    delete_account(_account(shown), by=request.user)


def _link(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(_player(shown), user=form.cleaned_data["account"], by=request.user)


def _link_player(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(form.cleaned_data["player"], user=_account(shown), by=request.user)


def _unlink(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    change_player(_player(shown), user=None, by=request.user)


def _give_account(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    give_account(_player(shown), by=request.user, **form.cleaned_data)


def _invite(request: HttpRequest, shown: Person, form: RefusableForm) -> ShownLink:
    player, asked = _player(shown), form.cleaned_data
    invitation, code = invite(player, days=asked["days"], email=asked["email"], by=request.user)
    mail_invitation(invitation, code)
    return shown_link(request.build_absolute_uri(join_path(code)), player.name)


def _reset(request: HttpRequest, shown: Person, form: RefusableForm) -> ShownLink:
    path = make_reset_link(_account(shown), by=request.user)
    return shown_link(request.build_absolute_uri(path), shown.name)


def _hand_over(request: HttpRequest, shown: Person, form: RefusableForm) -> ShownLink:
    path = hand_over(_account(shown), by=request.user)
    return shown_link(request.build_absolute_uri(path), shown.name)


def _end(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    end_sessions(_account(shown), by=request.user)


def _second_factor(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    remove_second_factor(_account(shown), by=request.user)


def _organiser(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    make_organiser(_account(shown), by=request.user)


def _owner(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    make_owner(_account(shown), by=request.user)


def _take(request: HttpRequest, shown: Person, form: RefusableForm) -> None:
    account = _account(shown)
    role = Role(form.cleaned_data["role"] or role_of(account))
    take_role(account, role if role == Role.OWNER else Role.ORGANISER, by=request.user)


# What offers an action that a page of before may still show.
ONLY_IF = {
    "take": "may_take",
    "organiser": "may_make_organiser",
    "owner": "may_make_owner",
    "hand_over": "may_hand_over",
}
_SAVED = gettext_lazy("Saved.")
ACTIONS: Mapping[str, PersonAction] = {
    "rename": PersonAction(_rename, _SAVED, PlayerNameForm, asks_again=_never),
    "leave": PersonAction(
        _leave,
        gettext_lazy("Marked as left. Every hand is kept."),
        MarkAsLeftForm,
        asks_again=_ticked,
    ),
    "back": PersonAction(_back, gettext_lazy("Back, and offered a seat again."), asks_again=_never),
    "hide": PersonAction(
        _hide,
        gettext_lazy("Whoever is not signed in reads initials from now on."),
        asks_again=_never,
    ),
    "show": PersonAction(
        _show, gettext_lazy("Whoever is not signed in reads the name again."), asks_again=_never
    ),
    "close": PersonAction(_close, gettext_lazy("Nobody signs in to this account any more.")),
    "open": PersonAction(_open, gettext_lazy("The account is open again.")),
    "delete": PersonAction(_delete, gettext_lazy("The account is deleted."), leads="people"),
    "link": PersonAction(_link, _SAVED, LinkForm),
    "link_player": PersonAction(_link_player, _SAVED, LinkPlayerForm),
    "unlink": PersonAction(_unlink, gettext_lazy("The account belongs to no player now.")),
    "password": PersonAction(
        _give_account, gettext_lazy("There is an account now."), GiveAccountForm
    ),
    "invite": PersonAction(_invite, form=InviteForm, asks_again=_never),
    "reset": PersonAction(_reset),
    "hand_over": PersonAction(_hand_over, permission=Permission.MAKE_OWNERS),
    "end": PersonAction(_end, gettext_lazy("Signed out everywhere."), asks_again=_never),
    "second_factor": PersonAction(
        _second_factor, gettext_lazy("The password alone is enough to sign in now.")
    ),
    "organiser": PersonAction(
        _organiser,
        gettext_lazy("An organiser now, who has to sign in anew."),
        permission=Permission.MAKE_ORGANISERS,
    ),
    "owner": PersonAction(
        _owner,
        gettext_lazy("An owner now, who has to sign in anew."),
        permission=Permission.MAKE_OWNERS,
    ),
    "take": PersonAction(
        _take,
        gettext_lazy("The role is taken away."),
        TakeRoleForm,
        permission=Permission.TAKE_ROLES,
    ),
}
