"""An invitation that is valid once remembers that it was used, also when the account is gone."""

from django.db import migrations, models


def note_uses(apps, schema_editor):
    """From who has joined, and from the audit for those whose account is gone."""
    alias = schema_editor.connection.alias
    Invitation = apps.get_model("scoring", "Invitation")
    InvitationUse = apps.get_model("scoring", "InvitationUse")
    AuditEntry = apps.get_model("scoring", "AuditEntry")
    uses = InvitationUse.objects.using(alias).exclude(invitation=None)
    joined = AuditEntry.objects.using(alias).filter(action="join").order_by("pk")
    for rows in (uses.values_list("invitation", "at"), joined.values_list("details", "at")):
        for which, at in rows.iterator(chunk_size=500):
            pk = which.get("invitation") if isinstance(which, dict) else which
            # A club that has moved here brought entries about the invitations of its site of before.
            unused = Invitation.objects.using(alias).filter(pk=pk, once=True, used_at=None)
            unused.filter(made_at__lte=at).update(used_at=at)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0037_riichi_in_leagues"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="used_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="used"),
        ),
        migrations.RunPython(note_uses, migrations.RunPython.noop, elidable=True),
    ]
