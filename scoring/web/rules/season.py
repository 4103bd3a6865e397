"""Hands that were played, under a book that is not stored: the last evening, or a whole season."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet

from scoring.evaluator.problems import HandError
from scoring.evaluator.table_rules import TableRules
from scoring.models import Game, Hand, League
from scoring.models.permissions import User
from scoring.operations.whatif import WhatIf, too_many, what_if
from scoring.services.book_drafts import ChangedHand, Draft, DraftTableRules, changed_hand
from scoring.services.hands.entry import worth
from scoring.variants.book_rules import BookTableRules

SHOWN = 20
MOST_OF_AN_EVENING = 200


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that was played and scores otherwise."""

    hand: Hand
    change: ChangedHand


@dataclass(frozen=True, slots=True)
class EveningTrial:
    """The hands of a league's last evening that anybody won with tiles: how many, and those that change."""

    league: League
    day: date
    hands: int
    changed: list[PlayedHand]


@dataclass(frozen=True, slots=True)
class LeagueTrial:
    """A league under the draft; ``trial`` is None for a league with too many hands for a page."""

    league: League
    trial: WhatIf | None
    changed: list[PlayedHand]
    more: int


def last_played(user: User, slug: str) -> League | None:
    """The league of the newest game that ``user`` may see: by the rules ``slug``, if any is played by them."""
    games = Game.objects.visible_to(user).order_by("-evening", "-pk").select_related("league")
    game = games.filter(league__ruleset_version__ruleset__slug=slug).first() or games.first()
    return game.league if game else None


def evening_under(user: User, league: League, draft: Draft) -> EveningTrial | None:
    """The last evening of ``league`` that ``user`` may see, under the draft and under its base.

    Without a base the hands are compared with what they scored. None if nothing was played yet.
    """
    visible = Game.objects.visible_to(user).filter(league=league)
    last = visible.order_by("-evening").first()
    if last is None:
        return None
    games = list(visible.filter(evening=last.evening))
    hands = Hand.objects.current().filter(game__in=games, outcome=Hand.Outcome.WIN, checked=True)
    won = list(_with_game(hands)[:MOST_OF_AN_EVENING])
    new = DraftTableRules(draft.book)
    old = BookTableRules(draft.base) if draft.base else None
    changes = [_changed(hand, _card(hand, old) if old else hand.card, new) for hand in won]
    return EveningTrial(league, last.evening, len(won), [one for one in changes if one])


def season_under(league: League, draft: Draft) -> LeagueTrial:
    """The whole ``league`` under the draft: who gains, which hands change and why."""
    if too_many(league):
        return LeagueTrial(league, None, [], 0)
    rules = DraftTableRules(draft.book)
    trial = what_if(league, rules)
    pks = [one.hand.pk for one in trial.changed[:SHOWN]]
    rows = _with_game(Hand.objects.all()).in_bulk(pks)
    changed = []
    for one in trial.changed[:SHOWN]:
        hand = rows[one.hand.pk]
        explained = _changed(hand, hand.card, rules)
        final = ChangedHand("", hand.final, one.final if one.amounts is not None else None, [])
        changed.append(explained or PlayedHand(hand, final))
    return LeagueTrial(league, trial, changed, len(trial.changed) - len(changed))


def _with_game(hands: QuerySet[Hand]) -> QuerySet[Hand]:
    """``hands`` with the winner, and with what their game is called by."""
    return hands.select_related("game", "winner").prefetch_related("game__seats__player")


def _changed(hand: Hand, before: Any, rules: TableRules) -> PlayedHand | None:
    change = changed_hand(hand.tiles, before, _card(hand, rules))
    return change and PlayedHand(hand, change)


def _card(hand: Hand, rules: TableRules) -> Any:
    """The card of a stored hand by ``rules``; None where these cannot have such a hand."""
    try:
        card = worth(hand, hand.seat, hand.prevailing, rules).card
    except HandError:
        return None
    return card and card.as_dict()
