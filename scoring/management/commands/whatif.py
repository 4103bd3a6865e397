"""``manage.py whatif LEAGUE --ruleset NAME``: the league's table under other rules."""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from scoring.evaluator.books.loader import as_data, shipped
from scoring.evaluator.problems import HandError
from scoring.evaluator.table_rules import TableRules
from scoring.management.club_command import ClubCommand
from scoring.management.leagues import league_named
from scoring.management.progress import progress
from scoring.models import Hand, League, Player, RuleSet
from scoring.models.rulesets import version_in_words
from scoring.operations.whatif import RescoredHand, WhatIf, WhatIfRow, what_if
from scoring.queries.ranks_in_words import in_a_table, legend
from scoring.services.book_drafts import draft_rules
from scoring.services.rulesets import named_version
from scoring.translation import translate

CANNOT_BE = 2


class Command(ClubCommand):
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
            help="such as book (its newest version), or book@1; a book that ships, such as dmjl; or the "
            "file of a book, such as ours.toml",
        )
        parser.add_argument(
            "--hands", action="store_true", help="list the hands whose scores would differ"
        )
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: object, **options: Any) -> None:
        league, rules = league_named(options["league"]), _rules(options["ruleset"])
        hands = Hand.objects.filter(game__league=league).count()
        with progress(_("Playing again"), hands) as advance:
            result = _under(league, rules, advance)
        if options["json"]:
            text = json.dumps(_as_json(result), ensure_ascii=False, indent=2)
        else:
            text = "\n".join([*_table(result), "", *_summary(result)])
            if options["hands"] and result.changed:
                text += "\n\n" + "\n".join(_hand_lines(result))
        self.stdout.write(text)


def _rules(name: str) -> TableRules:
    """:raises CommandError: if there is no such rule set or book, or no league can play by it."""
    try:
        if name.endswith(".toml"):
            return draft_rules(Path(name).read_text(encoding="utf-8"))
        if name in shipped() and not RuleSet.objects.filter(slug=name).exists():
            return draft_rules(as_data(name))
        return named_version(name.replace("@", ":", 1)).table_rules
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--ruleset: {error}", returncode=CANNOT_BE) from error
    except ValidationError as error:
        raise CommandError(
            f"--ruleset: {' '.join(error.messages)}", returncode=CANNOT_BE
        ) from error


def _under(league: League, rules: TableRules, advance: Callable[[int], None]) -> WhatIf:
    """:raises CommandError: if nobody can say what the hands are worth by ``rules``."""
    try:
        return what_if(league, rules, advance)
    except HandError as error:
        why = " ".join(translate(problem.message) for problem in error.problems)
        raise CommandError(f"--ruleset: {why}", returncode=CANNOT_BE) from error


def _table(result: WhatIf) -> list[str]:
    """The title, and the table or why nobody is listed in it."""
    rules = version_in_words(result.rules.name, result.rules.version)
    title = _("%(league)s by %(rules)s") % {"league": result.league.name, "rules": rules}
    if not result.rows:
        return [title, "", *result.why_empty]
    meaning = legend(result.table.lines, result.table.rules)
    return [title, "", *_lines(result), *(["", meaning] if meaning else [])]


def _lines(result: WhatIf) -> list[str]:
    head = (_("rank"), _("player"), _("points now"), _("by the new rules"), _("difference"))
    lines = [
        (
            _ranks(row),
            row.player.name,
            str(row.points),
            str(row.points_by_rules),
            f"{row.difference:+}" if row.difference else "0",
        )
        for row in result.rows
    ]
    rank, name, *figures = (max(map(len, column)) for column in zip(head, *lines, strict=True))
    return [
        "  ".join(
            [
                line[0].rjust(rank),
                line[1].ljust(name),
                *(figure.rjust(width) for figure, width in zip(line[2:], figures, strict=True)),
            ]
        )
        for line in (head, *lines)
    ]


def _ranks(row: WhatIfRow) -> str:
    """The rank now and by the other rules; once where it is the same."""
    now = in_a_table(row.rank, row.standing)
    by_rules = in_a_table(row.rank_by_rules, row.standing_by_rules)
    return now if now == by_rules else f"{now} → {by_rules}"


def _summary(result: WhatIf) -> list[str]:
    counts = {"hands": result.hands, "changed": result.rescored}
    lines = [_("Hands that count: %(hands)s. With another score: %(changed)s.") % counts]
    for hands, sentence in (
        (result.not_won, _("Hands that would not have won: %(hands)s.")),
        (
            result.not_played,
            _(
                "Hands that would not have been played, as the game would have been over: %(hands)s."
            ),
        ),
        (
            result.not_read,
            _("Hands that cannot be worked out keep their present score: %(hands)s."),
        ),
    ):
        if hands:
            lines.append(sentence % {"hands": hands})
    return lines


def _hand_lines(result: WhatIf) -> list[str]:
    names = _names(result)
    line = _("game %(game)s, hand %(number)s (id %(hand)s), %(winner)s: %(now)s → %(then)s")
    return [
        line
        % {
            "game": changed.hand.game_id,
            "number": changed.hand.number,
            "hand": changed.hand.pk,
            "winner": names.get(changed.hand.winner_id, _("nobody")),
            "now": changed.hand.final or 0,
            "then": _then(changed),
        }
        for changed in result.changed
    ]


def _then(changed: RescoredHand) -> object:
    if changed.amounts is None:
        return _("not played")
    return changed.final if changed.won else _("would not have won")


def _names(result: WhatIf) -> dict[int | None, str]:
    winners = {changed.hand.winner_id for changed in result.changed if changed.hand.winner_id}
    return dict(Player.objects.filter(pk__in=winners).values_list("pk", "name"))


def _as_json(result: WhatIf) -> dict[str, object]:
    return {
        "league": result.league.slug,
        "ruleset": result.rules.slug,
        "version": result.rules.version,
        "rows": [
            {
                "rank": row.rank_by_rules,
                "rank_now": row.rank,
                "player": row.player.pk,
                "name": row.player.name,
                "points": row.points_by_rules,
                "points_now": row.points,
                "difference": row.difference,
            }
            for row in result.rows
        ],
        "hands": result.hands,
        "not_played": result.not_played,
        "not_won": result.not_won,
        "not_read": result.not_read,
        "changed": [_changed_hand(changed) for changed in result.changed],
    }


def _changed_hand(changed: RescoredHand) -> dict[str, object]:
    return {
        "hand": changed.hand.pk,
        "game": changed.hand.game_id,
        "number": changed.hand.number,
        "winner": changed.hand.winner_id,
        "final": changed.final,
        "final_now": changed.hand.final,
        "played": changed.amounts is not None,
    }
