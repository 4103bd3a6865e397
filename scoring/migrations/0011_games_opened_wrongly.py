"""Games that are opened again, changed or withdrawn, and hands that came too late."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


ORGANISERS = "Organisers"
MAY_SEE = {"gameevent": "change to a game", "latehand": "late hand"}


def let_organisers_read(apps, schema_editor):
    database = schema_editor.connection.alias
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    group = apps.get_model("auth", "Group").objects.using(database).filter(name=ORGANISERS).first()
    for model, name in MAY_SEE.items():
        # Made here where it is not there yet: Django makes permissions after migrating.
        kind, _created = kinds.get_or_create(app_label="scoring", model=model)
        view, _created = permissions.get_or_create(
            content_type=kind, codename=f"view_{model}", defaults={"name": f"Can view {name}"}
        )
        if group:
            group.permissions.add(view)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0010_corrections_and_disputes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GameEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('reopened', 'opened again'), ('seats', 'seats changed'), ('moved', 'moved'), ('withdrawn', 'withdrawn'), ('restored', 'restored')], max_length=10, verbose_name='what')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('reason', models.CharField(max_length=300, verbose_name='reason')),
                ('before', models.JSONField(blank=True, default=dict, verbose_name='before')),
                ('last_hand', models.PositiveBigIntegerField(default=0, verbose_name='last hand before')),
            ],
            options={
                'verbose_name': 'change to a game',
                'verbose_name_plural': 'changes to games',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='LateHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text='The key the phone gave it.', max_length=200, verbose_name='entry key')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('entry', models.JSONField(verbose_name='entry')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='asked')),
                ('status', models.CharField(choices=[('asked', 'waiting'), ('taken', 'taken in'), ('declined', 'declined')], default='asked', max_length=10, verbose_name='status')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided')),
                ('reason', models.CharField(blank=True, help_text='Why it was declined.', max_length=300, verbose_name='reason')),
            ],
            options={
                'verbose_name': 'late hand',
                'verbose_name_plural': 'late hands',
                'ordering': ['game', 'number', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='ended_by',
            field=models.ForeignKey(blank=True, help_text='Opening that evening again opens the game again.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='games', to='scoring.closing', verbose_name='ended by closing the evening'),
        ),
        migrations.AddField(
            model_name='game',
            name='withdrawn_at',
            field=models.DateTimeField(blank=True, help_text='It was opened by mistake: nothing of it counts until it is restored.', null=True, verbose_name='withdrawn'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('ended_by__isnull', True), ('ended_early', True), _connector='OR'), name='closing_ends_early'),
        ),
        migrations.AddField(
            model_name='gameevent',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by'),
        ),
        migrations.AddField(
            model_name='gameevent',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='scoring.game', verbose_name='game'),
        ),
        migrations.AddField(
            model_name='latehand',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='logged by'),
        ),
        migrations.AddField(
            model_name='latehand',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by'),
        ),
        migrations.AddField(
            model_name='latehand',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='late_hands', to='scoring.game', verbose_name='game'),
        ),
        migrations.AddField(
            model_name='latehand',
            name='hand',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='late_hand', to='scoring.hand', verbose_name='hand'),
        ),
        migrations.AddConstraint(
            model_name='gameevent',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='game_event_has_a_reason', violation_error_message='Say why, for those who read it later.'),
        ),
        migrations.AddConstraint(
            model_name='gameevent',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['reopened', 'seats', 'moved', 'withdrawn', 'restored'])), name='game_event_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='latehand',
            constraint=models.UniqueConstraint(fields=('game', 'by', 'key'), name='late_hand_once'),
        ),
        migrations.AddConstraint(
            model_name='latehand',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='late_hand_counts_from_one'),
        ),
        migrations.AddConstraint(
            model_name='latehand',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('hand__isnull', True), ('status', 'asked')), models.Q(('decided_at__isnull', False), ('hand__isnull', False), ('status', 'taken')), models.Q(('decided_at__isnull', False), ('hand__isnull', True), ('status', 'declined'), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='late_hand_is_decided_once', violation_error_message='Say why the hand is declined.'),
        ),
        migrations.RunPython(let_organisers_read, migrations.RunPython.noop),
    ]
