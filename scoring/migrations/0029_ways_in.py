"""Who an organiser gave a first password to is an account that an organiser made a way into."""

import django.db.models.deletion
from django.db import migrations, models


def note_ways_in(apps, schema_editor):
    settings = apps.get_model("scoring", "AccountSettings")
    settings.objects.filter(has_first_password=True).update(opened_by_organiser=True)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0028_first_passwords"),
    ]

    operations = [
        migrations.AddField(
            model_name="accountsettings",
            name="opened_by_organiser",
            field=models.BooleanField(default=False, verbose_name="an organiser made a way in"),
        ),
        migrations.AlterField(
            model_name="invitationuse",
            name="invitation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="uses",
                to="scoring.invitation",
                verbose_name="invitation",
            ),
        ),
        migrations.RunPython(note_ways_in, migrations.RunPython.noop),
    ]
