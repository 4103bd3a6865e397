"""What saving would do, while somebody is still tapping."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.models import Game
from scoring.play.errors import Conflict
from scoring.play.record import Recorded, preview_hand
from scoring.words import said

from .forms.hands import HandForm
from .missing import missing
from .payments import Share, shares

# Not a mistake yet: the person has not come to it.
NOT_YET = {("winner", "required"), ("discarder", "required"), ("tiles", "wrong_count")}


@dataclass(frozen=True, slots=True)
class Preview:
    """The result so far, for ``components/preview.html``: one of four things.

    - ``ready``, a score: ``final`` in whole points (None: a drawn hand), ``card`` the scorecard as
      a mapping (None: a drawn hand, or no tiles), ``shares`` who pays what, ``then`` what follows
    - ``todo``: what is still to be entered
    - ``problems``: what is wrong, a sentence each
    - ``conflict``: somebody else was first
    """

    ready: bool = False
    final: int | None = None
    card: Mapping[str, Any] | None = None
    shares: list[Share] = field(default_factory=list)
    then: str = ""
    todo: str = ""
    problems: list[str] = field(default_factory=list)
    conflict: Conflict | None = None


def preview_of(game: Game, form: HandForm) -> Preview:
    """What saving ``form`` would store, worked out by the code that stores it."""
    if not form.is_valid():
        return Preview(problems=_sentences(form.errors.values()))
    try:
        return _result(preview_hand(game, form.entry))
    except Conflict as conflict:
        return Preview(conflict=conflict)
    except ValidationError as error:
        return unfinished(error, form.cleaned_data["tiles"])


def unfinished(error: ValidationError, tiles: str) -> Preview:
    """The preview of a hand that ``error`` refuses: what ``tiles`` still lack, or what is wrong."""
    found = {
        (name, one.code): one.messages[0]
        for name, errors in error.error_dict.items()
        for one in errors
    }
    wrong = [sentence for key, sentence in found.items() if key not in NOT_YET]
    if ("winner", "required") in found:
        return Preview(todo=_("Tap who won."), problems=wrong)
    lacking = missing(tiles)
    if lacking and ("tiles", "wrong_count") in found:
        return Preview(todo=_("To come: %(missing)s.") % {"missing": lacking}, problems=wrong)
    if ("discarder", "required") in found and not wrong:
        return Preview(todo=found["discarder", "required"])
    return Preview(problems=list(found.values()))


def _result(recorded: Recorded) -> Preview:
    hand, state = recorded.hand, recorded.state
    dealer = hand.game.players[state.dealer]
    if state.finished:
        then = _("The game is over then.")
    elif dealer.pk == hand.dealer_id:
        then = _("%(dealer)s deals again.") % {"dealer": dealer}
    elif state.round.value != hand.prevailing:
        names = {"dealer": dealer, "wind": said(state.round.label)}
        then = _("The %(wind)s round begins; %(dealer)s deals.") % names
    else:
        then = _("%(dealer)s deals next.") % {"dealer": dealer}
    return Preview(
        ready=True,
        final=hand.final,
        card=hand.card,
        shares=shares(hand, recorded.payments),
        then=then,
    )


def _sentences(errors: Iterable[Iterable[str]]) -> list[str]:
    return [str(sentence) for some in errors for sentence in some]
