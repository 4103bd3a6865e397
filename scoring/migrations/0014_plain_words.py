"""Names and descriptions in plain words. No table changes, only the descriptions of Club and Book."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# What the descriptions were, and what they are now. A club's own words stay.
DESCRIPTIONS = {
    "club": (
        "The default: every reading of the book decided, the best interpretation counts.",
        "Our usual rules. Of several ways to read a hand, the best one counts.",
    ),
    "book": (
        "The book to the letter, wherever the letter can work.",
        "The rules exactly as printed in the book they come from, where that is possible.",
    ),
}


def describe(apps, schema_editor):
    RuleSet = apps.get_model("scoring", "RuleSet")
    for slug, (before, now) in DESCRIPTIONS.items():
        RuleSet.objects.filter(slug=slug, description=before).update(description=now)


def describe_as_before(apps, schema_editor):
    RuleSet = apps.get_model("scoring", "RuleSet")
    for slug, (before, now) in DESCRIPTIONS.items():
        RuleSet.objects.filter(slug=slug, description=now).update(description=before)


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0013_day_of_the_club"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(describe, describe_as_before),
        # Names are Python's: no table is written anew for them.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelOptions(
                    name="closing",
                    options={"ordering": ["-day", "-pk"], "verbose_name": "closed evening", "verbose_name_plural": "closed evenings"},
                ),
                migrations.AlterModelOptions(
                    name="handevent",
                    options={"ordering": ["pk"], "verbose_name": "answer or decision about a hand", "verbose_name_plural": "answers and decisions about hands"},
                ),
                migrations.AlterModelOptions(
                    name="tally",
                    options={"ordering": ["league", "-points", "player"], "verbose_name": "result in a league", "verbose_name_plural": "results by league"},
                ),
                migrations.AlterModelOptions(
                    name="transfer",
                    options={"ordering": ["adjustment", "pk"], "verbose_name": "line of an adjustment", "verbose_name_plural": "lines of adjustments"},
                ),
                migrations.AlterField(
                    model_name="adjustment",
                    name="made_at",
                    field=models.DateTimeField(default=django.utils.timezone.now, verbose_name="entered"),
                ),
                migrations.AlterField(
                    model_name="adjustment",
                    name="made_by",
                    field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="entered by"),
                ),
                migrations.AlterField(
                    model_name="player",
                    name="name",
                    field=models.CharField(help_text="As it should appear in the league table. Two players never share a name.", max_length=80, verbose_name="name"),
                ),
            ],
        ),
    ]
