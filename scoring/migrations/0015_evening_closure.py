"""A closed evening is called EveningClosure. No table, row or constraint changes."""

import django.db.models.deletion
from django.db import migrations, models

ACTIONS = ("add", "change", "delete", "view")


def name_permissions(before, after):
    """What a group or a person was allowed stays allowed: Django itself renames the content type alone."""

    def rename(apps, schema_editor):
        permissions = apps.get_model("auth", "Permission").objects.using(
            schema_editor.connection.alias
        )
        for action in ACTIONS:
            permissions.filter(
                content_type__app_label="scoring", codename=f"{action}_{before}"
            ).update(codename=f"{action}_{after}")

    return rename


class Migration(migrations.Migration):
    dependencies = [("scoring", "0014_plain_words")]

    operations = [
        # The table that is there already: with its name kept, the rename reaches no table.
        migrations.AlterModelTable("closing", "scoring_closing"),
        migrations.RenameModel("Closing", "EveningClosure"),
        migrations.AlterField(
            model_name="eveningclosure",
            name="league",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="closures",
                to="scoring.league",
                verbose_name="league",
            ),
        ),
        migrations.RunPython(
            name_permissions("closing", "eveningclosure"),
            name_permissions("eveningclosure", "closing"),
        ),
    ]
