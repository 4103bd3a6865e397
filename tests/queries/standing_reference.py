"""League tables once more: slow, and written from docs/standing-rules.md without looking at the code.

It knows no database. A league is a list of hands and a list of bookings.
"""

from collections import namedtuple
from datetime import timedelta
from fractions import Fraction

# ``paid`` are whole points by player; ``winner`` and ``discarder`` may be None.
PlayedHand = namedtuple("PlayedHand", "game evening finished paid winner discarder final")
# ``game`` is None outside of games; ``day`` is then the day on which it was booked.
Booking = namedtuple("Booking", "game day player points")
Row = namedtuple("Row", "rank player value played needed")


def table(hands, bookings, rules, names, day):
    """The rows of the table on ``day``, and the teams as (rank, name, value)."""
    everybody = sorted(names, key=lambda player: (names[player].casefold(), player))
    found = [(player, figure(player, hands, bookings, rules, day)) for player in everybody]
    found = [(player, one) for player, one in found if one is not None]
    shown = [(player, one) for player, one in found if not one["hidden"]]
    ranked = [(player, one) for player, one in shown if one["played"] >= one["needed"]]
    ranked.sort(key=lambda row: row[1]["key"], reverse=True)
    rows = []
    for player, one in ranked:
        better = sum(1 for _other, other in ranked if other["key"] > one["key"])
        rows.append(Row(better + 1, player, one["value"], one["played"], one["needed"]))
    waiting = [(player, one) for player, one in shown if one["played"] < one["needed"]]
    waiting.sort(key=lambda row: (row[1]["played"], row[1]["value"]), reverse=True)
    rows += [Row(None, p, one["value"], one["played"], one["needed"]) for p, one in waiting]
    values = {player: one["value"] for player, one in found}
    teams = [
        (
            team["name"],
            sum((values.get(player, Fraction(0)) for player in team["players"]), Fraction(0)),
        )
        for team in rules.get("teams", [])
    ]
    teams.sort(key=lambda team: team[0].casefold())
    teams.sort(key=lambda team: team[1], reverse=True)
    return rows, [
        (1 + sum(1 for _name, other in teams if other > value), name, value)
        for name, value in teams
    ]


def figure(player, hands, bookings, rules, day):
    """What ``player`` has, or None for who is not in the table at all."""
    own = [hand for hand in hands if player in hand.paid]
    played_in = {hand.game for hand in own}
    games = [one_game(player, game, hands, bookings) for game in sorted(played_in)]
    games.sort(key=lambda game: (game["evening"], game["game"]))
    outside = sum(b.points for b in bookings if b.player == player and b.game not in played_in)
    points = sum(game["points"] for game in games) + outside
    if not own and not points:
        return None
    counts = rules.get("counts", "points")
    by_place = counts in ("places", "table_points")
    counting = [game for game in games if game["finished"] or not by_place]
    for game in counting:
        game["value"] = game_value(game, rules)
    kept = leave_out(keep_best(counting, rules.get("best")), rules.get("drop"))
    value = sum((game["value"] for game in kept), Fraction(0))
    if counts == "places":
        value += Fraction(outside, rules.get("divide_by", 1))
    elif counts != "table_points":
        value += outside
    value += premium(counting, rules.get("attendance"))
    value += head_start(player, kept, rules.get("handicap"))
    if counts == "average_hand" and kept:
        value /= sum(game["hands"] for game in kept)
    if counts == "average_game" and kept:
        value /= len(kept)
    played, needed = minimum(counting, rules)
    last = max((game["evening"] for game in games), default=None)
    weeks = rules.get("inactive_weeks")
    hidden = weeks is not None and (last is None or (day - last).days > 7 * weeks)
    ties = [
        tie_break(name, own, games, points, player, rules) for name in rules.get("tie_breaks", [])
    ]
    return {
        "value": value,
        "played": played,
        "needed": needed,
        "hidden": hidden,
        "key": [value, *ties],
    }


