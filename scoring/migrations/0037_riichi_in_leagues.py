"""Riichi in leagues: counters and sticks on the table, who staked and who was calling, dora."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0036_seasons'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='hand',
            name='a_draw_was_won_in_no_way',
        ),
        migrations.AddField(
            model_name='game',
            name='counters',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='counters on the table'),
        ),
        migrations.AddField(
            model_name='game',
            name='sticks',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='sticks on the table'),
        ),
        migrations.AddField(
            model_name='hand',
            name='calls',
            field=models.JSONField(blank=True, help_text='Who staked a stick, who was calling at a draw, whether it was broken off.', null=True, verbose_name='sticks and calling'),
        ),
        migrations.AddField(
            model_name='hand',
            name='counters',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='counters on the table'),
        ),
        migrations.AddField(
            model_name='hand',
            name='dora_indicators',
            field=models.CharField(blank=True, default='', max_length=30, verbose_name='dora indicators'),
        ),
        migrations.AddField(
            model_name='hand',
            name='on_table',
            field=models.IntegerField(default=0, help_text='In points; less than 0 where the winner took them. With the payments, 0 in all.', verbose_name='put on the table'),
        ),
        migrations.AddField(
            model_name='hand',
            name='sticks',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='sticks on the table'),
        ),
        migrations.AlterField(
            model_name='transfer',
            name='payee',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player', verbose_name='payee'),
        ),
        migrations.AlterField(
            model_name='transfer',
            name='payer',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player', verbose_name='payer'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('outcome', 'win'), models.Q(('bonus', ''), ('dora_indicators', ''), ('flags', ''), ('liable__isnull', True), ('others__isnull', True), ('value', 0), ('winning_tile', ''), ('won_by', '')), _connector='OR'), name='a_draw_was_won_in_no_way', violation_error_message='A hand without a winner was won in no way.'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('payer__isnull', False), ('payee__isnull', False), _connector='OR'), name='transfer_names_a_player'),
        ),
    ]
