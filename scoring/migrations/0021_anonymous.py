"""Players who are anonymous, and an audit in which a name can be taken out, and nothing else changed."""

from django.db import migrations, models


# An entry may be written again without a name in its details, and says so. Everything else stays.
SQLITE_TRIGGER = """
CREATE TRIGGER audit_entry_never_changes
BEFORE UPDATE ON scoring_auditentry
WHEN NOT (
  NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.by_id IS OLD.by_id AND NEW.action IS OLD.action
  AND NEW.subject IS OLD.subject AND NEW.subject_id IS OLD.subject_id
  AND json_extract(NEW.details, '$.names_taken_out') IS 1
)
BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit never changes');
END
"""
SQLITE_TRIGGER_BEFORE = """
CREATE TRIGGER audit_entry_never_changes
BEFORE UPDATE ON scoring_auditentry
BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit never changes');
END
"""
POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION scoring_audit_entry_never_changes() RETURNS trigger AS $$
BEGIN
  IF (NEW.id, NEW.at, NEW.action, NEW.subject, NEW.subject_id)
      = (OLD.id, OLD.at, OLD.action, OLD.subject, OLD.subject_id)
      AND NEW.by_id IS NOT DISTINCT FROM OLD.by_id
      AND NEW.details->'names_taken_out' = 'true'::jsonb THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'an entry of the audit never changes' USING ERRCODE = 'integrity_constraint_violation';
END
$$ LANGUAGE plpgsql
"""
POSTGRESQL_FUNCTION_BEFORE = """
CREATE OR REPLACE FUNCTION scoring_audit_entry_never_changes() RETURNS trigger AS $$
BEGIN
  RAISE EXCEPTION 'an entry of the audit never changes' USING ERRCODE = 'integrity_constraint_violation';
END
$$ LANGUAGE plpgsql
"""


def let_names_be_taken_out(apps, schema_editor):
    _guard(schema_editor, SQLITE_TRIGGER, POSTGRESQL_FUNCTION)


def let_nothing_change(apps, schema_editor):
    _guard(schema_editor, SQLITE_TRIGGER_BEFORE, POSTGRESQL_FUNCTION_BEFORE)


def _guard(schema_editor, sqlite, postgresql):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER audit_entry_never_changes")
        schema_editor.execute(sqlite)
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(postgresql)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0020_invitations'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='anonymous_since',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='anonymous since'),
        ),
        migrations.AddField(
            model_name='player',
            name='renamed_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='renamed'),
        ),
        migrations.RunPython(let_names_be_taken_out, let_nothing_change),
    ]
