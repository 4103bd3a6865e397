"""An export of any format that there ever was is imported, and nothing of it is lost."""

import gzip
import json
from io import BytesIO

import pytest
from django.contrib.auth.models import User

from scoring.models import Hand, RuleSet
from scoring.operations.dump import export_club, import_club
from scoring.operations.dump.content import MODELS, VERSION, columns, lists
from scoring.operations.dump.upgrade import STEPS, UpgradeStep, upgrade_counts, upgrade_row
from scoring.operations.verify import verify
from tests.operations.exports import (
    fields_of,
    kept_file,
    kept_versions,
    rows_of_kept,
    what_to_write,
)

# What an old row says otherwise today, as its step says why.
CHANGED = {
    ("auth.group", "permissions"),
    ("scoring.hand", "self_drawn"),
    ("scoring.ruleset", "description"),
}


def quietly(_total):
    return lambda _more: None


def import_kept(version):
    with gzip.open(kept_file(version)) as file:
        return import_club(file, quietly)


def model_of_today(model, version):
    return upgrade_row(model, {}, version)[0]


def exported_rows():
    out = BytesIO()
    export_club(out, quietly)
    _header, *rows = map(json.loads, out.getvalue().splitlines())
    return {(row["model"], row["pk"]): row["fields"] for row in rows}


@pytest.mark.usefixtures("groups_go_on")
@pytest.mark.django_db
@pytest.mark.parametrize("version", kept_versions())
class TestEveryFormat:
    @pytest.mark.each_case
    def test_a_kept_file_is_imported_with_every_row_and_every_figure(self, version):
        import_kept(version)
        now = exported_rows()
        rows = rows_of_kept(version)
        assert len(now) == len(rows)
        for row in rows:
            model, fields = row["model"], row["fields"]
            same = {name for name in fields if version == VERSION or (model, name) not in CHANGED}
            imported = now[model_of_today(model, version), row["pk"]]
            assert {name: imported[name] for name in same} == {name: fields[name] for name in same}
        assert list(verify()) == []

    def test_rule_sets_of_every_format_describe_themselves_as_those_of_a_new_club_do(self, version):
        new = dict(RuleSet.objects.values_list("slug", "description"))
        import_kept(version)
        imported = dict(RuleSet.objects.values_list("slug", "description"))
        assert imported == imported | new

    def test_organisers_of_an_older_club_read_what_came_later(self, version):
        import_kept(version)
        organiser = User.objects.get(username="organiser")
        assert organiser.has_perms(["scoring.view_gameevent", "scoring.view_latehand"])

    def test_organisers_of_an_older_club_still_read_who_closed_an_evening(self, version):
        import_kept(version)
        assert User.objects.get(username="organiser").has_perm("scoring.view_eveningclosure")


@pytest.mark.usefixtures("groups_go_on")
@pytest.mark.django_db
def test_a_self_drawn_draw_of_format_1_is_a_plain_draw():
    drawn = [
        row["pk"]
        for row in rows_of_kept(1)
        if row["model"] == "scoring.hand"
        and row["fields"]["outcome"] == "draw"
        and row["fields"]["self_drawn"]
    ]
    assert drawn
    import_kept(1)
    assert not Hand.objects.filter(pk__in=drawn, self_drawn=True).exists()


def test_format_3_calls_a_closed_evening_by_its_new_name_wherever_it_is_named():
    row = {
        "content_type": ["scoring", "closing"],
        "user_permissions": [
            ["view_closing", "scoring", "closing"],
            ["view_hand", "scoring", "hand"],
        ],
    }
    assert upgrade_row("auth.user", row, 2)[1]["user_permissions"] == [
        ["view_eveningclosure", "scoring", "eveningclosure"],
        ["view_hand", "scoring", "hand"],
    ]
    kind = ["scoring", "eveningclosure"]
    assert upgrade_row("admin.logentry", row, 2)[1]["content_type"] == kind
    assert upgrade_row("scoring.closing", {}, 2) == ("scoring.eveningclosure", {})


