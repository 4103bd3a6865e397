"""The audit, a trigger that keeps every entry as it is, and organisers who may read it."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ORGANISERS = "Organisers"

SQLITE_TRIGGER = """
CREATE TRIGGER audit_entry_never_changes
BEFORE UPDATE ON scoring_auditentry
BEGIN
  SELECT RAISE(ABORT, 'an entry of the audit never changes');
END
"""
POSTGRESQL_FUNCTION = """
CREATE FUNCTION scoring_audit_entry_never_changes() RETURNS trigger AS $$
BEGIN
  RAISE EXCEPTION 'an entry of the audit never changes' USING ERRCODE = 'integrity_constraint_violation';
END
$$ LANGUAGE plpgsql
"""
POSTGRESQL_TRIGGER = """
CREATE TRIGGER audit_entry_never_changes
BEFORE UPDATE ON scoring_auditentry FOR EACH ROW
EXECUTE FUNCTION scoring_audit_entry_never_changes()
"""


def guard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(SQLITE_TRIGGER)
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL_FUNCTION)
        schema_editor.execute(POSTGRESQL_TRIGGER)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER audit_entry_never_changes")
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER audit_entry_never_changes ON scoring_auditentry")
        schema_editor.execute("DROP FUNCTION scoring_audit_entry_never_changes()")


def let_organisers_read(apps, schema_editor):
    database = schema_editor.connection.alias
    # Made here where it is not there yet: Django makes permissions after migrating.
    kind, _created = apps.get_model("contenttypes", "ContentType").objects.using(
        database
    ).get_or_create(app_label="scoring", model="auditentry")
    view, _created = apps.get_model("auth", "Permission").objects.using(database).get_or_create(
        content_type=kind,
        codename="view_auditentry",
        defaults={"name": "Can view entry of the audit"},
    )
    for group in apps.get_model("auth", "Group").objects.using(database).filter(name=ORGANISERS):
        group.permissions.add(view)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0005_roles"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name="when")),
                ("action", models.CharField(max_length=40, verbose_name="what")),
                ("subject", models.CharField(max_length=40, verbose_name="kind of row")),
                ("subject_id", models.PositiveBigIntegerField(verbose_name="its number")),
                ("details", models.JSONField(blank=True, default=dict, verbose_name="details")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of the audit",
                "verbose_name_plural": "audit",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["subject", "subject_id"], name="audit_of_a_row")],
            },
        ),
        migrations.RunPython(guard, unguard),
        migrations.RunPython(let_organisers_read, migrations.RunPython.noop),
    ]
