"""The texts of notices: one entry for each kind, in the language that is active.

A notice holds numbers and keys of rows. Names are looked up when the text is made: whoever changed their
name, or left, is named as they are now.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.figures import signed, whole
from scoring.models import League, NoticeKind, current_club


@dataclass(frozen=True, slots=True)
class Facts:
    """What a text is made of.

    :ivar players: the names of those whom the notice is about, by id.
    :ivar link: a secret path, of an invitation, a reset or an address to confirm.
    """

    params: Mapping[str, Any]
    players: Mapping[int, str] = field(default_factory=dict)
    leagues: Mapping[int, League] = field(default_factory=dict)
    link: str = ""

    @property
    def number(self) -> int:
        return int(self.params["number"])

    @property
    def league(self) -> League | None:
        return self.leagues.get(self.params["league"])

    @property
    def who(self) -> str:
        """Who did it: a player, or else an organiser who does not play."""
        return self.players.get(self.params.get("player", 0)) or _("An organiser")

    @property
    def where(self) -> dict[str, Any]:
        return {"number": self.number, "league": self._league_and_day, "who": self.who}

    @property
    def _league_and_day(self) -> str:
        """The league, and the evening: notices of before this was added do not say that."""
        named = str(self.league or "")
        if "day" not in self.params:
            return named
        return _("%(league)s (%(day)s)") % {"league": named, "day": _day(self)}


@dataclass(frozen=True, slots=True)
class NoticeWording:
    """How a notice of one kind reads: a line, a few sentences, and the path that it leads to."""

    title: Callable[[Facts], str]
    body: Callable[[Facts], str]
    link: Callable[[Facts], str]


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words, and the path that it leads to."""

    title: str
    body: str
    link: str


def text_of(kind: str, facts: Facts) -> NoticeText:
    """The notice of that kind, in the language that is active."""
    entry = ENTRIES[NoticeKind(kind)]
    return NoticeText(entry.title(facts), entry.body(facts), entry.link(facts))


def _hand(facts: Facts) -> str:
    return reverse("hand", args=[facts.params["hand"]])


def _settled(facts: Facts) -> str:
    if facts.params["withdrawn"]:
        text = _("Nobody disputes hand %(number)s of %(league)s any more: its points count.")
    else:
        text = _("An organiser lets hand %(number)s of %(league)s stand: its points count.")
    return text % facts.where


def _corrected_title(facts: Facts) -> str:
    if facts.params["void"]:
        return _("Hand %(number)s was declared void") % facts.where
    # Notices of before hands could be restored do not say it.
    if facts.params.get("restored"):
        return _("Hand %(number)s was restored") % facts.where
    return _("Hand %(number)s was corrected") % facts.where


def _corrected(facts: Facts) -> str:
    if facts.params["void"]:
        text = _("%(who)s declared hand %(number)s of %(league)s void: nobody pays for it.")
    elif facts.params.get("restored"):
        text = _("%(who)s restored hand %(number)s of %(league)s: it is no longer void.")
    else:
        text = _("%(who)s corrected hand %(number)s of %(league)s. See what it pays now.")
    return text % facts.where


def _recap_title(facts: Facts) -> str:
    return _("Your evening of %(day)s") % {"day": _day(facts)}


def _recap(facts: Facts) -> str:
    games, points = facts.params["games"], facts.params["points"]
    sentence = ngettext(
        "%(league)s: %(points)s points in %(games)s game.",
        "%(league)s: %(points)s points in %(games)s games.",
        games,
    )
    text = sentence % {
        "league": facts.league or "",
        "points": signed(points),
        "games": games,
    }
    if best := facts.params["best"]:
        text += " " + _("Your best hand scored %(best)s.") % {"best": whole(best)}
    return text


def _evening(facts: Facts) -> str:
    if facts.league is None:
        return reverse("leagues")
    day = date.fromisoformat(facts.params["day"])
    return reverse("evening", args=[facts.league.slug, day])


def _day(facts: Facts) -> str:
    return date_format(date.fromisoformat(facts.params["day"]))


def _role_title(facts: Facts) -> str:
    owner, given = facts.params["role"] == "owner", facts.params["given"]
    if given:
        return _("You own the club now") if owner else _("You are an organiser now")
    return _("You no longer own the club") if owner else _("You are no longer an organiser")


def _role(facts: Facts) -> str:
    text = _("Organisers run the evenings: leagues, players, disputes and late hands.")
    if facts.params["role"] == "owner":
        text = _("Owners change the settings of the club and decide who organises it.")
    if facts.params["given"]:
        text += " " + _("The new role has signed you out on every device.")
    return text


def _invitation(facts: Facts) -> str:
    names = {
        "name": facts.players.get(facts.params.get("player") or 0, ""),
        "who": facts.players.get(facts.params.get("asker") or 0, _("An organiser")),
        "club": current_club(),
    }
    text = _("%(who)s invites you to the site of %(club)s.")
    if names["name"]:
        text = _("Hello %(name)s. %(who)s invites you to the site of %(club)s.")
    sentences = [text % names, _("Open the link to make your account.")]
    if until := facts.params.get("until"):
        day = date_format(date.fromisoformat(until))
        sentences.append(_("It works until %(day)s.") % {"day": day})
    return " ".join([*sentences, _("Do you not know the club? Then do nothing.")])


def _guest_title(facts: Facts) -> str:
    if facts.params.get("agreed", True):
        return _("Your hands as a guest are yours now")
    return _("Your hands as a guest stay where they are")


