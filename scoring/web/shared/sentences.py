"""Say in a sentence what came of a hand."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.figures import whole
from scoring.models import Hand, HandEvent


def who_won(hand: Hand, names: Mapping[int | None, str]) -> str:
    """Who won ``hand`` off whom, as the form at the table says it: "Ann, on Ben’s discard".

    :param names: of the players, by their ids.
    """
    if not hand.is_win:
        return _("No winner (draw)") if hand.calls else _("No winner (draw): nobody pays")
    if hand.self_drawn:
        words = _("{winner}, self-drawn")
    elif hand.discarder is None:
        words = _("{winner}; discarder not known")
    else:
        words = _("{winner}, on {discarder}’s discard")
    winner, discarder = (names.get(player, "") for player in (hand.winner_id, hand.discarder_id))
    return words.replace("{winner}", winner).replace("{discarder}", discarder)


def in_a_sentence(hand: Hand) -> str:
    """What came of a hand: "Hand 7: Ann wins 120."."""
    if not hand.is_win and hand.calls:
        return _("Hand %(number)s: drawn.") % {"number": hand.number}
    if not hand.is_win:
        return _("Hand %(number)s: drawn, nobody pays.") % {"number": hand.number}
    params = {"number": hand.number, "winner": hand.winner, "final": whole(hand.final)}
    return _("Hand %(number)s: %(winner)s wins %(final)s.") % params


def on_the_table(counters: int, sticks: int) -> list[str]:
    """What lies on the table: "2 counters" and "1 riichi stick"; empty for nothing."""
    words = []
    if counters:
        many = ngettext("%(number)s counter", "%(number)s counters", counters)
        words.append(many % {"number": counters})
    if sticks:
        many = ngettext("%(number)s riichi stick", "%(number)s riichi sticks", sticks)
        words.append(many % {"number": sticks})
    return words


def _versions_since(hand: Hand) -> list[Hand]:
    """``hand`` and the versions that have taken its place, the newest last."""
    versions = [hand]
    while later := Hand.objects.filter(supersedes=versions[-1]).first():
        later.game = hand.game
        versions.append(later)
    return versions


def what_became_of(hand: Hand) -> str:
    """What was done to ``hand`` after it was logged, for who sends it again; empty if it counts."""
    if hand.game.withdrawn:
        return _("Its game was withdrawn since, and does not count.")
    *earlier, newest = _versions_since(hand)
    restored = any(one.status == Hand.Status.VOID for one in earlier)
    corrected = any(one.status == Hand.Status.SUPERSEDED for one in earlier)
    sentences = [_("It was taken back and restored since.")] if restored else []
    sentences += [_("It was corrected since.")] if corrected else []
    if newest.disputed:
        sentences.append(_("It is disputed: its points count when that is settled."))
    elif newest.status == Hand.Status.VOID:
        undone = newest.events.filter(kind=HandEvent.Kind.UNDONE).exists()
        last = _("It was taken back since.") if undone else _("It was declared void since.")
        sentences.append(last)
    return " ".join(sentences)
