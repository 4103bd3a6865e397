"""The club's own settings, and the group of those whose club it is."""

import scoring.models.club
from django.db import migrations, models


OWNERS = "Owners"
# Each permission with the model that it is on.
MAY = {
    "own_club": ("club", "Can own the club: its settings, owners, the audit"),
    "organise_club": ("player", "Can run the club: leagues, players, every table"),
}


def install(apps, schema_editor):
    database = schema_editor.connection.alias
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    groups = apps.get_model("auth", "Group").objects.using(database)
    group, _created = groups.get_or_create(name=OWNERS)
    for codename, (model, name) in MAY.items():
        # Made here where it is not there yet: Django makes permissions after migrating.
        kind, _created = kinds.get_or_create(app_label="scoring", model=model)
        permission, _created = permissions.get_or_create(
            content_type=kind, codename=codename, defaults={"name": name}
        )
        group.permissions.add(permission)


def remove(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    groups.filter(name=OWNERS).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0016_api_tokens'),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name of the club')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('nl', 'Nederlands'), ('zh-hant', '繁體中文')], help_text='For whoever has chosen none, and whose browser asks for none that there is.', max_length=12, verbose_name='language')),
                ('time_zone', models.CharField(blank=True, help_text='Such as Europe/Amsterdam.', max_length=60, validators=[scoring.models.club.require_time_zone], verbose_name='time zone')),
                ('colour', models.CharField(choices=[('jade', 'jade'), ('ink', 'ink blue'), ('plum', 'plum'), ('lacquer', 'lacquer red')], default='jade', max_length=12, verbose_name='colour of its sheet')),
                ('hides_names', models.BooleanField(default=False, help_text='Whoever is not signed in sees initials instead of names.', verbose_name='hide names from visitors')),
                ('owners_need_second_factor', models.BooleanField(default=False, help_text='Owners sign in with a passkey, or with a code besides their password.', verbose_name='owners need a second factor')),
            ],
            options={
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs',
                'permissions': [('own_club', 'Can own the club: its settings, owners, the audit')],
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='club_is_one', violation_error_message='This site is for one club.')],
            },
        ),
        migrations.RunPython(install, remove),
    ]
