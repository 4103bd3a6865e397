"""Leagues play by rule books: the book of a version, and what a book asks of a hand besides its tiles."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


SQLITE_TRIGGER = """
CREATE TRIGGER rule_set_version_never_changes
BEFORE UPDATE OF options, book, number, ruleset_id ON scoring_rulesetversion
WHEN NEW.options IS NOT OLD.options
  OR NEW.book IS NOT OLD.book
  OR NEW.number <> OLD.number
  OR NEW.ruleset_id <> OLD.ruleset_id
BEGIN
  SELECT RAISE(ABORT, 'a rule set version never changes');
END
"""
SQLITE_TRIGGER_BEFORE = """
CREATE TRIGGER rule_set_version_never_changes
BEFORE UPDATE OF options, number, ruleset_id ON scoring_rulesetversion
WHEN NEW.options IS NOT OLD.options
  OR NEW.number <> OLD.number
  OR NEW.ruleset_id <> OLD.ruleset_id
BEGIN
  SELECT RAISE(ABORT, 'a rule set version never changes');
END
"""
POSTGRESQL_TRIGGER = """
CREATE TRIGGER rule_set_version_never_changes
BEFORE UPDATE ON scoring_rulesetversion FOR EACH ROW
WHEN (
  NEW.options IS DISTINCT FROM OLD.options
  OR NEW.book IS DISTINCT FROM OLD.book
  OR NEW.number <> OLD.number
  OR NEW.ruleset_id <> OLD.ruleset_id
)
EXECUTE FUNCTION scoring_rule_set_version_never_changes()
"""
POSTGRESQL_TRIGGER_BEFORE = """
CREATE TRIGGER rule_set_version_never_changes
BEFORE UPDATE ON scoring_rulesetversion FOR EACH ROW
WHEN (
  NEW.options IS DISTINCT FROM OLD.options
  OR NEW.number <> OLD.number
  OR NEW.ruleset_id <> OLD.ruleset_id
)
EXECUTE FUNCTION scoring_rule_set_version_never_changes()
"""


def drop_trigger(apps, schema_editor):
    # SQLite drops it with the table that it makes anew for each change.
    on_table = "" if schema_editor.connection.vendor == "sqlite" else " ON scoring_rulesetversion"
    schema_editor.execute(f"DROP TRIGGER IF EXISTS rule_set_version_never_changes{on_table}")


def guard_books(apps, schema_editor):
    _guard(schema_editor, SQLITE_TRIGGER, POSTGRESQL_TRIGGER)


def guard_options(apps, schema_editor):
    _guard(schema_editor, SQLITE_TRIGGER_BEFORE, POSTGRESQL_TRIGGER_BEFORE)


def _guard(schema_editor, on_sqlite, on_postgresql):
    vendor = schema_editor.connection.vendor
    schema_editor.execute(on_sqlite if vendor == "sqlite" else on_postgresql)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0030_questions_who_it_is"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(drop_trigger, guard_options),
        migrations.RemoveConstraint(
            model_name="hand",
            name="claimed_limit_is_an_unchecked_win",
        ),
        migrations.AddField(
            model_name="hand",
            name="bonus",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The winner’s flowers and seasons.",
                max_length=30,
                verbose_name="bonus tiles",
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="flags",
            field=models.CharField(
                blank=True, default="", max_length=120, verbose_name="what else was so"
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="liable",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="scoring.player",
                verbose_name="pays for everybody",
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="others",
            field=models.JSONField(
                blank=True,
                help_text="Of players who did not win: what was entered, the score, the scorecard.",
                null=True,
                verbose_name="hands of the others",
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="value",
            field=models.PositiveIntegerField(default=0, verbose_name="value of the card’s line"),
        ),
        migrations.AddField(
            model_name="hand",
            name="winning_tile",
            field=models.CharField(
                blank=True, default="", max_length=2, verbose_name="winning tile"
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="won_by",
            field=models.CharField(
                blank=True,
                default="",
                help_text="In which special way; empty for a discard or a drawn tile.",
                max_length=20,
                verbose_name="how it was won",
            ),
        ),
        migrations.AddField(
            model_name="rulesetversion",
            name="book",
            field=models.JSONField(blank=True, null=True, verbose_name="rule book"),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("outcome", "win"),
                    models.Q(
                        ("bonus", ""),
                        ("flags", ""),
                        ("liable__isnull", True),
                        ("others__isnull", True),
                        ("value", 0),
                        ("winning_tile", ""),
                        ("won_by", ""),
                    ),
                    _connector="OR",
                ),
                name="a_draw_was_won_in_no_way",
                violation_error_message="A hand without a winner was won in no way.",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("won_by", ""),
                    models.Q(
                        ("self_drawn", True),
                        (
                            "won_by__in",
                            ["last_tile", "replacement", "kong_on_kong", "heaven", "earth_draw"],
                        ),
                    ),
                    models.Q(
                        ("self_drawn", False),
                        ("won_by__in", ["last_discard", "robbing_kong", "earth_discard"]),
                    ),
                    _connector="OR",
                ),
                name="way_of_winning_known",
                violation_error_message="This contradicts how the last tile came to the winner.",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("liable__isnull", True),
                    models.Q(("liable", models.F("winner")), _negated=True),
                    _connector="OR",
                ),
                name="liable_is_another",
                violation_error_message="The winner does not pay for everybody.",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("claimed_limit", ""),
                    models.Q(("checked", False), ("limit", True), ("outcome", "win")),
                    _connector="OR",
                ),
                name="claimed_limit_is_an_unchecked_win",
                violation_error_message="Only a win without tiles is claimed as one of the known limit hands.",
            ),
        ),
        migrations.AddConstraint(
            model_name="rulesetversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("book__isnull", True), ("options", {}), _connector="OR"),
                name="options_or_a_book",
            ),
        ),
        migrations.RunPython(guard_books, drop_trigger),
    ]
