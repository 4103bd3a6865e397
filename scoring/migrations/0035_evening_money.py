"""Stake and hall fee of evenings, and who paid whom after one."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import scoring.models.days
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0034_names_by_letters'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EveningPayment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='evening')),
                ('amount', models.PositiveBigIntegerField(verbose_name='amount')),
                ('currency', models.CharField(blank=True, choices=[('EUR', 'Euro (€)'), ('GBP', 'Pound sterling (£)'), ('USD', 'US dollar (US$)'), ('AUD', 'Australian dollar (A$)'), ('CAD', 'Canadian dollar (C$)'), ('CHF', 'Swiss franc (CHF)'), ('CNY', 'Renminbi (¥)'), ('DKK', 'Danish krone (DKK)'), ('HKD', 'Hong Kong dollar (HK$)'), ('JPY', 'Japanese yen (¥)'), ('SGD', 'Singapore dollar (S$)'), ('TWD', 'New Taiwan dollar (NT$)')], default='', max_length=3, verbose_name='currency')),
                ('marked_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='marked as paid')),
                ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone')),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='evening_payments', to='scoring.league', verbose_name='league')),
                ('marked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='marked by')),
                ('payee', models.ForeignKey(blank=True, help_text='Empty: the club’s till.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player', verbose_name='payee')),
                ('payer', models.ForeignKey(blank=True, help_text='Empty: the club’s till.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.player', verbose_name='payer')),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='undone by')),
            ],
            options={
                'verbose_name': 'payment after an evening',
                'verbose_name_plural': 'payments after evenings',
                'ordering': ['marked_at', 'pk'],
                'indexes': [models.Index(fields=['league', 'day'], name='payments_of_evening')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gte', 1)), name='evening_payment_is_something'), models.CheckConstraint(condition=models.Q(models.Q(('payee__isnull', False), ('payer__isnull', True)), models.Q(('payee__isnull', True), ('payer__isnull', False)), models.Q(('payee__isnull', False), ('payer__isnull', False), models.Q(('payer', models.F('payee')), _negated=True)), _connector='OR'), name='evening_payment_between_two', violation_error_message='Nobody pays themselves: choose two players.')],
            },
        ),
        migrations.CreateModel(
            name='EveningTerms',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('effective_from', models.DateField(default=scoring.models.days.club_day, help_text='Evenings before this day stay as they are.', verbose_name='holds from')),
                ('as_club', models.BooleanField(default=False, verbose_name='as in the club')),
                ('currency', models.CharField(choices=[('EUR', 'Euro (€)'), ('GBP', 'Pound sterling (£)'), ('USD', 'US dollar (US$)'), ('AUD', 'Australian dollar (A$)'), ('CAD', 'Canadian dollar (C$)'), ('CHF', 'Swiss franc (CHF)'), ('CNY', 'Renminbi (¥)'), ('DKK', 'Danish krone (DKK)'), ('HKD', 'Hong Kong dollar (HK$)'), ('JPY', 'Japanese yen (¥)'), ('SGD', 'Singapore dollar (S$)'), ('TWD', 'New Taiwan dollar (NT$)')], default='EUR', max_length=3, verbose_name='currency')),
                ('stake', models.PositiveIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(1000000)], verbose_name='stake')),
                ('stake_points', models.PositiveIntegerField(default=100, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000)], verbose_name='for so many points')),
                ('rounding', models.PositiveSmallIntegerField(choices=[(1, 'not at all: to the cent'), (5, 'to 5 cents'), (10, 'to 10 cents'), (50, 'to 50 cents'), (100, 'to whole units (100 cents)')], default=1, verbose_name='amounts are rounded')),
                ('fee', models.PositiveIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(1000000)], verbose_name='hall fee')),
                ('fee_per', models.CharField(choices=[('person', 'for each person'), ('evening', 'for the evening, shared by everybody')], default='person', max_length=8, verbose_name='the fee is')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='made')),
                ('league', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='evening_terms', to='scoring.league', verbose_name='league')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
            ],
            options={
                'verbose_name': 'stake and fee',
                'verbose_name_plural': 'stakes and fees',
                'ordering': ['-effective_from', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('stake_points__gte', 1)), name='stake_is_for_some_points'), models.CheckConstraint(condition=models.Q(('rounding__in', [1, 5, 10, 50, 100])), name='known_rounding'), models.CheckConstraint(condition=models.Q(('fee_per__in', ['person', 'evening'])), name='known_payer_of_the_fee'), models.CheckConstraint(condition=models.Q(('as_club', False), ('league__isnull', False), _connector='OR'), name='only_a_league_does_as_the_club')],
            },
        ),
    ]
