"""Leagues made at random, as rows of the database and as records for the reference; and random rules."""

from collections import Counter
from datetime import UTC, datetime, time, timedelta

from scoring.models import (
    Adjustment,
    Game,
    Hand,
    Payment,
    Player,
    Round,
    Seat,
    Tally,
    Transfer,
    club_day,
)
from tests.factories import make_league, ruleset_version
from tests.queries.standing_reference import Booking, PlayedHand


class RandomLeague:
    """A league of a few evenings; small figures, so that many are level."""

    def __init__(self, random, *, evenings=6, most_games=5):
        self.random = random
        self.league = make_league()
        self.today = club_day()
        size = random.randint(4, 9)
        serial = random.random()
        self.players = Player.objects.bulk_create(
            Player(name=f"{random.choice('ABCab')}{number} {serial}") for number in range(size)
        )
        self.names = {player.pk: player.name for player in self.players}
        self.hands, self.bookings = [], []
        days = sorted(random.sample(range(60), evenings), reverse=True)
        for number, ago in enumerate(days):
            for _game in range(random.randint(0, most_games)):
                self._play(self.today - timedelta(days=ago), last=number == len(days) - 1)
        for _booking in range(random.randint(0, 4)):
            self._book(None, self.today - timedelta(days=random.randint(0, 60)), *self._pair())
        self._count()

    def _pair(self):
        payer, payee = self.random.sample(self.players, 2)
        return payer, payee, self.random.choice([10, 20, 40])

    def _play(self, evening, *, last):
        random = self.random
        four = random.sample(self.players, 4)
        finished = not last or random.random() < 0.5
        version = ruleset_version()
        at = datetime.combine(evening, time(20), UTC)
        game = Game.objects.create(
            league=self.league,
            ruleset_version=version,
            evening=evening,
            started_at=at,
            finished_at=at if finished else None,
            ended_early=finished,
        )
        Seat.objects.bulk_create(Seat(game=game, place=p, player=one) for p, one in enumerate(four))
        dealt = Round.objects.create(game=game, wind="E")
        for number in range(1, random.randint(0, 6) + 1):
            self._deal(game, dealt, number, four, finished)
        if random.random() < 0.2:
            self._book(game, evening, *random.sample(four, 2), random.choice([10, 20]))
        if random.random() < 0.05:
            # Who was replaced keeps a booking at a table where others play.
            self._book(game, evening, *self._pair())

    def _deal(self, game, dealt, number, four, finished):
        random = self.random
        winner = random.choice([None, *four])
        others = [one for one in four if one != winner]
        discarder = random.choice([None, *others]) if winner else None
        final = random.choice([20, 40, 60]) if winner else None
        status = random.choice([*["live"] * 8, "disputed", "void"])
        hand = Hand.objects.create(
            game=game,
            round=dealt,
            number=number,
            outcome="win" if winner else "draw",
            winner=winner,
            discarder=discarder,
            self_drawn=bool(winner and not discarder),
            prevailing="E",
            dealer=four[0],
            seat="S" if winner else "",
            ruleset_version=game.ruleset_version,
            final=final,
            checked=False,
            status=status,
        )
        paid = {one.pk: -final if winner else 0 for one in others}
        if winner:
            paid[winner.pk] = 3 * final
        Payment.objects.bulk_create(
            Payment(hand=hand, player_id=player, amount=amount) for player, amount in paid.items()
        )
        if status == "live":
            names = (winner and winner.pk, discarder and discarder.pk)
            record = PlayedHand(game.pk, game.evening, finished, paid, *names, final)
            self.hands.append(record)

    def _book(self, game, day, payer, payee, amount):
        at = datetime.combine(day, time(20), UTC)
        booked = Adjustment.objects.create(league=self.league, game=game, reason="R", made_at=at)
        Transfer.objects.create(adjustment=booked, payer=payer, payee=payee, amount=amount)
        number = game and game.pk
        self.bookings.append(Booking(number, day, payer.pk, -amount))
        self.bookings.append(Booking(number, day, payee.pk, amount))

    def _count(self):
        """The tallies, as the services keep them."""
        rows = {player.pk: Counter() for player in self.players}
        for hand in self.hands:
            for player, amount in hand.paid.items():
                row = rows[player]
                row["points"] += amount
                row["hands"] += 1
                row["wins"] += hand.winner == player
                row["discards"] += hand.discarder == player
                if hand.winner == player:
                    row["best_hand"] = max(row["best_hand"], hand.final)
        for booking in self.bookings:
            rows[booking.player]["points"] += booking.points
        for player, row in rows.items():
            row["games"] = len({hand.game for hand in self.hands if player in hand.paid})
        Tally.objects.bulk_create(
            Tally(league=self.league, player_id=player, **row) for player, row in rows.items()
        )

    def until(self, day):
        """The records up to ``day``."""
        return (
            [hand for hand in self.hands if hand.evening <= day],
            [booking for booking in self.bookings if booking.day <= day],
        )


def random_rules(random, players, name="A"):
    """The settings of one table, as JSON: each entry now and then, in each of its forms."""
    counts = random.choice(["points", "average_hand", "average_game", "places", "table_points"])
    rules = {"name": name, "counts": counts}

    def sometimes(share=0.4):
        return random.random() < share

    if counts in ("places", "table_points"):
        rules["places"] = [
            random.choice([40, 10, 4, 2, 1, 0.5, 0, -10, -30]) for _place in range(4)
        ]
    if counts == "places" and sometimes():
        rules["divide_by"] = random.choice([10, 100, 3])
    if sometimes():
        best = {"count": random.randint(1, 3), "per": random.choice(["evening", "week", "season"])}
        best["of"] = "games" if best["per"] == "evening" else random.choice(["games", "evenings"])
        if sometimes():
            best["first"] = best["count"] + random.randint(0, 2)
        rules["best"] = best
    if sometimes():
        of = random.choice(["games", "evenings", "weeks"])
        rules["drop"] = {"count": random.randint(1, 3), "of": of}
    if sometimes():
        per = random.choice(["game", "evening"])
        rules["attendance"] = {"points": random.choice([10, 0.5, -5, 30]), "per": per}
        if per == "evening" and sometimes():
            rules["attendance"]["games"] = random.randint(2, 3)
    if sometimes():
        some = random.sample(players, random.randint(1, len(players)))
        rules["handicap"] = {
            "per": random.choice(["game", "evening", "season"]),
            "players": [{"player": pk, "points": random.choice([10, -5, 2.5])} for pk in some],
        }
    if sometimes():
        of = random.choice(["games", "hands", "evenings"])
        rules["minimum"] = {"count": random.randint(1, 8), "of": of}
    if sometimes():
        names = ["points", "wins", "best_hand", "fewest_discards", "most_games", "fewest_games"]
        names += ["first_places", "best_game"]
        rules["tie_breaks"] = random.sample(names, random.randint(1, 4))
    if sometimes():
        rules["inactive_weeks"] = random.randint(1, 6)
    if sometimes():
        shuffled = random.sample(players, len(players))
        rules["teams"] = [
            {"name": "Dragons", "players": shuffled[:2]},
            {"name": "Bamboos", "players": shuffled[2:4]},
        ]
    return rules