def test_format_4_forgets_the_kinds_of_rows_that_are_gone():
    row = {
        "content_type": ["axes", "accessattempt"],
        "user_permissions": [
            ["view_accesslog", "axes", "accesslog"],
            ["view_hand", "scoring", "hand"],
        ],
    }
    assert upgrade_row("admin.logentry", row, 3)[1]["content_type"] is None
    assert upgrade_row("auth.user", row, 3)[1]["user_permissions"] == [
        ["view_hand", "scoring", "hand"]
    ]


def test_a_file_and_a_step_is_kept_of_every_format():
    assert kept_versions() == [*range(1, VERSION + 1)], "run: python -m tests.operations.exports"
    assert sorted(STEPS) == [*range(2, VERSION + 1)]
    assert all(kept_file(version).stat().st_size < 100_000 for version in kept_versions())


def test_the_newest_format_has_the_models_and_fields_of_today():
    now = {
        model._meta.label_lower: {field.name for field in (*columns(model), *lists(model))}
        for model in MODELS
    }
    advice = what_to_write(VERSION, fields_of(rows_of_kept(VERSION)), now)
    assert not advice, "\n".join(advice)


@pytest.mark.parametrize(
    ("now", "advice"),
    [
        (
            {"a.hand": {"tiles", "note"}, "a.game": {"table"}},
            "a.hand has gained note: UpgradeStep(fields={'a.hand': {'note': <as older rows are>}})",
        ),
        (
            {"a.hand": set(), "a.game": {"table"}},
            "a.hand has lost tiles: UpgradeStep(change=<a function that drops it>)",
        ),
        (
            {"a.hand": {"tiles"}, "a.game": {"table"}, "a.guest": {"name"}},
            "a.guest is new: UpgradeStep(models=('a.guest',))",
        ),
        ({"a.hand": {"tiles"}}, "a.game is gone"),
    ],
)
def test_whoever_changes_a_model_is_told_what_to_write(now, advice):
    lines = what_to_write(7, {"a.hand": {"tiles"}, "a.game": {"table"}}, now)
    assert advice in lines
    assert "1. In scoring/operations/dump/content.py: VERSION = 8" in lines


def test_unchanged_models_need_nothing_written():
    assert what_to_write(7, {"a.hand": {"tiles"}}, {"a.hand": {"tiles"}}) == []


class TestTheStepsTogether:
    """What the next formats may change: a column, a model, a name."""

    @pytest.fixture(autouse=True)
    def _two_more_formats(self, monkeypatch):
        def drop_note(_model, fields):
            return {name: value for name, value in fields.items() if name != "note"}

        steps = {
            **STEPS,
            VERSION + 1: UpgradeStep(fields={"a.hand": {"kind": "win"}}, models=("a.guest",)),
            VERSION + 2: UpgradeStep(renamed={"a.hand": "a.deal"}, change=drop_note),
        }
        monkeypatch.setattr("scoring.operations.dump.upgrade.STEPS", steps)
        monkeypatch.setattr("scoring.operations.dump.upgrade.VERSION", VERSION + 2)

    @pytest.mark.parametrize("version", range(1, VERSION + 1))
    def test_a_row_of_any_format_goes_through_all_later_steps(self, version):
        row = upgrade_row("a.hand", {"tiles": "GGG", "note": ""}, version)
        assert row == ("a.deal", {"tiles": "GGG", "kind": "win"})

    def test_a_row_of_the_newest_format_stays_as_it_is(self):
        assert upgrade_row("a.hand", {"note": ""}, VERSION + 2) == ("a.hand", {"note": ""})

    def test_the_header_counts_the_models_of_today(self):
        assert upgrade_counts({"a.hand": 3}, VERSION) == {"a.guest": 0, "a.deal": 3}
