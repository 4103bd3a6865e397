"""Ratings: each finished game is a match of four, ranked by what they won (Plackett-Luce)."""

from collections.abc import Mapping

from django.db.models import Sum
from openskill.models import PlackettLuce

from scoring.models import Game, Hand, Payment, Rating, Tally

MODEL = PlackettLuce()


def rate(game: Game) -> None:
    """Rate the four players of ``game``, which has just finished, from where they stand now.

    A game without a hand rates nobody. Call it in the transaction that finishes the game.
    """
    totals = game_totals(game)
    if not totals:
        return
    standing = {
        tally.player_id: tally
        for tally in Tally.objects.select_for_update()
        .filter(league_id=game.league_id, player_id__in=totals)
        .order_by("player_id")
    }
    before = {player: (tally.rating_mu, tally.rating_sigma) for player, tally in standing.items()}
    for player, (mu, sigma) in rated(before, totals).items():
        Rating.objects.create(game=game, player_id=player, mu=mu, sigma=sigma)
        standing[player].rating_mu, standing[player].rating_sigma = mu, sigma
    Tally.objects.bulk_update(standing.values(), ["rating_mu", "rating_sigma"])


def rated(
    before: Mapping[int, tuple[float, float]], totals: Mapping[int, int]
) -> dict[int, tuple[float, float]]:
    """Mean and uncertainty of each player after a game that ended with ``totals`` (whole points)."""
    players = sorted(totals)
    teams = [[MODEL.rating(mu=before[one][0], sigma=before[one][1])] for one in players]
    after = MODEL.rate(teams, scores=[float(totals[one]) for one in players])
    return {one: (team[0].mu, team[0].sigma) for one, team in zip(players, after, strict=True)}


def game_totals(game: Game) -> dict[int, int]:
    """What each player of ``game`` has won or lost in whole points; empty before the first hand."""
    sums = (
        Payment.objects.filter(hand__game=game, hand__status__in=Hand.STANDING)
        .values("player")
        .annotate(total=Sum("amount"))
    )
    return {row["player"]: row["total"] for row in sums.order_by("player")}
