"""The same hand sent again is known, whoever sits at its table by then."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0011_games_opened_wrongly'),
    ]

    operations = [
        migrations.AddField(
            model_name='hand',
            name='entry_fingerprint',
            field=models.CharField(blank=True, default='', help_text='It tells whether a hand that is sent again is the same one.', max_length=64, verbose_name='fingerprint of the entry'),
        ),
        migrations.AddField(
            model_name='latehand',
            name='entry_fingerprint',
            field=models.CharField(blank=True, default='', help_text='It tells whether a hand that is sent again is the same one.', max_length=64, verbose_name='fingerprint of the entry'),
        ),
        migrations.AlterField(
            model_name='hand',
            name='follows',
            field=models.PositiveIntegerField(blank=True, help_text='The number of the hand that was changed, when this one only follows from it; 0 for a change to the game.', null=True, verbose_name='follows hand'),
        ),
    ]
