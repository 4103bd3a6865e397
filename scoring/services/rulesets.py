"""Make rule sets and their versions: from options or from the text of a rule book."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.loader import as_data, frozen, shipped, whole
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import BOOK, CLUB
from scoring.evaluator.rules import RuleSet as Rules
from scoring.models import Game, Hand, League, RuleSet, RuleSetVersion
from scoring.models.permissions import Permission, User, check_permission
from scoring.models.problems import as_validation_error
from scoring.models.rulesets import RESERVED, address_of_a_page, name_taken
from scoring.translation import listed, translate
from scoring.typed_numbers import typed_id
from scoring.variants.book_rules import why_not_playable

from .audit import log_audit, log_change, values_of
from .errors import NewerVersion, who_published

LONGEST_DESCRIPTION = 1000
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
    if slug in shipped():
        message = _("“%(slug)s” is a rule book: give these rules another short name.")
        raise ValidationError({"slug": ValidationError(message % {"slug": slug}, code="taken")})
    ruleset = RuleSet(slug=slug, name=name, description=description)
    ruleset.full_clean()
    ruleset.save()
    log_audit("add_ruleset", ruleset, by=by)
    add_version(RuleSetVersion(ruleset=ruleset, options=dict(options), created_by=account))
    return ruleset


@transaction.atomic
def add_book(
    data: Mapping[str, Any], *, by: User, description: str = "", seen: int | None = None
) -> RuleSetVersion:
    """A rule book as a rule set that leagues can play by: its first version, or its next one.

    Name and description follow the book, unless the club has given the rule set others. The newest version once more
    is the newest version.

    :param data: as the file of a book has it, with a ``base`` or whole; it is kept whole.
    :param seen: the number of the newest version that the person saw, 0 if there were no such rules; None asks for
        none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises NewerVersion: if there is another one than the one that was seen.
    :raises ValidationError: if somebody has made rules of that address meanwhile; else with all that is wrong with the
        book, or why no league can play by it.
    """
    account = check_permission(by, Permission.CHANGE_THE_RULES)
    book, kept = _playable(data)
    ruleset = _locked(book.slug)
    if ruleset is None:
        name, about = _title(kept)
        ruleset = RuleSet(slug=book.slug, name=name, description=description or about)
        if not _is_first(ruleset, by):
            ruleset = RuleSet.objects.select_for_update().get(slug=book.slug)
    if (latest := ruleset.versions.order_by("-number").first()) is not None:
        if latest.says(kept):
            return latest
        if seen == 0:
            raise name_taken(ruleset.name)
        _require_newest(latest, seen, by)
        _follow(ruleset, latest, kept, by)
    version = RuleSetVersion(ruleset=ruleset, book=kept, created_by=account)
    add_version(version)
    return version


def _require_newest(latest: RuleSetVersion | None, seen: int | None, by: User | None) -> None:
    """:raises NewerVersion: if ``latest`` is not the version of the number ``seen``; None asks for none."""
    if latest is not None and seen is not None and latest.number != seen:
        raise NewerVersion(latest, by=by)


def _title(book: Mapping[str, Any]) -> tuple[str, str]:
    """Name and description of a rule set that is ``book``."""
    return book["name"], book.get("explanation", "")[:LONGEST_DESCRIPTION]


def _follow(ruleset: RuleSet, latest: RuleSetVersion, book: Mapping[str, Any], by: User) -> None:
    """Give ``ruleset`` what ``book`` changes of the title of its ``latest`` version, where it still has that."""
    before = _title(latest.book) if latest.book else ("", "")
    now = (ruleset.name, ruleset.description)
    name, description = (
        new if here == old else here
        for here, old, new in zip(now, before, _title(book), strict=True)
    )
    if (name, description) != now:
        change_ruleset(ruleset, name=name, description=description, by=by)


def _locked(slug: str) -> RuleSet | None:
    return RuleSet.objects.select_for_update().filter(slug=slug).first()


def _is_first(ruleset: RuleSet, by: User) -> bool:
    """Save ``ruleset``; False if somebody else made one of its address at this moment."""
    # Who did is not seen before that is committed: the database tells.
    ruleset.full_clean(validate_unique=False)
    try:
        with transaction.atomic():
            ruleset.save()
    except IntegrityError:
        return False
    log_audit("add_ruleset", ruleset, by=by)
    return True


def shipped_version(slug: str, *, by: User) -> RuleSetVersion:
    """The newest version of the rule set ``slug``; of a book that ships, its first one is made.

    :raises PermissionDenied: if it has to be made, and ``by`` is no organiser.
    :raises ValidationError: if there is no such rule set or book, or no league can play by it.
    """
    if slug in shipped() and not RuleSet.objects.filter(slug=slug).exists():
        return add_book(as_data(slug), by=by)
    return named_version(slug)


def newest_edition(slug: str, *, by: User) -> RuleSetVersion:
    """The book ``slug`` as it ships now: its first version, or the next one if it has changed since.

    :raises PermissionDenied: if a version has to be made, and ``by`` is no organiser.
    :raises ValidationError: if there is no such rule set or book, or no league can play by it.
    """
    version = shipped_version(slug, by=by)
    data = newer_edition(version)
    return version if data is None else add_book(data, by=by)


def newer_edition(version: RuleSetVersion) -> dict[str, Any] | None:
    """The book that ships under the address of ``version``, if that says something else by now."""
    slug = version.ruleset.slug
    if version.book is None or slug not in shipped():
        return None
    data = whole(as_data(slug))
    return None if data == version.book else data


def _playable(data: Mapping[str, Any]) -> tuple[Book, dict[str, Any]]:
    try:
        kept = whole(data)
        book = frozen(kept)
    except HandError as error:
        raise as_validation_error(error, field="book") from error
    if why := why_not_playable(book):
        raise ValidationError({"book": ValidationError(translate(why), code="not_playable")})
    check_address(book.slug)
    return book, kept


def check_address(slug: str) -> None:
    """:raises ValidationError: at ``slug``, for a short name that a new book cannot have.

    Rules that are there keep one that was reserved later.
    """
    if slug in (CLUB.slug, BOOK.slug):
        message = _("“%(slug)s” is a rule set of options: give the book another short name.")
        raise ValidationError({"slug": ValidationError(message % {"slug": slug}, code="taken")})
    if slug in RESERVED and not RuleSet.objects.filter(slug=slug).exists():
        raise address_of_a_page(slug)


@transaction.atomic
def change_ruleset(
    ruleset: RuleSet, *, name: str | None = None, description: str | None = None, by: User
) -> RuleSet:
    """``ruleset`` with another name and description; None leaves what there is. Its versions never change.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: with what is wrong, by field.
    """
    check_permission(by, Permission.CHANGE_THE_RULES)
    ruleset = RuleSet.objects.select_for_update().get(pk=ruleset.pk)
    before = values_of(ruleset, ("name", "description"))
    ruleset.name = ruleset.name if name is None else name
    ruleset.description = ruleset.description if description is None else description
    ruleset.full_clean()
    ruleset.save()
    log_change("change_ruleset", ruleset, by=by, before=before, after=values_of(ruleset, before))
    return ruleset


@transaction.atomic
def delete_ruleset(ruleset: RuleSet, *, by: User, seen: int | None = None) -> None:
    """Delete a ``ruleset`` that nobody plays by, with all its versions.

    Rules that are gone already stay so. A book that comes with the site can be taken in again.

    :param seen: the id of the newest version that the person saw; None asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: for Club and Book, and if a league, a game or a hand has one of its versions; with the
        code ``moved_on``, if there is another version than the one that was seen.
    """
    check_permission(by, Permission.CHANGE_THE_RULES)
    # Who adds a version locks the rule set: it is seen below, or finds the rules gone.
    list(RuleSet.objects.select_for_update().filter(pk=ruleset.pk).values_list("pk"))
    # A league that takes one of the versions locks it, too: it is seen below, or finds it gone.
    versions = RuleSetVersion.objects.select_for_update().filter(ruleset=ruleset)
    if not versions.values_list("pk"):
        return  # somebody else was faster
    if reason := why_it_stays(ruleset):
        raise ValidationError(reason, code="used")
    latest = versions.latest("number")
    if seen is not None and latest.pk != seen:
        message = _(
            "Version %(number)s of %(rules)s came in between: %(who)s published it on %(when)s. Nothing "
            "is deleted yet. To delete that version, too, delete the rules once more."
        )
        raise ValidationError(message % who_published(latest, by=by), code="moved_on")
    log_audit("delete_ruleset", ruleset, by=by, name=ruleset.name)
    versions.delete()
    ruleset.delete()


def why_it_stays(ruleset: RuleSet) -> str:
    """Why ``ruleset`` cannot be deleted; empty if it can."""
    if ruleset.slug in (CLUB.slug, BOOK.slug):
        return _("These rules stay: they come with every site.")
    of_its_versions = {"ruleset_version__ruleset": ruleset}
    if names := League.objects.filter(**of_its_versions).values_list("name", flat=True):
        message = _("These rules stay, since leagues play by them: %(leagues)s.")
        return message % {"leagues": listed(names)}
    if any(model.objects.filter(**of_its_versions).exists() for model in (Game, Hand)):
        return _("These rules stay, since games were played by them.")
    return ""


@transaction.atomic
def add_version(version: RuleSetVersion, *, seen: int | None = None) -> None:
    """Save ``version`` as the next one of its rule set, whatever number it has.

    :param seen: the number of the newest version that the person saw; None asks for none.
    :raises NewerVersion: if there is another one than the one that was seen.
    :raises ValidationError: if its options are none that a rule set can have.
    """
    # Two who add a version at once wait for each other, and get two numbers.
    RuleSet.objects.select_for_update().get(pk=version.ruleset_id)
    latest = version.ruleset.versions.order_by("-number").first()
    _require_newest(latest, seen, version.created_by)
    version.number = latest.number + 1 if latest else 1
    version.full_clean()
    version.save(force_insert=True)
    log_audit("add_version", version, by=version.created_by)


def named_version(name: str) -> RuleSetVersion:
    """The version that ``club`` (the newest) or ``club:1`` stands for.

    :raises ValidationError: for a name of none, with those that exist.
    """
    slug, _colon, number = name.partition(":")
    versions = RuleSetVersion.objects.filter(ruleset__slug=slug).select_related("ruleset")
    if number:
        found = typed_id(number)
        versions = versions.filter(number=found) if found else versions.none()
    version = versions.order_by("-number").first()
    if version is None:
        raise no_such_rules(name, RuleSet.objects.values_list("slug", flat=True))
    return version


def usual_version() -> RuleSetVersion | None:
    """What a new league plays by unless it chooses: the newest version of Club."""
    club = RuleSetVersion.objects.filter(ruleset__slug=CLUB.slug).select_related("ruleset")
    return club.order_by("-number").first()


def built_in_rules(name: str) -> Rules:
    """What :func:`named_version` finds where there is no database: Club and Book.

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
