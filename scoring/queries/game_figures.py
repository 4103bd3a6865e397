"""Read the figures of each player in each game, for standing rules that ask for more than sums."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from django.db.models import Count, F, Max, Q, Sum

from scoring.models import Game, League, Payment, Transfer

from . import ranking
from .standing_sums import GameFigures

# The results of each player (by id), in the order in which the games were played.
Results = dict[int, tuple[GameFigures, ...]]


def game_figures(
    leagues: Sequence[League], day: date | None = None, *, of: int | None = None
) -> dict[int, Results]:
    """The results of the games of ``leagues`` that count, by the league's id.

    Three queries, however many the leagues and games.

    :param day: only games of evenings up to that day.
    :param of: only games in which this player (an id) has hands or bookings.
    """
    games = Game.objects.played().filter(league__in=leagues)
    paid = Payment.objects.counted().filter(hand__game__league__in=leagues)
    booked = Transfer.objects.counted().filter(adjustment__game__league__in=leagues)
    if day is not None:
        games = games.filter(evening__lte=day)
        paid = paid.filter(hand__game__evening__lte=day)
        booked = booked.filter(adjustment__game__evening__lte=day)
    if of is not None:
        own = booked.filter(Q(payer=of) | Q(payee=of), adjustment__game__isnull=False)
        games = games.filter(
            Q(pk__in=paid.filter(player=of).values("hand__game"))
            | Q(pk__in=own.values("adjustment__game"))
        )
        paid = paid.filter(hand__game__in=games.values("pk"))
        booked = booked.filter(adjustment__game__in=games.values("pk"))
    transfers = booked.points_by_game()
    by_game: defaultdict[int, dict[int, GameFigures]] = defaultdict(dict)
    in_order = games.order_by("evening", "pk").values_list("pk", "league", "evening", "finished_at")
    facts = {pk: (league, evening, at is not None) for pk, league, evening, at in in_order}
    won = Q(hand__winner=F("player"))
    # The columns of ``GameFigures``, added up by the database. The model is ``Gain.add`` of the tallies.
    sums = paid.values_list("hand__game", "player").annotate(
        points=Sum("amount"),
        hands=Count("pk"),
        wins=Count("pk", filter=won),
        discards=Count("pk", filter=Q(hand__discarder=F("player"))),
        best_hand=Max("hand__final", filter=won),
    )
    for game, player, points, hands, wins, discards, best in sums.order_by():
        if game not in facts:  # restored since the games were read: the next reading has it
            continue
        _league, evening, finished = facts[game]
        by_game[game][player] = GameFigures(
            game, evening, finished, points, hands, wins, discards, best or 0
        )
    for game in transfers.keys() & facts.keys():
        _league, evening, finished = facts[game]
        for player, amount in transfers[game].items():
            so_far = by_game[game].get(player, GameFigures(game, evening, finished, 0, 0))
            by_game[game][player] = so_far._replace(points=so_far.points + amount)
    by_league: defaultdict[int, defaultdict[int, list[GameFigures]]]
    by_league = defaultdict(lambda: defaultdict(list))
    for game, (league, _evening, _finished) in facts.items():
        for player, figures in with_places(by_game.get(game, {})).items():
            by_league[league][player].append(figures)
    return {league: _as_tuples(players) for league, players in by_league.items()}


def with_places(figures: Mapping[int, GameFigures]) -> dict[int, GameFigures]:
    """The ``figures`` of one game, by player, each with the place that its points bring.

    Who has only a booking there has no place.
    """
    with_hands = [(player, one) for player, one in figures.items() if one.hands]
    ranked = ranking.rank(with_hands, lambda row: row[1].points)
    level = Counter(place for place, _row in ranked)
    return dict(figures) | {
        player: one._replace(place=place, sharing=level[place]) for place, (player, one) in ranked
    }


def _as_tuples(players: Mapping[int, Iterable[GameFigures]]) -> Results:
    return {player: tuple(games) for player, games in players.items()}
