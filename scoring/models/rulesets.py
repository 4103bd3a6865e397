"""Rule sets as data. A version never changes: a change makes a new version."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.loader import frozen as read_book
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.texts import LONGEST
from scoring.evaluator.option_rules import OptionTableRules, no_options
from scoring.evaluator.rules import RuleSet as Rules
from scoring.evaluator.table_rules import TableRules
from scoring.variants.book_rules import BookTableRules

from .names import clean_name_of
from .problems import HandError, as_validation_error

# What follows ``rules/``, and ``rulesets/`` in the API, in other addresses.
RESERVED = frozenset(("new", "import", "compare", "preview"))


def version_in_words(name: str, number: int) -> str:
    """A version of the rule set ``name`` as it is called everywhere: "Club, version 2"."""
    return gettext("%(name)s, version %(version)s") % {"name": name, "version": number}


def name_taken(name: str) -> ValidationError:
    """What to say to who calls their rules as others are called."""
    message = _("There are rules called “%(name)s” already: give yours another name.")
    return ValidationError({"name": ValidationError(message, code="taken", params={"name": name})})


def address_of_a_page(slug: str) -> ValidationError:
    """What to say to who gives rules a short name that is ``RESERVED``."""
    message = _("“%(slug)s” is the address of another page: choose another short name.")
    return ValidationError({"slug": ValidationError(message, code="taken", params={"slug": slug})})


class RuleSet(models.Model):
    """A named way of scoring, such as Club or Book."""

    slug = models.SlugField(_("short name"), unique=True, max_length=LONGEST["slug"])
    name = models.CharField(_("name"), max_length=LONGEST["name"])
    description = models.TextField(_("description"), blank=True)

    class Meta:
        ordering = ["slug"]
        verbose_name = _("rule set")
        verbose_name_plural = _("rule sets")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("rules", args=[self.slug])

    def clean(self) -> None:
        """Clean the name, and refuse one that other rules have. A book of the site keeps its own.

        :raises ValidationError: if the name or the address is taken. A name that was alike before may stay.
        """
        self.name = clean_name_of(self)
        # Rules that are there keep an address that was reserved later.
        if self._state.adding and self.slug in RESERVED:
            raise address_of_a_page(self.slug)
        before = RuleSet.objects.filter(pk=self.pk).first() if self.pk else None
        # A book of the site was there first: of two alike the other one is named anew.
        if self.slug in shipped() or (before and before.name == self.name):
            return
        others = RuleSet.objects.exclude(slug=self.slug).values_list("name", flat=True)
        taken = {*others, *(load(slug).name for slug in shipped())}
        if self.name.casefold() in {name.casefold() for name in taken}:
            raise name_taken(self.name)

    @property
    def latest(self) -> "RuleSetVersion":
        """The newest version: what a new league and the calculator use."""
        # Compared here, so that versions that were fetched beforehand are not fetched again.
        return max(self.versions.all(), key=lambda version: version.number)


class RuleSetVersion(models.Model):
    """One version of a rule set: the house options, or a whole rule book, fixed for good.

    A trigger in the database refuses any change of either: hands were scored with them. A version
    with a ``book`` (its data, as a file of a rule book has it) has no options.
    """

    ruleset = models.ForeignKey(
        RuleSet, on_delete=models.PROTECT, related_name="versions", verbose_name=_("rule set")
    )
    number = models.PositiveIntegerField(_("version"))
    options = models.JSONField(_("options"), default=dict, blank=True)
    book = models.JSONField(_("rule book"), null=True, blank=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )

    class Meta:
        ordering = ["ruleset", "-number"]
        verbose_name = _("rule set version")
        verbose_name_plural = _("rule set versions")
        constraints = [
            models.UniqueConstraint(
                fields=["ruleset", "number"],
                name="ruleset_version_once",
                violation_error_message=_("This rule set already has a version of that number."),
            ),
            models.CheckConstraint(
                condition=models.Q(book__isnull=True) | models.Q(options={}),
                name="options_or_a_book",
            ),
        ]

    def __str__(self) -> str:
        return version_in_words(self.ruleset.name, self.number)

    def clean(self) -> None:
        """Refuse options, or a book, that no rule set can have.

        :raises ValidationError: naming each option and what it may be, or all that is wrong with the book.
        """
        if self.ruleset_id is None:
            return  # the field itself says that it is missing
        field = "options" if self.book is None else "book"
        try:
            values = self.values
        except HandError as error:
            raise as_validation_error(error, field=field) from error
        before = RuleSetVersion.objects.filter(pk=self.pk).first() if self.pk else None
        # The trigger refuses this as well, without a sentence for people.
        if before and before.values != values:
            raise ValidationError(
                {field: _("A version never changes: make a new version of the rule set.")},
                code="immutable",
            )

    @property
    def values(self) -> dict[str, Any]:
        """What this version says, in its canonical form: every option, or the data of its book.

        :raises HandError: if that cannot be.
        """
        if self.book is None:
            return self.rules.options()
        read_book(self.book)
        data: dict[str, Any] = self.book
        return data

    @property
    def named_book(self) -> dict[str, Any] | None:
        """The data of its book under the name that the rule set has by now; None for options.

        The stored book keeps the name of the day on which it became a version.
        """
        return None if self.book is None else {**self.book, "name": self.ruleset.name}

    def says(self, data: Mapping[str, Any]) -> bool:
        """Whether ``data`` is its book, under the name of either day."""
        return self.book is not None and data in (self.book, self.named_book)

    @property
    def rule_book(self) -> Book | None:
        """Its book, as it is called by now; None for options.

        :raises HandError: if the stored book cannot be read.
        """
        return None if (data := self.named_book) is None else read_book(data)

    @cached_property
    def table_rules(self) -> TableRules:
        """What a table plays by: whatever a league does with a hand asks this.

        :raises HandError: if the stored options are none, or the stored book cannot be read.
        """
        if (book := self.rule_book) is None:
            return OptionTableRules(self.rules)
        return BookTableRules(book, self.number)

    @cached_property
    def rules(self) -> Rules:
        """The options, as the club's own evaluator scores with them.

        :raises HandError: if the stored options are none, or this version has a book instead.
        """
        if self.book is not None:
            raise no_options()
        return Rules.from_options(
            self.options,
            slug=self.ruleset.slug,
            name=self.ruleset.name,
            version=self.number,
        )
