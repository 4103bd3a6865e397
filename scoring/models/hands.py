"""A hand as it was played, and who paid whom for it.

Nothing here is ever overwritten: a correction is a new version that supersedes the old one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.books.circumstances import refuse_contradiction
from scoring.evaluator.counts import COPIES
from scoring.evaluator.payments import DISCARDER_IS_WINNER
from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import NOT_BOTH, Claims, LoserEntry, Paid, TableRules, outside
from scoring.evaluator.tiles import Wind as TileWind
from scoring.evaluator.tiles import tile
from scoring.evaluator.win import Win
from scoring.translation import LazyText, bonus_name_lazy, listed_lazy, translate_lazy

from .games import Wind, not_withdrawn
from .hand_columns import SPECIAL_DRAWN, HandColumns
from .people import Player
from .permissions import User, in_visible_league
from .places import left_and_came
from .problems import HandError, as_validation_error
from .proposed_reasons import in_words
from .refusals import NOT_AT_THE_TABLE, WINNER_IS_LIABLE


def disputed_hand(hand: str = "") -> Q:
    """The condition that the points of a hand wait.

    :param hand: the path to the hand from the model that is filtered, such as ``hand__``.
    """
    return Q(**{f"{hand}status": Hand.Status.DISPUTED})


def current_hand(hand: str = "") -> Q:
    """The condition that a hand, reached by the path ``hand``, stands at its position."""
    return Q(**{f"{hand}status__in": Hand.CURRENT})


def undisputed_hand(hand: str = "") -> Q:
    """The condition that the points of a hand count in its game, reached by the path ``hand``."""
    return Q(**{f"{hand}status": Hand.Status.COUNTED})


def played_hand(hand: str = "") -> Q:
    """The condition that the game of a hand, reached by the path ``hand``, was not withdrawn."""
    return not_withdrawn(f"{hand}game__")


def counted_hand(hand: str = "") -> Q:
    """The condition that the points of a hand, reached by the path ``hand``, count in its league."""
    return undisputed_hand(hand) & played_hand(hand)


class HandQuerySet(models.QuerySet["Hand"]):
    def visible_to(self, user: User) -> "HandQuerySet":
        """The hands of the leagues that ``user`` may see."""
        return self.filter(in_visible_league(user, "game__league__"))

    def current(self) -> "HandQuerySet":
        """The hands that stand at their position: not superseded, not void."""
        return self.filter(current_hand())

    def disputed(self) -> "HandQuerySet":
        """The current hands whose points wait."""
        return self.filter(disputed_hand())

    def undisputed(self) -> "HandQuerySet":
        """The current hands whose points count in their game, also in one that was withdrawn."""
        return self.filter(undisputed_hand())

    def counted(self) -> "HandQuerySet":
        """The hands whose points count: nobody disputes them, and the game was not withdrawn."""
        return self.filter(counted_hand())

    def played(self) -> "HandQuerySet":
        """The hands of games that were not withdrawn."""
        return self.filter(played_hand())

    def with_people(self) -> "HandQuerySet":
        """With everybody a page names beside the hand."""
        return self.select_related(
            # In one query; the payments, four a hand, in a second one.
            *("winner", "discarder", "liable", "dealer"),
            *("logged_by__player", "ruleset_version__ruleset"),
        ).prefetch_related(models.Prefetch("payments", Payment.objects.select_related("player")))


class Hand(HandColumns):
    """One version of one hand at one position of a game.

    A disputed hand stands at its position, and the deal goes on from it as it was played; its
    points wait. No total, tally, table or rating counts them until it is settled: the dispute is
    withdrawn, an organiser lets the hand stand, or it is corrected.
    """

    # What the table worked out itself, while an entry is being checked; kept as ``final``.
    claimed_final: int | None = None
    # The hands of players who did not win, while an entry is being checked; kept as ``others``.
    losers: Sequence[LoserEntry] = ()
    # Whether a discarder that is left out is asked for, where the rules can do without.
    asks_discarder: bool = False
    # Whether it was accepted before: what only later versions ask of circumstances is not asked.
    accepted: bool = False

    objects = HandQuerySet.as_manager()

    def __str__(self) -> str:
        return gettext("Hand %(number)s of %(game)s") % {"number": self.number, "game": self.game}

    def get_absolute_url(self) -> str:
        return reverse("hand", args=[self.pk])

    # ----- what the hand says ---------------------------------------------------------------------

    @property
    def why(self) -> str:
        """The reason of this version, in the reader's language where it follows from another change."""
        reason = in_words(self.reason)
        if self.follows is None:
            return reason
        if self.follows == self.THE_GAME:
            return gettext("Follows a change to the game: %(reason)s") % {"reason": reason}
        params = {"number": self.follows, "reason": reason}
        return gettext("Follows hand %(number)s: %(reason)s") % params

    @property
    def current(self) -> bool:
        """Whether it stands at its position: it is neither superseded nor void."""
        return self.status in self.CURRENT

    @property
    def disputed(self) -> bool:
        """Whether it is current and its points wait."""
        return self.status == self.Status.DISPUTED

    @property
    def undisputed(self) -> bool:
        """Whether it is current and its points count in its game."""
        return self.status == self.Status.COUNTED

    @classmethod
    def status_for(cls, *, disputed: bool) -> HandColumns.Status:
        """The status of a current hand, by whether somebody disputes it."""
        return cls.Status.DISPUTED if disputed else cls.Status.COUNTED

    @property
    def is_win(self) -> bool:
        return self.outcome == self.Outcome.WIN

    @property
    def win(self) -> Win:
        """How it was won. A draw says nothing of it."""
        return Win.from_columns(self)

    @property
    def limits(self) -> list[str]:
        """The ids of the limit hands that it is: by its tiles, or as the table says."""
        if self.claimed_limit:
            return [self.claimed_limit]
        return list(self.card["limits"]) if self.card else []

    @property
    def state_before(self) -> TableState:
        """The table as this hand was dealt."""
        return self._state_before(self.game.place_of(self.dealer_id) or 0)

    def _state_before(self, dealer: int) -> TableState:
        return TableState(
            round=TileWind(self.prevailing),
            dealer=dealer,
            number=self.number,
            counters=self.counters,
            sticks=self.sticks,
        )

    @property
    def state_after(self) -> TableState:
        """The table after this hand: who deals the next one."""
        winner = self.game.place_of(self.winner_id) if self.winner_id else None
        rules = self.ruleset_version.table_rules
        return rules.after(self.state_before, winner, self.calls_by_place)

    @property
    def calls_by_place(self) -> Calls:
        """Who staked and who was calling, by the places of the table."""
        return Calls.of(self.calls).placed(self._seats)

    @property
    def _seats(self) -> list[int]:
        return [player.pk for player in self.game.players]

    def put_on_table(self) -> int:
        """What the hand puts on the table, in whole points; less than 0 where the winner takes it."""
        came = -self.sticks if self.is_win else len(set(Calls.of(self.calls).staked))
        return self.ruleset_version.table_rules.stick * came

    def amounts(self) -> tuple[int, int, int, int]:
        """What the players of the four places win or pay, in whole points; with ``on_table``, 0 in all."""
        rules = self.ruleset_version.table_rules
        # At a draw points move only where rules have it so: riichi pays those who were calling.
        if not (self.is_win or rules.keeps_table):
            return (0, 0, 0, 0)
        return rules.settle(self.paid_at(self._seats))

    def paid_at(self, seats: Sequence[int]) -> Paid:
        """Who settles with whom, of a hand that was validated and scored.

        :param seats: the ids of the four who played it, East of the first hand first.
        """
        places: dict[int | None, int] = {player: place for place, player in enumerate(seats)}
        return Paid.of(
            places.get(self.winner_id),
            self.final or 0,
            dealer=places[self.dealer_id],
            discarder=places.get(self.discarder_id),
            liable=places.get(self.liable_id),
            losers={places[other["player"]]: other["final"] for other in self.others or ()},
            table=self._state_before(places[self.dealer_id]),
            calls=Calls.of(self.calls).placed(seats),
        )

    # ----- what can refuse a hand -----------------------------------------------------------------

    def clean(self) -> None:
        """Refuse what cannot have happened, and keep what was typed in its canonical spelling.

        Spelling is all that it changes: of tiles, melds, the hands of the others and how it was won, with
        whether it is concealed, which the melds say. The hand is worth the same before and after. Nothing
        is scored: the figures are the next step of the service. Every entry point (form, API, import) gets
        these sentences, because each of them validates here.

        :raises ValidationError: every problem at its field, not only the first.
        """
        problems = list(self._clean_calls())
        problems += self._clean_win() if self.is_win else self._clean_draw()
        # Whether such a hand can be won at all is asked once it makes sense by itself.
        if not (problems or self.accepted):
            problems = self.impossible()
        # Without tiles there are no melds to tell: a drawn hand, a score the table worked out.
        self.concealed = bool(self.concealed)
        if problems:
            by_field: dict[str, list[ValidationError]] = {}
            for problem in problems:
                for field, errors in problem.error_dict.items():
                    by_field.setdefault(field, []).extend(errors)
            raise ValidationError(by_field)

    def _clean_draw(self) -> Iterator[ValidationError]:
        given = {
            "winner": self.winner_id,
            "discarder": self.discarder_id,
            "tiles": self.tiles,
            "claimed_final": self.claimed_final,
            "claimed_limit": self.claimed_limit,
            # No and nothing are the same answer here.
            **{name: getattr(self, name) or None for name in HOW_WON},
            "melds": self.melds or None,
            "liable": self.liable_id,
            "others": self.losers or None,
        }
        for field, value in given.items():
            if value not in (None, ""):
                message = _("A drawn hand has none: leave it out, or log a win.")
                yield ValidationError({field: ValidationError(message, code="not_in_a_draw")})

    def _clean_win(self) -> Iterator[ValidationError]:
        yield from self._clean_people()
        yield from self._clean_circumstances()
        # Without a winner at the table there is no wind by which to read the tiles.
        if not self.seat:
            return
        if self.claimed_limit:
            yield from self._clean_claimed_limit()
        elif self.claimed_final is None:
            yield from self._clean_tiles()
        else:
            yield from self._clean_claim(self.claimed_final)
        yield from self._clean_losers()

    def _clean_people(self) -> Iterator[ValidationError]:
        def problem(field: str, code: str, message: LazyText) -> ValidationError:
            return ValidationError({field: ValidationError(message, code=code)})

        if self.winner_id is None:
            yield problem("winner", "required", _("Say who won, or log the hand as a draw."))
            return
        if self.game.place_of(self.winner_id) is None:
            yield problem("winner", "not_at_the_table", self._elsewhere(self.winner_id))
        seats = [seat.player_id for seat in self.game.table]
        wrong = wrong_discarder(self, seats, self.ruleset_version.table_rules)
        if wrong == "not_at_the_table" and self.discarder_id is not None:
            yield problem("discarder", wrong, self._elsewhere(self.discarder_id))
        elif wrong:
            yield problem("discarder", wrong, WRONG_DISCARDER[wrong])
        elif self.discarder_id is None and not self.self_drawn and self.asks_discarder:
            yield problem("discarder", "required", CHOOSE_THE_DISCARDER)

    def _clean_circumstances(self) -> Iterator[ValidationError]:
        """What the rules do not know of how it was won is refused by its name."""
        rules = self.ruleset_version.table_rules
        try:
            refuse_contradiction(self.win)
            rules.check_circumstances(self.win)
        except HandError as error:
            yield as_validation_error(error)
        if self.liable_id is not None:
            yield from self._clean_liable(self.liable_id)

    def _clean_liable(self, liable: int) -> Iterator[ValidationError]:
        """Who pays for everybody sits at the table and did not win."""
        message: LazyText
        if not self.ruleset_version.table_rules.liability:
            message, code = (
                _("By these rules nobody pays for everybody: leave it out."),
                "not_in_book",
            )
        elif liable == self.winner_id:
            message, code = WINNER_IS_LIABLE, "liable_is_winner"
        elif self.game.place_of(liable) is None:
            message, code = self._elsewhere(liable), "not_at_the_table"
        else:
            return
        yield ValidationError({"liable": ValidationError(message, code=code)})

    def _elsewhere(self, player: int) -> LazyText:
        """That ``player`` (an id) does not sit at this table, or not any more, and who does."""
        names = listed_lazy([player.name for player in self.game.players])
        replaced = left_and_came(self.game, player)
        if replaced is None:
            return format_lazy(NOT_AT_THE_TABLE, names=names)
        left, came = replaced
        message = _(
            "{left} does not play at this table any more: {came} plays instead. Choose one of {names}."
        )
        return format_lazy(message, left=left.name, came=came.name, names=names)

    def impossible(self) -> list[ValidationError]:
        """What cannot be of how a hand was won that is right by itself: each at its field."""
        if not self.is_win:
            return []
        rules = self.ruleset_version.table_rules
        try:
            way = rules.check_possible(self, self.seat, self.prevailing)
        except HandError as error:
            return [as_validation_error(error)]
        wrong = self._discarder_of(way)
        if wrong is None or self.discarder_id is None:
            return []
        return [ValidationError({"discarder": ValidationError(WRONG_DISCARDER[wrong], code=wrong)})]

    def _discarder_of(self, way: str) -> str | None:
        """What is wrong with the discarder of a hand that was won in this ``way``."""
        if way in SPECIAL_DRAWN:
            return "self_drawn"
        not_dealer = way == "earth_discard" and self.discarder_id != self.dealer_id
        return "not_the_dealer" if not_dealer else None

    def _clean_calls(self) -> Iterator[ValidationError]:
        """Who staked and who was calling sit at the table, and the rules ask for it."""
        calls = Calls.of(self.calls)
        if calls == SILENT:
            return
        seats = [player.pk for player in self.game.players]
        for field, people in calls.people.items():
            elsewhere = [pk for pk in people if pk not in seats]
            if elsewhere:
                message = self._elsewhere(elsewhere[0])
                error = ValidationError(message, code="not_at_the_table")
                yield ValidationError({field: error})
                return
        try:
            self.ruleset_version.table_rules.check_calls(calls, self.winner_id)
        except HandError as error:
            yield as_validation_error(error)

    def _clean_claim(self, claim: int) -> Iterator[ValidationError]:
        claims = self.ruleset_version.table_rules.claims
        message: LazyText | None = translate_lazy(NOT_BOTH)
        if not self.tiles:
            message = claim_problem(claims, claim)
        if message is None:
            yield from self._clean_shares(claim)
        else:
            yield ValidationError({"claimed_final": ValidationError(message, code="not_a_score")})

    def _clean_shares(self, claim: int) -> Iterator[ValidationError]:
        """A score of a drawn tile may have to be one that three players can share."""
        rules, deals = self.ruleset_version.table_rules, self.seat == Wind.EAST
        if not rules.divides(claim, drawn=self.self_drawn, deals=deals):
            message = _(
                "Self-drawn, no hand is worth this: add up what the three pay for the hand."
            )
            yield ValidationError({"claimed_final": ValidationError(message, code="not_a_score")})

    def _clean_claimed_limit(self) -> Iterator[ValidationError]:
        """A limit hand by its name scores what its rule set gives for it."""
        limits = self.ruleset_version.table_rules.limits
        if self.tiles or self.claimed_final is not None:
            message, code = _("Enter the tiles, a score or a limit hand: one of them."), "not_alone"
        elif not limits:
            message, code = _("By these rules there are no limit hands."), "not_a_limit"
        elif self.claimed_limit not in limits:
            message, code = _("There is no such limit hand. Choose one of {names}."), "not_a_limit"
            message = format_lazy(message, names=", ".join(limits))
        else:
            return
        yield ValidationError({"claimed_limit": ValidationError(message, code=code)})

    def _clean_tiles(self) -> Iterator[ValidationError]:
        """The tiles win; they are kept in their canonical spelling."""
        if not self.checked:
            return
        try:
            read = self.ruleset_version.table_rules.read(self, self.seat, self.prevailing)
        except HandError as error:
            yield as_validation_error(error)
            return
        self.tiles, self.melds = read.tiles, read.melds
        # How it was won is kept in the same spelling, with what the tiles say of it.
        for name, value in read.win._asdict().items():
            setattr(self, name, value)

    def _clean_losers(self) -> Iterator[ValidationError]:
        """The hands of players who did not win; kept as :attr:`others`, in their canonical spelling."""
        others, problems = [], []
        for entry in self.losers:
            place = self.game.place_of(entry.player)
            if place is None or entry.player == self.winner_id:
                message = self._not_a_loser(entry.player)
                problems.append(ValidationError(message, code="not_a_loser"))
                continue
            seat = self.state_before.seat_wind(place)
            try:
                tiles, melds = self.ruleset_version.table_rules.read_loser(
                    entry, seat, TileWind(self.prevailing)
                )
            except HandError as error:
                name = self.game.players[place].name
                problems += [
                    ValidationError(
                        format_lazy(
                            "{name}: {why}", name=name, why=translate_lazy(problem.message)
                        ),
                        code=problem.code,
                    )
                    for problem in error.problems
                ]
                continue
            others.append({**asdict(entry), "tiles": tiles, "melds": melds})
        if others:
            problems += self._impossible_together(others)
        if problems:
            yield ValidationError({"others": problems})
        self.others = others or None

    def _not_a_loser(self, player: int) -> LazyText:
        if left_and_came(self.game, player) is not None:
            return self._elsewhere(player)
        return _("The hands of the others are those of players at the table who did not win.")

    def _impossible_together(self, others: Sequence[dict[str, Any]]) -> list[ValidationError]:
        """A fifth copy, a flower that two have, a player who is named twice."""
        # Each hand alone was read already; what one wall cannot hold shows only when they lie side by side.
        tiles = Counter(self.tiles.split())
        bonus = Counter(self.bonus.split())
        players = Counter(other["player"] for other in others)
        for other in others:
            tiles.update(other["tiles"].split())
            bonus.update(other["bonus"].split())
        message = _("The hands together hold more of these than there are: {tiles}.")
        many = [translate_lazy(tile(code).name) for code in sorted(tiles) if tiles[code] > COPIES]
        many += [bonus_name_lazy(code) for code in sorted(bonus) if bonus[code] > 1]
        problems = []
        if many:
            sentence = format_lazy(message, tiles=listed_lazy(many))
            problems.append(ValidationError(sentence, code="too_many_copies"))
        if max(players.values(), default=1) > 1:
            problems.append(ValidationError(_("Name each player once."), code="twice"))
        return problems


