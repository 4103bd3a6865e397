"""A game: four people, one rule set, and where the deal stands."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import WINDS
from scoring.evaluator.tiles import Wind as TileWind
from scoring.translation import colon, listed, translate

from .days import club_day
from .evenings import EveningClosure, closure_of
from .leagues import League
from .people import Player
from .permissions import User, in_visible_league
from .rulesets import RuleSetVersion


class Wind(models.TextChoices):
    """The four winds as the database keeps them."""

    EAST = TileWind.EAST.value, _("East")
    SOUTH = TileWind.SOUTH.value, _("South")
    WEST = TileWind.WEST.value, _("West")
    NORTH = TileWind.NORTH.value, _("North")


def not_withdrawn(game: str = "") -> Q:
    """The condition that a game counts: it was not withdrawn.

    :param game: the path to the game from the model that is filtered, such as ``hand__game__``.
    """
    return Q(**{f"{game}withdrawn_at__isnull": True})


class GameQuerySet(models.QuerySet["Game"]):
    def visible_to(self, user: User) -> "GameQuerySet":
        """The games of the leagues that ``user`` may see."""
        return self.filter(in_visible_league(user, "league__"))

    def played(self) -> "GameQuerySet":
        """The games that were not withdrawn: only these are listed and counted."""
        return self.filter(not_withdrawn())

    def open(self) -> "GameQuerySet":
        return self.played().filter(finished_at__isnull=True)


class Game(models.Model):
    """Four players at one table, from the first deal to the last hand.

    ``round``, ``dealer_place``, ``next_number``, ``counters`` and ``sticks`` are the fold over the hands that stand, kept so
    that no page has to fold; ``verify`` folds again and compares. A hand that was declared void
    leaves its number empty; the next number is one more than that of the last hand that stands.
    A game is finished when the fold is over, or when the players ended it early.
    """

    league = models.ForeignKey(
        League, on_delete=models.PROTECT, related_name="games", verbose_name=_("league")
    )
    # Its own, and not that of the league: a game ends by the rules that it began with.
    ruleset_version = models.ForeignKey(
        RuleSetVersion, on_delete=models.PROTECT, related_name="games", verbose_name=_("rule set")
    )
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    # Accounts are deleted when people leave the club. What they wrote down stays.
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("started by"),
    )
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    ended_early = models.BooleanField(
        _("ended early"),
        default=False,
        help_text=_("They got up before the North round was over."),
    )
    # Of a closure that is deleted nothing is left to open again: the game stays ended.
    ended_by = models.ForeignKey(
        EveningClosure,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="games",
        verbose_name=_("ended by closing the evening"),
        help_text=_("Opening that evening again opens the game again."),
    )
    withdrawn_at = models.DateTimeField(
        _("withdrawn"),
        null=True,
        blank=True,
        help_text=_("It was opened by mistake: nothing of it counts until it is restored."),
    )
    # Not worked out of ``started_at``: the club's day does not turn at midnight, and a game that was opened
    # for the wrong day is moved.
    evening = models.DateField(
        _("evening"),
        default=club_day,
        help_text=_("The day it began, also for what is played after midnight."),
    )
    # The fold over its hands. Whoever changes a hand locks the game first, so that no two write it at once.
    round = models.CharField(_("round"), max_length=1, choices=Wind, default=Wind.EAST)
    dealer_place = models.PositiveSmallIntegerField(_("dealer's seat"), default=0)
    next_number = models.PositiveIntegerField(_("next hand"), default=1)
    counters = models.PositiveSmallIntegerField(_("counters on the table"), default=0)
    sticks = models.PositiveSmallIntegerField(_("sticks on the table"), default=0)

    # When a page began to read it, in milliseconds: of two answers the later one is right about the table.
    read_at: int | None = None

    objects = GameQuerySet.as_manager()

    class Meta:
        ordering = ["-started_at", "-pk"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes = [
            # The open games of a league, for its page and for closing an evening.
            models.Index(fields=["league", "finished_at"], name="game_league_finished"),
            models.Index(fields=["league", "evening"], name="game_of_evening"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(round__in=list("ESWN")), name="game_round_known"),
            models.CheckConstraint(condition=Q(dealer_place__lte=3), name="game_dealer_is_seated"),
            # The first hand is number 1: 0 is what a version ``follows`` that no hand brought about.
            models.CheckConstraint(condition=Q(next_number__gte=1), name="game_counts_from_one"),
            models.CheckConstraint(
                condition=Q(ended_early=False) | Q(finished_at__isnull=False),
                name="early_end_is_an_end",
            ),
            # Opening an evening again opens the games that its closing ended, and no game that was over before.
            models.CheckConstraint(
                condition=Q(ended_by__isnull=True) | Q(ended_early=True),
                name="closing_ends_early",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.evening:%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.pk])

    @property
    def day_and_players(self) -> str:
        """What people of its league call it: its day, in the language that is active, and its four."""
        return f"{date_format(self.evening)}{colon()}{listed(self.players)}"

    @property
    def finished(self) -> bool:
        return self.finished_at is not None

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def state(self) -> TableState:
        """Round, dealer and number of the next hand."""
        return TableState(
            round=TileWind(self.round),
            dealer=self.dealer_place,
            number=self.next_number,
            finished=self.finished,
            counters=self.counters,
            sticks=self.sticks,
        )

    def deal_from(self, state: TableState) -> None:
        """Deal the next hand as ``state`` has it. Whether the game is over stays as it is."""
        self.round = state.round.value
        self.dealer_place = state.dealer
        self.next_number = state.number
        self.counters, self.sticks = state.counters, state.sticks

    def apply_state(self, state: TableState, *, at: datetime) -> None:
        """Set the game's state.

        A finished state finishes the game ``at`` that time. An unfinished one opens it again, unless the
        players ended it early or its evening is closed: the closure has then ended it.
        """
        self.deal_from(state)
        if state.finished:
            # A correction of an earlier hand leaves the time at which they got up.
            self.finished_at = self.finished_at or at
        elif self.finished_at and not self.ended_early:
            if self.evening_closed:
                self.end(at=self.finished_at, closure=self.closure_in_force())
            else:
                self.open_again()

    def end(self, *, at: datetime, closure: EveningClosure | None = None) -> None:
        """End the game before its last round is over; ``closure`` is of its evening, if that ends it."""
        self.finished_at, self.ended_early, self.ended_by = at, True, closure

    def open_again(self) -> None:
        """Take back that the game has ended."""
        self.finished_at, self.ended_early, self.ended_by = None, False, None

    def forget_closure(self) -> None:
        """Ask anew whether the evening is closed: it was closed, opened or changed for another since."""
        self.__dict__.pop("evening_closed", None)

    @cached_property
    def evening_closed(self) -> bool:
        """Whether only organisers may still change what was played; ``with_table`` brings it."""
        return self.closure_in_force() is not None

    def closure_in_force(self) -> "EveningClosure | None":
        """What closed the evening of this game, if it is closed: to open it again opens the game."""
        return closure_of(self.league_id, self.evening).first()

    @cached_property
    def late_hands_waiting(self) -> int:
        """How many late hands wait for an organiser; ``with_table`` brings it."""
        return self.late_hands.waiting().count()

    @cached_property
    def hands_played(self) -> int:
        """How many hands stand, void ones left out; ``with_table`` brings it."""
        return self.hands.current().count()

    @property
    def changes(self) -> list[Any]:
        """What was changed about the game, the newest first, for its page."""
        if not self.was_changed:
            return []
        return list(self.events.select_related("by__player").order_by("-pk"))

    @cached_property
    def was_changed(self) -> bool:
        """Whether ``changes`` lists anything; ``with_table`` brings it."""
        return self.events.exists()

    @cached_property
    def table(self) -> list["Seat"]:
        """The four seats, in the order East, South, West, North of the first hand."""
        # Sorted here, so that seats that were fetched beforehand are not fetched again.
        return sorted(self.seats.all(), key=lambda seat: seat.place)

    @property
    def players(self) -> list[Player]:
        return [seat.player for seat in self.table]

    def place_of(self, player_id: int | None) -> int | None:
        """Where ``player_id`` sits: 0 to 3, or None for somebody who does not."""
        return next((seat.place for seat in self.table if seat.player_id == player_id), None)


class Seat(models.Model):
    """Who sits where. Places 0 to 3 are East, South, West, North of the first hand."""

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="seats", verbose_name=_("game")
    )
    place = models.PositiveSmallIntegerField(
        _("place"), choices=[(0, _("East")), (1, _("South")), (2, _("West")), (3, _("North"))]
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="seats", verbose_name=_("player")
    )

    class Meta:
        ordering = ["game", "place"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            # Together with the next one: four different people, whichever way two phones change seats.
            models.UniqueConstraint(fields=["game", "place"], name="seat_taken_once"),
            models.UniqueConstraint(
                fields=["game", "player"],
                name="player_sits_once",
                violation_error_message=_("A player sits at one seat of a table only."),
            ),
            models.CheckConstraint(condition=Q(place__lte=3), name="seat_is_one_of_four"),
        ]

    def __str__(self) -> str:
        return f"{translate(self.wind.label)}: {self.player}"

    @property
    def wind(self) -> TileWind:
        """The seat's wind in the first hand."""
        return WINDS[self.place]


class Round(models.Model):
    """One of the four rounds of a game; its wind prevails."""

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("game")
    )
    wind = models.CharField(_("prevailing wind"), max_length=1, choices=Wind)
    started_at = models.DateTimeField(_("started"), default=timezone.now)

    class Meta:
        ordering = ["game", "started_at", "pk"]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [
            models.UniqueConstraint(fields=["game", "wind"], name="round_once"),
            models.CheckConstraint(condition=Q(wind__in=list("ESWN")), name="round_wind_known"),
        ]

    def __str__(self) -> str:
        return str(Wind(self.wind).label)