def _guest(facts: Facts) -> str:
    if facts.params.get("agreed", True):
        text = _("What %(guest)s played before counts on your page from now on.")
    elif facts.params.get("was_another"):
        text = _("The guest that you said to have been was another member: %(guest)s.")
    else:
        text = _("You said that you were %(guest)s, and the answer was no.")
    return text % {"guest": facts.players.get(facts.params["player"], _("a guest"))}


def _claim(facts: Facts) -> str:
    name = facts.players.get(facts.params["player"], _("a guest"))
    if facts.params.get("joined"):
        text = _(
            "Somebody joined with an open link and says to be %(name)s. Confirm or decline it."
        )
    else:
        text = _("%(who)s says to have been the guest %(name)s. Say whether that is so.")
    who = facts.players.get(facts.params.get("asker") or 0, _("A member"))
    return text % {"name": name, "who": who}


def _claim_link(facts: Facts) -> str:
    if facts.params.get("joined"):
        return reverse("people")
    return reverse("player", args=[facts.params["player"]])


def _account(facts: Facts) -> tuple[str, str]:
    title, body = ABOUT_ACCOUNTS[facts.params["about"]]()
    return title, body % {"name": facts.players.get(facts.params.get("player", 0), "")}


_NOT_YOU = gettext_lazy("Was it not you? Tell an organiser of the club at once.")
# The title and the text of each notice about an account.
ABOUT_ACCOUNTS: Mapping[str, Callable[[], tuple[str, str]]] = {
    "confirm": lambda: (
        _("Confirm your mail address"),
        _(
            "Open the link to confirm that the address is yours. Did you not ask for this? Then do nothing."
        ),
    ),
    "mail": lambda: (_("Your mail address was changed"), str(_NOT_YOU)),
    "password": lambda: (_("Your password was changed"), str(_NOT_YOU)),
    "second_step": lambda: (_("Your second step was changed"), str(_NOT_YOU)),
    "reset_link": lambda: (
        _("An organiser made a link to a new password for you"),
        _("Did you not ask for it? Ask those who run the club about it at once."),
    ),
    "second_step_removed": lambda: (
        _("An organiser removed your second step"),
        _(
            "Your password alone is enough to sign in now. Did you not ask for it? Ask those who run the "
            "club about it at once."
        ),
    ),
    "opened": lambda: (
        _("Your account is open again"),
        _("It was closed for a while. You sign in with the name and the password of before."),
    ),
    "first_password": lambda: (
        _("Somebody else knows your password"),
        _("An organiser gave it to you. Open “My account” and choose one of your own."),
    ),
    "connected": lambda: (_("Another way to sign in to your account"), str(_NOT_YOU)),
    "disconnected": lambda: (_("A way to sign in to your account was removed"), str(_NOT_YOU)),
    "claim_confirmed": lambda: (
        _("An organiser has confirmed who you are"),
        _("What %(name)s played is on your page."),
    ),
    "claim_declined": lambda: (
        _("You are another person, says an organiser"),
        _("You asked for the record of %(name)s. Was that right? Then speak to an organiser."),
    ),
    # None is made any more; one that waits is still sent.
    "unknown": lambda: (
        _("A new password"),
        _(
            "Somebody asked for a new password for this mail address. No account here has it. Was it "
            "you? Then you signed up with another address, or an organiser can help."
        ),
    ),
}

# Each opened by the person whom it is for.
ENTRIES: Mapping[NoticeKind, NoticeWording] = {
    NoticeKind.INVITATION: NoticeWording(
        lambda facts: _("Join %(club)s") % {"club": current_club()},
        _invitation,
        lambda facts: facts.link or reverse("home"),
    ),
    NoticeKind.RESET: NoticeWording(
        lambda facts: _("A new password"),
        lambda facts: _(
            "Somebody asked for a link to a new password for your account. It works once. If that was "
            "not you, do nothing: your password stays as it is."
        ),
        lambda facts: facts.link or reverse("home"),
    ),
    NoticeKind.DISPUTED: NoticeWording(
        lambda facts: _("Hand %(number)s is disputed") % facts.where,
        lambda facts: (
            _("%(who)s says that hand %(number)s of %(league)s is wrong. Its points wait.")
            % facts.where
        ),
        _hand,
    ),
    NoticeKind.SETTLED: NoticeWording(
        lambda facts: _("The dispute about hand %(number)s is settled") % facts.where,
        _settled,
        _hand,
    ),
    NoticeKind.CORRECTED: NoticeWording(_corrected_title, _corrected, _hand),
    NoticeKind.DISPUTE: NoticeWording(
        lambda facts: _("A dispute waits for you"),
        lambda facts: (
            _("%(who)s disputes hand %(number)s of %(league)s. An organiser can settle it.")
            % facts.where
        ),
        _hand,
    ),
    NoticeKind.LATE_HAND: NoticeWording(
        lambda facts: _("A late hand waits for you"),
        lambda facts: (
            _(
                "Hand %(number)s of a game of %(league)s came after its end. Take it in, or decline it."
            )
            % facts.where
        ),
        lambda facts: reverse("late_hands", args=[facts.params["game"]]),
    ),
    NoticeKind.RECAP: NoticeWording(_recap_title, _recap, _evening),
    NoticeKind.ROLE: NoticeWording(_role_title, _role, lambda facts: reverse("home")),
    NoticeKind.GUEST: NoticeWording(
        _guest_title,
        _guest,
        lambda facts: reverse("me"),
    ),
    NoticeKind.CLAIM: NoticeWording(
        lambda facts: _("A question waits for you: who is it?"), _claim, _claim_link
    ),
    NoticeKind.ACCOUNT: NoticeWording(
        lambda facts: _account(facts)[0],
        lambda facts: _account(facts)[1],
        lambda facts: facts.link or reverse("account"),
    ),
}