# The columns of ``Hand.win``, in the order of the model.
HOW_WON = tuple(field.name for field in Hand._meta.fields if field.name in Win._fields)

# Where the rules can do without a discarder.
CHOOSE_THE_DISCARDER = _("Choose the discarder, self-drawn, or “Nobody remembers”.")
WRONG_DISCARDER: dict[str, LazyText] = {
    "required": _("Say who discarded the winning tile, or that the winner drew it."),
    "discarder_is_winner": translate_lazy(DISCARDER_IS_WINNER),
    "not_the_dealer": _("Who wins by earth wins on the first discard of the dealer."),
    "self_drawn": _("Nobody discards the tile of a self-drawn win: leave out one of the two."),
}


def wrong_discarder(hand: Hand, seats: Sequence[int], rules: TableRules) -> str:
    """Why ``hand`` cannot have been won off its discarder, or without one: a code; empty if it can.

    :param hand: a win, or a row that has the columns of one.
    :param seats: the ids of the four players.
    """
    if hand.discarder_id is None:
        return "" if hand.self_drawn or discarder_may_be_unknown(rules) else "required"
    if hand.discarder_id not in seats:
        return "not_at_the_table"
    if hand.discarder_id == hand.winner_id:
        return "discarder_is_winner"
    return "self_drawn" if hand.self_drawn else ""


