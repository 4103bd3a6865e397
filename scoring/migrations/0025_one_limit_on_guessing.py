"""Wrong sign-ins are counted by the site itself. What django-axes noted is forgotten: names and addresses.

Its empty tables stay. Nothing reads them.
"""

from django.db import migrations

TABLES = (
    "axes_accessattemptexpiration",
    "axes_accessattempt",
    "axes_accessfailurelog",
    "axes_accesslog",
)


def forget(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for table in TABLES:
            if table in there:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
    database = connection.alias
    # A new site does not know these kinds of rows: the file of a club must not name them.
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    ours = list(kinds.filter(app_label="axes").values_list("pk", flat=True))
    apps.get_model("admin", "LogEntry").objects.using(database).filter(
        content_type__in=ours
    ).update(content_type=None)
    apps.get_model("auth", "Permission").objects.using(database).filter(
        content_type__in=ours
    ).delete()
    kinds.filter(pk__in=ours).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0024_first_run"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    # Backwards nothing comes back: it was about an hour that is over.
    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
