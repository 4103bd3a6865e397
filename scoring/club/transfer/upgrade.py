"""Rows of older files, as this version of the site writes them."""

from typing import Any

# What each version of the format added, by model: the field and its value in the rows before it.
ADDED: dict[int, dict[str, dict[str, Any]]] = {
    2: {
        "scoring.hand": {"follows": None, "claimed_limit": "", "entry_fingerprint": ""},
        "scoring.handevent": {"about": ""},
        "scoring.game": {"ended_by": None, "withdrawn_at": None},
    },
}
# Models that older files do not know.
ADDED_MODELS: dict[int, tuple[str, ...]] = {2: ("scoring.gameevent", "scoring.latehand")}
DRAWS_ARE_CLEAR = 2
NO_WINNER = {"self_drawn": False, "concealed": False, "melds": []}


def upgrade(model: str, fields: dict[str, Any], version: int) -> dict[str, Any]:
    """``fields`` of a row of ``model`` in a file of that ``version``, with what came later."""
    for later, added in ADDED.items():
        if version < later:
            fields = {**added.get(model, {}), **fields}
    if version < DRAWS_ARE_CLEAR and model == "scoring.hand" and fields.get("outcome") == "draw":
        # Old sites took a draw that was self-drawn; it says nothing about a hand without a winner.
        fields = {**fields, **NO_WINNER}
    return fields


def added_models(version: int) -> list[str]:
    """The models that a file of ``version`` does not know, by label."""
    return [label for since, labels in ADDED_MODELS.items() if since > version for label in labels]
