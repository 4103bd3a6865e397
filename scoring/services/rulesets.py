"""The two rule sets that come with the project, and every other one by its name."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from scoring.evaluator.rules import BOOK, CLUB
from scoring.evaluator.rules import RuleSet as Rules
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.permissions import Permission, User, check_permission

from .audit import changed, log_audit, values_of

DESCRIPTIONS = {
    "club": "Our usual rules. Of several ways to read a hand, the best one counts.",
    "book": ("The rules exactly as printed in the book they come from, where that is possible."),
}


def install_rulesets() -> None:
    """Make sure that Club and Book are there with a first version. Changes nothing that exists."""
    for rules in (CLUB, BOOK):
        ruleset, _created = RuleSet.objects.get_or_create(
            slug=rules.slug,
            defaults={"name": rules.name, "description": DESCRIPTIONS[rules.slug]},
        )
        if not ruleset.versions.exists():
            RuleSetVersion.objects.create(ruleset=ruleset, number=1, options=rules.options())


@transaction.atomic
def add_ruleset(
    slug: str, *, name: str, description: str = "", options: Mapping[str, Any], by: User
) -> RuleSet:
    """A new rule set with the address ``slug``, and its first version.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with what is wrong, by field.
    """
    account = check_permission(by, Permission.CHANGE_THE_RULES)
    ruleset = RuleSet(slug=slug, name=name, description=description)
    ruleset.full_clean()
    ruleset.save()
    log_audit("add_ruleset", ruleset, by=by)
    add_version(RuleSetVersion(ruleset=ruleset, options=dict(options), created_by=account))
    return ruleset


@transaction.atomic
def change_ruleset(ruleset: RuleSet, *, name: str, description: str, by: User) -> RuleSet:
    """``ruleset`` with another name and description. Its versions never change.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with what is wrong, by field.
    """
    check_permission(by, Permission.CHANGE_THE_RULES)
    ruleset = RuleSet.objects.select_for_update().get(pk=ruleset.pk)
    before = values_of(ruleset, ("name", "description"))
    ruleset.name, ruleset.description = name, description
    ruleset.full_clean()
    ruleset.save()
    log_audit("change_ruleset", ruleset, by=by, **changed(before, values_of(ruleset, before)))
    return ruleset


@transaction.atomic
def add_version(version: RuleSetVersion) -> None:
    """Save ``version`` as the next one of its rule set, whatever number it has.

    :raises ValidationError: if its options are none that a rule set can have.
    """
    # Two who add a version at once wait for each other, and get two numbers.
    RuleSet.objects.select_for_update().get(pk=version.ruleset_id)
    last = version.ruleset.versions.aggregate(last=Max("number"))["last"]
    version.number = (last or 0) + 1
    version.full_clean()
    version.save(force_insert=True)
    log_audit("add_version", version, by=version.created_by)


def named_rules(name: str) -> Rules:
    """The rules that ``club`` (the newest version) or ``club:1`` stands for.

    :raises ValidationError: for a name of none, with those that exist.
    """
    slug, _colon, number = name.partition(":")
    versions = RuleSetVersion.objects.filter(ruleset__slug=slug).select_related("ruleset")
    if number:
        versions = versions.filter(number=number) if number.isdecimal() else versions.none()
    version = versions.order_by("-number").first()
    if version is None:
        raise no_such_rules(name, RuleSet.objects.values_list("slug", flat=True))
    return version.rules


def usual_version() -> RuleSetVersion | None:
    """What a new league plays by unless it chooses: the newest version of Club."""
    club = RuleSetVersion.objects.filter(ruleset__slug=CLUB.slug).select_related("ruleset")
    return club.order_by("-number").first()


def built_in_rules(name: str) -> Rules:
    """What :func:`named_rules` finds where there is no database: Club and Book.

    :raises ValidationError: for any other name.
    """
    known = {rules.slug: rules for rules in (CLUB, BOOK)}
    rules = known.get(name.removesuffix(":1"))
    if rules is None:
        raise no_such_rules(name, sorted(known))
    return rules


def no_such_rules(name: str, existing: Iterable[str]) -> ValidationError:
    """That ``name`` is none of the ``existing``."""
    message = _("There is no rule set %(name)s. Choose one of %(existing)s.")
    sentence = message % {"name": name, "existing": ", ".join(existing)}
    return ValidationError({"ruleset": ValidationError(sentence, code="unknown_ruleset")})
