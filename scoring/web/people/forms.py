"""The forms about people."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from scoring.models.permissions import Account, Role
from scoring.models.refusals import SAME_PERSON
from scoring.queries.people import Invitable
from scoring.services.invitations import DAYS
from scoring.typed_numbers import RowField

from ..shared.password_form import PASSWORD_HELP
from ..shared.refusals import Refusable

LONGEST_LIST = 400_000
PERIODS = [(1, _("a day")), (7, _("a week")), (DAYS, _("two weeks")), (90, _("three months"))]


class RefusableForm(Refusable, forms.Form):
    """A form about a person, which shows what a service refused."""


class SureForm(RefusableForm):
    """A yes to what cannot be taken back."""

    sure = forms.BooleanField(
        label=_("Yes, take the name out for good"),
        error_messages={"required": _("Say that you want this: it cannot be taken back.")},
    )


class PlayerNameForm(RefusableForm):
    """A name, and a second yes where it looks like that of somebody else."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        strip=True,
        help_text=_("As it should appear in the league table."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    anyway = forms.BooleanField(label=_("It is another person"), required=False)

    @property
    def asks(self) -> bool:
        """Whether the second yes is asked for."""
        errors = self.errors.as_data().get("name", ()) if self.is_bound else ()
        return any(error.code == "looks_like" for error in errors) or "anyway" in self.data


class AddForm(PlayerNameForm):
    """One person."""


class ListForm(RefusableForm):
    """Many people: pasted, or in a file."""

    names = forms.CharField(
        label=_("Paste a list of names"),
        required=False,
        max_length=LONGEST_LIST,
        strip=False,
        help_text=_("One name a line; after it, if you like, a mail address and a sign-in name."),
        widget=forms.Textarea({"rows": 6}),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        required=False,
        help_text=_(
            "CSV or XLSX, with the columns name (or first name and surname), mail and sign-in name. Only "
            "a name is needed."
        ),
        widget=forms.FileInput({"accept": ".csv,.tsv,.txt,.xlsx"}),
    )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if not self.errors and not (given.get("names", "").strip() or given.get("file")):
            self.add_error("names", _("Paste some names, or choose a file."))
        return given


class GiveAccountForm(RefusableForm):
    """A first password that an organiser gives."""

    username = forms.CharField(
        label=_("Sign-in name"),
        max_length=150,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )
    password = forms.CharField(
        label=_("First password"),
        max_length=128,
        strip=False,
        help_text=_("Tell it to the person, who can choose another one."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A browser sends an empty field, too: this one was taken out while the proof was asked for.
        if self.is_bound and self.add_prefix("password") not in self.data:
            message = _(
                "Type the first password once more: it was not kept while we asked who you are."
            )
            self.fields["password"].error_messages["required"] = message


class MarkAsLeftForm(RefusableForm):
    """What becomes of the account of somebody who has left. A box that is not shown is not ticked."""

    closes = forms.BooleanField(
        label=_("Close the account: nobody signs in with it"), required=False, initial=True
    )
    takes_role = forms.BooleanField(label=_("Take the role away"), required=False, initial=True)


class TakeRoleForm(RefusableForm):
    """The role that the page offers to take: the account may have another one by now."""

    role = forms.ChoiceField(
        choices=[(role.value, role.value) for role in (Role.ORGANISER, Role.OWNER)],
        widget=forms.HiddenInput,
        required=False,
    )


class LinkForm(RefusableForm):
    """The account of a player who has none."""

    account = RowField(Account.objects.none(), label=_("Account"))


class LinkPlayerForm(RefusableForm):
    """The player of an account that has none."""

    player = RowField(Player.objects.filter(user=None, anonymous_since=None), label=_("Player"))


class InviteForm(RefusableForm):
    """An invitation for one person."""

    days = forms.TypedChoiceField(
        label=_("Good for"), choices=PERIODS, initial=DAYS, coerce=int, widget=forms.RadioSelect
    )
    email = forms.EmailField(
        label=_("Mail address"),
        required=False,
        help_text=_("Where to send it. Without one you hand over the link yourself."),
    )


class OpenInviteForm(InviteForm):
    """An invitation for whoever has it, or for one player."""

    player = RowField(
        Player.objects.filter(user=None, active=True),
        label=_("For whom?"),
        required=False,
        empty_label=_("whoever has the link"),
    )
    once = forms.TypedChoiceField(
        label=_("How often?"),
        choices=[("many", _("by many people")), ("once", _("once"))],
        initial="many",
        widget=forms.RadioSelect,
        help_text=_("A link for one player is good once."),
    )
    field_order = ("player", "once", "days", "email")


class CardsForm(RefusableForm):
    """Who gets a card with an invitation of their own, out of ``people``.

    :param ticked: tick everybody who is neither a guest nor invited already.
    """

    players = forms.TypedMultipleChoiceField(
        label=_("For whom?"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one person.")},
    )
    days = forms.TypedChoiceField(
        label=_("Good for"), choices=PERIODS, initial=DAYS, coerce=int, widget=forms.RadioSelect
    )
    # Asked once the cards of some were made before, perhaps by loading the page again.
    again = forms.BooleanField(
        label=_("Make new cards for them, too: the ones of before end"), required=False
    )

    fields: dict[str, Any]

    def __init__(
        self, *args: Any, people: Sequence[Invitable], ticked: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        players = {str(one.player.pk): one.player for one in people}
        field = self.fields["players"]
        field.choices = [(str(one.player.pk), _labelled(one)) for one in people]
        field.coerce = players.__getitem__
        field.initial = [
            str(one.player.pk)
            for one in people
            if ticked and not one.invited and not one.player.guest
        ]


def _labelled(one: Invitable) -> str:
    if one.invited:
        return _("%(name)s (invited already)") % {"name": one.player}
    if one.player.guest:
        return _("%(name)s (guest)") % {"name": one.player}
    return one.player.name


class MergeForm(RefusableForm):
    """The other record of the same person."""

    other = RowField(Player.objects.all(), label=_("The other record"))

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        other: Any = self.fields["other"]
        other.queryset = Player.objects.filter(anonymous_since=None).exclude(pk=player.pk)


class JoinForm(RefusableForm):
    """An account of one's own, by an invitation."""

    SAME, OTHER = "same", "other"

    name = forms.CharField(
        label=_("Your name"),
        max_length=80,
        help_text=_("As it should appear in the league table."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    # Asked only for a name that somebody has: what was answered for another name is passed over.
    who = forms.ChoiceField(
        label=_("Is this you?"), required=False, disabled=True, widget=forms.RadioSelect
    )
    username = forms.CharField(
        label=_("Sign-in name"),
        max_length=150,
        required=False,
        help_text=_("Left empty, it is made of your name."),
        widget=forms.TextInput({"autocomplete": "username", "autocapitalize": "none"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        help_text=PASSWORD_HELP,
        # Rendered again as it was typed: nothing is lost when another field asks.
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )
    email = forms.EmailField(
        label=_("Mail address"),
        required=False,
        help_text=_("For a new password when you forget yours. Organisers may see it."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, required=False, widget=forms.RadioSelect
    )

    def __init__(
        self, *args: Any, player: Player | None, with_password: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.asks = False
        if not settings.SENDS_MAIL:
            self.fields["email"].help_text = _(
                "You can sign in with it, too. Organisers may see it. This site sends no mail."
            )
        if not with_password:
            del self.fields["password"]
        if player is not None:
            del self.fields["name"], self.fields["who"]

    def ask_whether(self, name: str) -> None:
        """Let the person say whether they are the player of that ``name``."""
        self.asks = True
        who: Any = self.fields["who"]
        who.required, who.disabled = True, False
        who.error_messages["required"] = SAME_PERSON % {"name": name}
        who.choices = [
            (self.SAME, _("Yes, I am %(name)s") % {"name": name}),
            (self.OTHER, _("No, I am somebody else")),
        ]
