"""Show what saving would do, while somebody is still tapping."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Form
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.table_rules import Claims
from scoring.evaluator.tiles import Tile
from scoring.models import Game, Hand
from scoring.models.permissions import User
from scoring.services.errors import Conflict
from scoring.services.hands.correct import preview_entry
from scoring.services.hands.record import Recorded, preview_hand
from scoring.translation import translate

from .hand_form import HandForm
from .payments import PlayerShare, shares
from .score_steps import ScoreStep, faan_by, notes_by

SETS, TILES = 4, 14
# Not a mistake yet: the person has not come to it.
WRONG_NUMBER = (("tiles", "wrong_count"), ("tiles", "wrong_number"))
NOT_YET = {("winner", "required"), ("discarder", "required"), ("value", "required"), *WRONG_NUMBER}


@dataclass(frozen=True, slots=True)
class Preview:
    """The result so far, for ``components/preview.html``: one of four things.

    - ``ready``, a score: ``final`` in whole points (None: a drawn hand), ``card`` the scorecard as
      a mapping (None: a drawn hand, or no tiles), ``notes`` the steps that its sum leaves out, ``faan`` its
      faan in words, ``limit`` the name of the limit hand that is claimed without tiles, ``shares`` who pays what, ``then`` what follows
    - ``todo``: what is still to be entered
    - ``problems``: what is wrong, a sentence each
    - ``conflict``: somebody else was first; with one of the others, for the hand as number ``number``
    """

    ready: bool = False
    final: int | None = None
    card: Mapping[str, Any] | None = None
    limit: str = ""
    notes: list[ScoreStep] = field(default_factory=list)
    faan: str = ""
    shares: list[PlayerShare] = field(default_factory=list)
    then: str = ""
    todo: str = ""
    problems: list[str] = field(default_factory=list)
    conflict: Conflict | None = None
    number: int | None = None


def preview_of(game: Game, form: HandForm) -> Preview:
    """What saving ``form`` would store, worked out by the code that stores it.

    Where another hand stands at its position, what saving it as the next hand would store.
    """
    shown = _preview(form, lambda: preview_hand(game, form.entry))
    if shown.conflict is None or shown.conflict.code != "not_the_next_hand":
        return shown
    entry = dataclasses.replace(form.entry, number=game.next_number)
    as_next = _preview(form, lambda: preview_hand(game, entry))
    return dataclasses.replace(as_next, conflict=shown.conflict, number=entry.number)


def preview_of_correction(hand: Hand, form: HandForm, by: User) -> Preview:
    """What ``form`` scores and pays in the place of ``hand``."""
    return _preview(form, lambda: preview_entry(hand, form.entry, by=by))


def _preview(form: HandForm, work_out: Callable[[], Recorded]) -> Preview:
    if not form.is_valid():
        return Preview(problems=sentences(form))
    try:
        return _result(work_out())
    except Conflict as conflict:
        return Preview(conflict=conflict)
    except ValidationError as problem:
        error = form.in_words(problem)
        claims = form.game.ruleset_version.table_rules.claims
        if _is_begun(form.cleaned_data["claimed_final"], claims):
            return Preview(todo=" ".join(error.messages))
        return unfinished(error, form.cleaned_data["tiles"])


def _is_begun(score: int | None, claims: Claims) -> bool:
    """Whether more digits will follow: ``score`` is too low to be one, or begins one that is listed."""
    if score is None or score <= 0:
        return False
    begins = any(str(listed).startswith(str(score)) for listed in claims.listed)
    return score < claims.least or begins


def unfinished(error: ValidationError, tiles: str) -> Preview:
    """The preview of a hand that ``error`` refuses: what ``tiles`` still lack, or what is wrong."""
    problems = {
        (name, one.code): one.messages[0]
        for name, errors in error.error_dict.items()
        for one in errors
    }
    wrong = [sentence for key, sentence in problems.items() if key not in NOT_YET]
    if ("winner", "required") in problems:
        return Preview(todo=_("Tap who won."), problems=wrong)
    lacking = missing(tiles)
    if lacking and not problems.keys().isdisjoint(WRONG_NUMBER):
        todo = _("Still needed: four sets and a pair, or the final score alone.")
        if tiles:
            todo = _("Still needed: %(missing)s.") % {"missing": lacking}
        return Preview(todo=todo, problems=wrong)
    for key in (("value", "required"), ("discarder", "required")):
        if key in problems and not wrong:
            return Preview(todo=problems[key])
    return Preview(problems=list(problems.values()))


def _result(recorded: Recorded) -> Preview:
    hand, state = recorded.hand, recorded.state
    dealer = hand.game.players[state.dealer]
    if state.finished:
        then = _("The game will then be over.")
    elif dealer.pk == hand.dealer_id:
        then = _("%(dealer)s deals again.") % {"dealer": dealer}
    elif state.round.value != hand.prevailing:
        names = {"dealer": dealer, "wind": translate(state.round.label)}
        then = _("The %(wind)s round begins; %(dealer)s deals.") % names
    else:
        then = _("%(dealer)s deals next.") % {"dealer": dealer}
    rules, card = hand.ruleset_version.table_rules, hand.card
    return Preview(
        ready=True,
        final=hand.final,
        card=card,
        limit=_limit_name(hand),
        notes=notes_by(rules, card) if card else [],
        faan=faan_by(rules, card) if card else "",
        shares=shares(hand, recorded.payments),
        then=then,
    )


def _limit_name(hand: Hand) -> str:
    names = hand.ruleset_version.table_rules.limit_names
    return translate(names[hand.claimed_limit]) if hand.claimed_limit else ""


def sentences(form: Form) -> list[str]:
    """Everything that is wrong in ``form``, a sentence each."""
    return [str(sentence) for errors in form.errors.values() for sentence in errors]


def missing(text: str) -> str:
    """What ``text`` lacks to be four sets and a pair; empty if it lacks nothing or is no hand.

    Words of the text count as they stand: "222B 345B" are two sets. Where they are no sets, tiles
    are counted instead.
    """
    try:
        groups = [parse_tiles(word.rstrip("*#")) for word in text.replace(",", " ").split()]
    except HandError:
        return ""
    sets = sum(_is_set(group) for group in groups)
    pairs = sum(len(group) == 2 and len(set(group)) == 1 for group in groups)
    if sets + pairs == len(groups) and pairs <= 1:
        return _missing_sets(SETS - sets, 1 - pairs)
    return _missing_tiles([tile for group in groups for tile in group])


def _is_set(group: Sequence[Tile]) -> bool:
    if len(set(group)) == 1:
        return len(group) in (3, 4)
    ranks = "".join(sorted(tile.code[0] for tile in group))
    return len(group) == 3 and len({tile.code[1:] for tile in group}) == 1 and ranks in "123456789"


def _missing_sets(sets: int, pairs: int) -> str:
    wanted = {
        0: "",
        1: _("one more set"),
        2: _("two more sets"),
        3: _("three more sets"),
        4: _("four sets"),
    }.get(sets, "")
    if wanted and pairs:
        return _("%(sets)s and a pair") % {"sets": wanted}
    return wanted or (_("a pair") if pairs and sets == 0 else "")


def _missing_tiles(tiles: Sequence[Tile]) -> str:
    lacking = TILES - len(tiles)
    if lacking <= 0:
        return ""
    return ngettext("%(count)s more tile", "%(count)s more tiles", lacking) % {"count": lacking}
