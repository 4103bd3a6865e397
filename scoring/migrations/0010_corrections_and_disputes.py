"""Disputes that say what they are about, PINs, hands that follow another, and draws without tiles."""

from django.conf import settings
from django.db import migrations, models

SENSELESS = {"self_drawn": False, "concealed": False, "melds": []}


def clear_draws(apps, schema_editor):
    """A draw is not self-drawn, concealed or melded. Old ones may say so: the audit keeps what they said.

    Nothing was ever worked out from it.
    """
    database = schema_editor.connection.alias
    hands = apps.get_model("scoring", "Hand").objects.using(database).filter(outcome="draw")
    audit = apps.get_model("scoring", "AuditEntry").objects.using(database)
    wrong = models.Q(self_drawn=True) | models.Q(concealed=True) | ~models.Q(melds=[])
    for row in hands.filter(wrong).order_by("pk").values("pk", *SENSELESS):
        pk = row.pop("pk")
        audit.create(action="clear_draws", subject="hand", subject_id=pk, details={"before": row})
        hands.filter(pk=pk).update(**SENSELESS)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0009_claimed_limit'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(clear_draws, migrations.RunPython.noop),
        migrations.AddField(
            model_name='hand',
            name='follows',
            field=models.PositiveIntegerField(blank=True, help_text='The number of the hand that was changed, when this one only follows from it.', null=True, verbose_name='follows hand'),
        ),
        migrations.AddField(
            model_name='handevent',
            name='about',
            field=models.CharField(blank=True, choices=[('winner', 'the winner'), ('discarder', 'who discarded'), ('tiles', 'the tiles'), ('score', 'the score'), ('other', 'something else')], help_text='What is wrong with the hand, of a dispute.', max_length=10, verbose_name='about'),
        ),
        migrations.AddField(
            model_name='player',
            name='pin',
            field=models.CharField(blank=True, editable=False, max_length=128, verbose_name='PIN'),
        ),
        migrations.AddField(
            model_name='player',
            name='pin_failed_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='last wrong PIN'),
        ),
        migrations.AddField(
            model_name='player',
            name='pin_failures',
            field=models.PositiveSmallIntegerField(default=0, editable=False, verbose_name='wrong PINs'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('outcome', 'win'), models.Q(('concealed', False), ('self_drawn', False)), _connector='OR'), name='a_draw_has_no_winning_tiles', violation_error_message='A hand without a winner is not self-drawn or concealed.'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('follows__isnull', True), models.Q(('follows__lt', models.F('number')), ('supersedes__isnull', False)), _connector='OR'), name='follows_an_earlier_hand'),
        ),
        migrations.AddConstraint(
            model_name='handevent',
            constraint=models.CheckConstraint(condition=models.Q(('about', ''), models.Q(('about__in', ['winner', 'discarder', 'tiles', 'score', 'other']), ('kind', 'disputed')), _connector='OR'), name='dispute_is_about_something_known'),
        ),
    ]
