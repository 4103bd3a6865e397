"""A game, or a league, that names no day begins on the day of the club. Nothing stored changes."""

from django.db import migrations, models

import scoring.models.days


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0012_entry_fingerprints'),
    ]

    operations = [
        # A default is Python's: no table is written anew for it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='game',
                    name='evening',
                    field=models.DateField(default=scoring.models.days.club_day, help_text='The day it began, also for what is played after midnight.', verbose_name='evening'),
                ),
                migrations.AlterField(
                    model_name='league',
                    name='starts_on',
                    field=models.DateField(default=scoring.models.days.club_day, verbose_name='first day'),
                ),
            ],
        ),
    ]
