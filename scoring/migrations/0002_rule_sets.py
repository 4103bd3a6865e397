"""Club and Book with their first version, and a trigger that keeps every version as it is."""

from django.db import migrations

HOUSE = {
    "limit": 500,
    "rounding": 10,
    "straights": [],
    "dealer_doubles": True,
    "dealer_stays_on_win": True,
    "dealer_stays_on_draw": True,
    "discarder": "equal",
}
RULE_SETS = [
    (
        "club",
        "Club",
        "The default: every reading of the book decided, the best interpretation counts.",
        HOUSE | {"interpretation": "best", "consistency": "highest"},
    ),
    (
        "book",
        "Book",
        "The book to the letter, wherever the letter can work.",
        HOUSE | {"interpretation": "first", "consistency": "listed"},
    ),
]

SQLITE_TRIGGER = """
CREATE TRIGGER rule_set_version_never_changes
BEFORE UPDATE OF options, number, ruleset_id ON scoring_rulesetversion
WHEN NEW.options IS NOT OLD.options
  OR NEW.number <> OLD.number
  OR NEW.ruleset_id <> OLD.ruleset_id
BEGIN
  SELECT RAISE(ABORT, 'a rule set version never changes');
END
"""
POSTGRESQL_FUNCTION = """
CREATE FUNCTION scoring_rule_set_version_never_changes() RETURNS trigger AS $$
BEGIN
  RAISE EXCEPTION 'a rule set version never changes' USING ERRCODE = 'integrity_constraint_violation';
END
$$ LANGUAGE plpgsql
"""
POSTGRESQL_TRIGGER = """
CREATE TRIGGER rule_set_version_never_changes
BEFORE UPDATE ON scoring_rulesetversion FOR EACH ROW
WHEN (
  NEW.options IS DISTINCT FROM OLD.options
  OR NEW.number <> OLD.number
  OR NEW.ruleset_id <> OLD.ruleset_id
)
EXECUTE FUNCTION scoring_rule_set_version_never_changes()
"""


def install(apps, schema_editor):
    RuleSet = apps.get_model("scoring", "RuleSet")
    RuleSetVersion = apps.get_model("scoring", "RuleSetVersion")
    for slug, name, description, options in RULE_SETS:
        ruleset = RuleSet.objects.create(slug=slug, name=name, description=description)
        RuleSetVersion.objects.create(ruleset=ruleset, number=1, options=options)


def guard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(SQLITE_TRIGGER)
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL_FUNCTION)
        schema_editor.execute(POSTGRESQL_TRIGGER)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER rule_set_version_never_changes")
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "DROP TRIGGER rule_set_version_never_changes ON scoring_rulesetversion"
        )
        schema_editor.execute("DROP FUNCTION scoring_rule_set_version_never_changes()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [
        migrations.RunPython(guard, unguard),
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
