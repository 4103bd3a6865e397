"""Where the database holds text, and which of it may name a person."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models

TEXTS = (models.CharField, models.TextField, models.JSONField)

# Columns of text that never name anybody: what the site itself writes there, codes, digests. Whoever
# adds a column of text finds it searched for names, unless it is listed here.
WITHOUT_NAMES: dict[str, frozenset[str]] = {
    "scoring.apitoken": frozenset({"digest"}),
    "scoring.auditentry": frozenset({"action", "subject"}),
    "scoring.club": frozenset({"language", "time_zone", "colour"}),
    "scoring.game": frozenset({"round"}),
    "scoring.gameevent": frozenset({"kind", "before"}),
    "scoring.hand": frozenset(
        {
            *("status", "outcome", "prevailing", "seat", "claimed_limit", "entry_key"),
            *("entry_fingerprint", "tiles", "melds", "card"),
        }
    ),
    "scoring.handevent": frozenset({"kind", "about"}),
    "scoring.idempotencykey": frozenset({"key", "fingerprint"}),
    "scoring.latehand": frozenset({"key", "entry", "entry_fingerprint", "status"}),
    "scoring.league": frozenset({"slug", "visibility"}),
    "scoring.player": frozenset({"pin"}),
    "scoring.round": frozenset({"wind"}),
    "scoring.ruleset": frozenset({"slug"}),
    "scoring.rulesetversion": frozenset({"options"}),
    "scoring.seat": frozenset({"wind"}),
}

# Of other apps, only what remembers people here. Accounts themselves are deleted.
OTHERS = {"admin.logentry": ("object_repr", "change_message")}


def columns_with_names() -> Iterator[tuple[type[models.Model], list["models.Field[Any, Any]"]]]:
    """Each model with the columns of it in which people are named, or could be."""
    for model in apps.get_models():
        label = model._meta.label_lower
        if model._meta.app_label == "scoring":
            without = WITHOUT_NAMES.get(label, frozenset())
            wanted = {
                field.name
                for field in model._meta.local_fields
                if isinstance(field, TEXTS) and field.name not in without
            }
        else:
            wanted = set(OTHERS.get(label, ()))
        fields = [field for field in model._meta.local_fields if field.name in wanted]
        if fields:
            yield model, fields
