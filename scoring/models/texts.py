"""List the columns in which people wrote texts, which may name somebody."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.db import models

# The columns of a player that say who it is. The audit notes what they said before a change and before a
# merge; who becomes anonymous loses all that they ever said.
NAMES_OF_A_PLAYER: tuple[str, ...] = ("name",)

MERGED = "merge_players"  # as the audit has it

# Columns in which people are named, or could be. Whoever adds a column of text lists it here, or in
# ``WITHOUT_NAMES``: a test looks.
WITH_NAMES: dict[str, tuple[str, ...]] = {
    "admin.logentry": ("object_repr", "change_message"),
    "scoring.adjustment": ("reason",),
    "scoring.apitoken": ("name",),
    "scoring.auditentry": ("details",),
    "scoring.club": ("name",),
    "scoring.clubtable": ("name",),
    "scoring.delivery": ("reason",),
    "scoring.eveningclosure": ("reason",),
    "scoring.finalrow": ("team",),
    "scoring.gameevent": ("reason",),
    "scoring.hand": ("reason",),
    "scoring.handevent": ("reason",),
    "scoring.idempotencykey": ("answer",),
    "scoring.invitationuse": ("name",),
    "scoring.latehand": ("reason",),
    "scoring.league": ("name", "description"),
    "scoring.player": NAMES_OF_A_PLAYER,
    "scoring.pushsubscription": ("device",),
    "scoring.ruleset": ("name", "description"),
    "scoring.seasonclosure": ("reason",),
    "scoring.standingrules": ("tables",),
    "scoring.waitingseat": ("guest_name",),
}
# Of a column of JSON, the keys whose texts may name somebody. All else are codes, and stays.
KEYS_WITH_NAMES = frozenset(
    {
        *NAMES_OF_A_PLAYER,
        *("name", "names", "was", "reason", "description", "object", "guest_name"),
        *("username", "email", "first_name", "last_name", "sentences"),
    }
)

# What the site itself writes: codes, states, digests, addresses that programs use. A name that is
# spelled like one of them is no reason to change it. Mail addresses of invitations and deliveries are
# taken out by themselves, with their rows.
WITHOUT_NAMES: dict[str, frozenset[str]] = {
    "scoring.accountsettings": frozenset({"language"}),
    "scoring.apitoken": frozenset({"digest"}),
    "scoring.auditentry": frozenset({"action", "subject"}),
    "scoring.club": frozenset({"language", "time_zone", "colour", "embed_sites"}),
    "scoring.clubtable": frozenset({"digest"}),
    "scoring.delivery": frozenset({"channel", "address", "link", "state", "key"}),
    "scoring.eveningpayment": frozenset({"currency"}),
    "scoring.eveningterms": frozenset({"currency", "fee_per"}),
    "scoring.finalrow": frozenset({"value"}),
    "scoring.firstrun": frozenset({"digest", "step"}),
    "scoring.game": frozenset({"round"}),
    "scoring.gameevent": frozenset({"kind", "before"}),
    "scoring.hand": frozenset(
        {
            *("status", "outcome", "prevailing", "seat", "claimed_limit", "entry_key"),
            *("entry_fingerprint", "tiles", "melds", "card", "won_by", "winning_tile"),
            *("bonus", "flags", "others", "calls", "dora_indicators"),
        }
    ),
    "scoring.handevent": frozenset({"kind", "about"}),
    "scoring.idempotencykey": frozenset({"key", "fingerprint"}),
    "scoring.invitation": frozenset({"digest", "email", "username"}),
    "scoring.latehand": frozenset({"key", "entry", "entry_fingerprint", "status"}),
    "scoring.league": frozenset({"slug", "visibility"}),
    "scoring.notice": frozenset({"kind", "params"}),
    "scoring.noticechoice": frozenset({"kind", "channel"}),
    "scoring.player": frozenset({"pin"}),
    "scoring.pushsubscription": frozenset({"endpoint", "p256dh", "auth"}),
    "scoring.round": frozenset({"wind"}),
    "scoring.ruleset": frozenset({"slug"}),
    # A book is about rules, and a trigger keeps each version as it is.
    "scoring.rulesetversion": frozenset({"options", "book"}),
    "scoring.seat": frozenset({"wind"}),
    "scoring.storysum": frozenset({"span", "within", "figures"}),
    "scoring.trycount": frozenset({"digest"}),
}


def naming_values(player: models.Model) -> dict[str, str]:
    """What each column that says who ``player`` is says now."""
    return {column: getattr(player, column) for column in NAMES_OF_A_PLAYER}


def names_among(details: Mapping[str, Any]) -> set[str]:
    """What such columns said, of ``details`` of the audit."""
    values = (details.get(column) for column in NAMES_OF_A_PLAYER)
    return {value for value in values if isinstance(value, str) and value}


def former_names() -> Iterator[tuple[int, str]]:
    """Of each player who had another name once, or another record with one: the id and that name. One query."""
    changes = apps.get_model("scoring", "AuditEntry").objects.filter(
        subject="player", action__in=("change_player", "change_at_desk", MERGED)
    )
    became: dict[int, int] = {}  # by the record that was merged, whose it is in the end
    # The newest first: what a record became is known before what it was called.
    for action, player, details in changes.order_by("-pk").values_list(
        "action", "subject_id", "details"
    ):
        before = details.get("before")
        names = names_among(before) if isinstance(before, Mapping) else set()
        if action == MERGED:
            became[player] = became.get(details["into"], details["into"])
            names |= names_among(details)
        for name in names:
            yield became.get(player, player), name


def columns_with_names() -> Iterator[tuple[type[models.Model], list["models.Field[Any, Any]"]]]:
    """Each model with the columns of it in which people are named, or could be."""
    for label, names in WITH_NAMES.items():
        model = apps.get_model(label)
        yield model, [model._meta.get_field(name) for name in names]
