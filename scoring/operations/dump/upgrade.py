"""Bringing an older file up to the format of today, one format after the other.

A step says what its format changed. A file of each format is kept in ``tests/operations/exports``,
and the tests import all of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.models.tallies import RATING_MU, RATING_SIGMA

from .content import VERSION

Fields = dict[str, Any]


def _as_it_was(_model: str, fields: Fields) -> Fields:
    return fields


@dataclass(frozen=True, slots=True)
class UpgradeStep:
    """What one format changed about the one before it. Models go by label: "scoring.hand".

    :ivar models: those that older files do not hold.
    :ivar renamed: the labels of before, each with the one that took its place.
    :ivar fields: by model, the fields that its rows did not have, each with its value in old rows.
    :ivar change: given a model and the fields of one of its rows, returns what they are now. The
        fields may hold anything: nothing has checked them yet.
    """

    models: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Fields] = field(default_factory=dict)
    change: Callable[[str, Fields], Fields] = _as_it_was


NO_WINNER = {"self_drawn": False, "concealed": False, "melds": []}
ORGANISERS_READ = [
    ["view_gameevent", "scoring", "gameevent"],
    ["view_latehand", "scoring", "latehand"],
]


def _to_2(model: str, fields: Fields) -> Fields:
    # What migrations 0010 and 0011 did in a database that was there already.
    if model == "scoring.hand" and fields.get("outcome") == "draw":
        return {**fields, **NO_WINNER}
    listed = fields.get("permissions")
    if model == "auth.group" and fields.get("name") == "Organisers" and isinstance(listed, list):
        return {**fields, "permissions": [*listed, *ORGANISERS_READ]}
    return fields


# By the natural keys of a content type and of a permission on it.
CLOSING, EVENING_CLOSURE = ["scoring", "closing"], ["scoring", "eveningclosure"]


# What the rule sets that come with the site said about themselves, and what they say today.
DESCRIPTIONS = {
    "The default: every reading of the book decided, the best interpretation counts.": (
        "Our usual rules. Of several ways to read a hand, the best one counts."
    ),
    "The book to the letter, wherever the letter can work.": (
        "The rules exactly as printed in the book they come from, where that is possible."
    ),
}


def _to_3(model: str, fields: Fields) -> Fields:
    # What migrations 0014 and 0015 did in a database that was there already.
    described = fields.get("description")
    if model == "scoring.ruleset" and isinstance(described, str):
        return {**fields, "description": DESCRIPTIONS.get(described, described)}
    if model == "admin.logentry" and fields.get("content_type") == CLOSING:
        return {**fields, "content_type": EVENING_CLOSURE}
    for name in ("permissions", "user_permissions"):
        if isinstance(listed := fields.get(name), list):
            fields = {**fields, name: [_permission_on_closure(key) for key in listed]}
    return fields


def _permission_on_closure(key: Any) -> Any:
    """The natural key of a permission: of one on the model of before, that on the model of today."""
    match key:
        case [str(codename), *kind] if kind == CLOSING:
            return [codename.replace("closing", "eveningclosure"), *EVENING_CLOSURE]
    return key


def _to_4(model: str, fields: Fields) -> Fields:
    # What migration 0025 did in a database that was there already.
    if model == "admin.logentry" and _is_of_axes(fields.get("content_type")):
        return {**fields, "content_type": None}
    for name in ("permissions", "user_permissions"):
        if isinstance(listed := fields.get(name), list):
            fields = {**fields, name: [key for key in listed if not _is_of_axes(key)]}
    return fields


def _to_5(model: str, fields: Fields) -> Fields:
    # What migration 0030 did in a database that was there already.
    if model == "scoring.accountsettings":
        return {"opened_by_organiser": fields.get("has_first_password", False), **fields}
    return fields


def _is_of_axes(key: Any) -> bool:
    """Whether the natural key of a kind of row, or of a permission, is one of django-axes."""
    match key:
        case ["axes", _] | [_, "axes", _]:
            return True
    return False


# By the format that a step leads to.
STEPS: dict[int, UpgradeStep] = {
    2: UpgradeStep(
        models=("scoring.gameevent", "scoring.latehand"),
        fields={
            "scoring.hand": {"follows": None, "claimed_limit": "", "entry_fingerprint": ""},
            "scoring.handevent": {"about": ""},
            "scoring.game": {"ended_by": None, "withdrawn_at": None},
        },
        change=_to_2,
    ),
    3: UpgradeStep(renamed={"scoring.closing": "scoring.eveningclosure"}, change=_to_3),
    4: UpgradeStep(
        models=(
            *("scoring.club", "account.emailaddress", "scoring.accountsettings"),
            *("scoring.guestclaim", "scoring.clubtable", "scoring.notice", "scoring.noticechoice"),
        ),
        fields={
            "scoring.player": {"renamed_at": None, "anonymous_since": None, "guest": False},
            "scoring.league": {"hides_names": False},
        },
        change=_to_4,
    ),
    5: UpgradeStep(models=("scoring.invitationuse",), change=_to_5),
    6: UpgradeStep(
        models=(
            *("scoring.standingrules", "scoring.eveningterms", "scoring.eveningpayment"),
            *("scoring.seasonclosure", "scoring.finalrow"),
        ),
        fields={
            "scoring.league": {"standing_versions": 0, "first_season": None, "closed_on": None},
            "scoring.tally": {"start_mu": RATING_MU, "start_sigma": RATING_SIGMA},
            "scoring.rulesetversion": {"book": None},
            "scoring.hand": {
                **dict.fromkeys(
                    ("won_by", "winning_tile", "bonus", "flags", "dora_indicators"), ""
                ),
                **dict.fromkeys(("value", "counters", "sticks", "on_table"), 0),
                **dict.fromkeys(("liable", "others", "calls")),
            },
            "scoring.game": {"counters": 0, "sticks": 0},
        },
    ),
    7: UpgradeStep(
        models=("scoring.clubrating", "scoring.clubtally"),
        fields={
            "scoring.club": {"rates_across_leagues": False, "embed_sites": ""},
            "scoring.finalrow": {"rating_deviation": None},
        },
    ),
    8: UpgradeStep(fields={"scoring.player": {"hides_name": False}}),
}


def upgrade_counts(counts: dict[str, Any], version: int) -> dict[str, Any]:
    """What the header of a file of ``version`` counts by model, with the models of today."""
    for step in _steps_after(version):
        renamed = {step.renamed.get(model, model): count for model, count in counts.items()}
        counts = {**dict.fromkeys(step.models, 0), **renamed}
    return counts


def upgrade_row(model: str, fields: Fields, version: int) -> tuple[str, Fields]:
    """The model and the fields that a row of a file of ``version`` has today."""
    for step in _steps_after(version):
        model = step.renamed.get(model, model)
        fields = step.change(model, {**step.fields.get(model, {}), **fields})
    return model, fields


def _steps_after(version: int) -> list[UpgradeStep]:
    return [STEPS[later] for later in range(version + 1, VERSION + 1)]