def discarder_may_be_unknown(rules: TableRules) -> bool:
    """Whether a win off a discard can do without the discarder: all pay alike."""
    return not rules.needs_discarder


def claim_problem(claims: Claims, claim: int) -> LazyText | None:
    """Why ``claim``, in whole points, is none of ``claims``; None if it is one."""
    if claims.allow(claim):
        return None
    words = claim_words(claims)
    if claims.listed:
        return words["unlisted"]
    return words["outside" if not claims.least <= claim <= claims.most else "unrounded"]


def claim_words(claims: Claims) -> dict[str, LazyText]:
    """What is said of a score that is ``unlisted``, ``outside`` of the bounds, or ``unrounded``."""
    scores = ", ".join(map(str, claims.listed))
    return {
        "unlisted": format_lazy(_("By these rules a score is one of {scores}."), scores=scores),
        "outside": translate_lazy(outside(claims)),
        "unrounded": format_lazy(_("Scores are rounded to {step} here."), step=claims.step),
    }


class PaymentQuerySet(models.QuerySet["Payment"]):
    def undisputed(self) -> "PaymentQuerySet":
        """What was paid for hands that count in their game."""
        return self.filter(undisputed_hand("hand__"))

    def counted(self) -> "PaymentQuerySet":
        """What was paid for hands that count: of games that were not withdrawn."""
        return self.filter(counted_hand("hand__"))

    def by_hand(self, hands: Iterable[int]) -> dict[int, dict[int, int]]:
        """What was paid for ``hands`` (ids), in whole points by player; each hand has an entry. One query."""
        paid: dict[int, dict[int, int]] = {hand: {} for hand in hands}
        # As they were stored, and not as a database happens to find them.
        rows = self.filter(hand__in=paid).order_by("pk").values_list("hand", "player", "amount")
        for hand, player, amount in rows:
            paid[hand][player] = amount
        return paid


class Payment(models.Model):
    """What one player won or paid with one version of a hand, in whole points."""

    hand = models.ForeignKey(
        Hand, on_delete=models.PROTECT, related_name="payments", verbose_name=_("hand")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="payments", verbose_name=_("player")
    )
    amount = models.IntegerField(_("amount"))

    objects = PaymentQuerySet.as_manager()

    class Meta:
        ordering = ["hand", "pk"]
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        # That the amounts of a hand add up to 0 spans rows, which no constraint sees: ``verify`` looks.
        constraints = [models.UniqueConstraint(fields=["hand", "player"], name="paid_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.amount:+}"
