"""The mails of accounts become addresses that their people can confirm. None is confirmed yet."""

from django.db import migrations

AT_ONCE = 500


def add_addresses(apps, schema_editor):
    database = schema_editor.connection.alias
    addresses = apps.get_model("account", "EmailAddress").objects.using(database)
    known = set(addresses.values_list("user_id", flat=True))
    accounts = apps.get_model("auth", "User").objects.using(database).exclude(email="")
    rows = []
    for pk, email in accounts.order_by("pk").values_list("pk", "email").iterator(AT_ONCE):
        if pk not in known:
            rows.append(addresses.model(user_id=pk, email=email.lower(), primary=True))
    addresses.bulk_create(rows, batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0018_accounts"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    # Backwards the addresses stay: the mails of the accounts are where they were.
    operations = [migrations.RunPython(add_addresses, migrations.RunPython.noop)]
