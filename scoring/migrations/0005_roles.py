"""The group of those who run the club, with what they may do."""

from django.db import migrations

ORGANISERS = "Organisers"
MAY = {
    "player": ("view", "add", "change", "delete"),
    "league": ("view", "add", "change", "delete"),
    "ruleset": ("view", "add", "change"),
    "rulesetversion": ("view", "add"),
    "game": ("view",),
    "seat": ("view",),
    "round": ("view",),
    "hand": ("view",),
    "handevent": ("view",),
    "payment": ("view",),
    "adjustment": ("view",),
    "transfer": ("view",),
    "closing": ("view",),
    "tally": ("view",),
    "rating": ("view",),
}


def install(apps, schema_editor):
    database = schema_editor.connection.alias
    group, _created = apps.get_model("auth", "Group").objects.using(database).get_or_create(
        name=ORGANISERS
    )
    group.permissions.add(*permissions(apps, database))


def permissions(apps, database):
    """The permissions, made here where they are not there yet: Django makes them after migrating."""
    for model, actions in MAY.items():
        name = apps.get_model("scoring", model)._meta.verbose_name
        for action in actions:
            yield permission(apps, database, model, f"{action}_{model}", f"Can {action} {name}")
    yield permission(
        apps,
        database,
        "player",
        "organise_club",
        "Can run the club: leagues, players, every table",
    )


def permission(apps, database, model, codename, name):
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    kind, _created = kinds.get_or_create(app_label="scoring", model=model)
    known = apps.get_model("auth", "Permission").objects.using(database)
    found, _created = known.get_or_create(
        content_type=kind, codename=codename, defaults={"name": name}
    )
    return found


def remove(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    groups.filter(name=ORGANISERS).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0004_evenings_of_old_games"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(install, remove)]
