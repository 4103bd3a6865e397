"""Rebuilding what ``verify`` found to differ, from what people entered.

A hand that no entry of today could make (its tiles do not win, its winner sits elsewhere) is left as it
is: only a person can say what was played.
"""

from django.db import transaction

from scoring.models import Game, Hand, League, Payment, Rating, Round, Tally
from scoring.services.audit import log_audit
from scoring.services.hands.record import lock_game
from scoring.services.left_sticks import share_out
from scoring.story import store

from .differences import Difference
from .games import (
    decided_columns,
    expected_finished,
    expected_status,
    game_differences,
    state_columns,
)
from .ledger import Ledger, same
from .reading import GameData, Rated, all_versions, booked_in, games_of, whole
from .replay import ReplayedGame, ReplayedHand, replay


@transaction.atomic
def repair_game(pk: int) -> list[Difference]:
    """Rebuild what is derived in one game: the figures of its hands, their payments, where it stands.

    :returns: the final scores that changed, so that the operator can be told.
    :raises PermissionDenied: if the game is gone.
    """
    game = lock_game(Game.objects.get(pk=pk))
    [data] = whole([game], all_versions())
    again = replay(data)
    differences = list(game_differences(data, again))
    for replayed in again.hands:
        if replayed.computed is not None:
            _repair_hand(data, replayed)
    if again.state is not None:
        _repair_state(data, again)
        share_out(lock_game(pk))
    log_audit("repair_game", game, by=None)
    return [one for one in differences if one.field == "final" and one.repairable]


@transaction.atomic
def repair_league(slug: str) -> None:
    """Rebuild the tallies and ratings of a league from the hands that count. Repair its games first.

    Whoever logs a hand in this league meanwhile waits for the tallies.
    """
    league = League.objects.get(slug=slug)
    held = Tally.objects.select_for_update().filter(league=league).order_by("player")
    tallies = {tally.player_id: tally for tally in held}
    ledger = Ledger(league)
    ledger.post(booked_in(league))
    for data in games_of(league, all_versions(), cards=False):
        hands = [(hand, data.payments[hand.pk]) for hand in data.undisputed]
        _repair_ratings(data, ledger.add(data, hands, finished=data.game.finished))
    for player in {**ledger.gains, **tallies}:
        _repair_tally(tallies.get(player) or Tally(league=league, player_id=player), ledger)
    store.all_changed([league])
    log_audit("repair_league", league, by=None)


def _repair_hand(data: GameData, replayed: ReplayedHand) -> None:
    stored, computed = replayed.stored, replayed.computed
    assert computed is not None
    decisions = {**decided_columns(computed), "status": expected_status(data, stored)}
    changes = {
        column: value for column, value in decisions.items() if getattr(stored, column) != value
    }
    if data.rounds.get(stored.round_id) != computed.prevailing:
        changes["round"], _created = Round.objects.get_or_create(
            game=data.game, wind=computed.prevailing, defaults={"started_at": stored.played_at}
        )
    if changes:
        Hand.objects.filter(pk=stored.pk).update(**changes)
    _repair_payments(replayed, data.payments[stored.pk])


def _repair_payments(replayed: ReplayedHand, stored: dict[int, int]) -> None:
    amounts = replayed.amounts or {}
    payments = Payment.objects.filter(hand=replayed.stored)
    payments.exclude(player__in=amounts).delete()
    for player, amount in amounts.items():
        if player not in stored:
            Payment.objects.create(hand=replayed.stored, player_id=player, amount=amount)
        elif stored[player] != amount:
            payments.filter(player=player).update(amount=amount)


def _repair_state(data: GameData, again: ReplayedGame) -> None:
    changes = state_columns(again)
    assert again.state is not None
    if expected_finished(data, again) != data.game.finished:
        changes["finished_at"] = data.current[-1].played_at if again.state.finished else None
    Game.objects.filter(pk=data.game.pk).update(**changes)


def _repair_ratings(data: GameData, after: Rated) -> None:
    ratings = Rating.objects.filter(game=data.game)
    if set(data.ratings) - set(after):
        ratings.exclude(player__in=after).delete()
    for player, (mu, sigma) in after.items():
        there = data.ratings.get(player)
        if there is None:
            Rating.objects.create(game=data.game, player_id=player, mu=mu, sigma=sigma)
        elif not (same(there[0], mu) and same(there[1], sigma)):
            ratings.filter(player=player).update(mu=mu, sigma=sigma)


def _repair_tally(tally: Tally, ledger: Ledger) -> None:
    columns = ledger.columns(tally.player_id)
    if tally.pk and all(same(getattr(tally, column), value) for column, value in columns.items()):
        return
    for column, value in columns.items():
        setattr(tally, column, value)
    tally.save()
