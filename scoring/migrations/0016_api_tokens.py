"""Tokens with a name, scopes and an end. Those of before end, for good: their text was kept as it is."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def end_tokens_of_before(apps, schema_editor):
    apps.get_model("authtoken", "Token").objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0015_evening_closure'),
        ('authtoken', '0004_alter_tokenproxy_options'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True, verbose_name='digest')),
                ('password_changed', models.BooleanField(default=False, verbose_name='the password changed since')),
                ('may_read', models.BooleanField(default=True, verbose_name='read what members see')),
                ('may_log', models.BooleanField(default=False, verbose_name='log, correct and answer hands')),
                ('may_organise', models.BooleanField(default=False, verbose_name='do what organisers do')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='made')),
                ('ends_at', models.DateTimeField(verbose_name='ends')),
                ('last_used_on', models.DateField(blank=True, null=True, verbose_name='last used')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'token',
                'verbose_name_plural': 'tokens',
                'ordering': ['-made_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='api_token_has_a_name', violation_error_message='Give the token a name: what will use it?'), models.CheckConstraint(condition=models.Q(('may_read', True), ('may_log', True), ('may_organise', True), _connector='OR'), name='api_token_may_do_something', violation_error_message='Say what the token is for: read, log or organise.')],
            },
        ),
        migrations.RunPython(end_tokens_of_before, migrations.RunPython.noop),
    ]
