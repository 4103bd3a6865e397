"""Standing rules of a league, in versions that hold from a day."""

import django.db.models.deletion
import django.utils.timezone
import scoring.models.days
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0032_one_count_of_tries'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='league',
            name='standing_versions',
            field=models.PositiveIntegerField(default=0, editable=False, verbose_name='versions of standing rules'),
        ),
        migrations.CreateModel(
            name='StandingRules',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='version')),
                ('effective_from', models.DateField(default=scoring.models.days.club_day, verbose_name='holds from')),
                ('tables', models.JSONField(blank=True, default=list, verbose_name='tables')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='made')),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standing_rules', to='scoring.league', verbose_name='league')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
            ],
            options={
                'verbose_name': 'standing rules',
                'verbose_name_plural': 'standing rules',
                'ordering': ['league', '-number'],
                'constraints': [models.UniqueConstraint(fields=('league', 'number'), name='standing_rules_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='standing_rules_count_from_one')],
            },
        ),
    ]
