"""``manage.py whatif LEAGUE --ruleset NAME``: the league's table under other rules."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.evaluator.rules import RuleSet
from scoring.management.leagues import league_named
from scoring.management.progress import progress
from scoring.models import Hand, Player
from scoring.operations.whatif import RescoredHand, WhatIf, what_if
from scoring.services.rulesets import named_rules

CANNOT_BE = 2


class Command(BaseCommand):
    help = (
        "Prints the table of a league as it would be under another rule set; nothing is changed. "
        "Every game is played again with the tiles that were played: the deal moves on by the other "
        "rules, and winds, scores and payments follow."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("league", metavar="LEAGUE", help="the short name of the league")
        parser.add_argument(
            "--ruleset",
            required=True,
            metavar="NAME",
            help="such as book (its newest version), or book@1",
        )
        parser.add_argument(
            "--hands", action="store_true", help="list the hands whose scores would be others"
        )
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: object, **options: Any) -> None:
        league, rules = league_named(options["league"]), _rules(options["ruleset"])
        hands = Hand.objects.filter(game__league=league).count()
        with progress(_("Playing again"), hands) as advance:
            found = what_if(league, rules, advance)
        if options["json"]:
            said = json.dumps(_as_json(found), ensure_ascii=False, indent=2)
        else:
            said = "\n".join([*_table(found), "", *_summary(found)])
            if options["hands"] and found.changed:
                said += "\n\n" + "\n".join(_hand_lines(found))
        self.stdout.write(said)


def _rules(name: str) -> RuleSet:
    """:raises CommandError: if there is no such rule set, with those that there are."""
    try:
        return named_rules(name.replace("@", ":", 1))
    except ValidationError as error:
        raise CommandError(
            f"--ruleset: {' '.join(error.messages)}", returncode=CANNOT_BE
        ) from error


def _table(found: WhatIf) -> list[str]:
    head = (_("rank"), _("player"), _("points now"), _("by the new rules"), _("difference"))
    lines = [
        (
            f"{row.rank_then}" if row.rank == row.rank_then else f"{row.rank} → {row.rank_then}",
            row.player.name,
            str(row.points),
            str(row.points_then),
            f"{row.difference:+}" if row.difference else "0",
        )
        for row in found.rows
    ]
    rank, name, *figures = (max(map(len, column)) for column in zip(head, *lines, strict=True))
    title = _("%(league)s by %(ruleset)s, version %(version)s") % {
        "league": found.league.name,
        "ruleset": found.rules.name,
        "version": found.rules.version,
    }
    return [
        title,
        "",
        *(
            "  ".join(
                [
                    line[0].rjust(rank),
                    line[1].ljust(name),
                    *(figure.rjust(width) for figure, width in zip(line[2:], figures, strict=True)),
                ]
            )
            for line in (head, *lines)
        ),
    ]


def _summary(found: WhatIf) -> list[str]:
    rescored = len(found.changed) - found.not_played
    counts = {"hands": found.hands, "changed": rescored}
    lines = [_("Hands that count: %(hands)s. With another score: %(changed)s.") % counts]
    if found.not_played:
        sentence = _("Not played, because the game would have been over: %(hands)s.")
        lines.append(sentence % {"hands": found.not_played})
    return lines


def _hand_lines(found: WhatIf) -> list[str]:
    names = _names(found)
    line = _("game %(game)s, hand %(number)s (id %(hand)s), %(winner)s: %(now)s → %(then)s")
    return [
        line
        % {
            "game": each.hand.game_id,
            "number": each.hand.number,
            "hand": each.hand.pk,
            "winner": names.get(each.hand.winner_id, _("nobody")),
            "now": each.hand.final or 0,
            "then": _("not played") if each.amounts is None else each.final,
        }
        for each in found.changed
    ]


def _names(found: WhatIf) -> dict[int | None, str]:
    winners = {each.hand.winner_id for each in found.changed if each.hand.winner_id}
    return dict(Player.objects.filter(pk__in=winners).values_list("pk", "name"))


def _as_json(found: WhatIf) -> dict[str, object]:
    return {
        "league": found.league.slug,
        "ruleset": found.rules.slug,
        "version": found.rules.version,
        "rows": [
            {
                "rank": row.rank_then,
                "rank_now": row.rank,
                "player": row.player.pk,
                "name": row.player.name,
                "points": row.points_then,
                "points_now": row.points,
                "difference": row.difference,
            }
            for row in found.rows
        ],
        "hands": found.hands,
        "not_played": found.not_played,
        "changed": [_changed_hand(each) for each in found.changed],
    }


def _changed_hand(each: RescoredHand) -> dict[str, object]:
    return {
        "hand": each.hand.pk,
        "game": each.hand.game_id,
        "number": each.hand.number,
        "winner": each.hand.winner_id,
        "final": each.final,
        "final_now": each.hand.final,
        "played": each.amounts is not None,
    }