def one_game(player, number, hands, bookings):
    dealt = [hand for hand in hands if hand.game == number]
    totals = {}
    for hand in dealt:
        for who, amount in hand.paid.items():
            totals[who] = totals.get(who, 0) + amount
    for booking in bookings:
        if booking.game == number and booking.player in totals:
            totals[booking.player] += booking.points
    mine = totals[player]
    return {
        "game": number,
        "evening": dealt[0].evening,
        "finished": dealt[0].finished,
        "points": mine,
        "hands": sum(1 for hand in dealt if player in hand.paid),
        "above": sum(1 for total in totals.values() if total > mine),
        "level": sum(1 for total in totals.values() if total == mine),
    }


def game_value(game, rules):
    counts = rules.get("counts", "points")
    if counts not in ("places", "table_points"):
        return Fraction(game["points"])
    places = [Fraction(str(place)) for place in rules["places"]]
    taken = [places[min(3, game["above"] + number)] for number in range(game["level"])]
    bonus = sum(taken) / len(taken)
    if counts == "table_points":
        return bonus
    return Fraction(game["points"], rules.get("divide_by", 1)) + bonus


def week_of(evening):
    return evening - timedelta(days=evening.weekday())


NAME_OF = {
    "games": lambda game: game["game"],
    "evenings": lambda game: game["evening"],
    "weeks": lambda game: week_of(game["evening"]),
    "evening": lambda game: game["evening"],
    "week": lambda game: week_of(game["evening"]),
    "season": lambda game: "season",
}


def bundles(games, by):
    """Games with one name of ``by`` together, in the order in which they were played."""
    found = []
    for game in games:
        for bundle in found:
            if NAME_OF[by](bundle[0]) == NAME_OF[by](game):
                bundle.append(game)
                break
        else:
            found.append([game])
    return found


def worth(bundle):
    return sum(game["value"] for game in bundle)


def keep_best(games, best):
    if not best:
        return games
    kept = []
    for period in bundles(games, best.get("per", "season")):
        candidates = bundles(period, best.get("of", "games"))
        if best.get("first"):
            candidates = candidates[: best["first"]]
        for _time in range(best["count"]):
            if not candidates:
                break
            finest = candidates[0]
            for candidate in candidates:
                if worth(candidate) > worth(finest):
                    finest = candidate
            candidates = [one for one in candidates if one is not finest]
            kept += finest
    return [game for game in games if game in kept]


def leave_out(games, drop):
    if not drop:
        return games
    left = bundles(games, drop.get("of", "games"))
    for _time in range(drop["count"]):
        if len(left) <= 1:
            break
        worst = left[0]
        for bundle in left:
            if worth(bundle) <= worth(worst):
                worst = bundle
        left = [one for one in left if one is not worst]
    return [game for game in games if any(game in bundle for bundle in left)]


def premium(games, attendance):
    if not attendance:
        return Fraction(0)
    points = Fraction(str(attendance["points"]))
    if attendance.get("per", "evening") == "game":
        return points * len(games)
    whole = attendance.get("games", 1)
    total = Fraction(0)
    for evening in {game["evening"] for game in games}:
        played = sum(1 for game in games if game["evening"] == evening)
        total += points * min(played, whole) / whole
    return total


def head_start(player, kept, handicap):
    if not handicap:
        return Fraction(0)
    each = [Fraction(str(h["points"])) for h in handicap["players"] if h["player"] == player]
    if not each:
        return Fraction(0)
    per = handicap.get("per", "game")
    times = {"game": len(kept), "evening": len({g["evening"] for g in kept}), "season": 1}[per]
    return each[0] * times


def minimum(games, rules):
    rule = rules.get("minimum") or {"count": 0}
    of = rule.get("of", "games")
    played = {
        "games": len(games),
        "hands": sum(game["hands"] for game in games),
        "evenings": len({game["evening"] for game in games}),
    }[of]
    average = rules.get("counts", "points") in ("average_hand", "average_game")
    return played, max(rule["count"], 1 if average else 0)


def tie_break(name, own, games, points, player, rules):
    won = [hand for hand in own if hand.winner == player]
    over = [game for game in games if game["finished"]]
    return {
        "points": points,
        "wins": len(won),
        "best_hand": max((hand.final for hand in won), default=0),
        "fewest_discards": -sum(1 for hand in own if hand.discarder == player),
        "most_games": len(games),
        "fewest_games": -len(games),
        "first_places": sum(1 for game in over if game["above"] == 0),
        "best_game": max((game_value(game, rules) for game in over), default=-(10**9)),
    }[name]
