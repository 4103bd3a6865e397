"""What is changed or deleted at the desk leaves an entry in the audit."""

import pytest
from django.contrib import admin
from django.test import RequestFactory

from scoring.admin.audited import AuditedDeletions
from scoring.models import AuditEntry, IdempotencyKey, RuleSet
from tests.admin.addresses import address
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def entries(model):
    listed = AuditEntry.objects.filter(subject=model._meta.model_name).order_by("pk")
    return [(entry.action, entry.details) for entry in listed]


def test_every_desk_where_something_is_changed_or_deleted_leaves_entries(superuser):
    request = RequestFactory().get("/")
    request.user = superuser
    silent = [
        model.__name__
        for model, desk in admin.site._registry.items()
        if (desk.has_change_permission(request) or desk.has_delete_permission(request))
        and not isinstance(desk, AuditedDeletions)
    ]
    assert silent == []


def test_a_renamed_rule_set_leaves_an_entry(root):
    ruleset = RuleSet.objects.create(slug="house", name="House")
    sent = {"name": "Ours", "description": ""}
    versions = {"versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
    assert root.post(address(RuleSet, "change", ruleset.pk), sent | versions).status_code == 302
    assert entries(RuleSet) == [
        ("change_ruleset", {"before": {"name": "House"}, "after": {"name": "Ours"}})
    ]


def test_a_deleted_idempotency_key_leaves_an_entry(root):
    key = IdempotencyKey.objects.create(user=make_member(), key="a key", fingerprint="-")
    root.post(address(IdempotencyKey, "delete", key.pk), {"post": "yes"})
    assert entries(IdempotencyKey) == [("delete_at_desk", {"was": "a key"})]
