"""Games that were there before: the day each began, and which of them ended early."""

from django.db import migrations
from django.db.models import Q
from django.db.models.functions import TruncDate


def tell(apps, schema_editor):
    Game = apps.get_model("scoring", "Game")
    Game.objects.update(evening=TruncDate("started_at"))
    # After the last hand of the North round the fold stands where it stood before it.
    played_out = Q(round="N", dealer_place=3)
    Game.objects.filter(finished_at__isnull=False).exclude(played_out).update(ended_early=True)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_corrections")]

    operations = [migrations.RunPython(tell, migrations.RunPython.noop)]
